"""Widgets in a page without a kernel, opened as a file: they answer what Python worked out, no more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from divmetrics.research.counterfactual import Goal
from divmetrics_widgets import ContributionsView, Predict, RankedListLab, ReaderWalk
from divmetrics_widgets.lessons import TITLES, start
from tests.support.offline_labs import check_mixes, check_numbers, reordered
from tests.support.offline_page import opened, wait_for_widgets, written

PRESETS = (
    *("harry potter", "Yu et al. 2017, query 0053", "Sakai et al. 2010, topic 21", "Sakai 2012, Figure 1"),
    *("synthetic", "java", "redundancy", "who comes first"),
)
ORDER = "(rows) => rows.map((row) => row.dataset.doc)"
ORDERS = 25
MIXES = 8


@pytest.fixture(scope="module")
def labs() -> list[RankedListLab]:
    goal = Goal("ERR-IA@5", keep="D#-nDCG@5", edits=2)
    return [*map(RankedListLab, PRESETS), RankedListLab("harry potter", goal=goal)]


@pytest.fixture(scope="module")
def address(labs: list[RankedListLab], tmp_path_factory: pytest.TempPathFactory) -> str:
    """A file with all of them, as the book has them."""
    a = labs[0].a
    asked = Predict("Which list?", ["A", "B"])
    guess = Predict("How much?", number=True, unit="points")
    shown = [
        *(asked, asked.found("B", "because", show="the table")),
        *(guess, guess.found(0.25, tolerance=0.05)),
        *labs,
        ReaderWalk("ERR-IA@5", a, metrics=["alpha-nDCG@5"]),
        ContributionsView("ERR-IA@5", a, metrics=["D-nDCG@5"]),
    ]
    return written(tmp_path_factory.mktemp("page"), shown)


@pytest.fixture
def page(address: str, chromium: Browser) -> Iterator[Page]:
    with opened(address, chromium) as found:
        yield found


def lab_at(page: Page, at: int):
    return page.locator('.divmetrics-page[data-module="lab.js"]').nth(at)


def scores_of(lab):
    return lab.locator(".dm-scores [data-score]").all_inner_texts()


def test_every_order_shows_the_librarys_numbers(page, labs):
    for at, lab in enumerate(labs):
        check_numbers(page, at, lab, ORDERS)


def test_another_mix_of_readers_shows_the_librarys_numbers(page, labs):
    compared = sum((check_mixes(page, at, lab, MIXES) for at, lab in enumerate(labs)), Counter())
    assert compared["rows"] == MIXES * (sum(len(lab.metrics) for lab in labs) - 1)  # all rows but Ef-P
    assert compared["lines"] > 0.9 * MIXES * len(labs)
    assert compared["ideal lists"]


def test_a_goal_is_ticked_as_python_ticks_it(page, labs):
    *_, lab = labs
    for lists, found in reordered(page, len(labs) - 1, lab, ORDERS):
        lab.a, lab.b = lists["A"], lists["B"]
        marks = [list(mark) for mark in lab.progress.marks]
        assert found["goal"] == {"marks": marks, "reached": lab.progress.reached}


def test_reset_brings_back_the_lists_of_a_lab_with_a_goal(page, labs):
    lab = lab_at(page, len(labs) - 1)
    first, moved = (lab.locator("[data-list=A] tr[data-doc]").nth(at) for at in (0, 1))
    doc = first.get_attribute("data-doc")
    lab.locator("[data-list=A] [data-do=down]").first.click()
    expect(moved).to_have_attribute("data-doc", doc)
    lab.locator("[data-key=reset]").click()
    expect(first).to_have_attribute("data-doc", doc)
    expect(lab.locator(".dm-status")).to_contain_text("back at the beginning")


def test_by_hand_a_move_an_undo_and_a_cell_in_factors(page):
    lab = lab_at(page, 0)
    lab.locator("[data-key='choose|ERR-IA@5']").click()
    score = lab.locator(".dm-scores [data-score][data-list=A][data-metric='ERR-IS@5']")
    before = score.inner_text()
    lab.locator("[data-list=A] tr[data-doc=d1] [data-do=down]").click()
    expect(score).not_to_have_text(before)
    lab.locator("[data-list=A] tr[data-doc=d1] [data-intent=film]").hover()
    words = lab.locator(".dm-light-words")
    expect(words).to_have_text(
        "Rank 2: d1 has grade 2 and is the second film document of the list; it earns 0.0312 for film."
    )
    expect(lab.locator("[data-product]").first).to_have_text("0.0312")
    lab.locator("[data-key=undo]").click()
    expect(score).to_have_text(before)


def test_by_hand_a_border_moves_and_the_lines_say_who_wins(page):
    lab = lab_at(page, 0)
    lab.locator("[data-key='choose|ERR-IA@5']").click()
    lab.locator("[data-key=mix-lines]").click()
    words = lab.locator(".dm-mix-words")
    expect(words).to_have_text("B wins below 87.2 % film readers, A above.")
    border = lab.locator("[data-key='border|2']")
    for key in ("ArrowLeft", "ArrowLeft", "ArrowLeft"):
        border.press(key)
    expect(lab.locator("[data-segment=film]")).to_contain_text("30 %")
    expect(words).to_have_text("B wins below 87.5 % film readers, A above.")
    lab.locator("[data-list=A] tr[data-doc=d1] [data-intent=film]").hover()
    expect(lab.locator(".dm-light-words")).to_contain_text("it earns 0.2250 for film.")
    expect(lab.locator(".dm-light-line").first).to_contain_text("in Python alone")
    meet, line = (lab.locator(f".dm-mix-picture {part}") for part in (".dm-mix-meet", ".dm-line-A"))
    points = [point.split(",") for point in line.get_attribute("points").split()]
    assert float(meet.get_attribute("cy")) == pytest.approx(float(points[1][1]), abs=1)  # pixels
    lab.locator("[data-key='choose|D#-nDCG@5']").click()
    expect(words).to_have_text("B wins at every share of film readers.")
    sakai = lab_at(page, PRESETS.index("Sakai 2012, Figure 1"))
    row = sakai.locator("[data-metric-row='Ef-P@5']")
    sakai.locator("[data-key='border|0']").press("ArrowLeft")
    expect(row).to_contain_text("of another mix of readers is worked out in Python alone")
    sakai.locator("[data-key=undo]").click()
    expect(row).not_to_contain_text("Python alone")


def test_actions_that_need_python_change_nothing(page):
    lab = lab_at(page, 0)
    expect(lab.locator(".dm-kernel")).to_contain_text("every reordering")
    expect(lab.locator(".dm-kernel a")).to_have_attribute("href", "https://example.org/live")
    for key in ("preset", "A|add", "flip|ERR-IA@5", "metric-add"):
        expect(lab.locator(f"[data-key='{key}']")).to_have_count(0)
    scores = scores_of(lab)
    label = lab.locator("[data-list=A] tr[data-doc=d1] [data-intent=film]")
    label.click()
    expect(lab.locator(".dm-status")).to_have_text(
        "Another grade or document needs Python, which this page does not have"
    )
    expect(label).to_have_attribute("data-grade", "2")
    assert scores_of(lab) == scores


def test_the_address_opens_the_lists_again(page, address, labs):
    lab = lab_at(page, 1)
    lab.locator("[data-list=B] tr[data-doc] [data-do=down]").first.click()
    lab.locator("[data-key='border|0']").press("ArrowLeft")
    mix = lab.locator(".dm-mix-bar").inner_text()
    lab.locator("[data-key=share]").click()
    shared = page.url
    scores = scores_of(lab)
    assert shared != address
    page.goto("about:blank")
    page.goto(shared)
    assert scores_of(lab_at(page, 1)) == scores
    assert lab_at(page, 1).locator(".dm-mix-bar").inner_text() == mix
    lab_at(page, 1).locator("[data-key=reset]").click()
    assert scores_of(lab_at(page, 1)) != scores
    page.goto("about:blank")
    lists = "&".join(f"{side}={'+'.join(docs)}" for side, docs in labs[0].page.lists.items())
    for wrong in ("A=d1+nowhere&metric=x", "A=%25C3%25", f"{lists}&mix=1+0", f"{lists}&mix=9+0+0+0+0"):
        page.goto(f"{address}#lab=1&{wrong}")  # which is no order of the list, or no mix of its readers
        assert lab_at(page, 0).locator("[data-list=A] tr[data-doc]").count() == 8
        expect(lab_at(page, 0).locator("[data-key=undo]")).to_be_disabled()
        expect(lab_at(page, 0).locator("[data-key=reset]")).to_be_disabled()
        page.goto("about:blank")


def test_a_walk_down_a_list_of_the_page_opens_from_the_lab(page, labs):
    lab = lab_at(page, 0)
    lab.locator("[data-key='choose|ERR-IA@5']").click()
    lab.locator("[data-key='B|walk']").click()
    box = lab.locator(".dm-walk-box")
    expect(box).to_contain_text("The readers of ERR-IA@5 walk down list B")
    told = ReaderWalk("ERR-IA@5", labs[0].b)._picture
    model = ".divmetrics-page[data-module='lab.js'] > *"
    walk = page.evaluate("model => document.querySelector(model).divmetrics.get('_results').walk", model)
    for name in ("words", "baskets", "running", "score"):
        assert walk[name] == told[name]
    box.locator("[data-key=walk-last]").click()
    expect(box.locator(".dm-walk-words")).to_have_text(told["words"][-1])
    lab.locator("[data-key='choose|S-recall@5']").click()
    expect(box).to_contain_text("The readers of S-recall@5 walk down list B")
    lab.locator("[data-list=B] tr[data-doc] [data-do=down]").first.click()
    expect(box).to_contain_text("reset brings back what the page came with")
    lab.locator("[data-key=reset]").click()
    expect(box).to_contain_text("The readers of S-recall@5 walk down list B")
    box.locator("[data-key=walk-close]").click()
    expect(box).to_be_empty()


def test_a_walk_and_a_table_of_contributions_change_their_metric(page):
    a = RankedListLab("harry potter").a
    for module, name, kind in (
        ("walk.js", "alpha-nDCG@5", ReaderWalk),
        ("contributions.js", "D-nDCG@5", ContributionsView),
    ):
        box = page.locator(f'.divmetrics-page[data-module="{module}"]')
        box.locator("select[data-key=metric]").select_option(name)
        expect(box).to_contain_text(kind(name, a)._picture["score"])
    walk = page.locator('.divmetrics-page[data-module="walk.js"]')
    walk.locator("[data-key=walk-last]").click()
    expect(walk.locator(".dm-walk-words")).to_contain_text("The baskets add up")


def test_a_prediction_opens_its_answer(page):
    questions = page.locator('.divmetrics-page[data-module="predict.js"]')
    answers = page.locator('.divmetrics-page[data-module="found.js"]')
    expect(answers.nth(0).locator(".dm-shown")).to_be_hidden()
    questions.nth(0).get_by_label("A").check()
    expect(answers.nth(0)).to_contain_text("You said A. The answer: B. Not quite. because")
    expect(answers.nth(0).locator(".dm-shown")).to_be_visible()
    expect(answers.nth(1).locator(".dm-found")).to_be_hidden()
    for given, verdict in (("0,25", "Right."), ("0.3", "Right, off by 0.05."), ("1e-7", "Off by 0.25.")):
        field = questions.nth(1).locator("input")
        field.fill(given)
        field.press("Enter")
        said = Predict("?", number=True, unit="points")
        said.answer = float(given.replace(",", "."))
        expected = str(said.found(0.25, tolerance=0.05)).strip()
        expect(answers.nth(1).locator(".dm-found")).to_have_text(expected)
        assert verdict in expected


def test_lists_and_predictions_are_there_again_after_a_reload_and_on_the_way_back(page, address):
    """From a disk Chromium loads a page anew on the way back; no other page or tab has them."""
    begins = scores_of(lab_at(page, 1))
    first = lab_at(page, 1).locator("[data-list=B] tr[data-doc]").first.get_attribute("data-doc")
    untouched = scores_of(lab_at(page, 0))
    lab_at(page, 1).locator("[data-list=B] tr[data-doc] [data-do=down]").first.click()
    lab_at(page, 1).locator("[data-key='border|0']").press("ArrowLeft")
    scores = scores_of(lab_at(page, 1))
    order = lab_at(page, 1).locator("[data-list=B] tr[data-doc]").evaluate_all(ORDER)
    page.locator('.divmetrics-page[data-module="predict.js"]').nth(0).get_by_label("A").check()
    field = page.locator('.divmetrics-page[data-module="predict.js"] input[type=text]')
    field.fill("0.3")
    field.press("Enter")

    def is_there_again() -> None:
        wait_for_widgets(page)
        assert scores_of(lab_at(page, 1)) == scores != begins
        assert lab_at(page, 1).locator("[data-list=B] tr[data-doc]").evaluate_all(ORDER) == order
        assert scores_of(lab_at(page, 0)) == untouched
        expect(lab_at(page, 0).locator("[data-key=undo]")).to_be_disabled()
        questions = page.locator('.divmetrics-page[data-module="predict.js"]')
        answers = page.locator('.divmetrics-page[data-module="found.js"]')
        expect(questions.nth(0).get_by_label("A")).to_be_checked()
        expect(field).to_have_value("0.3")
        expect(answers.nth(0).locator(".dm-shown")).to_be_visible()
        expect(answers.nth(1).locator(".dm-found")).to_contain_text("You said 0.3")

    page.reload()
    is_there_again()
    page.goto("about:blank")
    page.go_back()
    is_there_again()
    lab_at(page, 1).locator("[data-key=reset]").click()
    rows = lab_at(page, 1).locator("[data-list=B] tr[data-doc]")
    expect(rows.first).to_have_attribute("data-doc", first)
    assert scores_of(lab_at(page, 1)) == begins
    page.reload()
    wait_for_widgets(page)
    assert scores_of(lab_at(page, 1)) == begins
    expect(lab_at(page, 1).locator("[data-key=undo]")).to_be_disabled()


def test_a_link_to_a_lab_wins_over_what_was_there(page, address, labs):
    lab = lab_at(page, 0)
    lab.locator("[data-list=B] tr[data-doc] [data-do=down]").first.click()
    before = lab.locator("[data-list=B] tr[data-doc]").evaluate_all(ORDER)
    turned = {side: docs[::-1] for side, docs in labs[0].page.lists.items()}
    link = "&".join(f"{side}={'+'.join(docs)}" for side, docs in turned.items())
    page.goto("about:blank")
    page.goto(f"{address}#lab=1&metric=ERR-IA%405&{link}")
    wait_for_widgets(page)
    there = lab_at(page, 0).locator("[data-list=B] tr[data-doc]").evaluate_all(ORDER)
    assert there == [*turned["B"]] != before


COVERED = """(rows) => rows.filter((row) => {
  const letters = document.createRange();
  letters.selectNodeContents(row.querySelector(".dm-doc"));
  const lines = [...letters.getClientRects()];
  const buttons = [...row.querySelectorAll(".dm-actions button")]
    .filter((one) => getComputedStyle(one).visibility !== "hidden");
  return buttons.map((one) => one.getBoundingClientRect()).some((box) => lines.some((line) =>
    line.left < box.right && line.right > box.left && line.top < box.bottom && line.bottom > box.top));
}).map((row) => row.dataset.doc)"""


def test_arrows_of_a_touched_list_cover_no_letter(chromium, tmp_path):
    lab = RankedListLab(start.A, start.B, metrics=start.BOTH, about=TITLES)
    context = chromium.new_context(viewport={"width": 390, "height": 1200}, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto(written(tmp_path, [lab]))
    wait_for_widgets(page)
    rows = page.locator("tr[data-doc]")
    expect(rows.first.locator(".dm-actions button")).to_have_count(2)
    assert rows.evaluate_all(COVERED) == []
    context.close()


def test_marks_are_printed_where_backgrounds_are_not(page):
    mark = lab_at(page, 0).locator(".dm-mark").first
    assert mark.evaluate("(one) => getComputedStyle(one).printColorAdjust") == "exact"
