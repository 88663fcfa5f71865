"""How long `divmetrics reproduce yu2017` takes, from files and from the embedded scores, and where.

    python benchmarks/reproduce.py FOLDER [--rounds 3]

FOLDER holds the IMine files (see `divmetrics.research.papers.imine`). Whole processes, taken in turn; medians
are printed (at most 60 seconds on two cores). Then, within one process, the seconds of every claim that takes
a twentieth of the time of all.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time

from divmetrics.research.papers.yu2017 import CLAIMS
from divmetrics.research.papers.yu2017.evidence import Evidence

COMMAND = [sys.executable, "-m", "divmetrics", "reproduce", "yu2017"]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    commands = {"from files": [*COMMAND, "--data", options.folder], "embedded scores": COMMAND}
    seconds: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(options.rounds):
        for name, command in commands.items():
            start = time.perf_counter()
            subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
            seconds[name].append(time.perf_counter() - start)
    print(f"divmetrics reproduce yu2017, medians of {options.rounds}, in turn")
    for name, times in seconds.items():
        print(f"  {name:16} {statistics.median(times):6.1f} s")
    start = time.perf_counter()
    evidence = Evidence.from_folder(options.folder)
    spent = {"reading and scoring": time.perf_counter() - start}
    for claim in CLAIMS:
        start = time.perf_counter()
        claim.find(evidence)
        spent[f"{claim.where}: {claim.says}"] = time.perf_counter() - start
    for what, took in sorted(spent.items(), key=lambda item: -item[1]):
        if took > sum(spent.values()) / 20:
            print(f"  {took:6.1f} s  {what}")


if __name__ == "__main__":
    main()
