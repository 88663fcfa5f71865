"""Make the book and check it; exit status 1 if a check fails."""

from __future__ import annotations

import sys
from pathlib import Path

from tools.book.build import make
from tools.book.checks import wrong
from tools.book.freshness import ROOT


def main(names: list[str]) -> int:
    site = Path(names[0]) if names else ROOT / "site"
    make(site)
    problems = wrong(site)
    for sentence in problems:
        print(sentence, file=sys.stderr)
    if not problems:
        print(f"{site / 'index.html'}: open it in a browser")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
