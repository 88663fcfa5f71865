"""The lines over the reader mix, as the kernel gives them to a browser."""

from __future__ import annotations

import re

import pytest

import divmetrics as dm
from divmetrics_widgets import RankedListLab
from divmetrics_widgets.mixing import lines, straight_line_texts
from tests.support.asking import answer, answers


def test_what_a_picture_needs() -> None:
    lab = RankedListLab("harry potter")
    points = lines("ERR-IA@5", lab.a, lab.b, "film")
    mix = dm.reader_mix("ERR-IA@5", lab.a, lab.b, "film")
    assert points["words"] == mix.words
    assert points["crossings"] == [[pytest.approx(mix.crossings[0].share, abs=1e-6), "87.2 %"]]
    assert points["now"] == [pytest.approx(1 / 3), "33.3 %"]
    assert points["ends"] == {"A": ["0.0000", "0.8609"], "B": ["0.1167", "0.8437"]}
    shares = [share for share, _, _ in points["points"]]
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0, 1)
    assert len(shares) <= 60  # the steps on the way to a crossing are not drawn
    for share, a, b in points["points"]:
        place = int(abs(mix.shares - share).argmin())
        if abs(mix.shares[place] - share) < 1e-12:
            assert (a, b) == pytest.approx((mix.a[place], mix.b[place]))


@pytest.mark.parametrize(
    ("metric", "intent", "words"),
    [
        ("ERR-IA@5", "movie", "'movie' is not an intent"),
        ("P-IA", "film", "needs a cutoff"),
        ("no", "film", "no"),
    ],
)
def test_undrawable_lines_are_explained(metric: str, intent: str, words: str) -> None:
    lab = RankedListLab("harry potter")
    with pytest.raises(dm.DivmetricsError, match=words):
        lines(metric, lab.a, lab.b, intent)


def test_a_metric_that_takes_seconds_is_not_drawn() -> None:
    lab = RankedListLab("harry potter")
    name = "alpha-nDCG(ideal=exact)@5"
    sentence = f"{name} is not drawn: finding the best list at every share takes too long"
    with pytest.raises(dm.DivmetricsError, match=re.escape(sentence)):
        lines(name, lab.a, lab.b, "film")
    assert "points" in lines("alpha-nDCG@5", lab.a, lab.b, "film")


def test_a_question_of_a_page_that_is_past_has_no_answer() -> None:
    lab = RankedListLab("harry potter")

    question = {"metric": "ERR-IA@5", "intent": "film"}
    past = [{"error": "the page has changed since this was asked"}]
    assert answers(lab, "lines", of="before", **question) == past
    assert answer(lab, "lines", **question)["words"] == "B wins below 87.2 % film readers, A above."
    assert answers(lab, "lines", metric="ERR-IA@5") == []
    assert "expected" in lab._problem


def test_probabilities_that_do_not_sum_to_1_are_told_as_ever() -> None:
    lab = RankedListLab("harry potter")
    topic = {**lab.page.topic, "intents": [{**t, "probability": 0.5} for t in lab.page.topic["intents"]]}
    lab.set_state({"_edit": {"name": "e", "on": lab._shown["name"], "topic": topic}})
    (reply,) = answers(lab, "lines", metric="ERR-IA@5", intent="film")
    assert "sum to 2.5" in reply["error"]


def test_sentences_for_straight_lines_are_those_of_a_mix() -> None:
    lab = RankedListLab("harry potter")
    for name, case, share in (("ERR-IA@5", "B A", "87.2 %"), ("S-recall@5", "flat B B", "")):
        words = straight_line_texts()[case].replace("{intent}", "film").replace("{share}", share)
        assert lines(name, lab.a, lab.b, "film")["words"] == words
