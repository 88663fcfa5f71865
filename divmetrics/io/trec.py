"""TREC: diversity judgments, runs, and the Web track's topics."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from divmetrics.core.checks import quote
from divmetrics.core.collection import Intent, IntentKind, Topic
from divmetrics.errors import DivmetricsError
from divmetrics.io.columns import JudgmentColumns, RunColumns
from divmetrics.io.delimited import LineFormat, read_columns
from divmetrics.io.file_contents import Contents, format_error
from divmetrics.io.validate import judgment_columns, run_columns, topic_id

if TYPE_CHECKING:
    from divmetrics.io.xml import Element

QRELS = LineFormat(
    "TREC diversity judgments",
    {"topic": "text", "intent": "text", "doc": "text", "grade": "integer"},
    mistaken_for=(6, "a run"),
)
TWO_LEVEL_QRELS = LineFormat(
    "judgments on two levels",
    {"topic": "text", "intent": "text", "subtopic": "text", "doc": "text", "grade": "integer"},
    mistaken_for=(6, "a run"),
)
RUN = LineFormat(
    "a TREC run",
    {"topic": "text", "Q0": "text", "doc": "text", "rank": "integer", "score": "number", "tag": "text"},
    mistaken_for=(4, "a judgment file"),
)
HEADINGS = {
    b"topic intent doc grade": QRELS,
    b"topic intent subtopic doc grade": TWO_LEVEL_QRELS,
    b"topic fls sls doc grade": TWO_LEVEL_QRELS,  # IMine's first- and second-level subtopics
}
SYSTEM_DESCRIPTION = b"<SYSDESC>"  # what NTCIR's runs begin with
DESCRIPTION_END = b"</SYSDESC>"

SUBTOPIC_KINDS: dict[str, IntentKind] = {"nav": "navigational", "inf": "informational"}


def judgments(contents: Contents) -> JudgmentColumns:
    """Judgments of four columns, or, under one of the known headings, of five."""
    first_line = contents.data[:200].splitlines()[0]
    form = HEADINGS.get(b" ".join(first_line.split()))
    if form is not None:
        contents = contents.after(0)
    columns = read_columns(contents, form or QRELS)
    return judgment_columns(contents.source, contents.line, **columns)


def run(contents: Contents) -> RunColumns:
    """One run; its tag must be the same on every line."""
    if contents.starts_with(SYSTEM_DESCRIPTION):
        end = contents.data.find(DESCRIPTION_END)
        contents = contents.after(0) if end < 0 else contents.from_byte(end + len(DESCRIPTION_END))
    columns = read_columns(contents, RUN)
    tags = columns.pop("tag")
    columns.pop("Q0")
    if not tags.all_equal():
        encoded = tags.encode()
        row = int(np.argmax(encoded.codes > 0))
        what = f"has the tag {quote(encoded[row])} but the lines before have {quote(encoded[0])}"
        raise format_error(contents.line(row), what, "one run per file", "split the file by its last column")
    (tag,) = tags.take(np.zeros(1, dtype=np.int64)).tolist()
    return run_columns(contents.source, contents.line, tag=tag, **columns)


def is_topics(root: Element) -> bool:
    """Whether this is the Web track's XML: topics with a number."""
    topic = root.first("topic")
    return topic is not None and "number" in topic.attributes


def topics(source: str, root: Element) -> tuple[Topic, ...]:
    """The Web track's topics (2009 to 2014): numbers, types, queries, descriptions, subtopics."""
    expected = '<topic number="1" type="faceted"> with <subtopic number="1" type="inf"> in it'
    found: dict[str, int] = {}
    read = []
    for element in root.all("topic"):
        where = f"{source}:{element.line}"
        number = topic_id(_attribute(where, element, "number", expected))
        if number in found:
            what = f"topic {number} is given again (first at line {found[number]})"
            raise format_error(where, what, "each topic once", "remove one")
        found[number] = element.line
        subtopics = []
        for subtopic in element.all("subtopic"):
            where = f"{source}:{subtopic.line}"
            kind = subtopic.get("type", "inf")
            if kind not in SUBTOPIC_KINDS:
                what = f"subtopic type {quote(kind)} of topic {number} is unknown"
                raise format_error(where, what, "nav or inf", "correct it")
            subtopics.append((_attribute(where, subtopic, "number", expected), kind, subtopic.text))
        read.append(
            web_topic(
                f"{source}:{element.line}",
                number,
                element.get("type"),
                element.text_of("query"),
                element.text_of("description"),
                subtopics,
            )
        )
    return tuple(read)


def web_topic(
    where: str,
    number: str,
    topic_type: str,
    query: str,
    description: str,
    subtopics: Sequence[tuple[str, str, str]],
) -> Topic:
    """One topic with equally probable intents from its subtopics (number, nav or inf, text)."""
    if not subtopics:  # the single-faceted topics of 2013 and 2014 are judged as subtopic 0
        subtopics = [("0", "inf", description)]
    intents = tuple(
        Intent(name, 1 / len(subtopics), SUBTOPIC_KINDS[kind], label) for name, kind, label in subtopics
    )
    try:
        return Topic(number, intents, query, description, topic_type)
    except DivmetricsError as error:
        raise DivmetricsError(f"{where}: {error}") from None


def _attribute(where: str, element: Element, name: str, expected: str) -> str:
    value = element.get(name).strip()
    if not value:
        raise format_error(where, f"<{element.tag}> has no {name}", expected, "add it")
    return value
