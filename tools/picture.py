"""The picture in previews of links to the book: its front page as it begins.

    python -m tools.picture

It needs a Chromium (see tools/browser.py) and the book (`make book`). Take it again when the front page looks
different.
"""

from __future__ import annotations

from pathlib import Path

from divmetrics.atomic_files import save
from tools.book.freshness import ROOT
from tools.browser import browser

PICTURE = Path(__file__).parent / "book" / "static" / "preview.png"
SIZE = (1200, 630)  # as social networks crop it
LARGEST = 150_000  # bytes


def picture(page: Path) -> bytes:
    """Take a picture of the upper end of a page."""
    with browser() as chromium:
        tab = chromium.new_page(viewport={"width": SIZE[0], "height": SIZE[1]})
        tab.goto(page.as_uri())
        tab.add_style_tag(content=".go ~ *, footer { display: none; }")  # they would be cut off
        return tab.screenshot()


def main() -> None:
    taken = picture(ROOT / "site" / "index.html")
    if len(taken) > LARGEST:
        raise SystemExit(f"the picture has {len(taken):,} bytes, expected {LARGEST:,} at most")
    save(PICTURE, taken)


if __name__ == "__main__":
    main()
