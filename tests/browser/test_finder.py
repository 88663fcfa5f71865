"""DisagreementFinder, as a reader uses it in JupyterLab."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Locator, expect

import divmetrics as dm
from divmetrics_widgets.presets import preset
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
        listed = finder.locator(f".dm-answer-lists td[data-side={side}] b")
        assert listed.all_inner_texts() == list(ranked.docs)
    shown = finder.locator("[data-score]").all_inner_texts()
    assert shown == [f"{score:.4f}" for scores in expected.scores for score in scores]


def test_a_disagreement_is_found_explained_and_opened_in_the_lab(open_notebook: Open) -> None:
    page = open_notebook(CELLS, size=(700, 1000)).page
    finder, other = (page.locator('[data-widget="disagreement-finder"]').nth(i) for i in (0, 1))
    potter = preset("harry potter").pool()
    shows(finder, dm.disagree("ERR-IA@5", "D#-nDCG@5", potter, 3))
    before = other.inner_text()

    # The keyboard alone, from the first field to the button.
    finder.get_by_label("metric 1").focus()
    page.keyboard.press("Control+A")
    page.keyboard.type("nDCG-IA@5")
    page.keyboard.press("Tab")
    page.keyboard.press("Control+A")
    page.keyboard.type("alpha-nDCG@5")
    for _ in range(2):
        page.keyboard.press("Tab")
    page.keyboard.type("4")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(finder).not_to_have_attribute("data-pending", "")
    nearest = dm.disagree("nDCG-IA@5", "alpha-nDCG@5", potter, 4, find="edits", budget=50_000)
    expect(finder.get_by_role("status")).to_contain_text("nDCG-IA@5 prefers A by")
    shows(finder, nearest)
    expect(finder.get_by_role("button", name="find")).to_be_focused()
    assert finder.evaluate("e => e.scrollWidth <= e.clientWidth")
    assert other.inner_text() == before

    # A problem is said; what was found stays.
    finder.get_by_label("metric 2").fill("alpha-nDCD@5")
    finder.get_by_label("metric 2").press("Enter")
    expect(finder.get_by_role("alert")).to_contain_text("alpha-nDCG")
    shows(finder, nearest)
    expect(finder.get_by_label("metric 2")).to_have_value("alpha-nDCD@5")

    # A search of a second or two says so meanwhile, and what it is.
    finder.get_by_label("metric 2").fill("alpha-nDCG@5")
    finder.get_by_label("length").fill("7")
    finder.get_by_label("length").press("Enter")
    expect(finder).to_have_attribute("data-pending", "")
    expect(finder.get_by_role("status")).to_have_text("searching …")
    expect(finder).to_contain_text("Searched: 50,000 of")
    expect(finder.get_by_role("alert")).to_have_count(0)
    finder.get_by_label("length").fill("4")
    finder.get_by_label("length").press("Enter")
    expect(finder).to_contain_text(nearest.how)

    # The lab opens on a click, once, with the two lists and the two metrics.
    lab = page.locator('[data-widget="ranked-list-lab"]')
    finder.get_by_role("button", name="open in the lab").click()
    for side, ranked in (("A", nearest.a), ("B", nearest.b)):
        expect(lab.locator(f'[role=grid][data-list="{side}"] [data-doc]')).to_have_count(4)
        rows = lab.locator(f'[role=grid][data-list="{side}"] [role=row][data-doc]')
        assert rows.evaluate_all("rows => rows.map((r) => r.dataset.doc)") == list(ranked.docs)
    expect(lab).to_contain_text("1 metric prefers A, 1 metric prefers B: they disagree.")
    first = nearest.a.docs[0]
    lab.locator(f'[data-key="A|{first}|down"]').click()
    expect(lab.locator('[role=grid][data-list="A"] [role=row][data-doc]').first).to_have_attribute(
        "data-doc", nearest.a.docs[1]
    )

    # No disagreement: it says so, and that this is proved; then another pool, into the same lab.
    finder.get_by_label("metric 1").fill("RBU@5")
    finder.get_by_label("metric 2").fill("iRBU-IA@5")
    finder.get_by_label("length").fill("3")
    finder.get_by_role("button", name="find").click()
    expect(finder).to_contain_text("RBU@5 and iRBU-IA@5 disagree on no two lists of 3 of the 18")
    expect(finder.get_by_role("button", name="open in the lab")).to_have_count(0)
    finder.get_by_label("metric 1").fill("nDCG-IA@5")
    finder.get_by_label("judged documents of").select_option("Sakai et al. 2010, topic 21")
    finder.get_by_label("metric 2").fill("alpha-nDCG@5")
    finder.get_by_label("metric 2").press("Enter")
    topic_21 = preset("Sakai et al. 2010, topic 21").pool()
    expect(finder).to_contain_text("judged documents of topic 21")
    found = dm.disagree("nDCG-IA@5", "alpha-nDCG@5", topic_21, 3, find="edits")
    shows(finder, found)
    finder.get_by_role("button", name="open in the lab").click()
    expect(lab).to_contain_text("topic 21")
    expect(lab).to_have_count(1)
    assert page.locator(".jp-OutputArea").first.evaluate("e => e.scrollWidth <= e.clientWidth")
