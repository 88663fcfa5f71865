"""The cells of a table of compared runs, independent of the output format."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from divmetrics.render.tables import format_score

NONE = "–"  # the share of a run without documents


def share_text(share: float) -> str:
    """Format a share of judged documents; for nan, return the text NONE."""
    return NONE if math.isnan(share) else format_score(share)


class MeanCell(NamedTuple):
    """A run's mean under a metric, half of its interval, its letters, and whether it is the highest.

    `best` is True for ties, too, but False for all runs if all tie, and in the row of the headroom.
    """

    mean: float
    half: float
    letters: str
    best: bool


class LayoutRow(NamedTuple):
    """A run with a cell per metric, and its shares of judged documents as text."""

    run: str
    entries: Sequence[MeanCell]
    shares: Sequence[str]


@dataclass(frozen=True)
class TableLayout:
    """A table with a row per run and columns for the metrics and the shares of judged documents (judged@k).

    `ruled` is the number of runs; further rows stand below a rule.
    """

    metrics: Sequence[str]
    judged: Sequence[str]
    rows: Sequence[LayoutRow]
    ruled: int

    @classmethod
    def of(
        cls,
        metrics: Sequence[str],
        judged: Sequence[str],
        rows: Iterable[tuple[str, Sequence[MeanCell], Sequence[float]]],
        allowed: tuple[str, Sequence[MeanCell]] | None,
    ) -> TableLayout:
        """Make a layout from means and shares of judged documents.

        `rows` are (run, a mean for each of `metrics`, a share for each of `judged`); `allowed` is
        (name, means), the row of the headroom below the runs, or None.
        """
        above = [LayoutRow(run, entries, list(map(share_text, shares))) for run, entries, shares in rows]
        below = [] if allowed is None else [LayoutRow(*allowed, [NONE] * len(judged))]
        return cls(metrics, judged, [*above, *below], len(above))
