"""How far the greedy ideal of alpha-nDCG@20 falls short of the exact one, and what the exact one takes.

    python benchmarks/exact_ideal.py [--seeds 5] [--limit 5] [--highs]

With DIVMETRICS_DATA set: the 100 topics of TREC Web 2009 and 2012, both directions of ties, in one process.
Then random topics of 8 to 12 intents, and of up to 60 with a time limit; with --highs, some of the former as
integer programmes in HiGHS as well. Set OPENBLAS_NUM_THREADS=1 beside other work.
"""

from __future__ import annotations

import argparse
import itertools
import os
import resource
import sys
import time
import warnings
from pathlib import Path

import numpy as np

import divmetrics as dm
from divmetrics.conventions.paper import alpha_nDCG
from divmetrics.core.batch import make_batch
from divmetrics.core.ideal import Ties
from divmetrics.exact_ideal.optimal_lists import ExactResult, search_optimal_lists
from divmetrics.parts import GreedyIdeal

CUTOFF = 20
DISCOUNT = 1 / np.log2(np.arange(2, CUTOFF + 2))
ALPHA = 0.5
BOTH: tuple[Ties, ...] = ("ascending", "descending")


def judged_topics(folder: Path) -> None:
    """The table of differences, and the seconds for all topics together."""
    row = alpha_nDCG @ CUTOFF
    topics, wall, cpu, unproved = 0, 0.0, 0.0, 0
    print(
        f"alpha-nDCG@{CUTOFF}: greedy below exact, in per cent of exact; topics without a difference left out"
    )
    print("           ties   ascending  descending")
    for year in (2009, 2012):
        place = folder / "data" / f"trec-web-{year}"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", dm.DivmetricsWarning)
            collection = dm.load_collection(place / "qrels.diversity.gz", topics=place / "topics.xml")
        relevant = [pool.grades[:, pool.relevant] > 0 for pool in collection.pools.values()]
        started = time.perf_counter(), time.process_time()
        results = [search_optimal_lists(r, DISCOUNT, ALPHA) for r in relevant]
        wall += time.perf_counter() - started[0]
        cpu += time.process_time() - started[1]
        lists = make_batch(collection)
        greedy = [GreedyIdeal(ties=ties)(lists, row)[:, 0, 0, 0] for ties in BOTH]
        topics += len(results)
        unproved += sum(not f.proved.all() for f in results)
        for t, (topic, best) in enumerate(zip(collection.pools, results, strict=True)):
            short = [100 * (1 - float(value[t]) / best.value_at[-1]) for value in greedy]
            if max(short) > 1e-9:
                print(f"  {year} topic {topic:4}" + "".join(f"{max(s, 0):12.4f}" for s in short))
    print(f"{topics} topics, every cutoff up to {CUTOFF}; not proved: {unproved}")
    print(f"{wall:.2f} s together (at most 2), {cpu:.2f} s of processor time")


def random_topics(seeds: int, highs: bool) -> None:
    """Seconds per topic, by the number of intents and documents."""
    print(f"random topics, every cutoff up to {CUTOFF} proved; seconds (at most 30)")
    print("  intents documents   median    worst  not proved")
    for intents, documents in itertools.product((8, 10, 12), (60, 120, 200)):
        results: list[ExactResult] = []
        for density, seed in itertools.product((0.2, 0.35, 0.5), range(seeds)):
            results.append(
                search_optimal_lists(random_topic(intents, documents, density, seed), DISCOUNT, ALPHA)
            )
        times = [f.seconds for f in results]
        unproved = sum(not f.proved.all() for f in results)
        print(f"  {intents:7} {documents:9} {np.median(times):8.2f} {max(times):8.2f}  {unproved:10}")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1e3 if sys.platform == "linux" else 1e6)
    print(f"peak memory {peak:.0f} MB")
    if highs:
        print("the same as integer programmes: intents, documents, value and seconds here, in HiGHS")
        for intents, documents, density in ((8, 60, 0.2), (10, 120, 0.2), (12, 200, 0.35)):
            relevant = random_topic(intents, documents, density, 1)
            here = search_optimal_lists(relevant, DISCOUNT, ALPHA, every_cutoff=False)
            started = time.perf_counter()
            there = integer_programme(relevant)
            seconds = time.perf_counter() - started
            print(f"  {intents:7} {documents:9} {here.value_at[-1]:14.8f} {here.seconds:6.2f}", end="")
            print(f" {there:14.8f} {seconds:6.2f}")


def many_intents(seeds: int, limit: float) -> None:
    """Seconds per topic and what is proved, by intents, documents and cutoff, as a metric asks for it."""
    print(f"random topics of density 0.1 and 0.25, one cutoff, at most {limit:g} s each")
    print("  intents documents cutoff   median    worst  proved  largest gap")
    for intents, documents, cutoff in itertools.product((6, 20, 60), (50, 200), (5, 10, 20)):
        results: list[ExactResult] = []
        for density, seed in itertools.product((0.1, 0.25), range(seeds)):
            relevant = random_topic(intents, documents, density, seed)
            results.append(
                search_optimal_lists(relevant, DISCOUNT[:cutoff], ALPHA, None, limit, every_cutoff=False)
            )
        times = [f.seconds for f in results]
        proved = sum(bool(f.proved[-1]) for f in results)
        gap = max(f.gap[-1] / f.value_at[-1] for f in results)
        print(f"  {intents:7} {documents:9} {cutoff:6} {np.median(times):8.2f} {max(times):8.2f}", end="")
        print(f"  {proved:3}/{len(results)} {gap:12.2%}")


def random_topic(intents: int, documents: int, density: float, seed: int) -> np.ndarray:
    """Bool (intent, document)."""
    return np.random.default_rng([seed, intents, documents]).random((intents, documents)) < density


def integer_programme(relevant: np.ndarray) -> float:
    """The best value, from the formula by prefixes alone: how many of each set of intents the first q hold.

    The value of a prefix is concave in each intent's count, so counts split into j = 1, 2, ... by themselves.
    """
    import scipy.optimize
    import scipy.sparse

    sets, copies = np.unique(relevant[:, relevant.any(axis=0)].T, axis=0, return_counts=True)
    of_sets, intents = sets.shape
    drop = -np.diff(DISCOUNT, append=0.0)
    worth: list[np.ndarray] = []
    upper: list[np.ndarray] = []
    lower_rows: list[np.ndarray] = []
    upper_rows: list[np.ndarray] = []
    blocks: list[list[object]] = []
    for q in range(1, CUTOFF + 1):
        # Per prefix: held (set,), then counted (intent, j).
        gains = np.tile((1 - ALPHA) ** np.arange(q), intents)
        worth += [np.zeros(of_sets), -drop[q - 1] * gains]
        upper += [copies, np.ones(intents * q)]
        counted = np.kron(np.eye(intents), np.ones(q))
        own = np.block(
            [[np.ones((1, of_sets)), np.zeros((1, intents * q))], [-sets.T.astype(float), counted]]
        )
        grows = np.hstack([np.eye(of_sets), np.zeros((of_sets, intents * q))])
        blank: list[object] = [None] * CUTOFF
        blocks.append([*blank[: q - 1], own, *blank[q:]])
        lower_rows += [np.array([q]), np.full(intents, -np.inf)]
        upper_rows += [np.array([q]), np.zeros(intents)]
        if q > 1:
            before = np.hstack([-np.eye(of_sets), np.zeros((of_sets, intents * (q - 1)))])
            blocks.append([*blank[: q - 2], before, grows, *blank[q:]])
            lower_rows.append(np.zeros(of_sets))
            upper_rows.append(np.full(of_sets, np.inf))
    whole = np.concatenate([np.repeat([1, 0], [of_sets, intents * q]) for q in range(1, CUTOFF + 1)])
    rows = scipy.sparse.block_array(
        [[None if b is None else scipy.sparse.csr_array(b) for b in line] for line in blocks], format="csr"
    )
    solved = scipy.optimize.milp(
        np.concatenate(worth),
        constraints=scipy.optimize.LinearConstraint(
            rows, np.concatenate(lower_rows), np.concatenate(upper_rows)
        ),
        bounds=scipy.optimize.Bounds(0, np.concatenate(upper)),
        integrality=whole,
        options={"mip_rel_gap": 1e-9},
    )
    return -float(solved.fun)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seeds", type=int, default=5, help="random topics of each kind and density")
    parser.add_argument("--limit", type=float, default=5.0, help="seconds for a topic of many intents")
    parser.add_argument(
        "--highs", action="store_true", help="solve some as integer programmes too (a minute)"
    )
    options = parser.parse_args()
    named = os.environ.get("DIVMETRICS_DATA")
    if named:
        judged_topics(Path(named))
    else:
        print("DIVMETRICS_DATA, a folder with data/ and golden/, is not set: judged topics left out")
    random_topics(options.seeds, options.highs)
    many_intents(options.seeds, options.limit)


if __name__ == "__main__":
    main()
