"""Draw the trade-off between diversity and relevance: I-rec against a D-measure, with contours of D#."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from divmetrics.core.calls import public
from divmetrics.core.checks import check_fraction
from divmetrics.core.collection import Collection
from divmetrics.errors import DivmetricsError, did_you_mean
from divmetrics.evaluation import evaluate
from divmetrics.notebook.appearance.palette import INK, OKABE_ITO, QUIET_INK
from divmetrics.notebook.charts.contours import Contour, Interval, Point, Window, contours
from divmetrics.notebook.charts.figure import BACKGROUND, MEDIUM, SMALL, Figure
from divmetrics.notebook.charts.label_placement import Box, place_labels
from divmetrics.notebook.charts.table_checks import MOST_LISTED, check_columns, count, first_dozen
from divmetrics.notebook.charts.text_width import text_width
from divmetrics.notebook.charts.title_sentences import best, names_with_verb, together

COLUMNS = ("run", "topic", "metric", "score")
PLOT = (472, 380)  # pixels; with axes and values it fills the width of a figure
DOT = 9  # diameter in pixels of a run's point
# One colour per gamma; the lines of the first gamma have the colour of the values written at their ends.
LINES = (QUIET_INK, OKABE_ITO["vermillion"], OKABE_ITO["green"])
DASHES = ([1, 0], [8, 4], [2, 3])


@public
def trade_off(
    scores: pd.DataFrame | Collection,
    x: str | None = None,
    y: str | None = None,
    gamma: float | Sequence[float] = 0.5,
) -> Figure:
    """Draw runs as points, their means over topics: `x` (I-rec) across, `y` (a D-measure) upwards.

    On each line, the sum gamma x + (1 - gamma) y has one value: with I-rec as x and a D-measure as y, the
    score of the D#-measure. The value is written at the lines of the first gamma; the lines of up to two more
    gammas are dashed. See Sakai et al. (2010), Fig. 1.

    Parameters
    ----------
    scores : pd.DataFrame or Collection
        The table that `evaluate` returns (columns run, topic, metric, score), or a collection with runs.
    x, y : str, optional
        Names of metrics, as in the column `metric`. By default "I-rec@10" and "D-nDCG@10" for a collection,
        and the two metrics of a table that has two (I-rec or S-recall is x, else the first one); required for
        other tables.
    gamma : float or Sequence of float
        The weight of `x`, 0 to 1, or up to three weights.

    Returns
    -------
    Figure
        The chart; its title names the runs that are best on each axis.

    Raises
    ------
    DivmetricsError
        If a column or a metric is missing, only one of `x` and `y` is given for a table, a run has no score
        under one of them (topics that it lacks are left out of its mean), a score is not finite, or `gamma`
        is not one to three different numbers from 0 to 1.

    Examples
    --------
    >>> import divmetrics as dm
    >>> figure = dm.charts.trade_off(dm.datasets.harry_potter(), "I-rec@5", "D-nDCG@5")
    >>> figure.chart.title.text
    ['B has the highest I-rec@5, D the highest D-nDCG@5']
    """
    gammas = _gammas(gamma)
    if isinstance(scores, Collection):
        x, y = x or "I-rec@10", y or "D-nDCG@10"
        scores = evaluate(scores, None, [x, y])
    x, y = _axes(scores, x, y)
    return _draw(_means(scores, x, y), x, y, gammas, _topics(scores))


def _gammas(gamma: float | Sequence[float]) -> list[float]:
    gammas = [gamma] if isinstance(gamma, (int, float, str)) else list(gamma)
    for value in gammas:
        check_fraction("gamma", value, "a number from 0 to 1, such as 0.5")
    if not 1 <= len(gammas) <= len(DASHES) or len(set(gammas)) < len(gammas):
        raise DivmetricsError(
            f"gamma is {gamma!r}, expected 1 to {len(DASHES)} different numbers from 0 to 1"
        )
    return [float(value) for value in gammas]


def _axes(scores: pd.DataFrame, x: str | None, y: str | None) -> tuple[str, str]:
    check_columns(scores, COLUMNS, "scores", "`evaluate`")
    available = list(dict.fromkeys(scores["metric"]))
    if x is None and y is None and len(available) == 2:
        first, second = available
        swapped = _is_recall(second) and not _is_recall(first)
        return (second, first) if swapped else (first, second)
    for axis, name in (("x", x), ("y", y)):
        if name is None:
            raise DivmetricsError(
                f"no metric is named for the {axis} axis; name one that the scores hold "
                f"({', '.join(available)}), as in {axis}={available[0]!r}"
            )
        if name not in available:
            raise DivmetricsError(
                f"metric {name!r} is not in the scores{did_you_mean(name, available)}; "
                f"they hold {', '.join(available)}"
            )
    return str(x), str(y)


def _is_recall(name: str) -> bool:
    return name.rpartition(":")[2].startswith(("I-rec", "S-recall"))


def _means(scores: pd.DataFrame, x: str, y: str) -> dict[str, Point]:
    """Return {run: (mean of metric x, mean of metric y)}, over topics.

    Raises DivmetricsError if a score is not finite, or a run has no score of a metric.
    """
    of_metrics = scores[scores["metric"].isin([x, y])]
    bad = of_metrics[~np.isfinite(of_metrics["score"].to_numpy(dtype=float))]
    if len(bad):
        row = bad.iloc[0]
        raise DivmetricsError(
            f"run {row['run']!r}, topic {row['topic']!r}: the score of {row['metric']} is {row['score']}, "
            "expected a finite number; leave that topic out or score it"
        )
    mean = of_metrics.groupby(["run", "metric"])["score"].mean().to_dict()
    out = {}
    for run in dict.fromkeys(of_metrics["run"]):
        for name in (x, y):
            if (run, name) not in mean:
                raise DivmetricsError(
                    f"run {run!r} has no score of {name}; evaluate every run with {x} and {y}"
                )
        out[str(run)] = (float(mean[run, x]), float(mean[run, y]))
    return out


def _topics(scores: pd.DataFrame) -> str:
    counts = scores.groupby("run")["topic"].nunique()
    low, high = int(counts.min()), int(counts.max())
    if high == 1:
        return "one topic"
    return f"mean over {low if low == high else f'{low} to {high}'} topics"


def sharp_name(name: str) -> str | None:
    """Return the name of a metric's # form, as D#-nDCG@10 of D-nDCG@10 or P+Q#@10 of P+Q@10, or None."""
    prefix, colon, bare = name.rpartition(":")
    for plain, sharp in (("D-", "D#-"), ("DIN-", "DIN#-"), ("P+Q", "P+Q#")):
        if bare.startswith(plain):
            return f"{prefix}{colon}{sharp}{bare.removeprefix(plain)}"
    return None


def _draw(means: dict[str, Point], x: str, y: str, gammas: Sequence[float], topics: str) -> Figure:
    window = Window.around(list(means.values()), *PLOT)
    x_axis = _axis(alt.X, "x", window.across, f"{x} ({topics})")
    y_axis = _axis(alt.Y, "y", window.up, f"{y} ({topics})")
    runs_at: dict[Point, list[str]] = {}
    for run, point in means.items():
        runs_at.setdefault((round(point[0], 9), round(point[1], 9)), []).append(run)
    names = {point: ", ".join(runs) for point, runs in runs_at.items()}
    values, taken = _values(contours(gammas[0], window), window)
    labels, leaders, unnamed = _labels(names, window, taken)
    equal = sharp_name(y) or f"gamma × {x} + (1 − gamma) × {y}"

    def layer(rows: list[dict[str, Any]]) -> Any:
        return alt.Chart(alt.Data(values=rows)).encode(x=x_axis, y=y_axis)

    points = [
        {"run": name, "x": point[0], "y": point[1], "combined": _combine(gammas[0], point)}
        for point, name in names.items()
    ]
    tooltip = [
        alt.Tooltip("run:N"),
        alt.Tooltip("x:Q", title=x, format=".4f"),
        alt.Tooltip("y:Q", title=y, format=".4f"),
        alt.Tooltip("combined:Q", title=f"{equal}, gamma {gammas[0]:g}", format=".4f"),
    ]
    dot = {"size": math.pi * (DOT / 2) ** 2, "fill": OKABE_ITO["blue"], "stroke": BACKGROUND, "opacity": 1}
    beside = {"align": "left", "baseline": "middle"}
    looks = {
        "strokeDash": _looks(alt.StrokeDash, gammas, DASHES),
        "stroke": _looks(alt.Stroke, gammas, LINES),
    }
    value, label = layer(values).encode(text="text:N"), layer(labels).encode(text="name:N")
    outline: dict[str, Any] = {"color": BACKGROUND, "stroke": BACKGROUND, "strokeWidth": 4}
    chart = alt.layer(
        layer(_lines(gammas, window)).mark_rule().encode(x2="x2:Q", y2="y2:Q", **looks),
        # An outline in the background's colour, so that no line crosses a value or a name.
        value.mark_text(**beside, fontSize=SMALL, **outline),
        value.mark_text(**beside, fontSize=SMALL, color=QUIET_INK),
        label.mark_text(**beside, fontSize=MEDIUM, **outline),
        layer(leaders).mark_rule(color=INK, strokeWidth=0.7).encode(x2="x2:Q", y2="y2:Q"),
        layer(points).mark_point(filled=True, strokeWidth=1, **dot).encode(tooltip=tooltip),
        label.mark_text(**beside, fontSize=MEDIUM, color=INK),
    ).properties(width=window.width, height=window.height)
    runs = count(len(means), "run")
    subtitle = [f"{runs}, and lines of equal {equal}; values are for gamma = {gammas[0]:g}."]
    if unnamed:
        some = ", ".join(unnamed[:MOST_LISTED]) + (" and more" if len(unnamed) > MOST_LISTED else "")
        subtitle.append(f"Not named, as there is no room: {some}.")
    subtitle[0] = f"{y} against {x}: {subtitle[0]}"
    return Figure.of(chart, _finding(means, x, y), subtitle, _describe(means, x, y, gammas[0], topics, equal))


def _finding(means: dict[str, Point], x: str, y: str) -> str:
    """Return a sentence on the runs that are best on each axis."""
    if len(means) == 1:
        ((run, (across, up)),) = means.items()
        return f"{run}: {x} {across:.4f}, {y} {up:.4f}"
    right, _ = best({run: point[0] for run, point in means.items()})
    high, _ = best({run: point[1] for run, point in means.items()})
    if right == high:
        return f"{names_with_verb(right, 'has', 'have')} the highest {x} and the highest {y}"
    return f"{names_with_verb(right, 'has', 'have')} the highest {x}, {together(high)} the highest {y}"


def _axis(channel: Any, field: str, domain: Interval, title: str) -> Any:
    axis = alt.Axis(
        title=title, grid=False, tickCount=8, labelFlush=False, domainColor=QUIET_INK, tickColor=QUIET_INK
    )
    return channel(f"{field}:Q", scale=alt.Scale(domain=list(domain), nice=False, zero=False), axis=axis)


def _lines(gammas: Sequence[float], window: Window) -> list[dict[str, Any]]:
    return [
        {"gamma": f"{line.gamma:g}", "value": line.value}
        | {"x": line.start[0], "y": line.start[1], "x2": line.end[0], "y2": line.end[1]}
        for gamma in gammas
        for line in contours(gamma, window)
    ]


def _looks(channel: Any, gammas: Sequence[float], looks: Sequence[Any]) -> Any:
    """Return the Altair channel of class `channel` that maps the gammas to `looks`, with a legend.

    Channels for the same gammas share one legend.
    """
    names = [f"{gamma:g}" for gamma in gammas]
    legend = alt.Legend(title=None, labelExpr="'gamma = ' + datum.label", orient="top", symbolSize=1500)
    return channel(
        "gamma:N",
        scale=alt.Scale(domain=names, range=list(looks[: len(names)])),
        legend=legend if len(names) > 1 else None,
    )


def _values(lines: Sequence[Contour], window: Window) -> tuple[list[dict[str, Any]], list[Box]]:
    """Return a record {text, x, y} with the value of each line, and the boxes of values inside the window.

    A value stands at the lower right end of its line; it is left out if it does not fit into the window.
    """
    rows, taken = [], []
    for line in lines:
        text = f"= {line.value:g}"  # a bare number beside the axis would look like a tick
        left, middle = window.pixel(line.end)
        left += 4
        if (
            line.end[0] < window.across[1] - 1e-9
        ):  # the line ends at the bottom: its value goes above the axis
            middle -= 7
            box = Box(left, middle - 6, left + text_width(text, SMALL), middle + 6)
            if box.right > window.width:
                continue
            taken.append(box)
        at = window.point((left, middle))
        rows.append({"text": text, "x": at[0], "y": at[1]})
    return rows, taken


def _labels(
    names: dict[Point, str], window: Window, taken: Sequence[Box]
) -> tuple[list[dict[str, Any]], list[dict[str, Any]], list[str]]:
    """Return records of names and of leader lines to distant names, and the list of names without room.

    `names` are {point: name}; `taken` are boxes that names must not overlap.
    """
    labels, leaders, unnamed = [], [], []
    pixels = [window.pixel(point) for point in names]
    frame = window.width, window.height
    boxes = place_labels(list(names.values()), pixels, frame, DOT / 2, MEDIUM, taken)
    for (point, name), pixel, box in zip(names.items(), pixels, boxes, strict=True):
        if box is None:
            unnamed.append(name)
            continue
        at = window.point((box.left, (box.top + box.bottom) / 2))
        labels.append({"name": name, "x": at[0], "y": at[1]})
        if math.dist(box.nearest(pixel), pixel) > DOT:
            tip = window.point(box.nearest(pixel))
            leaders.append({"x": point[0], "y": point[1], "x2": tip[0], "y2": tip[1]})
    return labels, leaders, unnamed


def _combine(gamma: float, point: Point) -> float:
    return gamma * point[0] + (1 - gamma) * point[1]


def _describe(means: dict[str, Point], x: str, y: str, gamma: float, topics: str, equal: str) -> str:
    best_first = sorted(means, key=lambda run: -_combine(gamma, means[run]))
    runs = [
        f"{run} {means[run][0]:.4f}, {means[run][1]:.4f} and {_combine(gamma, means[run]):.4f}"
        for run in best_first
    ]
    return (
        f"Plot of {count(len(means), 'run')}, {topics}: {x} to the right, {y} up, with lines of equal "
        f"{equal} for gamma {gamma:g}. Each run with these three scores, best {equal} first: "
        f"{first_dozen(runs)}."
    )
