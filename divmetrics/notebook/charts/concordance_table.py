"""Draw which of two metrics is right where they disagree: a matrix of colours and percentages."""

from __future__ import annotations

from typing import Any

import altair as alt
import pandas as pd

from divmetrics.core.calls import public
from divmetrics.errors import DivmetricsError, some
from divmetrics.notebook.appearance.palette import INK, tint
from divmetrics.notebook.charts.figure import BACKGROUND, INSIDE, MEDIUM, SMALL, Figure
from divmetrics.notebook.charts.table_checks import check_columns, count, first_dozen
from divmetrics.notebook.charts.text_width import shorten, text_width
from divmetrics.notebook.charts.title_sentences import best, names_with_verb
from divmetrics.research.meta.resampling import check_strict_fraction

COLUMNS = (
    *("metric_a", "metric_b", "gold", "disagreements"),
    *("concordance_a", "concordance_b", "only_a", "only_b", "p_value"),
)
MOST = 30
NARROWEST, WIDEST, ROOMY, LOW, HIGH = 19, 72, 46, 24, 38  # of cells, in pixels; LOW, HIGH: one or two lines
LONGEST_NAME, GAP = 170, 6
INSET = alt.RelativeBandSize(band=0.86)  # size of a frame relative to its cell
FAINTEST = 0.06  # tint of the lowest share; white means that the two metrics never disagree


@public
def concordance_map(table: pd.DataFrame, level: float = 0.05) -> Figure:
    """Draw how often the metric of a row is right where it disagrees with the metric of a column.

    A metric is right if it agrees with the gold standard (see `concordance`). Shares are in percent; darker
    cells have larger ones. The cell across the diagonal is the other metric's share of the same
    disagreements; both metrics can be right where the gold standard is tied. A frame marks a row's metric
    that is right significantly more often (sign test). Metrics stand in decreasing order of their share. If
    there is room, a second line counts the disagreements.

    Parameters
    ----------
    table : pd.DataFrame
        The table that `concordance` returns, for one gold standard and at most 30 metrics.
    level : float
        The significance level, between 0 and 1.

    Returns
    -------
    Figure
        The chart; its title names the metric or metrics that are right most often.

    Raises
    ------
    DivmetricsError
        If a column is missing, the table is empty, it has several gold standards or more than 30 metrics, or
        the level is not between 0 and 1.

    Examples
    --------
    >>> import divmetrics as dm
    >>> metrics = ["D-nDCG@10", "D#-nDCG@10"]
    >>> table = dm.meta.concordance(dm.datasets.imine_scores(), "I-rec@10", metrics)
    >>> dm.charts.concordance_map(table).description[:41]
    'Concordance of 2 metrics with I-rec@10, o'
    """
    check_columns(table, COLUMNS, "concordances", "`concordance`")
    level = check_strict_fraction("level", level)
    golds = [str(gold) for gold in table["gold"].unique()]
    if len(golds) > 1:
        raise DivmetricsError(
            f"the concordances are with {len(golds)} gold standards ({some(golds)}); draw one at a time, as "
            f"in table[table['gold'] == {golds[0]!r}]"
        )
    cells = _both_ways(table, level)
    order = _best_first(cells)
    if len(order) > MOST:
        raise DivmetricsError(
            f"{len(order)} metrics do not fit into one picture, expected at most {MOST}; choose some"
        )
    chart, two_lines = _draw(cells, list(order))
    below = ", below it the number of disagreements" if two_lines else ""
    subtitle = [
        f"How often the row's metric is right where it disagrees with the column's, in %{below}. "
        f"Framed: right significantly more often (sign test, p < {level:g})."
    ]
    ahead = [f"{c['row']} against {c['column']} {c['share']:.1%} of {c['of']}" for c in cells if c["ahead"]]
    significant = (
        f" Significantly more often right: {first_dozen(ahead)}."
        if ahead
        else " No difference is significant."
    )
    shares = first_dozen([f"{name} {share:.1%}" for name, share in order.items()])
    description = (
        f"Concordance of {count(len(order), 'metric')} with {golds[0]}, over all disagreements with the "
        f"others: {shares}.{significant}"
    )
    headline = "No two metrics disagree"
    if any(cell["of"] for cell in cells):
        names, share = best(order)
        most = "most often" if len(names) < len(order) else "equally often"
        headline = f"{names_with_verb(names, 'is', 'are')} right {most} where metrics disagree ({share:.1%})"
    return Figure.of(chart, headline, [f"Concordance with {golds[0]}. {subtitle[0]}"], description)


def _both_ways(table: pd.DataFrame, level: float) -> list[dict[str, Any]]:
    """Return two cells per pair of metrics, each metric once as the row."""
    cells = []
    for pair in table.to_dict("records"):
        for row, column in (("a", "b"), ("b", "a")):
            more = pair[f"only_{row}"] > pair[f"only_{column}"]
            cells.append(
                {
                    "row": str(pair[f"metric_{row}"]),
                    "column": str(pair[f"metric_{column}"]),
                    "of": int(pair["disagreements"]),
                    "share": float(pair[f"concordance_{row}"]) if pair["disagreements"] else None,
                    "ahead": bool(more and pair["p_value"] < level),
                }
            )
    return cells


def _best_first(cells: list[dict[str, Any]]) -> dict[str, float]:
    """Return {metric: share of its disagreements in which it is right}, highest first."""
    right: dict[str, float] = {}
    of: dict[str, int] = {}
    for cell in cells:
        right[cell["row"]] = right.get(cell["row"], 0.0) + (cell["share"] or 0.0) * cell["of"]
        of[cell["row"]] = of.get(cell["row"], 0) + cell["of"]
    shares = {name: right[name] / max(1, of[name]) for name in right}
    return dict(sorted(shares.items(), key=lambda item: -item[1]))


def _draw(cells: list[dict[str, Any]], names: list[str]) -> tuple[Any, bool]:
    """Return the chart, and whether its cells have two lines."""
    room = INSIDE - 2 * GAP
    for_names = min(LONGEST_NAME, room - NARROWEST * len(names))
    rows = {name: shorten(name, for_names, MEDIUM) for name in names}
    columns = rows
    if len(set(rows.values())) < len(rows):
        rows = {name: f"{n}. {shorten(name, for_names - 22, MEDIUM)}" for n, name in enumerate(names, 1)}
        columns = {name: str(n) for n, name in enumerate(names, 1)}
    step = int(min((room - _widest(rows)) / len(names), WIDEST))
    two_lines = step >= ROOMY
    shares = [cell["share"] for cell in cells if cell["share"] is not None]
    low, high = min(shares, default=0.0), max(shares, default=1.0)
    drawn = [
        cell | _look(cell, low, high) | {"at": columns[cell["column"]], "beside": rows[cell["row"]]}
        for cell in cells
    ]

    def axis(title: str, angle: float, **look: Any) -> alt.Axis:
        return alt.Axis(title=title, labelAngle=angle, labelPadding=GAP, domain=False, ticks=False, **look)

    def scale(heads: dict[str, str]) -> alt.Scale:
        return alt.Scale(domain=list(heads.values()), paddingInner=0, paddingOuter=0)

    flat = _widest(columns) <= step - 4
    x = alt.X("at:O", scale=scale(columns), axis=axis("against", 0 if flat else -90, orient="top"))
    y = alt.Y("beside:O", scale=scale(rows), axis=axis("", 0))
    base = alt.Chart(alt.Data(values=drawn)).encode(x=x, y=y)
    tooltip = [
        alt.Tooltip("row:N", title="right"),
        alt.Tooltip("column:N", title="against"),
        alt.Tooltip("share:Q", format=".1%"),
        alt.Tooltip("of:Q", title="disagreements"),
    ]
    layers = [
        base.mark_rect(stroke=BACKGROUND, strokeWidth=1).encode(
            fill=alt.Fill("fill:N", scale=None),
            fillOpacity=alt.FillOpacity("opacity:Q", scale=None),
            tooltip=tooltip,
        ),
        base.transform_filter("datum.ahead").mark_rect(
            fillOpacity=0, stroke=INK, strokeWidth=1.5, width=INSET, height=INSET
        ),
        base.mark_text(fontSize=SMALL, color=INK, dy=-6 if two_lines else 0).encode(text="number:N"),
    ]
    if two_lines:
        layers.append(base.mark_text(fontSize=SMALL, color=INK, dy=8).encode(text="count:N"))
    height = HIGH if two_lines else max(step, NARROWEST)
    chart = alt.layer(*layers).properties(width=step * len(names), height=height * len(names))
    return chart, two_lines


def _look(cell: dict[str, Any], low: float, high: float) -> dict[str, Any]:
    """Return the tint and texts of a cell; `low` and `high` are the lowest and the highest share."""
    if cell["share"] is None:
        return {"opacity": 0.0, "number": "–", "count": "never"}
    tone, opacity = tint(FAINTEST + (1 - FAINTEST) * (cell["share"] - low) / ((high - low) or 1.0), 1.0)
    return {
        "fill": tone,
        "opacity": opacity,
        "number": f"{100 * cell['share']:.0f}",
        "count": f"{cell['of']:,}",
    }


def _widest(names: dict[str, str]) -> float:
    return max(text_width(name, MEDIUM) for name in names.values())
