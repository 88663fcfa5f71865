"""Every metric is derived in one place, which the map of the course names; and each of the rules can fail."""

from __future__ import annotations

import pytest

from divmetrics.conventions.convention import conventions
from divmetrics.core.metric import BaseMetric
from divmetrics.core.parts import BestSoFar, Difference, GainRatio, Product, TotalWeight, UpperBound
from divmetrics.explanations.formulas import rows_with_roles
from divmetrics.registry.parse import metric, metrics
from tests.support.lessons import chapter, code, words
from tools.chapters import Chapter, chapters
from tools.derivations import complaints, derivations, rows, to_be_derived, unused, uses


def sections(*texts: tuple[str, list[str]]) -> list[Chapter]:
    """A lesson of sections: each a text, and what it says it derives."""
    cells = [words(text, **({"divmetrics": {"derives": names}} if names else {})) for text, names in texts]
    return [chapter("03_some", *cells)]


GOOD = sections(("## First, P-IA", ["P-IA"]), ("## Then", ["ERR", "-IS"]), ("ERR and ERR-IS", []))


def test_what_is_to_be_derived() -> None:
    assert {"P-IA", "D#-nDCG", "-IS", "AS_ERR"} <= set(to_be_derived())


def test_a_good_map() -> None:
    assert list(complaints(derivations(GOOD), ["P-IA", "ERR", "-IS"])) == []
    assert [row.split(" | ")[0] for derivation in derivations(GOOD) for row in rows(derivation)] == [
        "| [P‑IA](03_some.ipynb#First%2C-P-IA)",
        "| [ERR](03_some.ipynb#Then)",
        "| [all -IS](03_some.ipynb#Then)",
    ]


def test_every_metric_has_a_row_that_says_something() -> None:
    (derivation,) = derivations(sections(("## All", to_be_derived())))
    cells = [row.split(" | ") for row in rows(derivation)]
    assert len(cells) == len(to_be_derived())
    assert [row[0] for row in cells if len(row) != 4] == []
    assert [row[0] for row in cells if not all(cell.strip() for cell in row)] == []
    assert [row[0] for row in cells if row[2][0].islower() or not row[2].endswith(".")] == []
    assert [row[0] for row in cells if not row[3].startswith("<img ")] == []


def test_the_patience_of_nrbp_has_the_letter_of_the_lessons() -> None:
    (derivation,) = derivations(sections(("## NRBP", ["NRBP"])))
    assert [row.split(" | ")[1].split("<br>")[1] for row in rows(derivation)] == [r"$\phi^{k-1}$"]


@pytest.mark.parametrize(
    ("made", "complaint"),
    [
        (sections(("## P-IA", ["P-IA"])), "X is derived nowhere"),
        (sections(("## P-IA", ["P-IA"]), ("## X", ["X", "P-IA"])), "P-IA is derived 2 times, expected once"),
        (sections(("## P-IA, Y", ["P-IA", "Y"])), "Y is no metric of the tables"),
        (
            sections(("## P-IA", ["P-IA", "X"]), ("## Later", []), ("X", [])),
            "03_some: the section 'P-IA' never names X",
        ),
    ],
)
def test_a_bad_map(made: list[Chapter], complaint: str) -> None:
    assert complaint in list(complaints(derivations(made), ["P-IA", "X"]))


def test_a_derivation_needs_a_heading() -> None:
    with pytest.raises(SystemExit, match="cell 2 derives X but does not begin with a heading"):
        list(derivations(sections(("X at last", ["X"]))))


@pytest.mark.parametrize(
    ("source", "parts_used"),
    [
        ('dm.metric("ERR-IA@5")', {"ERR-IA"}),
        ('ReaderWalk(f"RBP(phi={phi})@4", L, metrics=["Q@3"])', {"RBP", "Q"}),
        ('names = "P-IA D#-nDCG 47.5 nDCG-IS".split()', {"P-IA", "D#-nDCG", "-IS"}),
        ("%diveval A B -m ERR-IA@5,NRBP", {"ERR-IA", "NRBP"}),
        ('!divmetrics evaluate a.qrels -m "P+Q@3" -m RR', {"P+Q", "RR"}),
        ('score_pages(pages, "AS_DCG")', {"AS_DCG"}),
        ('RR = Predict("Is ERR above AP?")  # NRBP', set()),
        ("%%metric NRBP\nM = 1", set()),
    ],
)
def test_what_code_uses(source: str, parts_used: set[str]) -> None:
    assert uses(chapter("03_some", words("It has P-IA and RBU."), code(source))) == parts_used


def test_a_metric_that_only_its_lesson_uses() -> None:
    home = chapter("03_some", words("## P-IA", divmetrics={"derives": ["P-IA"]}), code('["P-IA", "RR"]'))
    assert list(unused([home], ["P-IA"])) == ["P-IA is used in no notebook but where it is derived"]
    assert list(unused([home, chapter("04_more", code('"P-IA@3"'))], ["P-IA"])) == []
    assert list(unused([home], ["RR"])) == []  # derived by nobody: another rule says so


def parts(row: BaseMetric) -> set[type]:
    """The kinds of parts that a metric's M, w and N are made of."""
    types: set[type] = set()
    todo = [part for _, one in rows_with_roles(row) for part in (one.M, one.w, one.N)]
    while todo:
        part = todo.pop()
        if isinstance(part, Product | Difference):
            todo += [part.first, part.second]
        else:
            types |= {type(part), *(type(inner) for inner in vars(part).values() if hasattr(inner, "latex"))}
    return types


def test_rows_of_other_programs_are_made_of_what_the_lessons_derive() -> None:
    """With what lesson 16 adds, so that none of them needs a derivation of its own.

    Scores of nuggets divide lesson 23's best page by the worth of all nuggets, of lesson 24.
    """
    derived = set().union(*(parts(metric(name)) for name in metrics()))
    (names_of_programs,) = [
        lesson for lesson in chapters() if lesson.name == "16_the_same_name_three_formulas"
    ]
    text = "\n".join(str(cell.source) for cell in names_of_programs.notebook.cells)
    assert all(f"{program}:" in text for program in ("ndeval", "ntcireval"))
    for table in conventions().values():
        for row in table.rows.values():
            added = {BestSoFar, TotalWeight} if table.of_nuggets else {GainRatio, UpperBound}
            assert parts(row) <= derived | added, row.name
