"""Read TREC's diversity judgments and runs, and the topics of its Web track and of NTCIR INTENT."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from divmetrics.core.checks import quote
from divmetrics.io.columns import JudgmentColumns, RunColumns
from divmetrics.io.delimited import LineFormat, read_columns
from divmetrics.io.file_contents import format_error
from divmetrics.io.number_parsing import number
from divmetrics.io.topic_hierarchy import Hierarchy, Subtopic
from divmetrics.io.topic_hierarchy import topics as with_probabilities
from divmetrics.io.validate import judgment_columns, run_columns, topic_id

if TYPE_CHECKING:
    from divmetrics.core.collection import Topic
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


def judgments(file: InputFile, _topics: object) -> JudgmentColumns:
    """Read judgments of four columns or, below a heading, of five."""
    contents = file.contents
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
        )
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


def topics(file: InputFile, probabilities: str | None) -> tuple[Topic, ...]:
    """Read topics of the Web track (2009 to 2014), or of NTCIR INTENT, which gives probabilities."""
    source = file.contents.source
    return with_probabilities(
        source, (_topic(source, topic) for topic in file.elements("topic")), probabilities
    )


def _topic(source: str, topic: Element) -> Hierarchy:
    where = f"{source}:{topic.line}"
    name = topic_id(_attribute(where, topic, "number"))
    elements = [element for element in topic.all("*") if element.tag in ("subtopic", "intent")]
    equal = not any(element.tag == "intent" or "probability" in element.attrib for element in elements)
    subtopics = []
    for element in elements:
        place = f"{source}:{element.line}"
        subtopics.append(
            Subtopic(
                _attribute(place, element, "number"),
                element.content_of("description") or element.content,
                1 / len(elements) if equal else _probability(place, element),
                kind=element.get("type", ""),
                where=place,
            )
        )
    query, description = topic.content_of("query"), topic.content_of("description")
    return Hierarchy(where, name, query, topic.get("type", ""), tuple(subtopics), description)


def _probability(where: str, element: Element) -> float:
    text = _attribute(where, element, "probability")
    try:
        return number(text.encode())
    except ValueError:
        what = f"probability {quote(text)} of <{element.tag}> is not a finite number"
        raise format_error(where, what, "a probability", "correct it") from None


def _attribute(where: str, element: Element, name: str) -> str:
    value = element.get(name, "").strip()
    if not value:
        expected = (
            '<topic number="1" type="faceted"> with <subtopic number="1" type="inf"> (TREC) or <intent '
            'number="1" probability="0.5"> (NTCIR INTENT) in it'
        )
        raise format_error(where, f"<{element.tag}> has no {name}", expected, "add it")
    return value
