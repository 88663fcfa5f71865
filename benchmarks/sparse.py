"""Millions of judgments that leave most pairs of intent and document unjudged, and a dense pool.

    python benchmarks/sparse.py [--size 1.0] [--rounds 3]

Whole processes: 2.4 million judgments of 50 topics with 60 intents, each document judged for one of them, and
2 million lines of 40 runs; then as many judgments of 2,000 topics, their documents judged for every intent,
and 2 million lines in one run. Printed are processor seconds (user and system, the least and the median of
some rounds, in turns) and peak megabytes. pyndeval reads 4 runs of 250 documents, and judgments of 1,000
documents for each topic, since its time grows with the square of these; and a dense pool: 10 runs of 1,000
documents, 1,000 documents of each of 50 topics judged for all of 6 intents, its 21 metrics. The status is 1
where a process takes more than 900 MB or a ratio to pyndeval is above 0.6.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from pathlib import Path

import numpy as np
from files_to_scores import Cost, largest_difference, oracle, ours, run_once

MOST, RATIO = 900, 0.6
INTENTS = 60
COMPARED = ("alpha-nDCG@20", "ERR-IA@20", "strec@20")
# pyndeval's own choice.
OFFICIAL = (
    *(f"{name}@{k}" for name in ("ERR-IA", "nERR-IA", "alpha-DCG", "alpha-nDCG") for k in (5, 10, 20)),
    *("NRBP", "nNRBP", "MAP-IA", *(f"{name}@{k}" for name in ("P-IA", "strec") for k in (5, 10, 20))),
)
DEFAULT = ("alpha-nDCG@20", "ERR-IA@20", "D#-nDCG@10")


def make_files(
    folder: Path, topics: int, docs: int, judged: int, runs: int, listed: int, intents: int = INTENTS
) -> None:
    """Write judgments of `docs` documents per topic, each for `judged` intents; runs prefer these."""
    random = np.random.default_rng(0)
    folder.mkdir()
    files = [(folder / f"run{run:03d}").open("w") for run in range(runs)]
    with (folder / "qrels").open("w") as qrels:
        for topic in range(1, topics + 1):
            ids = random.choice(10**9, max(docs, 3 * listed // 2), replace=False)
            names = np.array([f"msmarco_v2.1_doc_{number:09d}" for number in ids.tolist()])
            first = random.integers(0, intents, docs)
            grades = (random.random((docs, judged)) < 0.3) * random.integers(1, 4, (docs, judged))
            for doc, start, of_doc in zip(names.tolist(), first.tolist(), grades.tolist(), strict=False):
                qrels.writelines(
                    f"{topic} {(start + at) % intents + 1} {doc} {grade}\n" for at, grade in enumerate(of_doc)
                )
            for run, file in enumerate(files):
                keys = random.random(len(names)) ** np.where(np.arange(len(names)) < docs, 1 / 3, 1)
                file.writelines(
                    f"{topic} Q0 {doc} {rank} {listed - rank} run{run:03d}\n"
                    for rank, doc in enumerate(names[np.argsort(-keys)[:listed]].tolist(), 1)
                )
    for file in files:
        file.close()


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--size", type=float, default=1.0)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        few, many, sample, dense = (Path(name) / which for which in ("50", "2000", "sample", "dense"))
        make_files(few, 50, round(48_000 * options.size), 1, 40, round(1_000 * options.size))
        make_files(many, round(2_000 * options.size), 20, INTENTS, 1, 1_000)
        make_files(sample, 50, 1_000, 1, 4, 250)
        make_files(dense, 50, 1_000, 6, 10, 1_000, intents=6)
        mine, theirs, scores = (Path(name) / f"{who}.csv" for who in ("ours", "theirs", "default"))
        dense_mine, dense_theirs = (Path(name) / f"{who}_dense.csv" for who in ("ours", "theirs"))
        jobs = {
            "50 topics": _in_paper(ours(few, 40, DEFAULT, scores)),
            "2,000 topics": _in_paper(ours(many, 1, DEFAULT, scores)),
            "divmetrics": ours(sample, 4, COMPARED, mine),
            "pyndeval": oracle(sample, 4, COMPARED, theirs),
            "divmetrics, dense": ours(dense, 10, OFFICIAL, dense_mine),
            "pyndeval, dense": oracle(dense, 10, OFFICIAL, dense_theirs),
        }
        costs: dict[str, list[Cost]] = {job: [] for job in jobs}
        for _ in range(options.rounds):
            for job, command in jobs.items():
                costs[job].append(run_once(command))
        largest = max(largest_difference(mine, theirs), largest_difference(dense_mine, dense_theirs))
        print(f"largest difference from pyndeval: {largest:.1e}")
    for job, of_job in costs.items():
        spent = [cost.processor for cost in of_job]
        print(
            f"  {job:17} {min(spent):6.2f} s of processors (median {statistics.median(spent):6.2f}), "
            f"peak {max(cost.peak for cost in of_job):5.0f} MB"
        )
    ratios = []
    for which in ("", ", dense"):
        pairs = zip(costs[f"divmetrics{which}"], costs[f"pyndeval{which}"], strict=True)
        ratios.append(statistics.median(a.processor / b.processor for a, b in pairs))
        print(f"divmetrics / pyndeval{which}: {ratios[-1]:.2f} (at most {RATIO})")
    peak = max(cost.peak for job, of_job in costs.items() if "pyndeval" not in job for cost in of_job)
    print(f"peak {peak:.0f} MB (at most {MOST})")
    return int(max(ratios) > RATIO or peak > MOST)


def _in_paper(command: list[str]) -> list[str]:
    """Return the command without its convention, so that it uses the definitions of the papers."""
    at = command.index("--convention")
    return command[:at] + command[at + 2 :]


if __name__ == "__main__":
    raise SystemExit(main())
