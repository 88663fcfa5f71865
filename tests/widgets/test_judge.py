"""PreferenceJudge: what a judge sees, what she said, and which metrics say the same."""

from __future__ import annotations

import json
from typing import Any

import pytest

import divmetrics as dm
from divmetrics_widgets import PreferenceJudge
from divmetrics_widgets.judge_words import describe_agreement

POTTER = dm.datasets.harry_potter()
ABOUT = dm.datasets.harry_potter_documents()
A, B, C, D = POTTER.lists("0083")


def test_the_judge_does_not_see_the_grades() -> None:
    hidden, with_labels = (PreferenceJudge([(A, B)], about=ABOUT, labels=labels) for labels in (False, True))
    assert "film/watch 2" in json.dumps(with_labels._pairs)
    without = [
        [[doc, about, ""] for doc, about, _ in side] for pair in with_labels._pairs for side in pair["sides"]
    ]
    assert hidden._pairs[0]["sides"] == without
    assert "film/watch" not in json.dumps(hidden.get_state(["_pairs", "_questions", "_found"]))
    assert "film/watch" not in hidden.static_html()
    assert ABOUT["d1"] in hidden.static_html()


def test_the_seed_says_which_list_stands_on_the_left() -> None:
    def on_the_left(seed: int) -> list[str]:
        judge = PreferenceJudge([(A, B)] * 12, about=ABOUT, seed=seed)
        judge.answers = ["left", ""] * 12
        return judge.results["left"].tolist()

    assert set(on_the_left(0)) == {"A", "B"}
    assert on_the_left(0) == on_the_left(0)
    assert len({tuple(on_the_left(seed)) for seed in range(4)}) > 1


def test_by_default_ten_pairs_of_five_that_the_seed_draws() -> None:
    judge, again, other = PreferenceJudge(seed=1), PreferenceJudge(seed=1), PreferenceJudge(seed=2)
    assert judge._pairs == again._pairs != other._pairs
    assert [len(side) for pair in judge._pairs for side in pair["sides"]] == [5] * 20
    assert all(about for pair in judge._pairs for side in pair["sides"] for _, about, _ in side)
    # Different documents, not only another order: else most metrics would have nothing to say.
    for pair in judge._pairs:
        left, right = ({doc for doc, *_ in side} for side in pair["sides"])
        assert left != right


def test_the_results_are_a_row_for_each_answer() -> None:
    judge = PreferenceJudge([(A, B), (C, D)], about=ABOUT, seed=3)
    seen: list[list[str]] = []
    judge.observe(lambda change: seen.append(change["new"]), "answers")
    judge.answers = ["left", "same", "", "right"]
    assert seen == [["left", "same", "", "right"]]
    rows = judge.results.drop(columns=["left", "right"]).to_numpy().tolist()
    assert rows == [
        [1, "0083", "relevance", "left", 1],
        [1, "0083", "diversity", "same", 0],
        [2, "0083", "diversity", "right", -1],
    ]
    assert {frozenset(row) for row in judge.results[["left", "right"]].to_numpy().tolist()} == {
        frozenset("AB"), frozenset("CD"),
    }  # fmt: skip


def test_metric_agrees_with_its_own_answers() -> None:
    metrics = ["S-recall@5", "ERR-IA@5", "D#-nDCG@5"]
    judge = PreferenceJudge(POTTER, metrics=metrics, about=ABOUT, depth=5)
    assert len(judge._pairs) == 6  # all pairs of the four runs
    scores = dm.evaluate(POTTER, None, metrics).set_index(["run", "metric"])["score"]
    judge.answers = ["left"] * 12  # to know how the lists stand
    for followed, question in (("ERR-IA@5", 0), ("S-recall@5", 1)):
        answers = list(judge.answers)
        for number, row in enumerate(judge.results.query("question == 'relevance'").itertuples()):
            better = scores[row.left, followed] > scores[row.right, followed]
            answers[2 * number + question] = "left" if better else "right"
        judge.answers = answers
    table = judge.agreement().set_index(["question", "metric"])
    assert table.loc[("relevance", "ERR-IA@5"), ["agree", "disagree", "ties"]].tolist() == [6, 0, 0]
    assert table.loc[("diversity", "S-recall@5"), ["agree", "disagree", "ties"]].tolist() == [6, 0, 0]
    # ERR-IA ranks D C A B, S-recall B D C A, D#-nDCG D B C A: the pairs in common, counted by hand.
    assert table.loc[("relevance", "S-recall@5"), "agree"] == 3
    assert table.loc[("relevance", "D#-nDCG@5"), "agree"] == 4
    assert table.loc[("diversity", "D#-nDCG@5"), "agree"] == 5
    assert table.loc[("relevance", "D#-nDCG@5"), "tau"] == pytest.approx((4 - 2) / 6)


def test_what_is_measured_is_what_was_shown() -> None:
    judge = PreferenceJudge([(A, B)], metrics="ERR-IA@5", about=ABOUT, depth=2)
    scores = {score for *_, score in judge._scores}
    assert scores == {dm.metric("ERR-IA@5").score(ranked.reordered(ranked.docs[:2])) for ranked in (A, B)}


def test_the_last_page_says_how_often_and_nothing_where_nothing_was_preferred() -> None:
    judge = PreferenceJudge(about=ABOUT, metrics=["S-recall@5"])
    judge.answers = ["left", "same"] * 10
    judge._compare()
    relevance, diversity = judge._found
    (row,) = relevance["rows"]
    assert row["metric"] == "S-recall@5"
    assert sum(row["cells"][:3]) == relevance["decided"] == 10
    assert (diversity["decided"], diversity["same"], diversity["rows"]) == (0, 10, [])


def test_the_sentence_hangs_on_whether_the_interval_holds_a_half() -> None:
    # The limits of the textbook's tables (Clopper & Pearson 1934), in percent.
    for agree, disagree, words in (
        (5, 5, "5 times of 10, as a coin might (95 % interval 19 % to 81 %)."),
        (8, 2, "8 times of 10, as a coin might (95 % interval 44 % to 97 %)."),
        (9, 1, "9 times of 10, more often than a coin would (95 % interval 55 % to 100 %)."),
        (1, 9, "1 time of 10, less often than a coin would (95 % interval 0 % to 45 %)."),
        (0, 2, "0 times of 2, as a coin might (95 % interval 0 % to 84 %)."),
    ):
        assert describe_agreement("M", agree, disagree, 0, 0.95)["words"] == f"M chose as you did {words}"
    tied = describe_agreement("M", 6, 0, 4, 0.9)
    assert tied["words"].endswith(
        "more often than a coin would (90 % interval 61 % to 100 %). It was tied on 4 more."
    )
    assert tied["interval"] == [1, pytest.approx(0.05 ** (1 / 6)), 1]  # the closed form where all agree
    assert describe_agreement("M", 0, 0, 3, 0.95) == {
        "words": "M was tied on all 3 pairs: it chose no list.",
        "interval": None,
    }


def test_the_pairs_on_which_a_metric_chose_otherwise_are_those_that_its_scores_say() -> None:
    judge = PreferenceJudge(seed=5)
    judge.answers = ["left", "right"] * 8 + ["same", "left", "", "right"]
    against = {
        name: set(rows["pair"]) for name, rows in judge.disagreements().groupby(["question", "metric"])
    }
    for question, chosen in (("relevance", "left"), ("diversity", "right")):
        for metric in judge._metrics:
            scores = [(metric.score(left), metric.score(right)) for left, right in judge._lists[:8]]
            wrong = {
                number
                for number, (left, right) in enumerate(scores, 1)
                if abs(left - right) > 1e-9 and (left > right) != (chosen == "left")
            }
            assert {pair for pair in against.get((question, str(metric)), set()) if pair <= 8} == wrong
    table = judge.agreement()
    assert judge.disagreements().groupby(["question", "metric"]).size().sum() == table["disagree"].sum()
    judge._compare()
    words = {of["name"]: [row["words"] for row in of["rows"]] for of in judge._found}
    assert words == judge.sentences()
    for of in judge._found:
        for row in of["rows"]:
            assert set(row["pairs"]) == against.get((of["name"], row["metric"]), set())


def test_a_pair_opens_in_the_lab_as_it_was_judged() -> None:
    judge = PreferenceJudge(depth=3)
    judge._handle_custom_msg({"open": 4, "token": 7}, [])
    assert (judge._asked, judge._opened, judge._problem) == (7, True, "")
    lab, (left, right) = judge.lab(4), judge._lists[3]
    assert (lab.a.docs, lab.b.docs) == (left.docs, right.docs)
    assert lab.metrics == tuple(map(str, judge._metrics))
    scores = lab.scores.set_index(["run", "metric"])["score"]
    for metric in judge._metrics:
        assert scores["A", str(metric)] == pytest.approx(metric.score(left), abs=1e-12)
        assert scores["B", str(metric)] == pytest.approx(metric.score(right), abs=1e-12)
    assert judge.lab(5) is lab
    assert lab.a.docs == judge._lists[4][0].docs
    with pytest.raises(dm.DivmetricsError, match=r"pair is 11, .* \(and at most 10\)"):
        judge.lab(11)
    judge._handle_custom_msg({"open": 99, "token": 8}, [])
    assert judge._asked == 8
    assert "pair is 99" in judge._problem


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"pairs": []}, "there is no pair of lists"),
        ({"pairs": [A]}, "expected two RankedLists"),
        ({"pairs": [(A, A.reordered(["d1"]))]}, "both called 'A'"),
        ({"pairs": [(A, dm.datasets.yu2017().lists("0053").__next__())]}, "differ in topic or judgments"),
        ({"pairs": [(A, B)]}, "nothing to judge by; give about="),
        ({"metrics": "ERR-IAA@5"}, "did you mean"),
        ({"questions": {}}, "expected at least one"),
        ({"depth": 0}, "depth is 0"),
        ({"seed": -1}, "seed is -1"),
    ],
)
def test_bad_input(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(dm.DivmetricsError, match=message):
        PreferenceJudge(**arguments)


@pytest.mark.parametrize("answers", [["left"], ["up"] * 20, ["left"] * 21])
def test_bad_answers_change_nothing(answers: list[str]) -> None:
    judge = PreferenceJudge()
    with pytest.raises(dm.DivmetricsError, match="expected 20, each of them left, same, right"):
        judge.answers = answers
    assert judge.answers == [""] * 20
    with pytest.raises(dm.DivmetricsError, match="no list has been preferred yet"):
        judge.agreement()
