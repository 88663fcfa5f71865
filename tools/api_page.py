"""API.md, the page of all public names, written from the packages; and who uses names that are not public.

python -m tools.api_page
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

from IPython.core.inputtransformer2 import TransformerManager

import divmetrics.adapters.ir_measures
from divmetrics.adapters.ir_measures.measures import LIST_PARAMETERS, Measure
from divmetrics.atomic_files import save
from divmetrics.conventions.convention import conventions
from tools.notebook_files import FOLDER, all_notebooks, read
from tools.readme import GUIDES

ROOT = FOLDER.parent
PAGE = ROOT / "API.md"
PACKAGES = (
    "divmetrics", "divmetrics.core", "divmetrics.parts", "divmetrics.registry", "divmetrics.conventions",
    "divmetrics.aggregated",
    "divmetrics.explanations", "divmetrics.research", "divmetrics.research.datasets",
    "divmetrics.research.meta", "divmetrics.research.report", "divmetrics.research.counterfactual",
    "divmetrics.research.disagreements",
    "divmetrics.research.papers", "divmetrics.research.papers.preferences",
    "divmetrics.research.papers.sakaizeng2019",
    "divmetrics.notebook", "divmetrics.notebook.charts", "divmetrics.notebook.expressions",
    "divmetrics.adapters.ir_measures",
    "divmetrics_widgets",
)  # fmt: skip
HEAD = """# Public names

These are the names that `help(divmetrics)` shows, that notebooks, README and examples use, and that stay
where they are. Everything else may move. Written by `make readme`.
"""
MEASURES_HEAD = """What each metric is called in ir_measures, a table for each convention. The intent-square
form that each has (`-IS`) is written `_IS`: `ERR_IS`, `Dsharp_nDCG_IS`. Every measure has `cutoff`, `rel`,
`judged_only` and `scale`, too. In `divmetrics.adapters.ir_measures`, the names `paper_...` of the first table
work without the prefix, too.
"""


def public() -> dict[str, list[str]]:
    """Return the public names of each package."""
    return {name: list(import_module(name).__all__) for name in PACKAGES}


def page() -> str:
    return "\n".join([HEAD, *(line for package in PACKAGES for line in section(import_module(package)))])


def section(package: ModuleType) -> Iterator[str]:
    """Yield the lines for one package: its heading, its first sentence, and a line for each name."""
    yield f"## {package.__name__}\n"
    yield f"{first_sentence(package)}\n"
    for name in package.__all__:
        thing = getattr(package, name)
        if not name.startswith("__") and not isinstance(thing, Measure):
            summary = first_sentence(thing) if callable(thing) or inspect.ismodule(thing) else comment(name)
            yield f"- `{name}{parameters(thing)}`: {summary}"
    yield ""
    if package is divmetrics.adapters.ir_measures:
        yield from measures()


def measures() -> Iterator[str]:
    """Yield the lines of a table for each convention with the names of our metrics in ir_measures."""
    yield MEASURES_HEAD
    for name, convention in conventions().items():
        yield f"| {name} | `ir_measures` | parameters |\n|---|---|---|"
        for row in convention.rows:
            measure = divmetrics.adapters.ir_measures.measure(row, name)
            own = [key for key in measure.SUPPORTED_PARAMS if key not in LIST_PARAMETERS]
            yield f"| {row} | `{measure}` | {', '.join(own)} |"
        yield ""


def parameters(thing: object) -> str:
    """Return `(a, b=...)` for a callable; annotations and defaults are in help()."""
    if not callable(thing):
        return ""
    names = [
        f"*{name}" if p.kind is p.VAR_POSITIONAL else f"**{name}" if p.kind is p.VAR_KEYWORD else name
        for name, p in inspect.signature(thing).parameters.items()
    ]
    return f"({', '.join(names)})"


def first_sentence(thing: object) -> str:
    """Return the first sentence of a docstring."""
    paragraph = (inspect.getdoc(thing) or "").split("\n\n")[0]
    sentence = re.split(r"\.\s+(?=[A-Z`])", " ".join(paragraph.split()), maxsplit=1)[0]
    return sentence if sentence.endswith(("?", ".")) else f"{sentence}."


def comment(name: str) -> str:
    """Return the first line of the comment above a value, which has no docstring of its own."""
    above = re.compile(rf"(?:^|(?<=\n\n))# (.+\.)\n(?:# .*\n)*{name}\b[^=\n]*= ", re.MULTILINE)
    files = sorted((ROOT / "divmetrics").rglob("*.py"))
    return next(match[1] for file in files if (match := above.search(file.read_text(encoding="utf-8"))))


def code_of_readers(root: Path = ROOT) -> Iterator[tuple[str, str]]:
    """Yield (where, code) of every notebook, solution, example and Python block in the pages at the top."""
    for notebook in all_notebooks(root / "notebooks"):
        for number, cell in enumerate(read(notebook).cells):
            if cell.cell_type == "code":
                yield f"{notebook.name}, cell {number}", TransformerManager().transform_cell(cell.source)
    for file in sorted(root.glob("notebooks/solutions/*.py")) + sorted(root.glob("examples/**/*.py")):
        yield str(file.relative_to(root)), file.read_text(encoding="utf-8")
    for name in ("README.md", "CONTRIBUTING.md", *GUIDES):
        text = (root / name).read_text(encoding="utf-8")
        for block in re.findall(r"^```python\n(.*?)^```$", text, flags=re.DOTALL | re.MULTILINE):
            yield name, block


def not_public(code: str) -> Iterator[str]:
    """Yield each name of ours that the code takes from a place where it is not public."""
    names = public()
    modules = {"dm": "divmetrics"}
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.ImportFrom) and _ours(node.module):
            for alias in node.names:
                whole = _canonical(f"{node.module}.{alias.name}")
                if alias.name not in names.get(str(node.module), ()) and whole not in names:
                    yield whole
                elif whole in names:
                    modules[alias.asname or alias.name] = whole
        elif isinstance(node, ast.Import):
            modules |= {a.asname or a.name: a.name for a in node.names if _ours(a.name)}
            yield from (alias.name for alias in node.names if _ours(alias.name) and alias.name not in names)
        elif isinstance(node, ast.Attribute):
            home = modules.get(_dotted(node.value), _dotted(node.value))
            home = _canonical(home.replace("dm.", "divmetrics.", 1) if home.startswith("dm.") else home)
            if home in names and node.attr not in names[home] and f"{home}.{node.attr}" not in names:
                yield f"{home}.{node.attr}"


def _canonical(name: str) -> str:
    """Return the module that a short name stands for: `divmetrics.research.meta` for `divmetrics.meta`."""
    package, _, short = name.rpartition(".")
    module = getattr(import_module(package), short, None) if package == "divmetrics" else None
    return module.__name__ if inspect.ismodule(module) else name


def _ours(module: str | None) -> bool:
    """Return whether a module is the library's; what the lessons keep beside them is theirs."""
    if str(module).startswith("divmetrics_widgets.lessons"):
        return False
    return str(module).partition(".")[0] in ("divmetrics", "divmetrics_widgets")


def _dotted(node: ast.expr) -> str:
    return ast.unparse(node) if isinstance(node, (ast.Name, ast.Attribute)) else ""


if __name__ == "__main__":
    save(PAGE, page())
