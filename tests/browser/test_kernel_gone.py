"""A kernel that has stopped, cannot be reached or is busy: every widget says so, and nothing is lost."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from divmetrics.sheet.text import read_page
from tools.browser import PATIENCE, Notebook

Open = Callable[..., Notebook]

SAID = "The kernel has stopped; your lists are kept: run the cell again."
CELLS = [
    "import os\nprint(os.getpid())",
    'from divmetrics_widgets import RankedListLab\nRankedListLab("harry potter")',
    'RankedListLab("harry potter")\nsecond = RankedListLab("harry potter")\nsecond',
]
KERNEL = "jupyterapp.shell.currentWidget.sessionContext.session.kernel"
WITHOUT_THREADS = f"() => {{ {KERNEL}.commsOverSubshells = 'disabled'; }}"
REST = """async ([method, path]) => {
    const token = /_xsrf=([^;]+)/.exec(document.cookie)[1];
    const answer = await fetch("/api/kernels/" + path, { method, headers: { "X-XSRFToken": token } });
    if (!answer.ok) throw new Error(answer.status);
}"""


@pytest.fixture(autouse=True)
def patience() -> Iterator[None]:
    """What is waited for comes from kernels that start and stop."""
    expect.set_options(timeout=PATIENCE)
    yield
    expect.set_options(timeout=5_000)


def run_cell(page: Page, index: int) -> None:
    """Run one cell, and do not wait for it."""
    page.evaluate(
        """(index) => {
            jupyterapp.shell.currentWidget.content.activeCellIndex = index;
            jupyterapp.commands.execute('notebook:run-cell');
        }""",
        index,
    )


def write_cell(page: Page, index: int, source: str) -> None:
    page.evaluate(
        """([index, source]) => {
            const { cells } = jupyterapp.shell.currentWidget.content.model;
            cells.get(index).sharedModel.setSource(source);
        }""",
        [index, source],
    )


def wait_for_kernel(page: Page) -> None:
    page.wait_for_function(f"() => {KERNEL}.status === 'idle'", timeout=PATIENCE)


def restart(page: Page) -> None:
    """As the button does, without its question."""
    page.evaluate(f"() => void {KERNEL}.restart()")


def kill(page: Page) -> None:
    os.kill(int(page.locator(".jp-OutputArea-output").first.inner_text()), signal.SIGKILL)
    page.locator(".jp-Dialog button").click(timeout=PATIENCE)


def restart_elsewhere(page: Page) -> None:
    page.evaluate(REST, ["POST", page.evaluate(f"() => {KERNEL}.id") + "/restart"])


class OnPage:
    """One widget on a page, and what it says about its kernel."""

    def __init__(self, page: Page, name: str, which: int = 0) -> None:
        self.page = page
        self.root: Locator = page.locator(f'[data-widget="{name}"]').nth(which)
        self.said = self.root.locator(".dm-kernel")

    def key(self, key: str) -> Locator:
        return self.root.locator(f'[data-key="{key}"]')

    def settle(self) -> None:
        expect(self.root.locator("css=:scope:not([data-pending])")).to_have_count(1)

    def docs(self, side: str = "A") -> list[str]:
        rows = self.root.locator(f'[data-list="{side}"] tr[data-doc]')
        return [str(doc) for doc in rows.evaluate_all("rows => rows.map((row) => row.dataset.doc)")]

    def text(self) -> str:
        self.key("copy-state").click()
        return self.root.locator(".dm-state").input_value()

    def numbers(self) -> list[str]:
        """Every number of the lab that only a kernel knows."""
        shown = self.root.locator("[data-score], .dm-label small, .dm-sum, .dm-sums td").all_inner_texts()
        told = self.root.locator(".dm-label").evaluate_all("all => all.map((label) => label.title)")
        return [text for text in shown if text] + [text for text in told if "earns" in text]


@pytest.mark.parametrize("stop", [restart, kill, restart_elsewhere])
def test_a_lab_says_that_its_kernel_has_stopped_and_keeps_its_lists(
    open_notebook: Open, stop: Callable[[Page], None]
) -> None:
    notebook = open_notebook(CELLS, run=False)
    page = notebook.page
    if stop is restart_elsewhere:
        # JupyterLab goes on writing to the thread of the old process that answered widgets.
        page.evaluate(WITHOUT_THREADS)
    notebook.run_all()
    lab, other = OnPage(page, "ranked-list-lab"), OnPage(page, "ranked-list-lab", 1)
    first = lab.text()
    doc = lab.docs()[0]
    lab.key(f"A|{doc}|down").click()
    lab.settle()
    assert lab.numbers()
    moved = lab.text()
    stop(page)

    expect(lab.said).to_have_text(SAID)
    expect(lab.said).to_have_role("alert")
    for key in ("preset", "best", "metric-name", "metric-add", "choose|ERR-IA@5"):
        expect(lab.key(key)).to_be_disabled()
        described = lab.key(key).get_attribute("aria-describedby")
        assert described == lab.said.get_attribute("id")
    for key in ("undo", "copy-state", "levels", f"A|{doc}|down", "drop|ERR-IA@5"):
        expect(lab.key(key)).to_be_enabled()
    assert lab.text() == moved  # measured, and still true of this page
    assert lab.numbers()

    lab.key(f"A|{doc}|down").click()
    expect(lab.root).to_have_attribute("data-pending", "")
    assert lab.docs()[2] == doc
    assert lab.numbers() == []
    assert not any(map(str.strip, lab.root.locator("[data-prefers]").all_inner_texts()))
    expect(lab.root.locator(".dm-verdict-box")).to_have_text("")
    lab.root.locator('[data-list="B"] button.dm-label').first.press("2")
    kept = lab.text()
    assert read_page(kept).lists["A"][2] == doc
    assert kept not in (first, moved)
    expect(other.said).to_have_text(SAID)

    wait_for_kernel(page)
    for cell in (1, 2):
        run_cell(page, cell)
        again = (lab, other)[cell - 1]
        expect(again.root).not_to_have_attribute("data-stopped", "", timeout=PATIENCE)
        again.settle()
        assert again.text() == first
    expect(other.key("take-back")).to_have_count(0)  # nobody has touched it
    lab.key("take-back").click()
    lab.settle()
    assert lab.text() == kept
    assert lab.numbers()
    expect(lab.key("take-back")).to_have_count(0)
    assert other.text() == first
    lab.key("undo").click()
    lab.settle()
    assert lab.text() == first


def test_lists_that_are_not_taken_back_are_offered_until_they_are_declined(open_notebook: Open) -> None:
    page = open_notebook(CELLS[:2]).page
    lab = OnPage(page, "ranked-list-lab")
    begun = lab.docs()
    lab.key(f"A|{begun[0]}|down").click()
    moved = lab.docs()
    for _ in range(2):
        restart(page)
        expect(lab.said).to_have_text(SAID, timeout=PATIENCE)
        wait_for_kernel(page)
        run_cell(page, 1)
        expect(lab.key("take-back")).to_be_visible(timeout=PATIENCE)
        assert lab.docs() == begun
    # Another topic in this cell: these lists do not belong to it.
    write_cell(page, 1, CELLS[1].replace("harry potter", "Yu et al. 2017, query 0053"))
    run_cell(page, 1)
    expect(lab.root.locator(".dm-title")).not_to_contain_text("harry")
    expect(lab.key("take-back")).to_have_count(0)
    write_cell(page, 1, CELLS[1])
    run_cell(page, 1)
    expect(lab.key("take-back")).to_be_visible()
    assert moved != begun
    lab.key("leave").click()
    expect(lab.key("take-back")).to_have_count(0)
    run_cell(page, 1)
    page.wait_for_function(f"() => {KERNEL}.status === 'idle'")
    expect(lab.key("undo")).to_have_attribute("aria-disabled", "true")
    expect(lab.key("take-back")).to_have_count(0)


EVERY = [
    "from divmetrics_widgets import *\nfrom divmetrics.datasets import harry_potter\n"
    'ranked = harry_potter().list("D", "0083")',
    'HierarchyLab("harry potter")',
    "MetricComposer()",
    "DisagreementFinder()",
    'PreferenceJudge(metrics=["S-recall@5", "ERR-IA@5"])',
    'ContributionsView("ERR-IA@5", ranked, metrics=["P-IA@5"])',
    'which = Predict("Which list?", ["A", "B"])\ncount = Predict("How many?", number=True)\n'
    "display(which, count)",
    'which.found("B", "For a reason.")',
]


def test_every_widget_says_that_its_kernel_has_stopped_and_gives_back_what_it_held(
    open_notebook: Open,
) -> None:
    page = open_notebook(EVERY, size=(1000, 1000)).page
    tree, composer, finder, judge, view, predict, number, found = widgets = [
        OnPage(page, "hierarchy-lab"),
        OnPage(page, "metric-composer"),
        OnPage(page, "disagreement-finder"),
        OnPage(page, "preference-judge"),
        OnPage(page, "contributions-view"),
        OnPage(page, "predict"),
        OnPage(page, "predict", 1),
        OnPage(page, "found"),
    ]
    for widget in widgets:
        expect(widget.said).to_have_text("")

    doc = tree.docs()[0]
    tree.key(f"A|{doc}|down").click()
    composer.key("w|part").select_option(label="Log2: 1/log2(k+1)")
    composer.settle()
    composed = composer.root.locator("[data-code]").text_content()
    finder.key("length").fill("2")
    finder.key("find-lists").click()
    finder.settle()
    answer = finder.root.locator(".dm-answer-title").inner_text()
    for key in ("1", "Enter", "3", "Enter"):
        judge.root.locator(".dm-desk").press(key)
    predict.root.get_by_label("A").click()
    number.root.get_by_role("textbox").fill("7")
    number.root.get_by_role("textbox").press("Enter")
    wait_for_kernel(page)
    # Asked now, and never answered.
    finder.key("length").fill("4")
    page.evaluate(
        f"""() => {{
            const click = (key) => document.querySelector(`[data-key="${{key}}"]`).click();
            {KERNEL}.statusChanged.emit = ((emit) => function (status) {{
                if (status === "restarting") click("find-lists");
                return emit.call(this, status);
            }})({KERNEL}.statusChanged.emit);
        }}"""
    )
    restart(page)

    expected = {
        tree: "; your list is kept",
        composer: "; your metric is kept",
        finder: "; your question is kept",
        judge: "; your answers are kept",
        view: "",
        predict: "; your answer is kept",
        number: "; your answer is kept",
        found: "",
    }
    for widget, kept in expected.items():
        words = f"The kernel has stopped{kept}: run the cell again."
        expect(widget.said).to_have_text(words, timeout=PATIENCE)
        expect(widget.root).not_to_have_attribute("data-pending", "")
    expect(finder.root.get_by_role("status")).to_have_text("the search has ended without an answer")
    for widget, keys in {
        tree: ("metric", "cutoff"),
        composer: ("start", "cutoff", "N|part", "f|part", "w|part", "M|part"),
        finder: ("m1", "m2", "pool", "length", "find-lists", "open-lab"),
        view: ("metric",),
    }.items():
        for key in keys:
            expect(widget.key(key)).to_be_disabled()
    expect(predict.root.get_by_label("B")).to_be_disabled()
    expect(number.root.get_by_role("textbox")).to_be_disabled()

    # What needs no kernel goes on.
    tree.key(f"A|{doc}|down").click()
    assert tree.docs()[2] == doc
    expect(tree.root.locator("[data-score]")).to_have_count(0)
    for key in ("2", "Enter"):
        judge.root.locator(".dm-desk").press(key)
    for _ in range(17):
        judge.key("skip").click()
    expect(judge.root).to_contain_text("Not compared: that needs the kernel.")

    wait_for_kernel(page)
    page.evaluate("() => void jupyterapp.commands.execute('notebook:run-all-cells')")
    for widget in widgets:
        expect(widget.root).not_to_have_attribute("data-stopped", "", timeout=PATIENCE)
        expect(widget.said).to_have_text("", timeout=PATIENCE)
    for widget in (tree, composer, finder, judge, predict, number):
        expect(widget.key("take-back")).to_be_visible(timeout=PATIENCE)
        widget.key("take-back").click()
        expect(widget.key("take-back")).to_have_count(0)
    assert tree.docs()[2] == doc
    expect(composer.root.locator("[data-code]")).to_have_text(composed or "")
    finder.settle()
    expect(finder.key("length")).to_have_value("4")
    expect(finder.root.locator(".dm-answer-title")).not_to_have_text(answer)
    expect(judge.root).to_contain_text("pair 2 of 10, question 2 of 2")
    expect(predict.root.get_by_label("A")).to_be_checked()
    expect(number.root.get_by_role("textbox")).to_have_value("7")
    expect(found.root).to_contain_text("You said A.")
    predict.key("not-back").click()
    expect(predict.root.get_by_label("A")).not_to_be_checked()
    expect(found.root).not_to_contain_text("You said")


@contextmanager
def no_connection(page: Page) -> Iterator[None]:
    """Inside, the connection to the kernel is lost, and no new one can be made."""
    page.evaluate(
        f"""() => {{
            window.settings = {KERNEL}.serverSettings;
            window.WebSockets = settings.WebSocket;
            settings.WebSocket = class {{
                constructor() {{ setTimeout(() => this.onclose({{ code: 3001 }})); }}
                close() {{}}
            }};
            {KERNEL}._ws.close(3001);
        }}"""
    )
    yield
    page.evaluate(f"() => {{ settings.WebSocket = WebSockets; {KERNEL}.reconnect(); }}")


def test_a_lost_connection_is_told_until_it_is_back(open_notebook: Open) -> None:
    notebook = open_notebook(CELLS[:2])
    page = notebook.page
    lab = OnPage(page, "ranked-list-lab")
    doc = lab.docs()[0]
    with no_connection(page):
        expect(lab.said).to_have_text(
            "The connection to the kernel is lost; your lists are kept. When it is back, the numbers follow."
        )
        expect(lab.key("preset")).to_be_disabled()
        lab.key(f"A|{doc}|down").click()
        assert lab.numbers() == []
    expect(lab.said).to_have_text("")
    expect(lab.key("preset")).to_be_enabled()
    lab.settle()
    assert lab.docs()[1] == doc
    assert lab.numbers()


def test_answers_given_without_a_connection_reach_the_kernel_when_it_is_back(open_notebook: Open) -> None:
    cells = [
        "from divmetrics_widgets import Predict, PreferenceJudge\njudge = PreferenceJudge()\njudge",
        'line = Predict("In one word?")\nline',
        'print("".join(answer[:1] for answer in judge.answers), line.answer)',
    ]
    notebook = open_notebook(cells)
    page = notebook.page
    judge, line = OnPage(page, "preference-judge"), OnPage(page, "predict")
    desk = judge.root.locator(".dm-desk")
    for key in ("1", "Enter"):
        desk.press(key)
    wait_for_kernel(page)
    with no_connection(page):
        # The connection has gone, and nothing says so yet.
        line.root.get_by_role("textbox").fill("novelty")
        line.root.get_by_role("textbox").press("Enter")
        for key in ("2", "Enter"):
            desk.press(key)
        expect(judge.said).to_contain_text("The connection to the kernel is lost")
        for key in ("3", "Enter"):
            desk.press(key)
    expect(judge.said).to_have_text("")
    heard = page.locator(".jp-OutputArea-output").last
    for _ in range(50):  # a widget sends its next message when it knows that the one before has arrived
        wait_for_kernel(page)
        run_cell(page, 2)
        page.wait_for_timeout(200)
        if heard.inner_text().startswith("lsr"):
            break
    expect(heard).to_have_text("lsr novelty\n")
    expect(judge.root).to_contain_text("pair 2 of 10, question 2 of 2")
    expect(line.root.get_by_role("textbox")).to_have_value("novelty")


WAIT = "import os, time\nwhile not os.path.exists('done'):\n    time.sleep(0.01)"


def test_a_busy_kernel_is_told_until_it_has_answered(open_notebook: Open) -> None:
    notebook = open_notebook([CELLS[1], WAIT], run=False)
    page = notebook.page
    # Newer kernels can answer a widget beside a running cell; this one shall not.
    page.evaluate(WITHOUT_THREADS)
    run_cell(page, 0)
    lab = OnPage(page, "ranked-list-lab")
    lab.root.wait_for(timeout=PATIENCE)
    doc = lab.docs()[0]
    run_cell(page, 1)
    page.wait_for_function(f"() => {KERNEL}.status === 'busy'")
    expect(lab.said).to_have_text("")  # nobody waits for it
    lab.key(f"A|{doc}|down").click()
    expect(lab.said).to_have_text("The kernel is busy with another cell; the numbers follow when it is done.")
    expect(lab.key("preset")).to_be_enabled()
    assert lab.docs()[1] == doc
    Path(notebook.server.folder, "done").touch()
    expect(lab.said).to_have_text("")
    lab.settle()
    assert lab.numbers()
