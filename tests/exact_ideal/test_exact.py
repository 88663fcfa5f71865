"""The exact ideal list: against an oracle that tries everything, its laws, its word when time is short."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import divmetrics as dm
from divmetrics.core.batch import batch_lists, make_batch
from divmetrics.core.ideal import greedy_order
from divmetrics.exact_ideal import optimal_lists
from divmetrics.exact_ideal.optimal_lists import ExactResult, alpha_dcg, search_optimal_lists
from divmetrics.parts import ExactIdeal, GreedyIdeal, One
from tests.support.strategies import Sample, quick, samples

ALPHAS = (0.0, 0.1, 0.5, 0.9, 1.0)
DISCOUNTS = {
    "log2": lambda k: 1 / np.log2(k + 1),
    "1/k": lambda k: 1 / k,
    "constant": lambda k: np.ones(len(k)),
    "geometric": lambda k: 0.5**k,
    "only the top": lambda k: (k <= 2).astype(float),
}


def log2(depth: int) -> np.ndarray:
    return DISCOUNTS["log2"](np.arange(1, depth + 1))


def optimum(relevant: np.ndarray, discount: np.ndarray, alpha: float, weights: np.ndarray) -> np.ndarray:
    """The largest value at every cutoff, from every set of documents and every document in its last place.

    What a list is worth to a later document depends on the set of documents above alone. Nothing here
    knows of kinds, larger sets or bounds.
    """
    documents = relevant.shape[1]
    members = (np.arange(2**documents)[:, None] >> np.arange(documents)) & 1
    count, size = members @ relevant.T.astype(int), members.sum(axis=1)
    value = np.full(2**documents, -np.inf)
    value[0] = 0.0
    for k in range(min(len(discount), documents)):
        sets = np.flatnonzero(size == k)
        for d in range(documents):
            before = sets[members[sets, d] == 0]
            adds = ((1 - alpha) ** count[before] * weights) @ relevant[:, d]
            after = before + (1 << d)
            value[after] = np.maximum(value[after], value[before] + discount[k] * adds)
    best = [value[size == min(k, documents)].max() for k in range(1, len(discount) + 1)]
    return np.maximum.accumulate(best)


def random_topic(random: np.random.Generator, most: int = 7) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Relevance, weights and discounts."""
    intents, documents, depth = (
        random.integers(1, 6),
        random.integers(1, most + 1),
        random.integers(1, most + 1),
    )
    relevant = random.random((intents, documents)) < random.choice([0.2, 0.35, 0.6])
    weights = np.ones(intents) if random.random() < 0.5 else random.choice([0, 0.1, 0.3, 2], intents)
    named = random.choice(list(DISCOUNTS))
    return relevant, weights, DISCOUNTS[named](np.arange(1, depth + 1))


def check_lists(result: ExactResult, relevant: np.ndarray, discount: np.ndarray, alpha: float) -> None:
    """Every list is one of distinct documents, as long as it says, and worth what it says."""
    assert len(result.orders) == len(discount)
    for k, order in enumerate(result.orders, 1):
        assert len(order) == len(set(order.tolist())) == min(k, int(relevant.any(axis=0).sum()))
        assert (
            alpha_dcg(relevant[:, order], discount, alpha, np.ones(len(relevant))) == result.value_at[k - 1]
        )


@pytest.mark.parametrize("alpha", ALPHAS)
def test_equal_to_the_optimum_of_small_topics(alpha: float) -> None:
    random = np.random.default_rng(20090)
    for _ in range(400):
        relevant, weights, discount = random_topic(random)
        result = search_optimal_lists(relevant, discount, alpha, weights)
        assert result.proved.all()
        assert result.value_at == pytest.approx(
            optimum(relevant, discount, alpha, weights), rel=1e-11, abs=1e-13
        )


@pytest.mark.parametrize("alpha", ALPHAS)
def test_equal_to_the_optimum_of_longer_lists(alpha: float) -> None:
    random = np.random.default_rng(20120)
    for documents, intents, density in ((12, 6, 0.3), (12, 10, 0.2), (11, 4, 0.5), (12, 8, 0.5)):
        relevant = random.random((intents, documents)) < density
        result = search_optimal_lists(relevant, log2(14), alpha)
        assert result.proved.all()
        assert result.value_at == pytest.approx(
            optimum(relevant, log2(14), alpha, np.ones(intents)), rel=1e-11
        )
        check_lists(result, relevant, log2(14), alpha)


# 1 where the document is relevant; one row per intent. In both, lists with the same counts compete that leave
# other documents: to keep only the best of them would lose the best list.
SAME_COUNTS = (
    (
        ["100010011", "010100010", "010100100", "000010101"],
        np.array([1, 1, 1, 1, 0.1]),
        [2, 1, 1, 0.3],
    ),
    (
        ["001010000", "000100110", "000101001", "110100001", "010010101", "111010111", "001101011"],
        1 - 0.01 * np.arange(8),
        [0.3, 0.7, 0.3, 0.3, 2, 2, 2],
    ),
)


@pytest.mark.parametrize(("rows", "discount", "weights"), SAME_COUNTS)
def test_states_differ_by_unused_copies(rows: list[str], discount: np.ndarray, weights: list[float]) -> None:
    relevant = np.array([list(row) for row in rows]) == "1"
    result = search_optimal_lists(relevant, discount, 0.9, np.array(weights))
    assert result.value_at == pytest.approx(optimum(relevant, discount, 0.9, np.array(weights)), rel=1e-12)


def test_no_list_rises_above_its_bound() -> None:
    # Every prefix q of a list, seen from every shorter prefix k and the document after it.
    random = np.random.default_rng(11)
    for n in range(300):
        relevant, weights, discount = random_topic(random, most=9)
        kinds = optimal_lists._Kinds(relevant, discount, float(random.choice(ALPHAS)), weights)
        if kinds.length < 2:
            continue
        tangents = optimal_lists._Tangents(kinds, steps=(1, 3, 30)[n % 3], deadline=np.inf)
        listed = random.permutation(np.repeat(np.arange(len(kinds.copies)), kinds.copies))[: kinds.length]
        count = np.vstack([0 * kinds.covers[:1], np.cumsum(kinds.covers[listed], axis=0)]).astype(np.int64)
        covered = (kinds.weights * kinds.covered[count]).sum(axis=1)
        assert (tangents.bound >= np.cumsum(kinds.discount * np.diff(covered)) - 1e-12).all()
        for k in range(kinds.length - 1):
            left = kinds.copies - np.bincount(listed[:k], minlength=len(kinds.copies))
            without, one_more = tangents.prefixes(count[k : k + 1], left[None], k, kinds.length)
            adds = np.minimum(tangents.worth[k + 1 :, listed[k]], one_more[0])
            assert (without[0] + adds >= covered[k + 2 :] - 1e-12).all()


def test_narrow_search_has_valid_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    # So narrow that good lists are left out: the bound must own up to every one of them.
    monkeypatch.setattr(optimal_lists, "STATE_BYTES", 0)
    random = np.random.default_rng(5)
    unproved, short = 0, 0
    for n in range(300):
        monkeypatch.setattr(optimal_lists, "NARROWEST", int(random.integers(1, 3)))
        monkeypatch.setattr(optimal_lists, "FIRST_STEPS", int(random.integers(1, 4)))
        relevant, weights, discount = random_topic(random, most=9)
        if n % 2:
            relevant, weights = random.random((8, 10)) < 0.25, np.ones(8)
        result = search_optimal_lists(relevant, discount, 0.5, weights)
        truth = optimum(relevant, discount, 0.5, weights)
        assert (result.value_at <= truth + 1e-12).all()
        assert (result.bound_at >= truth - 1e-12).all()
        assert result.value_at[result.proved] == pytest.approx(truth[result.proved], rel=1e-11, abs=1e-13)
        assert (result.gap[~result.proved] > 0).all()
        assert (result.gap[result.proved] == 0).all()
        unproved += not result.proved.all()
        short += bool((result.value_at < truth - 1e-9).any())
    assert unproved > 20
    assert short > 0


def test_time_limit_0_returns_greedy_list_and_valid_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    relevant = np.random.default_rng(3).random((10, 120)) < 0.3
    patient = search_optimal_lists(relevant, log2(20), 0.5)
    assert patient.proved.all()
    proved = []
    for seconds in (0, 20, 30, 35, 45, 60, 80):
        ticks = iter(range(10**6))
        # Time stands still but for the search's own looks at the clock, so that it ends where we say.
        monkeypatch.setattr(optimal_lists.time, "perf_counter", lambda ticks=ticks: float(next(ticks)))
        hurried = search_optimal_lists(relevant, log2(20), 0.5, time_limit=seconds)
        assert (hurried.value_at <= patient.value_at * (1 + 1e-12)).all()
        assert (hurried.bound_at >= patient.value_at * (1 - 1e-12)).all()
        assert not hurried.proved.all()
        unproved = ~hurried.proved
        assert hurried.gap[unproved] == pytest.approx((hurried.bound_at - hurried.value_at)[unproved])
        check_lists(hurried, relevant, log2(20), 0.5)
        assert relevant[:, hurried.order[0]].sum() == relevant.sum(axis=0).max()
        proved.append(int(hurried.proved.sum()))
    assert proved == sorted(proved)
    assert proved[0] < proved[-1]


def test_a_proof_of_the_last_cutoff_alone() -> None:
    random = np.random.default_rng(9)
    for _ in range(5):
        relevant = random.random((9, 80)) < 0.3
        one, every = (search_optimal_lists(relevant, log2(12), 0.5, every_cutoff=e) for e in (False, True))
        assert one.proved[-1]
        assert one.value_at[-1] == pytest.approx(every.value_at[-1], rel=1e-12)
        assert (one.value_at <= every.value_at * (1 + 1e-12)).all()
        assert (one.bound_at >= every.value_at * (1 - 1e-12)).all()


@pytest.mark.parametrize("intents", [8, 10, 12])
@pytest.mark.parametrize("documents", [60, 200])
def test_random_topics_of_many_intents_are_proved(intents: int, documents: int) -> None:
    for density in (0.2, 0.5):
        random = np.random.default_rng([intents, documents])
        relevant = random.random((intents, documents)) < density
        result = search_optimal_lists(relevant, log2(20), 0.5)
        assert result.proved.all()
        check_lists(result, relevant, log2(20), 0.5)


@pytest.mark.parametrize(("cutoff", "density"), [(5, 0.05), (5, 0.1), (5, 0.25), (10, 0.05)])
def test_topics_of_60_nuggets_are_proved(cutoff: int, density: float) -> None:
    relevant = np.random.default_rng([60, int(100 * density)]).random((60, 200)) < density
    result = search_optimal_lists(relevant, log2(cutoff), 0.5, every_cutoff=False)
    assert result.proved[-1]
    at_once = search_optimal_lists(relevant, log2(cutoff), 0.5, time_limit=0, every_cutoff=False)
    assert at_once.value_at[-1] <= result.value_at[-1] * (1 + 1e-12) <= at_once.bound_at[-1] * (1 + 1e-11)


@given(
    relevant=hnp.arrays(bool, hnp.array_shapes(min_dims=2, max_dims=2, max_side=12)),
    alpha=st.floats(0, 1),
    depth=st.integers(1, 15),
    seed=st.integers(0, 2**32 - 1),
)
@quick(100)
def test_laws(relevant: np.ndarray, alpha: float, depth: int, seed: int) -> None:
    result = search_optimal_lists(relevant, log2(depth), alpha)
    assert result.proved.all()
    check_lists(result, relevant, log2(depth), alpha)
    # A longer list is worth no less, and no list more than all intents at all ranks.
    assert (np.diff(result.value_at, prepend=0.0) >= -1e-12).all()
    intents, documents = relevant.shape
    endless = np.cumsum(log2(depth) * intents * (1 - alpha) ** np.arange(depth))
    assert (result.value_at <= endless * (1 + 1e-12)).all()
    # The order of documents and of intents says nothing; another document cannot harm.
    random = np.random.default_rng(seed)
    shuffled = relevant[random.permutation(intents)][:, random.permutation(documents)]
    assert search_optimal_lists(shuffled, log2(depth), alpha).value_at == pytest.approx(
        result.value_at, rel=1e-11
    )
    more = np.hstack([relevant, random.random((intents, 1)) < 0.5])
    assert (search_optimal_lists(more, log2(depth), alpha).value_at >= result.value_at * (1 - 1e-11)).all()
    # What some list earns, the best one does.
    some = random.permutation(documents)[:depth]
    earned = alpha_dcg(relevant[:, some], log2(depth), alpha, np.ones(intents))
    assert earned <= result.value_at[-1] * (1 + 1e-12)


def test_without_novelty_the_largest_sets_come_first() -> None:
    relevant = np.random.default_rng(1).random((6, 30)) < 0.4
    largest = -np.sort(-relevant.sum(axis=0))
    result = search_optimal_lists(relevant, log2(30), 0.0)
    assert result.value_at == pytest.approx(np.cumsum(largest * log2(30)), rel=1e-12)


@pytest.mark.parametrize("ties", ["ascending", "descending"])
@given(sample=samples(most_intents=5), cutoff=st.integers(1, 12), alpha=st.sampled_from(ALPHAS))
@quick(60)
def test_greedy_is_never_above(ties: str, sample: Sample, cutoff: int, alpha: float) -> None:
    lists = make_batch(sample.collection())
    row = dm.metric(f"alpha-nDCG(alpha={alpha})@{cutoff}")
    greedy, best = GreedyIdeal(ties=ties)(lists, row), ExactIdeal()(lists, row)
    assert (greedy <= best * (1 + 1e-12)).all()
    normalised = row.with_parameters(ideal="exact").scores(lists)
    assert (normalised <= 1 + 1e-12).all()


# Greedy starts with a document of two intents, and for one direction of ties with the wrong one.
WRONG_START = {
    "descending": ({"a": (3, 4), "b": (0, 1), "c": (2,), "d": (2, 3), "e": (1, 3)}, ["a", "b", "d"]),
    "ascending": ({"e": (3, 4), "d": (0, 1), "c": (2,), "b": (2, 3), "a": (1, 3)}, ["e", "d", "b"]),
}


@pytest.mark.parametrize("ties", WRONG_START)
def test_a_list_better_than_the_greedy_ideal(ties: str) -> None:
    sets, docs = WRONG_START[ties]
    topic = dm.Topic("t", tuple(dm.Intent(f"{i}", 0.2) for i in range(5)))
    judgments = {doc: {f"{i}": 1 for i in covers} for doc, covers in sets.items()}
    ranked = dm.RankedList(topic, docs, judgments)
    lists = batch_lists([ranked])
    row = dm.metric("alpha-nDCG@3")
    greedy = greedy_order(lists.judged, row, ties, 3)
    best = float(GreedyIdeal(ties=ties)(lists, row)[0, 0, 0, 0])
    own = dm.metric("alpha-DCG@3").score(ranked)
    assert own / best == pytest.approx(1.0853, abs=5e-5)
    relevant = lists.judged.relevant[0, 0]
    result = search_optimal_lists(relevant, log2(3), 0.5)
    assert alpha_dcg(relevant[:, greedy[0]], log2(3), 0.5, np.ones(5)) == pytest.approx(best)
    assert result.proved.all()
    assert result.value_at[-1] == pytest.approx(own, rel=1e-12)
    assert row.with_parameters(ideal="exact").score(ranked) <= 1


def test_constant_discount() -> None:
    sets, docs = WRONG_START["descending"]
    topic = dm.Topic("t", tuple(dm.Intent(f"{i}", 0.2) for i in range(5)))
    judgments = {doc: {f"{i}": 1 for i in covers} for doc, covers in sets.items()}
    ranked = dm.RankedList(topic, docs, judgments)
    earned = replace(dm.metric("alpha-DCG@3"), w=One())
    most = max(earned.score(ranked.reordered(three)) for three in permutations(sets, 3))
    normalised = replace(dm.metric("alpha-nDCG(ideal=exact)@3"), w=One())
    assert normalised.score(ranked) == pytest.approx(earned.score(ranked) / most, rel=1e-12)


def test_identical_documents_are_taken_in_order() -> None:
    relevant = np.array([[1, 1, 1, 1, 0], [0, 1, 0, 1, 0]], dtype=bool)
    result = search_optimal_lists(relevant, log2(6), 0.5)
    assert [order.tolist() for order in result.orders] == [[1], [1, 3], [1, 3, 0], *[[1, 3, 0, 2]] * 3]
    assert result.value_at[3:].tolist() == [result.value_at[3]] * 3


@pytest.mark.parametrize("shape", [(0, 0), (3, 0), (0, 4), (2, 3)])
def test_topics_without_relevant_documents(shape: tuple[int, int]) -> None:
    result = search_optimal_lists(np.zeros(shape, dtype=bool), log2(4), 0.5)
    assert result.value_at.tolist() == result.bound_at.tolist() == result.gap.tolist() == [0.0] * 4
    assert result.proved.all()
    assert result.order.tolist() == []


def test_intents_of_weight_zero_are_ignored() -> None:
    relevant = np.array([[1, 0, 0], [0, 1, 0]], dtype=bool)
    assert search_optimal_lists(relevant, log2(3), 0.5, np.array([0.0, 2.0])).order.tolist() == [1]


TWO = np.ones((2, 3), dtype=bool)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        ((TWO[0], log2(2), 0.5), r"relevant has shape \(3,\), expected \(intent, document\)"),
        ((TWO, log2(2), 1.5), r"alpha is 1.5, expected a number in \[0, 1\]"),
        ((TWO, log2(2), float("nan")), "alpha is nan, expected"),
        (
            (TWO, log2(2), 0.5, [1.0]),
            r"weights are \[1.0\], expected one finite number .* for each of 2 intents",
        ),
        (
            (TWO, log2(2), 0.5, [1.0, -1.0]),
            r"weights are \[1.0, -1.0\], expected one finite number of at least 0",
        ),
        ((TWO, [], 0.5), r"discount is \[\], expected finite numbers"),
        ((TWO, [1.0, float("inf")], 0.5), r"discount is \[1.0, inf\], expected finite numbers"),
        ((TWO, [1.0, 0.5, 0.7], 0.5), "discount is 0.5 at rank 2 but 0.7 at rank 3, expected .* never rise"),
        ((TWO, [1.0, -0.5], 0.5), "discount is -0.5 at rank 2 below 0, expected"),
        ((TWO, log2(2), 0.5, None, -1.0), "time_limit is -1.0, expected seconds, at least 0"),
    ],
)
def test_invalid_arguments_are_rejected(call: tuple[object, ...], sentence: str) -> None:
    with pytest.raises(dm.DivmetricsError, match=f"^{sentence}"):
        search_optimal_lists(*call)


# In per cent of the exact ideal, at cutoff 20: how far greedy falls short with ties (ascending, descending).
FALLS_SHORT = {
    2009: {
        "10": (0.8666, 0),
        "24": (1.3688, 1.3688),
        "33": (1.6543, 0.0186),
        "34": (0.0265, 0),
        "37": (0, 1.4677),
    },
    2012: {"160": (0.0079, 0.4713)},
}


@pytest.mark.parametrize("year", FALLS_SHORT)
@pytest.mark.filterwarnings("ignore::divmetrics.errors.DivmetricsWarning")
def test_judged_topics_are_proved(year: int, research_files: Path) -> None:
    folder = research_files / "data" / f"trec-web-{year}"
    collection = dm.load_collection(folder / "qrels.diversity.gz", topics=folder / "topics.xml")
    row, lists = dm.metric("alpha-nDCG@20"), make_batch(collection)
    greedy = {ties: GreedyIdeal(ties=ties)(lists, row)[:, 0, 0, 0] for ties in ("ascending", "descending")}
    short = {}
    assert len(collection.pools) == 50
    for t, (topic, pool) in enumerate(collection.pools.items()):
        result = search_optimal_lists(pool.grades[:, pool.relevant] > 0, log2(20), 0.5)
        assert result.proved.all()
        percent = [100 * (1 - value[t] / result.value_at[-1]) for value in greedy.values()]
        assert min(percent) > -1e-10
        if max(percent) > 1e-7:
            short[topic] = pytest.approx(percent, abs=5e-5)
    assert short == {topic: list(percent) for topic, percent in FALLS_SHORT[year].items()}
