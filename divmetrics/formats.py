"""Write scores as text: CSV in full precision, an aligned table, or the CSV of the TREC program ndeval."""

from __future__ import annotations

import csv
from typing import IO

import numpy as np

from divmetrics.errors import DivmetricsError, printable
from divmetrics.evaluation import Scores
from divmetrics.render.tables import Cell, text_table

MEAN = "all"  # the topic column of a mean over topics, as in trec_eval

AT = (5, 10, 20)
NDEVAL_COLUMNS = (
    *(f"{name}@{k}" for name in ("ERR-IA", "nERR-IA", "alpha-DCG", "alpha-nDCG") for k in AT),
    *("NRBP", "nNRBP", "MAP-IA"),
    *(f"{name}@{k}" for name in ("P-IA", "strec") for k in AT),
)


def write_csv(scores: Scores, mean: bool, file: IO[str]) -> None:
    """Write a heading and the columns run, topic, metric, score to an open text file, as CSV.

    The rows are those of `Scores.rows`, scores as their repr. If `mean`, rows with the means follow, with
    "all" as the topic.
    """
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(("run", "topic", "metric", "score"))
    writer.writerows((run, topic, name, repr(value)) for run, topic, name, value in scores.rows())
    if mean:
        for run, row in zip(scores.runs, scores.means().tolist(), strict=True):
            writer.writerows((run, MEAN, name, repr(v)) for name, v in zip(scores.metrics, row, strict=True))


def write_table(scores: Scores, mean: bool, file: IO[str]) -> None:
    """Write an aligned table to an open text file: a line per run and topic, a column per metric.

    Scores have four decimals. If `mean`, a line for each run follows, with "all" as the topic.
    """
    runs, topics = list(map(printable, scores.runs)), list(map(printable, scores.topics))
    lines = [
        (runs[r], topics[t], scores.values[r, t]) for r, t in zip(*np.nonzero(scores.scored), strict=True)
    ]
    if mean:
        lines += [(run, MEAN, row) for run, row in zip(runs, scores.means(), strict=True)]
    head = [Cell("run"), Cell("topic"), *(Cell(f"{name:>7}", right=True) for name in scores.metrics)]
    rows = [
        [Cell(run), Cell(topic), *(Cell(f"{value:.4f}", right=True) for value in row)]
        for run, topic, row in lines
    ]
    print(text_table(head, rows, underlined=False), file=file)


def write_ndeval(scores: Scores, tag: str, over_judged: bool, file: IO[str]) -> None:
    """Write the CSV of the program ndeval to an open text file: topics in numeric order, then `amean`.

    scores: of one run, with the metrics `NDEVAL_COLUMNS`. tag: the run's name. over_judged: the mean is over
    all judged topics (ndeval -c), not those that the run answers. A topic of the run without judgments is a
    line of zeros, as ndeval prints it. Raises DivmetricsError if a topic is not a number.
    """
    zeros = np.zeros(len(NDEVAL_COLUMNS))
    lines = {
        topic: row
        for topic, row, answered in zip(scores.topics, scores.values[0], scores.answered[0], strict=True)
        if answered
    }
    judged = len(scores.topics) if over_judged else len(lines)
    total = sum(lines.values(), zeros)
    lines |= dict.fromkeys(scores.unjudged[0], zeros)
    print(",".join(("runid", "topic", *NDEVAL_COLUMNS)), file=file)
    for topic in sorted(lines, key=_number):
        print(",".join((tag, topic, *(f"{value:.6f}" for value in lines[topic]))), file=file)
    print(",".join((tag, "amean", *(f"{value / judged:.6f}" for value in total))), file=file)


def _number(topic: str) -> int:
    try:
        return int(topic)
    except ValueError:
        raise DivmetricsError(
            f"topic {topic!r} is not a number, which ndeval's format needs; use --format csv"
        ) from None
