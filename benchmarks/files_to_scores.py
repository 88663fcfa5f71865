"""From files to scores, against pyndeval fed from the same files by plain Python.

    python benchmarks/files_to_scores.py [--runs 48] [--rounds 5]

Whole processes, taken in turn, csv written; medians and ratios of one run are printed. The job: 48 runs of
1,000 documents for 50 topics of up to 6 intents; alpha-nDCG@20, ERR-IA@20, strec@20, NRBP, P-IA@20, MAP-IA
in convention ndeval. Then the same with twice the runs, and with 30 metrics.
"""

from __future__ import annotations

import argparse
import csv
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

SIX = ("alpha-nDCG@20", "ERR-IA@20", "strec@20", "NRBP", "P-IA@20", "MAP-IA")
THIRTY = (*SIX, *(f"{name}@{k}" for name in ("alpha-nDCG", "ERR-IA", "strec", "P-IA") for k in range(2, 8)))

ORACLE = """
import csv, sys, pyndeval
qrels, output, *runs = sys.argv[1:]
with open(qrels) as lines:
    judged = [(t, i, d, int(g)) for t, i, d, g in map(str.split, lines)]
evaluator = pyndeval.RelevanceEvaluator(judged, measures={metrics!r})
with open(output, "w", newline="") as file:
    writer = csv.writer(file)
    for run in runs:
        with open(run) as lines:
            listed = [(f[0], f[2], float(f[4])) for f in map(str.split, lines)]
        for topic, scores in evaluator.evaluate(listed).items():
            writer.writerows((run, topic, metric, score) for metric, score in scores.items())
"""


def make_files(folder: Path, runs: int, seed: int = 0) -> None:
    """Judgments with 500 judged documents a topic, and runs that prefer those."""
    random = np.random.default_rng(seed)
    pools: dict[int, np.ndarray] = {}
    with (folder / "qrels").open("w") as file:
        for topic in range(1, 51):
            parts = random.integers(0, (134, 100, 40_000), size=(4_000, 3)).tolist()
            docs = list(dict.fromkeys(f"clueweb09-en{a:04d}-{b:02d}-{c:05d}" for a, b, c in parts))
            pools[topic] = np.array(docs)
            grades = (random.random((500, int(random.integers(2, 7)))) < 0.12).astype(int)
            for doc, row in zip(docs, grades.tolist(), strict=False):
                file.writelines(f"{topic} {i} {doc} {grade}\n" for i, grade in enumerate(row, 1))
    for run in range(runs):
        with (folder / f"run{run:03d}").open("w") as file:
            for topic, docs in pools.items():
                keys = random.random(len(docs)) ** np.where(np.arange(len(docs)) < 500, 1 / 3, 1)
                listed = docs[np.argsort(-keys)[:1_000]].tolist()
                scores = np.arange(1_000, 0, -1) - 0.9 * random.random(1_000)  # no ties
                file.writelines(
                    f"{topic} Q0 {doc} {rank} {score:.6f} run{run:03d}\n"
                    for rank, (doc, score) in enumerate(zip(listed, scores.tolist(), strict=True), 1)
                )


class Cost(NamedTuple):
    """What one process took: seconds by the clock and of processors (user and system), peak megabytes."""

    clock: float
    processor: float
    peak: float


def run_once(command: Sequence[str]) -> Cost:
    """Run one process to its end."""
    start = time.perf_counter()
    # As in an installation: compiled modules are kept.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL, env=environment)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{' '.join(command[:4])} ... failed with status {process.returncode}")
    peak = usage.ru_maxrss / (1e3 if platform.system() == "Linux" else 1e6)
    return Cost(time.perf_counter() - start, usage.ru_utime + usage.ru_stime, peak)


def ours(folder: Path, runs: int, metrics: Sequence[str], output: Path) -> list[str]:
    """The command line that scores the first runs."""
    named = [argument for metric in metrics for argument in ("-m", metric)]
    files = [str(folder / f"run{run:03d}") for run in range(runs)]
    evaluate = [sys.executable, "-m", "divmetrics", "evaluate", str(folder / "qrels"), *files]
    return [*evaluate, "--convention", "ndeval", "-o", str(output), *named]


def oracle(folder: Path, runs: int, metrics: Sequence[str], output: Path) -> list[str]:
    """pyndeval on the same files."""
    files = [str(folder / f"run{run:03d}") for run in range(runs)]
    script = ORACLE.format(metrics=list(metrics))
    return [sys.executable, "-c", script, str(folder / "qrels"), str(output), *files]


def largest_difference(mine: Path, theirs: Path) -> float:
    """Between the two csv files, over all scores of the oracle."""
    with mine.open() as file:
        rows = csv.reader(file)
        next(rows)
        expected = {(run, topic, metric): float(score) for run, topic, metric, score in rows}
    with theirs.open() as file:
        return max(
            abs(expected[Path(run).name, topic, metric] - float(score))
            for run, topic, metric, score in csv.reader(file)
        )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--runs", type=int, default=48)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_files(folder, 2 * options.runs)
        mine, theirs = folder / "ours.csv", folder / "theirs.csv"
        jobs = {
            "divmetrics": ours(folder, options.runs, SIX, mine),
            "pyndeval": oracle(folder, options.runs, SIX, theirs),
            "divmetrics, twice the runs": ours(folder, 2 * options.runs, SIX, folder / "twice.csv"),
            "divmetrics, 30 metrics": ours(folder, options.runs, THIRTY, folder / "thirty.csv"),
        }
        seconds: dict[str, list[float]] = {job: [] for job in jobs}
        processor: dict[str, list[float]] = {job: [] for job in jobs}
        memory: dict[str, float] = dict.fromkeys(jobs, 0.0)
        for turn in range(options.rounds + 1):
            for job, command in jobs.items():
                cost = run_once(command)
                if turn:  # the first round warms the file cache
                    seconds[job].append(cost.clock)
                    processor[job].append(cost.processor)
                memory[job] = max(memory[job], cost.peak)
        print(f"largest difference from pyndeval: {largest_difference(mine, theirs):.1e}")
        print(f"{options.runs} runs, {options.rounds} rounds, medians of whole processes")
        median = {job: statistics.median(times) for job, times in seconds.items()}
        for job, value in median.items():
            spent = statistics.median(processor[job])
            print(f"  {job:28} {value:6.2f} s   {spent:6.2f} s of processors   peak {memory[job]:4.0f} MB")
        pairs = zip(seconds["pyndeval"], seconds["divmetrics"], strict=True)
        times = statistics.median(b / a for b, a in pairs)
        print(f"pyndeval / divmetrics: {times:.2f} (3 where nothing else runs)")
        pairs = zip(processor["divmetrics"], processor["pyndeval"], strict=True)
        share = statistics.median(a / b for a, b in pairs)
        print(f"divmetrics / pyndeval, of processors: {share:.2f} (at most 0.4)")
        for job in ("twice the runs", "30 metrics"):
            times = median[f"divmetrics, {job}"] / median["divmetrics"]
            print(f"{job}: {times:.2f} times the job (at most 2)")


if __name__ == "__main__":
    main()
