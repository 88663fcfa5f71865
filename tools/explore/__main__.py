"""Run explorers, print the number of examples of each, and exit with status 1 after a failure."""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Iterator, Mapping, Sequence

from tools.explore import Effort, SearchResult, faults, files, laws, messages, misuse, names, threads

EXPLORERS: Mapping[str, Callable[[Effort], Iterator[SearchResult]]] = {
    "laws": laws.explore,
    "files": files.explore,
    "faults": faults.explore,
    "messages": messages.explore,
    "misuse": misuse.explore,
    "names": names.explore,
    "threads": threads.explore,
}
TIMES = 6  # some minutes


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.explore", description=__doc__)
    parser.add_argument(
        "explorers", nargs="*", metavar="EXPLORER", help=f"{', '.join(EXPLORERS)}; all if none is named"
    )
    parser.add_argument("--times", type=int, default=TIMES, help=f"so many times the examples ({TIMES})")
    parser.add_argument("--seed", type=int, help="one that was printed; a new one if it is not given")
    parser.add_argument("--only", default="", help="look at what has this in its name")
    options = parser.parse_args(arguments)
    for name in options.explorers:
        if name not in EXPLORERS:
            parser.error(f"there is no explorer {name!r}; there are {', '.join(EXPLORERS)}")
    if options.times < 1:
        parser.error(f"--times is {options.times}, expected a whole number of at least 1")
    seed = random.SystemRandom().randrange(2**32) if options.seed is None else options.seed
    effort = Effort(options.times, seed, options.only)
    results = {name: [*EXPLORERS[name](effort)] for name in options.explorers or EXPLORERS}
    for name, tried in results.items():
        print(table(name, tried, effort))
    return int(any(each.failed for tried in results.values() for each in tried) or not all(results.values()))


def table(name: str, tried: Sequence[SearchResult], effort: Effort) -> str:
    """Return a line for each search and one for the total; failures in full, with how to repeat them."""
    lines = ["", f"{'examples':>9}  {'passed over':>11}  {'seconds':>7}  {name}, seed {effort.seed}"]
    failed = [each for each in tried if each.failed]
    in_all = SearchResult(
        f"in all: {len(tried)} tried, {len(failed)} failed",
        sum(each.examples for each in tried),
        sum(each.seconds for each in tried),
        n_skipped=sum(each.n_skipped for each in tried),
    )
    for each in (*tried, in_all):
        mark = "  FAILED" if each in failed else ""
        numbers = f"{each.examples:>9,}  {each.n_skipped:>11,}  {each.seconds:>7.1f}"
        lines.append(f"{numbers}  {each.what}{mark}")
    for each in failed:
        lines += ["", f"{each.what}:", each.failure or "nothing was tried"]
    if failed:
        again = f"{name} --times {effort.times} --seed {effort.seed}"
        lines += ["", f'Again: make explore EXPLORE="{again}", and --only with a part of a name']
    return "\n".join(lines)


if __name__ == "__main__":
    raise SystemExit(main())
