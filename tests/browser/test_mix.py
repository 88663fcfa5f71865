"""The reader mix in the lab: borders by mouse, finger and keys, and the lines of both lists below them."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import pytest
from playwright.sync_api import Locator, expect

import divmetrics as dm
from divmetrics.notebook.textformat.lab_text import read_page
from tests.browser.test_lab import TheLab
from tests.support.layout import cut_off
from tests.support.notebook_cells import restart
from tests.support.page_actions import box_of, fill, press
from tools.browser import PATIENCE, Notebook

Open = Callable[..., Notebook]

STATES = 24  # random ones; 500 were looked at once
START = """
topic 1 "jaguar"
scale 2
intent cat 0.5 informational "the animal"
intent car 0.3
intent os 0.2 navigational
doc d1 cat:2
doc d2 car:1
doc d3 cat:1 os:2
doc d4
doc d5 ?
doc d6 cat:1 car:2
A d1 d2 d4
B d3 d6 d5
metrics ERR-IA@3 D#-nDCG@3 I-rec@5 D-Q@3 alpha-nDCG@3
""".strip()
TEN = "\n".join(
    [
        *('topic 1 "ten"', "scale 1"),
        *(f"intent someone-{i} {p}" for i, p in enumerate((0.4, 0.36, *[0.03] * 8))),
        *("doc d1 someone-0:1", "doc d2 someone-1:1 someone-9:1", "A d1", "B d2", "metrics ERR-IA@3"),
    ]
)
ELEVEN = "\n".join(
    [
        *('topic 1 "eleven"', "scale 1"),
        *(f"intent t{i} {1 / 11:.12g}" for i in range(11)),
        *("doc d1 t0:1", "A d1", "B", "metrics ERR-IA@3"),
    ]
)
CELLS = [
    f'from divmetrics_widgets import RankedListLab\nlab = RankedListLab("""{START}""")\nlab',
    f'RankedListLab("""{TEN}""")',
    f'RankedListLab("""{ELEVEN}""")',
]


@pytest.fixture(scope="module")
def opened(open_for_all: Open) -> Notebook:
    return open_for_all(CELLS, run=False, has_touch=True)


class Mixed(TheLab):
    """A lab whose readers change."""

    @property
    def ribbon(self) -> Locator:
        return self.root.locator(".dm-mix-bar")

    @property
    def words(self) -> Locator:
        return self.root.locator(".dm-mix-words")

    def border(self, place: int) -> Locator:
        return self.key(f"border|{place}")

    def shares(self) -> list[float]:
        return [intent["probability"] for intent in read_page(self.text()).topic["intents"]]

    def drawn(self) -> None:
        """Wait for the lines of this page."""
        self.settle()
        expect(self.words).to_have_count(1)
        expect(self.root.locator(".dm-mix-lines")).not_to_have_attribute("data-pending", re.compile(".*"))

    def slide(self, handle: Locator, way: float, *, let_go: bool = True) -> None:
        """By mouse, so many pixels to the right, in small steps."""
        handle.scroll_into_view_if_needed()
        box = box_of(handle)
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        self.page.mouse.move(x + way, y, steps=8)
        if let_go:
            self.page.mouse.up()

    def slide_by_finger(self, handle: Locator, way: float) -> None:
        handle.scroll_into_view_if_needed()
        box = box_of(handle)
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        touch = self.page.context.new_cdp_session(self.page)
        for kind, at in (("touchStart", 0.0), *(("touchMove", step) for step in (0.3, 0.7, 1.0))):
            points = [{"x": x + at * way, "y": y}]
            touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        touch.detach()

    def undo(self) -> None:
        self.border(0).focus()
        press(self.page, "Control+z")


@pytest.fixture
def lab(notebook: Notebook) -> Mixed:
    return Mixed(notebook)


def test_a_border_by_keys(lab: Mixed) -> None:
    border = lab.border(0)
    border.focus()
    expect(border).to_have_attribute("aria-valuetext", "cat 50 %, car 30 %")
    for keys, cat in (
        (("ArrowRight", "ArrowUp"), 0.52),
        (("ArrowLeft",), 0.51),
        (("Shift+ArrowRight",), 0.56),
        (("PageUp",), 0.61),
        (("PageDown", "PageDown", "ArrowDown"), 0.5),
        (("End",), 0.8),
        (("ArrowRight",), 0.8),
        (("Home",), 0.0),
        (("ArrowLeft",), 0.0),
    ):
        press(lab.page, *keys)
        expect(border).to_have_attribute("aria-valuenow", f"{100 * cat:g}")
        expect(border).to_be_focused()
        border.focus()
    assert lab.shares() == [0.0, 0.8, 0.2]
    expect(border).to_have_attribute("aria-valuemax", "80")
    lab.agrees_with_the_library()


def test_mouse_finger_and_keys_make_the_same_page_and_each_is_undone(lab: Mixed) -> None:
    start = lab.text()
    wide = lab.ribbon.evaluate("e => e.clientWidth")
    pages = []
    for slide in (lab.slide, lab.slide_by_finger):
        slide(lab.border(0), -0.1 * wide)
        pages.append(lab.text())
        lab.agrees_with_the_library()
        lab.undo()
        assert lab.text() == start  # all of it was one step
        expect(lab.key("undo")).to_have_attribute("aria-disabled", "true")
    lab.border(0).focus()
    press(lab.page, *["ArrowLeft"] * 10)
    pages.append(lab.text())
    assert pages[0] == pages[1] == pages[2]
    assert lab.shares() == [0.4, 0.4, 0.2]
    for _ in range(10):
        lab.undo()
    assert lab.text() == start


def test_a_key_that_is_held_down_is_one_step(lab: Mixed) -> None:
    start = lab.text()
    lab.border(1).focus()
    for _ in range(12):
        lab.page.keyboard.down("ArrowRight")  # the second and all later ones are repeats
    lab.page.keyboard.up("ArrowRight")
    assert lab.shares() == [0.5, 0.42, 0.08]
    lab.undo()
    assert lab.text() == start


def test_the_page_follows_while_a_border_is_dragged(lab: Mixed) -> None:
    before = lab.scores()
    wide = lab.ribbon.evaluate("e => e.clientWidth")
    lab.slide(lab.border(0), 0.2 * wide, let_go=False)
    expect(lab.border(0)).to_have_attribute("aria-valuenow", "70")
    expect(lab.root.locator('[data-segment="cat"]')).to_have_text(re.compile("cat\\s*70 %"))
    lab.settle()
    assert lab.scores() != before
    lab.drawn()
    press(lab.page, "Escape")
    lab.page.mouse.up()
    assert lab.scores() == before
    expect(lab.key("undo")).to_have_attribute("aria-disabled", "true")
    assert lab.status() == "the mix is as it was"


def test_returning_a_border_is_no_edit(lab: Mixed) -> None:
    lab.slide(lab.border(0), 60, let_go=False)
    box = box_of(lab.border(0))
    lab.page.mouse.move(box["x"] + 12 - 60, box["y"] + 12, steps=6)
    expect(lab.border(0)).to_have_attribute("aria-valuenow", "50")
    lab.page.mouse.up()
    expect(lab.key("undo")).to_have_attribute("aria-disabled", "true")


def test_the_share_below_the_lines_keeps_the_others_proportions(lab: Mixed) -> None:
    lab.root.locator('[data-segment="os"]').click()
    lab.drawn()
    lab.key("mix-share").focus()
    press(lab.page, "Home", "Shift+ArrowRight", "Shift+ArrowRight", "Shift+ArrowRight", "Shift+ArrowRight")
    expect(lab.key("mix-share")).to_be_focused()
    press(lab.page, "PageUp", "PageUp", "PageUp", "PageUp")
    expect(lab.key("mix-share")).to_have_attribute("aria-valuetext", "40 % os readers")
    assert lab.shares() == pytest.approx([0.375, 0.225, 0.4])
    lab.drawn()
    axis = box_of(lab.root.locator(".dm-mix-axis"))["width"]
    lab.slide(lab.key("mix-share"), 0.2 * axis)
    assert lab.shares() == pytest.approx([0.25, 0.15, 0.6])
    lab.drawn()
    lab.slide_by_finger(lab.key("mix-share"), -0.4 * axis)
    assert lab.shares() == pytest.approx([0.5, 0.3, 0.2])


def test_the_intent_in_hand_is_the_last_that_was_touched(lab: Mixed) -> None:
    lab.key("mix-lines").click()
    lab.drawn()
    expect(lab.key("mix-intent")).to_have_value("cat")
    lab.border(1).focus()
    expect(lab.key("mix-intent")).to_have_value("car")
    lab.open_intents()
    lab.key("intent|2|probability").click()
    expect(lab.key("mix-intent")).to_have_value("os")
    lab.key("mix-intent").focus()
    lab.key("mix-intent").select_option("cat")
    lab.drawn()
    expect(lab.key("mix-intent")).to_be_focused()
    expect(lab.root.locator("[data-in-hand]")).to_have_text(re.compile("^cat"))
    lab.key("mix-lines").click()
    expect(lab.words).to_be_hidden()
    lab.border(0).focus()
    press(lab.page, "ArrowRight")
    expect(lab.words).to_be_hidden()  # it was put away


def told(text: str, metric: str, intent: str) -> tuple[list[str], str]:
    """The ends of the lines and the words, of the page on the screen."""
    page = read_page(text)
    pool = page.judgments()
    a, b = (dm.RankedList(pool.topic, page.lists[side], pool, side) for side in "AB")
    rest = sum(t.probability for t in pool.topic.intents if t.id != intent)
    ends = []
    for share in (0.0, 1.0):
        others = [
            (1 - share) * (t.probability / rest if rest else 1 / (len(pool.topic.intents) - 1))
            for t in pool.topic.intents
        ]
        intents = tuple(
            replace(t, probability=share if t.id == intent else other)
            for t, other in zip(pool.topic.intents, others, strict=True)
        )
        topic = replace(pool.topic, intents=intents)
        scores = [dm.metric(metric).score(dm.RankedList(topic, one.docs, pool)) for one in (a, b)]
        ends += [f"{side} {score:.4f}" for side, score in zip("AB", scores, strict=True)]
    return ends, dm.reader_mix(metric, a, b, intent).words


def test_lines_and_words_are_the_librarys_on_random_pages(lab: Mixed) -> None:
    dice = random.Random(11)
    page = lab.page
    lab.key("mix-lines").click()
    names = ["ERR-IA@3", "D#-nDCG@3", "I-rec@5", "D-Q@3", "alpha-nDCG@3"]
    said = set()
    for _ in range(STATES):
        metric, intent = dice.choice(names), dice.choice(["cat", "car", "os"])
        lab.key(f"choose|{metric}").click()
        for _ in range(dice.randint(1, 3)):
            what = dice.randrange(4)
            if what == 0:
                lab.border(dice.randrange(2)).focus()
                press(
                    page,
                    *[dice.choice(["PageUp", "PageDown", "ArrowLeft", "End", "Home"])] * dice.randint(1, 3),
                )
            elif what == 1:
                side = dice.choice("AB")
                button = lab.row(side, dice.choice(lab.docs(side))).locator("[data-do=grip]")
                button.focus()
                press(page, dice.choice(["Alt+ArrowDown", "Alt+ArrowUp"]))
            elif what == 2:
                side = dice.choice("AB")
                lab.label(side, dice.choice(lab.docs(side)), dice.choice(["cat", "car", "os"])).click()
            else:
                lab.key(f"{dice.choice('AB')}|add").select_option("new:")
                if len(lab.docs("A")) + len(lab.docs("B")) > 9:
                    lab.key("reset").click()
        lab.settle()
        lab.key("mix-intent").select_option(intent)
        lab.drawn()
        text = lab.text()
        ends, words = told(text, metric, intent)
        where = f"{metric} {intent}\n{text}"
        texts = lab.root.locator(".dm-line-name").all_text_contents()
        assert texts == ends, where
        assert lab.words.inner_text() == words, where
        head = lab.root.locator(".dm-mix-head").inner_text()
        assert head.startswith(f"{metric} over the share of"), where
        for crossing in lab.root.locator(".dm-mix-at").all_text_contents():
            assert crossing in words, where
        said.add(words)
    assert len(said) > STATES / 6


def test_a_list_that_was_not_touched_moves_and_the_lab_says_why(lab: Mixed) -> None:
    line = lab.root.locator(".dm-moved")
    lab.key("choose|alpha-nDCG@3").click()
    lab.row("A", "d1").locator("[data-do=grip]").focus()
    press(lab.page, "Alt+ArrowDown")
    lab.settle()
    expect(line).to_have_text("")
    lab.label("A", "d2", "os").click()
    expect(line).to_have_text(
        re.compile(r"^B's alpha-nDCG@3 moved too: the ideal list changed \(it now begins with")
    )
    lab.row("A", "d1").locator("[data-do=grip]").focus()
    press(lab.page, "Alt+ArrowUp")
    lab.settle()
    expect(line).to_have_text("")


def test_ten_intents_have_a_ribbon_and_eleven_have_none(notebook: Notebook) -> None:
    ten, eleven = Mixed(notebook, 1), Mixed(notebook, 2)
    expect(eleven.ribbon).to_be_hidden()
    assert eleven.root.get_by_role("slider").count() == 0
    boxes = [box_of(ten.border(place)) for place in range(9)]
    lefts = [box["x"] for box in boxes]
    assert all(b - a >= 24 for a, b in pairwise(lefts))
    assert all(box["width"] >= 24 <= box["height"] for box in boxes)
    ten.border(8).focus()
    press(ten.page, "Home")
    assert ten.shares() == pytest.approx([0.4, 0.36, *[0.03] * 6, 0, 0.06])
    ten.border(8).focus()
    press(ten.page, "End", "ArrowLeft")
    assert ten.shares() == pytest.approx([0.4, 0.36, *[0.03] * 6, 0.05, 0.01])


def test_typed_probabilities_move_the_borders(lab: Mixed) -> None:
    lab.open_intents()
    fill(lab.key("intent|0|probability"), "0,25")
    expect(lab.border(0)).to_have_attribute("aria-valuetext", "cat 25 %, car 45 %")


@pytest.mark.parametrize("width", [420, 700, 1000, 1920])
def test_ribbon_fits_its_window(notebook: Notebook, lab: Mixed, width: int) -> None:
    size = lab.page.viewport_size
    lab.page.set_viewport_size({"width": width, "height": 1000})
    try:
        lab.key("mix-lines").click()
        lab.drawn()
        expect(lab.border(0)).to_be_visible()
        assert [found for found in cut_off(lab.root) if "dm-mix" in found or "dm-segment" in found] == []
        ribbon, picture = box_of(lab.root), box_of(lab.root.locator(".dm-mix-picture"))
        assert picture["x"] + picture["width"] <= ribbon["x"] + ribbon["width"]
    finally:
        lab.page.set_viewport_size(size)


def test_without_a_kernel_borders_move_and_no_line_of_another_page_is_shown(open_notebook: Open) -> None:
    notebook = open_notebook(CELLS[:1])
    lab = Mixed(notebook)
    lab.key("mix-lines").click()
    lab.drawn()
    words = lab.words.inner_text()
    restart(lab.page)
    expect(lab.root.locator(".dm-kernel")).to_contain_text("The kernel has stopped", timeout=PATIENCE)
    assert lab.words.inner_text() == words  # they are of this page
    lab.border(0).focus()
    press(lab.page, "ArrowRight")
    expect(lab.border(0)).to_have_attribute("aria-valuetext", "cat 51 %, car 29 %")
    expect(lab.words).to_have_text("The lines need a kernel.")
    expect(lab.root.locator(".dm-mix-picture")).to_be_hidden()
