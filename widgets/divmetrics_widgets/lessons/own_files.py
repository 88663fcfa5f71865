"""Lesson 22: its files, slips in them, the choices that its conclusions are tried under, and its checks."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path

import pandas as pd

from divmetrics.core.runs import RankedList
from divmetrics.errors import DivmetricsError
from divmetrics.evaluation import evaluate
from divmetrics.io import read_topics
from divmetrics.io.loading import load_collection
from divmetrics.io.run_loading import load_runs
from divmetrics.registry.parse import metric
from divmetrics_widgets.check import Check
from divmetrics_widgets.lessons.slips import compare

NTCIR = {
    "my.Dqrels": "0001 1 a L2\n0001 1 b L1\n0001 2 b L2\n0001 2 c L0\n0002 1 d L1\n",
    "my.DINprob": "0001 1 0.75 inf\n0001 2 0.25 nav\n0002 1 1.0 inf\n",
    "my.run": "0001 Q0 a 1 9 mine\n0001 Q0 c 2 8 mine\n0001 Q0 b 3 8 mine\n0002 Q0 x 1 5 mine\n",
}
IMINE = {
    "topics.xml": """<root><topic id="0051" content="jaguar">
<fls content="animal" poss="0.75"><sls content="food" poss="0.5"/>
<sls content="zoo" poss="0.25"/></fls>
<fls content="car" poss="0.25"><sls content="price" poss="0.25"/></fls></topic></root>""",
    "judged.xml": """<data><relevance>
<doc docid="d1" queryid="0051" relevance="3" sls="price"/>
<doc docid="d1" queryid="0051" relevance="2" sls="zoo"/>
<doc docid="d2" queryid="0051" relevance="2" sls="food"/>
<doc docid="d3" queryid="0051" relevance="1" sls="zoo"/></relevance></data>""",
    "jaguar.run": "0051 Q0 d1 1 9 r\n0051 Q0 d3 2 8 r\n0051 Q0 d2 3 7 r\n",
}
TIED = {"tied.run": "0001 Q0 a 1 5 t\n0001 Q0 b 2 7 t\n0001 Q0 c 3 7 t\n"}
WRONG = {
    "bad.DINprob": "0001 1 0.75 inf\n0001 2 0.2 nav\n0002 1 1.0 inf\n",
    "bad.run": "0001 Q0 a 1 nine mine\n",
    "other.run": "0009 Q0 a 1 9 mine\n",
}
EXAMPLES = ("harry_potter.qrels", "film.run", "mixed.run")
NTCIR_FILES = ("my.Dqrels", "my.run", "my.DINprob")
TOGETHER = [  # judgments, run and topics, if any
    ("harry_potter.qrels", "film.run", ""),
    NTCIR_FILES,
    ("judged.xml", "jaguar.run", "topics.xml"),
]
RENAMED = [(files, place) for files in TOGETHER for place in range(3) if files[place]]


def prepare() -> str:
    """Move to a new folder with the lesson's files; return the command that runs divmetrics."""
    folder = Path(tempfile.mkdtemp())
    for name in EXAMPLES:
        shutil.copy(Path("../examples") / name, folder)
    for name, text in {**NTCIR, **IMINE, **TIED, **WRONG}.items():
        (folder / name).write_text(text)
    os.chdir(folder)
    os.environ["PYTHONPATH"] = os.pathsep.join(map(str, sys.path))
    return f'"{sys.executable}" -m divmetrics'


def _scores(judgments: str, run: str, topics: str) -> tuple[float, ...]:
    of = read_topics(topics, probabilities="normalise") if topics else None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        table = evaluate(judgments, run, ["ERR-IA@3", "D#-nDCG@3"], of)
    return tuple(table["score"])


def same_under_another_name(files: tuple[str, str, str], place: int) -> bool:
    """Return whether the scores are the same if judgments, run or topics are in a file called `x.txt`."""
    shutil.copy(files[place], "x.txt")
    judgments, run, topics = (name if n != place else "x.txt" for n, name in enumerate(files))
    return _scores(judgments, run, topics) == _scores(*files)


# -- slips --------------------------------------------------------------------------------------------------


def _changed(names: Sequence[str], swapped: bool) -> Iterator[tuple[str, str, int, int, str]]:
    """Yield each file with one field changed: the kind of slip, and file, line, field and text.

    The field is `oops`, `-1` or left out, or, if `swapped`, it has another value of its column.
    """
    for name in names:
        text = Path(name).read_text()
        rows = [line.split() for line in text.splitlines()]
        for n, row in enumerate(rows):
            for k, value in enumerate(row):
                slips_of: dict[str, list[list[str]]] = {"oops, -1, nothing": [["oops"], ["-1"], []]}
                if swapped:
                    others = sorted({each[k] for each in rows} - {value})
                    slips_of["another value"] = [[other] for other in others]
                for kind, news in slips_of.items():
                    for new in news:
                        changed = [*rows[:n], [*row[:k], *new, *row[k + 1 :]], *rows[n + 1 :]]
                        yield kind, name, n + 1, k, "\n".join(map(" ".join, changed)) + "\n"


def _outcome(judgments: str, run: str, topics: str, metric: str) -> tuple[tuple[float, ...] | str, list[str]]:
    """Score a run; return the scores and the warnings, or the line that refuses a file."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            table = evaluate(judgments, run, metric, topics or None)
        except DivmetricsError as error:
            return str(error), []
    return tuple(table["score"]), [str(each.message) for each in caught]


def slips(judgments: str, run: str, topics: str, metric: str, swapped: bool = True) -> pd.DataFrame:
    """Make one slip at a time in some files; return its kind, file, field and outcome, a row each.

    topics: the name of the file, or "". swapped: also replace each field by other values of its column.
    """
    files = [name for name in (judgments, topics, run) if name]
    right = {name: Path(name).read_text() for name in files}
    scores, known = _outcome(judgments, run, topics, metric)
    rows = []
    for kind, name, line, field, text in _changed(files, swapped):
        Path(name).write_text(text)
        result, said = _outcome(judgments, run, topics, metric)
        Path(name).write_text(right[name])
        if isinstance(result, str):
            exact, near = f":{line}:" in result, f"{name}:" in result.removeprefix(f"{name}: ")
            outcome = "refused: " + ("the line" if exact else "another line" if near else "no line")
        else:
            how = "with a new warning" if set(said) - set(known) else "silently"
            outcome = f"read {how}, " + ("same scores" if result == scores else "other scores")
        rows.append((kind, name, field, outcome))
    return pd.DataFrame(rows, columns=["kind", "file", "field", "outcome"])


def slips_in_trec(metric: str) -> tuple[int, int, int, int]:
    """Count the slips in TREC's files that are hardly ever right.

    Return how many there are, how many are refused or bring a warning, and how many wrong intents change a
    score silently.
    """
    table = slips("harry_potter.qrels", "mixed.run", "", metric, swapped=False)
    outcome = table["outcome"]
    intents = (table["file"] == "harry_potter.qrels") & (table["field"] == 1)
    silent = outcome == "read silently, other scores"
    refused, warned = (outcome.str.startswith(how) for how in ("refused", "read with a new warning"))
    return len(table), int(refused.sum()), int(warned.sum()), int((silent & intents).sum())


# -- order and gaps -----------------------------------------------------------------------------------------

METRICS = ["ERR-IA", "D#-nDCG", "alpha-nDCG", "P-IA", "S-recall", "RBP-IA"]


def _score(name: str, docs: list[str]) -> float:
    pool = load_collection("my.Dqrels", "my.DINprob").pools["0001"]
    return round(float(metric(name).score(RankedList(pool.topic, docs, pool))), 9)


def tie_decides(name: str, cutoff: int) -> bool:
    """Return whether the score of `tied.run` depends on which of its tied documents is first."""
    return _score(f"{name}@{cutoff}", ["c", "b", "a"]) != _score(f"{name}@{cutoff}", ["b", "c", "a"])


def column_decides(name: str, cutoff: int) -> bool:
    """Return whether scores and rank column of `tied.run` give it different scores."""
    by_score, by_rank = (list(load_runs("tied.run", by)[0].list("0001")) for by in ("score", "rank"))
    return _score(f"{name}@{cutoff}", by_score) != _score(f"{name}@{cutoff}", by_rank)


def mean_with_a_gap(convention: str) -> float:
    """Return the mean of a run that answers topic 0001 and not 0002, as a share of its score for 0001."""
    Path("half.run").write_text("0001 Q0 a 1 9 half\n")
    files = "my.Dqrels", "half.run", "ERR-IA@1", "my.DINprob"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        mean = evaluate(*files, convention=convention, mean=True)["ERR-IA@1"].iloc[0]
        return float(mean / evaluate(*files, convention=convention)["score"].max())


# -- the exercises ------------------------------------------------------------------------------------------

# Exercise 1
WHY_1 = "Each intent by itself, times its probability."


@Check.number(0, 1, decimals=4)
def of_three(answer: float) -> bool | str:
    """Check ERR-IA@3 of my.run."""
    given, equal = (
        RankedList(judged.topic, ["a", "c", "b"], judged)
        for judged in (
            load_collection("my.Dqrels", "my.DINprob").pools["0001"],
            load_collection("my.Dqrels").pools["0001"],
        )
    )
    at_1, at_3 = metric("ERR-IA@1"), metric("ERR-IA@3")
    slips_of = {
        float(at_1.score(given)): "that is rank 1 alone",
        float(at_3.score(equal)): "that is with equal probabilities",
    }
    return compare(answer, float(at_3.score(given)), slips_of, within=1e-4, near=1e-4)


# Exercise 2
WHY_2 = "Higher scores first, and no tie that the ids would settle."


@Check.several([range(21)] * 2, make=tuple)
def same_list(answer: tuple[int, int]) -> bool | str:
    """Check scores of a and b with which scores, ranks and lines describe one list."""
    a, b = answer
    Path("yours.run").write_text(f"0001 Q0 a 1 {a} t\n0001 Q0 b 2 {b} t\n0001 Q0 c 3 7 t\n")
    by_score = load_runs("yours.run", "score")[0].list("0001")
    return by_score == ("a", "b", "c") or f"by score the list is {' '.join(by_score)}"
