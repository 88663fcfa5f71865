"""Draw two runs topic by topic: which is better, by how much, and where metrics disagree."""

from __future__ import annotations

from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from divmetrics.core.calls import public
from divmetrics.errors import DivmetricsError
from divmetrics.notebook.appearance.palette import OKABE_ITO, QUIET_INK
from divmetrics.notebook.charts.axes import HorizontalAxis, axis
from divmetrics.notebook.charts.contours import round_interval
from divmetrics.notebook.charts.figure import Figure
from divmetrics.notebook.charts.panels import (
    SIZE,
    arrange_panels,
    in_a_row,
    is_first_in_row,
    layer,
    size_panel,
)
from divmetrics.notebook.charts.table_checks import check_columns, check_numbers, count, first_dozen
from divmetrics.notebook.charts.title_sentences import brief, together

MOST = 40  # panels
WIDEST_BAR, BAR = 14, 0.7  # pixels; share of a topic's position
AGREES, DISAGREES = OKABE_ITO["sky blue"], OKABE_ITO["vermillion"]


@public
def topic_differences(comparison: pd.DataFrame) -> Figure:
    """Draw the difference of two runs on every topic, one panel per metric.

    A bar up means that the first run is better, down the second; no bar means that they tie. Topics stand in
    falling order of the difference under the first metric. Orange bars contradict the first metric.

    Parameters
    ----------
    comparison : pd.DataFrame
        The table that `divmetrics.meta.compare_runs` returns, for at most 40 metrics: columns metric, topic,
        difference (first run minus second), better (name of the better run, "" for a tie).

    Returns
    -------
    Figure
        The chart; its title names the run that is better on more topics under the first metric.

    Raises
    ------
    DivmetricsError
        If a column is missing, the table is empty, a difference is not a finite number, a topic occurs twice
        or not at all under a metric, or there are more than 40 metrics.

    Examples
    --------
    >>> import pandas as pd
    >>> import divmetrics as dm
    >>> table = {"metric": "I-rec", "topic": ["1", "2"], "difference": [0.2, -0.1], "better": ["A", "B"]}
    >>> dm.charts.topic_differences(pd.DataFrame(table)).description
    'A and B on 2 topics. I-rec: A better on 1, B on 1, tied on 0.'
    """
    columns = ("metric", "topic", "difference", "better")
    check_columns(comparison, columns, "comparisons", "`compare_runs`")
    check_numbers(comparison, "difference")
    differences = _by_metric(comparison)
    first, sides = str(differences.index[0]), np.sign(differences.to_numpy())
    against = sides * sides[0] < 0
    up, down = _runs(comparison)
    topics = tuple(str(topic) for topic in differences)
    across = HorizontalAxis(f"topics by falling difference under {first}", "topics", topics)
    counts: list[str] = []
    for metric, side, other in zip(differences.index, sides, against, strict=True):
        wins = f"{up} better on {(side > 0).sum()}, {down} on {(side < 0).sum()}"
        compared_with_first = f", against {first} on {other.sum()}" if counts else ""
        counts.append(f"{metric}: {wins}, tied on {(side == 0).sum()}{compared_with_first}")
    subtitle = [f"Bars up: {up} is better; down: {down}."]
    if against.any():
        subtitle.append(f"Orange, darker in grey: where a metric contradicts {first}.")
    description = f"{up} and {down} on {count(differences.shape[1], 'topic')}. {first_dozen(counts)}."
    chart = _draw(differences, across, against)
    headline = _finding([str(name) for name in differences.index], sides, against, up, down)
    return Figure.of(
        chart, headline, [f"{up} against {down}, topic by topic. {subtitle[0]}", *subtitle[1:]], description
    )


def _finding(metrics: list[str], sides: np.ndarray, against: np.ndarray, up: str, down: str) -> str:
    """Return a sentence on the run that the first metric prefers on more topics, and on disagreements."""
    wins, losses = int((sides[0] > 0).sum()), int((sides[0] < 0).sum())
    topics = sides.shape[1]
    if wins == losses:
        sentence = (
            f"{together([up, down])} are each better on {wins} of {count(topics, 'topic')} by {metrics[0]}"
        )
    else:
        better, most = (up, wins) if wins > losses else (down, losses)
        sentence = f"{brief(better)} is better on {most} of {count(topics, 'topic')} by {metrics[0]}"
    other = against.sum(axis=1)[1:].tolist()
    if not other:
        return sentence
    who = f"{metrics[1]} disagrees" if len(other) == 1 else "the others disagree"
    least, most = min(other), max(other)
    return f"{sentence}; {who} on {most if least == most else f'{least} to {most}'}"


def _by_metric(comparison: pd.DataFrame) -> pd.DataFrame:
    """Return differences (0 for a tie), one row per metric, one column per topic in drawing order.

    Raises DivmetricsError for duplicate rows, missing differences, or too many metrics.
    """
    twice = comparison.duplicated(["metric", "topic"])
    if twice.any():
        row = comparison[twice].iloc[0]
        raise DivmetricsError(
            f"topic {row['topic']!r} stands in several rows under {row['metric']!r}; give the comparison of "
            "one pair of runs"
        )
    metrics = list(dict.fromkeys(comparison["metric"]))
    if len(metrics) > MOST:
        raise DivmetricsError(
            f"{len(metrics)} metrics do not fit into one picture, expected at most {MOST}; choose some"
        )
    settled = comparison.assign(difference=comparison["difference"].where(comparison["better"] != "", 0.0))
    wide = settled.pivot(index="metric", columns="topic", values="difference").loc[metrics]
    if wide.isna().to_numpy().any():
        metric, topic = np.argwhere(wide.isna().to_numpy())[0]
        raise DivmetricsError(
            f"topic {wide.columns[topic]!r} has no difference under {wide.index[metric]!r}; compare the runs "
            "on every topic"
        )
    return wide.iloc[:, np.argsort(-wide.iloc[0].to_numpy(), kind="stable")]


def _runs(comparison: pd.DataFrame) -> tuple[str, str]:
    """Return the names of the first and the second run, from the column `better`.

    A run that is never better has no name in the table and is called "the first run" or "the second run".
    """
    decided = comparison[comparison["better"] != ""]
    up, down = (decided.loc[sign * decided["difference"] > 0, "better"] for sign in (1, -1))
    return up.iloc[0] if len(up) else "the first run", down.iloc[0] if len(down) else "the second run"


def _draw(differences: pd.DataFrame, across: HorizontalAxis, against: np.ndarray) -> Any:
    of = len(differences)
    window = round_interval([0.0, *differences.to_numpy().ravel()])
    scale = alt.Scale(domain=list(window), nice=False, zero=False)
    thickness = min(WIDEST_BAR, BAR * SIZE[in_a_row(of)][0] / differences.shape[1])
    places = [float(n) for n in range(1, differences.shape[1] + 1)]
    panels = []
    for n, (metric, row) in enumerate(differences.iterrows()):
        x = across.channel(places, n, of)
        y = alt.Y("y:Q", scale=scale, axis=axis("difference") if is_first_in_row(n, of) else None)
        bars = [
            {"x": x_, "y": 0.0, "y2": value, "at": topic, "fill": DISAGREES if other else AGREES}
            for x_, topic, value, other in zip(places, across.names, row, against[n], strict=True)
            if value
        ]
        side = np.sign(row.to_numpy())
        note = f"{(side > 0).sum()} up, {(side < 0).sum()} down"
        note += f", {against[n].sum()} against" if n else ""
        tooltip = [across.tooltip(), alt.Tooltip("y2:Q", title="difference", format="+.4f")]
        panel = alt.layer(
            layer(bars)
            .mark_rule(strokeWidth=thickness)
            .encode(x=x, y=y, y2="y2:Q", color=alt.Color("fill:N", scale=None), tooltip=tooltip),
            layer([{"y": 0.0}]).mark_rule(color=QUIET_INK).encode(y=y),
        )
        panels.append(size_panel(panel, of, str(metric), note))
    return arrange_panels(panels)
