"""A lab with 57 nuggets, flat or below seven sub-narratives: folded, found, and readable in little room."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.test_lab import TheLab
from tests.support.layout import cut_off, sideways
from tests.support.many_nuggets import COUNT, SERVED, lab_text
from tools.browser import Notebook

Open = Callable[..., Notebook]
AWAY = COUNT - len(SERVED)
FLAT = f"{AWAY} intents that no list here serves, probability {AWAY / COUNT:.4f} together"
# What can be pressed and is smaller than a finger needs, and which of it lies on something else.
SMALL = """root => [...root.querySelectorAll('button, input, select, textarea, summary')]
    .filter((e) => e.checkVisibility({ visibilityProperty: true }))
    .map((e) => [e, e.getBoundingClientRect()])
    .filter(([, box]) => box.width < 23.5 || box.height < 23.5)
    .map(([e, box]) => `${e.tagName} ${e.dataset.key} ${box.width} x ${box.height}`)"""
OVERLAPPING = """root => {
    const found = [];
    const seen = (cell) => !cell.querySelector('.dm-hidden')
        && !cell.matches('.dm-grid:not(.dm-lines) .dm-actions'); // over a title, where the row is pointed at
    for (const row of root.querySelectorAll('.dm-grid tr')) {
        const boxes = [...row.children].filter(seen).map((cell) => {
            const range = document.createRange();
            range.selectNodeContents(cell);
            return range.getBoundingClientRect();
        }).filter((box) => box.width > 1 && box.height > 1);
        boxes.forEach((a, i) => boxes.slice(i + 1).forEach((b) => {
            const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
            const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
            if (wide > 2 && high > 2) found.push(`${row.textContent}: ${wide} x ${high}`);
        }));
    }
    return found;
}"""


def opened(open_notebook: Open, folder: Path, grouped: bool) -> tuple[Notebook, TheLab]:
    text = lab_text(folder, grouped)
    notebook = open_notebook([f"from divmetrics_widgets import RankedListLab\nRankedListLab({text!r})"])
    return notebook, TheLab(notebook)


@pytest.mark.parametrize("grouped", [False, True])
@pytest.mark.parametrize("unfolded", [False, True])
def test_nothing_is_cut_off_or_overlaps(
    open_notebook: Open, tmp_path: Path, grouped: bool, unfolded: bool
) -> None:
    """At 200 % zoom a window of 1400 pixels is one of 700, and one of 840 is one of 420."""
    notebook, lab = opened(open_notebook, tmp_path, grouped)
    if unfolded:
        if grouped:
            lab.key("levels").click()
        lab.key("fold").click()
    lab.open_intents()
    lab.key("find").fill("cost")
    for width in (1400, 1100, 700, 420):
        notebook.resize(width)
        assert cut_off(lab.root) == [], width
        assert lab.root.evaluate(SMALL) == [], width
        assert lab.root.evaluate(OVERLAPPING) == [], width
        assert sideways(notebook.page) == [], width
        if width >= 700:
            for title in lab.root.locator(".dm-about").all():
                expect(title).to_be_visible()


def test_what_no_list_serves_is_folded_until_it_is_opened(open_notebook: Open, tmp_path: Path) -> None:
    _, lab = opened(open_notebook, tmp_path, False)
    state = lab.text()
    heads = lab.root.locator('[data-list="A"] thead th[data-of]')
    expect(heads).to_have_count(len(SERVED))
    fold = lab.key("fold")
    expect(fold).to_have_text(f"▸ {FLAT}")
    expect(fold).to_have_attribute("aria-expanded", "false")
    # The sums of the columns shown are the score: those folded away earn nothing.
    lab.agrees_with_the_library()
    fold.press("Enter")
    expect(heads).to_have_count(COUNT)
    assert lab.status().startswith("shown: ")
    expect(fold).to_be_focused()
    # An intent that is served then stays, and what nobody serves goes back.
    lab.label("A", lab.docs("A")[0], "4").press("2")
    fold.press("Enter")
    expect(heads).to_have_count(len(SERVED) + 1)
    assert lab.status().startswith(f"folded: {AWAY - 1} intents")
    # The last label of an intent leaves, and its column stays under the finger.
    last = lab.label("A", lab.docs("A")[0], "4")
    last.press("0")
    expect(last).to_be_focused()
    expect(heads).to_have_count(len(SERVED) + 1)
    lab.agrees_with_the_library()
    lab.key("undo").click()
    lab.key("undo").click()
    assert lab.text() == state  # folding is no edit


def test_costs_of_folded_rows_are_shown(open_notebook: Open, tmp_path: Path) -> None:
    _, lab = opened(open_notebook, tmp_path, False)
    lab.add_metrics("RBU@10")
    lab.key("choose|RBU@10").click()
    lab.settle()
    rows = lab.root.locator('[data-list="A"] .dm-sums')
    away = rows.filter(has_text="intents folded away").locator(".dm-sum")
    expect(away).to_have_text(re.compile(r"^-\.0\d+$"))
    lab.agrees_with_the_library()


def test_intents_are_found_by_name_and_text(open_notebook: Open, tmp_path: Path) -> None:
    _, lab = opened(open_notebook, tmp_path, False)
    find = lab.key("find")
    lab.key("full").press("Tab")  # the next control
    expect(find).to_be_focused()
    lab.page.keyboard.type("gas electricity")
    element = lab.root.locator(".dm-matches li")
    expect(element).to_have_count(2)
    assert lab.status() == "2 of 57 intents match: 27, 50"
    expect(element.first).to_contain_text("27 Electricity costs three to four times as much as gas")
    marked = lab.root.locator('[data-list="A"] thead th.dm-match')
    expect(marked).to_have_count(2)
    expect(lab.root.locator('[data-list="B"] button.dm-match')).to_have_count(2 * len(lab.docs("B")))
    expect(lab.root.locator('[data-list="A"] .dm-sums td.dm-match')).to_have_count(2)
    # An edit leaves the search where it is.
    lab.key(f"A|{lab.docs('A')[0]}|down").click()
    expect(marked).to_have_count(2)
    find.fill("12")  # a number by itself: not 120 or 4.12
    assert lab.status() == "1 of 57 intents match: 12"
    find.fill("frost and thaw")
    assert lab.status() == "0 of 57 intents match"
    find.fill("disposal")
    expect(element).to_contain_text("(not served here)")
    find.press("Escape")
    expect(find).to_have_value("")
    expect(lab.root.locator(".dm-match")).to_have_count(0)
    lab.agrees_with_the_library()


def test_the_panel_has_groups_that_open(open_notebook: Open, tmp_path: Path) -> None:
    _, lab = opened(open_notebook, tmp_path, True)
    summary = lab.root.locator(".dm-intents summary")
    expect(summary).to_have_text(f"7 intents with 57 subtopics, {len(SERVED)} of them served by A or B")
    summary.press("Enter")
    expect(summary).to_be_focused()
    expect(lab.root.locator("[data-intent-row]")).to_have_count(7)
    children = lab.root.locator("[data-child-row]")
    expect(children).to_have_count(0)
    group = lab.key("group|2")
    expect(group).to_have_text("▸ 8 subtopics, 3 served here, probability 0.1429 together")
    group.press("Enter")
    expect(group).to_be_focused()
    expect(children).to_have_count(3)
    text = lab.key("child|1|0|label")
    expect(text).to_have_value("Many old radiators are large enough at a flow temperature of 50 degrees")
    lab.key("fold").press("Enter")
    expect(children).to_have_count(8)
    # What is looked for is there, though its group is closed; and the columns of its parent are marked.
    lab.key("fold").press("Enter")
    group.press("Enter")
    lab.key("find").fill("microbore")
    expect(children).to_have_count(1)
    expect(lab.root.locator('[data-list="A"] thead th.dm-match')).to_have_count(1)
    assert lab.status() == "1 of 57 subtopics match: 2/5"
    text = lab.key("child|1|4|label")
    text.fill("Narrow pipes")
    text.press("Enter")
    assert lab.status() == "2/5: Narrow pipes"
    lab.agrees_with_the_library()


def test_few_intents_look_as_before(open_notebook: Open) -> None:
    lab = TheLab(open_notebook(["from divmetrics_widgets import RankedListLab\nRankedListLab()"]))
    expect(lab.root.locator(".dm-find-box")).to_be_empty()
    expect(lab.root.locator("[data-segment]")).to_have_count(5)
    expect(lab.root.locator(".dm-lines, .dm-line, textarea")).to_have_count(0)
    # Dozens come and go with the topic.
    expect(lab.root).not_to_have_class(re.compile("dm-crowded"))


def test_contributions_fold_and_open(open_notebook: Open, tmp_path: Path) -> None:
    text = lab_text(tmp_path, True)
    cell = f"from divmetrics_widgets import ContributionsView, RankedListLab\nlab = RankedListLab({text!r})\n"
    cell += "ContributionsView('ERR-IS@10', lab.a, metrics=['RBU@10', 'ERR-IA@10'])"
    notebook = open_notebook([cell])
    root = notebook.page.locator('[data-widget="contributions-view"]').first
    rows = root.locator("tr[data-intent]")
    expect(rows).to_have_count(25)
    expect(root.locator(".dm-group").first).to_contain_text(
        "How warm can an old house be kept by a heat pump?"
    )
    expect(root.locator(".dm-group").first).to_contain_text("(4 of 9 served)")
    fold = root.locator('[data-key="fold"]')
    expect(fold).to_contain_text("No document of the list serves 32 of the 57 subtopics (probability")
    expect(root.locator("[data-fold]")).to_have_text("0")
    sums = [float(text or 0) for text in root.locator("[data-sum]").all_inner_texts()]
    score = float(root.locator("[data-score]").inner_text())
    assert sum(sums) == pytest.approx(score, abs=5.1e-5 * (len(sums) + 1))
    for width in (1400, 1100, 700):
        notebook.resize(width)
        assert cut_off(root) == [], width
    fold.press("Enter")
    expect(rows).to_have_count(57)
    expect(fold).to_be_focused()
    cell_of = root.locator('td[data-key="1/4|2"]')
    cell_of.click()
    expect(root.locator(".dm-words")).to_contain_text("Subtopic 1/4: Pumps made for cold climates work down")
    fold.press("Enter")
    expect(rows).to_have_count(25)
    expect(root.locator('td[tabindex="0"]')).to_have_count(1)
