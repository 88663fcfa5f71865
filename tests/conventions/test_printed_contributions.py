"""What NTCIREVAL's digits change, contributions change with: they go on adding up to the printed score."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

import divmetrics as dm
from divmetrics.conventions.convention import convention
from divmetrics.conventions.printed_digits import as_printed
from divmetrics.core.batch import make_batch
from tests.support.strategies import Sample, quick, samples


@pytest.mark.parametrize("name", convention("ntcireval").rows)
@quick(10)
@given(sample=samples(levels=1))
def test_contributions_add_up_to_the_printed_score(name: str, sample: Sample) -> None:
    batch, metric = make_batch(sample.collection()), as_printed(dm.metric(f"ntcireval:{name}@5"))
    scores = metric.scores(batch)
    assert metric.contributions(batch).sum(axis=(2, 3)) == pytest.approx(scores, abs=1e-12)
    assert np.array_equal(scores, np.round(scores, 4))
