"""Make the site and check it; exit status 1 if a check fails."""

from __future__ import annotations

import sys
from pathlib import Path

from tools.lite.browser_check import find_browser_problems
from tools.lite.build import ROOT, make
from tools.lite.checks import wrong


def main(names: list[str]) -> int:
    site = Path(names[0]) if names else ROOT / "site-lite"
    make(site)
    problems = [*wrong(site), *find_browser_problems(site)]
    for sentence in problems:
        print(sentence, file=sys.stderr)
    if not problems:
        print(f"{site}: a web server must hand it out, such as: python3 -m http.server --directory {site}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
