"""The greedy ideal list is that of its definition, and what parts declare to make it cheap is true."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import divmetrics as dm
from divmetrics import parts
from divmetrics.core import ideal
from divmetrics.core.batch import Batch, make_batch
from divmetrics.core.ideal import Ties
from divmetrics.core.merging import global_gain
from divmetrics.core.metric import Metric
from divmetrics.core.parts.discounts import Discount
from divmetrics.core.prefix_sums import exclusive_cumsum
from divmetrics.core.tolerances import TIE_TOLERANCE
from divmetrics.notebook.expressions.expression_parts import WrittenUtility
from divmetrics.parts import (
    ByKind,
    Cascade,
    Effort,
    Exponential,
    FirstCover,
    GainRatio,
    Graded,
    GreedyIdeal,
    Log2,
    Novelty,
    One,
    Patience,
    Persistence,
    Probability,
    RankBiased,
    Reciprocal,
    Relevant,
    RelevantSoFar,
    Satisfaction,
    Utility,
)
from tests.support.strategies import Sample, one_list, quick

BOTH: tuple[Ties, ...] = ("ascending", "descending")
ALPHAS = (0.0, 0.2, 0.5, 0.99, 1.0)


def judged(
    random: np.random.Generator, count: int, docs: int, intents: int, share: float, top: int = 1
) -> Batch:
    """The pool of random topics, whose documents differ in their intents; intents as likely as it happens."""
    topics, grades = [], {}
    for t in range(count):
        likely = random.dirichlet(np.ones(intents))
        topic = dm.Topic(str(t), tuple(dm.Intent(f"i{i}", p) for i, p in enumerate(likely.tolist())))
        random_grades = (random.random((docs, intents)) < share) * random.integers(
            1, top + 1, (docs, intents)
        )
        grades[topic.id] = {
            f"d{d:04d}": {f"i{i}": int(row[i]) for i in np.flatnonzero(row)}
            for d, row in enumerate(random_grades)
        }
        topics.append(topic)
    return make_batch(dm.Collection.of(topics, grades, {"r": {}}, scale=top)).judged


def plain_greedy(pool: Batch, row: Metric, ties: str, depth: int) -> np.ndarray:
    """By the definition: every document left is tried below those chosen, and scored by the row itself.

    A weight of the rank multiplies all of them alike, and is left out: ties are relative to the gains.
    """
    topics, docs = len(pool.topics), pool.depth
    order = np.full((topics, depth), -1)
    left = pool.listed[:, 0, 0].copy()
    largest = np.zeros(topics)
    for k in range(depth):
        above = np.broadcast_to(order[:, None, :k], (topics, docs, k))
        every = np.broadcast_to(np.arange(docs)[:, None], (topics, docs, 1))
        tried = pool.take(np.concatenate([above, every], axis=2))
        weight = 1 if getattr(row.w, "by_rank", False) else row.w(tried)[..., -1:]
        earned = weight * row.f(tried) * row.M(tried)[..., -1:]
        largest = np.maximum(largest, np.where(left[..., None, None], np.abs(earned), 0).max(axis=(1, 2, 3)))
        gain = np.where(left, earned.sum(axis=(2, 3)), -np.inf)
        for t in np.flatnonzero(left.any(axis=1)):
            best = np.flatnonzero(left[t] & (gain[t] >= gain[t].max() - TIE_TOLERANCE * largest[t]))
            order[t, k] = best[0] if ties == "ascending" else best[-1]
            left[t, order[t, k]] = False
    return order


def assert_plain(pool: Batch, row: Metric, ties: Ties, depth: int | None = None) -> None:
    order = ideal.greedy_order(pool, row, ties, depth)
    assert np.array_equal(order, plain_greedy(pool, row, ties, order.shape[1]))


@pytest.mark.parametrize("name", ["alpha-nDCG", "ndeval:nERR-IA", "ndeval:nNRBP", "alpha-nDCG(alpha=1)"])
def test_greedy_order_equals_the_definition_on_a_thousand_topics(name: str) -> None:
    random = np.random.default_rng(7)
    row = dm.metric(name)
    assert isinstance(row, Metric)
    for intents, share in ((1, 0.5), (4, 0.4), (9, 0.3)):
        assert_plain(judged(random, 350, 9, intents, share), row, row.N.ties)  # type: ignore[attr-defined]


@pytest.mark.parametrize("ties", BOTH)
@pytest.mark.parametrize("alpha", ALPHAS)
def test_greedy_order_equals_the_definition_with_many_intents(ties: Ties, alpha: float) -> None:
    """4,000 lists for all alphas and both orders, half of them of graded topics with unlike intents."""
    random = np.random.default_rng(57)
    for intents, share in ((2, 0.5), (20, 0.3), (57, 0.1), (80, 0.02)):
        for top, f in ((1, One()), (3, Probability())):
            pool = judged(random, 25, 14, intents, share, top)
            for w in (Log2(), Reciprocal()):
                assert_plain(pool, Metric("m", N=GreedyIdeal(ties), f=f, w=w, M=Novelty(alpha)), ties)


@pytest.mark.parametrize(
    "weight", [One(), Log2(), Reciprocal(), Persistence(), RankBiased(), Patience()], ids=repr
)
def test_weights_of_a_rank_are_those_of_other_documents(weight: parts.Part) -> None:
    pool = judged(np.random.default_rng(2), 5, 12, 3, 0.4)
    reverse = np.arange(pool.depth)[::-1]
    other = replace(pool.take(np.tile(reverse, (5, 1, 1))), effort=np.full((5, 1, 1, pool.depth), 2.0))
    assert weight.by_rank == np.array_equal(weight(pool), weight(other))  # type: ignore[operator]


@dataclass(frozen=True)
class Impatience(parts.Part):
    """A weight that depends on the documents above, not on the rank alone."""

    def __call__(self, batch: Batch) -> np.ndarray:
        return 1 / (1 + exclusive_cumsum(batch.relevant.sum(axis=2, keepdims=True)))


@pytest.mark.parametrize("topics", [1, 25])
def test_a_weight_that_depends_on_documents_takes_part(topics: int) -> None:
    pool = judged(np.random.default_rng(3), topics, 12, 1, 0.4)
    for f in (One(), Probability()):
        row = Metric("m", N=GreedyIdeal(), f=f, w=Impatience(), M=Relevant() - Relevant() * RelevantSoFar())
        assert_plain(pool, row, "ascending")
        assert ideal.ranks_that_count(pool, row) is None


@dataclass(frozen=True)
class Weights(Discount):
    """Given weights of the first ranks, over and over."""

    values: tuple[float, ...]

    def __call__(self, batch: Batch) -> np.ndarray:
        return np.resize(np.array(self.values), batch.depth)


class UnknownWeights(Weights):
    """The same, without saying that they depend on the rank alone."""

    by_rank = False


@pytest.mark.parametrize("values", [(1.0, 0.0, 0.5), (1.0, -1.0, 0.5), (1.0, 0.25)])
def test_a_weight_that_is_zero_or_negative_takes_part(values: tuple[float, ...]) -> None:
    pool = judged(np.random.default_rng(4), 25, 12, 3, 0.4)
    orders = [
        ideal.greedy_order(pool, Metric("m", N=GreedyIdeal(), f=One(), w=w(values), M=Novelty()), ties, None)
        for ties in BOTH
        for w in (Weights, UnknownWeights)
    ]
    assert np.array_equal(*orders[:2])
    assert np.array_equal(*orders[2:])


@pytest.mark.parametrize(("name", "counted"), [("ndeval:nNRBP", 100), ("alpha-nDCG", 400), ("NRBP", 100)])
def test_ranks_that_cannot_change_a_sum_are_left_out(name: str, counted: int) -> None:
    pool = judged(np.random.default_rng(5), 3, 400, 3, 0.9)
    row = replace(dm.metric(name), N=GreedyIdeal())
    assert isinstance(row, Metric)
    assert min(ideal.ranks_that_count(pool, row) or 0, pool.depth) == min(counted, pool.depth)
    best = ideal.take_in_order(pool, ideal.greedy_order(pool, row, "ascending", None))
    assert (best.length == pool.length).all()  # the list itself is whole
    whole = (row.w(best) * row.f(best) * row.M(best)).sum(axis=(2, 3), keepdims=True)
    assert row.N(replace(best, pool=pool), row) == pytest.approx(whole, rel=1e-15)
    assert ideal.ranks_that_count(pool, row @ 7) == 7


WRITTEN = (
    "relevant * (1 - alpha) ** seen_before",  # by intent, and reads what is relevant alone
    "relevant * max(0, 1 - alpha * seen_before / rank)",
    "R * unsatisfied_before + alpha * first",
    "gain / (1 + alpha * gain_before)",
    "relevant * (alpha + seen_before) * ideal_gain",  # reads judgments of which it reads no gain in the list
    "relevant - 0.1 * alpha",  # earns less than nothing
    "relevant - 3 * alpha * seen_before * (1 - relevant)",  # so does a document that an intent lacks
    "relevant / (1 + alpha * over_intents(seen_before))",  # across intents
)


@pytest.mark.parametrize("ties", BOTH)
@pytest.mark.parametrize("text", WRITTEN)
def test_greedy_order_equals_the_definition_for_a_written_part(ties: Ties, text: str) -> None:
    random = np.random.default_rng(16)
    for intents, top in ((3, 1), (12, 3), (60, 2)):
        pool = judged(random, 15, 10, intents, 0.25, top)
        for alpha in (0.2, 0.5):
            row = Metric(
                "mine", N=GreedyIdeal(ties), f=Probability(), w=Log2(), M=WrittenUtility(text, alpha=alpha)
            )
            assert_plain(pool, row, ties)


@pytest.mark.parametrize(
    "utility", [Graded(Exponential()), Graded(Exponential()) * Novelty(), Graded()], ids=repr
)
def test_so_it_is_of_merged_gains(utility: Utility) -> None:
    """Grades 2 and 0 have the linear global gain of grades 1 and 1, but a larger exponential one."""
    topic = dm.Topic("7", (dm.Intent("t", 0.5), dm.Intent("u", 0.5)))
    pairs = {f"d{t}{u}": {"t": t, "u": u} for t, u in product(range(4), repeat=2)}
    pool = global_gain(make_batch(dm.Collection.of([topic], {"7": pairs}, {"r": {}}, scale=3)).judged)
    for ties in BOTH:
        assert_plain(pool, Metric("merged", N=GreedyIdeal(ties), f=One(), w=Log2(), M=utility), ties)


def test_topics_of_any_sizes_are_worked_out_together() -> None:
    random = np.random.default_rng(3)
    row = dm.metric("alpha-nDCG")
    assert isinstance(row, Metric)
    several = [judged(random, 1, docs, 5, 0.3) for docs in (1, 2, 3, 9, 30, 31)]
    every = dm.Collection.of(
        [dm.Topic(str(n), tuple(dm.Intent(f"i{i}", 0.2) for i in range(5))) for n in range(len(several))],
        {
            str(n): {
                f"d{d:04d}": {f"i{i}": 1 for i in np.flatnonzero(one.relevant[0, 0, :, d])}
                for d in range(one.depth)
            }
            for n, one in enumerate(several)
        },
        {"r": {}},
    )
    pool = make_batch(every).judged
    for ties in BOTH:
        assert_plain(pool, row, ties)
        assert_plain(pool, replace(row, M=Cascade() * Relevant()), ties, 4)


def test_greedy_evaluates_one_document_per_rank(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not every one that is left: 2,000 documents took minutes."""
    pool = judged(np.random.default_rng(1), 1, 300, 12, 0.3)
    cells = []
    whole = Novelty.factors

    def counted(self: Novelty, tried: Batch) -> Any:
        cells.append(tried.linear.size)
        return whole(self, tried)

    monkeypatch.setattr(Novelty, "factors", counted)
    ideal.greedy_order(pool, dm.metric("alpha-nDCG"), "ascending", None)  # type: ignore[arg-type]
    assert len(cells) == pool.depth
    assert max(cells) == 12 * pool.depth


@pytest.mark.parametrize("ties", BOTH)
@pytest.mark.parametrize("name", ["alpha-nDCG", "ndeval:nERR-IA"])
def test_documents_of_a_kind_are_interchangeable(
    name: str, ties: Ties, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = dm.metric(name)
    assert isinstance(row, Metric)
    tried = []
    take = ideal.take_in_order

    def counted(pool: Batch, order: np.ndarray) -> Batch:
        tried.append((order.shape[1], pool.depth))
        return take(pool, order)

    monkeypatch.setattr(ideal, "take_in_order", counted)
    for seed, intents in enumerate((1, 3, 70)):
        assert_plain(judged(np.random.default_rng(seed), 3, 120, intents, 2 / (intents + 4), 2), row, ties, 3)
    assert tried
    assert all(2 * few <= all_of_them for few, all_of_them in tried)


def declared() -> list[Utility]:
    """Every utility of the library that says that intents do not matter to one another, and some more."""
    every = (getattr(parts, name) for name in parts.__all__)
    plain = [u() for u in every if isinstance(u, type) and issubclass(u, Utility) and u.by_intent is True]
    made = [
        Cascade(GainRatio()),
        Cascade(Satisfaction(top="intent")),
        Novelty(0.2) * Graded() - Effort(charged="documents"),
        ByKind(Relevant() * RelevantSoFar(), FirstCover()),
        *map(
            WrittenUtility,
            ("first", "gain_before", "so_far(R) / rank", "x = where(seen > 1, 1, gain)\nx * relevant"),
        ),
    ]
    return plain + [u for u in made if u.by_intent]


def test_most_utilities_are_computed_by_intent() -> None:
    assert len(declared()) >= 17
    across = ("over_intents(gain)", "gain[:, :, ::-1]", "gain.sum()", "gain @ 1", "1 in gain", "len(gain)")
    assert not any(WrittenUtility(text).by_intent for text in across)
    assert not (Novelty() * WrittenUtility("over_intents(gain)")).by_intent


@pytest.mark.parametrize("part", declared(), ids=repr)
@quick(25)
@given(sample=one_list(scale=False), data=st.data())
def test_an_intents_value_hangs_on_its_own_grades_where_that_is_declared(
    part: Utility, sample: Sample, data: st.DataObject
) -> None:
    """Other intents' grades are dealt anew: the value stays to the last bit."""
    sample = sample.changed(scale=5)
    topic = sample.topics[0]
    unchanged = data.draw(st.integers(0, len(topic.intents) - 1))
    random = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    dealt = {
        doc: {
            intent.id: labels.get(intent.id, 0) if i == unchanged else int(random.integers(0, 6))
            for i, intent in enumerate(topic.intents)
        }
        for doc, labels in sample.judgments[topic.id].items()
    }
    before, after = (
        np.broadcast_to(part(lists), lists.linear.shape)[:, :, unchanged]
        for lists in (
            make_batch(s.collection()) for s in (sample, sample.changed(judgments={topic.id: dealt}))
        )
    )
    assert np.array_equal(before, after)


@pytest.mark.parametrize("part", [u for u in declared() if u.reads == ("relevant",)], ids=repr)
@quick(25)
@given(sample=one_list())
def test_utilities_of_labels_ignore_grades(part: Utility, sample: Sample) -> None:
    lists = make_batch(sample.collection())
    labels = lists.with_gains(lists.relevant.astype(float), None, None, pool=None)
    assert np.array_equal(part(lists), part(labels))
