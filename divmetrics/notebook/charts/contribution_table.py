"""Draw where a score comes from: intents by ranks; the contributions in the cells sum to the score."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import altair as alt
import numpy as np

from divmetrics.core.calls import public
from divmetrics.core.metric import BaseMetric
from divmetrics.core.runs import RankedList
from divmetrics.errors import DivmetricsError
from divmetrics.explanations.contributions import Contributions
from divmetrics.notebook.appearance.marks import MARKS
from divmetrics.notebook.appearance.palette import INK, RULE
from divmetrics.notebook.charts.contribution_cells import (
    GAP,
    MARK,
    MOST_COLUMNS,
    ROOM,
    TOTAL,
    ContributionGrid,
    cell_data,
    describe_contributions,
    format_signed,
)
from divmetrics.notebook.charts.figure import MEDIUM, SMALL, Figure
from divmetrics.notebook.charts.list_table import common_topic
from divmetrics.notebook.charts.text_width import number_format, shorten, text_width
from divmetrics.notebook.charts.title_sentences import best, distinct, names_with_verb, preference
from divmetrics.notebook.textformat.marks import assign_marks
from divmetrics.registry.parse import metric as metric_named
from divmetrics.render.escaping import vega_lookup

MOST_ROWS = 40
WIDEST, ROOMY, HEIGHT = 58, 40, 26  # size of a cell in pixels
LINE, BETWEEN = 15, 24  # height of a line of the head; pixels between lists
SIGN = 75  # area of an intent's mark


@public
def contributions(metric: str | BaseMetric, lists: RankedList | Sequence[RankedList]) -> Figure:
    """Draw the contributions of `explain` as a table in colour: intents down, ranks across.

    Several lists stand below each other on one scale: the same tint is the same number in each. Cells and
    totals have the unit of the score. Ranks from 20 on share one column. For an intent-square metric (X-IS)
    the rows are second-level subtopics, grouped by intent. Of more than 24 rows, those that no document
    serves are folded into one row, and the subtitle says how many they are.

    Parameters
    ----------
    metric : str or BaseMetric
        The metric, such as "alpha-nDCG@10".
    lists : RankedList or Sequence of RankedList
        One list, or up to 4 lists of one topic.

    Returns
    -------
    Figure
        The chart; its title names the list that the metric prefers, or the intent that earns most.

    Raises
    ------
    DivmetricsError
        If there is no metric of this name, it needs a cutoff and has none, a list has no documents (unless
        the metric charges effort below its end), there is no list or there are too many, the lists belong to
        several topics, or there are more than 40 rows.

    Examples
    --------
    >>> import divmetrics as dm
    >>> ranking = dm.datasets.harry_potter().list("A", "0083")
    >>> figure = dm.charts.contributions("alpha-nDCG@5", ranking)
    >>> figure.description[78:115]
    'rank. They add up to the score 0.3060'
    """
    chosen = metric_named(metric)
    ranked_lists = [lists] if isinstance(lists, RankedList) else list(lists)
    topic = common_topic(ranked_lists)
    every = [_earned(chosen, ranked) for ranked in ranked_lists]
    chart, decimals, tables = _draw(every, ranked_lists)
    title = f" ({topic.title})" if topic.title else ""
    ids = ", ".join(ranked.run for ranked in ranked_lists)
    of = f"list{'s' if len(ranked_lists) > 1 else ''} {ids}, topic {topic.id}{title}"
    rounded = "" if decimals == 4 else f", to {decimals} decimals"
    signs = " Blue: earned; orange: a cost, below 0." if min(t.cells.min() for t in tables) < 0 else ""
    score = "the score" if len(ranked_lists) == 1 else "the score of a list"
    meaning = f"A cell shows what an intent earns at a rank{rounded}; all cells add up to {score}."
    meaning += " The same tint stands for the same number in every list." if len(ranked_lists) > 1 else ""
    folds = [earned.fold.words for earned in every if earned.fold]
    words = [
        f"Contributions to {chosen} of list {ranked.run}, topic {topic.id}{title}, intent by rank. "
        f"{describe_contributions(table)}"
        for ranked, table in zip(ranked_lists, tables, strict=True)
    ]
    return Figure.of(
        chart, _finding(str(chosen), ranked_lists, every), [of, meaning + signs, *folds], " ".join(words)
    )


def _earned(metric: BaseMetric, ranked: RankedList) -> Contributions:
    earned = Contributions.of_list(metric, ranked)
    topic = ranked.topic
    if not earned.values.size:
        raise DivmetricsError(
            f"list {ranked.run} for topic {topic.id} has no documents, so {metric} has no contributions "
            "to draw; give a list with at least one"
        )
    rows = len(earned.unfolded_rows) + (earned.fold is not None)
    if rows > MOST_ROWS:
        raise DivmetricsError(
            f"topic {topic.id} has {rows} rows of contributions to draw, expected at most "
            f"{MOST_ROWS}; `explain` gives them as a table"
        )
    return earned


def _finding(metric: str, ranked_lists: Sequence[RankedList], every: Sequence[Contributions]) -> str:
    """Return a sentence on the list that the metric prefers; for one list, on the intents that earn most."""
    if len(ranked_lists) > 1:
        names = distinct([ranked.run for ranked in ranked_lists])
        scores = {name: earned.score for name, earned in zip(names, every, strict=True)}
        return preference(metric, scores, "lists")
    (earned,) = every
    score = f"{metric} = {format_signed(earned.score)}"
    ids = dict.fromkeys(row.intent.id for row in earned.rows)
    of = [f"intent {name}" if name.isdigit() else name for name in ids]
    sums = dict(zip(of, earned.by_intent.sum(axis=1).tolist(), strict=True))
    if not earned.values.any():
        return f"{score}: nothing is earned"
    names, most = best(sums)
    if len(names) == len(sums):  # one intent, or all earn the same
        return score
    each = "" if len(names) == 1 else " each"
    much = f"most, {format_signed(most)}" if earned.values.min() < 0 else f"{most / earned.score:.0%}"
    return f"{score}: {names_with_verb(names, 'earns', 'earn')} {much}{each}"


def _draw(
    every: Sequence[Contributions], ranked_lists: Sequence[RankedList]
) -> tuple[alt.TopLevelMixin, int, list[ContributionGrid]]:
    """Return the chart, the number of decimals of its numbers, and its grids."""
    marks = assign_marks(intent for ranked in ranked_lists for intent in ranked.topic.intents)
    depth = max(earned.values.shape[1] for earned in every)
    columns = [str(k + 1) for k in range(min(depth, MOST_COLUMNS))]
    if depth > MOST_COLUMNS:
        columns[-1] = f"≥{MOST_COLUMNS}"
    tables = [ContributionGrid.of(earned, marks, columns) for earned in every]
    head = "intent / subtopic" if every[0].two_levels else "intent"
    widths = [text_width(name, MEDIUM) for table in tables for name in (*table.names, TOTAL, head)]
    step = int(min((ROOM - MARK - max(widths)) // (len(columns) + 1), WIDEST))
    values = [score for table in tables for score in _numbers(table)]
    number, decimals = number_format(values, step - 3, SMALL)
    top = max(float(np.abs(table.cells).max()) for table in tables)
    panels = [_panel(table, columns, head, step, number, top) for table in tables]
    if len(panels) == 1:
        return panels[0], decimals, tables
    room = step * (len(columns) + 1)
    for n, (panel, ranked, earned) in enumerate(zip(panels, ranked_lists, every, strict=True)):
        score = f": {format_signed(earned.score)}"
        text = shorten(f"list {ranked.run}", room - text_width(score, MEDIUM, bold=True), MEDIUM) + score
        look = alt.TitleParams(text=text, anchor="start", frame="group", fontSize=MEDIUM, color=INK)
        panels[n] = panel.properties(title=look)
    return alt.vconcat(*panels, spacing=BETWEEN), decimals, tables


def _numbers(table: ContributionGrid) -> list[float]:
    """Return every number written in the chart."""
    sums = [*table.by_row.values(), *table.by_column.values(), table.earned.score]
    return [*table.cells.ravel().tolist(), *sums]


def _panel(
    table: ContributionGrid,
    columns: Sequence[str],
    head: str,
    step: int,
    number: Callable[[float], str],
    top: float,
) -> Any:
    two_levels, names = table.earned.two_levels, table.names
    x, y = _rank_axis(table, columns, step), _row_axis(names, head)

    def layer(data: list[dict[str, Any]]) -> Any:
        return alt.Chart(alt.Data(values=data)).encode(x=x, y=y)

    fields = ["intent", *(["subtopic"] if two_levels else []), "rank", "doc", "grade"]
    tooltip = [*(alt.Tooltip(f"{name}:N") for name in fields), alt.Tooltip("contribution:Q", format=".6f")]
    cells = layer(cell_data(table, number, top)).encode(tooltip=tooltip)
    total = {"rank": TOTAL, "row": TOTAL}
    totals = layer(
        [total | {"row": name, "text": number(value)} for name, value in table.by_row.items()]
        + [total | {"rank": column, "text": number(value)} for column, value in table.by_column.items()]
    )
    corner = layer([total | {"text": number(table.earned.score)}])
    weight = "bold" if step >= ROOMY else "normal"
    signs = [
        {"row": name, "colour": MARKS[mark][0], "shape": MARKS[mark][1]}
        for name, mark in zip(names, table.marks, strict=False)
        if mark < len(MARKS)
    ]
    layers = [
        cells.mark_rect(stroke=RULE, strokeWidth=1).encode(
            fill=alt.Fill("fill:N", scale=None), fillOpacity=alt.FillOpacity("opacity:Q", scale=None)
        ),
        cells.mark_text(fontSize=SMALL, color=INK).encode(text="text:N"),
        totals.mark_text(fontSize=SMALL, color=INK).encode(text="text:N"),
        corner.mark_rect(fillOpacity=0, stroke=INK, strokeWidth=1.5),
        corner.mark_text(fontSize=SMALL, fontWeight=weight, color=INK).encode(text="text:N"),
        alt.Chart(alt.Data(values=signs))
        .mark_point(filled=True, opacity=1, stroke=INK, strokeWidth=1, size=SIGN)
        .encode(
            x=alt.value(-GAP - MARK / 2 + 2),
            y=y,
            fill=alt.Fill("colour:N", scale=None),
            shape=alt.Shape("shape:N", scale=None),
        ),
    ]
    if two_levels:
        places = [table.earned.rows[place].intent_index for place in table.earned.unfolded_rows]
        pairs = enumerate(pairwise(places), 1)
        firsts = [{"row": names[place]} for place, (above, own) in pairs if above != own]
        if table.earned.fold:
            firsts.append({"row": names[-1]})
        line = alt.Chart(alt.Data(values=firsts)).mark_rule(color=INK)
        layers.append(
            line.encode(y=alt.Y("row:O", bandPosition=0), x=alt.value(0), x2=alt.value(step * len(columns)))
        )
    return alt.layer(*layers).properties(width=step * (len(columns) + 1), height=HEIGHT * (len(names) + 1))


def _rank_axis(table: ContributionGrid, columns: Sequence[str], step: float) -> Any:
    """Return the axis of ranks, with the documents below them if all of them fit."""
    docs = {column: table.doc(k) for k, column in enumerate(table.columns)}
    fit = any(docs.values()) and all(text_width(doc, MEDIUM) <= step - 4 for doc in docs.values())
    lines = {**{column: [column, docs.get(column, "")] for column in columns}, TOTAL: [TOTAL, ""]}
    return alt.X(
        "rank:O",
        scale=alt.Scale(domain=[*columns, TOTAL], paddingInner=0, paddingOuter=0),
        axis=alt.Axis(
            orient="top",
            title="rank and document" if fit else "rank",
            titlePadding=6,
            labelAngle=0,
            labelExpr=vega_lookup(lines, "datum.label") if fit else "datum.label",
            labelPadding=5 + (LINE if fit else 0),
            labelLineHeight=LINE,
            domain=False,
            ticks=False,
        ),
    )


def _row_axis(names: Sequence[str], head: str) -> Any:
    return alt.Y(
        "row:O",
        scale=alt.Scale(domain=[*names, TOTAL], paddingInner=0, paddingOuter=0),
        axis=alt.Axis(
            title=head,
            titleAngle=0,
            titleAlign="right",
            titleBaseline="bottom",
            titleX=-GAP - MARK,
            titleY=-5,
            labelPadding=GAP + MARK,
            domain=False,
            ticks=False,
        ),
    )
