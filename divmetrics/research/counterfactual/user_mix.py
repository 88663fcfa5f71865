"""The reader mix: what a metric prefers as one intent's share of the readers grows from none to all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from divmetrics.core import checks
from divmetrics.core.batch import make_batch
from divmetrics.core.calls import public
from divmetrics.core.collection import Collection, RankedList, Run, Topic, sum_of
from divmetrics.core.metric import BaseMetric
from divmetrics.core.tolerances import score_preferences
from divmetrics.errors import DivmetricsError, did_you_mean
from divmetrics.registry.parse import metric as metric_named
from divmetrics.research.counterfactual.inputs import check_lists
from divmetrics.research.counterfactual.user_mix_result import ReaderMix, preference_spans

POINTS = 101
MOST_POINTS = 10_001
PARTS = 10  # into which an interval is divided that is looked at more closely
NARROW = 1e-7  # between shares on both sides of a crossing
CLOSE = 1e-4  # between shares where two scores come near each other and do not cross


@public
def reader_mix(
    metric: str | BaseMetric, a: RankedList, b: RankedList, intent: str, *, points: int = POINTS
) -> ReaderMix:
    """The scores of two lists over the share of the readers who have one intent, from none to all of them.

    The other intents keep their proportions; where they have no probability now, they share alike. What the
    probabilities sum to, kinds and second-level probabilities stay as they are.

    The scores are worked out at `points` shares at equal distances. Where the preference changes from one to
    the next, shares between them are tried until both sides of the change are known within 1e-7; so is where
    the scores come so near each other that they may cross and cross back. What rises and falls again between
    two of these shares, with no sign of it at either, is not found.

    Parameters
    ----------
    metric : a name such as "ERR-IA@5" or a Metric
    a, b : two lists over the same judgments, of a topic with at least two intents
    intent : the id of a first-level intent
    points : at so many shares at least, 2 to 10,001

    Returns a ReaderMix: the shares with both scores, the crossings, and all of it in a sentence (`words`).

    Raises DivmetricsError for input that cannot be used, in one sentence.
    """
    check_lists(a, b)
    checks.whole("points", points, 2, most=MOST_POINTS)
    lines = _Lines(metric_named(metric), a, b, intent)
    return preference_spans(lines.metric, a, b, intent, lines.now, *lines.traced(points))


def with_intent_share(topic: Topic, intent: str, share: float) -> Topic:
    """The topic with this share of its readers having the intent; the others keep their proportions."""
    total = sum_of(t.probability for t in topic.intents)
    rest = sum_of(t.probability for t in topic.intents if t.id != intent)
    left, others = total * (1 - share), len(topic.intents) - 1
    return replace(
        topic,
        intents=tuple(
            replace(
                t,
                probability=total * share
                if t.id == intent
                else left * (t.probability / rest)
                if rest
                else left / others,
            )
            for t in topic.intents
        ),
    )


class _Lines:
    """The scores of two lists at any share of an intent."""

    def __init__(self, metric: BaseMetric, a: RankedList, b: RankedList, intent: str) -> None:
        topic, known = a.topic, [t.id for t in a.topic.intents]
        if intent not in known:
            raise DivmetricsError(
                f"topic {topic.id}: {intent!r} is not an intent of the topic{did_you_mean(intent, known)}; "
                f"it has {', '.join(known)}"
            )
        if len(known) < 2:
            raise DivmetricsError(
                f"topic {topic.id} has only one intent, so all its readers have it; a mix takes at least two"
            )
        self.metric, self.pool, self.intent = metric, a.judgments, intent
        self.lists = a.docs, b.docs
        probabilities = [t.probability for t in topic.intents]
        self.now = probabilities[known.index(intent)] / sum_of(probabilities)

    def scores(self, shares: Sequence[float] | np.ndarray) -> np.ndarray:
        """(list, share): every share is a topic of its own."""
        pools = {
            f"{place}": replace(
                self.pool,
                topic=replace(with_intent_share(self.pool.topic, self.intent, float(share)), id=f"{place}"),
            )
            for place, share in enumerate(shares)
        }
        runs = [Run(f"{r}", docs, dict.fromkeys(pools, (0, len(docs)))) for r, docs in enumerate(self.lists)]
        seen = make_batch(Collection(pools).with_runs(runs), leaves=self.metric.needs_subtopics)
        return self.metric.scores(seen).T

    def traced(self, points: int) -> tuple[np.ndarray, np.ndarray]:
        """Shares, ascending, and the scores there: closer to each other where the preference changes."""
        shares = np.unique([*np.linspace(0, 1, points), self.now])
        scores = self.scores(shares)
        while (wanted := _closer(shares, *scores)).any():
            more = np.setdiff1d(_between(shares, scores[0] - scores[1], wanted), shares)
            if not more.size:
                break
            shares, scores = np.append(shares, more), np.append(scores, self.scores(more), axis=1)
            order = np.argsort(shares)
            shares, scores = shares[order], scores[:, order]
        return shares, scores


def _between(shares: np.ndarray, ahead: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Shares inside the wanted intervals: at equal distances, and around where straight lines would meet."""
    low, high, first, last = (values[wanted] for x in (shares, ahead) for values in (x[:-1], x[1:]))
    parts = np.linspace(low, high, PARTS + 1, axis=1)
    change = np.where(first == last, 1.0, first - last)
    meet = np.where(first * last <= 0, low + (high - low) * first / change, low)
    around = meet[:, None] + np.array([-0.4, 0.0, 0.4]) * NARROW
    inside = (around > low[:, None]) & (around < high[:, None])
    return np.concatenate([parts[:, 1:-1].ravel(), around[inside]])


def _closer(shares: np.ndarray, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Which intervals between neighbouring shares are to be looked at more closely, bool."""
    prefers, gaps = score_preferences(a, b), np.diff(shares)
    changes = (prefers[:-1] != prefers[1:]) & (gaps > NARROW)
    far = np.abs(a - b)
    rise = np.abs(np.diff(far))
    # A share where the scores are nearest, and nearer than they come or go from one share to the next.
    lowest = (far[1:-1] <= far[:-2]) & (far[1:-1] <= far[2:]) & (far[1:-1] < np.maximum(rise[:-1], rise[1:]))
    lowest &= (prefers[1:-1] != 0) & (prefers[:-2] == prefers[1:-1]) & (prefers[2:] == prefers[1:-1])
    touching = np.zeros(len(gaps), dtype=bool)
    touching[:-1] |= lowest
    touching[1:] |= lowest
    found: np.ndarray = changes | (touching & (gaps > CLOSE))
    return found
