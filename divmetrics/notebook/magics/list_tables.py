"""Render a topic and a ranked list as tables, in a notebook and in a terminal."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from divmetrics.core.judgments import Judgments
from divmetrics.core.runs import RankedList
from divmetrics.core.topics import Topic, subtopic_index
from divmetrics.notebook.appearance.marks import html_marks, mark_sign, render_grade
from divmetrics.notebook.textformat.marks import assign_marks
from divmetrics.notebook.textformat.topic_draft import UNNAMED
from divmetrics.render.tables import Cell, TableRow, html_notes, html_table, html_title, text_table

MOST_COLUMNS = 6  # with more intents, all labels share one column
MOST_RANKS = 30


def _topic_table(topic: Topic) -> tuple[TableRow, list[TableRow]]:
    """Return the head and the rows of a topic: intents, each followed by its second-level subtopics."""
    labelled = any(x.label for t in topic.intents for x in (t, *t.children))
    rows: list[TableRow] = []
    for intent, mark in zip(topic.intents, assign_marks(topic.intents).values(), strict=True):
        label = [Cell(intent.label)] if labelled else []
        name = Cell(f"{mark_sign(mark)} {intent.id}", f"{html_marks(mark)} {escape(intent.id)}")
        rows.append([name, Cell(f"{intent.probability:.4g}", right=True), Cell(intent.kind), *label])
        for child in intent.children:
            label = [Cell(child.label)] if labelled else []
            below = Cell(f"   /{child.id}", style="padding-left:22px;font-weight:normal;")
            of_topic = f"{child.probability:.4g} of {intent.id}"
            rows.append([below, Cell(of_topic, right=True), Cell(""), *label])
    head = [Cell("intent"), Cell("probability", right=True), Cell("kind")]
    return [*head, *([Cell("label")] if labelled else [])], rows


def topic_text(topic: Topic) -> str:
    """Render a topic, with a row per intent, as text of several lines."""
    return f"{_topic_title(topic)}\n{text_table(*_topic_table(topic))}"


def topic_html(topic: Topic) -> str:
    """Render a topic, with a row per intent, as HTML."""
    return html_title(_topic_title(topic)) + html_table(*_topic_table(topic))


def list_text(ranked: RankedList, about: Mapping[str, str]) -> str:
    """Render a list as text of several lines; `about` is {document: a few words about it}."""
    return "\n".join([_list_title(ranked), text_table(*_list_table(ranked, about)), *_list_notes(ranked)])


def list_html(ranked: RankedList, about: Mapping[str, str]) -> str:
    """Render a list as HTML; `about` is {document: a few words about it}."""
    table = html_table(*_list_table(ranked, about))
    return html_title(_list_title(ranked)) + table + html_notes(_list_notes(ranked))


def _list_table(ranked: RankedList, about: Mapping[str, str]) -> tuple[TableRow, list[TableRow]]:
    """Return the head and the rows of a list: ranks down, intents across; many intents share a column.

    `about` is {document: a few words about it}; if it is empty, there is no column for it.
    """
    topic, judgments = ranked.topic, ranked.judgments
    across = len(topic.intents) <= MOST_COLUMNS
    rows: list[TableRow] = []
    for rank, doc in enumerate(ranked.docs[:MOST_RANKS], 1):
        cells = _labels(topic, judgments, doc)
        if not across:
            pieces = [cell for cell in cells if cell.html]
            cells = [Cell("  ".join(c.text for c in pieces), " &ensp; ".join(c.html for c in pieces))]
        if doc not in judgments.position:
            cells = [Cell("?" if across else "? never judged") for _ in cells]
        elif not judgments.labels(doc):
            cells = [Cell("not relevant" if not across else "·") for _ in cells]
        words = [Cell(about.get(doc, ""))] if about else []
        rows.append([Cell(f"{rank}", right=True), Cell(doc), *cells, *words])
    heads = [Cell("labels")]
    if across:
        heads = [
            Cell(f"{mark_sign(mark)} {intent}", f"{html_marks(mark)}&nbsp;{escape(intent)}")
            for intent, mark in assign_marks(topic.intents).items()
        ]
    return [Cell("rank", right=True), Cell("document"), *heads, *([Cell("about")] if about else [])], rows


def _labels(topic: Topic, judgments: Judgments, doc: str) -> list[Cell]:
    """Return the document's grade for each intent, with the grades of second-level subtopics."""
    labels = judgments.labels(doc)
    cells = []
    for intent, mark in assign_marks(topic.intents).items():
        grade = labels.get(intent, 0)
        if not grade:
            cells.append(Cell(""))
            continue
        text, html = render_grade(mark, grade)
        below = _below(judgments, doc, intent)
        if below:
            text, html = f"{text} ({below})", f"{html} <small>{escape(below)}</small>"
        if len(topic.intents) > MOST_COLUMNS:
            text, html = f"{intent} {text}", f"{escape(intent)} {html}"
        cells.append(Cell(text, html))
    return cells


def _below(judgments: Judgments, doc: str, intent: str) -> str:
    if judgments.subtopic_grades is None:
        return ""
    column = judgments.subtopic_grades[:, judgments.position[doc]]
    graded_below = [
        f"{child}:{column[row]}"
        for (parent, child), row in subtopic_index(judgments.topic).items()
        if parent == intent and column[row]
    ]
    return " ".join(graded_below)


def _topic_title(topic: Topic) -> str:
    m = len(topic.intents)
    named = "Topic" if topic.id == UNNAMED else f"Topic {_named(topic)}"
    return f"{named}: {m} intent{'s' if m != 1 else ''}"


def _list_title(ranked: RankedList) -> str:
    n = len(ranked)
    documents = f"{n} document{'s' if n != 1 else ''}"
    top = ranked.judgments.scale
    return f"List {ranked.run}{of_topic(ranked.topic)}: {documents}, grades 0 to {top}"


def _list_notes(ranked: RankedList) -> list[str]:
    judgments, docs = ranked.judgments, ranked.docs[:MOST_RANKS]
    more = len(ranked) - MOST_RANKS
    key = []
    if len(judgments.topic.intents) <= MOST_COLUMNS:
        if any(doc in judgments.position and not judgments.labels(doc) for doc in docs):
            key.append("· judged, not relevant")
        if any(doc not in judgments.position for doc in docs):
            key.append("? never judged")
    notes = ["; ".join(key)] if key else []
    return [*notes, f"and {more} more document{'s' if more != 1 else ''}"] if more > 0 else notes


def of_topic(topic: Topic) -> str:
    """Return " for topic ...", or "" for a topic without a name."""
    return "" if topic.id == UNNAMED else f" for topic {_named(topic)}"


def _named(topic: Topic) -> str:
    return f"{topic.id} ({topic.title})" if topic.title else topic.id
