"""The base class of all parts, and the part 1, which fits the columns N, f and w."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from divmetrics.core.batch import Batch
from divmetrics.core.parts.setting import Settable, Setting
from divmetrics.core.protocols import MetricRow


class Part(Settable):
    """The base class of the parts of a metric: N, f, w, M, stops, and the gains inside them.

    N is the normaliser, f the weight of an intent, w the discount of a rank, M the utility of a document, and
    a stop the rank at which the user stops. A subclass is a frozen dataclass whose fields are its settings.
    Its instances are called with a batch (N with the batch and the metric) and return an array that
    broadcasts to (topic, run, intent, rank); a stop returns ranks, (topic, run, intent).

    If a metric's name may choose the part, as in `gain=exponential`, `parameter` is the name to the left of
    the equals sign, `word` the word to its right, and `choice` the Setting that lists all words. Of all other
    parts, `parameter` and `word` are "", and `choice` is None.

    Examples
    --------
    >>> from divmetrics.parts import Log2
    >>> isinstance(Log2(), Part)
    True
    """

    word: ClassVar[str] = ""
    parameter: ClassVar[str] = ""
    choice: ClassVar[Setting | None] = None

    @property
    def needs_cutoff(self) -> bool:
        """Whether a metric with this part cannot be computed without a cutoff; by default False."""
        return False

    @property
    def ignores_nonrelevant(self) -> bool:
        """Whether the other documents keep their values if those relevant to no intent are left out.

        They also keep their ranks (`make_batch` with `only_relevant`). By default False, which is always
        safe; long lists are scored faster if True.
        """
        return False

    @property
    def by_rank(self) -> bool:
        """Whether values depend on the rank alone, as those of a discount w(k) do; by default False."""
        return False

    def examination_probability(self, batch: Batch) -> np.ndarray:
        """Compute the share of users who read the document at each rank, according to this part.

        Parameters
        ----------
        batch : Batch
            The lists.

        Returns
        -------
        numpy.ndarray
            Shares from 0 to 1, which broadcast to (topic, run, intent, rank). By default 1: nobody stops.
        """
        return np.ones((1, 1, 1, 1))

    def free_parameters(self) -> Mapping[str, float]:
        """Return {name: number} of settings that are not fields; by default none.

        Parts that users write as a formula have them: the numbers in the formula.
        """
        return {}

    def with_free_parameters(self, numbers: Mapping[str, Any]) -> Self:
        """Return the part with other values of its `free_parameters`; only parts that have some define it.

        Parameters
        ----------
        numbers : {parameter: value}
            The new value of each free parameter.

        Returns
        -------
        Part
            A copy with these numbers.

        Raises
        ------
        NotImplementedError
            If the part has none.
        """
        raise NotImplementedError


@dataclass(frozen=True)
class One(Part):
    """1: no normalisation as N, the same weight for every intent as f, no discount as w.

    Its value is 1 in an array of the shape (1, 1, 1, 1).

    Examples
    --------
    >>> One()
    One()
    """

    by_rank: ClassVar[bool] = True
    ignores_nonrelevant: ClassVar[bool] = True

    def __call__(self, batch: Batch, row: MetricRow | None = None) -> np.ndarray:
        return np.ones((1, 1, 1, 1))
