"""NTCIREVAL: judgments with levels (.Dqrels) and intent probabilities (.Iprob; .DINprob with kinds).

Fields stand between blanks, tabs or semicolons, as the files of different NTCIR rounds have them, and one
file may mix them. A semicolon is white space here: no id can hold one.
"""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from divmetrics.core.checks import quote
from divmetrics.core.collection import Intent, Topic, sum_of
from divmetrics.core.tolerances import SUM_EXPECTED, sums_to_one
from divmetrics.io.columns import JudgmentColumns
from divmetrics.io.delimited import LineFormat, read_columns
from divmetrics.io.file_contents import Contents, format_error
from divmetrics.io.trec import SUBTOPIC_KINDS
from divmetrics.io.validate import judgment_columns, topic_id

QRELS = LineFormat(
    "NTCIREVAL judgments",
    {"topic": "text", "intent": "text", "doc": "text", "level": "text"},
    mistaken_for=(6, "a run"),
)
PROBABILITIES = LineFormat(
    "NTCIREVAL intent probabilities", {"topic": "text", "intent": "text", "probability": "number"}
)
PROBABILITIES_WITH_KINDS = LineFormat(
    "NTCIREVAL intent probabilities with kinds",
    {"topic": "text", "intent": "text", "probability": "number", "kind": "text"},
)
FORMS = {len(form.columns): form for form in (PROBABILITIES, PROBABILITIES_WITH_KINDS)}

LEVEL = re.compile(r"L[0-9]{1,18}")  # as many digits as 64 bits always hold
GRADE = re.compile(r"L?[0-9]+|-[0-9]+")
FIRST_LINE = re.compile(rb"[^\s;][^\r\n]*")


def is_judgments(contents: Contents) -> bool:
    """Whether the first line ends in a level such as L1, where TREC's judgments have a plain number."""
    return any(LEVEL.fullmatch(field) for field in first_line(contents)[-1:])


def is_topics(contents: Contents) -> bool:
    """Whether the first line has as many columns as intent probabilities have, and is no judgment."""
    fields = first_line(contents)
    return len(fields) in FORMS and not (len(fields) == 4 and GRADE.fullmatch(fields[3]))


def judgments(contents: Contents) -> JudgmentColumns:
    """Judgments `topic intent doc L0`, `L1` ...; intent 0 marks documents that are relevant to none."""
    contents = _without_semicolons(contents)
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


def topics(contents: Contents, probabilities: str | None) -> tuple[Topic, ...]:
    """Topics in the order in which they first occur; intents are informational where no kind is given."""
    form = FORMS[len(first_line(contents))]
    contents = _without_semicolons(contents)
    read = []
    for topic, rows in _intents(contents, form).items():
        intents = tuple(rows.values())
        total = sum_of(intent.probability for intent in intents)
        if probabilities == "uniform":
            intents = tuple(replace(intent, probability=1 / len(intents)) for intent in intents)
        elif not sums_to_one(total):
            what = f"the probabilities of topic {topic}, which begins here, sum to {total:.6g}"
            remedy = "correct them or read the file with probabilities='uniform'"
            raise format_error(contents.line(min(rows)), what, SUM_EXPECTED, remedy)
        read.append(Topic(topic, intents))
    return tuple(read)


def _intents(contents: Contents, form: LineFormat) -> dict[str, dict[int, Intent]]:
    """{topic: {row: intent}}, every row checked."""
    columns = read_columns(contents, form)
    names, ids = columns["topic"].tolist(), columns["intent"].tolist()
    kinds = columns["kind"].tolist() if "kind" in columns else ["inf"] * len(names)
    row_of: dict[tuple[str, str], int] = {}
    found: dict[str, dict[int, Intent]] = {}
    for row, probability in enumerate(columns["probability"].tolist()):
        topic, intent, kind = topic_id(names[row]), ids[row], kinds[row]
        subject = f"intent {intent} of topic {topic}"
        first = row_of.setdefault((topic, intent), row)
        if first != row:
            what = f"{subject} is given again (first at {contents.line(first)})"
            raise format_error(
                contents.line(row), what, "every intent of a topic once", "remove one of the two"
            )
        if probability < 0:
            what = f"{subject} has the probability {probability:g}"
            raise format_error(contents.line(row), what, "a number of at least 0", "correct it")
        if kind not in SUBTOPIC_KINDS:
            what = f"{subject} is of the kind {quote(kind)}, which is unknown"
            raise format_error(contents.line(row), what, "nav or inf", "correct it")
        found.setdefault(topic, {})[row] = Intent(intent, probability, SUBTOPIC_KINDS[kind])
    return found


def first_line(contents: Contents) -> list[str]:
    """The fields of the first line that has any."""
    found = FIRST_LINE.search(contents.data)
    fields = found.group().replace(b";", b" ").split() if found else []
    return [field.decode(errors="replace") for field in fields]


def _without_semicolons(contents: Contents) -> Contents:
    return replace(contents, data=contents.data.replace(b";", b" "))
