"""Compute which list a metric prefers as one intent's share of the users grows from none to all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from divmetrics.core import checks
from divmetrics.core.batch import make_batch
from divmetrics.core.calls import public
from divmetrics.core.collection import Collection
from divmetrics.core.metric import BaseMetric
from divmetrics.core.runs import RankedList, Run
from divmetrics.core.tolerances import score_preferences
from divmetrics.core.topics import Topic, sum_of
from divmetrics.errors import DivmetricsError, did_you_mean
from divmetrics.registry.parse import metric as metric_named
from divmetrics.research.counterfactual.inputs import check_lists
from divmetrics.research.counterfactual.user_mix_result import ReaderMix, preference_spans

POINTS = 101
MOST_POINTS = 10_001
PARTS = 10  # subintervals of an interval that is refined
NARROW = 1e-7  # distance of the shares on both sides of a crossing
CLOSE = 1e-4  # distance of shares where two scores come close to each other without crossing


@public
def reader_mix(
    metric: str | BaseMetric, a: RankedList, b: RankedList, intent: str, *, points: int = POINTS
) -> ReaderMix:
    """Score two lists at every share of the users who have one intent, from none of them to all.

    The other intents keep their proportions, or share equally if they have no probability. The sum of the
    probabilities, the intents' kinds and second-level probabilities stay as they are.

    Parameters
    ----------
    metric : str or BaseMetric
        The metric, such as "ERR-IA@5".
    a, b : RankedList
        Two lists with the same judgments, of a topic with at least two intents.
    intent : str
        The id of a first-level intent.
    points : int
        The number of equidistant shares scored, 2 to 10,001. Where the preference changes between two
        neighbouring shares, or the scores come so close that they may cross twice, shares between these are
        scored until the crossing is known within 1e-7.

    Returns
    -------
    ReaderMix
        The `shares` with the scores `a` and `b`, the `crossings`, and a sentence that sums them up (`words`).

    Raises
    ------
    DivmetricsError
        If there is no metric of this name, the lists have different judgments, the topic has no such intent
        or only one, or `points` is out of range.

    Notes
    -----
    Two crossings between the same two neighbouring shares are missed if the scores are not close at either.

    Examples
    --------
    >>> import divmetrics as dm
    >>> from divmetrics.research.datasets import harry_potter
    >>> a, b = (harry_potter().list(run, "0083") for run in ("A", "B"))
    >>> print(dm.reader_mix("ERR-IA@5", a, b, "film").words)
    B wins below 16.9 % film readers, A above.
    """
    check_lists(a, b)
    checks.check_whole("points", points, 2, most=MOST_POINTS)
    lines = _Lines(metric_named(metric), a, b, intent)
    return preference_spans(lines.metric, a, b, intent, lines.now, *lines.traced(points))


def with_intent_share(topic: Topic, intent: str, share: float) -> Topic:
    """Return a copy of the topic in which one intent has the share `share`, 0 to 1, of all probability.

    The other intents keep their proportions, or share equally if they have no probability; the sum of the
    probabilities stays as it is.
    """
    total = sum_of(t.probability for t in topic.intents)
    rest = sum_of(t.probability for t in topic.intents if t.id != intent)
    remaining, others = total * (1 - share), len(topic.intents) - 1
    return replace(
        topic,
        intents=tuple(
            replace(
                t,
                probability=total * share
                if t.id == intent
                else remaining * (t.probability / rest)
                if rest
                else remaining / others,
            )
            for t in topic.intents
        ),
    )


class _Lines:
    """The scores of two lists as functions of the share of one intent."""

    def __init__(self, metric: BaseMetric, a: RankedList, b: RankedList, intent: str) -> None:
        topic, intents = a.topic, [t.id for t in a.topic.intents]
        if intent not in intents:
            raise DivmetricsError(
                f"topic {topic.id}: {intent!r} is not an intent of the topic{did_you_mean(intent, intents)}; "
                f"it has {', '.join(intents)}"
            )
        if len(intents) < 2:
            raise DivmetricsError(
                f"topic {topic.id} has only one intent, so all its readers have it; a mix takes at least two"
            )
        self.metric, self.judgments, self.intent = metric, a.judgments, intent
        self.lists = a.docs, b.docs
        probabilities = [t.probability for t in topic.intents]
        self.now = probabilities[intents.index(intent)] / sum_of(probabilities)

    def scores(self, shares: Sequence[float] | np.ndarray) -> np.ndarray:
        """Return the scores, (list, share); each share becomes a topic of one batch."""
        by_topic = {
            f"{position}": replace(
                self.judgments,
                topic=replace(
                    with_intent_share(self.judgments.topic, self.intent, float(share)), id=f"{position}"
                ),
            )
            for position, share in enumerate(shares)
        }
        runs = [
            Run(f"{r}", docs, dict.fromkeys(by_topic, (0, len(docs)))) for r, docs in enumerate(self.lists)
        ]
        batch = make_batch(Collection(by_topic).with_runs(runs), leaves=self.metric.needs_subtopics)
        return self.metric.scores(batch).T

    def traced(self, points: int) -> tuple[np.ndarray, np.ndarray]:
        """Return ascending shares, denser where the preference changes, and the scores, (list, share)."""
        shares = np.unique([*np.linspace(0, 1, points), self.now])
        scores = self.scores(shares)
        while (refine := _intervals_to_refine(shares, *scores)).any():
            more = np.setdiff1d(_shares_between(shares, scores[0] - scores[1], refine), shares)
            if not more.size:
                break
            shares, scores = np.append(shares, more), np.append(scores, self.scores(more), axis=1)
            order = np.argsort(shares)
            shares, scores = shares[order], scores[:, order]
        return shares, scores


def _shares_between(shares: np.ndarray, differences: np.ndarray, refine: np.ndarray) -> np.ndarray:
    """Return shares inside the intervals to refine: equidistant ones, and some around the linear crossing.

    `differences` are the scores of A minus those of B, (share,); `refine`, bool, has one value per interval.
    """
    low, high, first, last = (values[refine] for x in (shares, differences) for values in (x[:-1], x[1:]))
    equidistant = np.linspace(low, high, PARTS + 1, axis=1)
    change = np.where(first == last, 1.0, first - last)
    meet = np.where(first * last <= 0, low + (high - low) * first / change, low)
    around = meet[:, None] + np.array([-0.4, 0.0, 0.4]) * NARROW
    inside = (around > low[:, None]) & (around < high[:, None])
    return np.concatenate([equidistant[:, 1:-1].ravel(), around[inside]])


def _intervals_to_refine(shares: np.ndarray, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return for each interval between neighbouring shares, with scores `a` and `b`, whether to refine it."""
    prefers, gaps = score_preferences(a, b), np.diff(shares)
    changes = (prefers[:-1] != prefers[1:]) & (gaps > NARROW)
    distance = np.abs(a - b)
    rise = np.abs(np.diff(distance))
    # shares where the distance has a minimum below the change from one share to the next
    lowest = (
        (distance[1:-1] <= distance[:-2])
        & (distance[1:-1] <= distance[2:])
        & (distance[1:-1] < np.maximum(rise[:-1], rise[1:]))
    )
    lowest &= (prefers[1:-1] != 0) & (prefers[:-2] == prefers[1:-1]) & (prefers[2:] == prefers[1:-1])
    touching = np.zeros(len(gaps), dtype=bool)
    touching[:-1] |= lowest
    touching[1:] |= lowest
    refine: np.ndarray = changes | (touching & (gaps > CLOSE))
    return refine
