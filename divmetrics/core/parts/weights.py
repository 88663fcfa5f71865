"""f(t_i): the weight of an intent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import numpy as np

from divmetrics.core.batch import Batch
from divmetrics.core.parts.part import Part
from divmetrics.core.parts.setting import Setting
from divmetrics.core.tolerances import sums_to_one
from divmetrics.errors import DivmetricsError


@dataclass(frozen=True)
class Probability(Part):
    """p(t_i|q): an intent counts in proportion to its probability.

    The values are `Batch.probability` as (topic, 1, intent, 1).

    References
    ----------
    agrawal2009

    Examples
    --------
    >>> Probability()
    Probability()
    """

    ignores_nonrelevant: ClassVar[bool] = True

    def __call__(self, batch: Batch) -> np.ndarray:
        return batch.probability[:, None, :, None]


@dataclass(frozen=True)
class NormalisedProbability(Probability):
    """p(t_i|q), as Probability, for topics whose probabilities sum to 1 (within 0.001).

    For metrics that charge a cost for every intent, which is then charged once in total. Scoring topics with
    another sum raises DivmetricsError; topics without intents are let pass.

    References
    ----------
    amigo2018

    Examples
    --------
    >>> NormalisedProbability()
    NormalisedProbability()
    """

    def __call__(self, batch: Batch) -> np.ndarray:
        total = batch.probability.sum(axis=1)
        off = np.flatnonzero(batch.present.any(axis=1) & ~sums_to_one(total))
        if len(off):
            raise DivmetricsError(
                f"topic {batch.topics[off[0]]}: weights sum to {total[off[0]]:.6g}, but this metric charges "
                "its effort once and needs weights that sum to 1"
            )
        return super().__call__(batch)


IntentsCounted = Literal["all", "relevant"]
IntentsThatCount = Annotated[
    IntentsCounted, Setting("the intents that count: all, or those with a relevant judged document")
]


def count_intents(batch: Batch, intents: IntentsCounted) -> np.ndarray:
    """Return m, the number of a topic's intents, (topic, 1, 1, 1), as integers.

    `intents` is "all", or "relevant" for the intents with a relevant judged document. The latter raises
    DivmetricsError if the batch has no pool.
    """
    counted = batch.present if intents == "all" else batch.covered
    return counted.sum(axis=1)[:, None, None, None]


@dataclass(frozen=True)
class Uniform(Part):
    """1/m, where m is the number of the topic's intents; 1 if there are none.

    The weights are (topic, 1, 1, 1).

    Parameters
    ----------
    intents : {'all', 'relevant'}
        "all": m counts all intents of the topic; "relevant": only those with a relevant judged document
        (scoring a batch without pool then raises DivmetricsError).

    Raises
    ------
    DivmetricsError
        If `intents` is none of these words.

    References
    ----------
    zhai2003

    Examples
    --------
    >>> Uniform("relevant")
    Uniform(intents='relevant')
    """

    intents: IntentsThatCount = "all"

    ignores_nonrelevant: ClassVar[bool] = True

    def __call__(self, batch: Batch) -> np.ndarray:
        return 1 / np.maximum(count_intents(batch, self.intents), 1)


WeightOfVital = Annotated[float, Setting("the weight of a vital nugget", 0)]
WeightOfOkay = Annotated[float, Setting("the weight of an okay nugget", 0)]


@dataclass(frozen=True)
class Importance(Part):
    """The weight of an intent by the importance of its nugget: vital or okay; 0 for every other label.

    An intent without a label counts as vital, as in nuggetizer. The weights are (topic, 1, intent, 1).

    Parameters
    ----------
    vital, okay : float
        The weights of intents whose `importance` is "vital" (or ""), and "okay".

    Raises
    ------
    DivmetricsError
        If a weight is negative.

    References
    ----------
    pradeep2025

    Examples
    --------
    >>> Importance(okay=0.5)
    Importance(vital=1, okay=0.5)
    """

    vital: WeightOfVital = 1
    okay: WeightOfOkay = 0

    ignores_nonrelevant: ClassVar[bool] = True

    def __call__(self, batch: Batch) -> np.ndarray:
        label = batch.importance
        vital = (label == "vital") | (label == "")
        weight = self.vital * vital + self.okay * (label == "okay")
        return np.asarray(weight * batch.present, dtype=np.float64)[:, None, :, None]
