"""Rank correlation against SciPy, definitions written out, and all orders of tied runs."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import divmetrics as dm
from divmetrics import meta


def plain_tau_ap(truth: list[float], candidate: list[float], order: list[int]) -> float:
    """The definition, two loops over stable sorts."""
    by_walk = sorted(order, key=lambda run: -candidate[run])
    place = {run: rank for rank, run in enumerate(sorted(order, key=lambda run: -truth[run]))}
    total = 0.0
    for i in range(1, len(order)):
        total += sum(place[by_walk[j]] < place[by_walk[i]] for j in range(i)) / i
    return 2 * total / (len(order) - 1) - 1


def scores_of(values: dict[str, list[list[float]]]) -> pd.DataFrame:
    """metric -> topics -> runs, as a tidy table."""
    return pd.DataFrame(
        [
            (f"r{r}", f"t{t}", metric, score)
            for metric, topics in values.items()
            for t, runs in enumerate(topics)
            for r, score in enumerate(runs)
        ],
        columns=["run", "topic", "metric", "score"],
    )


@pytest.mark.parametrize("seed", range(20))
def test_tau_b_is_scipys_and_tau_counts_pairs(seed):
    random = np.random.default_rng(seed)
    a, b = random.integers(0, 6, size=(2, 9)) / 5
    assert meta.kendall(a, b) == pytest.approx(stats.kendalltau(a, b).statistic, abs=1e-14)
    pairs = list(itertools.combinations(range(9), 2))
    signs = [np.sign(a[i] - a[j]) * np.sign(b[i] - b[j]) for i, j in pairs]
    assert meta.kendall(a, b, method="tau") == pytest.approx(sum(signs) / len(pairs), abs=1e-14)
    a, b = random.permutation(9), random.permutation(9)
    assert meta.kendall(a, b, method="tau") == pytest.approx(stats.kendalltau(a, b).statistic, abs=1e-14)


@pytest.mark.parametrize("method", ["tau-b", "tau"])
def test_two_metrics_of_a_score_table_are_correlated_by_their_means(method):
    """Each as a list of means over topics, in the order of the runs; the other metrics do not matter."""
    values = {
        "X": [[0.1, 0.2, 0.6], [0.5, 0.3, 0.1]],
        "Y": [[0.4, 0.1, 0], [0.5, 0.1, 0.3]],
        "Z": [[1, 1, 1]] * 2,
    }
    scores = scores_of(values)
    x, y = (np.mean(values[name], axis=0) for name in "XY")
    assert meta.kendall(scores, "X", "Y", method=method) == meta.kendall(x, y, method=method)
    assert meta.kendall(scores, "Y", "X", method=method) == meta.kendall(list(y), list(x), method=method)
    gaps = scores.drop(index=scores.index[3])
    with pytest.raises(dm.DivmetricsError, match='missing="drop"'):
        meta.kendall(gaps, "X", "Y", method=method)
    with pytest.warns(dm.DivmetricsWarning, match="topics are left out"):
        dropped = meta.kendall(gaps, "X", "Y", method=method, missing="drop")
    assert dropped == meta.kendall(values["X"][0], values["Y"][0], method=method)


@pytest.mark.parametrize("method", ["tau-b", "tau"])
def test_two_runs_are_in_the_same_order_or_in_the_other(method):
    assert meta.kendall([0.1, 0.2], [0.3, 0.4], method=method) == 1
    assert meta.kendall([0.1, 0.2], [0.4, 0.3], method=method) == -1
    scores = scores_of({"X": [[0.1, 0.2], [0.5, 0.3]], "Y": [[0.4, 0.1], [0.5, 0.1]]})
    taus = meta.rank_correlation(scores, method=method, per="topic")
    assert taus["tau"].tolist() == [-1, 1]
    assert taus["low"].isna().all()


@pytest.mark.parametrize("seed", range(20))
def test_tau_ap_is_its_definition(seed):
    random = np.random.default_rng(seed)
    n = int(random.integers(2, 12))
    truth, candidate = random.integers(0, 5, size=(2, n)).tolist()
    order = random.permutation(n).tolist()
    expected = plain_tau_ap(truth, candidate, order)
    assert meta.tau_ap(truth, candidate, order=order) == pytest.approx(expected, abs=1e-14)
    there, back = meta.tau_ap(truth, candidate), meta.tau_ap(candidate, truth)
    assert meta.symmetric_tau_ap(truth, candidate) == pytest.approx((there + back) / 2, abs=1e-14)


def test_the_roles_of_tau_ap_matter():
    # The candidate list swaps its first two; the truth seen from it swaps the same two: alike. Move one run
    # from the bottom to the top, and the directions differ.
    truth, candidate = [4, 3, 2, 1], [3, 2, 1, 4]
    assert meta.tau_ap(truth, candidate) == pytest.approx(2 / 3 * (0 + 1 / 2 + 2 / 3) - 1)
    assert meta.tau_ap(candidate, truth) == pytest.approx(2 / 3 * (1 + 1 + 0) - 1)


@pytest.mark.parametrize("seed", range(12))
def test_averages_over_ties_are_averages_over_all_orders(seed):
    random = np.random.default_rng(seed)
    n = 4 + seed % 2
    truth, candidate = random.integers(0, 3, size=(2, n)).tolist()
    orders = [list(order) for order in itertools.permutations(range(n))]
    each = [plain_tau_ap(truth, candidate, order) for order in orders]
    np.testing.assert_allclose(meta.tau_ap_of_orders(truth, candidate, orders), each, atol=1e-14)
    assert meta.tau_ap(truth, candidate, "averaged") == pytest.approx(np.mean(each), abs=1e-13)
    # By themselves: the truth as one order breaks its ties, the list as any other.
    strict = [
        [-sorted(order, key=lambda run: -truth[run]).index(run) for run in range(n)] for order in orders
    ]
    by_itself = np.mean([meta.tau_ap_of_orders(one, candidate, orders).mean() for one in strict])
    assert meta.tau_ap(truth, candidate, "independent") == pytest.approx(by_itself, abs=1e-13)
    sampled = meta.tau_ap(truth, candidate, "sampled", samples=4000, seed=seed)
    spread = np.std(each) / math.sqrt(4000)
    assert abs(sampled - np.mean(each)) <= 5 * spread + 1e-12
    assert sampled == meta.tau_ap(truth, candidate, "sampled", samples=4000, seed=seed)


def test_tau_ap_of_a_list_with_itself():
    tied = [3, 2, 2, 2, 1]
    for ties in ("stable", "averaged", "sampled"):
        assert meta.tau_ap(tied, tied, ties) == pytest.approx(1)
    assert meta.tau_ap(tied, tied, "independent") < 1


def test_rounding_errors_are_ties():
    a = [0.1 + 0.2, 0.3, 0.5]
    assert a[0] != a[1]
    assert meta.kendall(a, [1, 1, 2]) == pytest.approx(1)
    assert meta.tau_ap([1, 2, 3], a, order=[2, 0, 1]) == meta.tau_ap(
        [1, 2, 3], [0.3, 0.3, 0.5], order=[2, 0, 1]
    )


def test_rounding_may_be_taken_as_it_is():
    a = [0.1 + 0.2, 0.3, 0.5]
    assert meta.kendall(a, [1, 2, 3], tie=0) == pytest.approx(1 / 3)
    scores = scores_of({"A": [a], "B": [[1, 2, 3]]})
    options = {"truth": "B", "method": "tau_ap", "order": ["r2", "r1", "r0"]}
    assert meta.rank_correlation(scores, **options)["tau"].tolist() == [1]
    assert meta.rank_correlation(scores, **options, tie=0)["tau"].tolist() == [0.5]


def test_interval_is_the_formula_and_widens_with_confidence():
    low, high = meta.kendall_interval(0.886, 15)
    half = 1.959964 * math.sqrt(0.437 / 11)
    assert low == pytest.approx(math.tanh(math.atanh(0.886) - half), abs=1e-7)
    assert high == pytest.approx(math.tanh(math.atanh(0.886) + half), abs=1e-7)
    assert meta.kendall_interval(0.886, 15, 0.99)[0] < low
    assert meta.kendall_interval(0.7987, 42.8, decimals=3) == meta.kendall_interval(0.799, 42.8)
    assert meta.kendall_interval(1, 15) == (1, 1)


def test_table_ranks_by_means_or_topic_by_topic():
    random = np.random.default_rng(1)
    values = {name: random.random((4, 6)).tolist() for name in "ABC"}
    scores = scores_of(values)
    correlations = meta.rank_correlation(scores, method="tau_ap")
    assert len(correlations) == 6  # both roles
    for row in correlations.itertuples():
        mean = {name: np.mean(values[name], axis=0) for name in (row.truth, row.metric)}
        assert row.tau == pytest.approx(meta.tau_ap(mean[row.truth], mean[row.metric]))
    each = meta.rank_correlation(scores, truth="B", per="topic")
    assert set(each["metric"]) == {"A", "C"}
    assert list(each.columns) == ["truth", "metric", "topic", "runs", "tau", "low", "high"]
    for row in each.itertuples():
        t = int(row.topic[1:])
        assert row.tau == pytest.approx(stats.kendalltau(values["B"][t], values[row.metric][t]).statistic)
        assert (row.low, row.high) == pytest.approx(meta.kendall_interval(row.tau, 6))
    again = meta.rank_correlation(scores, truth="B", per="topic", workers=1)
    pd.testing.assert_frame_equal(each, again)
    symmetric = meta.rank_correlation(scores, method="symmetric tau_ap", ties="averaged", metrics=["A", "C"])
    assert len(symmetric) == 1


def test_the_order_of_the_runs_is_given_by_name():
    scores = scores_of({"A": [[3, 2, 1]], "B": [[1, 1, 1]]})
    for order in itertools.permutations(["r0", "r1", "r2"]):
        correlations = meta.rank_correlation(scores, truth="A", method="tau_ap", order=["not there", *order])
        as_listed = [int(run[1]) for run in order]
        assert correlations["tau"][0] == pytest.approx(plain_tau_ap([3, 2, 1], [1, 1, 1], as_listed))


def test_a_topic_that_ranks_nothing_has_no_tau_b_and_is_counted():
    scores = scores_of({"A": [[1, 2, 3], [0, 0, 0]], "B": [[1, 2, 3], [1, 2, 3]]})
    with pytest.warns(dm.DivmetricsWarning, match="1 of 2 coefficients are not defined.*A and B on topic t1"):
        correlations = meta.rank_correlation(scores, per="topic")
    assert correlations["tau"].isna().tolist() == [False, True]
    assert meta.rank_correlation(scores, per="topic", method="tau")["tau"].tolist() == [1, 0]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: meta.kendall([1, 1, 1], [1, 2, 3]), "all 3 scores of the first list are equal"),
        (lambda: meta.kendall([1, 2], [1, 2, 3]), "shapes"),
        (lambda: meta.kendall([1, 2], [1, 2], "tau"), r"two lists takes no third \('tau'\).*method="),
        (lambda: meta.kendall(scores_of({"X": [[1, 2]]}), "X"), "two metrics' names.*got None"),
        (lambda: meta.kendall(scores_of({"X": [[1, 2]]}), "X", "Y"), "metric 'Y' is not in the score table"),
        (lambda: meta.kendall([1, math.nan, 3], [1, 2, 3]), "score number 2 of a list is nan"),
        (lambda: meta.kendall([1, 2, 3], [1, 2, 3], method="tau-c"), "expected one of tau-b, tau"),
        (lambda: meta.tau_ap([1, 2, 3], [1, 2, 3], "random"), "expected one of stable, averaged"),
        (lambda: meta.tau_ap([1, 2, 3], [1, 2, 3], order=[0, 1, 1]), "every position from 0 to 2 once"),
        (lambda: meta.tau_ap([1, 2, 3], [1, 2, 3], order=[0, 1]), "every position from 0 to 2 once"),
        (lambda: meta.tau_ap([1, 2, 3], [1, 2, 3], "averaged", order=[0, 1, 2]), "leave it out"),
        (lambda: meta.tau_ap([1, 2, 3], [1, 2, 3], "sampled", seed=-1), "the seed is -1"),
        (lambda: meta.tau_ap([1, 2, 3], [1, 2, 3], "sampled", samples=0), "the number of trials is 0"),
        (lambda: meta.kendall_interval(0.5, 4), "more than 4 ranked items"),
        (lambda: meta.kendall_interval(1.5, 9), "from -1 to 1"),
        (lambda: meta.kendall_interval(0.5, 9, 95), "the confidence is 95"),
        (lambda: meta.rank_correlation(scores_of({"A": [[1, 2]]})), "one metric, 'A', to compare"),
        (
            lambda: meta.rank_correlation(scores_of({"A": [[1, 1]], "B": [[1, 2]]})),
            "all 2 runs have the same mean under 'A'",
        ),
        (
            lambda: meta.rank_correlation(scores_of({"A": [[1, 2]], "B": [[1, 2]]}), truth="C"),
            "metric 'C' is not in the score table",
        ),
        (
            lambda: meta.rank_correlation(scores_of({"A": [[1, 2]], "B": [[1, 2]]}), order=["r0"]),
            "does not hold run 'r1'",
        ),
    ],
)
def test_bad_input_raises_one_sentence(call, message):
    with pytest.raises(dm.DivmetricsError, match=message) as caught:
        call()
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("end", [-1.0, 1.0])
def test_the_interval_of_a_perfect_correlation_is_a_point(end: float) -> None:
    assert meta.kendall_interval(end, 15) == (end, end)
    assert meta.pearson_interval(end, 15) == (end, end)
