"""Read NTCIREVAL's judgments with levels (.Dqrels) and intent probabilities (.Iprob; .DINprob with kinds).

Blanks, tabs or semicolons separate fields, even in one file, since the files of NTCIR rounds differ. So no
id can have a semicolon.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from divmetrics.core.checks import quote
from divmetrics.io.columns import JudgmentColumns
from divmetrics.io.delimited import LineFormat, read_columns
from divmetrics.io.file_contents import Contents, format_error
from divmetrics.io.formats import LEVEL
from divmetrics.io.headings import headed
from divmetrics.io.topic_hierarchy import topics_of_rows
from divmetrics.io.validate import judgment_columns

if TYPE_CHECKING:
    from divmetrics.core.topics import Topic
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
    """Read judgments, lines `topic intent doc L2`; the number after L is the grade.

    The intent "0", of documents that are relevant to no intent, is kept as one. Raises DivmetricsError,
    naming the line, if one is invalid.
    """
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
    """Read topics, lines `topic intent probability [kind]`, perhaps below a heading, in order of appearance.

    Without kinds, all intents are informational. probabilities: as in `read_topics`. Raises DivmetricsError,
    naming the line, if one is invalid.
    """
    fields = file.first_fields if len(file.first_fields) in (3, 4) else file.first_cells
    form = PROBABILITIES if len(fields) == 3 else WITH_KINDS
    if names := file.heading_of_intents:
        contents, form = file.contents.from_first_text().without_first_line(), headed(form, names)
    else:
        contents = _without_semicolons(file.contents)
    columns = read_columns(contents, form)
    topic, intent, probability = (columns[name].tolist() for name in PROBABILITIES.columns)
    kind = columns["kind"].tolist() if "kind" in columns else [""] * len(topic)
    rows = zip(contents.row_places(), topic, intent, probability, kind, strict=True)
    return topics_of_rows(contents.source, rows, probabilities)


def _without_semicolons(contents: Contents) -> Contents:
    return replace(contents, data=contents.data.replace(b";", b" "))
