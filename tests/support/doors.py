"""One table of inputs and outcomes for all doors: file, DataFrame, dict, command line, ir_measures.

A test module writes a list of `Case` and one test:

    @through_every_door(CASES)
    def test_outcome(case: Case, door: Door, tmp_path: Path) -> None:
        case.check(door, tmp_path)

Every door makes of the case what its users hold: the text of two files, two tables, two nested dicts,
`divmetrics evaluate`, or `Qrel` and `ScoredDoc`. A case that can only be text (a comment, a byte order mark)
gives `text` or `run_text` without rows and runs through the doors that open files; a door that needs an
object of its own (a dict nested in another way) finds it in `objects`.
"""

from __future__ import annotations

import contextlib
import csv
import io
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

import pandas as pd
import pytest

import divmetrics as dm
from divmetrics.cli import main

Door = Literal["file", "frame", "dict", "command line", "ir_measures"]
DOORS: tuple[Door, ...] = get_args(Door)
OPENS_FILES: tuple[Door, ...] = ("file", "command line")
JUDGMENT, LISTED = ("topic", "intent", "doc", "grade"), ("topic", "doc", "score")
WARNING, REFUSAL = "divmetrics: warning: ", "divmetrics: "


@dataclass(frozen=True)
class Outcome:
    """What came out of a door: scores by topic, or the sentence of a refusal; and the warnings."""

    scores: Mapping[str, float] | None
    refusal: str = ""
    warned: tuple[str, ...] = ()


@dataclass(frozen=True)
class Case:
    """An input and its outcome, which is the same through every door.

    name: of the test. rows: (topic, intent, doc, grade), run: (topic, doc, score), in the types of a user's
    own objects; texts of files are made of them unless `text` or `run_text` (str or bytes) are given.
    topics: {topic: {intent: probability}}, from which a file of NTCIREVAL is made unless there is
    `topics_text`. probabilities: the choice with which topics are read. objects, run_objects: the judgments
    and the run of a door, instead of those made of rows.
    scores: by topic, or only their mean; None for a refusal. facts: parts that the refusal or the only
    warning contains; with scores and no facts, nothing may be warned of. doors: those that can hold it.
    """

    name: str
    rows: Sequence[tuple[Any, ...]] = ()
    run: Sequence[tuple[Any, ...]] = ()
    metric: str = "ERR-IA@5"
    scores: Mapping[str, float] | float | None = None
    facts: Sequence[str] = ()
    text: str | bytes | None = None
    run_text: str | bytes | None = None
    topics: Mapping[Any, Mapping[Any, float]] | None = None
    topics_text: str | bytes | None = None
    probabilities: str | None = None
    objects: Mapping[Door, Any] = field(default_factory=dict)
    run_objects: Mapping[Door, Any] = field(default_factory=dict)
    doors: Sequence[Door] = DOORS

    def can_enter(self, door: Door) -> bool:
        """Whether the input has a form for this door."""
        has_rows = bool(self.rows or door in self.objects) and bool(self.run or door in self.run_objects)
        return door in self.doors and (
            door in OPENS_FILES or (has_rows and (self.topics_text is None or self.topics is not None))
        )

    def check(self, door: Door, folder: Path) -> None:
        """Assert that the outcome at a door is the case's; files are written into `folder`."""
        outcome = self.outcome(door, folder)
        sentences = (outcome.refusal,) if outcome.scores is None else outcome.warned
        if self.scores is None:
            assert outcome.scores is None, f"scores instead of a refusal: {outcome}"
        else:
            assert outcome.scores is not None, outcome.refusal
            if isinstance(self.scores, Mapping):
                assert outcome.scores == pytest.approx(dict(self.scores), abs=1e-9), outcome
            else:
                assert sum(outcome.scores.values()) / len(outcome.scores) == pytest.approx(
                    self.scores, abs=1e-9
                )
        assert len(sentences) == (self.scores is None or bool(self.facts)), sentences
        for fact in self.facts:
            assert fact in sentences[0], (fact, sentences[0])

    def outcome(self, door: Door, folder: Path) -> Outcome:
        """Send the input through a door."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("ignore")
            warnings.simplefilter("always", dm.DivmetricsWarning)
            try:
                outcome = _THROUGH[door](self, folder)
            except dm.DivmetricsError as error:
                outcome = Outcome(None, str(error))
        warned = tuple(dict.fromkeys([*outcome.warned, *(str(warning.message) for warning in caught)]))
        return Outcome(outcome.scores, outcome.refusal, warned)

    def read_topics(self, topics: Any) -> Any:
        """Return topics in any form, read with the choice of probabilities if there is one."""
        return topics if self.probabilities is None else dm.read_topics(topics, self.probabilities)

    def files(self, folder: Path) -> tuple[str, str, str | None]:
        """Write the files of judgments, run and topics (if any); return their paths."""
        judgments = _lines(self.rows) if self.text is None else self.text
        ranked = [(topic, "Q0", doc, k, score, "run") for k, (topic, doc, score) in enumerate(self.run, 1)]
        run = _lines(ranked) if self.run_text is None else self.run_text
        topics = self.topics_text
        if topics is None and self.topics is not None:
            topics = _lines([(t, i, p) for t, intents in self.topics.items() for i, p in intents.items()])
        return (
            _written(folder / "judgments", judgments),
            _written(folder / "run", run),
            None if topics is None else _written(folder / "topics", topics),
        )


def through_every_door(cases: Sequence[Case]) -> pytest.MarkDecorator:
    """Parametrise a test (case, door, tmp_path) with every case at every door that it can enter."""
    names = [case.name for case in cases]
    assert len(set(names)) == len(names), "two cases have one name"
    through = [(case, door) for case in cases for door in DOORS if case.can_enter(door)]
    ids = [f"{case.name}-{door}" for case, door in through]
    return pytest.mark.parametrize(("case", "door"), through, ids=ids)


def _file(case: Case, folder: Path) -> Outcome:
    judgments, run, topics = case.files(folder)
    return _scored(case, judgments, run, case.read_topics(topics))


def _frame(case: Case, _: Path) -> Outcome:
    judgments = _table(case.objects.get("frame"), case.rows, JUDGMENT)
    run = _table(case.run_objects.get("frame"), case.run, LISTED)
    topics = None
    if case.topics is not None:
        rows = [(topic, i, p) for topic, intents in case.topics.items() for i, p in intents.items()]
        topics = case.read_topics(pd.DataFrame(rows, columns=["topic", "intent", "probability"]))
    return _scored(case, judgments, run, topics)


def _dict(case: Case, _: Path) -> Outcome:
    judgments: dict[Any, dict[Any, dict[Any, Any]]] = {}
    for topic, intent, doc, grade in case.rows:
        judgments.setdefault(topic, {}).setdefault(doc, {})[intent] = grade
    run: dict[Any, dict[Any, Any]] = {}
    for topic, doc, score in case.run:
        run.setdefault(topic, {})[doc] = score
    topics = None if case.topics is None else case.read_topics(case.topics)
    return _scored(case, case.objects.get("dict", judgments), case.run_objects.get("dict", run), topics)


def _command_line(case: Case, folder: Path) -> Outcome:
    judgments, run, topics = case.files(folder)
    more = [] if topics is None else ["--topics", topics]
    more += [] if case.probabilities is None else ["--probabilities", case.probabilities]
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main(["evaluate", judgments, run, "-m", case.metric, *more])
    lines = err.getvalue().splitlines()
    warned = tuple(line.removeprefix(WARNING) for line in lines if line.startswith(WARNING))
    if status:
        (refusal,) = (line.removeprefix(REFUSAL) for line in lines if not line.startswith(WARNING))
        return Outcome(None, refusal, warned)
    rows = csv.DictReader(io.StringIO(out.getvalue()))
    return Outcome({row["topic"]: float(row["score"]) for row in rows}, warned=warned)


def _ir_measures(case: Case, _: Path) -> Outcome:
    import ir_measures

    import divmetrics.adapters.ir_measures as div

    qrels = case.objects.get("ir_measures")
    if qrels is None:
        qrels = [ir_measures.Qrel(topic, doc, grade, intent) for topic, intent, doc, grade in case.rows]
    run = case.run_objects.get("ir_measures")
    if run is None:
        run = [ir_measures.ScoredDoc(*row) for row in case.run]
    topics = None if case.topics is None else case.read_topics(case.topics)
    with div.with_topics(topics) if topics is not None else contextlib.nullcontext():
        scored = ir_measures.iter_calc([div.measure(case.metric)], qrels, run)
        return Outcome({str(metric.query_id): metric.value for metric in scored})


_THROUGH: Mapping[Door, Callable[[Case, Path], Outcome]] = {
    "file": _file,
    "frame": _frame,
    "dict": _dict,
    "command line": _command_line,
    "ir_measures": _ir_measures,
}


def _scored(case: Case, judgments: Any, run: Any, topics: Any) -> Outcome:
    frame = dm.evaluate(judgments, run, [case.metric], topics)
    return Outcome(dict(zip(frame["topic"], frame["score"].tolist(), strict=True)))


def _table(own: Any, rows: Sequence[tuple[Any, ...]], columns: Sequence[str]) -> Any:
    return pd.DataFrame(rows, columns=list(columns)) if own is None else own


def _lines(rows: Sequence[tuple[Any, ...]]) -> str:
    return "".join(" ".join(map(str, row)) + "\n" for row in rows)


def _written(path: Path, content: str | bytes) -> str:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return str(path)
