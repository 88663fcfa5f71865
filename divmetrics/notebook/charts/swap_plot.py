"""Draw two rankings of the same runs side by side, so that each crossing of lines is a swapped pair."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from divmetrics.core.calls import public
from divmetrics.core.tolerances import dense_ranks
from divmetrics.errors import DivmetricsError
from divmetrics.notebook.appearance.palette import INK, OKABE_ITO, QUIET_INK
from divmetrics.notebook.charts.figure import INSIDE, MEDIUM, Figure
from divmetrics.notebook.charts.panels import layer
from divmetrics.notebook.charts.table_checks import check_columns, count
from divmetrics.notebook.charts.text_width import shorten, text_width
from divmetrics.research.meta.score_table import score_table

MOST_RUNS = 60
ROW, GAP, WIDEST_NAME, HEAD = 19, 8, 190, 10  # pixels; HEAD: below the name of a metric
UP, DOWN = OKABE_ITO["blue"], OKABE_ITO["vermillion"]


@public
def swapped_pairs(means: pd.DataFrame, metric_a: str, metric_b: str) -> Figure:
    """Draw the runs in the order of two metrics, in two columns, with a line from each run to itself.

    Two lines cross where the metrics order a pair of runs differently; Kendall's tau counts these crossings.
    Runs that one metric ties stand in the order of the other, so their lines do not cross.

    Parameters
    ----------
    means : pd.DataFrame
        The table that `divmetrics.research.meta.means` returns (columns metric, run, mean).
    metric_a, metric_b : str
        The metrics of the left and of the right column.

    Returns
    -------
    Figure
        The chart; its title states the number of swapped pairs.

    Raises
    ------
    DivmetricsError
        If a column, a metric or a mean is missing, both metrics are the same, or there are fewer than two or
        more than 60 runs.

    Examples
    --------
    >>> import pandas as pd
    >>> import divmetrics as dm
    >>> means = pd.DataFrame(
    ...     {"metric": ["ERR", "ERR", "RBP", "RBP"], "run": ["A", "B"] * 2, "mean": [0.5, 0.4, 0.2, 0.3]}
    ... )
    >>> dm.charts.swapped_pairs(means, "ERR", "RBP").chart.title.text
    ['ERR and RBP order 1 of 1 pair of runs differently']
    """
    check_columns(means, ("metric", "run", "mean"), "means", "`means`")
    if metric_a == metric_b:
        raise DivmetricsError(f"{metric_a!r} is compared with itself; name two metrics")
    tidy = means.rename(columns={"mean": "score"}).assign(topic="all")
    table = score_table(tidy, [metric_a, metric_b])
    if len(table.runs) > MOST_RUNS:
        raise DivmetricsError(
            f"{len(table.runs)} runs do not fit into one picture, expected at most {MOST_RUNS}; draw some of "
            "them"
        )
    a, b = (dense_ranks(values) for values in table.values[:, 0])
    places = np.array([_places(a, b), _places(b, a)])
    pairs = list(combinations(range(len(a)), 2))
    swapped = sum((a[i] - a[j]) * (b[i] - b[j]) < 0 for i, j in pairs)
    headline = f"{metric_a} and {metric_b} order {swapped} of {count(len(pairs), 'pair')} of runs differently"
    best = [[table.runs[i] for i in np.argsort(column)] for column in places]
    description = (
        f"{count(len(a), 'run')} in the order of {metric_a} (left) and {metric_b} (right), with a line from "
        f"each run to itself. {headline}. Best first by {metric_a}: {', '.join(best[0])}. By {metric_b}: "
        f"{', '.join(best[1])}."
    )
    subtitle = "Best run on top. Each crossing is a swapped pair. Blue: higher on the right; orange: lower."
    chart = _draw(table.runs, places, (metric_a, metric_b))
    return Figure.of(chart, headline, [subtitle], description)


def _places(level: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Return the place of each run, 0 for the best; `other` orders runs of the same level."""
    order = np.lexsort((-other, -level))
    places = np.empty(len(order), dtype=int)
    places[order] = np.arange(len(order))
    return places


def _draw(runs: tuple[str, ...], places: np.ndarray, metrics: tuple[str, str]) -> Any:
    wide = min(WIDEST_NAME, max(text_width(run, MEDIUM) for run in runs))
    ends = (wide + GAP, INSIDE - wide - GAP)
    scale = alt.Scale(domain=[-0.5, len(runs) - 0.5], reverse=True, nice=False, zero=False)
    y, y2 = alt.Y("y:Q", scale=scale, axis=None), "y2:Q"
    lines = [
        {
            "run": run,
            "y": int(left),
            "y2": int(right),
            "stroke": QUIET_INK if left == right else UP if right < left else DOWN,
        }
        for run, left, right in zip(runs, *places, strict=True)
    ]
    layers = [
        layer(lines)
        .mark_rule(strokeWidth=1.8)
        .encode(
            x=alt.value(ends[0]),
            x2=alt.value(ends[1]),
            y=y,
            y2=y2,
            color=alt.Color("stroke:N", scale=None),
            tooltip=[alt.Tooltip("run:N")],
        )
    ]
    for side, at, align in ((0, ends[0] - GAP, "right"), (1, ends[1] + GAP, "left")):
        names = [
            {"y": int(place), "text": shorten(run, wide, MEDIUM, "end")}
            for run, place in zip(runs, places[side], strict=True)
        ]
        marks: dict[str, Any] = {"align": align, "fontSize": MEDIUM, "color": INK}
        layers.append(layer(names).mark_text(**marks).encode(x=alt.value(at), y=y, text="text:N"))
        head = [{"text": shorten(metrics[side], INSIDE / 2 - GAP, MEDIUM)}]
        marks |= {"align": ("left", "right")[side], "baseline": "bottom", "fontWeight": "bold"}
        layers.append(
            layer(head)
            .mark_text(**marks)
            .encode(x=alt.value((0, INSIDE)[side]), y=alt.value(-HEAD), text="text:N")
        )
    return alt.layer(*layers).properties(width=INSIDE, height=ROW * len(runs))
