"""Agreement with people: hand-made preferences, Krippendorff's published example, bad input."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import divmetrics as dm
from divmetrics import meta

# Krippendorff (2011), "Computing Krippendorff's alpha-reliability", section D: four observers, twelve units.
OBSERVERS = """
1 2 3 3 2 1 4 1 2 . . .
1 2 3 3 2 2 4 1 2 5 . 3
. 3 3 3 2 3 4 2 2 5 1 .
1 2 3 3 2 4 4 1 2 5 1 .
"""
# The three coders of the worked example in the literature on missing data: fifteen units.
CODERS = """
. . . . . 3 4 1 2 1 1 3 3 . 3
1 . 2 1 3 3 4 3 . . . . . . .
. . 2 1 3 4 4 . 2 1 1 3 3 . 4
"""


def answers(text: str) -> np.ndarray:
    return np.array(
        [[math.nan if x == "." else float(x) for x in line.split()] for line in text.strip().splitlines()]
    )


@pytest.mark.parametrize(
    ("level", "published"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849), ("ratio", 0.797)]
)
def test_krippendorffs_own_example(level, published):
    assert round(meta.krippendorff_alpha(answers(OBSERVERS), level), 3) == published


@pytest.mark.parametrize(("level", "published"), [("nominal", 0.691), ("interval", 0.811)])
def test_three_coders_with_missing_answers(level, published):
    assert round(meta.krippendorff_alpha(answers(CODERS), level), 3) == published


def test_alpha_at_its_ends():
    assert meta.krippendorff_alpha([[1, 2, 3], [1, 2, 3]]) == 1
    assert meta.krippendorff_alpha([[1, 2], [2, 1]]) < 0
    random = np.random.default_rng(0)
    assert abs(meta.krippendorff_alpha(random.integers(0, 3, size=(2, 20_000)))) < 0.03
    with pytest.raises(dm.DivmetricsError, match=r"all answers are 2, .* alpha is not defined"):
        meta.krippendorff_alpha([[2, 2], [2, 2]])
    with pytest.raises(dm.DivmetricsError, match="no unit has answers of two judges"):
        meta.krippendorff_alpha([[1, math.nan], [math.nan, 2]])
    with pytest.raises(dm.DivmetricsError, match="expected one of nominal, ordinal"):
        meta.krippendorff_alpha([[1, 2], [2, 1]], "cardinal")
    with pytest.raises(dm.DivmetricsError, match="1 dimensions, expected 2"):
        meta.krippendorff_alpha([1, 2])
    with pytest.raises(dm.DivmetricsError, match="an answer is -2, expected none below 0"):
        meta.krippendorff_alpha([[2, 1], [-2, 1]], "ratio")


def judged(rows: list[tuple[str, str, str, list[float]]]) -> pd.DataFrame:
    return pd.DataFrame(
        [
            (topic, left, right, f"judge{j}", preference)
            for topic, left, right, preferences in rows
            for j, preference in enumerate(preferences, 1)
        ],
        columns=["topic", "left", "right", "judge", "preference"],
    )


PREFERENCES = judged(
    [
        ("t", "a", "b", [3, 1, -1]),  # left
        ("t", "a", "c", [0, -2, 0]),  # right: one voice counts, two say neither
        ("u", "a", "b", [1, -1, 0]),  # tied
        ("u", "b", "c", [2, 4, 1]),  # left, all
    ]
)
SCORES = pd.DataFrame(
    [
        *(
            ("X", topic, run, score)
            for topic, run, score in [("t", "a", 0.9), ("t", "b", 0.1), ("t", "c", 0.5)]
        ),
        *(
            ("X", topic, run, score)
            for topic, run, score in [("u", "a", 0.9), ("u", "b", 0.3), ("u", "c", 0.3)]
        ),
        *(
            ("Y", topic, run, score)
            for topic, run, score in [("t", "a", 0.4), ("t", "b", 0.5), ("t", "c", 0.5)]
        ),
        *(
            ("Y", topic, run, score)
            for topic, run, score in [("u", "a", 0.1), ("u", "b", 0.2), ("u", "c", 0.1)]
        ),
    ],
    columns=["metric", "topic", "run", "score"],
)


def test_majority_and_high_agreement():
    gold = meta.majority(PREFERENCES)
    assert gold[["topic", "left", "right", "preference"]].values.tolist() == [
        ["t", "a", "b", 1],
        ["t", "a", "c", -1],
        ["u", "b", "c", 1],
    ]
    assert gold[["for_left", "for_right", "neither"]].values.tolist() == [[2, 1, 0], [0, 1, 2], [3, 0, 0]]
    assert meta.majority(PREFERENCES, tied="keep")["preference"].tolist() == [1, -1, 0, 1]
    two = meta.high_agreement(PREFERENCES, 2)
    assert two.groupby(["topic", "left", "right"], sort=False).size().index.tolist() == [
        ("t", "a", "b"),
        ("u", "b", "c"),
    ]
    assert len(two) == 6
    assert len(meta.high_agreement(PREFERENCES, 4)) == 0


def test_agreement_worked_by_hand():
    agreement = meta.agreement(SCORES, meta.majority(PREFERENCES)).set_index("metric")
    # X: right on tab, wrong on tac, tied on ubc. Y: wrong on tab, right on tac and ubc.
    assert agreement.loc["X", ["agree", "disagree", "ties", "pairs", "tau"]].tolist() == [1, 1, 1, 3, 0]
    assert agreement.loc["Y", ["agree", "disagree", "ties", "pairs"]].tolist() == [2, 1, 0, 3]
    assert agreement.loc["Y", "tau"] == pytest.approx(1 / 3)
    assert agreement[["low", "high"]].isna().all(axis=None)  # too few pairs for an interval
    left_out = meta.agreement(SCORES, meta.majority(PREFERENCES), ["X"], ties="leave out")
    assert left_out[["ties", "pairs"]].values.tolist() == [[1, 2]]
    with pytest.warns(dm.DivmetricsWarning, match="1 of 4 pairs of lists have preference 0 and are left out"):
        with_ties = meta.agreement(SCORES, meta.majority(PREFERENCES, tied="keep"))
    assert with_ties.set_index("metric").equals(agreement)
    differ = meta.agreement_differences(SCORES, meta.majority(PREFERENCES)).iloc[0]
    assert differ[["both", "only_a", "only_b"]].tolist() == [0, 1, 2]
    assert differ["p_value"] == stats.binomtest(1, 3).pvalue


def test_ids_may_be_numbers():
    gold = meta.majority(PREFERENCES).replace({"topic": {"t": 1, "u": 2}})
    scores = SCORES.replace({"topic": {"t": 1, "u": 2}})
    agreement = meta.agreement(scores, gold.assign(topic=gold["topic"].astype(int)))
    assert agreement["agree"].tolist() == [1, 2]


def test_interval_from_counts_uses_the_size_of_a_ranking_with_as_many_pairs():
    tau, low, high = meta.preference_tau(952, 163)
    items = (1 + math.sqrt(1 + 8 * 1115)) / 2
    assert tau == (952 - 163) / 1115
    assert (low, high) == meta.kendall_interval(tau, items)
    assert meta.preference_tau(952, 163, decimals=3)[1:] == meta.kendall_interval(0.708, items)
    assert meta.preference_tau(10, 10, 80)[0] == 0
    # 6 pairs are those of 4 items, for which the interval is not defined; 7 are more.
    assert meta.preference_tau(4, 2)[0] == pytest.approx(1 / 3)
    assert [math.isnan(meta.preference_tau(4, 2, ties)[1]) for ties in (0, 1)] == [True, False]


def test_alpha_of_judges_and_without_each():
    alphas = meta.judges_alpha(PREFERENCES)
    assert alphas["left_out"].tolist() == ["", "judge1", "judge2", "judge3"]
    assert alphas["judges"].tolist() == [3, 2, 2, 2]
    sides = np.sign([[3, 0, 1, 2], [1, -2, -1, 4], [-1, 0, 0, 1]])
    assert alphas["alpha"][0] == meta.krippendorff_alpha(sides)
    assert alphas["alpha"][2] == meta.krippendorff_alpha(sides[[0, 2]])
    by_value = meta.judges_alpha(PREFERENCES, "interval", answer="value")
    assert by_value["alpha"][0] == meta.krippendorff_alpha(
        [[3, 0, 1, 2], [1, -2, -1, 4], [-1, 0, 0, 1]], "interval"
    )


def test_units_that_one_judge_answered_are_not_counted():
    only_judge1 = (
        (PREFERENCES["topic"] == "u") & (PREFERENCES["left"] == "b") & (PREFERENCES["judge"] != "judge1")
    )
    assert meta.judges_alpha(PREFERENCES)["units"].tolist() == [4, 4, 4, 4]
    assert meta.judges_alpha(PREFERENCES[~only_judge1])["units"].tolist() == [3, 3, 3, 3]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: meta.majority(PREFERENCES.drop(columns="left")), "no column 'left'"),
        (lambda: meta.majority(PREFERENCES.head(0)), "table of preferences is empty"),
        (lambda: meta.majority(PREFERENCES.assign(preference="left")), "a preference is not a number"),
        (lambda: meta.majority(PREFERENCES.assign(preference=math.nan)), "a preference is not a number"),
        (lambda: meta.majority(PREFERENCES, tied="no"), "expected drop or keep"),
        (
            lambda: meta.majority(PREFERENCES.assign(right="a")),
            "run 'a' is compared with itself on topic 't'",
        ),
        (lambda: meta.high_agreement(PREFERENCES, 0), "at_least is 0"),
        (
            lambda: meta.agreement(SCORES, PREFERENCES),
            "several preferences on topic 't'; take their majority",
        ),
        (
            lambda: meta.agreement(SCORES[SCORES["topic"] == "t"], meta.majority(PREFERENCES)),
            "topic 'u' of the preferences is not in the score table",
        ),
        (
            lambda: meta.agreement(SCORES[SCORES["run"] != "c"], meta.majority(PREFERENCES)),
            "run 'c' of the preferences is not in the score table",
        ),
        (
            lambda: meta.agreement(SCORES, meta.majority(PREFERENCES), ties="half"),
            "expected count or leave out",
        ),
        (
            lambda: meta.agreement(SCORES, meta.majority(PREFERENCES).assign(preference=0)),
            "all preferences are 0",
        ),
        (lambda: meta.preference_tau(0, 0), "there are no pairs of lists"),
        (lambda: meta.preference_tau(-1, 5), "agree is -1"),
        (lambda: meta.preference_tau(3, 1, decimals=-1), "decimals is -1"),
        (lambda: meta.majority(PREFERENCES.assign(left=None)), "a value in the column 'left' is missing"),
        (lambda: meta.judges_alpha(PREFERENCES.drop(columns="judge")), "no column 'judge'"),
        (lambda: meta.judges_alpha(PREFERENCES.assign(judge="j")), "judge 'j' answered twice"),
        (
            lambda: meta.judges_alpha(PREFERENCES[PREFERENCES["judge"] == "judge1"]),
            "there is one judge .'judge1'.",
        ),
    ],
)
def test_bad_input_raises_one_sentence(call, message):
    with pytest.raises(dm.DivmetricsError, match=message) as caught:
        call()
    assert "\n" not in str(caught.value)
