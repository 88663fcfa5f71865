"""One page for several notebooks, one after the other: what goes wrong in it is kept."""

from __future__ import annotations

from collections.abc import Callable

from tools.browser import Notebook, write_notebook

Open = Callable[..., Notebook]

# Says something as soon as another notebook is in the place of this one, and before its kernel is ready.
SAY = """() => {
    const left = jupyterapp.shell.currentWidget;
    const look = () => {
        if (jupyterapp.shell.currentWidget === left) return void setTimeout(look);
        console.error("wrong while it opens");
        fetch("http://192.0.2.1/").catch(() => {});
    };
    look();
}"""


def test_errors_while_opening_a_notebook_are_collected(open_notebook: Open) -> None:
    notebook = open_notebook(["1"], run=False)
    notebook.page.route("http://192.0.2.1/", lambda route: route.fulfill(body=""))
    write_notebook(notebook.server.folder / "next.ipynb", ["2"])
    notebook.page.evaluate(SAY)
    notebook.go_on_to("next.ipynb")
    errors, strangers = notebook.errors[:], notebook.strangers[:]
    notebook.errors.clear()  # nothing else of this test is wrong
    notebook.strangers.clear()
    assert "wrong while it opens" in errors
    assert strangers == ["http://192.0.2.1/"]
