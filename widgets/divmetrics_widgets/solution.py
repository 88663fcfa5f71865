"""Solution: an exercise's solution, which is run like any other code and shown closed."""

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
    """Code in a file beside the notebook: run here, shown with its results, and closed until it is opened.

    Code in a cell stands open wherever JupyterLab does not hide it, in exports for one; `<details>` in an
    output is closed there, too. The code may use every name of the notebook, and binds none.

    Parameters
    ----------
    path : the file, from the notebook's folder; its first line is a comment, the title

    Raises DivmetricsError where the file cannot be read or has no title, or there is no notebook; and what
    the code raises.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        shell = get_ipython()
        if shell is None:
            raise DivmetricsError(f"solution {path} uses the names of a notebook: run it in one")
        folder = shell.starting_dir  # the notebook's, wherever a cell has gone since
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
        with capture_output(stderr=False) as captured:  # warnings are for everybody
            _run(source, self._path, dict(shell.user_ns))
        self._printed: str = captured.stdout
        self._shown: list[RichOutput] = captured.outputs

    def __repr__(self) -> str:
        return f"{self._title}: closed; it is in {self._path}"

    def _repr_html_(self) -> str:
        shown = (mimebundle_to_html(output.data, output.metadata) for output in self._shown)
        results = "".join([printed(self._printed), *shown])
        code = f"<pre><code>{escape(self._code.strip())}</code></pre>"
        return closed(self._title, f"{code}<hr>{results}" if results else code)


def _run(source: str, path: str, names: dict[str, Any]) -> None:
    """Run code as a cell does: the value of its last line is displayed."""
    tree = ast.parse(source, path)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, path, "exec"), names)
    if isinstance(last, ast.Expr):
        value = eval(compile(ast.Expression(last.value), path, "eval"), names)
        if value is not None:
            display(value)
