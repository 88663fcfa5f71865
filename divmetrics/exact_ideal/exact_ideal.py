"""N: the row's own sum on the optimal list."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from divmetrics.core.batch import Batch
from divmetrics.core.parts import PART_OPTIONS
from divmetrics.core.parts.normalisers import IDEAL, Ideal
from divmetrics.core.parts.setting import Setting
from divmetrics.core.protocols import MetricRow
from divmetrics.errors import DivmetricsError, DivmetricsWarning

Seconds = Annotated[float, Setting("seconds to wait for a topic's best list", 0, ends="()", usual=(1, 60, 1))]


@dataclass(frozen=True)
class ExactIdeal(Ideal):
    """The sum of f w M on the optimal list, so that alpha-nDCG never exceeds 1.

    The sums are (topic, 1, 1, 1). Scoring raises DivmetricsError if M is not Novelty, if the discount w rises
    with the rank or is negative, or if the batch has no pool of judged documents.

    A warning names each topic whose list is not proved optimal in time, and how much better a list could be.
    On random topics of 200 documents and up to 20 intents, every list is proved optimal within a second at
    cutoff 10, and nearly every list within 5 seconds at cutoff 20. On topics of 60 intents, all lists are
    proved optimal at cutoff 5, most at cutoff 10 and none at cutoff 20; there, after 5 seconds, another list
    could be better by up to 0.3 %.

    Parameters
    ----------
    time_limit : float
        Seconds of wall-clock time per topic and cutoff, 30 by default; a step of the search is always
        completed, which takes a second on the largest topics.

    Raises
    ------
    DivmetricsError
        If `time_limit` is not above 0.

    References
    ----------
    carterette2009

    Examples
    --------
    >>> ExactIdeal(time_limit=5)
    ExactIdeal(time_limit=5)
    """

    time_limit: Seconds = 30.0
    word: ClassVar[str] = "exact"
    parameter: ClassVar[str] = "ideal"
    choice: ClassVar[Setting] = IDEAL

    def value(self, pool: Batch, row: MetricRow) -> np.ndarray:
        """Compute the largest sum of f w M on any list of judged documents.

        Parameters
        ----------
        pool : Batch
            The judged documents.
        row : MetricRow
            The metric that is normalised.

        Returns
        -------
        numpy.ndarray
            The sums down to the cutoff, (topic, 1, 1, 1); 0 for a topic without relevant documents.

        Raises
        ------
        DivmetricsError
            If M of the metric is not Novelty, or its discount w rises with the rank.

        Warns
        -----
        DivmetricsWarning
            If a list is not proved optimal within the time limit.
        """
        from divmetrics.exact_ideal.optimal_lists import search_optimal_lists

        alpha = getattr(row.M, "alpha", None)
        if row.M.reads != ("relevant",) or alpha is None:
            raise DivmetricsError(
                f"{row.name}: ideal=exact is only known for alpha-nDCG (M=Novelty); use ideal=greedy"
            )
        depth = pool.depth if row.cutoff is None else min(row.cutoff, pool.depth)
        shape = (len(pool.topics), pool.linear.shape[2], 1)
        cut = pool.cut(depth)
        discount = np.broadcast_to(row.w(cut), cut.linear.shape)[
            0, 0, 0
        ]  # a discount depends on the rank alone
        weight = np.broadcast_to(row.f(pool)[:, 0], shape)[..., 0]
        values = np.zeros((len(pool.topics), 1, 1, 1))
        for t, topic in enumerate(pool.topics):
            if depth and pool.length[t, 0]:
                result = search_optimal_lists(
                    pool.relevant[t, 0], discount, alpha, weight[t], self.time_limit, every_cutoff=False
                )
                values[t] = result.value_at[-1]
                if not result.proved[-1]:
                    warnings.warn(
                        f"topic {topic}: the ideal list of {row} is not proved best within "
                        f"{self.time_limit:g} s; another could be better by at most "
                        f"{result.gap[-1] / result.value_at[-1]:.2%}",
                        DivmetricsWarning,
                        stacklevel=2,
                    )
        return values


PART_OPTIONS["ideal"][ExactIdeal.word] = ExactIdeal()
