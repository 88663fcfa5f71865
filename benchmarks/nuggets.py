"""Topics of many nuggets, as retrieval-augmented generation is judged, against pyndeval on the same files.

    python benchmarks/nuggets.py [--runs 30] [--rounds 5]

Whole processes, taken in turn; processor seconds (user and system) and seconds by the clock, the least of
some rounds. The job: 22 topics of 57 nuggets and 200 judged documents, then ten times as many topics;
alpha-nDCG@10, alpha-nDCG@20, ERR-IA@20, strec@20 in convention ndeval. "Computing" leaves out what a process
takes to start and to import. pyndeval knows no cutoff above 20, so alpha-nDCG@50 is measured here alone.
"""

from __future__ import annotations

import argparse
import math
import sys
import tempfile
from pathlib import Path

import numpy as np
from files_to_scores import largest_difference, oracle, ours, run_once

METRICS = ("alpha-nDCG@10", "alpha-nDCG@20", "ERR-IA@20", "strec@20")
NUGGETS, DOCUMENTS, LISTED = 57, 200, 100


def make_files(folder: Path, topics: int, runs: int, seed: int = 0) -> None:
    """Every pair is judged: 0, 1 (told in part) or 2. Some nuggets are told by many documents, most by few.

    Runs prefer documents that tell more.
    """
    random = np.random.default_rng(seed)
    lists: list[list[str]] = [[] for _ in range(runs)]
    with (folder / "qrels").open("w") as file:
        for topic in range(1, topics + 1):
            docs = [
                f"msmarco_v2.1_doc_{a:02d}_{b:09d}#{c}"
                for a, b, c in random.integers(0, (60, 10**9, 20), (DOCUMENTS, 3))
            ]
            shares = random.beta(0.6, 6, NUGGETS)  # the share of documents that tell a nugget
            rich = random.gamma(1.5, 1 / 1.5, DOCUMENTS)
            tells = random.random((DOCUMENTS, NUGGETS)) < np.minimum(rich[:, None] * shares, 0.95)
            grades = (tells * random.integers(1, 3, tells.shape)).tolist()
            for doc, of_doc in zip(docs, grades, strict=True):
                file.writelines(f"{topic} {i} {doc} {grade}\n" for i, grade in enumerate(of_doc, 1))
            for of_run in lists:
                keys = tells.sum(axis=1) + random.gumbel(scale=6, size=DOCUMENTS)
                for rank, d in enumerate(np.argsort(-keys)[:LISTED].tolist(), 1):
                    of_run.append(f"{topic} Q0 {docs[d]} {rank} {LISTED - rank}\n")
    for run, lines in enumerate(lists):
        (folder / f"run{run:03d}").write_text("".join(f"{line[:-1]} run{run:03d}\n" for line in lines))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--runs", type=int, default=30)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        empty = {
            "divmetrics": [sys.executable, "-c", "import divmetrics.cli, divmetrics.evaluation"],
            "pyndeval": [sys.executable, "-c", "import csv, sys, pyndeval"],
        }
        for topics in (22, 220):
            folder = Path(name) / f"{topics}"
            folder.mkdir()
            make_files(folder, topics, options.runs)
            mine, theirs, deep = (folder / f"{who}.csv" for who in ("ours", "theirs", "deep"))
            with_deep = (*METRICS, "alpha-nDCG@50")
            jobs = {
                "divmetrics": ours(folder, options.runs, METRICS, mine),
                "pyndeval": oracle(folder, options.runs, METRICS, theirs),
                "divmetrics, alpha-nDCG@50 too": ours(folder, options.runs, with_deep, deep),
                **{f"{who}, imports": command for who, command in empty.items()},
            }
            least = dict.fromkeys(jobs, (math.inf, math.inf))
            for _ in range(options.rounds):
                for job, command in jobs.items():
                    cost = run_once(command)
                    processor, clock = least[job]
                    least[job] = min(processor, cost.processor), min(clock, cost.clock)
            print(
                f"{topics} topics, {NUGGETS} nuggets, {DOCUMENTS} documents, {options.runs} runs; "
                f"largest difference from pyndeval: {largest_difference(mine, theirs):.1e}"
            )
            for job, (processor, clock) in least.items():
                print(f"  {job:30} {processor:6.2f} s of processor time, {clock:6.2f} s")
            whole = least["divmetrics"][0] / least["pyndeval"][0]
            computing = [least[who][0] - least[f"{who}, imports"][0] for who in empty]
            ratio = computing[0] / computing[1]
            print(f"  divmetrics / pyndeval: {whole:.2f} of processor time, {ratio:.2f} of computing alone")


if __name__ == "__main__":
    main()
