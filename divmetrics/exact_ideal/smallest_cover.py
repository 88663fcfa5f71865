"""N and stop: the judged documents that reach a level of subtopic recall at the lowest cost."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np

from divmetrics.core.batch import Batch
from divmetrics.core.ideal import take_in_order
from divmetrics.core.parts import LevelReached, Product, ReadingCost
from divmetrics.core.parts.normalisers import RankedIdeal
from divmetrics.core.parts.part import Part
from divmetrics.core.protocols import MetricRow
from divmetrics.errors import DivmetricsError, DivmetricsWarning
from divmetrics.optional import import_optional

TIME_LIMIT = 30.0  # seconds per topic; the topics of test collections take milliseconds


@dataclass(frozen=True)
class SmallestCover(RankedIdeal):
    """The sum of f w M on the judged documents that reach the level of LevelReached at the lowest cost.

    The cost is the number of documents, or that of ReadingCost if M has this factor. The search for these
    documents is NP-hard; a warning names each topic whose documents are not proved cheapest in 30 seconds.
    The sums are (topic, 1, 1, 1). Scoring raises DivmetricsError if M is neither `LevelReached()` nor
    `LevelReached() * ReadingCost()`, whatever their settings, or if the batch has no pool.

    References
    ----------
    zhai2003

    Examples
    --------
    >>> from divmetrics.parts import SmallestCover
    >>> SmallestCover()
    SmallestCover()
    """

    def order(self, pool: Batch, row: MetricRow) -> np.ndarray:
        """Return the cheapest documents, as `RankedIdeal.order`, but also those below the cutoff."""
        M = row.M
        level, cost = (M.first, M.second) if isinstance(M, Product) else (M, ReadingCost(0))
        if not isinstance(level, LevelReached) or not isinstance(cost, ReadingCost):
            raise DivmetricsError(
                f"{row.name}: SmallestCover divides rows with M=LevelReached(), or M=LevelReached() * "
                f"ReadingCost(), but M is {M!r}; choose another N"
            )
        covers = _cheapest_covers(pool, level, cost)
        order = np.full((len(covers), max(map(len, covers), default=0)), -1, dtype=np.int64)
        for t, documents in enumerate(covers):
            order[t, : len(documents)] = documents
        return order

    def best(self, pool: Batch, row: MetricRow) -> Batch:
        return take_in_order(pool, self.order(pool, row))


@dataclass(frozen=True)
class MinimalRank(Part):
    """l_min: the smallest number of judged documents that together serve every intent with a relevant one.

    As a stop it is the last rank that counts, (topic, run, intent), the same for all runs and intents of a
    topic; 0 if the topic has no relevant document. A batch without pool of judged documents raises
    DivmetricsError.

    References
    ----------
    carterettechandar2009

    Examples
    --------
    >>> from divmetrics.parts import MinimalRank
    >>> MinimalRank()
    MinimalRank()
    """

    def __call__(self, batch: Batch) -> np.ndarray:
        covers = _cheapest_covers(batch.judged, LevelReached(), ReadingCost(0))
        lengths = np.array([len(documents) for documents in covers], dtype=np.int64)
        return np.broadcast_to(lengths[:, None, None], batch.linear.shape[:3])


def _cheapest_covers(pool: Batch, level: LevelReached, cost: ReadingCost) -> list[np.ndarray]:
    """Return the positions in the pool, by topic, of the documents that reach the level most cheaply."""
    return pool.memoize(
        ("cheapest covers", level, cost),
        lambda: [
            _cheapest_cover(topic, relevant, needed, cost.a)
            for topic, relevant, needed in zip(
                pool.topics, pool.relevant[:, 0], level.needed(pool).ravel().tolist(), strict=True
            )
        ],
    )


def _cheapest_cover(topic: str, relevant: np.ndarray, needed: int, a: float) -> np.ndarray:
    """Return the documents, of `relevant` (intent, document), that cover `needed` intents most cheaply.

    A document costs 1, and `a` for each of its intents. Warns if they are not proved to be the cheapest.
    """
    if not needed:
        return np.zeros(0, dtype=np.int64)
    documents, proved = _fewest(relevant, needed) if a == 0 else _cheapest(relevant, needed, a)
    if not proved:
        warnings.warn(
            f"topic {topic}: {len(documents)} documents reach the level of subtopic recall, but are not "
            f"proved to cost least within {TIME_LIMIT:g} s",
            DivmetricsWarning,
            stacklevel=2,
        )
    return documents


def _fewest(relevant: np.ndarray, needed: int) -> tuple[np.ndarray, bool]:
    """Return the fewest documents, and whether fewer are proved not to suffice.

    With alpha = 1 and no discount, alpha-DCG is the number of intents that a list covers.
    """
    from divmetrics.exact_ideal.optimal_lists import search_optimal_lists

    result = search_optimal_lists(relevant, np.ones(needed), alpha=1.0, time_limit=TIME_LIMIT)
    last = int(np.argmax(result.value_at > needed - 0.5))
    return result.orders[last], last == 0 or bool(result.bound_at[last - 1] < needed - 0.5)


def _cheapest(relevant: np.ndarray, needed: int, a: float) -> tuple[np.ndarray, bool]:
    """Return the cheapest documents by an integer programme, and whether they are proved to be."""
    optimize = import_optional("scipy.optimize", "WS-precision")

    sets, first = np.unique(relevant, axis=1, return_index=True)
    intents, n = sets.shape
    # Variables: whether a document of each kind is read, then whether each intent is counted.
    solution = optimize.milp(
        np.concatenate([1 + a * sets.sum(axis=0), np.zeros(intents)]),
        integrality=np.ones(n + intents),
        bounds=optimize.Bounds(0, 1),
        constraints=[
            optimize.LinearConstraint(np.hstack([sets, -np.eye(intents)]), lb=0),
            optimize.LinearConstraint(np.concatenate([np.zeros(n), np.ones(intents)])[None], lb=needed),
        ],
        options={"time_limit": TIME_LIMIT},
    )
    if solution.x is None:
        raise DivmetricsError(
            f"the cheapest documents for {needed} of {intents} intents were not found in {TIME_LIMIT:g} s; "
            "use S-precision, or fewer intents"
        )
    return first[solution.x[:n] > 0.5], solution.status == 0
