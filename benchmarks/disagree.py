"""How long `disagree` takes, against scoring the same lists one by one; and how near a search comes.

    python benchmarks/disagree.py

The query "harry potter" of `divmetrics.research.datasets`. A loop would score each list by itself and then
still have to compare every pair; only the scoring is measured, on a sample, and counted for the same
number of lists.
"""

from __future__ import annotations

import time

import numpy as np

import divmetrics as dm

PAIRS = (("ERR-IA", "D#-nDCG"), ("alpha-nDCG", "nDCG-IA"), ("alpha-nDCG", "alpha-nDCG-IS"))
SAMPLE = 300  # lists scored one by one
SHARES = (0.01, 0.1)  # of the lists, as the budget of a search
SEEDS = 5


def main() -> None:
    """Measure and print."""
    potter = dm.datasets.harry_potter()
    (pool,) = potter.pools.values()
    for m1, m2 in PAIRS:
        for length in (3, 4, 5):
            names = f"{m1}@{length}", f"{m2}@{length}"
            exact, seconds = timed(*names, pool, length, budget=10**6)
            near, edits = timed(*names, pool, length, budget=10**6, find="edits")
            lists = exact.searched.lists
            alone = one_by_one(names, pool, length) * lists
            print(f"{' and '.join(names)}: {lists:,} lists in {seconds:.2f} s", end="")
            print(f" (scored one by one: {alone / seconds:.0f} times as long);", end=" ")
            print(f"fewest edits ({near.edits}) in {edits:.2f} s")
            for share in SHARES:
                results = [
                    timed(*names, pool, length, budget=int(lists * share), seed=seed)[0]
                    for seed in range(SEEDS)
                ]
                reached = [min(f.margins) / min(exact.margins) if f else 0.0 for f in results]
                print(f"    a search of {share:.0%} of them finds {min(reached):.1%} of the margin", end="")
                print(f" at worst, {np.mean(reached):.1%} on average ({SEEDS} seeds)")


def timed(m1: str, m2: str, pool: dm.Judgments, length: int, **options: object) -> tuple[object, float]:
    """What `disagree` finds, and the seconds it takes."""
    started = time.perf_counter()
    result = dm.disagree(m1, m2, pool, length, **options)
    return result, time.perf_counter() - started


def one_by_one(names: tuple[str, str], pool: dm.Judgments, length: int) -> float:
    """Seconds to score one list under both metrics."""
    random = np.random.default_rng(0)
    lists = [
        dm.RankedList(pool.topic, random.choice(pool.docs, length, replace=False).tolist(), pool)
        for _ in range(SAMPLE)
    ]
    metrics = [dm.metric(name) for name in names]
    started = time.perf_counter()
    for ranked in lists:
        for metric in metrics:
            metric.score(ranked)
    return (time.perf_counter() - started) / SAMPLE


if __name__ == "__main__":
    main()
