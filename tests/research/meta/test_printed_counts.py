"""Bounds of the sign test from printed counts, and the agreement rate and Pearson's interval."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import divmetrics as dm
from divmetrics import meta
from divmetrics.research.meta.concordance import sign_test


@given(pairs=st.integers(0, 40), data=st.data())
def test_no_joint_table_has_a_p_value_beyond_the_bounds(pairs, data):
    a, b = (data.draw(st.integers(0, pairs)) for _ in "ab")
    counts = (a, pairs - a, b, pairs - b)
    # `both` pairs are right under both metrics; the rest of the joint table follows.
    tables = [(a - both, b - both) for both in range(max(0, a + b - pairs), min(a, b) + 1)]
    p_values = [sign_test(*table) for table in tables]
    worst, best = meta.worst_case(*counts), meta.best_case(*counts)
    assert worst[:2] in tables
    assert best[:2] in tables
    assert worst.p_value == pytest.approx(max(p_values))
    assert best.p_value == pytest.approx(min(p_values))


@pytest.mark.parametrize("bound", [meta.worst_case, meta.best_case])
def test_counts_that_no_joint_table_has_are_refused(bound):
    with pytest.raises(dm.DivmetricsError, match="10 pairs of lists and the second one 11; give counts"):
        bound(5, 5, 5, 6)
    with pytest.raises(dm.DivmetricsError, match="disagree_b is -1, expected a count of at least 0"):
        bound(5, 5, 11, -1)


def test_the_agreement_rate_worked_by_hand():
    scores = pd.DataFrame(
        [(run, topic, "M", score) for topic in "12" for run, score in (("A", 1), ("B", 0), ("C", 0))],
        columns=["run", "topic", "metric", "score"],
    )
    votes = pd.DataFrame(
        [
            *(("1", "A", "B", vote) for vote in (1, 1, -1, 0)),  # M prefers A: 2 of 4
            *(("2", "B", "A", vote) for vote in (-1, -1, -1, 1)),  # M prefers A: 3 of 4
            *(("2", "B", "C", vote) for vote in (0, 1, -1, 1)),  # M is tied: 1 of 4
        ],
        columns=["topic", "left", "right", "preference"],
    )
    agreement_rate = meta.agreement_rate(scores, votes)
    assert agreement_rate.to_dict("records") == [{"metric": "M", "rate": (2 + 3 + 1) / 12, "pairs": 3}]


def test_with_one_judge_the_rate_is_the_share_of_agreements():
    random = np.random.default_rng(0)
    scores = dm.datasets.imine_scores()
    runs = scores["run"].unique()
    rows = [(topic, *random.choice(runs, 2, replace=False)) for topic in scores["topic"].unique()]
    votes = pd.DataFrame(rows, columns=["topic", "left", "right"])
    votes["preference"] = random.choice([-1, 1], len(votes))
    names = ["ERR-IA@10", "D#-nDCG@10"]
    counted = meta.agreement(scores, votes, names).set_index("metric")
    rates = meta.agreement_rate(scores, votes, names).set_index("metric")["rate"]
    assert rates.to_dict() == pytest.approx((counted["agree"] / len(votes)).to_dict())


def test_pearsons_interval_is_that_of_scipy():
    random = np.random.default_rng(0)
    x, y = random.normal(size=(2, 50))
    correlation = stats.pearsonr(x, x + y)
    interval = correlation.confidence_interval(0.9)
    assert meta.pearson_interval(correlation.statistic, 50, 0.9) == pytest.approx(
        (interval.low, interval.high)
    )
    assert meta.pearson_interval(1, 50) == (1, 1)
    with pytest.raises(dm.DivmetricsError, match="n is 3, expected a number of pairs of values above 3"):
        meta.pearson_interval(0.5, 3)
