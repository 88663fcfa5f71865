"""Draw the labels of a ranked list: ranks down, intents across, one mark per relevant grade."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import altair as alt

from divmetrics.core.calls import public
from divmetrics.core.checks import check_whole
from divmetrics.core.runs import RankedList
from divmetrics.core.topics import Topic
from divmetrics.errors import DivmetricsError
from divmetrics.notebook.appearance.marks import MARKS, Mark
from divmetrics.notebook.appearance.palette import INK, QUIET_INK, RULE
from divmetrics.notebook.charts.figure import INSIDE, MEDIUM, Figure
from divmetrics.notebook.charts.legend import marks_with_key
from divmetrics.notebook.charts.table_checks import count
from divmetrics.notebook.charts.text_width import shorten, text_width
from divmetrics.notebook.charts.title_sentences import brief
from divmetrics.notebook.textformat.marks import assign_marks

MOST_LISTS = 4
ROW, NARROWEST, WIDEST = 24, 25, 58  # height of a row; width of an intent's column (wider for a long id)
RANKS, BETWEEN, GAP, HEAD = 30, 20, 6, 5  # pixels: ranks; between two lists; beside a text; below a head
SLANT, LONGEST_HEAD = 40, 90  # degrees and pixels of a head that is wider than its column
FEWEST_DOC, SHORTENED_DOC, WIDEST_DOC = 40, 110, 190  # pixels for document ids
FULL_HEAD = 72  # width in pixels of the head "document"


@public
def ranked_list(lists: RankedList | Sequence[RankedList], depth: int = 20) -> Figure:
    """Draw a list, or lists of one topic side by side: each document's grade for each intent.

    The shape and colour of a mark identify the intent; its size and the number beside it are the grade. A dot
    marks a judged document that is not relevant, a question mark an unjudged document.

    Parameters
    ----------
    lists : RankedList or Sequence of RankedList
        One list, or up to 4 lists of one topic with at most 10 intents.
    depth : int
        The number of ranks to draw, from rank 1; at least 1.

    Returns
    -------
    Figure
        The chart; its title counts the intents that each list serves.

    Raises
    ------
    DivmetricsError
        If there are too many intents or lists, the lists belong to several topics, there is no document, or
        `depth` is below 1.

    Examples
    --------
    >>> import divmetrics as dm
    >>> ranking = dm.datasets.harry_potter().list("A", "0083")
    >>> dm.charts.ranked_list(ranking, depth=1).description
    'Topic 0083 (harry potter), 5 intents, grades by rank. List A: 1 d1: film 2; and 7 more.'
    """
    ranked_lists = [lists] if isinstance(lists, RankedList) else list(lists)
    topic = _checked(ranked_lists, depth)
    layout = _layout(ranked_lists, topic, depth)
    marks = [
        MARKS[mark] for mark in assign_marks(t for each in ranked_lists for t in each.topic.intents).values()
    ]
    panels = [_panel(ranked, marks, layout, titled=len(ranked_lists) > 1) for ranked in ranked_lists]
    chart = panels[0] if len(panels) == 1 else alt.concat(*panels, columns=layout.across, spacing=BETWEEN)
    names = ("List " if len(ranked_lists) == 1 else "Lists ") + ", ".join(
        ranked.run for ranked in ranked_lists
    )
    title = f" ({topic.title})" if topic.title else ""
    subtitle = [f"{names} for topic {topic.id}{title}", _legend(ranked_lists, depth, layout.scale)]
    longest = max(len(ranked) for ranked in ranked_lists)
    if longest > depth:
        subtitle.append(f"ranks 1 to {depth} of {longest}")
    return Figure.of(
        chart, _finding(ranked_lists, topic, depth), subtitle, _describe(ranked_lists, topic, depth)
    )


def _finding(ranked_lists: Sequence[RankedList], topic: Topic, depth: int) -> str:
    """Return a sentence with the number of intents that each list serves in the drawn ranks."""
    served = [
        len({intent for doc in ranked.docs[:depth] for intent in ranked.judgments.labels(doc)})
        for ranked in ranked_lists
    ]
    first, *others = zip((ranked.run for ranked in ranked_lists), served, strict=True)
    of = f"{first[1]} of {count(len(topic.intents), 'intent')}"
    clauses = [f"{brief(first[0])} serves {of}", *(f"{brief(name)} {number}" for name, number in others)]
    cut = f" in the first {depth} ranks" if max(len(ranked) for ranked in ranked_lists) > depth else ""
    return ("List " if len(ranked_lists) == 1 else "") + ", ".join(clauses) + cut


def common_topic(ranked_lists: Sequence[RankedList]) -> Topic:
    """Return the topic of one to four lists; raise DivmetricsError for several topics, or other numbers."""
    if not ranked_lists:
        raise DivmetricsError("there is no list to show; give at least one")
    if len(ranked_lists) > MOST_LISTS:
        raise DivmetricsError(f"{len(ranked_lists)} lists do not fit side by side; give at most {MOST_LISTS}")
    topic = ranked_lists[0].topic
    for ranked in ranked_lists:
        if [intent.id for intent in ranked.topic.intents] != [intent.id for intent in topic.intents] or (
            ranked.topic.id != topic.id
        ):
            raise DivmetricsError(
                f"lists side by side are of one topic, but list {ranked.run} is of topic {ranked.topic.id}, "
                f"list {ranked_lists[0].run} of topic {topic.id}; draw them one by one"
            )
    return topic


def _checked(ranked_lists: Sequence[RankedList], depth: int) -> Topic:
    check_whole("depth", depth, 1)
    if not any(len(ranked) for ranked in ranked_lists):
        raise DivmetricsError("there is no document to show; give a list with at least one document")
    topic = common_topic(ranked_lists)
    if len(topic.intents) > len(MARKS):
        raise DivmetricsError(
            f"topic {topic.id} has {len(topic.intents)} intents, more than the {len(MARKS)} that shapes and "
            f"colours can tell apart; give a topic with at most {len(MARKS)}"
        )
    return topic


def _state(ranked: RankedList, doc: str) -> str:
    if doc not in ranked.judgments.position:
        return "unjudged"
    return "relevant" if ranked.judgments.labels(doc) else "judged"


def _legend(ranked_lists: Sequence[RankedList], depth: int, scale: int) -> str:
    """Return an explanation of the marks that occur in the first `depth` ranks of the lists."""
    states = {_state(ranked, doc) for ranked in ranked_lists for doc in ranked.docs[:depth]}
    signs = {
        "relevant": "mark: relevant" + (f", with its grade (1 to {scale})" if scale > 1 else ""),
        "judged": "dot: judged, not relevant",
        "unjudged": "?: never judged",
    }
    if "relevant" in states:
        states.add("judged")  # a relevant document has dots for its other intents
    return "; ".join(words for state, words in signs.items() if state in states)


@dataclass(frozen=True)
class _Layout:
    """The layout shared by the lists of a chart; sizes in pixels."""

    across: int
    depth: int
    level: bool  # lists side by side all get the height of the longest
    for_docs: int
    step: int
    slanted: bool
    scale: int

    def rows(self, ranked: RankedList) -> int:
        """Return the number of rows of a list."""
        return self.depth if self.level else max(min(len(ranked), self.depth), 1)


def _layout(ranked_lists: Sequence[RankedList], topic: Topic, depth: int) -> _Layout:
    """Put as many lists side by side as leave room for documents and intents, in rows of equal length."""
    widths = [text_width(intent.id, MEDIUM) for intent in topic.intents]
    widest_doc = max(text_width(doc, MEDIUM) for ranked in ranked_lists for doc in ranked.docs[:depth])
    wanted = max(math.ceil(widest_doc) + 2 * GAP, FEWEST_DOC)
    most = min(max(WIDEST, math.ceil(max(widths)) + 2 * GAP), LONGEST_HEAD)
    for in_a_row in range(len(ranked_lists), 0, -1):
        across = math.ceil(len(ranked_lists) / math.ceil(len(ranked_lists) / in_a_row))
        room = (INSIDE - 2 * GAP - (across - 1) * BETWEEN) / across - RANKS
        for_docs = min(wanted, WIDEST_DOC)
        step = min((room - for_docs) / len(widths), most)
        slanted = max(widths) > step - 4
        if slanted:  # the last head reaches out to the right
            leaning = min(widths[-1], LONGEST_HEAD) * math.cos(math.radians(SLANT)) + MEDIUM
            room -= max(leaning - step / 2, 0)
            step = (room - for_docs) / len(widths)
        step = min(max(step, NARROWEST), most)
        for_docs = min(for_docs, int(room - step * len(widths)))
        if for_docs >= min(wanted, SHORTENED_DOC):
            break
    return _Layout(
        across=across,
        depth=max(min(len(ranked), depth) for ranked in ranked_lists),
        level=across > 1,
        for_docs=for_docs,
        step=int(step),
        slanted=slanted,
        scale=max(ranked.judgments.scale for ranked in ranked_lists),
    )


def _panel(ranked: RankedList, of_intents: Sequence[Mark], layout: _Layout, titled: bool) -> Any:
    ids = [intent.id for intent in ranked.topic.intents]
    left = RANKS + layout.for_docs
    width = left + layout.step * len(ids)
    numbered = layout.scale > 1
    marks: list[dict[str, Any]] = []
    dots: list[dict[str, Any]] = []
    unknown: list[dict[str, Any]] = []
    rows: list[dict[str, Any]] = []
    for k, doc in enumerate(ranked.docs[: layout.depth], 1):
        state, labels = _state(ranked, doc), ranked.judgments.labels(doc)
        short = shorten(doc, layout.for_docs - 2 * GAP, MEDIUM, keep="end")
        rows.append({"rank": k, "doc": doc, "short": short, "state": state})
        for intent in ids:
            cell = {"rank": k, "doc": doc, "intent": intent, "grade": labels.get(intent, 0)}
            if intent in labels:
                marks.append(cell | {"area": 45 + 115 * labels[intent] / layout.scale})
            else:
                (unknown if state == "unjudged" else dots).append(cell)

    x = alt.X(
        "intent:N",
        scale=alt.Scale(domain=ids, range=[left, width]),
        axis=alt.Axis(
            orient="top",
            title=None,
            labelAngle=-SLANT if layout.slanted else 0,
            labelAlign="left" if layout.slanted else "center",
            labelBaseline="middle" if layout.slanted else "bottom",
            labelLimit=LONGEST_HEAD,
            labelPadding=8 if layout.slanted else HEAD,
            domain=False,
            ticks=False,
        ),
    )
    y = alt.Y("rank:O", scale=alt.Scale(domain=list(range(1, layout.rows(ranked) + 1))), axis=None)

    def of(values: list[dict[str, Any]]) -> Any:
        return alt.Chart(alt.Data(values=values)).encode(y=y)

    def head(text: str, at: float, align: Literal["left", "right"]) -> Any:
        return (
            alt.Chart(alt.Data(values=[{"head": text}]))
            .mark_text(align=align, baseline="bottom", fontSize=MEDIUM, color=INK)
            .encode(x=alt.value(at), y=alt.value(-HEAD), text="head:N")
        )

    about_doc, about_cell = ["rank:O", "doc:N", "state:N"], ["rank:O", "doc:N", "intent:N", "grade:Q"]
    judged = [row for row in rows if row["state"] != "unjudged"]
    unjudged = [row for row in rows if row["state"] == "unjudged"]
    name = {"align": "left", "fontSize": MEDIUM}
    layers = [
        of(rows)
        .mark_rule(color=RULE)
        .encode(y=alt.Y("rank:O", bandPosition=1, axis=None), x=alt.value(0), x2=alt.value(width)),
        head("rank", RANKS - GAP, "right"),
        head("document" if layout.for_docs >= FULL_HEAD else "doc", RANKS + GAP, "left"),
        of(rows)
        .mark_text(align="right", fontSize=MEDIUM, color=INK)
        .encode(x=alt.value(RANKS - GAP), text="rank:O"),
        of(judged)
        .mark_text(**name, color=INK)
        .encode(x=alt.value(RANKS + GAP), text="short:N", tooltip=about_doc),
        of(unjudged)
        .mark_text(**name, color=QUIET_INK, fontStyle="italic")
        .encode(x=alt.value(RANKS + GAP), text="short:N", tooltip=about_doc),
        of(dots).mark_point(filled=True, size=9, color=QUIET_INK, opacity=1).encode(x=x, tooltip=about_cell),
        of(unknown).mark_text(text="?", fontSize=MEDIUM, color=QUIET_INK).encode(x=x, tooltip=about_cell),
        of(marks)
        .mark_point(filled=True, opacity=1, strokeWidth=1, xOffset=-6 if numbered else 0)
        .encode(
            x=x,
            size=alt.Size("area:Q", scale=None),
            tooltip=about_cell,
            **marks_with_key("intent", _key(ranked.topic), of_intents),
        ),
    ]
    if numbered:
        layers.append(
            of(marks).mark_text(align="left", dx=4, fontSize=MEDIUM, color=INK).encode(x=x, text="grade:Q")
        )
    panel = alt.layer(*layers).properties(width=width, height=ROW * layout.rows(ranked))
    if not titled:
        return panel
    title = shorten(f"list {ranked.run}", width, MEDIUM)
    return panel.properties(title=alt.TitleParams(text=title, anchor="start", fontSize=MEDIUM, color=INK))


def _key(topic: Topic) -> dict[str, str]:
    """Return {intent id: text of the key}: id, label, probability, kind."""
    key = {}
    for intent in topic.intents:
        label = f": {intent.label}" if intent.label and intent.label != intent.id else ""
        kind = ", navigational" if intent.kind == "navigational" else ""
        tail = f" (p = {intent.probability:.2g}{kind})"
        room = INSIDE - 40 - text_width(tail, MEDIUM)
        key[intent.id] = shorten(f"{intent.id}{label}", room, MEDIUM) + tail
    return key


def _describe(ranked_lists: Sequence[RankedList], topic: Topic, depth: int) -> str:
    title = f" ({topic.title})" if topic.title else ""
    words = [f"Topic {topic.id}{title}, {count(len(topic.intents), 'intent')}, grades by rank."]
    for ranked in ranked_lists:
        documents = []
        for k, doc in enumerate(ranked.docs[:depth], 1):
            labels = ranked.judgments.labels(doc)
            grades = ", ".join(f"{intent} {grade}" for intent, grade in labels.items())
            state = {"judged": "not relevant", "unjudged": "never judged"}.get(_state(ranked, doc), grades)
            documents.append(f"{k} {doc}: {state}")
        rest = f"; and {len(ranked) - depth} more" if len(ranked) > depth else ""
        words.append(f"List {ranked.run}: {'; '.join(documents) or 'no documents'}{rest}.")
    return " ".join(words)
