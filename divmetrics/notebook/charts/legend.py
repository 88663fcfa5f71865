"""Marks of their own for a few things, and the key that names them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt

from divmetrics.notebook.appearance.marks import MARKS, Mark
from divmetrics.notebook.appearance.palette import INK
from divmetrics.notebook.charts.figure import INSIDE, MEDIUM
from divmetrics.notebook.charts.text_width import shorten, text_width
from divmetrics.render.escaping import vega_lookup

BESIDE = 44  # pixels that a mark and the space around it take
LONGEST = INSIDE - BESIDE - 50  # of the words: the key begins where the plot does, right of its axis


def marks_with_key(field: str, words: Mapping[str, str], marks: Sequence[Mark] = MARKS) -> dict[str, Any]:
    """Shape and colour for each value of a field, at most ten, and below the picture what they mean.

    words: {value: what the key says of it}, in the order of the key. marks: (colour, shape) in that order.
    Returns the channels `fill`, `shape` and `stroke` of an Altair chart, for
    `chart.encode(**marks_with_key(...))`.
    """
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
        # As a scale of one colour, so that the key has the outlines too.
        "stroke": [INK] * len(words),
    }
    channels = {"fill": alt.Fill, "shape": alt.Shape, "stroke": alt.Stroke}
    return {
        name: channels[name](f"{field}:N", scale=alt.Scale(domain=list(words), range=values), legend=legend)
        for name, values in ranges.items()
    }
