"""Assign distinct marks to the values of a field, with a key that explains them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt

from divmetrics.core.calls import public
from divmetrics.errors import DivmetricsError
from divmetrics.notebook.appearance.marks import MARKS, Mark
from divmetrics.notebook.appearance.palette import INK
from divmetrics.notebook.charts.figure import INSIDE, MEDIUM
from divmetrics.notebook.charts.text_width import shorten, text_width
from divmetrics.render.escaping import vega_lookup

BESIDE = 44  # width in pixels of a mark and the space around it
LONGEST = INSIDE - BESIDE - 50  # widest text: the key begins at the plot's left edge, right of the axis


@public
def marks_with_key(field: str, words: Mapping[str, str], marks: Sequence[Mark] = MARKS) -> dict[str, Any]:
    """Assign a shape and a colour to each value of a field, and explain them in a key below the chart.

    Parameters
    ----------
    field : str
        The field of the chart's data.
    words : Mapping of str to str
        {value: its text in the key}, in the order of the key: one or more, and no more than there are marks.
    marks : Sequence of (str, str)
        (colour, shape) pairs in that order; by default the ten of the library's charts.

    Returns
    -------
    dict
        The channels `fill`, `shape` and `stroke`, for `chart.encode(**marks_with_key(...))`.

    Raises
    ------
    DivmetricsError
        If there is no value, or fewer marks than values.

    Examples
    --------
    >>> import divmetrics as dm
    >>> sorted(dm.charts.marks_with_key("run", {"A": "the best run", "B": "the baseline"}))
    ['fill', 'shape', 'stroke']
    """
    if not 1 <= len(words) <= len(marks):
        raise DivmetricsError(f"words has {len(words)} values, expected 1 to {len(marks)}, one for each mark")
    short = {value: shorten(text, LONGEST, MEDIUM) for value, text in words.items()}
    widest = max(text_width(text, MEDIUM) for text in short.values())
    legend = alt.Legend(
        title=None,
        orient="bottom",
        columns=max(1, min(len(short), int(INSIDE // (widest + BESIDE)))),
        labelExpr=vega_lookup(short, "datum.label"),
        symbolSize=110,
        rowPadding=4,
        columnPadding=18,
        offset=10,
    )
    ranges = {
        "fill": [colour for colour, _ in marks[: len(words)]],
        "shape": [shape for _, shape in marks[: len(words)]],
        # A scale of one colour, so that the key has outlines too.
        "stroke": [INK] * len(words),
    }
    channels = {"fill": alt.Fill, "shape": alt.Shape, "stroke": alt.Stroke}
    return {
        name: channels[name](f"{field}:N", scale=alt.Scale(domain=list(words), range=values), legend=legend)
        for name, values in ranges.items()
    }
