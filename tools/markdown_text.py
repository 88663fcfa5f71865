"""Headings, anchors, links, pictures and words in the Markdown of a notebook.

An anchor is what JupyterLab and nbconvert make of a heading: its words, blanks as hyphens, capitals kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import quote, unquote

from nbformat import NotebookNode

FENCE = re.compile(r"^(?P<fence>```+|~~~+)[\s\S]*?^(?P=fence)", re.MULTILINE)
COMMENT = re.compile(r"<!--[\s\S]*?-->")
CODE = re.compile(r"(?P<ticks>`+)(?!`)(?:.|\n(?!\n))+?(?<!`)(?P=ticks)(?!`)")
FORMULA = re.compile(r"\$\$[\s\S]+?\$\$|(?<![\\$])\$(?!\s)(?:[^$\n]|\n(?!\n))+?(?<!\s)\$(?!\d)")
HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+.*$", re.MULTILINE)
TAG = re.compile(r"<[a-zA-Z/][^<>]*>")
# A picture is a link with an exclamation mark; a picture may stand in the words of a link.
LINK = re.compile(
    r"(?P<picture>!?)\[(?P<words>(?:[^\[\]]|!\[[^\[\]]*\]\([^()]*\))*)\]"
    r"\((?P<target>[^()\s]*(?:\([^()]*\)[^()\s]*)?)(?:\s\"[^\"]*\")?\)"
)
HEADINGS = re.compile(
    r"^ {0,3}(#{1,6})[ \t]+(.+)|<h([1-6])\b[^>]*>(.*?)</h|^ {0,3}(\S.*)\n=+[ \t]*$", re.MULTILINE
)


@dataclass(frozen=True)
class Link:
    """A link or picture of a cell: its words (a picture's alternative text) and its target."""

    words: str
    target: str
    picture: bool

    @property
    def local(self) -> bool:
        """Whether the link leads to a file of the project or to a heading."""
        return re.match(r"[a-z][a-z0-9+.-]*:|//", self.target) is None

    @property
    def file(self) -> str:
        """The part of the target before the #; empty for the same page."""
        return unquote(self.target.partition("#")[0])

    @property
    def anchor(self) -> str:
        return unquote(self.target.partition("#")[2])


def headings(source: str) -> Iterator[tuple[int, str]]:
    """Yield level and words of each heading of a Markdown cell."""
    for hashes, words, tag, inner, underlined in HEADINGS.findall(FENCE.sub("", source)):
        yield len(hashes) or int(tag or 1), re.sub(r"\s+#+\s*$", "", words or inner or underlined).strip()


def anchor(words: str) -> str:
    """Return the anchor of a heading, the unquoted part of a link's target after the #."""
    plain = LINK.sub(lambda link: link["words"], TAG.sub("", words))
    plain = re.sub(r"(?<!\\)[*`]|\\(?=[*_#`\\])", "", plain)
    plain = re.sub(r"(?<!\w)_(.+?)_(?!\w)", r"\1", plain)
    return plain.strip().replace(" ", "-")


def anchored(file: str, words: str) -> str:
    """Return the target of a link to a heading of a file."""
    return f"{file}#{quote(anchor(words), safe='')}"


def anchors(notebook: NotebookNode) -> set[str]:
    """Return the anchors of a notebook's headings."""
    cells = (cell for cell in notebook.cells if cell.cell_type == "markdown")
    return {anchor(words) for cell in cells for _, words in headings(cell.source)}


def links(source: str) -> Iterator[Link]:
    """Yield the links of a Markdown text; a picture within a link comes after that link."""
    for match in LINK.finditer(without_code(source)):
        yield Link(match["words"], match["target"], bool(match["picture"]))
        yield from links(match["words"])


def without_code(source: str) -> str:
    """Blank out code, formulas and comments, keeping the position of everything else."""
    for pattern in (FENCE, COMMENT, FORMULA, CODE):
        source = pattern.sub(lambda match: " " * len(match[0]), source)
    return source


def in_a_table(latex: str) -> str:
    """Return a formula between dollars for a table, in which a bar would end the cell."""
    return "$" + latex.replace(r"\|", r"\Vert ").replace("|", r"\mid ") + "$"
