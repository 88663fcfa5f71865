"""Which list a metric prefers from which share of an intent to which; where that changes; and in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np

from divmetrics.core.collection import RankedList
from divmetrics.core.metric import BaseMetric
from divmetrics.core.tolerances import TIE_DIGITS, rounding_error, score_preferences
from divmetrics.render.tables import (
    Cell,
    TableRow,
    format_score,
    html_notes,
    html_table,
    html_title,
    text_table,
)
from divmetrics.research.counterfactual.inputs import Page

Prefers = Literal["A", "B", ""]
SIDES: dict[int, Prefers] = {1: "A", 0: "", -1: "B"}
POINT = 5e-5  # a tie in a shorter span is where two lines meet; a share is told with four decimals at most
NOTHING = 1e-6  # any other span that is shorter is that of a single share
JUMP = 1e-4  # by so much no score changes within 1e-7, unless it jumps


@dataclass(frozen=True)
class Span:
    """From one share to another the same list is preferred ("" for neither)."""

    low: float
    high: float
    prefers: Prefers


@dataclass(frozen=True)
class Crossing:
    """The preference changes at this share. jumps: a score jumps there, so the lines need not meet."""

    share: float
    below: Prefers
    above: Prefers
    jumps: bool


@dataclass(frozen=True, repr=False, eq=False)
class ReaderMix:
    """The scores of lists A and B over the share of the readers who have one intent.

    shares: ascending from 0 to 1, closest where the preference changes. a, b: the scores at each of them.
    now: the share that the topic's probabilities give. spans: the whole way from 0 to 1. points: single
    shares at which another list is preferred than around them, such as a tie at 0, with what is preferred.
    """

    metric: BaseMetric
    intent: str
    lists: Page
    shares: np.ndarray
    a: np.ndarray
    b: np.ndarray
    now: float
    spans: tuple[Span, ...]
    points: tuple[tuple[float, Prefers], ...]

    @cached_property
    def crossings(self) -> tuple[Crossing, ...]:
        """Where one span ends and the next begins, by ascending share."""
        return tuple(
            Crossing(before.high, before.prefers, after.prefers, self._jumps(before.high))
            for before, after in zip(self.spans, self.spans[1:], strict=False)
        )

    def _jumps(self, share: float) -> bool:
        right = int(np.searchsorted(self.shares, share))
        around = slice(max(right - 2, 0), right + 2)
        near = np.abs(self.shares[around] - share) <= POINT
        steps = np.abs(np.diff(np.array([self.a[around], self.b[around]])[:, near]))
        return bool(steps.max(initial=0) > JUMP)

    @cached_property
    def flat(self) -> bool:
        """Is every score the same at every share?"""
        return all(np.ptp(scores) <= 2 * rounding_error(scores) for scores in (self.a, self.b))

    def told(self, share: float) -> str:
        """A share in percent, with as many decimals as tell it from the other shares that words name."""
        return percent(share, self._decimals)

    @cached_property
    def _decimals(self) -> int:
        named = {0.0, 1.0, *(span.low for span in self.spans), *(share for share, _ in self.points)}
        if all(abs(self.now - share) > NOTHING for share in named):
            named.add(self.now)
        return next((d for d in range(1, 5) if len({percent(s, d) for s in named}) == len(named)), 5)

    @cached_property
    def words(self) -> str:
        """Which list wins at which share, in a sentence."""
        jumps = [crossing.share for crossing in self.crossings if crossing.jumps]
        return describe_mix(self.intent, self.spans, self.points, jumps, self.flat, self.told)

    def __repr__(self) -> str:
        return f"{self.metric}: {self.words}\n\n{text_table(*self._table())}"

    def _repr_html_(self) -> str:
        title = html_title(f"{self.metric} over the share of {self.intent} readers")
        return f"{title}{html_table(*self._table())}{html_notes([self.words])}"

    def _table(self) -> tuple[TableRow, list[TableRow]]:
        chosen = sorted({0.0, 1.0, self.now, *(span.low for span in self.spans)})
        places = [int(np.argmin(np.abs(self.shares - share))) for share in chosen]
        rows: list[TableRow] = []
        for share, place in zip(chosen, places, strict=True):
            name = f"{self.told(share)}{' (now)' if share == self.now else ''}"
            scores = self.a[place], self.b[place]
            rows.append((Cell(name), *(Cell(format_score(score), right=True) for score in scores)))
        return (Cell(f"{self.intent} readers"), Cell("A", right=True), Cell("B", right=True)), rows


def describe_mix(
    intent: str,
    spans: Sequence[Span],
    points: Sequence[tuple[float, Prefers]],
    jumps: Sequence[float],
    flat: bool,
    told: Callable[[float], str],
) -> str:
    """Which list wins at which share, in a sentence; jumps: shares at which a score jumps."""
    readers = f"{intent} readers"
    if len(spans) == 1:
        said = f"{_does(spans[0].prefers)} at every share of {readers}"
        but = " and ".join(f"{told(share)}, where {_they(side)}" for share, side in points)
        said += f" except {but}" if but else ""
    else:
        said = ", ".join(_parts(spans, readers, told))
        said += "".join(f"; at {told(share)} {_they(side)}" for share, side in points)
    also = f" The scores jump at {' and '.join(map(told, jumps))}." if jumps else ""
    return f"{said}.{also}{' The share changes neither score.' if flat else ''}"


def _parts(spans: Sequence[Span], readers: str, told: Callable[[float], str]) -> Iterator[str]:
    before: Prefers | None = None
    for span in spans:
        if before is None:
            where = f"below {told(span.high)} {readers}"
        elif span is spans[-1]:
            where = f"above {told(span.low)}" if len(spans) > 2 else "above"
        else:
            where = f"from {told(span.low)} to {told(span.high)}"
        does = _does(span.prefers) if before is None else _they(span.prefers)
        yield f"{span.prefers if before and span.prefers else does} {where}"
        before = span.prefers


def percent(share: float, decimals: int) -> str:
    """A share in percent, without zeros at the end."""
    text = f"{100 * share:.{decimals}f}"
    return f"{text.rstrip('0').rstrip('.') if '.' in text else text} %"


def _does(side: Prefers) -> str:
    return f"{side} wins" if side else "A and B tie"


def _they(side: Prefers) -> str:
    return f"{side} wins" if side else "they tie"


def preference_spans(
    metric: BaseMetric,
    a: RankedList,
    b: RankedList,
    intent: str,
    now: float,
    shares: np.ndarray,
    scores: np.ndarray,
) -> ReaderMix:
    """What the scores, (list, share), say: neighbours with one preference are one span."""
    prefers = score_preferences(*scores)
    starts = np.append(0, 1 + np.flatnonzero(np.diff(prefers)))
    ends = np.append(starts[1:] - 1, len(shares) - 1)
    between = [round(float(x), TIE_DIGITS) for x in (shares[starts[1:]] + shares[ends[:-1]]) / 2]
    bounds = [0.0, *between, 1.0]
    every = [
        Span(low, high, SIDES[int(prefers[start])])
        for low, high, start in zip(bounds, bounds[1:], starts, strict=False)
    ]
    spans, points = _spans_and_points(every)
    return ReaderMix(metric, intent, (a, b), shares, scores[0], scores[1], now, spans, points)


def _spans_and_points(every: Sequence[Span]) -> tuple[tuple[Span, ...], tuple[tuple[float, Prefers], ...]]:
    """Those that are more than a share wide, and the single shares that are no crossing."""
    spans: list[Span] = []
    points: list[tuple[float, Prefers]] = []
    start, waiting = 0.0, None  # where the next span begins, and a single share before it
    for span in every:
        if span.high - span.low < (NOTHING if span.prefers else POINT):
            end = 0.0 if span.low == 0 else 1.0 if span.high == 1 else None
            at = (span.low + span.high) / 2 if end is None else end
            if end is None:
                start, waiting = at, (at, span.prefers)
            else:
                points.append((at, span.prefers))
                start = at
            continue
        begins = 0.0 if not spans else start if waiting else span.low
        if spans and spans[-1].prefers == span.prefers:
            if waiting:
                points.append(waiting)
            spans[-1] = replace(spans[-1], high=span.high)
        else:
            if spans:
                spans[-1] = replace(spans[-1], high=begins)
            spans.append(replace(span, low=begins))
        waiting = None
    spans[-1] = replace(spans[-1], high=1.0)
    return tuple(spans), tuple(sorted(points))
