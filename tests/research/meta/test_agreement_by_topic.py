"""Agreement with people where pairs share topics: laws, other programs, closed testing, a case by hand."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import divmetrics as dm
from divmetrics import meta

WHOLE = st.lists(st.integers(-5, 5), min_size=1, max_size=9)


def outcomes_of(by_topic: dict[str, list[list[int]]], metrics: str = "XY") -> pd.DataFrame:
    """{topic: outcomes of each of its pairs, one per metric}."""
    rows = [(topic, "a", f"b{n}", *row) for topic, of in by_topic.items() for n, row in enumerate(of)]
    frame = pd.DataFrame(rows, columns=["topic", "left", "right", *metrics])
    return frame.set_index(["topic", "left", "right"])


# X agrees on 3, disagrees on 1, ties on 1; Y agrees on 2, disagrees on 2, ties on 1.
BY_HAND = outcomes_of({"t": [[1, 1], [1, -1], [0, 1]], "u": [[-1, 0], [1, -1]]})
RANDOM = np.random.default_rng(3)
LARGE = outcomes_of(
    {f"t{n}": RANDOM.integers(-1, 2, size=(RANDOM.integers(1, 9), 2)).tolist() for n in range(25)}
)


def test_worked_by_hand():
    agreement = meta.agreement_by_topic(BY_HAND, trials=100).set_index("metric")
    assert agreement.loc["X", ["agree", "disagree", "ties", "pairs", "tau"]].tolist() == [3, 1, 1, 5, 0.4]
    assert agreement.loc["Y", ["agree", "disagree", "ties", "pairs", "tau"]].tolist() == [2, 2, 1, 5, 0]
    # Two topics drawn from t and u give tau of X as 4/6, 2/5 or 0/4.
    assert agreement.loc["X", ["low", "high"]].tolist() == [0, 4 / 6]
    test = meta.agreement_tests(BY_HAND, [("X", "Y")], trials=100).iloc[0]
    # X alone agrees on tab1 and uab1, Y alone on tab2.
    assert test[["only_a", "only_b", "p_pairs"]].tolist() == [2, 1, 1]
    assert test["difference"] == -0.4
    # Topic t: Y - X = (1 - 1) + (-1 - 1) + (1 - 0) = -1; u: (0 + 1) + (-1 - 1) = -1. Of ++, +-, -+, --, the
    # sums 2 and -2 are as far from 0 as -2.
    assert test["p_topics"] == 0.5
    assert test["holm"] == 0.5


@given(WHOLE)
def test_sign_flips_are_all_assignments(differences):
    sums = [np.dot(signs, differences) for signs in product([-1, 1], repeat=len(differences))]
    share = np.mean(np.abs(sums) >= abs(sum(differences)))
    assert meta.sign_flip_test(differences) == pytest.approx(share)


def test_sign_flips_against_scipy():
    differences = [3, -1, 2, 2, 0, -4, 5, 1, 1, 2]
    theirs = stats.permutation_test(
        (differences,), np.sum, permutation_type="samples", n_resamples=np.inf, alternative="two-sided"
    )
    assert meta.sign_flip_test(differences) == pytest.approx(theirs.pvalue)


@given(st.integers(0, 40), st.integers(0, 40))
def test_with_one_pair_per_topic_sign_flips_are_the_sign_test(wins, losses):
    expected = stats.binomtest(wins, wins + losses).pvalue if wins + losses else 1
    assert meta.sign_flip_test([2] * wins + [-2] * losses + [0]) == pytest.approx(expected)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=6))
def test_holm_is_the_closed_test_of_bonferroni(p):
    """A hypothesis falls only if every family of hypotheses that it is in falls: Holm's own derivation."""
    families = [f for size in range(1, len(p) + 1) for f in combinations(range(len(p)), size)]
    expected = [max(min(1, len(f) * min(p[i] for i in f)) for f in families if j in f) for j in range(len(p))]
    assert meta.holm(p) == pytest.approx(expected)


def test_intervals_against_the_plain_bootstrap():
    groups = [group["X"].to_numpy() for _, group in LARGE.groupby(level="topic", sort=False)]
    random = np.random.default_rng(11)
    taus = [
        np.concatenate([groups[i] for i in random.integers(0, len(groups), len(groups))]).mean()
        for _ in range(20_000)
    ]
    ours = meta.agreement_by_topic(LARGE, trials=20_000, seed=1).iloc[0]
    # The standard error of a percentile of so many trials is about 0.0015 here, for each of the two.
    assert ours[["low", "high"]].tolist() == pytest.approx(np.quantile(taus, [0.025, 0.975]), abs=0.006)


@pytest.mark.slow
def test_intervals_from_thirty_topics_hold_about_as_often_as_they_say():
    """Where the pairs of a topic lean one way together, intervals that take pairs for independent do not."""
    random, tau, held, held_by_pairs, trials = np.random.default_rng(0), 0.3, 0, 0, 400
    index = pd.MultiIndex.from_product([range(30), ["a"], range(8)], names=["topic", "left", "right"])
    for seed in range(trials):
        leaning = np.repeat(random.choice([tau - 0.5, tau + 0.5], size=30), 8)
        outcomes = pd.DataFrame({"X": np.where(random.random(240) < (1 + leaning) / 2, 1, -1)}, index=index)
        row = meta.agreement_by_topic(outcomes, trials=400, seed=seed).iloc[0]
        held += row["low"] <= tau <= row["high"]
        held_by_pairs += abs(row["tau"] - tau) <= 1.96 * np.sqrt((1 - row["tau"] ** 2) / 240)
    assert 0.90 < held / trials < 0.97
    assert held_by_pairs / trials < 0.85


def test_swapping_the_metrics_mirrors_the_test():
    there = meta.agreement_tests(LARGE, [("X", "Y")], trials=500).iloc[0]
    back = meta.agreement_tests(LARGE, [("Y", "X")], trials=500).iloc[0]
    assert there["difference"] == -back["difference"]
    assert (there["low"], there["high"]) == pytest.approx((-back["high"], -back["low"]))
    for column in ("p_pairs", "p_topics", "holm", "detectable"):
        assert there[column] == pytest.approx(back[column])


def test_a_metric_does_not_differ_from_itself():
    same = meta.agreement_tests(LARGE, [("X", "X")], trials=100).iloc[0]
    assert same[["only_a", "only_b", "difference", "low", "high", "detectable"]].tolist() == [0] * 6
    assert same[["p_pairs", "p_topics", "holm"]].tolist() == [1, 1, 1]


def test_repeated_pairs_of_a_topic_do_not_narrow_the_interval():
    """The same outcomes, ten times over within each topic: the sign test is misled, topics are not."""
    by_topic = {
        t: [row for row in g.to_numpy().tolist() for _ in range(10)]
        for t, g in LARGE.groupby(level="topic", sort=False)
    }
    once, tenfold = (
        meta.agreement_tests(o, [("X", "Y")], trials=500).iloc[0] for o in (LARGE, outcomes_of(by_topic))
    )
    assert tenfold["p_topics"] == pytest.approx(once["p_topics"])
    assert (tenfold["low"], tenfold["high"]) == pytest.approx((once["low"], once["high"]))
    assert tenfold["p_pairs"] < once["p_pairs"]


@given(st.floats(0.001, 2), st.floats(0.001, 0.2), st.floats(0.5, 0.99))
def test_detectable_difference_has_the_stated_power(error, level, power):
    difference = meta.detectable(error, level, power)
    assert stats.norm.sf(stats.norm.isf(level / 2), loc=difference / error) == pytest.approx(power)


def test_detectable_difference_depends_on_the_number_of_tests():
    alone = meta.agreement_tests(LARGE, [("X", "Y")], trials=100)["detectable"][0]
    among = meta.agreement_tests(LARGE, [("X", "Y")] * 5, trials=100)["detectable"][0]
    assert among / alone == pytest.approx(meta.detectable(1, 0.05 / 5) / meta.detectable(1, 0.05))


def test_same_seed_gives_same_interval():
    first, again, other = (meta.agreement_by_topic(LARGE, trials=700, seed=seed) for seed in (4, 4, 5))
    assert first.equals(again)
    assert not first["low"].equals(other["low"])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: meta.agreement_by_topic(BY_HAND.loc[["t"]]), "pairs of lists are of 1 topic"),
        (lambda: meta.agreement_by_topic(BY_HAND.head(0)), "pairs of lists are of 0 topics"),
        (lambda: meta.agreement_by_topic(BY_HAND.reset_index(drop=True)), "no index 'topic'"),
        (lambda: meta.agreement_by_topic(BY_HAND, trials=0), "number of trials is 0"),
        (lambda: meta.agreement_by_topic(BY_HAND, confidence=1), "confidence is 1"),
        (lambda: meta.agreement_by_topic(BY_HAND, seed=-1), "seed is -1"),
        (lambda: meta.agreement_by_topic(BY_HAND.replace(-1, 2)), "an outcome is not 1, -1 or 0"),
        (lambda: meta.agreement_by_topic(BY_HAND.where(BY_HAND > 0)), "an outcome is not 1, -1 or 0"),
        (lambda: meta.agreement_tests(BY_HAND, []), "no pair of metrics was given"),
        (lambda: meta.agreement_tests(BY_HAND, [("X", "Z")]), "metric 'Z' is not among the outcomes"),
        (lambda: meta.agreement_tests(BY_HAND, [("X", "Y")], power=2), "power is 2"),
        (lambda: meta.sign_flip_test([0.5, 1]), "a difference is not a whole number"),
    ],
)
def test_bad_input_raises_one_sentence(call, message):
    with pytest.raises(dm.DivmetricsError, match=message) as caught:
        call()
    assert "\n" not in str(caught.value)
