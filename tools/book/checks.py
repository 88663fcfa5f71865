"""Checks of a site: each rule is a function that yields what breaks it."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from tools.book.freshness import stale
from tools.book.pages import COURSE, sources

PAGE = 1_000_000  # bytes of a lesson with its figures, compressed
SITE = 60_000_000  # of all files
# Attributes that make a browser fetch; the href of a link is fetched unless it only says what is related.
FETCHED = ("src", "srcset", "poster", "data")
RELATED = {"index", "search", "next", "prev", "author", "copyright", "canonical"}
FROM_A_STYLE = re.compile(r"""(?:url\(|@import)\s*["']?((?:https?:)?//[^"')\s]+)""")


@dataclass
class Page(HTMLParser):
    """The links, fetched files and link targets of a page."""

    text: str
    links: list[str] = field(default_factory=list)
    fetched: list[str] = field(default_factory=list)
    places: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        super().__init__()
        self.feed(self.text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self.places |= {values[name] for name in ("id", "name") if name in values}
        if tag in ("a", "area") and "href" in values:
            self.links.append(values["href"])
        elif tag == "link" and values.get("rel") not in RELATED:
            self.fetched.append(values["href"])
        elif tag == "link":
            self.links.append(values["href"])
        self.fetched += [values[name] for name in FETCHED if name in values]
        self.fetched += FROM_A_STYLE.findall(values.get("style", ""))


@cache
def read(page: Path) -> Page:
    return Page(page.read_text(encoding="utf-8"))


def pages(site: Path) -> list[Path]:
    return sorted(site.rglob("*.html"))


def wrong(site: Path) -> list[str]:
    """Return every broken rule of the site."""
    read.cache_clear()
    rules = (old_pages, dead_links, strangers, oversized_pages)
    return [sentence for rule in rules for sentence in rule(site)]


def old_pages(site: Path) -> Iterator[str]:
    """Yield pages that are older than their source or the library."""
    for page in stale(site, sources()):
        yield f"{page}: older than what it is made from; run: make book"
    for page in sources():
        if not (site / page).exists():
            yield f"{page}: missing"


def dead_links(site: Path) -> Iterator[str]:
    """Yield links inside the site without a file or place as target."""
    for page in pages(site):
        for link in [*read(page).links, *read(page).fetched]:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            place = unquote(parts.fragment)
            if not target.is_file():
                yield f"{page.relative_to(site)}: {link} leads to no file"
            elif place and target.suffix == ".html" and place not in read(target).places:
                yield f"{page.relative_to(site)}: {link} leads to no place in it"


def strangers(site: Path) -> Iterator[str]:
    """Yield what makes a browser send a request to another host."""
    for page in pages(site):
        for address in read(page).fetched:
            if urlsplit(address).scheme in ("http", "https") or address.startswith("//"):
                yield f"{page.relative_to(site)}: fetches {address}"
    for file in sorted(site.rglob("*.css")):
        for address in FROM_A_STYLE.findall(file.read_text(encoding="utf-8")):
            yield f"{file.relative_to(site)}: fetches {address}"


def weight(page: Path) -> int:
    """Return the compressed bytes of a page and of the figures that it alone shows."""
    inside = [page.parent / address for address in read(page).fetched if not urlsplit(address).scheme]
    figures = {file for file in inside if "_static" not in file.parts}
    return sum(len(gzip.compress(file.read_bytes())) for file in [page, *figures])


def oversized_pages(site: Path) -> Iterator[str]:
    """Yield lessons of more than a megabyte compressed, and a site of more than sixty."""
    for page in sorted((site / COURSE).glob("*.html")):
        if (size := weight(page)) > PAGE:
            yield f"{page.relative_to(site)}: {size:,} bytes compressed; at most {PAGE:,}"
    whole = sum(file.stat().st_size for file in site.rglob("*") if file.is_file())
    if whole > SITE:
        yield f"the site has {whole:,} bytes; at most {SITE:,}"
