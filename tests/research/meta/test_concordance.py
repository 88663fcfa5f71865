"""Concordance and unanimity: cases worked by hand, and the papers' loops on random scores."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import divmetrics as dm
from divmetrics import meta


def scores_of(by_metric: dict[str, dict[str, list[float]]]) -> pd.DataFrame:
    """metric -> topic -> scores of runs r0, r1, ..."""
    return pd.DataFrame(
        [
            (f"r{r}", topic, metric, score)
            for metric, topics in by_metric.items()
            for topic, runs in topics.items()
            for r, score in enumerate(runs)
        ],
        columns=["run", "topic", "metric", "score"],
    )


HAND = scores_of(
    {
        "A": {"t": [0.9, 0.5, 0.1], "u": [0.6, 0.2, 0.6]},
        "B": {"t": [0.6, 0.9, 0.2], "u": [0.5, 0.7, 0.3]},
        "I-rec": {"t": [0.5, 0.5, 0.0], "u": [0.25, 0.5, 0.5]},
        "Ef-P": {"t": [0.4, 0.6, 0.2], "u": [0.6, 0.4, 0.4]},
    }
)
# What they say of the pairs of lists t01, t02, t12, u01, u02, u12: 1 where the first list is better.
SAYS = {
    "A": [1, 1, 1, 1, 0, -1],
    "B": [-1, 1, 1, -1, 1, 1],
    "I-rec": [0, 1, 1, -1, -1, 0],
    "Ef-P": [-1, 1, 1, 1, 1, 0],
}


def test_preferences_on_every_pair_of_lists():
    table = meta.score_table(HAND)
    for metric, says in SAYS.items():
        assert table.decisions[table.position(metric)].ravel().tolist() == says


# A and B disagree on t01, u01 and u12; on u02 A is tied, which is no disagreement.
@pytest.mark.parametrize(
    ("gold", "correct_a", "correct_b", "only_a", "only_b"),
    [
        # t01 and u12 are tied for I-rec, so both are right; on u01 B is.
        ("I-rec", 2, 3, 0, 1),
        # t01 is B's, u01 is A's, u12 is tied.
        ("Ef-P", 2, 2, 1, 1),
        # Right by both at once: on t01 B alone, on u01 neither, on u12 both.
        (["I-rec", "Ef-P"], 1, 2, 0, 1),
    ],
)
def test_concordance_worked_by_hand(gold, correct_a, correct_b, only_a, only_b):
    row = meta.concordance(HAND, gold, ["A", "B"]).iloc[0]
    assert (row["metric_a"], row["metric_b"], row["disagreements"]) == ("A", "B", 3)
    assert (row["correct_a"], row["correct_b"]) == (correct_a, correct_b)
    assert (row["concordance_a"], row["concordance_b"]) == (correct_a / 3, correct_b / 3)
    assert (row["only_a"], row["only_b"]) == (only_a, only_b)
    assert row["p_value"] == stats.binomtest(only_a, only_a + only_b).pvalue
    assert row["gold"] == (gold if isinstance(gold, str) else "I-rec and Ef-P")


def test_concordance_is_the_papers_loop():
    random = np.random.default_rng(3)
    values = {m: random.integers(0, 4, size=(6, 5)).tolist() for m in ("A", "B", "C", "G")}
    scores = scores_of({m: {f"t{t}": runs for t, runs in enumerate(v)} for m, v in values.items()})
    concordance = meta.concordance(scores, "G")
    assert list(zip(concordance["metric_a"], concordance["metric_b"], strict=True)) == [
        ("A", "B"),
        ("A", "C"),
        ("B", "C"),
    ]
    for row in concordance.itertuples():
        disagreements = correct_1 = correct_2 = 0
        for r1, r2 in itertools.combinations(range(5), 2):
            for t in range(6):
                one, two, gold = (
                    values[m][t][r1] - values[m][t][r2] for m in (row.metric_a, row.metric_b, "G")
                )
                if one * two < 0:
                    disagreements += 1
                    correct_1 += one * gold >= 0
                    correct_2 += two * gold >= 0
        assert (row.disagreements, row.correct_a, row.correct_b) == (disagreements, correct_1, correct_2)


def test_metrics_that_never_disagree_have_no_concordance():
    twice = pd.concat([HAND, HAND[HAND["metric"] == "A"].assign(metric="A2")])
    row = meta.concordance(twice, "I-rec", ["A", "A2"]).iloc[0]
    assert row["disagreements"] == 0
    assert math.isnan(row["concordance_a"])
    assert row["p_value"] == 1


def test_unanimity_worked_by_hand():
    unanimity = meta.unanimity(HAND, ["A", "B", "I-rec"]).set_index("metric")
    # B and I-rec agree on t02, t12 and u01; A says the same on t02 and t12, and decides all pairs but one.
    assert unanimity.loc["A", ["agreed", "decided", "others", "triplets"]].tolist() == [2, 5.5, 3, 6]
    assert unanimity.loc["A", "unanimity"] == pytest.approx(math.log2((2 / 6) / (5.5 / 6 * 3 / 6)))
    assert unanimity.loc["I-rec", "unanimity"] == pytest.approx(math.log2((2 / 6) / (5 / 6 * 2 / 6)))


def test_an_agreed_tie_counts_half():
    scores = scores_of(
        {"X": {"t": [2, 1], "u": [1, 1], "v": [1, 1]}, "Y": {"t": [3, 2], "u": [0, 0], "v": [1, 2]}}
    )
    unanimity = meta.unanimity(scores)
    assert unanimity.loc[0, ["agreed", "decided", "others"]].tolist() == [1.5, 2, 2.5]
    assert unanimity["unanimity"].tolist() == pytest.approx([math.log2(1.5 * 3 / (2 * 2.5))] * 2)


def test_unanimity_at_its_ends():
    apart = scores_of({"X": {"t": [1, 2]}, "Y": {"t": [2, 1]}})
    assert meta.unanimity(apart)["unanimity"].tolist() == [-math.inf, -math.inf]
    nothing = scores_of({"X": {"t": [1, 2]}, "Y": {"t": [2, 1]}, "Z": {"t": [1, 2]}})
    assert math.isnan(meta.unanimity(nothing)["unanimity"][0])  # Y and Z agree on nothing


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: meta.concordance(HAND, "I-rec@10"),
            "gold standard 'I-rec@10' is not in the score table .did",
        ),
        (lambda: meta.concordance(HAND, []), "no gold standard was named"),
        (lambda: meta.concordance(HAND, "I-rec", ["A"]), "there are 1 metrics to compare besides"),
        (lambda: meta.concordance(HAND, "I-rec", ["A", "D"]), "metric 'D' is not in the score table"),
        (lambda: meta.concordance(HAND.drop(index=4), "I-rec"), "1 of 24 scores are missing"),
        (lambda: meta.unanimity(HAND, ["A"]), "'A' is the only one; score at least"),
        (lambda: meta.unanimity(HAND[HAND["run"] == "r1"]), "has 1 run .'r1'."),
    ],
)
def test_bad_input_raises_one_sentence(call, message):
    with pytest.raises(dm.DivmetricsError, match=message) as caught:
        call()
    assert "\n" not in str(caught.value)
