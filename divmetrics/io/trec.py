"""Read TREC's diversity judgments and runs, and the topics of its Web track and of NTCIR INTENT."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from divmetrics.core.checks import quote
from divmetrics.errors import some
from divmetrics.io.columns import JUDGMENT_COLUMNS, LIST_COLUMNS, NO_SUBTOPIC, JudgmentColumns, RunColumns
from divmetrics.io.delimited import LineFormat, read_columns
from divmetrics.io.file_contents import Contents, file_stem, format_error
from divmetrics.io.file_warnings import warn_of_file
from divmetrics.io.headings import first_cells, headed, heading, refuse_numbered
from divmetrics.io.number_parsing import INTEGER, NUMBER, number
from divmetrics.io.string_column import StringColumn
from divmetrics.io.topic_hierarchy import Hierarchy, Subtopic
from divmetrics.io.topic_hierarchy import topics as with_probabilities
from divmetrics.io.validate import judgment_columns, run_columns, topic_id

if TYPE_CHECKING:
    from divmetrics.core.topics import Topic
    from divmetrics.io.formats import InputFile
    from divmetrics.io.xml import Element

QRELS = LineFormat(
    "TREC diversity judgments",
    {"topic": "text", "intent": "text", "doc": "text", "grade": "integer"},
    mistaken_for=(6, (3, 4), "a run"),
    heading="topic doc intent grade",
)
RUN = LineFormat(
    "a TREC run",
    {"topic": "text", "Q0": "text", "doc": "text", "rank": "integer", "score": "number", "tag": "text"},
    mistaken_for=(4, (3,), "a judgment file"),
    words_at_end=True,
    heading="topic doc score",
)
UNTAGGED_RUN = LineFormat(f"{RUN.name} without tags", dict([*RUN.columns.items()][:-1]))
NO_ITERATION = (b"q0", b"0")
BEIR_COLUMNS = {"topic": ("query_id",), "doc": ("corpus_id",), "grade": ("score",)}
RUN_NAMES = {"topic": LIST_COLUMNS["topic"], "doc": LIST_COLUMNS["doc"], "tag": ("run", "run_id", "name")}
DESCRIPTION_END = b"</SYSDESC>"  # NTCIR's runs may begin with a description of the system


def judgments(file: InputFile, _topics: object) -> JudgmentColumns:
    """Read judgments, lines `topic intent doc grade`, or of the columns that a heading names, in its order.

    Raises DivmetricsError, naming the line, if one is invalid, or if the heading has no intents and
    `file.ad_hoc` is False.
    """
    contents, form = file.contents.from_first_text(), QRELS
    names = heading(contents, JUDGMENT_COLUMNS, {"topic", "doc"}, {"grade"})
    of_beir = heading(contents, BEIR_COLUMNS, {"topic", "doc"}, {"grade"})
    if names := names or (of_beir if "corpus_id" in of_beir.values() else {}):
        if "intent" not in names and not file.ad_hoc:
            from divmetrics.io.dataframes import no_subtopics

            raise no_subtopics(contents.source)
        contents, form = contents.without_first_line(), headed(QRELS, names)
    else:
        refuse_numbered(contents, form)
    columns = read_columns(contents, form)
    wanted = ("topic", "intent", "subtopic", "doc", "grade")
    columns = {name: column for name, column in columns.items() if name in wanted}
    if "intent" not in columns:
        columns["intent"] = StringColumn.of([NO_SUBTOPIC] * len(columns["grade"]))
    return judgment_columns(contents.source, contents.line, **columns)


def run(file: InputFile) -> RunColumns:
    """Read a run, lines `topic Q0 doc rank score tag`, perhaps without tag, or of the columns of a heading.

    The run has the name of the file if there is no tag, or if one ranking has several. Without a column of
    scores, they are minus the ranks. Raises DivmetricsError, naming the line, if one is invalid, a document
    is listed twice for a topic, or the file holds several runs.
    """
    contents, form = file.contents, RUN
    if contents.starts_with(b"<"):
        end = contents.data.find(DESCRIPTION_END)
        contents = (
            contents.without_first_line() if end < 0 else contents.from_byte(end + len(DESCRIPTION_END))
        ).without_comments(RUN.description)
    contents = contents.from_first_text()
    if names := heading(contents, RUN_NAMES, {"topic", "doc"}, {"rank", "score"}):
        contents, form = contents.without_first_line(), headed(RUN, names)
    elif any(map(_has_no_tag, first_cells(contents))):
        form = UNTAGGED_RUN
    else:
        refuse_numbered(contents, form)
    columns = read_columns(contents, form)
    rank = columns.get("rank")
    score = columns["score"] if "score" in columns else -columns["rank"].astype(np.float64)
    tag = _tag(contents, columns)
    return run_columns(contents.source, contents.line, columns["topic"], columns["doc"], rank, score, tag)


def _has_no_tag(cells: Sequence[bytes]) -> bool:
    """Return whether a line has the columns of a run but its tag: Q0 or 0, and numbers, in their places."""
    return (
        len(cells) == len(UNTAGGED_RUN.columns)
        and cells[1].lower() in NO_ITERATION
        and INTEGER.fullmatch(cells[3]) is not None
        and NUMBER.fullmatch(cells[4]) is not None
    )


def _tag(contents: Contents, columns: Mapping[str, Any]) -> str:
    """Return the tag of a run, or the name of its file if it has none or several.

    Of tags that differ in what follows a blank, this is the word before it.

    Raises DivmetricsError if there are several and the lines may be of several runs: ranks or documents are
    repeated under another tag.
    """
    name = file_stem(contents.source)
    if "tag" not in columns:
        return name
    if columns["tag"].all_equal():
        return str(columns["tag"].take(np.zeros(1, dtype=np.int64)).tolist()[0])
    tags, rank = columns["tag"].encode(), columns.get("rank")
    topic, doc = columns["topic"].encode().codes, columns["doc"].encode().codes
    places = [doc] if rank is None else [doc, rank]
    if any(_n_distinct(topic, place, tags.codes) > _n_distinct(topic, place) for place in places):
        row = int(np.argmax(tags.codes > 0))
        what = f"has the tag {quote(tags[row])} but the lines before have {quote(tags[0])}"
        remedy = "split the file by its last column"
        if rank is not None and (rank == rank[0]).all():  # also where nobody wrote ranks
            remedy = f"write one tag on all lines of a run, or {remedy} if it holds several runs"
        raise format_error(contents.line(row), what, "one run per file", remedy)
    first_words = {tag.partition(" ")[0] for tag in tags.distinct.tolist()}
    if len(first_words) == 1:
        return first_words.pop()
    what = f"has {len(tags.distinct)} tags ({some(tags.distinct.tolist())}) in one run"
    warn_of_file(contents.source, "tags", f"{what}, which is named {name!r} after its file")
    return name


def _n_distinct(*columns: np.ndarray) -> int:
    """Return the number of distinct rows of some columns."""
    return len(np.unique(np.stack(columns, axis=1), axis=0))


def topics(file: InputFile, probabilities: str | None) -> tuple[Topic, ...]:
    """Read topics of the Web track, with equal probabilities, or of NTCIR INTENT, with its own.

    probabilities: as in `read_topics`. Raises DivmetricsError, naming the line, if the file is invalid.
    """
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
