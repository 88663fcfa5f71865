"""HierarchyLab in a page without a kernel: every order of its list as the library has it, on both levels."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from divmetrics_widgets import HierarchyLab
from tests.support.offline_hierarchy import check_levels
from tests.support.offline_page import LIVE, opened, written

LABS = (
    ("harry potter", "ERR-IA@5"),
    ("harry potter", "D#-nDCG@5"),
    ("harry potter", "Q-IA@4"),
    ("Yu et al. 2017, query 0078", "alpha-nDCG@10"),
    ("Yu et al. 2017, query 0053", "S-recall@4"),
    ("Yu et al. 2017, query 0080", "RBU@5"),
)
ORDERS = 25


@pytest.fixture(scope="module")
def labs() -> list[HierarchyLab]:
    return [HierarchyLab(start, metric) for start, metric in LABS]


@pytest.fixture(scope="module")
def address(labs: list[HierarchyLab], tmp_path_factory: pytest.TempPathFactory) -> str:
    return written(tmp_path_factory.mktemp("levels"), labs)


@pytest.fixture
def page(address: str, chromium: Browser) -> Iterator[Page]:
    with opened(address, chromium) as found:
        yield found


def first(page: Page):
    return page.locator('.divmetrics-page[data-module="hierarchy.js"]').first


def test_every_order_shows_the_librarys_numbers_and_sentences(page, labs):
    for at, lab in enumerate(labs):
        check_levels(page, at, lab, ORDERS)


def test_by_hand_a_move_an_undo_and_who_is_served(page, labs):
    lab = first(page)
    before = lab.text_content()
    lab.locator("[data-key='A|d1|down']").click()
    moved = HierarchyLab(*LABS[0])
    moved.ranked_list = ["d4", "d1", *moved.page.lists["A"][2:]]
    shown = {name: f"{score:.4f}" for name, score in moved.scores.items()}
    expect(lab.locator("[data-score][data-metric='ERR-IA@5']")).to_have_text(shown["ERR-IA@5"])
    expect(lab.locator("[data-score][data-metric='ERR-IS@5']")).to_have_text(shown["ERR-IS@5"])
    expect(lab.locator(".dm-words-box p").first).to_have_text(moved._results["words"][0])
    served = lab.locator("[data-subtopic='film/watch'] .dm-served")
    assert served.first.inner_text().startswith("rank 2")
    assert "d1 moved to rank 2" in lab.locator("[role=status]").inner_text()
    lab.locator("[data-key=undo]").click()
    lab.locator("[data-key=redo]").click()
    lab.locator("[data-key=undo]").click()
    lab.locator("[role=status]").evaluate("(said) => { said.textContent = ''; }")
    lab.locator(".dm-title").click()
    assert lab.text_content() == before


def test_another_metric_needs_python_and_says_so(page):
    lab = first(page)
    for key in ("metric", "cutoff"):
        expect(lab.locator(f"[data-key={key}]")).to_be_disabled()
    element = lab.locator(".dm-kernel")
    expect(element).to_contain_text("This page answers every reordering; what is dimmed needs Python.")
    expect(element.locator("a")).to_have_attribute("href", LIVE)
    expect(page.locator(".divmetrics-still")).to_have_count(0)
