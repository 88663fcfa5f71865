"""The font of formulas, reduced to the letters of the pages: whole, it outweighs the rest of a page."""

from __future__ import annotations

import logging
import unicodedata
from html import unescape
from pathlib import Path

from fontTools import subset

FONT = "_static/fonts/stix-two-math.woff2"
ALPHABETS = range(0x1D400, 0x1D800)  # Unicode's mathematical alphanumeric symbols
SLANTED = "MATHEMATICAL ITALIC "
PLANCK = "\u210e"  # the italic h, which Unicode had before the others


def narrow(site: Path) -> None:
    """Remove from a site's font every letter that no page and no script of it uses."""
    files = [path for ending in ("html", "js", "css") for path in site.rglob(f"*.{ending}")]
    letters = set().union(*(unescape(path.read_text(encoding="utf-8")) for path in files))
    logging.getLogger("fontTools").setLevel(logging.WARNING)  # it tells every glyph, and Sphinx lets it
    options = subset.Options(flavor="woff2", layout_features=["*"], notdef_outline=True)
    font = subset.load_font(str(site / FONT), options)
    chosen = subset.Subsetter(options)
    chosen.populate(unicodes=map(ord, letters | italic(letters)))
    chosen.subset(font)  # with what a letter is drawn with that is taller or wider
    subset.save_font(font, str(site / FONT), options)


def italic(used: set[str]) -> set[str]:
    """Return the italic letters that formulas show for plain ones, though no page has them as such."""
    letters = {chr(place) for place in ALPHABETS if unicodedata.name(chr(place), "").startswith(SLANTED)}
    return {letter for letter in {*letters, PLANCK} if unicodedata.normalize("NFKC", letter) in used}
