"""Randomised Tukey HSD against a bare numpy loop that only permutes rows and takes means.

    python benchmarks/tukey.py [--runs 48] [--topics 50] [--trials 10000] [--rounds 5]

Both in one process, taken in turn; medians and the ratio are printed (at most 1.5). Then the peak memory of a
process that does the job, and of one that does ten times as many trials (at most 300 MB).
"""

from __future__ import annotations

import argparse
import platform
import resource
import statistics
import subprocess
import sys
import time

import numpy as np
import pandas as pd

from divmetrics.research.meta import tukey_hsd


def make_scores(runs: int, topics: int, seed: int = 0) -> tuple[np.ndarray, pd.DataFrame]:
    """Scores (topic, run) as an array, and as a tidy table."""
    random = np.random.default_rng(seed)
    values = np.clip(random.beta(1, 2, (topics, 1)) + random.normal(0, 0.1, (topics, runs)), 0, 1)
    table = pd.DataFrame(
        {
            "run": np.tile([f"run{r}" for r in range(runs)], topics),
            "topic": np.repeat([f"topic{t}" for t in range(topics)], runs),
            "metric": "X",
            "score": values.ravel(),
        }
    )
    return values, table


def bare_loop(values: np.ndarray, trials: int) -> np.ndarray:
    """The means of every trial, (trial, run), and nothing else."""
    random = np.random.default_rng(0)
    means = np.empty((trials, values.shape[1]))
    for trial in range(trials):
        means[trial] = random.permuted(values, axis=1).mean(axis=0)
    return means


def peak_memory(runs: int, topics: int, trials: int) -> float:
    """Megabytes of a process of its own."""
    sizes = [f"--runs={runs}", f"--topics={topics}", f"--trials={trials}"]
    command = [sys.executable, __file__, "--memory", *sizes]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--runs", type=int, default=48)
    parser.add_argument("--topics", type=int, default=50)
    parser.add_argument("--trials", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--memory", action="store_true", help="only do the job and print the peak memory")
    options = parser.parse_args()
    values, scores = make_scores(options.runs, options.topics)
    if options.memory:
        tukey_hsd(scores, trials=options.trials)
        unit = 1e3 if platform.system() == "Linux" else 1e6
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit)
        return
    jobs = {
        "bare loop": lambda: bare_loop(values, options.trials),
        "tukey_hsd": lambda: tukey_hsd(scores, trials=options.trials),
        "tukey_hsd, one worker": lambda: tukey_hsd(scores, trials=options.trials, workers=1),
    }
    seconds: dict[str, list[float]] = {name: [] for name in jobs}
    tukey_hsd(scores, trials=1)
    for _ in range(options.rounds):
        for name, run in jobs.items():
            start = time.perf_counter()
            run()
            seconds[name].append(time.perf_counter() - start)
    print(f"{options.runs} runs, {options.topics} topics, {options.trials} trials: medians, in turn")
    for name, times in seconds.items():
        ratio = statistics.median(b / a for a, b in zip(seconds["bare loop"], times, strict=True))
        print(f"  {name:22} {statistics.median(times):6.2f} s   {ratio:.2f} times the bare loop")
    for trials in (options.trials, 10 * options.trials):
        print(f"  {trials:9} trials: peak {peak_memory(options.runs, options.topics, trials):.0f} MB")


if __name__ == "__main__":
    main()
