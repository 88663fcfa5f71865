"""Move solutions from cells, which many pages show open, into files that a cell shows closed.

    python -m tools.close_solutions [NOTEBOOK ...]

Without names: all of them. A solution is written, and tried, as code in a cell with the tag `solution`; it
begins with a comment, its title, such as `# Solution 1` or `# 1.` and a sentence. It goes into a file in the
folder `solutions` beside the notebook, and its cell becomes a call of `divmetrics_widgets.Solution`. Cells
that are such calls already stay as they are.
"""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

from nbformat import NotebookNode

from tools.notebook_files import all_notebooks, number, read, tags, write

FOLDER = "solutions"


def solution_file(source: str) -> str | None:
    """Return the file that a cell of a solution shows, or None if the cell does anything else as well."""
    try:
        body = ast.parse(source).body
    except SyntaxError:
        return None
    match body:
        case [
            ast.ImportFrom(module="divmetrics_widgets", names=[ast.alias(name="Solution", asname=None)]),
            ast.Expr(ast.Call(ast.Name("Solution"), [ast.Constant(str(path))], [])),
        ]:
            return path
    return None


def closed(notebook: NotebookNode, path: Path) -> dict[Path, str]:
    """Close the solutions in the notebook at that path; return their files with the code."""
    files: dict[Path, str] = {}
    for cell in notebook.cells:
        if "solution" in tags(cell) and solution_file(cell.source) is None:
            code = _titled(cell.source)
            title = code.partition("\n")[0].removeprefix("# Solution ")
            words = re.sub(r"\W+", "_", title).strip("_").lower()
            name = f"{FOLDER}/{number(path)}_{words}.py"
            if path.parent / name in files:
                raise SystemExit(f"{path}: two solutions begin with {title!r}; give each a title of its own")
            files[path.parent / name] = code
            cell.source = f'from divmetrics_widgets import Solution\n\nSolution("{name}")'
            cell.metadata["jupyter"] = {"source_hidden": True}
    return files


def _titled(code: str) -> str:
    """Return the code with its title in the first line, and the comment below it without indent."""
    lines = code.splitlines()
    end = next((n for n, line in enumerate(lines) if not line.startswith("#")), len(lines))
    head = "\n".join(re.sub(r"^#[ \t]+", "# ", line) for line in lines[:end])
    return "\n".join([re.sub(r"^# (\d+)\. ", r"# Solution \1\n# ", head), *lines[end:], ""])


def main(names: list[str]) -> None:
    for path in [Path(name) for name in names] or all_notebooks():
        notebook = read(path)
        files = closed(notebook, path)
        for file, code in files.items():
            file.parent.mkdir(exist_ok=True)
            file.write_text(code, encoding="utf-8", newline="\n")
        if files:
            write(notebook, path)
            print(f"{path}: {len(files)} solutions moved; run it again")


if __name__ == "__main__":
    main(sys.argv[1:])
