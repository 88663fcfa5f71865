"""What a metric makes of another mix of readers, where one number for each intent says it.

Under most rows an intent earns in proportion to its probability, or whatever the probabilities are: then the
contributions of every mix follow from those of one, with no formula. Rows that divide by one ideal list for
all readers (D-nDCG) divide by another number in each mix, which a table of what documents are worth on that
list gives. That it is so is not read off the row but tried: on lists and mixes at random, and on mixes that
leave one intent without readers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from divmetrics.core.batch import make_batch
from divmetrics.core.collection import Collection, Judgments, Run
from divmetrics.core.metric import BaseMetric, Metric
from divmetrics.core.parts import One, SortedIdeal
from divmetrics.core.tolerances import dense_ranks_of_sums, score_preferences
from divmetrics.notebook.offline.permutation_tables import ListPermutations, weighted_terms

TRIES = 6  # mixes at random
LISTS = 20  # of each list of a page, in orders at random


@dataclass(frozen=True, eq=False)
class IdealList:
    """A list in decreasing worth that all readers share, whose sum a row divides by.

    docs: all that may stand there, by id. worth: (document, intent, rank), what each adds to the sum at each
    rank as the topic is.
    """

    docs: tuple[str, ...]
    worth: np.ndarray

    def grows(self, ratios: np.ndarray) -> float:
        """By what the contributions of a row that divides by its sum grow in a mix; 0 where that is 0."""
        here, there = self._sum(np.ones_like(ratios)), self._sum(ratios)
        return here / there if there else 0.0

    def _sum(self, ratios: np.ndarray) -> float:
        worth = (self.worth * ratios[:, None]).sum(axis=1)  # (document, rank)
        best = np.argsort(-dense_ranks_of_sums(worth[:, 0]), kind="stable")[: worth.shape[1]]
        return float(worth[best, np.arange(len(best))].sum())


@dataclass(frozen=True, eq=False)
class IntentMixtures:
    """A topic as it is, and with its readers mixed otherwise.

    ratios: (mix, intent), each intent's probability as a multiple of what it is; orders: the first are of the
    topic as it is, then one for each mix.
    """

    ratios: np.ndarray
    orders: tuple[ListPermutations, ...]

    @classmethod
    def of(cls, pool: Judgments, lists: Sequence[Sequence[str]], seed: int = 1) -> IntentMixtures | None:
        """None where there is nothing to mix, or an intent that has no probability to be a multiple of."""
        given = np.array([intent.probability for intent in pool.topic.intents])
        if len(given) < 2 or not given.all():
            return None
        shares = np.random.default_rng(seed).dirichlet(np.ones(len(given)), TRIES)
        without = np.where(np.eye(len(given), dtype=bool), 0, given)
        mixed = np.vstack([shares, without / without.sum(axis=1, keepdims=True)]) * given.sum()
        pools = [pool, *(_mixed(pool, mix.tolist()) for mix in mixed)]
        return cls(mixed / given, tuple(ListPermutations(each, lists, seed) for each in pools))

    def followed(self, metric: BaseMetric) -> list[bool | IdealList] | None:
        """Of each term of a weighted sum, of other metrics of the whole, how its contributions follow a mix.

        True: an intent earns in proportion to its probability; False: the same whatever it is; an IdealList:
        in proportion, divided by the list's sum. None where none of them holds of a term.
        """
        found = []
        for _, term in weighted_terms(metric):
            how = self._term(term)
            if how is None:
                return None
            found.append(how)
        return found

    def _term(self, term: BaseMetric) -> bool | IdealList | None:
        first, *others = (
            orders.measure(term)([order for tried in orders.tried for order in tried[:LISTS]])
            for orders in self.orders
        )
        if all(_same(first, other) for other in others):
            return False
        scaled = first * self.ratios[:, None, :, None]
        if all(_same(one, other) for one, other in zip(scaled, others, strict=True)):
            return True
        ideal = _ideal(term, self.orders[0])
        if ideal is None:
            return None
        grows = [ideal.grows(ratios) for ratios in self.ratios]
        divided = (one * by for one, by in zip(scaled, grows, strict=True))
        return ideal if all(_same(one, other) for one, other in zip(divided, others, strict=True)) else None


def _ideal(row: BaseMetric, orders: ListPermutations) -> IdealList | None:
    """None for a row that does not divide by a list in decreasing worth that all readers share."""
    pool = orders.pool
    if not isinstance(row, Metric) or not isinstance(row.N, SortedIdeal) or row.N.per != "topic":
        return None
    if not pool.relevant.size:
        return None
    plain = replace(row, N=One(), M=row.N.M or row.M)
    docs = [pool.docs[place] for place in pool.relevant.tolist()]
    ranks = min(len(docs), row.cutoff or len(docs))
    # Every document at every rank: the lists are the documents, each time begun with another.
    runs = [Run.of(f"{n}", {pool.topic.id: (*docs[n:], *docs[:n])}) for n in range(len(docs))]
    earned = plain.contributions(make_batch(Collection({pool.topic.id: pool}).with_runs(runs), leaves=True))[
        0
    ]
    document, rank = np.indices((len(docs), ranks))
    return IdealList(tuple(docs), earned[(document - rank) % len(docs), :, rank].transpose(0, 2, 1))


def _same(one: np.ndarray, other: np.ndarray) -> bool:
    return one.shape == other.shape and not score_preferences(one, other).any()


def _mixed(pool: Judgments, probabilities: Sequence[float]) -> Judgments:
    intents = zip(pool.topic.intents, probabilities, strict=True)
    topic = replace(pool.topic, intents=tuple(replace(t, probability=p) for t, p in intents))
    return replace(pool, topic=topic)
