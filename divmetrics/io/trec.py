"""Read TREC's diversity judgments, runs, and topics of the Web track."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from divmetrics.core.checks import quote
from divmetrics.core.collection import Intent, IntentKind, Topic
from divmetrics.errors import DivmetricsError
from divmetrics.io.columns import JudgmentColumns, RunColumns
from divmetrics.io.delimited import LineFormat, read_columns
from divmetrics.io.file_contents import format_error
from divmetrics.io.validate import judgment_columns, run_columns, topic_id

if TYPE_CHECKING:
    from divmetrics.io.formats import InputFile
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
DESCRIPTION_END = b"</SYSDESC>"  # NTCIR's runs may begin with a description of the system

SUBTOPIC_KINDS: dict[str, IntentKind] = {"nav": "navigational", "inf": "informational"}


def judgments(file: InputFile, _topics: object) -> JudgmentColumns:
    """Read judgments of four columns or, below a heading, of five."""
    contents = file.contents.from_first_text()
    first_line = contents.data[:200].splitlines()[0]
    form = HEADINGS.get(b" ".join(first_line.split()))
    columns = read_columns(contents if form is None else contents.without_first_line(), form or QRELS)
    return judgment_columns(contents.source, contents.line, **columns)


def run(file: InputFile) -> RunColumns:
    """Read a run; raises DivmetricsError unless the tag is the same on every line."""
    contents = file.contents
    if contents.starts_with(b"<"):
        end = contents.data.find(DESCRIPTION_END)
        contents = (
            contents.without_first_line() if end < 0 else contents.from_byte(end + len(DESCRIPTION_END))
        ).without_comments(RUN.description)
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


def topics(file: InputFile, _probabilities: object) -> tuple[Topic, ...]:
    """Read the Web track's topics (2009 to 2014): numbers, types, queries, descriptions, subtopics."""
    lines: dict[str, int] = {}
    topics = []
    for element in file.elements("topic"):
        where = f"{file.contents.source}:{element.line}"
        number = topic_id(_attribute(where, element, "number"))
        if number in lines:
            what = f"topic {number} is given again (first at line {lines[number]})"
            raise format_error(where, what, "each topic once", "remove one")
        lines[number] = element.line
        subtopics = []
        for subtopic in element.all("subtopic"):
            line = f"{file.contents.source}:{subtopic.line}"
            kind = subtopic.get("type", "inf")
            if kind not in SUBTOPIC_KINDS:
                what = f"subtopic type {quote(kind)} of topic {number} is unknown"
                raise format_error(line, what, "nav or inf", "correct it")
            subtopics.append((_attribute(line, subtopic, "number"), kind, subtopic.content))
        query, description = element.content_of("query"), element.content_of("description")
        topics.append(web_topic(where, number, element.get("type", ""), query, description, subtopics))
    return tuple(topics)


def web_topic(
    where: str,
    number: str,
    topic_type: str,
    query: str,
    description: str,
    subtopics: Sequence[tuple[str, str, str]],
) -> Topic:
    """Make a topic of equally probable intents from subtopics (number, "nav" or "inf", text).

    Without subtopics, the description becomes the only intent, "0". Raises DivmetricsError, beginning with
    `where`, if the topic is invalid.
    """
    if not subtopics:  # single-faceted topics of 2013 and 2014 are judged as subtopic 0
        subtopics = [("0", "inf", description)]
    intents = tuple(
        Intent(name, 1 / len(subtopics), SUBTOPIC_KINDS[kind], label) for name, kind, label in subtopics
    )
    try:
        return Topic(number, intents, query, description, topic_type)
    except DivmetricsError as error:
        raise DivmetricsError(f"{where}: {error}") from None


def _attribute(where: str, element: Element, name: str) -> str:
    value = element.get(name, "").strip()
    if not value:
        expected = '<topic number="1" type="faceted"> with <subtopic number="1" type="inf"> in it'
        raise format_error(where, f"<{element.tag}> has no {name}", expected, "add it")
    return value
