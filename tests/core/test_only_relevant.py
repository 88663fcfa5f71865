"""Long lists are measured without documents that are relevant to no intent: parts say when that is right."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given

import divmetrics as dm
from divmetrics import parts
from divmetrics.core.batch import Batch, make_batch
from divmetrics.parts import (
    ByKind,
    Cascade,
    Count,
    GainRatio,
    Graded,
    Novelty,
    Relevant,
    RelevantSoFar,
    Utility,
)
from tests.support.reference import ADHOC, DIVERSITY, GOLD, NEED_A_CUTOFF
from tests.support.strategies import Sample, quick, samples

KINDS = [kind for kind in (getattr(parts, name) for name in parts.__all__) if isinstance(kind, type)]
IGNORING = [kind() for kind in KINDS if getattr(kind, "ignores_nonrelevant", None) is True]
DECLARED = [part for part in IGNORING if not part.needs_cutoff] + [Count("R")]
COMBINED = [
    Cascade(GainRatio()),
    Relevant() * RelevantSoFar(),
    Novelty(0.2) - Graded(),
    ByKind(Relevant() * RelevantSoFar(), Graded()),
]
NAMES = [name for name in [*DIVERSITY, *ADHOC, *GOLD] if name not in NEED_A_CUTOFF]
WHOLE = [m for m in map(dm.metric, [*NAMES, "ndeval:NRBP", "ndeval:MAP-IA"]) if m.ignores_nonrelevant]


def both(sample: Sample) -> tuple[Batch, Batch]:
    """The lists as they are, and without documents that are relevant to no intent."""
    collection = sample.collection()
    return make_batch(collection), make_batch(collection, only_relevant=True)


def test_most_metrics_ignore_nonrelevant_documents() -> None:
    assert len(DECLARED) >= 20
    assert {"NRBP", "MAP-IA", "ERR-IA", "nDCG-IA", "alpha-nDCG", "I-rec", "D#-nDCG", "D-nDCG"} <= {
        m.name for m in WHOLE
    }
    assert not any((m @ 10).ignores_nonrelevant for m in WHOLE)
    # They look at every rank: the ideal's gain there, what reading it costs, where the best grade stands.
    assert not any(dm.metric(name).ignores_nonrelevant for name in ("Q-IA", "P-IA@10", "RBU@10", "P+Q"))
    assert not (Novelty() * parts.BlendedRatio()).ignores_nonrelevant
    assert not RelevantSoFar().zero_if_nonrelevant


@pytest.mark.parametrize("part", [p for p in [*DECLARED, *COMBINED] if isinstance(p, Utility)], ids=repr)
@quick(25)
@given(sample=samples(most_intents=3))
def test_a_utility_is_the_same_at_relevant_documents(part: Utility, sample: Sample) -> None:
    dense, sparse = both(sample)
    values = np.broadcast_to(part(dense), dense.linear.shape)
    of_relevant = np.broadcast_to(part(sparse), sparse.linear.shape)
    relevant = dense.relevant.any(axis=2)
    for t, r in np.ndindex(relevant.shape[:2]):
        at = np.flatnonzero(relevant[t, r])
        assert np.array_equal(values[t, r][:, at], of_relevant[t, r][:, : len(at)])
        if part.zero_if_nonrelevant:
            assert not values[t, r][:, ~relevant[t, r]].any()


@pytest.mark.parametrize(
    "part", [p for p in DECLARED if not isinstance(p, Utility) and not hasattr(p, "value")], ids=repr
)
@quick(25)
@given(sample=samples(most_intents=3))
def test_weights_are_the_same_at_relevant_documents(part: Callable[..., Any], sample: Sample) -> None:
    row = dm.metric("nDCG-IA")
    dense, sparse = both(sample)
    if not sparse.depth:
        return
    values, of_relevant = (
        np.broadcast_to(part(lists, row) if takes_a_row(part) else part(lists), lists.linear.shape)
        for lists in (dense, sparse)
    )
    relevant = dense.relevant.any(axis=2)
    for t, r in np.ndindex(relevant.shape[:2]):
        at = np.flatnonzero(relevant[t, r])
        assert np.allclose(values[t, r][:, at], of_relevant[t, r][:, : len(at)], rtol=1e-14, atol=0)


def takes_a_row(part: object) -> bool:
    """Is it a normaliser?"""
    return "row" in type(part).__call__.__annotations__


@pytest.mark.parametrize("metric", WHOLE, ids=str)
@quick(15)
@given(sample=samples())
def test_scores_are_the_same(metric: dm.Metric, sample: Sample) -> None:
    dense, sparse = both(sample)
    assert np.allclose(metric.scores(sparse), metric.scores(dense), rtol=1e-12, atol=1e-15)


def test_ranks_are_unchanged() -> None:
    topic = dm.Topic("1", (dm.Intent("a", 0.5), dm.Intent("b", 0.5)))
    lists = {"A": {"1": ["x", "d2", "d1", "y", "d3"]}, "B": {"1": ["d3"]}}
    collection = dm.Collection.of([topic], {"1": {"d1": {"a": 2}, "d2": {}, "d3": {"b": 1}}}, lists)
    sparse = make_batch(collection, only_relevant=True)
    assert sparse.linear[0].tolist() == [[[2, 0], [0, 1]], [[0, 0], [1, 0]]]
    assert sparse.ranks[0, :, 0].tolist() == [[3, 5], [1, 6]]  # below the end: beyond every list
    assert sparse.length.tolist() == [[5, 1]]
    assert sparse.listed[0, :, 0].tolist() == [[True, True], [True, False]]
    with pytest.raises(dm.DivmetricsError, match="depth is -1"):
        make_batch(collection, depth=-1)
    with pytest.raises(dm.DivmetricsError, match="topic 7 has no judgments"):
        collection.judgments(7)  # type: ignore[arg-type]
