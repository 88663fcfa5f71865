"""Result of `reader_mix`: which list a metric prefers at which shares of an intent, as spans and in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np

from divmetrics.core.metric import BaseMetric
from divmetrics.core.runs import RankedList
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
from divmetrics.research.counterfactual.inputs import ListPair

Prefers = Literal["A", "B", ""]
SIDES: dict[int, Prefers] = {1: "A", 0: "", -1: "B"}
POINT = 5e-5  # a tie in a shorter span is a crossing; shares are printed with at most four decimals
NOTHING = 1e-6  # any other shorter span is a single share
JUMP = 1e-4  # a larger change within 1e-7 is a jump


@dataclass(frozen=True)
class Span:
    """An interval of shares in which the same list is preferred.

    Parameters
    ----------
    low, high : float
        The ends of the interval, 0 to 1.
    prefers : "A", "B" or ""
        The preferred list, or "" for neither.

    Examples
    --------
    >>> from divmetrics.research.counterfactual import Span
    >>> Span(0.0, 0.4, "B").high
    0.4
    """

    low: float
    high: float
    prefers: Prefers


@dataclass(frozen=True)
class Crossing:
    """A share at which the preference changes.

    Parameters
    ----------
    share : float
        The share of the users who have the intent, 0 to 1.
    below, above : "A", "B" or ""
        The preferred list at smaller and at larger shares, or "" for neither.
    jumps : bool
        Whether a score jumps at the share, so that the scores need not be equal there.

    Examples
    --------
    >>> from divmetrics.research.counterfactual import Crossing
    >>> Crossing(0.25, below="B", above="A", jumps=False).above
    'A'
    """

    share: float
    below: Prefers
    above: Prefers
    jumps: bool


@dataclass(frozen=True, repr=False, eq=False)
class ReaderMix:
    """The scores of lists A and B at every share of the users who have one intent.

    Parameters
    ----------
    metric : BaseMetric
        The metric.
    intent : str
        The intent whose share varies.
    lists : tuple of two RankedList
        A and B.
    shares : ndarray
        Ascending shares from 0 to 1, (share,), densest where the preference changes.
    a, b : ndarray
        The scores of the lists at the shares, (share,).
    now : float
        The intent's share according to the probabilities of the topic.
    spans : tuple of Span
        The intervals of equal preference, from 0 to 1.
    points : tuple of (float, str)
        Single shares with another preference than the neighbouring shares, such as a tie at 0: the share, and
        "A", "B" or "" (see `Span.prefers`).

    Examples
    --------
    >>> import divmetrics as dm
    >>> from divmetrics.research.datasets import harry_potter
    >>> a, b = (harry_potter().list(run, "0083") for run in ("A", "B"))
    >>> mix = dm.reader_mix("ERR-IA@5", a, b, "film")
    >>> [(crossing.below, round(crossing.share, 4), crossing.above) for crossing in mix.crossings]
    [('B', 0.1688, 'A')]
    """

    metric: BaseMetric
    intent: str
    lists: ListPair
    shares: np.ndarray
    a: np.ndarray
    b: np.ndarray
    now: float
    spans: tuple[Span, ...]
    points: tuple[tuple[float, Prefers], ...]

    @cached_property
    def crossings(self) -> tuple[Crossing, ...]:
        """The shares at which one span ends and the next begins, ascending."""
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
        """Whether the share changes neither score."""
        return all(np.ptp(scores) <= 2 * rounding_error(scores) for scores in (self.a, self.b))

    def format_share(self, share: float) -> str:
        """Return a share in percent.

        Parameters
        ----------
        share : float
            The share, from 0 to 1.

        Returns
        -------
        str
            The percentage, such as "16.9 %", with enough decimals to tell the shares named in `words` apart.
        """
        return percent(share, self._decimals)

    @cached_property
    def _decimals(self) -> int:
        named = {0.0, 1.0, *(span.low for span in self.spans), *(share for share, _ in self.points)}
        if all(abs(self.now - share) > NOTHING for share in named):
            named.add(self.now)
        return next((d for d in range(1, 5) if len({percent(s, d) for s in named}) == len(named)), 5)

    @cached_property
    def words(self) -> str:
        """A sentence that states which list wins at which shares."""
        jumps = [crossing.share for crossing in self.crossings if crossing.jumps]
        return describe_mix(self.intent, self.spans, self.points, jumps, self.flat, self.format_share)

    def __repr__(self) -> str:
        return f"{self.metric}: {self.words}\n\n{text_table(*self._table())}"

    def _repr_html_(self) -> str:
        title = html_title(f"{self.metric} over the share of {self.intent} readers")
        return f"{title}{html_table(*self._table())}{html_notes([self.words])}"

    def _table(self) -> tuple[TableRow, list[TableRow]]:
        shares = sorted({0.0, 1.0, self.now, *(span.low for span in self.spans)})
        positions = [int(np.argmin(np.abs(self.shares - share))) for share in shares]
        rows: list[TableRow] = []
        for share, position in zip(shares, positions, strict=True):
            name = f"{self.format_share(share)}{' (now)' if share == self.now else ''}"
            scores = self.a[position], self.b[position]
            rows.append((Cell(name), *(Cell(format_score(score), right=True) for score in scores)))
        return (Cell(f"{self.intent} readers"), Cell("A", right=True), Cell("B", right=True)), rows


def describe_mix(
    intent: str,
    spans: Sequence[Span],
    points: Sequence[tuple[float, Prefers]],
    jumps: Sequence[float],
    flat: bool,
    format_share: Callable[[float], str],
) -> str:
    """Return sentences about which list wins at which shares, and the shares at which a score jumps.

    `flat` is whether neither score depends on the share.
    """
    readers = f"{intent} readers"
    if len(spans) == 1:
        sentence = f"{_first_clause(spans[0].prefers)} at every share of {readers}"
        exceptions = " and ".join(
            f"{format_share(share)}, where {_later_clause(side)}" for share, side in points
        )
        sentence += f" except {exceptions}" if exceptions else ""
    else:
        sentence = ", ".join(_clauses(spans, readers, format_share))
        sentence += "".join(f"; at {format_share(share)} {_later_clause(side)}" for share, side in points)
    jump_text = f" The scores jump at {' and '.join(map(format_share, jumps))}." if jumps else ""
    return f"{sentence}.{jump_text}{' The share changes neither score.' if flat else ''}"


def _clauses(spans: Sequence[Span], readers: str, format_share: Callable[[float], str]) -> Iterator[str]:
    """Yield one clause per span."""
    previous: Prefers | None = None
    for span in spans:
        if previous is None:
            where = f"below {format_share(span.high)} {readers}"
        elif span is spans[-1]:
            where = f"above {format_share(span.low)}" if len(spans) > 2 else "above"
        else:
            where = f"from {format_share(span.low)} to {format_share(span.high)}"
        clause = _first_clause(span.prefers) if previous is None else _later_clause(span.prefers)
        yield f"{span.prefers if previous and span.prefers else clause} {where}"
        previous = span.prefers


def percent(share: float, decimals: int) -> str:
    """Return a share, 0 to 1, in percent with at most `decimals` decimals, such as "16.9 %"."""
    text = f"{100 * share:.{decimals}f}"
    return f"{text.rstrip('0').rstrip('.') if '.' in text else text} %"


def _first_clause(side: Prefers) -> str:
    return f"{side} wins" if side else "A and B tie"


def _later_clause(side: Prefers) -> str:
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
    """Return the result for ascending `shares` and their `scores`, (list, share); `now` is the present share.

    Neighbouring shares with the same preference form one span.
    """
    prefers = score_preferences(*scores)
    starts = np.append(0, 1 + np.flatnonzero(np.diff(prefers)))
    ends = np.append(starts[1:] - 1, len(shares) - 1)
    middles = [round(float(x), TIE_DIGITS) for x in (shares[starts[1:]] + shares[ends[:-1]]) / 2]
    bounds = [0.0, *middles, 1.0]
    all_spans = [
        Span(low, high, SIDES[int(prefers[start])])
        for low, high, start in zip(bounds, bounds[1:], starts, strict=False)
    ]
    spans, points = _split_points(all_spans)
    return ReaderMix(metric, intent, (a, b), shares, scores[0], scores[1], now, spans, points)


def _split_points(all_spans: Sequence[Span]) -> tuple[tuple[Span, ...], tuple[tuple[float, Prefers], ...]]:
    """Return spans without gaps from 0 to 1, and (share, preference) of the points inside a span.

    A span of (almost) no width is a point. A point between spans of different preferences is their border;
    a point between spans of the same preference, or at 0 or 1, is returned.
    """
    spans: list[Span] = []
    points: list[tuple[float, Prefers]] = []
    start, pending = 0.0, None  # where the next span begins, and a single share just before it
    for span in all_spans:
        if span.high - span.low < (NOTHING if span.prefers else POINT):
            end = 0.0 if span.low == 0 else 1.0 if span.high == 1 else None
            share = (span.low + span.high) / 2 if end is None else end
            if end is None:
                start, pending = share, (share, span.prefers)
            else:
                points.append((share, span.prefers))
                start = share
            continue
        begins = 0.0 if not spans else start if pending else span.low
        if spans and spans[-1].prefers == span.prefers:
            if pending:
                points.append(pending)
            spans[-1] = replace(spans[-1], high=span.high)
        else:
            if spans:
                spans[-1] = replace(spans[-1], high=begins)
            spans.append(replace(span, low=begins))
        pending = None
    spans[-1] = replace(spans[-1], high=1.0)
    return tuple(spans), tuple(sorted(points))
