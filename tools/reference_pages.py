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

NEIGHBOURS = """## What intent-based diversity is not

The metrics of this course ask whether the different readers of one query each find something. Four other
measures are called diversity, or stand beside it, and need no judgments by intent:"""
OTHER_MEASURES = {
    "intra-list similarity": (
        "how alike the items of one list are, pair by pair; unlike items may still serve one intent",
        Reference("Ziegler, McNee, Konstan, Lausen", 2005,
            "Improving recommendation lists through topic diversification", "WWW 2005, 22-32",
            "10.1145/1060745.1060754"),
    ),
    "novelty in recommenders": (
        "how little an item is known, to everybody or to this user; in this course, novelty is about the "
        "documents above it in the list",
        Reference("Vargas, Castells", 2011,
            "Rank and relevance in novelty and diversity metrics for recommender systems",
            "RecSys 2011, 109-116", "10.1145/2043932.2043955"),
    ),
    "catalogue coverage": (
        "what share of all items a system ever shows to anybody; it says nothing about a single list",
        Reference("Ge, Delgado-Battenfeld, Jannach", 2010,
            "Beyond accuracy: evaluating recommender systems by coverage and serendipity",
            "RecSys 2010, 257-260", "10.1145/1864708.1864761"),
    ),
    "group exposure": (
        "how much attention a ranking gives to groups of the ranked; intents are groups of readers",
        Reference("Singh, Joachims", 2018, "Fairness of exposure in rankings", "KDD 2018, 2219-2228",
            "10.1145/3219819.3220088"),
    ),
}  # fmt: skip


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
    others = [
        f"- **{name}**: {words}. {cite_source(source)}" for name, (words, source) in OTHER_MEASURES.items()
    ]
    parts = [NOTATION, "## Symbols", "\n".join(table), "## Terms", *entries, NEIGHBOURS, "\n".join(others)]
    whole = "\n\n".join(parts)
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
