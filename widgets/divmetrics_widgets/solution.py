"""Solution: the solution of an exercise, run like any other code and folded away."""

from __future__ import annotations

import ast
import os
from html import escape
from pathlib import Path
from typing import Any

from IPython import get_ipython
from IPython.display import display
from IPython.utils.capture import RichOutput, capture_output

from divmetrics.errors import DivmetricsError
from divmetrics_widgets.closed import closed
from divmetrics_widgets.stills import mimebundle_to_html, printed


class Solution:
    """Code in a file beside the notebook, run here and folded with its results until it is opened.

    A code cell is visible wherever JupyterLab does not hide it, for example in exports; `<details>` in an
    output is folded there, too. The code may use every name of the notebook, and defines none in it; what it
    prints and displays is folded with it.

    Parameters
    ----------
    path : str or path
        The file, relative to the notebook's folder; its first line is the title, a comment after "# ".

    Raises
    ------
    DivmetricsError
        If the file cannot be read or has no title, or outside a notebook.
    Exception
        Whatever the code raises.

    Examples
    --------
    >>> Solution("solutions/01.py")  # doctest: +SKIP
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        shell = get_ipython()
        if shell is None:
            raise DivmetricsError(f"solution {path} uses the names of a notebook: run it in one")
        folder = shell.starting_dir  # the notebook's folder, even after os.chdir
        try:
            source = Path(folder, path).read_text(encoding="utf-8")
        except OSError as error:
            raise DivmetricsError(
                f"solution {path} cannot be read in {folder} ({error.strerror}): it comes with the "
                "notebook, keep them together"
            ) from None
        first, _, self._code = source.partition("\n")
        if not first.startswith("# "):
            raise DivmetricsError(
                f"solution {path} begins with {first!r}, expected its title, such as '# Solution 1'"
            )
        self._path, self._title = os.fspath(path), first.removeprefix("# ")
        with capture_output(stderr=False) as captured:  # warnings stay visible
            _run(source, self._path, dict(shell.user_ns))
        self._printed: str = captured.stdout
        self._outputs: list[RichOutput] = captured.outputs

    def __repr__(self) -> str:
        return f"{self._title}: closed; it is in {self._path}"

    def _repr_html_(self) -> str:
        outputs = (mimebundle_to_html(output.data, output.metadata) for output in self._outputs)
        results = "".join([printed(self._printed), *outputs])
        code = f"<pre><code>{escape(self._code.strip())}</code></pre>"
        return closed(self._title, f"{code}<hr>{results}" if results else code)


def _run(source: str, path: str, names: dict[str, Any]) -> None:
    """Run code like a cell: display the value of its last line."""
    tree = ast.parse(source, path)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, path, "exec"), names)
    if isinstance(last, ast.Expr):
        value = eval(compile(ast.Expression(last.value), path, "eval"), names)
        if value is not None:
            display(value)
