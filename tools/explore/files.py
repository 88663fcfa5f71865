"""Valid and slightly invalid files of every format, through the command line.

A second reading of the files (`reference_readers`) and the naive metrics of the tests give the expected
scores. The program must refuse what they refuse: status 2, one sentence, nothing on stdout. Another spelling
of a file (line ends, blanks, compression, order) must not change the scores.
"""

from __future__ import annotations

import contextlib
import csv
import importlib
import io
import math
import random
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from divmetrics.cli import main
from divmetrics.errors import UNPRINTABLE, DivmetricsError
from divmetrics.io.run_preferences import read_preferences
from tools.explore import Effort, SearchResult, reference_readers
from tools.explore.malformed_files import mutate_file, rewritten
from tools.explore.random_collections import World, world
from tools.explore.reference_readers import RefusedFile

TRIES = 1000  # for --times 1
PROCESSES = 250  # every so many tries, a process of its own must say the same
LARGEST_GRADE = (
    60  # beyond it a score has to be finite or refused, no more: the reference computes with floats
)


@dataclass
class Outcome:
    """Status, output and errors of a run of the command line."""

    status: int
    out: str
    err: str

    def scores(self) -> dict[tuple[str, str, str], float]:
        rows = list(csv.reader(io.StringIO(self.out, newline="")))
        return {(run, topic, name): float(value) for run, topic, name, value in rows[1:]}


def in_process(arguments: list[str]) -> Outcome:
    out, err = io.StringIO(newline=""), io.StringIO(newline="")
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            status = main(arguments)
        except SystemExit as ended:
            status = ended.code if isinstance(ended.code, int) else 1
    return Outcome(status, out.getvalue(), err.getvalue())


def check_form(outcome: Outcome) -> str:
    """Return what is wrong with the form of an outcome, whatever its numbers; empty if it is right."""
    lines = outcome.err.removesuffix("\n").split("\n") if outcome.err else []
    sentences = [line for line in lines if not line.startswith("divmetrics: warning: ")]
    if UNPRINTABLE.search("".join(lines)):
        return "a control character in a message"
    if any("Warning" in line or "encountered in" in line for line in lines):
        return "a warning that is not ours"
    if outcome.status == 0:
        if sentences:
            return "status 0, and more than warnings"
        bad = [key for key, value in outcome.scores().items() if not math.isfinite(value)]
        return f"a score that is no number: {bad[0]}" if bad else ""
    if outcome.status != 2:
        return f"status {outcome.status}"
    if len(sentences) != 1 or not sentences[0].startswith("divmetrics: "):
        return f"{len(sentences)} lines in place of one sentence"
    return "a refusal with something on stdout" if outcome.out else ""


def expected(files: World) -> dict[tuple[str, str, str], float] | None:
    """Return the scores of the second readers and the reference; None for grades beyond the reference."""
    reference = importlib.import_module("tests.support.reference")
    data = files.files
    topics, labels = (
        reference_readers.topics(data["topics"], files.choice) if "topics" in data else (None, {})
    )
    judged = reference_readers.judgments(data["qrels"], topics, labels)
    read = {name: reference_readers.run(data[name], name) for name in data if name.startswith("run")}
    tags = [tag for tag, _ in read.values()]
    names = tags if len(set(tags)) == len(tags) else list(read)
    described = {topic.id: topic for topic in topics or ()}
    of_topic: dict[str, Any] = {}
    for topic in dict.fromkeys(topic for topic, _ in judged):
        mine = {doc: labels for (of, doc), labels in judged.items() if of == topic}
        present = {
            intent for labels in mine.values() for (intent, _), g in labels.items() if intent != "0" or g > 0
        }
        if topics is None:
            ids = sorted(present) or ["0"]
            of_topic[topic] = reference_readers.Topic(
                topic, [reference_readers.Intent(i, 1 / len(ids)) for i in ids]
            )
        elif topic not in described or present - {i.id for i in described[topic].intents}:
            raise RefusedFile("not in the topics file")
        else:
            of_topic[topic] = described[topic]
            children = {(i.id, child.id) for i in described[topic].intents for child in i.children}
            below = {pair for labels in mine.values() for pair in labels if pair[1]}
            if children and below - children:
                raise RefusedFile("a second level that is not in the topics file")
    if not all(set(lists) & set(of_topic) for _, lists in read.values()):
        raise RefusedFile("no topic in common")
    listed = [(topic, doc) for _, lists in read.values() for topic in lists for doc, _, _ in lists[topic]]
    if not any(pair in judged for pair in listed) and any(
        doc in {i.id for i in of_topic[topic].intents} for topic, doc in listed if topic in of_topic
    ):
        raise RefusedFile("documents as intents")
    cases = {}
    for name, (_, lists) in zip(names, read.values(), strict=True):
        for topic, meant in of_topic.items():
            labels_of: dict[str, dict[Any, int]] = {}
            for (of, doc), grades in judged.items():
                if of == topic:
                    labels_of[doc] = {key if key[1] else key[0]: grade for key, grade in grades.items()}
            ranking = reference_readers.ordered(lists.get(topic, []), files.order)
            cases[name, topic] = reference.case_of(meant, labels_of, ranking, 0, 0)
    top = max((g for case in cases.values() for of in case.grades for g in of.values()), default=0)
    if top > LARGEST_GRADE:
        return None
    scores = {}
    for (name, topic), case in cases.items():
        case.top = max(top, 1)
        for metric in files.metrics:
            plain, cutoff = metric.rsplit("@", 1)
            scores[name, topic, metric] = reference.METRICS[plain](case, int(cutoff))
    return scores


def judged(files: World, outcome: Outcome) -> str:
    """Return what is wrong with an outcome; empty if it is right."""
    wrong = check_form(outcome)
    if wrong:
        return wrong
    try:
        scores = expected(files)
    except RefusedFile as reason:
        return "" if outcome.status == 2 else f"read, although the second reading refuses it ({reason})"
    if scores is None:
        return ""
    if outcome.status == 2:
        return "refused, although the second reading takes it"
    got = outcome.scores()
    if got.keys() != scores.keys():
        return f"other rows: {sorted(got.keys() ^ scores.keys())[:3]}"
    return "" if same(got, scores, 1e-6) else f"the reference has {scores}, not {got}"


def same(some: Mapping[Any, float], other: Mapping[Any, float], tolerance: float) -> bool:
    """Return whether two tables have the same scores; a probability in a file may have only six digits."""
    close = (
        math.isclose(some[key], other[key], rel_tol=tolerance, abs_tol=1e-12) for key in some.keys() & other
    )
    return some.keys() == other.keys() and all(close)


def one_try_of_preferences(rng: random.Random, folder: Path) -> tuple[str, str]:
    """Read a file of preferences by its reader: the command line takes only a whole study."""
    judges = rng.randint(1, 3)
    lines = [" ".join(["left", "right", "topic", *(f"judge{j}" for j in range(judges)), "status"])]
    for row in range(rng.randint(1, 4)):
        lines.append(" ".join(["A", "B", f"{row}", *(str(rng.randint(-2, 2)) for _ in range(judges)), "ok"]))
    change, data = mutate_file(
        rng, "preferences", "\n".join([*lines, ""]).encode(), {"this": b"left right\n"}
    )
    (folder / "preferences.txt").write_bytes(data)
    read: list[tuple[str, ...]] | None = None
    with contextlib.suppress(DivmetricsError):
        frame = read_preferences(folder / "preferences.txt")
        columns = ["left", "right", "topic", "judge", "preference"]
        read = sorted(tuple(map(str, row)) for row in frame[columns].itertuples(index=False))
    expected: list[tuple[str, ...]] | None = None
    with contextlib.suppress(RefusedFile):
        expected = sorted(reference_readers.preferences(data))
    kind = "mutated preferences, " + ("refused" if read is None else "read")
    return (
        kind,
        "" if read == expected else f"{change}\n{data!r}\nread {read}, by the second reading {expected}",
    )


def one_try(rng: random.Random, folder: Path, alone: bool) -> tuple[str, str]:
    """Return the kind of the example, and its problem or an empty text."""
    if rng.random() < 0.03:
        return one_try_of_preferences(rng, folder)
    files = world(rng)
    kind = rng.choice(["rewritten", "mutated", "mutated", "mutated"])
    try:
        if kind == "rewritten":
            before = in_process(files.write(folder))
            for name in rng.sample(list(files.files), rng.randint(1, len(files.files))):
                change, files.files[name] = rewritten(rng, name, files.files[name], files.order)
                files.changes.append(change)
            after = in_process(files.write(folder))
            problem = judged(files, after) if before.status == 0 else f"good files are refused: {before.err}"
            if not problem and not same(before.scores(), after.scores(), 1e-12):  # sums have another order
                problem = "another writing changes the scores"
        else:
            name = rng.choice([*files.files, *(["topics"] if "topics" in files.files else [])])
            change, files.files[name] = mutate_file(rng, name, files.files[name], files.files)
            files.changes.append(change)
            after = in_process(files.write(folder))
            problem = judged(files, after)
            kind = f"mutated {name.rstrip('0123456789')}, " + ("refused" if after.status else "read")
        if not problem and after.status == 0:
            table = in_process([*files.write(folder), "--format", "table"])
            if table.status or UNPRINTABLE.search(table.out.replace("\n", "")):
                problem = "a table with a control character in it, or none"
        if not problem and alone:
            command = [sys.executable, "-m", "divmetrics", *files.write(folder)]
            done = subprocess.run(command, capture_output=True)
            alike = Outcome(done.returncode, done.stdout.decode(), done.stderr.decode()) == after
            problem = "" if alike else f"a process of its own says {done.stderr.decode()[-300:]!r}"
    except Exception:
        problem = traceback.format_exc(limit=-4)
    if problem:
        contents = "\n".join(f"{name}: {data[:700]!r}" for name, data in files.files.items())
        problem = (
            f"{'; '.join(files.changes)}\n{problem}\n{files.choice} {files.order} {files.metrics}\n{contents}"
        )
    return kind, problem


def explore(effort: Effort) -> Iterator[SearchResult]:
    """Yield a SearchResult for each kind of example; the same seed gives the same files."""
    counts, seconds, failures = Counter[str](), dict[str, float](), dict[str, str]()
    with tempfile.TemporaryDirectory() as folder:
        for number in range(TRIES * effort.times):
            start = time.perf_counter()
            rng = random.Random(f"{effort.seed} {number}")
            kind, problem = one_try(rng, Path(folder), alone=number % PROCESSES == 0)
            counts[kind] += 1
            seconds[kind] = seconds.get(kind, 0) + time.perf_counter() - start
            if problem:
                failures.setdefault(kind, f"try {number}: {problem}")
    for kind in sorted(counts):
        if effort.only in kind:
            yield SearchResult(kind, counts[kind], seconds[kind], failures.get(kind, ""))
