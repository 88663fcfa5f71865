"""Read NTCIREVAL's judgments with levels (.Dqrels) and intent probabilities (.Iprob; .DINprob with kinds).

Blanks, tabs or semicolons separate fields, even in one file, since the files of NTCIR rounds differ. So no
id can have a semicolon.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from divmetrics.core.checks import quote
from divmetrics.core.collection import Intent, Topic, sum_of
from divmetrics.core.tolerances import SUM_EXPECTED, sums_to_one
from divmetrics.io.columns import JudgmentColumns
from divmetrics.io.delimited import LineFormat, read_columns
from divmetrics.io.file_contents import Contents, format_error
from divmetrics.io.formats import LEVEL
from divmetrics.io.trec import SUBTOPIC_KINDS
from divmetrics.io.validate import judgment_columns, topic_id

if TYPE_CHECKING:
    from divmetrics.io.formats import InputFile

QRELS = LineFormat(
    "NTCIREVAL judgments",
    {"topic": "text", "intent": "text", "doc": "text", "level": "text"},
    mistaken_for=(6, (3, 4), "a run"),
)
PROBABILITIES = LineFormat(
    "NTCIREVAL intent probabilities", {"topic": "text", "intent": "text", "probability": "number"}
)
WITH_KINDS = LineFormat(
    "NTCIREVAL intent probabilities with kinds", {**PROBABILITIES.columns, "kind": "text"}
)


def judgments(file: InputFile, _topics: object) -> JudgmentColumns:
    """Read judgments `topic intent doc L0`, `L1` ...; intent 0 marks documents relevant to no intent."""
    contents = _without_semicolons(file.contents)
    columns = read_columns(contents, QRELS)
    encoded = columns.pop("level").encode()
    level_of, levels = encoded.codes, encoded.distinct.tolist()
    wrong = next((i for i, level in enumerate(levels) if not LEVEL.fullmatch(level)), None)
    if wrong is not None:
        what = f"{quote(levels[wrong])} is not a level (the file begins with {quote(levels[0])})"
        expected = f"L0, L1, L2 ... there, in {QRELS.description}"
        remedy = "write the grades of all lines with L, or of all without"
        raise format_error(contents.line(int(np.argmax(level_of == wrong))), what, expected, remedy)
    grade = np.array([int(level[1:]) for level in levels], dtype=np.int64)[level_of]
    return judgment_columns(contents.source, contents.line, grade=grade, **columns)


def topics(file: InputFile, probabilities: str | None) -> tuple[Topic, ...]:
    """Read topics in order of appearance; intents are informational in files without kinds."""
    form = PROBABILITIES if len(file.first_fields) == 3 else WITH_KINDS
    contents = _without_semicolons(file.contents)
    topics = []
    for topic, rows in _intents(contents, form).items():
        intents = tuple(rows.values())
        total = sum_of(intent.probability for intent in intents)
        if probabilities == "uniform":
            intents = tuple(replace(intent, probability=1 / len(intents)) for intent in intents)
        elif not sums_to_one(total):
            what = f"the probabilities of topic {topic}, which begins here, sum to {total:.6g}"
            remedy = "correct them or read the file with probabilities='uniform'"
            raise format_error(contents.line(min(rows)), what, SUM_EXPECTED, remedy)
        topics.append(Topic(topic, intents))
    return tuple(topics)


def _intents(contents: Contents, form: LineFormat) -> dict[str, dict[int, Intent]]:
    """Return {topic: {row: intent}}; raise DivmetricsError, naming the line, if a row is invalid."""
    columns = read_columns(contents, form)
    names, ids = columns["topic"].tolist(), columns["intent"].tolist()
    kinds = columns["kind"].tolist() if "kind" in columns else ["inf"] * len(names)
    row_of: dict[tuple[str, str], int] = {}
    intents: dict[str, dict[int, Intent]] = {}
    for row, probability in enumerate(columns["probability"].tolist()):
        topic, intent, kind = topic_id(names[row]), ids[row], kinds[row]
        subject = f"intent {intent} of topic {topic}"
        first = row_of.setdefault((topic, intent), row)
        if first != row:
            what = f"{subject} is given again (first at {contents.line(first)})"
            expected = "every intent of a topic once"
            raise format_error(contents.line(row), what, expected, "remove one of the two")
        if probability < 0:
            what = f"{subject} has the probability {probability:g}"
            raise format_error(contents.line(row), what, "a number of at least 0", "correct it")
        if kind not in SUBTOPIC_KINDS:
            what = f"{subject} is of the kind {quote(kind)}, which is unknown"
            raise format_error(contents.line(row), what, "nav or inf", "correct it")
        intents.setdefault(topic, {})[row] = Intent(intent, probability, SUBTOPIC_KINDS[kind])
    return intents


def _without_semicolons(contents: Contents) -> Contents:
    return replace(contents, data=contents.data.replace(b";", b" "))
