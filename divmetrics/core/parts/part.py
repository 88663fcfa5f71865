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
    the equals sign, `word` the word to its right, and `choice` the Setting that lists all words.

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
        """Whether the part is undefined without a cutoff."""
        return False

    @property
    def ignores_nonrelevant(self) -> bool:
        """Whether values stay the same without the documents that are relevant to no intent.

        The other documents keep their ranks. If True, long lists are scored without nonrelevant documents.
        """
        return False

    @property
    def by_rank(self) -> bool:
        """Whether values depend on the rank alone, as those of a weight w(k) may."""
        return False

    def examination_probability(self, batch: Batch) -> np.ndarray:
        """Compute the share of users that reach each rank, as far as this part determines it: by default 1.

        Parameters
        ----------
        batch : Batch
            The lists.

        Returns
        -------
        numpy.ndarray
            Broadcasts to (topic, run, intent, rank): the share of users who read the document at the rank.
        """
        return np.ones((1, 1, 1, 1))

    def free_parameters(self) -> Mapping[str, float]:
        """Return {name: number} of parameters that are not fields (those of a part written as a formula)."""
        return {}

    def with_free_parameters(self, numbers: Mapping[str, Any]) -> Self:
        """Return the part with other values of its `free_parameters`.

        Parameters
        ----------
        numbers : {parameter: value}
            The values.

        Returns
        -------
        Part
            The part.
        """
        raise NotImplementedError


@dataclass(frozen=True)
class One(Part):
    """1: no normalisation as N, the same weight for every intent as f, no discount as w.

    Examples
    --------
    >>> One()
    One()
    """

    by_rank: ClassVar[bool] = True
    ignores_nonrelevant: ClassVar[bool] = True

    def __call__(self, batch: Batch, row: MetricRow | None = None) -> np.ndarray:
        return np.ones((1, 1, 1, 1))
