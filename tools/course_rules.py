"""Rules between the lessons of the course, one function per rule; lessons.py has those of one lesson.

A rule yields one sentence for each place that breaks it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from nbformat import NotebookNode

from tools import derivations, tracks
from tools.chapters import Chapter, chapters
from tools.lessons import RULES
from tools.markdown_text import Link, anchors, links
from tools.notebook_files import FOLDER, all_notebooks, read

Rule = Callable[[Sequence[Chapter]], Iterator[str]]


def terms_once(course: Sequence[Chapter]) -> Iterator[str]:
    """Yield terms and symbols that two lessons introduce."""
    terms = ((chapter, term) for chapter in course for term in chapter.lesson.terms)
    yield from _twice((chapter, f"the term {_key(term)!r}") for chapter, term in terms)
    symbols = ((chapter, symbol) for chapter in course for symbol in chapter.lesson.symbols)
    yield from _twice((chapter, f"the symbol {''.join(symbol.split())!r}") for chapter, symbol in symbols)


def builds_on_earlier(course: Sequence[Chapter]) -> Iterator[str]:
    """Yield lessons that build on a missing or later one."""
    places = {chapter.name: place for place, chapter in enumerate(course)}
    for place, chapter in enumerate(course):
        for name in chapter.lesson.builds_on:
            if name not in places:
                yield f"{chapter.name} builds on {name}, which is no lesson"
            elif places[name] >= place:
                yield f"{chapter.name} builds on {name}, which does not come before it"


def derived_once(course: Sequence[Chapter]) -> Iterator[str]:
    yield from derivations.complaints(derivations.derivations(course), derivations.to_be_derived())


def used_elsewhere(course: Sequence[Chapter]) -> Iterator[str]:
    yield from derivations.unused(course, derivations.to_be_derived())


def grouped(course: Sequence[Chapter]) -> Iterator[str]:
    yield from tracks.complaints(course)


RULES_BETWEEN: tuple[Rule, ...] = (terms_once, builds_on_earlier, derived_once, used_elsewhere, grouped)


def dead_links(notebooks: Mapping[Path, NotebookNode]) -> Iterator[str]:
    """Yield links of the prose that lead to no file, or to no heading of a notebook."""
    anchor_cache: dict[Path, set[str]] = {}
    for path, notebook in notebooks.items():
        for place, cell in enumerate(notebook.cells, 1):
            if cell.cell_type == "markdown":
                for link in links(cell.source):
                    if link.local and (why := _dead(link, path, notebooks, anchor_cache)):
                        yield f"{path.name}: cell {place} links {link.target}: {why}"


def complaints(folder: Path = FOLDER) -> Iterator[str]:
    """Yield every broken rule of the course in a folder, with the lesson it belongs to."""
    course = chapters(folder)
    for chapter in course:
        for rule in RULES:
            yield from (f"{chapter.name}: {sentence}" for sentence in rule(chapter.path, chapter.notebook))
    for between in RULES_BETWEEN:
        yield from between(course)
    yield from dead_links({path: read(path) for path in all_notebooks(folder)})


def _dead(
    link: Link, path: Path, notebooks: Mapping[Path, NotebookNode], anchor_cache: dict[Path, set[str]]
) -> str | None:
    target = path if not link.file else Path(os.path.normpath(path.parent / link.file))
    if target not in notebooks:
        return None if target.exists() and not link.target.startswith("/") else "there is no such file"
    if target not in anchor_cache:
        anchor_cache[target] = anchors(notebooks[target])
    if link.anchor and link.anchor not in anchor_cache[target]:
        return "there is no such heading"
    return None


def _twice(declarations: Iterator[tuple[Chapter, str]]) -> Iterator[str]:
    first: dict[str, Chapter] = {}
    for chapter, what in declarations:
        if what in first:
            yield f"{what} is declared by {first[what].name} and by {chapter.name}"
        first.setdefault(what, chapter)


def _key(term: str) -> str:
    return " ".join(term.lower().split())
