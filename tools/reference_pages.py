"""The glossary and the bibliography, made from the lessons' metadata.

Notation and glossary has every symbol and every term, with the lesson that introduces it; the bibliography
has every source that a lesson names, with the lessons that do.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from nbformat import NotebookNode

from divmetrics.explanations.references import Reference
from tools.chapters import Chapter
from tools.generated_cells import cite_source
from tools.markdown_text import in_a_table
from tools.notebook_files import MAP, generated_page

NOTATION = f"""# Notation and glossary

Every term has one meaning, and every symbol stands for one idea in all lessons. Where two papers use the same
letter for different things, as with $e$, the table says which lesson means what. Each entry links to
the lesson that introduces it. The [map]({MAP}) lists all lessons."""

SOURCES = f"""# Bibliography

Every source that a lesson or an appendix draws on, and where. The [map]({MAP}) lists all lessons."""


def glossary_page(chapters: Sequence[Chapter]) -> NotebookNode:
    symbols = [
        f"| {in_a_table(symbol)} | {meaning} | {chapter.link()} |"
        for chapter in chapters
        for symbol, meaning in chapter.lesson.symbols.items()
    ]
    table = ["| symbol | what it means | from |", "|:--|:--|:--|", *symbols]
    terms = [
        (term, definition, chapter)
        for chapter in chapters
        for term, definition in chapter.lesson.terms.items()
    ]
    entries = [
        f"### {term}\n\n{definition} ({chapter.link()})"
        for term, definition, chapter in sorted(terms, key=lambda entry: _order(entry[0]))
    ]
    whole = "\n\n".join([NOTATION, "## Symbols", "\n".join(table), "## Terms", *entries])
    return generated_page({"glossary": whole})


def bibliography_page(chapters: Sequence[Chapter]) -> NotebookNode:
    used: dict[Reference, list[Chapter]] = {}
    for chapter in chapters:
        for reference in chapter.sources:
            used.setdefault(reference, []).append(chapter)
    links = {
        reference: ", ".join(chapter.link(chapter.number) for chapter in chapters)
        for reference, chapters in used.items()
    }
    lines = [
        f"- {cite_source(reference)} In {links[reference]}."
        for reference in sorted(used, key=lambda one: (one.authors.lower(), one.year, one.title))
    ]
    return generated_page({"title": SOURCES, "sources": "\n".join(["## Sources", "", *lines])})


def _order(term: str) -> tuple[str, str]:
    return re.sub(r"\W", "", term).lower(), term
