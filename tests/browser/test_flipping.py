"""Flip it, tug of war and goals in the lab, as a reader uses them."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

import divmetrics as dm
from divmetrics.notebook.textformat.lab_text import read_page
from divmetrics.research.counterfactual import Flip, NoFlip, flip
from tests.browser.test_lab import TheLab
from tests.support.layout import cut_off
from tests.support.page_actions import press
from tools.browser import Notebook

Open = Callable[..., Notebook]

START = """
topic 1 "jaguar"
scale 2
intent cat 0.5
intent car 0.3
intent os 0.2 navigational
doc d1 cat:2
doc d2 car:1
doc d3 cat:1 os:2
doc d4
doc d5 ?
doc d6 cat:1 car:2
A d1 d2 d3 d4 d5
B d3 d1 d6 d2
metrics ERR-IA@3 D#-nDCG@3 I-rec@5 ndeval:alpha-nDCG@5
""".strip()
CELLS = [
    "from divmetrics.research.counterfactual import Goal\n"
    f'from divmetrics_widgets import RankedListLab\nlab = RankedListLab("""{START}""")\nlab',
    'aim = RankedListLab("harry potter", goal=Goal("ERR-IA@5", keep="S-recall@5", edits=1))\naim',
]


@pytest.fixture(scope="module")
def opened(open_for_all: Open) -> Notebook:
    return open_for_all(CELLS, run=False)


class Flipper(TheLab):
    """A lab in which metrics are flipped."""

    @property
    def words(self) -> Locator:
        return self.root.locator(".dm-flip-words")

    @property
    def ghosts(self) -> Locator:
        return self.root.locator(".dm-ghost, .dm-ghost-grade")

    def ask(self, metric: str) -> None:
        """By key."""
        self.key(f"choose|{metric}").focus()
        press(self.page, "f")
        self.answered(metric)

    def answered(self, metric: str) -> None:
        expect(self.words).to_have_text(re.compile(re.escape(metric)))
        expect(self.words).not_to_have_text(re.compile("^looking"))

    def metric_row(self, metric: str) -> Locator:
        return self.root.locator(f'[data-metric-row="{metric}"]')

    def prefers(self, metric: str) -> str:
        self.settle()
        return self.metric_row(metric).locator("[data-prefers]").get_attribute("data-prefers") or ""

    def predicted(self) -> dict[str, tuple[str, ...]]:
        """Of each metric that can be measured A, B and A - B after the edit."""
        result: dict[str, tuple[str, ...]] = self.root.evaluate(
            """root => Object.fromEntries([...root.querySelectorAll("[data-metric-row]")]
                .filter((row) => row.querySelector("[data-score]"))
                .map((row) => [row.dataset.metricRow, [...row.querySelectorAll("td.dm-number")]
                    .map(({ children: [now, then] }) => then.textContent || now.textContent)]))"""
        )
        return {metric: tuple(numbers) for metric, numbers in result.items()}

    def gone(self) -> None:
        expect(self.ghosts).to_have_count(0)
        expect(self.words).to_have_text("")
        expect(self.root.locator(".dm-then:not(:empty), .dm-leaving")).to_have_count(0)
        expect(self.key("flip-take")).to_have_count(0)


@pytest.fixture
def lab(notebook: Notebook) -> Flipper:
    return Flipper(notebook)


@pytest.fixture
def aim(notebook: Notebook) -> Flipper:
    return Flipper(notebook, 1)


def lists_of(text: str) -> tuple[dm.RankedList, dm.RankedList]:
    page = read_page(text)
    pool = page.judgments()
    a, b = (dm.RankedList(pool.topic, page.lists[side], pool, side) for side in "AB")
    return a, b


def test_a_flip_by_key_is_a_ghost_until_it_is_taken(lab: Flipper) -> None:
    before, expected = lab.text(), flip("ERR-IA@3", *lists_of(START), edits=2)
    assert isinstance(expected, Flip)
    preferred = lab.prefers("ERR-IA@3")
    lab.ask("ERR-IA@3")
    expect(lab.words).to_have_text(expected.words)
    assert lab.ghosts.count() >= 1
    expect(lab.key("flip-take")).to_be_focused()
    assert lab.text() == before  # and the ghost is still there
    lab.key("flip-take").focus()
    told = lab.predicted()
    press(lab.page, "Enter")
    lab.gone()
    lab.settle()
    assert lab.predicted() == told
    assert {preferred, lab.prefers("ERR-IA@3")} == {"A", "B"}
    assert lab.docs("A") == list(expected.after[0].docs)
    assert lab.docs("B") == list(expected.after[1].docs)
    assert lab.status().startswith("taken: ")
    expect(lab.key("flip|ERR-IA@3")).to_be_focused()
    lab.agrees_with_the_library()
    lab.key("flip|ERR-IA@3").focus()
    press(lab.page, "Control+z")
    assert lab.text() == before
    lab.gone()
    press(lab.page, "Control+Shift+Z")
    assert {preferred, lab.prefers("ERR-IA@3")} == {"A", "B"}


def test_a_ghost_stands_where_the_document_will(aim: Flipper) -> None:
    aim.key("flip|ERR-IA@5").click()
    expect(aim.words).to_have_text(re.compile("^Move d14 in B up from rank 4 to rank 1: "))
    rows = aim.root.locator('[data-list="B"] tbody tr')
    assert rows.nth(0).get_attribute("class") == "dm-ghost"
    text = rows.nth(0).inner_text()
    assert (text.split()[0], "d14" in text, "▲ from 4" in text) == ("1", True, True)
    assert "dm-leaving" in (aim.row("B", "d14").get_attribute("class") or "")
    assert aim.docs("B")[:4] == ["d1", "d2", "d9", "d14"]
    assert cut_off(aim.root) == []
    # Arrow keys pass it by, and a document can be dragged past it.
    aim.key("B|d9|grip").focus()
    press(aim.page, "ArrowUp", "ArrowUp", "ArrowUp", "ArrowDown")
    expect(aim.key("B|d2|grip")).to_be_focused()
    aim.key("flip-take").click()
    aim.gone()
    assert aim.docs("B")[:4] == ["d14", "d1", "d2", "d9"]


def test_escape_and_any_other_edit_drop_it(lab: Flipper) -> None:
    before = lab.text()
    lab.ask("ERR-IA@3")
    expect(lab.key("flip-take")).to_be_focused()
    press(lab.page, "Escape")
    lab.gone()
    expect(lab.key("flip|ERR-IA@3")).to_be_focused()
    assert lab.text() == before
    lab.ask("ERR-IA@3")
    lab.key("flip-drop").click()
    lab.gone()
    for edit in (
        lambda: lab.key("A|d2|up").click(),
        lambda: lab.label("B", "d1", "car").click(),
        lambda: lab.key("undo").click(),
        lambda: lab.key("choose|D#-nDCG@3").click(),
        lambda: lab.key("drop|I-rec@5").click(),
    ):
        lab.ask("ERR-IA@3")
        expect(lab.key("flip-take")).to_have_count(1)
        edit()
        lab.gone()
    lab.agrees_with_the_library()


def test_missing_flip_is_explained(lab: Flipper) -> None:
    lab.add_metrics("P-IA")
    expect(lab.key("flip|P-IA")).to_have_count(0)  # it cannot be measured without a cutoff
    lab.key("A|same").click()  # now the lists are the same
    lab.settle()
    lab.ask("ERR-IA@3")
    expect(lab.words).to_have_text(
        re.compile("^ERR-IA@3 prefers neither of the two lists, so there is nothing")
    )
    press(lab.page, "Escape")
    lab.gone()


def test_other_preferences_can_be_kept(lab: Flipper) -> None:
    others = ["D#-nDCG@3", "I-rec@5", "ndeval:alpha-nDCG@5"]
    expected = flip("ERR-IA@3", *lists_of(START), keep=others)
    lab.key("flip-keep").check()
    before = {name: lab.prefers(name) for name in others}
    lab.ask("ERR-IA@3")
    expect(lab.words).to_have_text(expected.words if isinstance(expected, Flip) else repr(expected))
    assert isinstance(expected, Flip)
    lab.key("flip-take").click()
    lab.settle()
    assert {name: lab.prefers(name) for name in others} == before
    lab.key("flip-keep").uncheck()


def test_every_number_of_random_pages_is_that_of_the_library(lab: Flipper) -> None:
    dice = random.Random(5)
    seen = {Flip: 0, NoFlip: 0, str: 0}
    metrics = ["ERR-IA@3", "D#-nDCG@3", "I-rec@5", "ndeval:alpha-nDCG@5"]
    for _ in range(12):
        for side in "AB":
            doc = dice.choice(lab.docs(side))
            lab.key(f"{side}|{doc}|grip").focus()
            press(lab.page, dice.choice(["Alt+ArrowUp", "Alt+ArrowDown", "Alt+ArrowDown"]))
        lab.label("A", dice.choice(lab.docs("A")), dice.choice(["cat", "car", "os"])).click()
        page = lab.text()
        metric = dice.choice(metrics)
        expected: Any
        try:
            expected = flip(metric, *lists_of(page))
        except dm.DivmetricsError as error:
            expected = str(error)
        seen[type(expected)] += 1
        lab.ask(metric)
        if not isinstance(expected, Flip):
            expect(lab.words).to_have_text(expected if isinstance(expected, str) else repr(expected))
            continue
        expect(lab.words).to_have_text(expected.words)
        told = lab.predicted()
        scores = expected.scores[dm.metric(metric)][1]
        assert told[metric][:2] == tuple(f"{score:.4f}" for score in scores)
        press(lab.page, "Enter")
        lab.gone()
        lab.settle()
        assert lab.predicted() == told
        lab.agrees_with_the_library()
    assert seen[Flip] >= 5


def test_pennants_say_which_list_a_metric_prefers(lab: Flipper) -> None:
    lab.settle()
    flags = lab.root.locator("[data-metric-row] .dm-pennant:not(.dm-to-be)")
    pulls = flags.evaluate_all("flags => flags.map((f) => f.dataset.pulls)")
    names = ["ERR-IA@3", "D#-nDCG@3", "I-rec@5", "ndeval:alpha-nDCG@5"]
    assert pulls == [lab.prefers(name) or "neither" for name in names]
    a, b = lists_of(START)
    far = [dm.metric(name).score(a) - dm.metric(name).score(b) for name in names]
    values = flags.evaluate_all(
        "flags => flags.map((f) => Number(getComputedStyle(f).getPropertyValue('--far')))"
    )
    assert values == pytest.approx([abs(x) / max(map(abs, far)) for x in far], abs=0.001)
    values = lab.root.locator(".dm-rope").evaluate_all(
        "ropes => ropes.map((r) => r.getAttribute('aria-label'))"
    )
    assert values == ["neither" if abs(x) < 1e-9 else f"{'A' if x > 0 else 'B'} by {abs(x):.4f}" for x in far]
    middles = lab.root.locator(".dm-rope").evaluate_all(
        "ropes => ropes.map((r) => r.getBoundingClientRect()).map((r) => r.left + r.width / 2)"
    )
    boxes = flags.evaluate_all(
        "flags => flags.map((f) => f.getBoundingClientRect()).map((f) => [f.left, f.right])"
    )
    for pulled, middle, (left, right) in zip(pulls, middles, boxes, strict=True):
        if pulled == "A":
            assert left < right <= middle + 1
        elif pulled == "B":
            assert middle - 1 <= left < right
        else:
            assert (left + right) / 2 == pytest.approx(middle, abs=1)


@pytest.mark.parametrize("width", [1400, 1000, 700, 420])
def test_a_ghost_has_room(notebook: Notebook, width: int) -> None:
    notebook.resize(width, 1200)
    aim = Flipper(notebook, 1)
    aim.ask("ERR-IA@5")
    expect(aim.ghosts).to_have_count(1)
    assert cut_off(aim.root) == []
    small = aim.root.locator(".dm-scores button, .dm-flip-box button, .dm-flip-box label").evaluate_all(
        """all => all.filter((e) => e.checkVisibility()).map((e) => e.getBoundingClientRect())
            .filter((b) => Math.min(b.height, b.width) < 23.9).length"""
    )
    notebook.resize(1400)
    assert small == 0


# -------------------------------------------------------------------------------- goals


def marks(aim: Flipper) -> list[str]:
    aim.settle()
    texts: list[str] = aim.root.locator(".dm-goal li").all_inner_texts()
    return texts


def test_a_goal_is_counted_and_ticked(aim: Flipper, notebook: Notebook) -> None:
    aims = aim.root.locator(".dm-goal").inner_text()
    assert "Make ERR-IA@5 prefer A in 1 move; S-recall@5 must still prefer B." in aims
    assert marks(aim) == ["✗ ERR-IA@5 has not flipped", "✓ S-recall@5 has stayed", "✓ 0 of 1 moves"]
    aim.key("B|d15|grip").focus()
    press(aim.page, "Alt+ArrowUp")
    expect(aim.root.locator(".dm-goal li").nth(2)).to_have_text("✓ 1 of 1 moves")
    aim.key("reset").click()
    expect(aim.root.locator(".dm-goal li").nth(2)).to_have_text("✓ 0 of 1 moves")
    aim.key("B|d14|grip").focus()
    press(aim.page, "Alt+ArrowUp", "Alt+ArrowUp", "Alt+ArrowUp")
    expect(aim.root.locator(".dm-goal.dm-reached")).to_have_count(1)
    assert marks(aim) == ["✓ ERR-IA@5 has flipped", "✓ S-recall@5 has stayed", "✓ 1 of 1 moves"]
    assert aim.status() == "d14 moved to rank 1 of list B; the goal is reached"
    aim.key("B|d7|remove").click()
    expect(aim.root.locator(".dm-goal")).to_contain_text("list B has other documents than at the start")
    aim.key("undo").click()
    expect(aim.root.locator(".dm-goal.dm-reached")).to_have_count(1)
    aim.key("reset").click()
    assert aim.docs("B")[:4] == ["d1", "d2", "d9", "d14"]
    expect(aim.root.locator(".dm-goal.dm-reached")).to_have_count(0)


def test_a_lab_may_be_given_a_goal_later(open_notebook: Open) -> None:
    cells = [
        "from divmetrics.research.counterfactual import Goal",
        "from divmetrics_widgets import RankedListLab\nlab = RankedListLab()\nlab",
        "lab.b = ['d14', *[doc for doc in lab.b.docs if doc != 'd14']]",
        'lab.goal = Goal("ERR-IA@5")',
    ]
    notebook = open_notebook(cells)
    lab = Flipper(notebook)
    expect(lab.root.locator(".dm-goal li")).to_have_text(["✗ ERR-IA@5 has not flipped", "✓ 0 moves"])
    lab.key("flip|ERR-IA@5").click()
    lab.key("flip-take").click()
    expect(lab.root.locator(".dm-goal.dm-reached")).to_have_count(1)
    assert "the goal is reached" in lab.status()
    lab.key("reset").click()
    assert lab.docs("B")[0] == "d14"  # where the goal was set, not where the lab began
