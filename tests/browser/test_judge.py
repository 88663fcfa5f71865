"""Predict and PreferenceJudge, as a reader uses them in JupyterLab."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from tools.browser import Notebook

Open = Callable[..., Notebook]

PREDICT = """\
from divmetrics_widgets import Check, Predict
list_of = Predict("Which `list`?", ["A", "B", "<img src=x onerror=alert(1)>"])
count = Predict("How many?", number=True, unit="lists")
rule = Predict("Which rule?")
display(list_of, list_of, count, rule)"""
FOUND = """\
display(list_of.found("B", "For a reason."), count.found(5, tolerance=1), rule.found("it looks ahead"))
Check(..., 1)"""


def test_predictions_are_compared_even_when_they_come_after_the_result(open_notebook: Open) -> None:
    page = open_notebook([PREDICT, FOUND], size=(700, 900)).page
    asked, found = page.locator('[data-widget="predict"]'), page.locator('[data-widget="found"]')
    expect(found).to_have_count(3)
    words = found.get_by_role("status")
    expect(words).to_have_count(0)  # closed
    for view in range(3):
        found.nth(view).get_by_text("show me the answer").click()
    expect(words.nth(0)).to_have_text("Answer: B. For a reason.")
    expect(page.locator(".jp-OutputArea").last).to_contain_text("not answered yet")
    expect(asked.nth(0).locator("img")).to_have_count(0)

    asked.nth(0).get_by_label("A", exact=True).click()
    expect(words.nth(0)).to_have_text("You said A. The answer: B. Not quite. For a reason.")
    page.keyboard.press("ArrowDown")  # the keyboard alone: the next choice
    expect(words.nth(0)).to_have_text("You said B. The answer: B. Right. For a reason.")
    # The same question shown twice has one answer, and the buttons of the two do not turn each other off.
    for view in (0, 1):
        expect(asked.nth(view).get_by_label("B", exact=True)).to_be_checked()

    number = asked.nth(2).get_by_role("textbox")
    number.press_sequentially("4")
    number.press("Enter")
    expect(words.nth(1)).to_have_text("You said 4 lists. The answer: 5 lists. Right, off by 1. ")
    number.press_sequentially(",5")  # as some write it
    number.press("Enter")
    expect(words.nth(1)).to_have_text("You said 4.5 lists. The answer: 5 lists. Right, off by 0.5. ")
    number.fill("four")
    number.press("Enter")
    expect(asked.nth(2).get_by_role("status")).to_have_text("four is no number; write one such as 0.25")
    expect(words.nth(1)).to_contain_text("You said 4.5 lists.")
    number.fill("4")
    number.press("Backspace")
    number.press("Tab")
    expect(words.nth(1)).to_have_text("Answer: 5 lists. ")
    rule = asked.nth(3).get_by_role("textbox")
    rule.press_sequentially("none")
    rule.press("Enter")
    expect(words.nth(2)).to_have_text("You said none. The answer: it looks ahead. ")
    assert asked.nth(0).bounding_box()["height"] < 80  # two lines

    # The cell is run again: the answers stay.
    page.locator(".jp-CodeCell .cm-content").first.click()
    page.keyboard.press("Control+Enter")
    page.wait_for_function("() => document.querySelectorAll('[data-widget=predict]').length === 4")
    expect(asked.nth(0).get_by_label("B", exact=True)).to_be_checked()
    expect(asked.nth(3).get_by_role("textbox")).to_have_value("none")


JUDGE = """\
from divmetrics_widgets import PreferenceJudge
judge = PreferenceJudge(metrics=["S-recall@5", "ERR-IA@5"])
judge"""


def test_pairs_are_judged_with_the_keyboard_and_with_the_mouse(open_notebook: Open) -> None:
    page = open_notebook([JUDGE, "judge.answers"], size=(700, 900)).page
    judge = page.locator('[data-widget="preference-judge"]')
    status = judge.get_by_role("status")
    chosen = judge.locator('[aria-pressed="true"]')
    expect(judge).to_contain_text("pair 1 of 10, question 1 of 2")
    judge.locator(".dm-desk").focus()
    page.keyboard.press("Enter")
    expect(status).to_have_text("choose one of the three first, or skip")
    pressed = {"1": "left", "2": "about the same", "ArrowRight": "right", "ArrowLeft": "left"}
    for key, words in pressed.items():
        page.keyboard.press(key)
        expect(chosen).to_contain_text(words)
    page.keyboard.press("Enter")
    expect(judge).to_contain_text("pair 1 of 10, question 2 of 2")
    expect(chosen).to_have_count(0)
    page.keyboard.press("Backspace")
    expect(chosen).to_contain_text("left")
    page.keyboard.press("Enter")
    judge.get_by_role("button", name="skip").click()
    expect(judge).to_contain_text("pair 2 of 10, question 1 of 2")
    judge.get_by_role("button", name="right").click()
    judge.get_by_role("button", name="next").click()
    for _ in range(17):
        page.keyboard.press("3")
        page.keyboard.press("Enter")
    expect(judge).to_contain_text("Which metrics agree with you?")
    expect(judge.locator("table tbody tr")).to_have_count(4, timeout=30_000)  # the kernel imports SciPy first
    assert judge.evaluate("e => e.scrollWidth <= e.clientWidth")
    expect(judge).to_contain_text("10 pairs with a better list, 0 about the same")
    expect(judge).to_contain_text("9 pairs with a better list, 0 about the same")

    judge.get_by_role("button", name="answer what you skipped (1)").click()
    expect(judge).to_contain_text("pair 1 of 10, question 2 of 2")
    page.keyboard.press("2")
    page.locator(".jp-CodeCell .cm-content").last.click()
    page.keyboard.press("Control+Enter")
    expect(page.locator(".jp-OutputArea").last).to_contain_text("['left', 'same', 'right', 'right'")
