"""Metadata of a lesson, its reading time, and the rules for one lesson.

    python -m tools.lessons [NOTEBOOK ...]     # minutes, cells, words of each, and which rules it breaks

A notebook's metadata hold `{"divmetrics": {"lesson": {...}}}` with what the class Lesson names. Its head, the
map of the course, the glossary and the bibliography are made from that. RULES has one function per rule; what
must hold between lessons is in tools/course_rules.py.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from nbformat import NotebookNode

from divmetrics.explanations import REFERENCES
from tools.claims import broken_claims, without_claim
from tools.markdown_text import HEADING, LINK, TAG, anchor, anchored, headings, links, without_code
from tools.notebook_files import GLOSSARY, folded, is_generated, number, read, reading_order

Rule = Callable[[Path, NotebookNode], Iterator[str]]

WORDS_A_MINUTE, MINUTES_A_CELL, MINUTES_A_FIGURE = 150, 1.0, 1.5
CELLS, WORDS, LINES, TERMS, TAKEAWAYS = 30, 1300, 10, 6, 3
TUTORIAL, TUTORIAL_LINES, TUTORIAL_MINUTES, MINUTES, EXERCISE_MINUTES = "00", 6, 45, 30, 15
STARS = ("★", "★★", "★★★")
WIDGET = re.compile(
    r"<(?:\w+Lab|ReaderWalk|MetricComposer|ContributionsView|DisagreementFinder|PreferenceJudge)\b"
)


@dataclass(frozen=True)
class Lesson:
    """The metadata of a lesson.

    question: the question that the lesson answers, in the reader's words.
    takeaways: three sentences to remember, each with its claim (tools/claims.py).
    builds_on: names, without .ipynb, of the lessons that it builds on.
    terms: new terms, at most six, each with its definition in one sentence.
    symbols: the meaning of each new symbol, by its LaTeX without dollars.
    sources: keys of divmetrics.explanations.REFERENCES, the most important first.
    """

    question: str
    takeaways: tuple[str, ...]
    builds_on: tuple[str, ...]
    terms: dict[str, str]
    symbols: dict[str, str]
    sources: tuple[str, ...]

    @classmethod
    def of(cls, notebook: NotebookNode) -> Lesson | None:
        """Read the metadata; None without a lesson, KeyError for a missing entry."""
        about = notebook.metadata.get("divmetrics", {}).get("lesson")
        if about is None:
            return None
        return cls(
            about["question"],
            tuple(about["takeaways"]),
            tuple(about["builds_on"]),
            dict(about.get("terms", {})),
            dict(about.get("symbols", {})),
            tuple(about["sources"]),
        )


@dataclass(frozen=True)
class Length:
    """Number of cells, words and minutes of a part of a notebook."""

    cells: int
    words: int
    minutes: float

    @classmethod
    def of(cls, cells: list[NotebookNode]) -> Length:
        words = sum(len(_prose(cell.source).split()) for cell in cells if cell.cell_type == "markdown")
        code = [cell for cell in cells if cell.cell_type == "code"]
        minutes = words / WORDS_A_MINUTE
        minutes += MINUTES_A_CELL * sum(not folded(cell) for cell in code)
        minutes += MINUTES_A_FIGURE * sum(pictures(cell) for cell in code)
        return cls(len(cells), words, minutes)


def lesson_and_exercises(notebook: NotebookNode) -> tuple[list[NotebookNode], list[NotebookNode]]:
    """Split the cells that nobody generated into the lesson and its exercises, which end at `## Summary`."""
    body: list[NotebookNode] = []
    exercises: list[NotebookNode] = []
    into = body
    for cell in notebook.cells:
        if is_generated(cell):
            continue
        if cell.cell_type == "markdown":
            into = exercises if _headed(cell, "Exercises") else body if _headed(cell, "Summary") else into
        into.append(cell)
    return body, exercises


def described(path: Path, notebook: NotebookNode) -> Iterator[str]:
    """Yield metadata that are missing or have the wrong form for the pages made from them."""
    try:
        lesson = Lesson.of(notebook)
    except KeyError as missing:
        yield f"the metadata of the lesson lack {missing}: see tools/lessons.py"
        return
    if lesson is None:
        yield "the metadata have no divmetrics.lesson: see tools/lessons.py"
        return
    if not lesson.question.endswith("?"):
        yield f"the question {lesson.question!r} does not end with a question mark"
    if len(lesson.takeaways) != TAKEAWAYS:
        yield f"{len(lesson.takeaways)} takeaways, expected {TAKEAWAYS}"
    texts = {**{f"takeaway {n}": text for n, text in enumerate(lesson.takeaways, 1)}, **lesson.terms}
    sentences = ((what, text) for what, text in texts.items() if not _sentence(without_claim(text)))
    yield from (f"{what!r} is no sentence: {text!r}" for what, text in sentences)
    yield from (f"the symbol {latex!r} has dollars" for latex in lesson.symbols if "$" in latex)
    yield from (f"unknown source {key!r}" for key in lesson.sources if key not in REFERENCES)


def too_long(path: Path, notebook: NotebookNode) -> Iterator[str]:
    """Yield a sentence for each limit that a lesson exceeds; an appendix has none."""
    if not number(path).isdigit():
        return
    first = number(path) == TUTORIAL
    body, exercises = lesson_and_exercises(notebook)
    length, more = Length.of(body), Length.of(exercises)
    lesson = notebook.metadata.get("divmetrics", {}).get("lesson", {})
    limits = {
        "cells": (length.cells, CELLS),
        "words": (length.words, WORDS),
        "minutes": (round(length.minutes), TUTORIAL_MINUTES if first else MINUTES),
        "minutes of exercises": (round(more.minutes), EXERCISE_MINUTES),
        "new terms": (len(lesson.get("terms", {})), TERMS),
    }
    yield from (f"{count} {what}, at most {most}" for what, (count, most) in limits.items() if count > most)
    lines = TUTORIAL_LINES if first else LINES
    counted = set(map(id, body))
    for place, cell in enumerate(notebook.cells, 1):
        count = len(cell.source.splitlines())
        if cell.cell_type == "code" and id(cell) in counted and not folded(cell) and count > lines:
            yield f"cell {place} has {count} lines that a reader sees, at most {lines}"


def in_parts(path: Path, notebook: NotebookNode) -> Iterator[str]:
    """Yield missing parts: the title first, exercises of three levels, and then a summary."""
    first = notebook.cells[0] if notebook.cells else None
    if first is None or first.cell_type != "markdown" or not first.source.startswith("# "):
        yield "the first cell does not begin with the title, a line that begins with '# '"
    written = [cell for cell in notebook.cells if cell.cell_type == "markdown" and not is_generated(cell)]
    for cell in written:
        if re.search(r"^## Sources\b", cell.source, re.MULTILINE):
            yield "a cell has '## Sources' in it, which is made from the metadata"
        if re.search(r"(?s)\S.*^## (?:Exercises|Summary)\b", cell.source, re.MULTILINE):
            yield "'## Exercises' or '## Summary' does not begin its cell"
    if not number(path).isdigit():
        return
    titles = [words for cell in written for level, words in headings(cell.source) if level == 2]
    for words in ("Exercises", "Summary"):
        if titles.count(words) != 1:
            yield f"{titles.count(words)} headings '## {words}', expected one"
    text = "\n".join(cell.source for cell in lesson_and_exercises(notebook)[1])
    for stars in STARS:
        if not re.search(rf"^### .*(?<!★){stars}(?!★)", text, re.MULTILINE):
            yield f"no exercise of {len(stars)} stars: a heading such as '### 1. By hand {stars}'"


def terms_linked(path: Path, notebook: NotebookNode) -> Iterator[str]:
    """Yield new terms whose first use, headings apart, has no link to the glossary."""
    terms = notebook.metadata.get("divmetrics", {}).get("lesson", {}).get("terms", {})
    cells = [
        (place, HEADING.sub(lambda heading: " " * len(heading[0]), without_code(cell.source)))
        for place, cell in enumerate(notebook.cells, 1)
        if cell.cell_type == "markdown" and not is_generated(cell)
    ]
    for term in terms:
        longer = [other for other in terms if term in other and term != other]
        linked = next((place for place, text in cells if _links_to(term, text)), None)
        before = ((place, _before_its_link(term, text)) for place, text in cells)
        used = next((place for place, text in before if _says(term, text, longer)), None)
        if linked is None:
            yield f"the term {term!r} is never linked, expected [{term}]({anchored(GLOSSARY, term)})"
        elif used is not None and used <= linked:
            yield f"cell {used} says {term!r} before cell {linked} links it to the glossary"


def pictures_described(path: Path, notebook: NotebookNode) -> Iterator[str]:
    """Yield pictures in the prose without alternative text."""
    for place, cell in enumerate(notebook.cells, 1):
        if cell.cell_type == "markdown":
            undescribed = [
                link.target for link in links(cell.source) if link.picture and not link.words.strip()
            ]
            undescribed += re.findall(
                r"<img\b(?![^<>]*\balt=[\"'][^\"']+[\"'])[^<>]*>", without_code(cell.source)
            )
            yield from (f"cell {place} shows {picture} without words in its place" for picture in undescribed)


def claims_tried(path: Path, notebook: NotebookNode) -> Iterator[str]:
    """Yield conclusions that no cell tries under other choices."""
    takeaways = notebook.metadata.get("divmetrics", {}).get("lesson", {}).get("takeaways", ())
    yield from broken_claims(number(path), takeaways, notebook)


RULES: tuple[Rule, ...] = (described, too_long, in_parts, terms_linked, pictures_described, claims_tried)


def pictures(cell: NotebookNode) -> int:
    """Count figures and widgets among a code cell's outputs, without closed answers and empty checks."""
    return sum(map(_is_picture, (output.get("data", {}) for output in cell.get("outputs", []))))


def _is_picture(data: dict[str, Any]) -> bool:
    html = "".join(data.get("text/html", ""))
    if "image/png" in data or "image/svg+xml" in data or "data:image/" in html:
        return True
    return bool(WIDGET.match("".join(data.get("text/plain", ""))))


def _sentence(text: str) -> bool:
    return bool(re.fullmatch(r"[^\n]*[.?!][)\"'”’]*", text.strip()))


def _links_to(term: str, text: str) -> re.Match[str] | None:
    """Return the first link of the text to that term."""
    for link in LINK.finditer(text):
        if link["target"].startswith(f"{GLOSSARY}#") and _anchor_of(link["target"]) == anchor(term):
            return link
    return None


def _anchor_of(target: str) -> str:
    return unquote(target.partition("#")[2])


def _before_its_link(term: str, text: str) -> str:
    """Return the text before the term's link, without the words of other links to the glossary."""
    link = _links_to(term, text)
    before = text if link is None else text[: link.start()]
    return LINK.sub(lambda match: " " if match["target"].startswith(GLOSSARY) else match["words"], before)


def _says(term: str, text: str, longer: list[str]) -> bool:
    """Return whether the text has the term, singular or plural, and not within a longer one."""
    text = TAG.sub(" ", text)
    for other in longer:
        text = _term(other).sub(" ", text)
    return _term(term).search(text) is not None


def _term(term: str) -> re.Pattern[str]:
    words = r"\s+".join(map(re.escape, term.split()))
    return re.compile(rf"(?<![\w-]){words}(?:s|es)?(?![\w-])", re.IGNORECASE)


def _headed(cell: NotebookNode, words: str) -> bool:
    return bool(re.search(rf"^## {words}\b", cell.source, re.MULTILINE))


def _prose(source: str) -> str:
    return re.sub(r"\]\([^()\s]*\)|<[^<>]*>", " ", source)


def main(names: list[str]) -> int:
    worst = 0
    for path in [Path(name) for name in names] or reading_order():
        notebook = read(path)
        body, exercises = map(Length.of, lesson_and_exercises(notebook))
        length = f"{body.cells} cells, {body.words} words, {body.minutes:.0f} + {exercises.minutes:.0f} min"
        print(f"{path.stem}: {length}")
        for complaint in (complaint for rule in RULES for complaint in rule(path, notebook)):
            worst = 1
            print(f"  {complaint}")
    return worst


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
