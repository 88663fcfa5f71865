"""`check` names the intent and the rank at which a rule is broken."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest

import divmetrics as dm
from divmetrics.core.batch import Batch
from divmetrics.parts import One, Utility

TOPIC = dm.Topic("1", (dm.Intent("t", 0.5), dm.Intent("u", 0.5)))
RANKED = dm.RankedList(TOPIC, [*"abcdef"], {"e": {"t": 1, "u": 1}})


@dataclass(frozen=True)
class OneCell(Utility):
    """The value of a function of the list for the second intent at rank 3, and 0 elsewhere."""

    value: Callable[[Batch], float]

    def __call__(self, batch: Batch) -> np.ndarray:
        values = np.zeros(batch.linear.shape)
        values[:, :, 1, 2:3] = self.value(batch)
        return values


@pytest.mark.parametrize(
    ("value", "place"),
    [
        (lambda batch: np.nan, "intent 2 at rank 3 is nan"),
        (lambda batch: batch.linear[..., 3:].sum(), "at rank 3 changes when only the documents below rank 3"),
    ],
)
def test_the_place_of_what_is_wrong(value: Callable[[Batch], float], place: str) -> None:
    (sentence,) = dm.check(dm.Metric("mine", N=One(), f=One(), w=One(), M=OneCell(value)), RANKED)
    assert place in sentence
