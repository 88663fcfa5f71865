"""How much memory do many runs take: on the command line, and held as Python objects?

    python benchmarks/memory.py [--runs 500]

Peak megabytes of whole processes that score runs of 1,000 documents for 50 topics, of which 4,000 in all are
listed for each. The status is 1 where one takes more than 600.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from files_to_scores import SIX, make_files, ours, run_once

MOST = 600

HELD = """
import sys, warnings
import divmetrics as dm
warnings.simplefilter("ignore", dm.DivmetricsWarning)
qrels, *files = sys.argv[1:]
runs = dm.load_runs(files, "score")
dm.evaluate(qrels, runs, {metrics!r}, convention="ndeval")
"""


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--runs", type=int, default=500)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_files(folder, options.runs)
        files = [str(folder / f"run{run:03d}") for run in range(options.runs)]
        held = [sys.executable, "-c", HELD.format(metrics=SIX), str(folder / "qrels"), *files]
        peaks = {
            "divmetrics evaluate": run_once(ours(folder, options.runs, SIX, folder / "scores.csv")).peak,
            "load_runs, evaluate": run_once(held).peak,
        }
    print(f"{options.runs} runs x 50 topics x 1,000 documents")
    for job, peak in peaks.items():
        print(f"  {job:20} peak {peak:5.0f} MB (at most {MOST})")
    return int(max(peaks.values()) > MOST)


if __name__ == "__main__":
    raise SystemExit(main())
