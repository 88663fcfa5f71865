"""Styles and scripts of the pages, with the scores for their labs.

On a slow connection every file costs a round trip, so a page waits for one style sheet and for no script.
"""

from __future__ import annotations

import re
from hashlib import sha256
from os.path import relpath
from pathlib import Path

from rcssmin import cssmin

from divmetrics.atomic_files import save
from divmetrics_widgets import in_book

STYLES, LABS = "_static/styles.css", "_static/labs.js"
FRONT_PAGE = "index.html"
SHEET = re.compile(r'\s*<link rel="stylesheet"[^>]* href="[^"]*?(_static/[^"?]+)[^>]*>')
SCRIPT = re.compile(r"<script (?=src=)")
BESIDE = re.compile(r"url\((?![\"']?(?:data:|#))")


def deliver(site: Path) -> None:
    """Put one style sheet in place of many and the labs' script into all pages but the front page.

    No script blocks a page.

    Comments and indentation are removed. Raises SystemExit if pages have different style sheets, or if a
    style sheet would lose a file that it fetches.
    """
    # The front page brings its own.
    others = set(site.rglob("*.html")) - {site / FRONT_PAGE}
    pages = {page: page.read_text(encoding="utf-8") for page in sorted(others)}
    sets = {tuple(SHEET.findall(text)) for text in pages.values()}
    if len(sets) != 1:
        raise SystemExit(f"{site}: the pages have different style sheets: {sorted(sets)}")
    theme = ""
    for sheet in sets.pop():
        text = (site / sheet).read_text(encoding="utf-8")
        if Path(sheet).parent != Path(STYLES).parent and BESIDE.search(text):
            raise SystemExit(f"{sheet}: fetches what lies beside it, which {STYLES} would not find")
        (site / sheet).unlink()
        theme += text + "\n"
    files = {STYLES: cssmin(theme + in_book.styles()), LABS: in_book.script()}
    for name, text in files.items():
        save(site / name, text)
    for page, text in pages.items():
        # With a mark of what is in it, so that no browser keeps an older one.
        styles, labs = (
            f"{relpath(site / name, page.parent)}?v={sha256(made.encode()).hexdigest()[:8]}"
            for name, made in files.items()
        )
        # The labs' script comes early: the first lab is drawn while the page is still read.
        early = f'<script async fetchpriority="high" src="{labs}"></script>'
        before = SHEET.split(text, 1)[0]
        after = SCRIPT.sub("<script defer ", SHEET.sub("", text.removeprefix(before)))
        save(page, f'{before}\n<link rel="stylesheet" href="{styles}">\n{early}{after}')
