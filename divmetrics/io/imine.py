"""Read NTCIR IMine's topics with subtopics on two levels, and judgments of documents for the second.

Two forms of the same data are read: the organisers' XML (IMine.Qrel.SM*.xml: subtopics with their
probabilities `poss`; IMine.Qrel.DR*.xml: judgments that name second-level subtopics by label), and a tidy
re-encoding (topics.json; `trec` reads its judgments, lines with the heading `topic fls sls doc grade`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from divmetrics.core.checks import quote
from divmetrics.core.topics import Topic
from divmetrics.errors import DivmetricsError, did_you_mean
from divmetrics.io.columns import JudgmentColumns
from divmetrics.io.file_contents import Contents, format_error
from divmetrics.io.json_records import Record, records
from divmetrics.io.number_parsing import integer
from divmetrics.io.string_column import StringColumn
from divmetrics.io.topic_hierarchy import Hierarchy, Subtopic
from divmetrics.io.topic_hierarchy import topics as with_probabilities
from divmetrics.io.validate import judgment_columns

if TYPE_CHECKING:
    from divmetrics.io.formats import CallersTopics, InputFile
    from divmetrics.io.xml import Element

IRRELEVANT = 1  # grade 0; relevance is 0 inaccessible, 1 irrelevant, 2 relevant, 3 very relevant
JUDGMENTS_FORM = "IMine judgments (<doc docid queryid relevance sls>)"


def topics(file: InputFile, probabilities: str | None) -> tuple[Topic, ...]:
    """Read topics with subtopics on two levels, in file order; in XML, the ids of subtopics count from 1.

    probabilities: as in `read_topics`. Raises DivmetricsError, naming the line, if the file is invalid.
    """
    source = file.contents.source
    if file.root is None:
        return with_probabilities(source, _hierarchies_from_json(file.contents), probabilities)
    hierarchies = []
    for topic in file.elements("topic"):
        subtopics = tuple(_subtopics_from_xml(source, topic, "fls"))
        where = f"{source}:{topic.line}"
        hierarchies.append(Hierarchy(where, topic.get("id", ""), topic.get("content", ""), "", subtopics))
    return with_probabilities(source, hierarchies, probabilities)


def _subtopics_from_xml(source: str, parent: Element, tag: str) -> Iterator[Subtopic]:
    for count, element in enumerate(parent.all(tag), 1):
        where, label = f"{source}:{element.line}", element.get("content", "")
        try:
            probability = float(element.get("poss", ""))
        except ValueError:
            what = f"poss {quote(element.get('poss', ''))} of {tag} {quote(label)} is not a number"
            raise format_error(where, what, "a probability", "correct it") from None
        yield Subtopic(str(count), label, probability, tuple(_subtopics_from_xml(source, element, "sls")))


def _hierarchies_from_json(contents: Contents) -> Iterator[Hierarchy]:
    """Parse topics.json, which has ids and types."""
    for record in records(
        contents, "a list of topics with id, title, type and fls, as in IMine's topics.json"
    ):
        subtopics = tuple(_subtopics_from_json(record, "fls", below=2))
        title, kind = record.text("title", empty=True), record.text("type", empty=True)
        yield Hierarchy(record.where, record.id("id"), title, kind, subtopics)


def _subtopics_from_json(parent: Record, key: str, below: int) -> Iterator[Subtopic]:
    """Parse the subtopics in a list; at most `below` levels may follow below them."""
    for record in parent.records(key, f"{key} number"):
        children = _subtopics_from_json(record, "sls", below - 1) if below and record.has("sls") else ()
        label, probability = record.text("label", empty=True), record.number("probability")
        yield Subtopic(record.id("id"), label, probability, tuple(children))


def judgments(file: InputFile, callers_topics: CallersTopics) -> JudgmentColumns:
    """Read the organisers' judgments of second-level subtopics; a grade is the relevance - 1.

    callers_topics: returns the topics, whose second-level labels are the subtopics' names in the file. Raises
    DivmetricsError if they are None, the file is invalid, or a label is not among the topics.
    """
    source, topics = file.contents.source, callers_topics()
    if topics is None:
        raise format_error(
            source,
            "names second-level subtopics by label only",
            "the topics that these labels belong to",
            "give as topics the file IMine.Qrel.SME.xml, SMC.xml or topics.json, or what was read from it",
        )
    subtopics = _subtopics_by_label(topics)
    judged = {topic for topic, _ in subtopics}
    columns: dict[str, list[str]] = {name: [] for name in ("topic", "intent", "subtopic", "doc")}
    grades, lines = [], []
    for element in file.elements("relevance/doc"):
        if "sls" not in element.attrib:  # the first block judges documents for the topic as a whole
            continue
        topic, label, doc, relevance = (
            element.get(name, "") for name in ("queryid", "sls", "docid", "relevance")
        )
        where = f"{source}:{element.line}"
        try:
            grade = integer(relevance.encode()) - IRRELEVANT
        except ValueError:
            grade = None
        if not (topic and doc and grade is not None):
            what = f"<doc docid={quote(doc)} queryid={quote(topic)} relevance={quote(relevance)}>"
            raise format_error(where, what, "both ids and an integer relevance", "correct it")
        if (topic, label) not in subtopics:
            labels = [other for of, other in subtopics if of == topic]
            what = (
                f"document {quote(doc)} is judged for {quote(label)}, which is not a subtopic of topic "
                f"{topic}{did_you_mean(label, labels)}"
                if topic in judged
                else f"topic {topic} is judged but not among the topics given"
            )
            raise format_error(
                where, what, "a second-level label of the topics", "give the matching topics file"
            )
        intent, subtopic = subtopics[topic, label]
        for name, value in zip(columns, (topic, intent, subtopic, doc), strict=True):
            columns[name].append(value)
        grades.append(grade)
        lines.append(element.line)
    if not grades:
        what = "has no judgment of a subtopic"
        raise format_error(source, what, JUDGMENTS_FORM, "give a file with <doc sls=...>")
    arrays = {name: StringColumn.of(values) for name, values in columns.items()}
    return judgment_columns(
        source, lambda row: f"{source}:{lines[row]}", grade=np.array(grades, dtype=np.int64), **arrays
    )


def _subtopics_by_label(topics: Sequence[Topic]) -> dict[tuple[str, str], tuple[str, str]]:
    """Return {(topic, second-level label): (first-level id, second-level id)}."""
    by_label: dict[tuple[str, str], tuple[str, str]] = {}
    for topic in topics:
        for intent in topic.intents:
            for child in intent.children:
                if (topic.id, child.label) in by_label:
                    raise DivmetricsError(
                        f"topic {topic.id}: two second-level subtopics have the label {child.label!r}, "
                        "expected different ones, since IMine's judgments name them by label; change one"
                    )
                by_label[topic.id, child.label] = intent.id, child.id
    if not by_label:
        raise DivmetricsError(
            "the topics given have no second-level subtopics, expected those that IMine's judgments name; "
            "give the topics file itself, or read it with probabilities='uniform' or 'normalise'"
        )
    return by_label
