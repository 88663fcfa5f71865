"""Every metric is derived in one place, which the map of the course names; and each of the rules can fail."""

from __future__ import annotations

import pytest

from tests.support.lessons import chapter, words
from tools.chapters import Chapter
from tools.derivations import complaints, derivations, rows, to_be_derived


def sections(*texts: tuple[str, list[str]]) -> list[Chapter]:
    """A lesson of sections: each a text, and what it says it derives."""
    cells = [words(text, **({"divmetrics": {"derives": names}} if names else {})) for text, names in texts]
    return [chapter("03_some", *cells)]


GOOD = sections(("## First, P-IA", ["P-IA"]), ("## Then", ["ERR", "-IS"]), ("ERR and ERR-IS", []))


def test_what_is_to_be_derived() -> None:
    assert {"P-IA", "D#-nDCG", "-IS"} <= set(to_be_derived())


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
    assert all(
        said.strip(" |").endswith(".") and said[0].isupper() for *_, said in cells if said[0].isalpha()
    )
    assert [row[0] for row in cells if len(row) != 4] == []


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
