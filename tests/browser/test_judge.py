"""Predict and PreferenceJudge, as a reader uses them in JupyterLab."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from divmetrics_widgets import PreferenceJudge
from tests.support.layout import ENTERED, cut_off
from tests.support.notebook_cells import run_cell, run_until
from tests.support.page_actions import fill, press
from tools.browser import Notebook

Open = Callable[..., Notebook]

VISIT = "visit = len(In)  # so that no story finds the answers of another"
PREDICT = """\
from divmetrics_widgets import Check, Predict
list_of = Predict(f"Which `list`? (visit {visit})", ["A", "B", "<img src=x onerror=alert(1)>"])
count = Predict(f"How many? (visit {visit})", number=True, unit="lists")
rule = Predict(f"Which rule? (visit {visit})")
display(list_of, list_of, count, rule)"""
FOUND = """\
display(list_of.found("B", "For a reason."), count.found(5, tolerance=1), rule.found("it looks ahead"))
Check(..., 1)"""
JUDGE = """\
from divmetrics_widgets import PreferenceJudge
judge = PreferenceJudge(metrics=["S-recall@5", "ERR-IA@5"])
judge"""


@pytest.fixture(scope="module")
def opened(open_for_all: Open) -> Notebook:
    return open_for_all([VISIT, PREDICT, FOUND, JUDGE, "judge.answers"], run=False, size=(700, 900))


@pytest.fixture
def asked(notebook: Notebook) -> Locator:
    return notebook.page.locator('[data-widget="predict"]')


@pytest.fixture
def judge(notebook: Notebook) -> Locator:
    return notebook.page.locator('[data-widget="preference-judge"]')


@pytest.fixture
def words(notebook: Notebook) -> Locator:
    """What each result says, and all are shown before anything is predicted."""
    found = notebook.page.locator('[data-widget="found"]')
    expect(found).to_have_count(3)
    words = found.get_by_role("status")
    expect(words).to_have_count(0)  # closed
    for view in range(3):
        found.nth(view).get_by_text("show me the answer").click()
    expect(words).to_have_count(3)
    return words


def test_a_result_is_closed_until_the_reader_opens_it(words: Locator, asked: Locator) -> None:
    expect(words.nth(0)).to_have_text("Answer: B. For a reason.")
    expect(words.page.locator(".jp-CodeCell").nth(2)).to_contain_text("not answered yet")
    expect(asked.nth(0).locator("img")).to_have_count(0)
    assert asked.nth(0).bounding_box()["height"] < 80  # two lines


def test_a_choice_is_compared_even_when_it_comes_after_the_result(words: Locator, asked: Locator) -> None:
    asked.nth(0).get_by_label("A", exact=True).click()
    expect(words.nth(0)).to_have_text("You said A. The answer: B. Not quite. For a reason.")
    press(asked.page, "ArrowDown")  # the keyboard alone: the next choice
    expect(words.nth(0)).to_have_text("You said B. The answer: B. Right. For a reason.")
    # The same question shown twice has one answer, and the buttons of the two do not turn each other off.
    for view in (0, 1):
        expect(asked.nth(view).get_by_label("B", exact=True)).to_be_checked()


def test_a_number_is_compared_within_its_tolerance_and_can_be_taken_back(
    words: Locator, asked: Locator
) -> None:
    number = asked.nth(2).get_by_role("textbox")
    number.press_sequentially("4")
    number.press("Enter")
    expect(words.nth(1)).to_have_text("You said 4 lists. The answer: 5 lists. Right, off by 1. ")
    number.press_sequentially(",5")  # as some write it
    number.press("Enter")
    expect(words.nth(1)).to_have_text("You said 4.5 lists. The answer: 5 lists. Right, off by 0.5. ")
    fill(number, "four")
    expect(asked.nth(2).get_by_role("status")).to_have_text("four is not a number; write one such as 0.25")
    expect(words.nth(1)).to_contain_text("You said 4.5 lists.")
    number.fill("4")
    number.press("Backspace")
    number.press("Tab")
    expect(words.nth(1)).to_have_text("Answer: 5 lists. ")


def test_a_text_stands_beside_the_answer(words: Locator, asked: Locator) -> None:
    rule = asked.nth(3).get_by_role("textbox")
    rule.press_sequentially("none")
    rule.press("Enter")
    expect(words.nth(2)).to_have_text("You said none. The answer: it looks ahead. ")


def test_answers_stay_when_their_cell_is_run_again(words: Locator, asked: Locator) -> None:
    asked.nth(0).get_by_label("B", exact=True).click()
    fill(asked.nth(3).get_by_role("textbox"), "none")
    expect(words.nth(0)).to_contain_text("You said B.")
    expect(words.nth(2)).to_contain_text("You said none.")
    old = asked.nth(0).element_handle()
    run_cell(asked.page, 1)
    asked.page.wait_for_function("(old) => !old.isConnected", arg=old)
    expect(asked).to_have_count(4)
    expect(asked.nth(0).get_by_label("B", exact=True)).to_be_checked()
    expect(asked.nth(3).get_by_role("textbox")).to_have_value("none")


def test_a_pair_is_judged_by_key_and_can_be_judged_again(judge: Locator) -> None:
    press, chosen = judge.page.keyboard.press, judge.locator('[aria-pressed="true"]')
    expect(judge).to_contain_text("pair 1 of 10, question 1 of 2")
    judge.locator(".dm-desk").focus()
    press("Enter")
    expect(judge.get_by_role("status")).to_have_text("choose one of the three first, or skip")
    pressed = {"1": "left", "2": "about the same", "ArrowRight": "right", "ArrowLeft": "left"}
    for key, words in pressed.items():
        press(key)
        expect(chosen).to_contain_text(words)
    press("Enter")
    expect(judge).to_contain_text("pair 1 of 10, question 2 of 2")
    expect(chosen).to_have_count(0)
    press("Backspace")
    expect(chosen).to_contain_text("left")


def judge_all_but_the_second(judge: Locator) -> None:
    """The third answer by mouse, the others by key."""
    judge.locator(".dm-desk").focus()
    press(judge.page, "1", "Enter")
    judge.get_by_role("button", name="skip").click()
    expect(judge).to_contain_text("pair 2 of 10, question 1 of 2")
    judge.get_by_role("button", name="right").click()
    judge.get_by_role("button", name="next").click()
    press(judge.page, *["3", "Enter"] * 17)


def test_judged_pairs_are_compared_with_the_metrics(judge: Locator) -> None:
    judge_all_but_the_second(judge)
    expect(judge).to_contain_text("Which metrics agree with you?")
    expect(judge.locator("table tbody tr")).to_have_count(4, timeout=30_000)  # the kernel imports SciPy first
    assert judge.evaluate("e => e.scrollWidth <= e.clientWidth")
    expect(judge).to_contain_text("10 pairs with a better list, 0 about the same")
    expect(judge).to_contain_text("9 pairs with a better list, 0 about the same")


def test_each_metric_has_its_sentence_and_the_pairs_it_chose_otherwise(
    notebook: Notebook, judge: Locator
) -> None:
    judge.locator(".dm-desk").focus()
    press(judge.page, *["1", "Enter"] * 20)
    same = PreferenceJudge(metrics=["S-recall@5", "ERR-IA@5"])
    same.answers = ["left"] * 20
    element = judge.locator(".dm-outcomes").first
    expect(element.locator("li")).to_have_count(2, timeout=30_000)
    against = same.disagreements().query("question == 'relevance'")
    for words in same.sentences()["relevance"]:
        expect(element).to_contain_text(words)
    for metric in ("S-recall@5", "ERR-IA@5"):
        buttons = element.locator(f'[data-metric="{metric}"] [data-pair]')
        pairs = against[against["metric"] == metric]["pair"].tolist()
        assert buttons.all_inner_texts() == list(map(str, pairs))
    for size in (700, 1400):
        notebook.resize(size)
        assert cut_off(judge) == []
    notebook.resize(700)


def test_a_pair_opens_in_the_lab_by_keys_and_is_hidden_from_who_judges_again(judge: Locator) -> None:
    lab = judge.page.locator('[data-widget="ranked-list-lab"]')
    judge.locator(".dm-desk").focus()
    press(judge.page, *["1", "Enter"] * 20)
    button = judge.locator("[data-pair]").first
    button.focus()
    pair = int(button.inner_text())
    press(judge.page, "Enter")
    expect(judge.get_by_role("status")).to_contain_text(f"pair {pair} is open in the lab below")
    left, right = PreferenceJudge(metrics=["S-recall@5", "ERR-IA@5"])._lists[pair - 1]
    for side, ranked in (("A", left), ("B", right)):
        rows = lab.locator(f'[role=grid][data-list="{side}"] [role=row][data-doc]')
        expect(rows).to_have_count(5)
        assert rows.evaluate_all("rows => rows.map((r) => r.dataset.doc)") == list(ranked.docs)
    judge.page.wait_for_function(ENTERED, arg=lab.element_handle())
    judge.locator(".dm-desk").focus()
    press(judge.page, "Backspace")
    expect(judge).to_contain_text("pair 10 of 10, question 2 of 2")
    expect(lab).to_be_hidden()
    press(judge.page, "Enter")
    expect(lab).to_be_visible()


def test_what_was_skipped_is_answered_later_and_python_has_all_answers(judge: Locator) -> None:
    judge_all_but_the_second(judge)
    judge.get_by_role("button", name="answer what you skipped (1)").click()
    expect(judge).to_contain_text("pair 1 of 10, question 2 of 2")
    press(judge.page, "2")
    expect(judge.locator('[aria-pressed="true"]')).to_contain_text("about the same")
    run_until(judge.page, 4, "['left', 'same', 'right', 'right'")
