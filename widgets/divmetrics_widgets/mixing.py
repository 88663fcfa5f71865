"""For a browser: the scores of a lab's two lists over the share of the readers who have one intent."""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter
from typing import Any

import numpy as np

from divmetrics.core.collection import RankedList
from divmetrics.errors import DivmetricsError
from divmetrics.flips import ReaderMix, reader_mix
from divmetrics.names.parse import metric as metric_named

POINTS = 51
AT_MOST = 2.0  # seconds for the lines, guessed from one score
STEP = 0.004  # of shares that a picture tells apart
SIDES = 2e-7  # of a crossing: the shares next to it are drawn, too, so that a jump is upright


def lines(name: str, a: RankedList, b: RankedList, intent: str) -> dict[str, Any]:
    """Points (share, score of A, score of B), the ends and crossings as text, and `words`; or why not."""
    try:
        metric, begun = metric_named(name), perf_counter()
        metric.score(a)
        if (perf_counter() - begun) * POINTS > AT_MOST:
            return {"words": f"{name} takes too long here to be drawn over all shares"}
        mix = reader_mix(metric, a, b, intent, points=POINTS)
    except DivmetricsError as error:
        return {"words": str(error)}
    ends = {side: [f"{scores[0]:.4f}", f"{scores[-1]:.4f}"] for side, scores in (("A", mix.a), ("B", mix.b))}
    return {
        "words": mix.words,
        "points": list(_drawn(mix)),
        "ends": ends,
        "now": [mix.now, mix.told(mix.now)],
        "crossings": [[crossing.share, mix.told(crossing.share)] for crossing in mix.crossings],
    }


def _drawn(mix: ReaderMix) -> Iterator[list[float]]:
    """The points that a picture needs."""
    last = -1.0
    crossings = np.array([crossing.share for crossing in mix.crossings])
    for share, a, b in zip(mix.shares.tolist(), mix.a.tolist(), mix.b.tolist(), strict=True):
        if share - last >= STEP or share == 1 or (np.abs(crossings - share) <= SIDES).any():
            yield [share, a, b]
            last = share
