"""How does the work grow with topics, runs, judged documents, intents and the cutoff?

    python benchmarks/growth.py [--size 1.0] [--rounds 3]

Each is scored at a size and at four times it, in processor seconds (the least of some rounds, so that other
work on the machine counts for little). The exponent is log4 of their ratio: 1 is linear, less where fixed
costs are shared. The status is 1 where it is above 1.2 and the work ought to be linear.
"""

from __future__ import annotations

import argparse
import math
import time
import warnings
from collections.abc import Callable

import numpy as np

import divmetrics as dm
from divmetrics.evaluation import score_runs

TIMES = 4
MOST = 1.2
METRICS = ("ERR-IA@20", "alpha-nDCG@20", "D#-nDCG@20", "Q-IA@20", "RBU@20")


def collection(
    topics: int = 1, runs: int = 1, docs: int = 100, intents: int = 4, length: int = 100, shared: bool = True
) -> dm.Collection:
    """Random judgments and lists; shared: the topics' intents have the same ids."""
    random = np.random.default_rng(0)
    described, grades, lists = [], {}, {f"r{r}": {} for r in range(runs)}  # type: ignore[var-annotated]
    for t in range(topics):
        ids = [f"{'' if shared else t}i{i}" for i in range(intents)]
        described.append(dm.Topic(f"{t}", tuple(dm.Intent(i, 1 / intents) for i in ids)))
        matrix = random.integers(0, 3, (docs, intents)) * (random.random((docs, intents)) < 0.3)
        names = [f"d{d:06d}" for d in range(max(docs, length))]
        grades[f"{t}"] = {
            names[d]: {ids[i]: int(row[i]) for i in np.flatnonzero(row)} for d, row in enumerate(matrix)
        }
        for of_run in lists.values():
            of_run[f"{t}"] = [names[d] for d in random.permutation(len(names))[:length]]
    return dm.Collection.of(described, grades, lists)


def measured(collection: dm.Collection, metrics: tuple[str, ...]) -> Callable[[], object]:
    """Return a function that scores a new copy of the collection, without cached arrays."""
    return lambda: score_runs(collection.select(collection.pools), None, metrics)


Job = tuple[str, bool, Callable[[int], Callable[[], object]]]


def jobs(size: float) -> list[Job]:
    """What grows, whether its work is linear, and how it is made for a number."""

    def times(n: float) -> int:
        return max(1, round(size * n))

    def explained(k: int) -> Callable[[], object]:
        ranked = collection().list("r0", "0")
        return lambda: dm.explain_in_words(f"RBU@{k}", ranked)

    def loaded(n: int) -> Callable[[], object]:
        import pandas as pd

        rows = [(str(t), f"{t}i{i}", f"d{i}", 1) for t in range(n) for i in range(3)]
        frame = pd.DataFrame(rows, columns=["topic", "intent", "doc", "grade"])
        return lambda: dm.load_collection(frame)

    def read(n: int) -> Callable[[], object]:
        import pandas as pd

        names = np.repeat([f"r{r}" for r in range(n)], 10)
        rows = {"run": names, "topic": "0", "doc": [*map(str, range(10))] * n, "rank": 1, "score": 1.0}
        frame = pd.DataFrame(rows)
        return lambda: dm.load_runs(frame, "file")

    return [
        ("topics", True, lambda n: measured(collection(topics=times(150) * n), METRICS)),
        ("topics, intents of their own, loaded", True, lambda n: loaded(times(800) * n)),
        ("runs", True, lambda n: measured(collection(topics=5, runs=times(60) * n), METRICS)),
        ("runs of one DataFrame, read", True, lambda n: read(times(400) * n)),
        ("judged documents", True, lambda n: measured(collection(docs=times(1500) * n), METRICS)),
        ("intents", True, lambda n: measured(collection(docs=300, intents=times(100) * n), METRICS)),
        (
            "cutoff",
            True,
            lambda n: measured(
                collection(length=8000),
                tuple(f"{m[:-2]}{times(1500) * n}" for m in METRICS if "alpha" not in m),
            ),
        ),
        ("cutoff, in words", True, lambda n: explained(times(2000) * n)),
        (
            "nuggets of 20 topics, greedy ideal",
            True,
            lambda n: measured(collection(topics=20, docs=200, intents=times(50) * n), ("alpha-nDCG@20",)),
        ),
        (
            "judged documents of 50 nuggets, greedy ideal",
            True,
            lambda n: measured(collection(docs=times(500) * n, intents=50), ("alpha-nDCG@20",)),
        ),
        (
            "judged documents, greedy ideal of the whole list",
            False,
            lambda n: measured(collection(docs=times(100) * n, intents=20), ("alpha-nDCG",)),
        ),
    ]


def seconds(work: Callable[[], object], rounds: int) -> float:
    """The least processor time of some rounds."""
    least = math.inf
    for _ in range(rounds):
        start = time.process_time()
        work()
        least = min(least, time.process_time() - start)
    return least


def main() -> int:
    """Measure and print."""
    warnings.simplefilter("ignore", dm.DivmetricsWarning)
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--size", type=float, default=1.0)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    seconds(measured(collection(), METRICS), 1)  # what is imported and remembered once
    print(f"{'what grows':50} {'s':>8} {f's x{TIMES}':>8} {'exponent':>9}")
    steep = False
    for name, linear, make in jobs(options.size):
        few, many = (seconds(make(n), options.rounds) for n in (1, TIMES))
        exponent = math.log(many / few, TIMES)
        steep = steep or (linear and exponent > MOST)
        print(f"{name:50} {few:8.3f} {many:8.3f} {exponent:9.2f}{'' if linear else '  (not linear)'}")
    return int(steep)


if __name__ == "__main__":
    raise SystemExit(main())
