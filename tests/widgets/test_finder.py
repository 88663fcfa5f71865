"""DisagreementFinder from Python: what it answers is what the library answers."""

from __future__ import annotations

from typing import Any

import pytest

import divmetrics as dm
from divmetrics.research.disagreements import Agreement
from divmetrics_widgets import DisagreementFinder
from divmetrics_widgets.finder import CALLERS_TOPIC
from divmetrics_widgets.presets import PRESETS, preset

POTTER = dm.datasets.harry_potter()
SAKAI = dm.datasets.sakai2010()


def search_with(finder: DisagreementFinder, **choice: Any) -> None:
    """As the browser asks."""
    finder._on_message(finder, {"find": {**finder._choice, **choice}, "token": finder._asked + 1}, [])


def pair(answer: Any) -> Any:
    return answer.a.docs, answer.b.docs, answer.margins, answer.edits, answer.words


@pytest.mark.parametrize("find", ["margin", "edits"])
def test_the_answer_is_that_of_the_library(find: Any) -> None:
    pool = POTTER.pools["0083"]
    finder = DisagreementFinder("ERR-IA@5", "D#-nDCG@5", pool, 3, find=find)
    expected = dm.disagree("ERR-IA@5", "D#-nDCG@5", pool, 3, find=find)
    assert pair(finder.answer) == pair(expected)
    assert finder._found["reasons"] == [*expected.reasons, expected.how]
    assert [row["scores"] for row in finder._found["rows"]] == [
        [f"{score:.4f}" for score in scores] for scores in expected.scores
    ]
    assert [row["prefers"] for row in finder._found["rows"]] == ["A", "B"]
    page = finder.static_html()
    for text in (*expected.a.docs, *expected.b.docs, "film/watch 2", expected.how):
        assert text in page
    assert finder.static_text() == repr(expected)


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_can_be_searched_and_opened(name: str) -> None:
    finder = DisagreementFinder("S-recall@3", "D-nDCG@3", name, 2)
    assert pair(finder.answer) == pair(dm.disagree("S-recall@3", "D-nDCG@3", preset(name).judgments(), 2))
    lab = finder.lab
    assert (lab.a.docs, lab.b.docs) == (finder.answer.a.docs, finder.answer.b.docs)
    assert lab.metrics == ("S-recall@3", "D-nDCG@3")
    scores = lab.scores.set_index(["metric", "run"])["score"]
    for metric, expected in zip(lab.metrics, finder.answer.scores, strict=True):
        assert scores[metric][["A", "B"]].tolist() == pytest.approx(list(expected), abs=1e-12)


def test_the_browser_asks_and_python_hears_of_the_answer() -> None:
    finder = DisagreementFinder(topic=SAKAI.pools["21"])
    heard: list[Any] = []
    finder.observe(lambda change: heard.append(change["new"]), "answer")
    search_with(finder, m1="nDCG-IA@5", m2="alpha-nDCG@5", find="edits", length=2)
    assert heard == [finder.answer]
    assert pair(finder.answer) == pair(
        dm.disagree("nDCG-IA@5", "alpha-nDCG@5", SAKAI.pools["21"], 2, find="edits")
    )
    search_with(finder, pool="harry potter")
    assert finder.answer.searched.judgments.topic.title == "harry potter"
    search_with(finder, pool=CALLERS_TOPIC)
    assert finder.answer.searched.judgments is SAKAI.pools["21"]
    assert len(heard) == 3


def test_an_agreement_is_said_and_whether_it_is_proved() -> None:
    finder = DisagreementFinder("RBU@5", "iRBU-IA@5", POTTER, 3)
    assert isinstance(finder.answer, Agreement)
    assert "disagree on no two lists" in finder._found["title"]
    assert "compared" in finder.static_html()
    with pytest.raises(dm.DivmetricsError, match="no two lists to open in the lab"):
        _ = finder.lab
    searched = DisagreementFinder("RBU@5", "iRBU-IA@5", POTTER, 10, budget=500)
    assert "That proves nothing" in searched._found["title"]


def test_a_problem_loses_nothing() -> None:
    finder = DisagreementFinder()
    answer, description = finder.answer, finder._found
    for wrong, pattern in {
        "m1": ("ERR-AI@5", "no metric"),
        "m2": ("ERR-IA@5", "itself"),
        "pool": ("hary potter", "harry potter"),
        "length": (19, "18 judged documents"),
        "find": ("least", "margin, edits"),
        "budget": (0, "budget is 0, expected a whole number of at least 1"),
        "seed": (1.5, "seed is 1.5, expected a whole number of at least 0"),
    }.items():
        search_with(finder, **{wrong: pattern[0]})
        assert pattern[1] in finder._problem, wrong
        assert finder.answer is answer
        assert finder._found is description
    search_with(finder, length=None)
    assert "length is None" in finder._problem
    search_with(finder, length=2)
    assert finder._problem == ""
    with pytest.raises(dm.DivmetricsError, match="no preset"):
        DisagreementFinder(topic="hary potter")


def test_the_lab_follows_with_its_past_when_it_is_opened_again() -> None:
    finder = DisagreementFinder(topic=POTTER, about={"d1": "all eight films"})
    lab = finder.lab
    assert {doc["id"]: doc["about"] for doc in lab.page.docs}["d1"] == "all eight films"
    lab.a = lab.a.docs[:2]
    assert finder.lab is lab
    assert len(lab.a.docs) == 2  # the reader's edits stay
    search_with(finder, length=4)
    assert len(lab.b.docs) == 3
    assert finder.lab is lab
    assert len(lab.a.docs) == len(lab.b.docs) == 4


def test_seed_and_budget_are_part_of_the_question() -> None:
    finder = DisagreementFinder("nDCG-IA@5", "alpha-nDCG@5", POTTER, 6, budget=300, seed=2)
    assert (finder._choice["budget"], finder._choice["seed"]) == (300, 2)
    search_with(finder, budget=700, seed=9)
    expected = dm.disagree("nDCG-IA@5", "alpha-nDCG@5", POTTER, 6, budget=700, seed=9)
    assert pair(finder.answer) == pair(expected)
    assert "700 of" in finder.answer.how
    assert "(seed 9)" in finder.answer.how


def test_how_far_a_search_is_is_told_and_it_can_be_interrupted() -> None:
    finder = DisagreementFinder("nDCG-IA@5", "alpha-nDCG@5", POTTER, 2)
    answer, progress = finder.answer, []

    def interrupt(change: Any) -> None:
        progress.append(change["new"])
        if len(progress) == 3:
            raise KeyboardInterrupt

    finder.observe(interrupt, "_progress")
    search_with(finder, length=6, budget=4000)
    scored = [scored for scored, _ in progress]
    assert scored == sorted(set(scored))
    assert {of for _, of in progress} == {4000}
    sentence = (
        f"the search was stopped after {scored[-1]:,} of 4,000 lists were scored, so there is no answer"
    )
    assert finder._problem == sentence
    assert finder.answer is answer
    assert finder._asked  # the browser hears that nothing more comes
