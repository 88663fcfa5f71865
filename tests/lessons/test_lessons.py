"""Every lesson keeps to what makes it a lesson, and every rule can fail."""

from __future__ import annotations

from pathlib import Path

import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_notebook

from tests.support.lessons import code, lesson, said, words
from tools import lessons
from tools.lessons import RULES, Length, Rule, lesson_and_exercises
from tools.notebook_files import generated_cell, read, reading_order

LESSON, TUTORIAL, APPENDIX = Path("07_x.ipynb"), Path("00_x.ipynb"), Path("A_x.ipynb")


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
@pytest.mark.parametrize("path", reading_order(), ids=lambda path: path.stem)
def test_lesson(path: Path, rule: Rule) -> None:
    complaints = list(rule(path, read(path)))
    assert not complaints, "\n".join(["", *complaints])


# From here on: lessons made for the purpose.

IDEAL = "[ideal lists](notation_and_glossary.ipynb#ideal-list)"


def without_first_cell(*cells: NotebookNode, **changed: object) -> NotebookNode:
    """A lesson whose title links no term."""
    made = lesson(*cells, **changed)
    made.cells[0].source = "# A title"
    return made


def with_exercises(*cells: NotebookNode) -> NotebookNode:
    """A lesson with more cells among its exercises."""
    made = lesson(words("w"), code("y\n" * 10))
    made.cells[-1:-1] = list(cells)
    return made


GOOD = {
    "plain": (LESSON, lesson()),
    "as long as may be": (
        LESSON,
        lesson(
            *[words("w " * 10) for _ in range(17)],
            *[code("x\n" * 10) for _ in range(10)],
            generated_cell("head", "w " * 5000),
        ),
    ),
    "folded code": (LESSON, lesson(code("x\n" * 20, jupyter={"source_hidden": True}))),
    "the tutorial": (TUTORIAL, lesson(*[code("x", "<ReaderWalk()>") for _ in range(17)])),
    "a long appendix": (
        APPENDIX,
        new_notebook(
            cells=[words("# A title"), words("w " * 5000), code("x\n" * 20)],
            metadata={"divmetrics": {"lesson": said(terms={})}},
        ),
    ),
    "code as long in an exercise": (LESSON, with_exercises(code("x\n" * 20))),
    "a term after a heading with it": (
        LESSON,
        without_first_cell(words(f"## Ideal lists\n\nAll {IDEAL} are ideal lists."), words("An ideal list.")),
    ),
    "a term in code, in a formula, in a longer term": (
        LESSON,
        without_first_cell(
            words("`ideal list` $ideal\\ list$ <a title='ideal list'>x</a>"),
            words(f"[greedy ideal list](notation_and_glossary.ipynb#greedy-ideal-list) and {IDEAL}"),
            terms={"ideal list": "Best.", "greedy ideal list": "Nearly."},
        ),
    ),
    "pictures with words": (LESSON, lesson(words("![A list](a.png) <img src='a.png' alt='A list'>"))),
}

LONG = {
    "31 cells, at most 30": lesson(*[words("w") for _ in range(29)]),
    "1303 words, at most 1300": lesson(words("w " * 1292)),
    "32 minutes, at most 30": lesson(
        *[code("x", "<RankedListLab()>") for _ in range(12)], code("x"), code("x")
    ),
    "7 new terms, at most 6": lesson(terms={f"t{n}": "It is." for n in range(7)}),
    "cell 2 has 11 lines that a reader sees, at most 10": lesson(code("x\n" * 11)),
    "17 minutes of exercises, at most 15": with_exercises(*[code("x") for _ in range(16)]),
}

BAD: dict[str, list[tuple[Path, NotebookNode, str]]] = {
    "described": [
        (LESSON, new_notebook(), "the metadata have no divmetrics.lesson"),
        (LESSON, new_notebook(metadata={"divmetrics": {"lesson": {}}}), "lack 'question'"),
        (LESSON, lesson(question="Which list is better"), "does not end with a question mark"),
        (LESSON, lesson(takeaways=["One."]), "1 takeaways, expected 3"),
        (LESSON, lesson(takeaways=["One.", "Two.", "three"]), "'takeaway 3' is no sentence: 'three'"),
        (LESSON, lesson(terms={"intent": "a meaning"}), "'intent' is no sentence: 'a meaning'"),
        (LESSON, lesson(symbols={"$w$": "weight"}), "the symbol '$w$' has dollars"),
        (LESSON, lesson(sources=["me1999"]), "unknown source 'me1999'"),
        (APPENDIX, lesson(takeaways=[]), "0 takeaways"),
    ],
    "too_long": [
        *((LESSON, made, complaint) for complaint, made in LONG.items()),
        (TUTORIAL, lesson(code("x\n" * 7)), "cell 2 has 7 lines that a reader sees, at most 6"),
        (TUTORIAL, lesson(*[code("x", "<ReaderWalk()>") for _ in range(19)]), "48 minutes, at most 45"),
    ],
    "in_parts": [
        (LESSON, new_notebook(cells=[code("x")]), "the first cell does not begin with the title"),
        (LESSON, new_notebook(), "the first cell does not begin with the title"),
        (LESSON, lesson(words("## Sources\n\n- Me")), "'## Sources' in it, which is made"),
        (LESSON, lesson(words("So.\n\n## Summary")), "does not begin its cell"),
        (LESSON, lesson(words("## Summary")), "2 headings '## Summary', expected one"),
        (LESSON, new_notebook(cells=[words("# T")]), "0 headings '## Exercises', expected one"),
        (LESSON, new_notebook(cells=[words("# T"), words("## Exercises\n\n### 1. A ★★")]), "of 1 stars"),
        (LESSON, new_notebook(cells=[words("# T"), words("## Exercises\n\n### 1. A ★★")]), "of 3 stars"),
    ],
    "terms_linked": [
        (LESSON, without_first_cell(), "'ideal list' is never linked, expected [ideal list](notation_and"),
        (
            LESSON,
            without_first_cell(words("The Ideal\nlist."), words(IDEAL)),
            "cell 2 says 'ideal list' before",
        ),
        (
            LESSON,
            without_first_cell(words(f"Ideal lists, {IDEAL}")),
            "cell 2 says 'ideal list' before cell 2",
        ),
        (LESSON, without_first_cell(words("[an ideal list](a.html)"), words(IDEAL)), "cell 2 says"),
        (LESSON, without_first_cell(words("[x](notation_and_glossary.ipynb#Ideal-list)")), "never linked"),
        (LESSON, without_first_cell(generated_cell("head", IDEAL)), "never linked"),
    ],
    "claims_tried": [
        (LESSON, lesson(takeaways=["One is."]), "the conclusion 'One is.' does not end with"),
        (LESSON, lesson(words("Both. <!-- claim: two -->")), "no cell has the claim 'two'"),
    ],
    "pictures_described": [
        (LESSON, lesson(words("![](a.png)")), "cell 2 shows a.png without words in its place"),
        (LESSON, lesson(words("[![ ](a.png)](b.ipynb)")), "cell 2 shows a.png without"),
        (LESSON, lesson(words("<img src='a.png'>")), "cell 2 shows <img src='a.png'> without"),
        (LESSON, lesson(words("<img alt='' src='a.png'>")), "without words in its place"),
    ],
}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
@pytest.mark.parametrize("name", GOOD)
def test_a_good_lesson_passes(name: str, rule: Rule) -> None:
    assert list(rule(*GOOD[name])) == []


@pytest.mark.parametrize(
    ("name", "path", "bad", "complaint"), [(name, *cells) for name, bads in BAD.items() for cells in bads]
)
def test_a_bad_lesson_fails(name: str, path: Path, bad: NotebookNode, complaint: str) -> None:
    rule: Rule = getattr(lessons, name)
    assert complaint in "\n".join(rule(path, bad))


def test_every_lesson_rule_has_a_failing_case() -> None:
    assert set(BAD) == {rule.__name__ for rule in RULES}


def test_the_limits_of_a_lesson_are_not_those_of_an_appendix() -> None:
    for made in LONG.values():
        assert list(lessons.too_long(APPENDIX, made)) == []


def test_exercise_cells_do_not_count_as_lesson_cells() -> None:
    """Also where a cell of the lesson holds the same."""
    made = with_exercises(code("y\n" * 11))
    made.cells[2].source = made.cells[-2].source
    assert list(lessons.too_long(LESSON, made)) == ["cell 3 has 11 lines that a reader sees, at most 10"]


def test_reading_time_of_cells_and_pictures() -> None:
    counted = Length.of([words("w " * 300), code("x"), code("x", "<ReaderWalk()>", "a table")])
    assert (counted.cells, counted.words, counted.minutes) == (3, 300, 2 + 2 + 1.5)
    folded = code("x", "<ReaderWalk()>", jupyter={"source_hidden": True})
    assert Length.of([folded]).minutes == 1.5
    assert Length.of([words("[w](https://example.org/a_b) <b>w</b>")]).words == 2


def test_exercises_end_where_the_summary_begins() -> None:
    body, exercises = lesson_and_exercises(lesson(words("Body.")))
    assert [cell.source[:10] for cell in body] == ["# A title\n", "Body.", "## Summary"]
    assert [cell.cell_type for cell in exercises] == ["markdown", "code"]
