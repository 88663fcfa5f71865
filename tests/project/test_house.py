"""The rules of the house: what may lean on what. Every import is read, those inside functions, too.

A rule that is broken names itself: the map in CONTRIBUTING.md says the same in words.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from graphlib import CycleError, TopologicalSorter

import pytest

from tests.support.places import ROOT

FOLDERS = (ROOT / "divmetrics", ROOT / "widgets" / "divmetrics_widgets")
# From the ground up: what stands in a row may lean on the rows before it, on nothing beside or above it.
STOREYS = (
    ("errors", "process", "threads"),
    ("core", "extras", "progress", "saving"),
    ("readers", "sheet", "shown", "tables"),
    ("loading", "names"),
    ("blocks", "evaluation", "explanations"),
    ("datasets", "disagreements", "flips", "formats", "meta", "reported"),
    ("charts", "comparison", "relevance_evaluator", "reproduce", "written"),
    ("divmetrics", "ir_measures", "parts"),
    ("cli", "divmetrics_widgets"),
    ("__main__", "magics"),
)

Imports = dict[str, set[str]]


def sources() -> dict[str, str]:
    """The text of every module, by its dotted name."""
    found = {}
    for folder in FOLDERS:
        for path in sorted(folder.rglob("*.py")):
            inside = path.relative_to(folder).with_suffix("").parts
            name = ".".join((folder.name, *inside)).removesuffix(".__init__")
            found[name] = path.read_text(encoding="utf-8")
    return found


def imports(texts: Mapping[str, str]) -> Imports:
    """What every module imports of ours, wherever in it."""
    return {name: set(asked(text, texts)) & set(texts) for name, text in texts.items()}


def asked(text: str, known: Mapping[str, str]) -> list[str]:
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "a relative import"
            assert node.module
            parts = [f"{node.module}.{alias.name}" for alias in node.names]
            found += [part if part in known else node.module for part in parts]
    return found


def unit(module: str) -> str:
    """The folder or single file of the house that a module belongs to."""
    package, _, inside = module.partition(".")
    return package if package != "divmetrics" or not inside else inside.split(".")[0]


def broken(found: Imports) -> list[str]:
    """Each import that breaks a rule, with the rule."""
    storey = {name: height for height, row in enumerate(STOREYS) for name in row}
    said = []
    for module, others in found.items():
        for other in sorted(others):
            upper, lower = unit(module), unit(other)
            if upper == lower:
                continue
            if upper == "core" and lower != "errors":
                said.append(f"{module} imports {other}: the core leans on errors alone")
            elif storey[lower] >= storey[upper]:
                said.append(f"{module} imports {other}: {lower} does not stand below {upper}")
    try:
        TopologicalSorter(found).prepare()
    except CycleError as error:
        said.append(f"modules import each other in a circle: {' -> '.join(error.args[1])}")
    return said


def rows_of_the_map(page: str) -> dict[str, int]:
    """The units that the map in CONTRIBUTING.md names, each with its row."""
    rows = [line.split("|")[1] for line in page.splitlines() if line.startswith("| `")]
    named = {name: row for row, cell in enumerate(rows) for name in re.findall(r"`([^`]+)`", cell)}
    return {re.sub(r"^(divmetrics|widgets)/|\.py$|/$", "", name): row for name, row in named.items()}


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    return sources()


def test_every_part_of_the_house_has_its_storey(texts: dict[str, str]) -> None:
    assert sorted(name for row in STOREYS for name in row) == sorted({unit(module) for module in texts})


def test_nothing_leans_on_what_stands_beside_or_above_it(texts: dict[str, str]) -> None:
    assert broken(imports(texts)) == []


def test_the_map_shows_the_house_from_the_ground_up(texts: dict[str, str]) -> None:
    rows = rows_of_the_map((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"))
    found = imports(texts)
    assert {unit(module) for module in texts} - set(rows) == {"divmetrics", "__main__"}
    pairs = {(unit(a), unit(b)) for a, others in found.items() for b in others}
    assert [(a, b) for a, b in pairs if a in rows and b in rows and rows[b] > rows[a]] == []


def test_what_is_installed_leans_on_nothing_that_is_not(texts: dict[str, str]) -> None:
    """Assignments and their grader, the tools and the tests stand beside it."""
    beside = {"course", "tools", "tests", "benchmarks"}
    found = []
    for name, text in texts.items():
        for node in ast.walk(ast.parse(text)):
            asked_for = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            asked_for += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            found += [f"{name} imports {each}" for each in asked_for if each.partition(".")[0] in beside]
    assert found == []


@pytest.mark.parametrize(
    ("module", "line", "rule"),
    [
        ("core.ties", "def f():\n    from divmetrics.tables import paper\n", "leans on errors alone"),
        ("core.history", "from divmetrics.core import metric\n", "in a circle"),
        ("readers.trec", "import divmetrics.evaluation\n", "evaluation does not stand below readers"),
        ("names.plugins", "def f():\n    from divmetrics.names import registered\n", "in a circle"),
        ("charts.figure", "import divmetrics as dm\n", "divmetrics does not stand below charts"),
    ],
)
def test_an_import_that_breaks_a_rule_is_named(
    texts: dict[str, str], module: str, line: str, rule: str
) -> None:
    name = f"divmetrics.{module}"
    with_it = {**texts, name: f"{texts[name]}\n{line}"}
    assert any(rule in said for said in broken(imports(with_it)))
