"""Score tables, means, and topics one by one."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import divmetrics as dm
from divmetrics import meta
from divmetrics.research.meta.score_vectors import dense_ranks


def scores_of(by_metric: dict[str, dict[str, list[float]]]) -> pd.DataFrame:
    """metric -> topic -> scores of runs a, b, c, ..."""
    return pd.DataFrame(
        [
            ("abcdef"[r], topic, metric, score)
            for metric, topics in by_metric.items()
            for topic, runs in topics.items()
            for r, score in enumerate(runs)
        ],
        columns=["run", "topic", "metric", "score"],
    )


SCORES = scores_of(
    {
        "X": {"1": [0.9, 0.5, 0.1], "2": [0.4, 0.4, 0.2], "3": [0.0, 0.3, 0.6]},
        "Y": {"1": [0.2, 0.3, 0.4], "2": [0.8, 0.1, 0.1], "3": [0.5, 0.5, 0.5]},
    }
)


def test_dense_ranks_tie_scores_within_rounding():
    assert dense_ranks(np.array([0.3, 0.1 + 0.2, 0.2, 0.5])).tolist() == [1, 1, 0, 2]
    assert dense_ranks(np.array([[0.3, 0.1 + 0.2], [0.2, 0.5]]), tie=0).tolist() == [[1, 2], [0, 3]]
    assert dense_ranks(np.array([])).tolist() == []
    # The larger the scores, the larger what rounding does; a tie that is asked for stays as it is.
    large = 1e6 * np.array([0.3, 0.1 + 0.2, 0.2])
    assert dense_ranks(large).tolist() == [1, 1, 0]
    assert dense_ranks(large, tie=1e-12).tolist() == [1, 2, 0]
    # Below 1 it stays what it is: scores may be differences of larger sums.
    assert dense_ranks(np.array([1e-14, 0, 1e-9])).tolist() == [0, 0, 1]


def test_a_table_keeps_its_order_whatever_the_order_of_its_rows():
    table = meta.score_table(SCORES, ["Y", "X"])
    assert (table.metrics, table.topics, table.runs) == (("Y", "X"), ("1", "2", "3"), ("a", "b", "c"))
    assert table.values[1].tolist() == [[0.9, 0.5, 0.1], [0.4, 0.4, 0.2], [0.0, 0.3, 0.6]]
    mixed = SCORES.sample(frac=1, random_state=1)
    again = meta.score_table(mixed, ["Y", "X"])
    for metric, topic, run, score in SCORES[["metric", "topic", "run", "score"]].itertuples(index=False):
        place = again.metrics.index(metric), again.topics.index(topic), again.runs.index(run)
        assert again.values[place] == score


def test_what_evaluate_returns_is_a_score_table():
    collection = dm.datasets.synthetic(topics=4, seed=1)
    scores = dm.evaluate(collection, None, ["ERR-IA@5", "I-rec@5"])
    table = meta.score_table(scores)
    assert table.values.shape == (2, 4, len(collection.runs))


def test_missing_cells_fail_or_drop_their_topics_for_all():
    gap = SCORES.drop(index=4)  # X, topic 2, run b
    message = (
        r"1 of 18 scores are missing, on 1 of 3 topics \(2\); the first is run 'b' on topic '2' under 'X'"
    )
    with pytest.raises(dm.DivmetricsError, match=message + r'; score every run .* missing="drop"'):
        meta.score_table(gap)
    with pytest.warns(dm.DivmetricsWarning, match=message + r"; these topics are left out for all runs"):
        table = meta.score_table(gap, missing="drop")
    assert table.topics == ("1", "3")
    assert table.values.shape == (2, 2, 3)
    with pytest.warns(dm.DivmetricsWarning):
        averages = meta.means(gap, missing="drop")
    assert set(averages["topics"]) == {2}
    with (
        pytest.warns(dm.DivmetricsWarning),
        pytest.raises(dm.DivmetricsError, match=r"has 1 topic .'3'., expected"),
    ):
        meta.tukey_hsd(gap.drop(index=0), missing="drop", trials=10)


@pytest.mark.parametrize(
    ("change", "options", "message"),
    [
        (lambda s: s.to_dict(), {}, "of type dict, expected a DataFrame"),
        (lambda s: s.drop(columns="topic"), {}, "no column 'topic' .it has run, metric and score."),
        (lambda s: s.head(0), {}, "the score table is empty"),
        (lambda s: s, {"metrics": "Z"}, "metric 'Z' is not in the score table, which has X and Y"),
        (lambda s: s, {"metrics": []}, "no metric was asked for"),
        (lambda s: s, {"missing": "zero"}, "missing is 'zero', expected one of fail, drop"),
        (lambda s: s.assign(score="0.5"), {}, "the column score holds '0.5' .*make them numbers"),
        (
            lambda s: s.assign(score=s["score"].astype(object).where(s.index != 4, "good")),
            {},
            r"holds 'good' \(run 'b', topic '2', metric 'X'\).*; put a number there",
        ),
        (lambda s: s, {"metrics": 3}, "metrics is 3, expected a name or a list of names"),
        (lambda s: s.assign(score=math.nan), {}, "score of run 'a' on topic '1' under 'X' is nan"),
        (lambda s: s.assign(score=math.inf), {}, "score of run 'a' on topic '1' under 'X' is inf"),
        (lambda s: pd.concat([s, s.head(1)]), {}, "run 'a' has two scores on topic '1' under 'X'"),
    ],
)
def test_bad_tables_raise_one_sentence(change, options, message):
    with pytest.raises(dm.DivmetricsError, match=message) as caught:
        meta.score_table(change(SCORES), **options)
    assert "\n" not in str(caught.value)


def test_means_have_students_intervals_and_ranks_with_ties():
    means = meta.means(SCORES, confidence=0.9).set_index(["metric", "run"])
    scores_of_a = [0.9, 0.4, 0.0]
    expected = stats.t.interval(0.9, 2, np.mean(scores_of_a), stats.sem(scores_of_a))
    assert means.loc[("X", "a"), ["low", "high"]].tolist() == pytest.approx(list(expected))
    assert means.loc["Y", "mean"].tolist() == pytest.approx([0.5, 0.3, 1 / 3])
    assert means.loc["Y", "rank"].tolist() == [1, 3, 2]
    assert means.loc["X", "rank"].tolist() == [1, 2, 3]
    tied = scores_of({"X": {"1": [0.1 + 0.2, 0.3, 0.1]}})
    one = meta.means(tied)
    assert one["rank"].tolist() == [1, 1, 3]
    assert one[["low", "high"]].isna().all(axis=None)
    for confidence in (0, 1, 95):
        with pytest.raises(
            dm.DivmetricsError, match=f"the confidence is {confidence}, expected a number betw"
        ):
            meta.means(SCORES, confidence=confidence)


def test_means_by_type_of_topic():
    types = {"1": "broad", "2": "ambiguous", "3": "broad"}
    means = meta.means_by_type(SCORES, types, "X")
    assert list(means.columns[:3]) == ["type", "metric", "run"]
    assert means[["type", "topics"]].drop_duplicates().values.tolist() == [["broad", 2], ["ambiguous", 1]]
    assert means.loc[0, "mean"] == pytest.approx(0.45)
    with pytest.raises(dm.DivmetricsError, match="topic '3' has no type"):
        meta.means_by_type(SCORES, {"1": "broad", "2": "broad"})


def test_two_runs_topic_by_topic():
    differences = meta.compare_runs(SCORES, "a", "b", types={"1": "broad", "2": "ambiguous", "3": "broad"})
    x = differences[differences["metric"] == "X"]
    assert x["better"].tolist() == ["a", "", "b"]
    assert x["difference"].tolist() == pytest.approx([0.4, 0, -0.3])
    counted = meta.wins(differences)
    assert counted.drop(columns="difference").values.tolist() == [
        ["X", "broad", 2, 1, 0, 1],
        ["X", "ambiguous", 1, 0, 1, 0],
        ["Y", "broad", 2, 0, 1, 1],
        ["Y", "ambiguous", 1, 1, 0, 0],
    ]
    assert counted["difference"].tolist() == pytest.approx([0.05, 0, -0.05, 0.7])
    assert meta.wins(meta.compare_runs(SCORES, "a", "b"))["topics"].tolist() == [3, 3]
    rounding = scores_of({"X": {"1": [0.1 + 0.2, 0.3], "2": [0.5, 0.4]}})
    assert meta.wins(meta.compare_runs(rounding, "a", "b"))[["wins_a", "ties", "wins_b"]].values.tolist() == [
        [1, 1, 0]
    ]
    with pytest.raises(dm.DivmetricsError, match="run 'd' is not in the score table"):
        meta.compare_runs(SCORES, "a", "d")
    with pytest.raises(dm.DivmetricsError, match="compared with itself"):
        meta.compare_runs(SCORES, "a", "a")


def test_ids_may_be_numbers():
    numbered = SCORES.assign(
        run=SCORES["run"].map({"a": 1, "b": 2, "c": 3}), topic=SCORES["topic"].astype(int)
    )
    types = {1: "broad", 2: "ambiguous", 3: "broad"}
    differences = meta.compare_runs(numbered, 1, "2", "X", types=types)
    assert differences["better"].tolist() == ["1", "", "2"]
    assert differences["type"].tolist() == ["broad", "ambiguous", "broad"]
    assert meta.means_by_type(numbered, types, "X")["type"].unique().tolist() == ["broad", "ambiguous"]
    for runs in ((1, 2), ("1", "2")):
        assert meta.compare_runs(numbered, *runs)["better"].tolist() == ["1", "", "2", "2", "1", ""]
    with pytest.raises(dm.DivmetricsError, match="run '4' is not in the score table"):
        meta.compare_runs(numbered, 1, 4)
    with pytest.raises(dm.DivmetricsError, match=r"topic '3' has no type \(1 topics have none\)"):
        meta.means_by_type(numbered, {1: "broad", 2: "broad"})


def test_two_runs_are_not_compared_on_topics_without_a_type():
    with pytest.raises(dm.DivmetricsError, match=r"topic '2' has no type \(2 topics have none\)"):
        meta.compare_runs(SCORES, "a", "b", types={"1": "broad"})
    with pytest.raises(dm.DivmetricsError, match="types of topics are of type list, expected a Collection"):
        meta.compare_runs(SCORES, "a", "b", types=["broad"])


PAIRS = meta.tukey_hsd(SCORES, trials=5)
PREFERENCE = pd.DataFrame(
    [("1", "a", "b", 1), ("2", "a", "c", 1)], columns=["topic", "left", "right", "preference"]
)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: meta.means_by_type(None, {}), "scores are of type NoneType, expected a DataFrame"),
        (lambda: meta.means_by_type(SCORES.head(0), {}), "the score table is empty"),
        (lambda: meta.compare_runs("scores.csv", "a", "b"), "scores are of type str, expected a DataFrame"),
        (lambda: meta.compare_runs([0.1], "1", "2"), "scores are of type list, expected a DataFrame"),
        (lambda: meta.agreement({}, PREFERENCE), "scores are of type dict, expected a DataFrame"),
        (lambda: meta.agreement(SCORES, [1]), "preferences are of type list, expected a DataFrame"),
        (lambda: meta.judges_alpha(None), "preferences are of type NoneType, expected a DataFrame"),
        (lambda: meta.concordance(SCORES, None), "gold is None, expected a name or a list of names"),
        (lambda: meta.apply_per_value(None, "topic", meta.means), "no table with rows to part by topic"),
        (
            lambda: meta.apply_per_value(SCORES.head(0), "topic", meta.means),
            "no table with rows to part by topic",
        ),
        (lambda: meta.asl_curve(None), "table of pairs is of type NoneType, expected a DataFrame"),
        (lambda: meta.discriminative_power(PAIRS.head(0)), "table of pairs of runs is empty"),
        (lambda: meta.discriminative_power(PAIRS.assign(asl=math.nan)), "'a' and 'b' have the ASL nan under"),
        (lambda: meta.overlap(PAIRS[PAIRS["metric"] == "X"]), "'X' is the only metric"),
        (lambda: meta.agreement_by_topic(None), "the outcomes have no index 'topic'"),
        (lambda: meta.kendall(["a", "b"], [1, 2]), r"the scores are \['a', 'b'\], expected numbers"),
        (lambda: meta.krippendorff_alpha([[1, 2], [1]]), r"the answers are \[\[1, 2\], \[1\]\], expected"),
        (
            lambda: meta.agreement_tests(meta.agreement_outcomes(SCORES, PREFERENCE), ["XY"]),
            "'XY' is not a pair of metrics, expected two names",
        ),
        (
            lambda: meta.sweep(dm.datasets.synthetic(topics=2), None, "D#-nDCG@5", "gamma", 0.5),
            "the values of gamma are 0.5, expected a list of them",
        ),
    ],
)
def test_non_tables_raise_one_sentence(call, message):
    with pytest.raises(dm.DivmetricsError, match=message) as caught:
        call()
    assert "\n" not in str(caught.value)


def test_large_scores_tie_as_small_ones_do():
    small = scores_of(
        {"X": {"1": [0.1 + 0.2, 0.3], "2": [0.5, 0.1]}, "Y": {"1": [0.1, 0.4], "2": [0.7, 0.1]}}
    )
    large = small.assign(score=small["score"] * 1e9)
    assert meta.compare_runs(large, "a", "b")["better"].tolist() == ["", "a", "b", "a"]
    assert meta.disagreements(small).empty
    assert meta.disagreements(large).empty
    flat = scores_of({"X": {"1": [3e8, 3e8 * (1 + 2e-16)], "2": [3e8, 3e8]}})
    with pytest.raises(dm.DivmetricsError, match="all 4 scores under 'X' are equal"):
        meta.tukey_hsd(flat)


def test_disagreements_come_clearest_first():
    disagreements = meta.disagreements(SCORES)
    # X and Y disagree on topic 1 (all three pairs); on topic 2 neither a-b nor b-c (one of them ties); on
    # topic 3 Y ties all.
    assert sorted(
        zip(disagreements["topic"], disagreements["run_a"], disagreements["run_b"], strict=True)
    ) == [
        ("1", "a", "b"),
        ("1", "a", "c"),
        ("1", "b", "c"),
    ]
    assert (disagreements["metric_a"] == "X").all()
    assert disagreements.loc[0, ["run_a", "run_b"]].tolist() == ["a", "c"]
    assert disagreements.loc[0, ["difference_a", "difference_b"]].tolist() == pytest.approx([0.8, -0.2])
    y = [-0.1, -0.2, -0.1, 0.7, 0.7, 0, 0, 0, 0]
    assert disagreements.loc[0, "clarity"] == pytest.approx(0.2 / np.sqrt(np.mean(np.square(y))))
    assert disagreements["clarity"].is_monotonic_decreasing
    with pytest.raises(dm.DivmetricsError, match="'X' is the only metric"):
        meta.disagreements(SCORES, ["X"])


def test_of_several_metrics_the_two_that_differ_most_are_named():
    scores = scores_of({"X": {"1": [0.9, 0.1]}, "Y": {"1": [0.5, 0.4]}, "Z": {"1": [0.0, 0.3]}})
    row = meta.disagreements(scores).iloc[0]
    assert row["metric_b"] == "Z"
    assert row["metric_a"] in ("X", "Y")
