"""The static form of a walk: a picture and a table, for print and for pages without a kernel."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import accumulate
from typing import Any

from divmetrics.notebook.appearance.marks import colour_of, mark_sign
from divmetrics.notebook.appearance.palette import OKABE_ITO, ink_on
from divmetrics.notebook.user_model_words import format_user_share
from divmetrics.render.tables import Cell, html_notes, html_table, html_title, text_table

Segment = tuple[int | None, float]  # (mark of the intent or None for all, width of at least 0)
Lane = tuple[int | None, float, float]  # (mark, what there is by then, what the ideal list would have)


@dataclass(frozen=True)
class Size:
    """The layout of a picture in pixels.

    doc, state, basket: where each column begins; number: where the numbers end; top: the height of the
    headings; row: the height of a rank; gap: the space between columns; words: whether there is text besides
    the ranks.
    """

    width: int
    top: int
    row: int
    doc: int
    state: int
    basket: int
    number: int
    gap: int
    words: bool


FULL = Size(700, 40, 26, doc=8, state=190, basket=430, number=692, gap=20, words=True)
TITLED = replace(FULL, state=290, basket=480)  # documents with titles
SMALL = Size(220, 2, 22, doc=4, state=20, basket=124, number=218, gap=6, words=False)
DIGITS = 70  # width of the column of numbers
MOST_GROUPS = 6  # columns of groups in a table
CROWDS = ("leave", "fade")  # pictures with shares of readers
ON_ANY_GROUND = "#767676"  # legible on light and dark pages; an image does not know its page
LETTER = 7.5  # width of a character of a document's name in the picture
LANE = 9  # height of one group's bar where each group has its own


def still_html(walk: Mapping[str, Any]) -> str:
    """Return title, picture, table, and a sentence about the readers as HTML."""
    head, rows = _table(walk)
    return (
        html_title(f"{walk['metric']} = {walk['score']}", f"for list {walk['list']} of {walk['title']}")
        + html_notes([walk["reader"]])
        + _picture(walk)
        + html_table(head, rows)
        + html_notes([walk["words"][0], walk["words"][-1]])
    )


def _picture(walk: Mapping[str, Any]) -> str:
    alt = f"{walk['metric']} of list {walk['list']}, rank by rank. {' '.join(walk['words'])}"
    return _image(walk, FULL, alt, ' style="max-width:100%"')


def thumbnail(walk: Mapping[str, Any]) -> str:
    """Return the picture without text, small enough for a table cell."""
    earned = " ".join(walk["baskets"])
    alt = f"{walk['metric']}, rank by rank: {earned}; together {walk['score']}."
    return _image(walk, SMALL, alt, f' style="min-width:{SMALL.width}px"')  # table cells would shrink it


def _image(walk: Mapping[str, Any], size: Size, alt: str, style: str) -> str:
    """Wrap the SVG as an image: of inline SVG in an untrusted page, front ends keep only the text."""
    code = b64encode(_still_svg(walk, size).encode()).decode()
    image = f"data:image/svg+xml;base64,{code}"
    return f'<img src="{image}" alt="{escape(alt)}" width="{size.width}"{style}>'


def still_text(walk: Mapping[str, Any]) -> str:
    """Return the table and the sentences as text."""
    title = f"{walk['metric']} = {walk['score']} for list {walk['list']} of {walk['title']}"
    table = text_table(*_table(walk))
    return "\n".join([title, walk["reader"], "", table, "", *walk["words"]])


def _still_svg(walk: Mapping[str, Any], size: Size = FULL) -> str:
    """Draw by rank the contents of each basket, and the readers who still read or what they have so far.

    Where the metric compares with an ideal list, each group has a bar in a frame of the ideal list's size.
    """
    heading, states = _states(walk)
    lanes = _lanes(walk)
    if lanes:
        heading = lanes[0]
    if size.words:
        titled = TITLED if any(doc["about"] for doc in walk["docs"]) else size
        size = replace(titled, row=max(size.row, LANE * len(lanes[1][0]) + 8) if lanes else size.row)
    baskets = [*_baskets(walk)]
    top = max([sum(value for _, value in basket) for basket in baskets] + walk["costs"], default=0.0) or 1.0
    most_readers = max([sum(value for _, value in state) for state in states], default=0.0) or 1.0
    rows = walk["ranks"] + size.words
    height = size.top + rows * size.row + (6 if size.words else 2)
    room = size.number - size.basket - (DIGITS if size.words else 0)
    shapes = _headings(heading, any(walk["costs"]), size) if size.words else []
    for step in range(rows):
        y = size.top + step * size.row
        shapes.append(_text(size.doc, y + 16, _rank(walk, step, size)))
        if lanes:
            shapes += _framed(y, lanes[1][step], size) if step < walk["ranks"] else []
        else:
            wide = size.basket - size.state - size.gap
            shapes += _bar(size.state, y, wide, states[step], most_readers, size)
        if step < walk["ranks"]:
            shapes += _bar(size.basket, y, room, baskets[step], top, size)
            shapes += _effort(y, room * walk["costs"][step] / top, size)
            if size.words:
                shapes.append(_text(size.number, y + 16, walk["baskets"][step], anchor="end"))
    if size.words:
        shapes.append(_text(size.number, y + 16, f"sum {walk['score']}", anchor="end", bold=True))
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" '
        f'viewBox="0 0 {size.width} {height}" width="{size.width}" height="{height}" '
        f'color="{ON_ANY_GROUND}" font-family="sans-serif" font-size="13">'
        f"{''.join(shapes)}</svg>"
    )


def _headings(state_heading: str, has_costs: bool, size: Size) -> list[str]:
    return [
        _text(size.doc, 16, "rank and document", bold=True),
        _text(size.state, 16, state_heading, bold=True),
        _text(size.basket, 16, f"its basket{', and below it the effort' if has_costs else ''}", bold=True),
    ]


def _rank(walk: Mapping[str, Any], step: int, size: Size) -> str:
    if not size.words:
        return str(step + 1)
    if step == walk["ranks"]:
        return "after the last rank"
    doc = walk["docs"][step]
    name = doc["about"] or doc["id"] or "the list has ended"
    return f"{step + 1}  {_shortened(name, int((size.state - size.doc) / LETTER) - 3)}"


def _lanes(walk: Mapping[str, Any]) -> tuple[str, list[list[Lane]]] | None:
    """Return the heading and, by rank, each group's part of what its ideal list has; None without one."""
    first, *others = walk["tracks"]
    ideals = [sum(row) for ideal in first["ideals"] for row in ideal]
    if others or not (first["ratio"] or (first["picture"] == "piles" and ideals)):
        return None
    marks = [None if group["place"] is None else _mark(walk, group["place"]) for group in first["groups"]]
    if first["ratio"]:
        rows = [[(mark, r, 1.0) for mark, r in zip(marks, step, strict=True)] for step in first["ratio"]]
        return "blended ratio, of 1", rows[1:]
    sums = [list(accumulate(row)) for row in first["earned"]]
    return "so far, of its ideal list", [
        [(mark, row[k], ideal) for mark, row, ideal in zip(marks, sums, ideals, strict=True)]
        for k in range(walk["ranks"])
    ]


def _framed(y: float, lanes: Sequence[Lane], size: Size) -> Iterator[str]:
    """Yield a bar for each group, one below the other, in a frame as wide as what its ideal list has."""
    room, height = size.basket - size.state - size.gap, (size.row - 6) / len(lanes)
    top = max((whole for _, _, whole in lanes), default=0.0) or 1.0
    for place, (mark, part, whole) in enumerate(lanes):
        at = f'x="{size.state}" y="{y + 3 + place * height:.2f}" height="{height - 1.5:.2f}"'
        colour = (None if mark is None else colour_of(mark)) or OKABE_ITO["blue"]
        if part > 0:
            yield f'<rect {at} width="{room * part / top:.2f}" fill="{colour}"></rect>'
        frame = 'fill="none" stroke="#767676" stroke-width="0.75"'
        yield f'<rect {at} width="{room * whole / top:.2f}" {frame}></rect>'


def _states(walk: Mapping[str, Any]) -> tuple[str, list[list[Segment]]]:
    """Return the heading and segments beside the documents: the remaining readers, or the score so far."""
    steps = range(walk["ranks"] + 1)
    first, *others = walk["tracks"]
    headings = {"leave": "readers still here", "fade": "interest that is left", "doors": "doors still closed"}
    if others or first["picture"] not in headings:
        return "the score before the rank", [[(None, max(walk["totals"][step], 0.0))] for step in steps]
    marks = [None if group["place"] is None else _mark(walk, group["place"]) for group in first["groups"]]
    return headings[first["picture"]], [
        [(mark, shares[step]) for mark, shares in zip(marks, first["here"], strict=True)] for step in steps
    ]


def _mark(walk: Mapping[str, Any], place: int) -> int:
    mark: int = walk["intents"][place]["mark"]
    return mark


def _baskets(walk: Mapping[str, Any]) -> Iterator[list[Segment]]:
    for k in range(walk["ranks"]):
        yield [(_mark(walk, place), max(values[k], 0.0)) for place, values in enumerate(walk["filled"])]


def _bar(
    x: float, y: float, room: float, segments: Sequence[Segment], top: float, size: Size
) -> Iterator[str]:
    """Yield segments side by side, in their intents' colours, with their marks where there is room."""
    for mark, value in segments:
        width = room * value / top
        if width <= 0:
            continue
        colour = (None if mark is None else colour_of(mark)) or OKABE_ITO["blue"]
        yield (
            f'<rect x="{x:.2f}" y="{y + 3}" width="{width:.2f}" height="{size.row - 8}" fill="{colour}" '
            'stroke="#767676" stroke-width="0.75"></rect>'
        )
        if width >= 14 and mark is not None:
            middle = x + width / 2
            yield _text(middle, y + 16, mark_sign(mark), anchor="middle", fill=ink_on(colour))
        x += width


def _effort(y: float, width: float, size: Size) -> Iterator[str]:
    if width > 0:
        yield (
            f'<rect x="{size.basket}" y="{y + size.row - 4}" width="{width:.2f}" height="3" '
            f'fill="{OKABE_ITO["vermillion"]}"></rect>'
        )


def _text(
    x: float, y: float, text: str, *, anchor: str = "start", bold: bool = False, fill: str = "currentColor"
) -> str:
    weight = ' font-weight="600"' if bold else ""
    return f'<text x="{x:.2f}" y="{y}" text-anchor="{anchor}" fill="{fill}"{weight}>{escape(text)}</text>'


def _shortened(name: str, longest: int) -> str:
    return name if len(name) <= longest else f"{name[: longest - 1]}…"


def _table(walk: Mapping[str, Any]) -> tuple[list[Cell], list[list[Cell]]]:
    """Return head and rows of the table: one row before the first rank, and one after each."""
    tracks = walk["tracks"]
    crowd = tracks[0]["picture"] in CROWDS
    groups = [column for track in tracks for column in _columns(track)]
    columns = groups if len(groups) <= MOST_GROUPS else []
    head = [
        Cell("after rank"),
        Cell("document"),
        *(Cell(track["heading"] or "still reading" * crowd or "all") for track in tracks),
        *(Cell(name) for name, _ in columns),
        Cell("basket", right=True),
        Cell("score so far", right=True),
    ]
    rows = []
    for step in range(walk["ranks"] + 1):
        rows.append(
            [
                Cell(str(step) if step else "none"),
                Cell(walk["docs"][step - 1]["id"] if step else ""),
                *(Cell(track["state"][step]) for track in tracks),
                *(Cell(labels[step]) for _, labels in columns),
                Cell(walk["baskets"][step - 1] if step else "", right=True),
                Cell(walk["running"][step], right=True),
            ]
        )
    return head, rows


def _columns(track: Mapping[str, Any]) -> Iterator[tuple[str, list[str]]]:
    """Yield for each group its name and, per row, its remaining readers or its label."""
    for group, here, labels in zip(track["groups"], track["here"], track["labels"], strict=True):
        yield (
            group["name"],
            [format_user_share(share) for share in here] if track["picture"] in CROWDS else labels,
        )
