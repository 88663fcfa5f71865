"""The cells of a table of compared runs, before they are Markdown, LaTeX or HTML."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from divmetrics.render.tables import format_score

NONE = "–"  # of a run that lists no document


def share_text(share: float) -> str:
    """A share of documents that were judged; nan is none."""
    return NONE if math.isnan(share) else format_score(share)


class MeanCell(NamedTuple):
    """A run's mean under a metric, half of its interval, its letters, and whether no other run exceeds it."""

    mean: float
    half: float
    letters: str
    best: bool


class LayoutRow(NamedTuple):
    """A run: an entry for each metric, and each share of documents that were judged as text."""

    run: str
    entries: Sequence[MeanCell]
    shares: Sequence[str]


@dataclass(frozen=True)
class TableLayout:
    """Runs down; across, metrics and shares of documents that were judged (judged@k).

    ruled: from this row on, what is no run stands below a line.
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
        """From numbers; a share of nan is no share. allowed: what is put below the runs."""
        told = [LayoutRow(run, entries, list(map(share_text, shares))) for run, entries, shares in rows]
        below = [] if allowed is None else [LayoutRow(*allowed, [NONE] * len(judged))]
        return cls(metrics, judged, [*told, *below], len(told))
