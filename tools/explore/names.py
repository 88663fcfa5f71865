"""Names that look like code, drawn afresh each time, through everything that writes HTML or SVG.

The output is parsed: it may run nothing, link nowhere else, and have only the elements of divmetrics' pages.
The tests open fewer names in a browser; these are only parsed.
"""

from __future__ import annotations

import importlib
import random
import re
import time
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from typing import Any
from unittest import mock
from xml.etree import ElementTree

from tools.explore import Effort, SearchResult

PIECES = (
    *("</script>", "<script>", "<SCRIPT/x>", "</ScRiPt\t>", "<!--", "-->", "--!>", "]]>", "<![CDATA["),
    *("</title>", "</style>", "</textarea>", "</svg>", "<svg/onload=", "<img/src=x/onerror=", "<a/href="),
    *('"', "'", "`", "\\", "&lt;", "&#60;", "&quot;", "&", "%3C", "\\u003c", "{{", "}}", "${", "}", "$", "|"),
    *("alert(1)", "javascript:alert(2)", "//evil.example/3", "data:text/html,x", "onclick=", "style=", "="),
    *("<", ">", "/", "\\href{", "\\text{", "\\style{", "\u2028", "\u202e", "\x00", "\x1b", "\ufffe", "]"),
    *("[x](", ")", "*", "<b>", "<x/", "__proto__", "constructor", "image", "datum", "x"),
)
RUNS = re.compile(
    r"^\s*(javascript|vbscript|data:(?!image/(?:png|svg\+xml);base64))|evil\.example", re.IGNORECASE
)
LEADS = ("href", "src", "srcdoc", "action", "formaction", "background", "style", "xlink:href")
ELEMENTS = frozenset(
    re.findall(
        r"\w+",
        """
        a b br button caption circle clippath code col colgroup dd defs desc details div dl dt em g h1 h2
        h3 h4 hr i img kbd li line mark math menclose mfrac mi mn mo mover mpadded mphantom mrow mspace
        msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover ol p path pre rect section
        small span strong sub summary sup svg table tbody td text tfoot th thead title tr tspan u ul
        """,
    )
)


def drawn(rng: random.Random, count: int) -> tuple[str, ...]:
    """Draw `count` different names without blanks."""
    names: dict[str, None] = {}
    while len(names) < count:
        name = "".join(rng.choice(PIECES) for _ in range(rng.randint(1, 6))).replace("\t", "/")
        names[name] = None
    return tuple(names)


class Page(HTMLParser):
    """Problems in a piece of HTML as a browser would read it."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.wrong: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Check that an element is one of ours and runs nothing."""
        if tag not in ELEMENTS:
            self.wrong.append(f"an element <{tag}>")
        for name, value in attrs:
            if name.startswith("on") or (name in LEADS and RUNS.search(value or "")):
                self.wrong.append(f"<{tag} {name}={value!r:.80}>")

    def handle_comment(self, data: str) -> None:
        """Report a comment: our pages have none."""
        self.wrong.append(f"a comment {data!r:.80}")

    unknown_decl = handle_comment
    handle_pi = handle_comment


def of_page(html: str) -> list[str]:
    """Return the problems in a piece of a page."""
    return Page(html).wrong


def check_figure(figure: Any) -> list[str]:
    """Return the problems in a chart: as SVG without our styles, and as a page with our two scripts."""
    dark = importlib.import_module("divmetrics.notebook.charts.dark_mode")
    plain = figure.svg.replace(f"<style>{dark.dark_mode_css(dark.ROOT)}</style>", "", 1)
    svg = ElementTree.fromstring(plain)
    inside = [of_page(plain)]
    tags = {element.tag.rpartition("}")[2].lower() for element in svg.iter()}
    inside.append([f"<{tag}> in the SVG" for tag in tags if tag not in ELEMENTS])
    html = re.sub(
        re.escape(importlib.import_module("divmetrics.notebook.charts.figure")._bundle()), "", figure.html
    )
    for mark, count in (("<script", 2), ("</script", 2), ("<!--", 0)):
        if len(re.findall(mark, html, re.IGNORECASE)) != count:
            inside.append([f"{mark} other than {count} times in the page"])
    return [wrong for some in inside for wrong in some]


def of_widget(widget: Any) -> list[str]:
    """Return the problems in a widget's output without a kernel."""
    return of_page(widget.static_html())


KINDS: dict[str, tuple[str, Callable[[Any], list[str]]]] = {
    "charts": ("figures", check_figure),
    "widgets": ("tools", of_widget),
    "pieces of pages": ("pieces", of_page),
}


def explore(effort: Effort) -> Iterator[SearchResult]:
    """Yield a SearchResult for each kind of output, three examples with new names per unit of effort."""
    payloads = importlib.import_module("tests.support.hostile_names")
    for kind, (producer, wrong_with) in KINDS.items():
        if effort.only not in kind:
            continue
        start, examples, failure = time.perf_counter(), 0, ""
        for number in range(-(-effort.times // 3)):
            rng = random.Random(f"{effort.seed} {number} {kind}")
            names = drawn(rng, len(payloads.PAYLOADS))
            with mock.patch.multiple(payloads, PAYLOADS=names, FIRST=names[:10], LAST=names[10:]):
                for what, made in getattr(payloads, producer)(2):
                    examples += 1
                    wrong = wrong_with(made)
                    if wrong:
                        failure = failure or f"{what!a}: {wrong[:5]!a}\nnames {names!a}"
        yield SearchResult(f"names in {kind}", examples, time.perf_counter() - start, failure)
