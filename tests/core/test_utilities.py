"""A utility is the product of its factors, and one by kind of intent is that of each intent's kind."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from divmetrics.core.batch import make_batch
from divmetrics.parts import ByKind, Cascade, FirstCover, Graded, Linear, Novelty, Relevant
from tests.support.strategies import Sample, quick, samples

PAIRS = [
    ByKind(Graded() * Novelty(0.2), FirstCover()),
    ByKind(FirstCover(), Cascade()),
    ByKind(Relevant() * Novelty(), Relevant() * FirstCover()),
]


@pytest.mark.parametrize("utility", PAIRS, ids=repr)
@quick(40)
@given(sample=samples(levels=1))
def test_each_intent_has_the_utility_of_its_kind(utility: ByKind, sample: Sample) -> None:
    batch = make_batch(sample.collection())
    values, informational, navigational = (
        np.broadcast_to(part(batch), batch.linear.shape)
        for part in (utility, utility.informational, utility.navigational)
    )
    expected = np.where(batch.navigational[:, None, :, None], navigational, informational)
    assert np.allclose(values, expected, rtol=1e-12, atol=0)


@quick(20)
@given(sample=samples(levels=1))
def test_a_product_keeps_factors_of_one_name(sample: Sample) -> None:
    batch = make_batch(sample.collection())
    cube = Graded(Linear()) * Graded(Linear()) * Graded(Linear())
    assert len(cube.factors(batch)) == 3
    assert np.array_equal(cube(batch), batch.linear**3.0)
