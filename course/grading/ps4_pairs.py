"""Assignment 4: the metric that a need card asks for, and pairs of lists that no known wrong metric decides.

Pairs are selected from random lists: every honest reading of the card agrees on them by a clear margin, and
each known wrong metric is clearly wrong on one of the hidden five.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache, wraps
from typing import Any, TypeVar

import numpy as np

import divmetrics as dm
from divmetrics.core import batch_lists
from divmetrics.core.metric import BaseMetric
from divmetrics.core.runs import RankedList
from divmetrics.errors import DivmetricsError
from divmetrics.notebook.expressions import write_metric

CUTOFF = 5
CLEAR = 0.04  # of the highest score of any list that was drawn for the topic
LISTS = 60  # drawn for each topic
PLACES = 40  # topics that are looked at before a draw is given up
PARTS = ("pages", "ranks", "readers")
HIDDEN = ("pages", "pages", "ranks", "readers")  # what four hidden pairs turn on; the last covers the rest
PAGES = {
    "one": "first",
    "two": "relevant * (seen_before < 2) / 2",
    "half": "relevant * 0.5 ** seen_before",
    "fill": "(min(gain_before + grade, 3) - min(gain_before, 3)) / 3",
    "kinds": "where(navigational, first, relevant)",
}
RANKS = {"all": "1", "tired": "(2/3) ** (rank - 1)", "screen": "where(rank <= 3, 1, 0.25)"}
READERS = {
    "people": "probability",
    "subjects": "1 / intents",
    "few": "(1 - probability) / (intents - 1)",
}
# What "about" leaves open.
ABOUT = {
    "half": ("relevant * 0.45 ** seen_before", "relevant * 0.55 ** seen_before"),
    "tired": ("0.63 ** (rank - 1)", "0.7 ** (rank - 1)"),
    "screen": ("where(rank <= 3, 1, 0.2)", "where(rank <= 3, 1, 0.3)"),
}
OTHER_PAGES = {
    "no history": "relevant",
    "grades": "grade / top",
    "cascade": "satisfied * unsatisfied_before",
    "best page": "max(grade - before_max(grade), 0) / top",
}
LIBRARY = ("ERR-IA@5", "alpha-nDCG@5", "S-recall@5", "P-IA@5", "nDCG-IA@5", "D#-nDCG@5")
RIVALS = ("ERR-IA@5", "alpha-nDCG@5", "nDCG-IA@5", "D#-nDCG@5")


T = TypeVar("T")


def once(work: Callable[[Any], T]) -> Callable[[Any], T]:
    """Cache the result of a function of a draw."""
    done: dict[int, T] = {}

    @wraps(work)
    def cached(mine: Any) -> T:
        if mine.number not in done:
            done[mine.number] = work(mine)
        return done[mine.number]

    return cached


@dataclass(frozen=True)
class Pair:
    """Two lists, the better one first, and the part of the card that decides between them."""

    better: RankedList
    worse: RankedList
    part: str


@dataclass(frozen=True)
class DecidingPairs:
    """The three visible and five hidden pairs of a draw; the rival is wrong on pair `misled`."""

    visible: tuple[Pair, ...]
    hidden: tuple[Pair, ...]
    rival: str
    misled: int


def text(M: str, w: str, f: str, N: str = "1") -> str:
    """Return a metric as source text."""
    return f"M = {M}\nw = {w}\nf = {f}\nN = {N}"


@lru_cache
def named(name: str) -> BaseMetric:
    """Return the metric of these lines, or of this name."""
    return write_metric("mine", name).metric @ CUTOFF if "=" in name else dm.metric(name)


def parts(need: Any) -> tuple[str, str, str]:
    """Return M, w and f of a card."""
    return PAGES[need.pages], RANKS[need.ranks], READERS[need.readers]


def honest(need: Any) -> list[str]:
    """Return the reference metric of a card, then the others that its words allow."""
    M, w, f = parts(need)
    every_M, every_w = (M, *ABOUT.get(need.pages, ())), (w, *ABOUT.get(need.ranks, ()))
    return [text(M, w, f) for M in every_M for w in every_w]


def wrong(need: Any) -> dict[tuple[str, str], str]:
    """Return metrics that are wrong for a card, keyed by the wrong part and a name."""
    M, w, f = parts(need)
    texts = {("pages", name): text(other, w, f) for name, other in (PAGES | OTHER_PAGES).items()}
    texts |= {("ranks", name): text(M, other, f) for name, other in RANKS.items()}
    texts |= {("readers", name): text(M, w, other) for name, other in READERS.items()}
    texts |= {("library", name): name for name in LIBRARY}
    return {key: other for key, other in texts.items() if other != text(M, w, f)}


@dataclass(frozen=True)
class _Seen:
    """Pairs of the lists drawn for one topic: `first` and `second` are indices into `lists`.

    agreed : the honest metrics clearly prefer the first; flipped : (wrong metric, pair), which clearly prefer
    the second; right : likewise, which prefer the first
    """

    lists: list[RankedList]
    first: np.ndarray
    second: np.ndarray
    agreed: np.ndarray
    flipped: np.ndarray
    right: np.ndarray

    def pair(self, k: int, part: str) -> Pair:
        return Pair(self.lists[self.first[k]], self.lists[self.second[k]], part)


def _seen(mine: Any, place: int) -> _Seen:
    every = mine.documents(place)
    chance = random.Random(f"lists {mine.number} {place}")
    lists = []
    for _ in range(LISTS):
        left = list(every.docs)
        lists.append(every.reordered([left.pop(int(chance.random() * len(left))) for _ in range(CUTOFF)]))
    batch = batch_lists(lists)

    def ahead(names: list[str]) -> np.ndarray:
        """Compute (metric, pair): the lead of the first list as a share of the highest score."""
        scores = np.array([np.ravel(named(name).scores(batch)) for name in names])
        scores /= np.maximum(scores.max(axis=1, keepdims=True), CLEAR)
        return scores[:, first] - scores[:, second]

    first, second = np.triu_indices(LISTS, 1)
    right, others = ahead(honest(mine.need)), ahead(list(wrong(mine.need).values()))
    turned = right[0] < 0
    sign = np.where(turned, -1, 1)
    return _Seen(
        lists,
        np.where(turned, second, first),
        np.where(turned, first, second),
        np.all(right * sign >= CLEAR, axis=0),
        others * sign <= -CLEAR,
        others * sign >= CLEAR,
    )


@once
def searched(mine: Any) -> DecidingPairs | None:
    """Search the pairs of a draw; None if no pairs decide."""
    kinds = np.array([part for part, _ in wrong(mine.need)])

    def turning(seen: _Seen, part: str) -> np.ndarray:
        """Return the pairs that a slip in this part flips, and a slip in no other part."""
        others = (kinds != part) & (kinds != "library")
        return seen.agreed & seen.flipped[kinds == part].any(axis=0) & ~seen.flipped[others].any(axis=0)

    seen = _seen(mine, 0)
    selection = _visible(mine, seen, [turning(seen, part) for part in PARTS])
    hidden = _hidden(mine, turning) if selection else None
    if selection is None or hidden is None:
        return None
    places, rival, misled = selection
    visible = tuple(seen.pair(k, part) for k, part in zip(places, PARTS, strict=True))
    return DecidingPairs(visible, hidden, rival, misled)


def deciding_pairs(mine: Any) -> DecidingPairs:
    """Return the pairs of an accepted draw; raises DivmetricsError for a rejected one."""
    choice = searched(mine)
    if choice is None:
        raise DivmetricsError(f"Of draw {mine.number} of ps4 there are no pairs of lists that decide.")
    return choice


def _visible(mine: Any, seen: _Seen, fit: list[np.ndarray]) -> tuple[list[int], str, int] | None:
    """Return a pair for each part, a rival, and the only one of the three on which it is wrong."""
    places = {name: n for n, (part, name) in enumerate(wrong(mine.need)) if part == "library"}
    start = mine.number % len(RIVALS)
    for rival in (*RIVALS[start:], *RIVALS[:start]):
        wrong_there, right_there = seen.flipped[places[rival]], seen.right[places[rival]]
        for misled in range(len(PARTS)):
            best = [
                (seen.flipped.sum(axis=0) + 1) * each * (wrong_there if n == misled else right_there)
                for n, each in enumerate(fit)
            ]
            if all(each.any() for each in best):
                return [int(each.argmax()) for each in best], rival, misled
    return None


def _hidden(mine: Any, turning: Any) -> tuple[Pair, ...] | None:
    """Return five pairs of five topics such that no wrong metric is right on all."""
    places = iter(range(1, PLACES))
    covered = np.zeros(len(wrong(mine.need)), dtype=bool)
    pairs: list[Pair] = []
    for part in HIDDEN:
        for seen in _four(mine, places):
            gains = (seen.flipped & ~covered[:, None]).sum(axis=0) * turning(seen, part)
            if gains.any():
                k = int(gains.argmax())
                pairs.append(seen.pair(k, part))
                covered |= seen.flipped[:, k]
                break
        else:
            return None
    for place in places:
        seen = _seen(mine, place)
        rest = seen.agreed & (seen.flipped | covered[:, None]).all(axis=0)
        if rest.any():
            return (*pairs, seen.pair(int(rest.argmax()), ""))
    return None


def _four(mine: Any, places: Iterator[int]) -> Iterator[_Seen]:
    """Yield the pairs of the next four topics."""
    for _, place in zip(range(4), places, strict=False):
        yield _seen(mine, place)
