"""DisagreementFinder, as a reader uses it in JupyterLab."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest
from playwright.sync_api import Locator, expect

import divmetrics as dm
from divmetrics_widgets.presets import preset
from tests.support.layout import ENTERED, broken_words
from tests.support.page_actions import fill, press
from tools.browser import Notebook

Open = Callable[..., Notebook]

CELLS = [
    "from divmetrics_widgets import DisagreementFinder\nfinder = DisagreementFinder()\nfinder",
    "other = DisagreementFinder('S-recall@5', 'D-nDCG@5', 'Sakai 2012, Figure 1', 2)\nother",
]


def shows(finder: Locator, expected: dm.Disagreement) -> None:
    """The lists, scores and reasons on screen are the library's."""
    for text in (*expected.reasons, expected.how):
        expect(finder).to_contain_text(text)
    for side, ranked in (("A", expected.a), ("B", expected.b)):
        listed = finder.locator(f".dm-answer-lists td[data-side={side}]")
        shown = listed.evaluate_all("all => all.map((each) => each.dataset.doc)")
        assert shown == list(ranked.docs)
        for each, doc in zip(listed.all(), ranked.docs, strict=True):
            expect(each).to_contain_text(doc)
    shown = finder.locator("[data-score]").all_inner_texts()
    assert shown == [f"{score:.4f}" for scores in expected.scores for score in scores]


@cache
def nearest() -> dm.Disagreement:
    """What is found for the question of `ask_for_the_nearest`."""
    pool = preset("harry potter").judgments()
    return dm.disagree("nDCG-IA@5", "alpha-nDCG@5", pool, 4, find="edits", budget=50_000)


def ask(finder: Locator, m1: str, m2: str, length: int) -> None:
    finder.get_by_label("metric 1").fill(m1)
    finder.get_by_label("metric 2").fill(m2)
    fill(finder.get_by_label("length"), str(length))


def answers(finder: Locator, text: str) -> None:
    """The text is seen, and the next question can be asked."""
    expect(finder).to_contain_text(text)
    expect(finder).not_to_have_attribute("data-pending", "")


def ask_for_the_nearest(finder: Locator) -> None:
    finder.get_by_label("two lists that").select_option("edits")
    ask(finder, "nDCG-IA@5", "alpha-nDCG@5", 4)
    answers(finder, nearest().how)


# Of all that is seen from now on: whether an answer is waited for, and what is said.
WATCH = """(root) => {
    window.seen = [];
    const status = root.querySelector("[role=status]");
    const look = () => window.seen.push([root.hasAttribute("data-pending"), status.textContent]);
    new MutationObserver(look).observe(root, { subtree: true, childList: true, attributes: true });
}"""


@pytest.fixture(scope="module")
def opened(open_for_all: Open) -> Notebook:
    return open_for_all(CELLS, run=False, size=(700, 1000))


@pytest.fixture
def finder(notebook: Notebook) -> Locator:
    return notebook.page.locator('[data-widget="disagreement-finder"]').first


@pytest.fixture
def lab(notebook: Notebook) -> Locator:
    return notebook.page.locator('[data-widget="ranked-list-lab"]')


def test_the_keyboard_alone_asks_and_the_answer_is_the_librarys(notebook: Notebook) -> None:
    page = notebook.page
    finder, other = (page.locator('[data-widget="disagreement-finder"]').nth(i) for i in (0, 1))
    shows(finder, dm.disagree("ERR-IA@5", "D#-nDCG@5", preset("harry potter").judgments(), 3))
    before = other.inner_text()
    finder.get_by_label("metric 1").focus()
    press(page, "Control+A")
    page.keyboard.type("nDCG-IA@5")
    press(page, "Tab", "Control+A")
    page.keyboard.type("alpha-nDCG@5")
    press(page, "Tab", "Tab", "ArrowDown", "Tab")
    page.keyboard.type("4")
    press(page, "Tab", "Tab", "Tab", "Enter")
    expect(finder).not_to_have_attribute("data-pending", "")
    expect(finder.get_by_role("status")).to_contain_text("nDCG-IA@5 prefers A by")
    shows(finder, nearest())
    expect(finder.get_by_role("button", name="find")).to_be_focused()
    assert finder.evaluate("e => e.scrollWidth <= e.clientWidth")
    assert other.inner_text() == before


def test_error_replaces_the_previous_answer(finder: Locator) -> None:
    ask_for_the_nearest(finder)
    for name, wrong, said, right in (
        ("metric 2", "alpha-nDCD@5", "alpha-nDCG", "alpha-nDCG@5"),
        ("budget, in lists", "2000001", "(and at most 2,000,000)", "50000"),
        ("budget, in lists", "0", "budget is 0, expected a whole number of at least 1", "50000"),
        ("seed", "", "seed is None, expected a whole number of at least 0", "0"),
    ):
        fill(finder.get_by_label(name), wrong)
        expect(finder.get_by_role("alert")).to_contain_text(said)
        expect(finder.locator("[data-score]")).to_have_count(0)
        expect(finder.get_by_label(name)).to_have_value(wrong)
        fill(finder.get_by_label(name), right)
        expect(finder.get_by_role("alert")).to_have_count(0)
        shows(finder, nearest())


def test_answer_follows_its_question(finder: Locator) -> None:
    ask_for_the_nearest(finder)
    for name, other, same in (
        ("length", "5", "4"),
        ("seed", "1", "0"),
        ("metric 1", "ERR-IA@5", "nDCG-IA@5"),
    ):
        finder.get_by_label(name).fill(other)
        expect(finder.locator(".dm-answer")).to_have_text("Press find for the answer to this question.")
        finder.get_by_label(name).fill(same)
        shows(finder, nearest())


def test_seed_and_budget_are_typed_and_the_answer_is_the_librarys(finder: Locator) -> None:
    expect(finder.get_by_label("budget, in lists")).to_have_value("50000")
    expect(finder.get_by_label("seed")).to_have_value("0")
    finder.get_by_label("budget, in lists").fill("300")
    finder.get_by_label("seed").fill("7")
    ask(finder, "nDCG-IA@5", "alpha-nDCG@5", 6)
    answers(finder, "(seed 7)")
    shows(
        finder,
        dm.disagree("nDCG-IA@5", "alpha-nDCG@5", preset("harry potter").judgments(), 6, budget=300, seed=7),
    )


def test_a_long_search_says_how_far_it_is_and_is_stopped_by_key(finder: Locator) -> None:
    finder.get_by_label("budget, in lists").fill("2000000")
    fill(finder.get_by_label("length"), "9")
    stop = finder.get_by_role("button", name="stop")
    expect(stop).to_be_visible()
    expect(finder).to_contain_text("of 2,000,000 lists scored")
    expect(finder.locator("[data-score]")).to_have_count(0)
    stop.focus()
    press(finder.page, "Enter")
    expect(finder).not_to_have_attribute("data-pending", "")
    expect(finder.get_by_role("alert")).to_contain_text("the search was stopped after")
    expect(stop).to_have_count(0)
    finder.get_by_label("budget, in lists").fill("50000")
    ask_for_the_nearest(finder)
    shows(finder, nearest())


def test_short_search_shows_progress(finder: Locator) -> None:
    ask_for_the_nearest(finder)
    finder.evaluate(WATCH)
    fill(finder.get_by_label("length"), "7")
    answers(finder, "Searched: 50,000 of")
    assert [True, "searching …"] in finder.page.evaluate("() => window.seen")
    expect(finder.get_by_role("status")).not_to_have_text("searching …")
    fill(finder.get_by_label("length"), "4")
    answers(finder, nearest().how)


def test_the_lab_opens_with_the_two_lists_and_the_two_metrics(finder: Locator, lab: Locator) -> None:
    ask_for_the_nearest(finder)
    finder.get_by_role("button", name="open in the lab").click()
    for side, ranked in (("A", nearest().a), ("B", nearest().b)):
        expect(lab.locator(f'[role=grid][data-list="{side}"] [data-doc]')).to_have_count(4)
        rows = lab.locator(f'[role=grid][data-list="{side}"] [role=row][data-doc]')
        assert rows.evaluate_all("rows => rows.map((r) => r.dataset.doc)") == list(ranked.docs)
    expect(lab).to_contain_text("1 metric prefers A, 1 metric prefers B: they disagree.")
    first, second = nearest().a.docs[:2]
    lab.locator(f'[data-key="A|{first}|down"]').click()
    top = lab.locator('[role=grid][data-list="A"] [role=row][data-doc]').first
    expect(top).to_have_attribute("data-doc", second)


def test_opening_the_lab_by_key_moves_the_focus(finder: Locator, lab: Locator) -> None:
    button = finder.get_by_role("button", name="open in the lab")
    for length in (4, 3):  # a lab that is made, and one that is there
        finder.get_by_label("length").fill(str(length))
        finder.get_by_label("length").press("Enter")
        answers(finder, f"lists of {length} of the 18")
        button.focus()
        press(finder.page, "Enter")
        answers(finder, "the lab is open below")
        expect(lab.locator('[role=grid][data-list="A"] [role=row][data-doc]')).to_have_count(length)
        finder.page.wait_for_function(ENTERED, arg=lab.element_handle())


def test_opening_the_lab_does_not_steal_the_focus(notebook: Notebook) -> None:
    page = notebook.page
    finder, other = (page.locator('[data-widget="disagreement-finder"]').nth(i) for i in (0, 1))
    other.get_by_label("metric 1").evaluate(
        "(field, button) => { button.focus(); button.click(); field.focus(); }",
        finder.get_by_role("button", name="open in the lab").element_handle(),
    )
    answers(finder, "the lab is open below")
    expect(page.locator('[data-widget="ranked-list-lab"] [role=row][data-doc]').first).to_be_attached()
    expect(other.get_by_label("metric 1")).to_be_focused()


@pytest.mark.parametrize("width", [420, 560, 700])
def test_words_are_whole_and_fields_have_room_in_a_narrow_window(
    notebook: Notebook, finder: Locator, width: int
) -> None:
    ask(finder, "ERR-IA@3", "D#-nDCG@3", 3)  # two lists with long labels
    finder.get_by_label("length").press("Enter")
    answers(finder, "D#-nDCG@3 prefers B by")
    notebook.resize(width)
    answer = finder.locator(".dm-labelled, .dm-answer-scores :is(th, td)")
    assert answer.count() > 10
    assert broken_words(answer) == []
    names = finder.locator(".dm-field > .dm-quiet, .dm-answer-scores tbody th")
    # A name has one line, and so has a metric.
    assert names.evaluate_all("all => all.map((e) => Math.round(e.clientHeight / 14))") == [1] * names.count()
    words = finder.locator("select").evaluate_all(
        """(all) => all.map((select) => {
            const canvas = document.createElement("canvas").getContext("2d");
            canvas.font = getComputedStyle(select).font;
            return select.clientWidth - canvas.measureText(select.selectedOptions[0].text).width;
        })"""
    )
    assert min(words) >= 16, "what is chosen is cut"  # room for the arrow
    notebook.resize(700, 1000)  # that of the other stories


def test_agreement_is_reported(finder: Locator) -> None:
    ask(finder, "RBU@5", "iRBU-IA@5", 3)
    answers(finder, "RBU@5 and iRBU-IA@5 disagree on no two lists of 3 of the 18")
    expect(finder.get_by_role("button", name="open in the lab")).to_have_count(0)


def test_another_pool_is_searched_and_opens_in_the_same_lab(finder: Locator, lab: Locator) -> None:
    ask_for_the_nearest(finder)
    finder.get_by_role("button", name="open in the lab").click()
    answers(finder, "the lab is open below")
    expect(lab).to_contain_text("harry potter")
    finder.get_by_label("judged documents of").select_option("Sakai et al. 2010, topic 21")
    finder.get_by_label("length").fill("3")
    finder.get_by_role("button", name="find").click()
    answers(finder, "judged documents of topic 21")
    topic_21 = preset("Sakai et al. 2010, topic 21").judgments()
    shows(finder, dm.disagree("nDCG-IA@5", "alpha-nDCG@5", topic_21, 3, find="edits"))
    finder.get_by_role("button", name="open in the lab").click()
    expect(lab).to_contain_text("topic 21")
    expect(lab).to_have_count(1)
    output = finder.page.locator(".jp-OutputArea").first
    assert output.evaluate("e => e.scrollWidth <= e.clientWidth")
