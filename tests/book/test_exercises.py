"""The exercises of the book that ask for lists, or for a number under each name, in a browser."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.support.offline_checks import CHECK, said_of
from tests.support.offline_page import wait_for_widgets

pytestmark = pytest.mark.slow
# By page and place of the check on it: what the recorded solution answers, something wrong, and words
# of what is said of that.
ANSWERS = {
    ("00_start_here", 1): (["d7 d4 d11 d17 d14"], ["d1 d2 d3 d4 d5"], "ERR-IA@5 of yours"),
    ("01_ambiguous_queries", 1): (
        ["d7 d13 d12 d15 d18", "d18 d15 d13 d12 d7"],
        ["d18 d15 d13 d12 d7", "d7 d13 d12 d15 d18"],
        "is not three times",
    ),
    ("02_marginal_utility", 1): (["d1 d18", "d14 d7"], ["d14 d7", "d1 d18"], "gives the first"),
    ("02_marginal_utility", 2): (["0.5", "0.5"], ["0.5", "0.4"], "first relevant page"),
    ("03_when_metrics_disagree", 1): (["d15 d16", "d1 d9"], ["d15 d16", "d14 d18"], "ERR-IA@2 of second"),
    ("05_grading", 1): (["d8 d5 d16", "d14 d10 d17"], ["d14 d10 d17", "d8 d5 d16"], "gain=linear"),
    ("08_novelty", 1): (["d7 d1 d2", "d14 d17 d8"], ["d14 d17 d8", "d7 d1 d2"], "S-recall@3 of first"),
    ("10_one_ideal_for_everyone", 1): (["d7 d1 d2 d3 d16"], ["d16 d3 d2 d1 d7"], "D-nDCG@5 is"),
    ("11_gamma", 1): (["d1 d2 d8 d16 d15"], ["d18 d2 d8 d16 d15"], "more intents"),
    ("13_the_preferred_page", 1): (
        ["home cinema trailer bowls", "bowls home mirror blog"],
        ["home cinema trailer bowls", "home cinema trailer bowls"],
        "what does P+ not read?",
    ),
    ("14_stopping_and_effort", 1): (["d1 d2", "d1 d2 d5"], ["d1 d2", "d1 d2 d18"], "RBU does not rise"),
    ("16_the_same_name_three_formulas", 0): (
        ["0.0312", "0.2405", "0.125"],
        ["0.0312", "0.2405", "0.0625"],
        "h is the top grade",
    ),
    ("16_the_same_name_three_formulas", 1): (["d2", "d3 d4"], ["d3 d4", "d2"], "ndeval does not prefer"),
    ("23_your_own_metric", 1): (["d14 d7 d9 d17 d1"], ["d1 d2 d3 d4 d5"], "best page there?"),
    ("25_diversify_a_list", 1): (["m1 m2 m7 m15 m16"], ["m1 m7 m12 m2 m16"], "all intents, but"),
    ("A_yu_et_al_rebuilt", 1): (
        ["d1 unretrieved4 d3 d4 nonrelevant5"],
        ["d1 d2 d3 d4 nonrelevant5"],
        "it should rise",
    ),
    ("F_gallery_of_widgets", 2): (["0.25", "0.3715", "0.3993"], ["0", "0", "0"], "not ERR-IA@5 of list A"),
}


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    opened = chromium.new_page()
    yield opened
    opened.close()


@pytest.mark.parametrize("name", sorted({name for name, _ in ANSWERS}))
def test_the_recorded_solution_is_right_and_something_else_is_not(site: Path, page: Page, name: str) -> None:
    page.goto((site / "notebooks" / f"{name}.html").as_uri())
    # Not seen at first: a script of the page is what draws them.
    held = page.locator(f"{CHECK} + script").all_text_contents()
    asked = [json.loads(text)["tables"] for text in held]
    wait_for_widgets(page)
    answers = {place: of for (on, place), of in ANSWERS.items() if on == name}
    assert {n for n, tables in enumerate(asked) if "rules" in tables or "each" in tables} == set(answers)
    for number, (right, wrong, word) in answers.items():
        assert said_of(page, number, wrong).startswith("not yet: ")
        assert word in said_of(page, number, wrong)
        assert said_of(page, number, right).split(":")[0] == "right"
        assert said_of(page, number, ["?"] * len(right)).startswith("not yet: expected")
