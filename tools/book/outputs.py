"""Outputs of a notebook for a page: figures as files, tables without styles of their own.

A widget is shown in its form for a page without a kernel, unchanged.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator
from html import escape
from xml.etree import ElementTree

from nbformat import NotebookNode

from divmetrics_widgets.in_book import PAGE_TYPE
from tools.generated_cells import BEGIN
from tools.notebook_files import tags

FIGURES = "figures"  # the folder of the figures, beside the pages
SVG, HTML = "image/svg+xml", "text/html"
# pandas writes these; the page has its own look for tables, and a head of nothing is read out as a head.
STYLE = re.compile(r"<style scoped>.*?</style>\s*", re.DOTALL)
NO_HEAD = re.compile(r"<th\b[^>]*></th>")
# The name of an index stands in a row of its own, below an empty place.
NAME_BELOW = re.compile(
    r"(<thead>\s*<tr[^>]*>\s*)<th></th>((?:\s*<th>[^<]+</th>)+\s*</tr>)"
    r"\s*<tr>\s*(<th>[^<]+</th>)(?:\s*<th></th>)+\s*</tr>(?=\s*</thead>)"
)
TABLE = re.compile(r'<table\b[^>]*class="dataframe".*?</table>', re.DOTALL)
ROW, ENTRY = re.compile(r"<tr\b.*?</tr>", re.DOTALL), re.compile(r"<t([hd])>(.*?)</t[hd]>", re.DOTALL)
A_WORD = re.compile(r"[^\W\d_]{4}")


def fit_for_a_page(notebook: NotebookNode, name: str) -> tuple[NotebookNode, dict[str, str]]:
    """Return the notebook for a page, and its figures (file name -> svg)."""
    made = copy.deepcopy(notebook)
    made.metadata["language_info"] = {"name": "python", "pygments_lexer": "ipython3"}
    figures: dict[str, str] = {}
    for cell in made.cells:
        # Nothing is run on a page.
        cell.source = cell.source.replace(f"\n\n{BEGIN}", "")
        for metric in cell.metadata.get("divmetrics", {}).get("derives", []):
            # Who looks for a metric is led here.
            cell.source = f"```{{index}} ! single: {metric}\n```\n\n{cell.source}"
        if cell.metadata.get("jupyter", {}).get("source_hidden"):
            cell.metadata["tags"] = [*tags(cell), "hide-input"]
        for data in _bundles(cell):
            if SVG in data:
                file = f"{name}-{len(figures) + 1}.svg"
                figures[file] = data.pop(SVG)
                data.pop("image/png", None)
                data[HTML] = _image(figures[file], f"{FIGURES}/{file}")
            elif PAGE_TYPE in data:
                data[HTML] = data.pop(PAGE_TYPE)
            elif HTML in data:
                plain = NAME_BELOW.sub(r"\1\3\2", STYLE.sub("", data[HTML]))
                data[HTML] = NO_HEAD.sub("<td></td>", TABLE.sub(_words_marked, plain))
    return made, figures


def _words_marked(table: re.Match[str]) -> str:
    """Mark a pandas table's columns of words, which are aligned left."""
    rows = [ENTRY.findall(row) for row in ROW.findall(table[0].partition("<tbody>")[2])]
    words = {n for row in rows for n, (kind, text) in enumerate(row) if kind == "d" and A_WORD.search(text)}

    def marked(row: re.Match[str]) -> str:
        places = iter(range(len(ENTRY.findall(row[0]))))
        return ENTRY.sub(
            lambda e: f'<t{e[1]} class="words">{e[2]}</t{e[1]}>' if next(places) in words else e[0], row[0]
        )

    return ROW.sub(marked, table[0])


def _bundles(cell: NotebookNode) -> Iterator[NotebookNode]:
    for output in cell.get("outputs", []):
        if "data" in output:
            yield output.data


def _image(svg: str, address: str) -> str:
    """Return an image whose colours follow its colour scheme (divmetrics/notebook/charts/dark_mode.py)."""
    root = ElementTree.fromstring(svg)
    description = escape(root.get("aria-label") or "", quote=True)
    size = f'width="{float(root.get("width", 0)):.0f}" height="{float(root.get("height", 0)):.0f}"'
    image = f'<img class="figure" src="{address}" alt="{description}" {size} loading="lazy">'
    return f'<div class="scrolled">{image}</div>'
