"""Draw null distributions: what chance alone does, with a line at what was observed."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
import numpy as np

from divmetrics.core.calls import public
from divmetrics.core.checks import check_number, quote
from divmetrics.core.tolerances import rounding_error
from divmetrics.errors import DivmetricsError
from divmetrics.notebook.appearance.palette import INK, OKABE_ITO
from divmetrics.notebook.charts.axes import axis
from divmetrics.notebook.charts.figure import Figure
from divmetrics.notebook.charts.panels import (
    arrange_panels,
    is_first_in_row,
    is_last_in_column,
    layer,
    size_panel,
)

BARS = 50  # about this many between the smallest and the largest draw
MOST = 3  # panels below each other
SHORTER, REACHES = OKABE_ITO["sky blue"], OKABE_ITO["vermillion"]


@public
def null_distribution(
    draws: Sequence[float] | np.ndarray | Mapping[str, Sequence[float] | np.ndarray],
    observed: float,
    *,
    name: str = "statistic",
    two_sided: bool = False,
) -> Figure:
    """Draw a histogram of a statistic in trials without an effect, with a line at the observed value.

    Bars of trials that reach the observed value are dark orange; their share is the achieved significance
    level. A bar never holds both kinds of trials.

    Parameters
    ----------
    draws : array_like or dict
        The statistic in each trial; or a dict of up to three null distributions by name, which are drawn
        below each other on one scale.
    observed : float
        The statistic of the data.
    name : str
        What the statistic is, the title of the axis.
    two_sided : bool
        Whether a trial reaches the observed value at the same distance below 0, too.

    Returns
    -------
    Figure
        The chart; its title states the share of trials that reach the observed value.

    Raises
    ------
    DivmetricsError
        If there are no draws, more than three distributions, or a draw or `observed` is not a finite number.

    Examples
    --------
    >>> import divmetrics as dm
    >>> figure = dm.charts.null_distribution([-2.0, -1.0, 0.0, 1.0], 1.5, two_sided=True)
    >>> figure.chart.title.text
    ['25.0% of 4 trials are at least as far from 0 as 1.5']
    """
    observed = check_number("the observed value", observed)
    named = dict(draws) if isinstance(draws, Mapping) else {"": draws}
    if not 1 <= len(named) <= MOST:
        raise DivmetricsError(
            f"{len(named)} null distributions do not fit into one picture, expected 1 to {MOST}; choose some"
        )
    values = {str(one): _numbers(one, trials) for one, trials in named.items()}
    least = abs(observed) if two_sided else observed
    tolerance = rounding_error(np.array([observed]))
    reached = {
        one: (np.abs(trials) if two_sided else trials) >= least - tolerance for one, trials in values.items()
    }
    shares = {one: f"{hits.mean():.1%}" for one, hits in reached.items()}
    number = f"{least:.3g}"
    far = f"at least as far from 0 as {number}" if two_sided else f"at least {number}"
    sizes = {len(trials) for trials in values.values()}
    trials = f"{sizes.pop():,} trials" if len(sizes) == 1 else "all trials"
    if len(values) == 1:
        headline = f"{next(iter(shares.values()))} of {trials} are {far}"
    else:
        headline = f"How many of {trials} are {far}: " + ", ".join(
            f"{share} ({one})" for one, share in shares.items()
        )
    description = f"Histogram of the {name}, observed: {observed:.3g}. " + " ".join(
        f"{one + ': ' if one else ''}{len(drawn):,} trials from {drawn.min():.3g} to {drawn.max():.3g}, "
        f"{shares[one]} {far}."
        for one, drawn in values.items()
    )
    subtitle = f"Bars: trials in which nothing differs; dark orange: {far}. Dashed: observed."
    chart = _draw(values, reached, shares, observed, name, two_sided)
    return Figure.of(chart, headline, [subtitle], description)


def _numbers(one: str, trials: Any) -> np.ndarray:
    """Return the draws as an array; raises DivmetricsError unless they are finite numbers, at least one."""
    try:
        values = np.asarray(trials, dtype=float)
    except (TypeError, ValueError):
        values = np.array([])
    if values.ndim != 1 or not len(values) or not np.isfinite(values).all():
        which = f" of {one!r}" if one else ""
        raise DivmetricsError(
            f"the draws{which} are {quote(trials)}, expected a list of finite numbers, one per trial"
        )
    return values


def _edges(values: Sequence[np.ndarray], observed: float, two_sided: bool) -> np.ndarray:
    """Return the edges of the bars; the observed value (two-sided: and its negative) is one of them."""
    everything = np.concatenate([*values, [observed, *([-observed] if two_sided else [])]])
    low, high = everything.min(), everything.max()
    width = (high - low) / BARS or 1.0
    if two_sided and observed:
        width = 2 * abs(observed) / max(1, round(2 * abs(observed) / width))
    first, last = (math.floor((low - observed) / width) - 1, math.ceil((high - observed) / width) + 1)
    return observed + width * np.arange(first, last + 1)


def _draw(
    values: Mapping[str, np.ndarray],
    reached: Mapping[str, np.ndarray],
    shares: Mapping[str, str],
    observed: float,
    name: str,
    two_sided: bool,
) -> Any:
    edges = _edges(list(values.values()), observed, two_sided)
    scale = alt.Scale(domain=[float(edges[0]), float(edges[-1])], nice=False, zero=False)
    panels = []
    for n, (one, trials) in enumerate(values.items()):
        last = is_last_in_column(n, len(values))
        x = alt.X("x:Q", scale=scale, axis=axis(name) if last else axis(None))
        y = alt.Y("y:Q", axis=axis("trials") if is_first_in_row(n, len(values)) else None)
        # A trial that reaches an edge, but for rounding, must not fall into the bar before it.
        nudge = 1e-6 * (edges[1] - edges[0]) * (np.sign(trials) if two_sided else 1)
        bars = []
        for drawn, fill in ((trials[~reached[one]], SHORTER), ((trials + nudge)[reached[one]], REACHES)):
            counts, _ = np.histogram(drawn, edges)
            bars += [
                {"x": float(left), "x2": float(right), "y": 0, "y2": int(count), "fill": fill}
                for left, right, count in zip(edges[:-1], edges[1:], counts, strict=True)
                if count
            ]
        panel = alt.layer(
            layer(bars)
            .mark_rect()
            .encode(x=x, x2="x2:Q", y=y, y2="y2:Q", color=alt.Color("fill:N", scale=None)),
            layer([{"x": observed}]).mark_rule(color=INK, strokeWidth=1.5, strokeDash=[5, 3]).encode(x=x),
        )
        panels.append(size_panel(panel, len(values), f"{one}: {shares[one]}" if one else "", ""))
    return arrange_panels(panels)
