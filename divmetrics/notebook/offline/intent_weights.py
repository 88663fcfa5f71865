"""Decide how a metric's contributions depend on the mix of users: on one number per intent, if possible.

Under most rows an intent earns in proportion to its probability, or independently of it: then one set of
contributions determines those of every mix, without a formula. Rows that divide by one ideal list for all
users (D-nDCG) have another divisor in each mix, which a table of the documents' worth on that list
determines. The dependence is not read off the row but tested: on random lists and mixes, and on mixes that
leave one intent without users.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from divmetrics.core.batch import make_batch
from divmetrics.core.collection import Collection
from divmetrics.core.judgments import Judgments
from divmetrics.core.metric import BaseMetric, Metric
from divmetrics.core.parts import One, SortedIdeal
from divmetrics.core.runs import Run
from divmetrics.core.tolerances import dense_ranks_of_sums, score_preferences
from divmetrics.notebook.offline.permutation_tables import ListPermutations, weighted_terms

TRIES = 6  # random mixes
LISTS = 20  # random orders of each list of a page


@dataclass(frozen=True, eq=False)
class IdealList:
    """An ideal list, by decreasing worth and the same for all users; a row of a metric divides by its sum.

    `docs`: the candidate documents. `worth`: (document, intent, rank), the amount that a document adds to
    the sum at each rank under the topic's own probabilities.
    """

    docs: tuple[str, ...]
    worth: np.ndarray

    def growth(self, ratios: np.ndarray) -> float:
        """Return the list's sum under the topic's own mix divided by its sum under another; 0 if that is 0.

        `ratios` (intent,) are the probabilities in the other mix relative to the topic's own.
        """
        here, there = self._sum(np.ones_like(ratios)), self._sum(ratios)
        return here / there if there else 0.0

    def _sum(self, ratios: np.ndarray) -> float:
        worth = (self.worth * ratios[:, None]).sum(axis=1)  # (document, rank)
        best = np.argsort(-dense_ranks_of_sums(worth[:, 0]), kind="stable")[: worth.shape[1]]
        return float(worth[best, np.arange(len(best))].sum())


@dataclass(frozen=True, eq=False)
class IntentMixtures:
    """A topic with its own mix of users and with other mixes.

    `ratios`: (mix, intent), each intent's probability relative to its own; `orders`: lists under the topic's
    own mix, then under each other mix.
    """

    ratios: np.ndarray
    orders: tuple[ListPermutations, ...]

    @classmethod
    def of(cls, judgments: Judgments, lists: Sequence[Sequence[str]], seed: int = 1) -> IntentMixtures | None:
        """Build random mixes; return None if the topic has a single intent or an intent of probability 0."""
        probabilities = np.array([intent.probability for intent in judgments.topic.intents])
        if len(probabilities) < 2 or not probabilities.all():
            return None
        shares = np.random.default_rng(seed).dirichlet(np.ones(len(probabilities)), TRIES)
        without = np.where(np.eye(len(probabilities), dtype=bool), 0, probabilities)
        mixes = np.vstack([shares, without / without.sum(axis=1, keepdims=True)]) * probabilities.sum()
        pools = [judgments, *(_mixed(judgments, mix.tolist()) for mix in mixes)]
        return cls(mixes / probabilities, tuple(ListPermutations(each, lists, seed) for each in pools))

    def followed(self, metric: BaseMetric) -> list[bool | IdealList] | None:
        """Return, for each term of a metric, the rule by which its contributions depend on the mix of users.

        Returns None if a term follows no rule.

        True: in proportion to the intent's probability. False: independent of it. An IdealList: in
        proportion, divided by the list's sum. A metric that is no weighted sum is its only term.
        """
        rules = []
        for _, term in weighted_terms(metric):
            how = self._term(term)
            if how is None:
                return None
            rules.append(how)
        return rules

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
        growths = [ideal.growth(ratios) for ratios in self.ratios]
        divided = (one * by for one, by in zip(scaled, growths, strict=True))
        return ideal if all(_same(one, other) for one, other in zip(divided, others, strict=True)) else None


def _ideal(row: BaseMetric, orders: ListPermutations) -> IdealList | None:
    """Return the ideal list that all users share, or None if the row does not divide by an ideal list."""
    judgments = orders.judgments
    if not isinstance(row, Metric) or not isinstance(row.N, SortedIdeal) or row.N.per != "topic":
        return None
    if not judgments.relevant.size:
        return None
    plain = replace(row, N=One(), M=row.N.M or row.M)
    docs = [judgments.docs[place] for place in judgments.relevant.tolist()]
    ranks = min(len(docs), row.cutoff or len(docs))
    # Rotations of the documents put every document at every rank.
    runs = [Run.of(f"{n}", {judgments.topic.id: (*docs[n:], *docs[:n])}) for n in range(len(docs))]
    earned = plain.contributions(
        make_batch(Collection({judgments.topic.id: judgments}).with_runs(runs), leaves=True)
    )[0]
    document, rank = np.indices((len(docs), ranks))
    return IdealList(tuple(docs), earned[(document - rank) % len(docs), :, rank].transpose(0, 2, 1))


def _same(one: np.ndarray, other: np.ndarray) -> bool:
    return one.shape == other.shape and not score_preferences(one, other).any()


def _mixed(judgments: Judgments, probabilities: Sequence[float]) -> Judgments:
    intents = zip(judgments.topic.intents, probabilities, strict=True)
    topic = replace(judgments.topic, intents=tuple(replace(t, probability=p) for t, p in intents))
    return replace(judgments, topic=topic)
