"""Draw aggregated search pages side by side: blocks of items, shaded by their contribution to the score."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import altair as alt

from divmetrics.aggregated import BlockPage, explain_page
from divmetrics.core.calls import public
from divmetrics.core.metric import BaseMetric
from divmetrics.errors import DivmetricsError
from divmetrics.notebook.appearance.palette import INK, tint
from divmetrics.notebook.charts.figure import INSIDE, MEDIUM, SMALL, Figure
from divmetrics.notebook.charts.text_width import BOLD, number_format, shorten, text_width
from divmetrics.notebook.charts.title_sentences import distinct, preference

MOST_PAGES, MOST_ITEMS = 4, 30
LINE, GAP, BETWEEN, WIDEST = 20, 6, 20, 230  # pixels


@public
def pages(metric: str | BaseMetric, pages: BlockPage | Sequence[BlockPage]) -> Figure:
    """Draw one aggregated page, or pages of one query side by side, under an AS_ metric.

    A box is a block; a line in it is an item with its grade, or the grade alone if the pages are too narrow
    for names. The number in a box, and its shade, are the block's contribution to the page's score (see
    `divmetrics.aggregated.explain_page`).

    Parameters
    ----------
    metric : str or BaseMetric
        An AS_ metric, such as "AS_DCG".
    pages : BlockPage or Sequence of BlockPage
        One page, or up to 4 pages of one query with at most 30 items each.

    Returns
    -------
    Figure
        The chart; its title names the page that the metric prefers, or the score of a single page.

    Raises
    ------
    DivmetricsError
        If there is no such metric or it does not weigh gain against effort, there are too many pages or
        items, the pages belong to several queries, or no page has a block.

    Examples
    --------
    >>> import divmetrics as dm
    >>> queries = dm.datasets.aggregated_search()
    >>> page = dm.datasets.simulated_pages(queries)[0]
    >>> dm.charts.pages("AS_DCG", page).description[:15]
    'Blocks of query'
    """
    drawn = [pages] if isinstance(pages, BlockPage) else list(pages)
    _check(drawn)
    tables = [explain_page(metric, page) for page in drawn]
    width = min(WIDEST, (INSIDE - len(drawn) * GAP - (len(drawn) - 1) * BETWEEN) // len(drawn))
    lines = max(_items(page) for page in drawn)
    contributions = [table["contribution"].tolist() for table in tables]
    top = max(max(of_page, default=0.0) for of_page in contributions)
    boxes = [_boxes(page, values, top) for page, values in zip(drawn, contributions, strict=True)]
    scores = [float(table["contribution"].sum()) for table in tables]
    number, _ = number_format([top], text_width("0.0000", SMALL), SMALL)
    named = all(_names_fit(of_page, width) for of_page in boxes)
    panels = [
        _panel(of_page, _title(page.run, score, width), number, width, lines, named)
        for page, of_page, score in zip(drawn, boxes, scores, strict=True)
    ]
    chart = panels[0] if len(panels) == 1 else alt.concat(*panels, columns=len(panels), spacing=BETWEEN)
    line = "an item with its grade" if named else "an item's grade"
    meaning = f"Each box is a block, each line in it {line}; the number is what the block adds."
    of = dict(zip(distinct([page.run for page in drawn]), scores, strict=True))
    headline = preference(str(metric), of, "pages") if len(of) > 1 else f"{metric} = {scores[0]:.4f}"
    about = f"{metric} of query {drawn[0].query.id}. {meaning}"
    return Figure.of(chart, headline, [about], _describe(metric, drawn, boxes, scores))


def _check(drawn: Sequence[BlockPage]) -> None:
    if not drawn or not any(page.blocks for page in drawn):
        raise DivmetricsError("there is no block to show; give a page with at least one")
    if len(drawn) > MOST_PAGES:
        raise DivmetricsError(f"{len(drawn)} pages do not fit side by side; give at most {MOST_PAGES}")
    for page in drawn:
        if page.query != drawn[0].query:
            raise DivmetricsError(
                f"pages side by side are of one query, but page {page.run} is of query {page.query.id}, page "
                f"{drawn[0].run} of query {drawn[0].query.id}; draw them one by one"
            )
        if _items(page) > MOST_ITEMS:
            raise DivmetricsError(
                f"page {page.run} has {_items(page)} items, expected at most {MOST_ITEMS} to draw; "
                "divmetrics.aggregated.explain_page gives the blocks as a table"
            )


def _items(page: BlockPage) -> int:
    return sum(len(block.items) for block in page.blocks)


def _boxes(page: BlockPage, contributions: Sequence[float], top: float) -> list[dict[str, Any]]:
    """Return one record per block down to the cutoff: its lines, counted from the top, items and tint.

    `contributions` are those of the blocks; the contribution `top` has the strongest tint.
    """
    boxes, line = [], 0
    for block, contribution in zip(page.blocks, contributions, strict=False):
        items = page.items(block)
        tone, opacity = tint(contribution, top)
        boxes.append(
            {
                "top": line,
                "bottom": line + len(items),
                "vertical": block.vertical,
                "items": [(item.id, item.grade) for item in items],
                "contribution": contribution,
                "fill": tone,
                "opacity": opacity,
            }
        )
        line += len(items)
    return boxes


def _title(run: str, score: float, width: int) -> str:
    """Return the run's name, shortened to leave room for the score, and the score."""
    room = width / BOLD - text_width(f": {score:.4f}", MEDIUM)
    return f"{shorten(run, room, MEDIUM)}: {score:.4f}"


def _for_verticals(boxes: Sequence[dict[str, Any]], width: int) -> float:
    """Return the width in pixels of the column that names the verticals."""
    return min(max((text_width(box["vertical"], MEDIUM) for box in boxes), default=0), width / 3) + 2 * GAP


def _short_item(item: str, name: float, width: int) -> str:
    """Shorten an item's name from the left to the room between the vertical and the number."""
    for_number = text_width("0.0000", MEDIUM) + 2 * GAP
    return shorten(item, width - name - for_number - 20, MEDIUM, keep="end")


def _names_fit(boxes: Sequence[dict[str, Any]], width: int) -> bool:
    """Return whether every item's name keeps at least one character."""
    name = _for_verticals(boxes, width)
    return all(_short_item(item, name, width) != "…" for box in boxes for item, _ in box["items"])


def _panel(
    boxes: Sequence[dict[str, Any]],
    title: str,
    number: Callable[[float], str],
    width: int,
    lines: int,
    named: bool,
) -> Any:
    name = _for_verticals(boxes, width)
    drawn = [{key: value for key, value in box.items() if key != "items"} for box in boxes]
    heads = [
        box
        | {
            "line": box["top"] + 0.5,
            "name": shorten(box["vertical"], name - 2 * GAP, MEDIUM),
            "number": number(box["contribution"]),
        }
        for box in drawn
    ]
    items = [
        {
            "line": box["top"] + place + 0.5,
            "text": f"{_short_item(item, name, width)}: {grade}" if named else f"{grade}",
        }
        for box in boxes
        for place, (item, grade) in enumerate(box["items"])
    ]
    scale = alt.Scale(domain=[lines, 0], nice=False)

    def of(values: list[dict[str, Any]], line: str) -> Any:
        return alt.Chart(alt.Data(values=values)).encode(y=alt.Y(f"{line}:Q", scale=scale, axis=None))

    text = {"align": "left", "baseline": "middle", "fontSize": MEDIUM, "color": INK}
    layers = [
        of(drawn, "top")
        .mark_rect(stroke=INK, strokeWidth=1)
        .encode(
            y2="bottom:Q",
            x=alt.value(0),
            x2=alt.value(width),
            fill=alt.Fill("fill:N", scale=None),
            fillOpacity=alt.FillOpacity("opacity:Q", scale=None),
            tooltip=["vertical:N", alt.Tooltip("contribution:Q", format=".6f")],
        ),
        of(heads, "line").mark_text(**text).encode(x=alt.value(GAP), text="name:N"),
        of(heads, "line")
        .mark_text(**{**text, "align": "right"})
        .encode(x=alt.value(width - GAP), text="number:N"),
        of(items, "line").mark_text(**text).encode(x=alt.value(name), text="text:N"),
    ]
    head = alt.TitleParams(text=title, anchor="start", fontSize=MEDIUM, color=INK)
    return alt.layer(*layers).properties(width=width, height=LINE * lines, title=head)


def _describe(
    metric: str | BaseMetric,
    drawn: Sequence[BlockPage],
    boxes: Sequence[Sequence[dict[str, Any]]],
    scores: Sequence[float],
) -> str:
    query = drawn[0].query.id
    words = [f"Blocks of query {query} from the top, with grades and what each adds to {metric}."]
    for page, of_page, score in zip(drawn, boxes, scores, strict=True):
        blocks = []
        for box in of_page:
            grades = " ".join(str(grade) for _, grade in box["items"])
            blocks.append(f"{box['vertical']} ({grades}) {box['contribution']:.4f}")
        words.append(f"Page {page.run}, score {score:.4f}: {'; '.join(blocks) or 'no blocks'}.")
    return " ".join(words)
