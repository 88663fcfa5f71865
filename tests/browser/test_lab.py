"""The lab, as a reader uses it: by mouse, finger and keyboard, in JupyterLab."""

from __future__ import annotations

import os
import random
import re
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

import divmetrics as dm
from divmetrics.notebook.textformat.lab_text import read_page
from tests.support.layout import cut_off
from tests.support.notebook_cells import PATIENT
from tests.support.page_actions import box_of, drag, drag_by_finger, fill, in_sight, press
from tools.browser import Notebook, write_notebook
from tools.execute_notebooks import execute
from tools.notebook_files import write

Open = Callable[..., Notebook]

START = """
topic 1 "jaguar"
scale 2
intent cat 0.5 informational "the animal"
  subtopic food 0.75
  subtopic sound 0.25
intent car 0.3
  subtopic price 1
intent os 0.2 navigational
  subtopic download 1
doc d1 cat/food:2
doc d2 car/price:1
doc d3 cat/sound:1 os/download:2
doc d4
doc d5 ?
doc d6 cat/food:1 car/price:2
A d1 d2 d3 d4 d5
B d3 d1
metrics ERR-IA@5 D#-nDCG@5 alpha-nDCG@5 ERR-IS@5 ndeval:ERR-IA@5
""".strip()
CELL = f'from divmetrics_widgets import RankedListLab\nlab = RankedListLab("""{START}""")\nlab'


# Two frames, and what was put off until they are painted.
PAINTED = """() => new Promise((done) => {
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)));
})"""
# As a click on "copy state" leaves it; without a mouse, for tests ask it hundreds of times.
COPIED = """(root) => {
    root.querySelector('[data-key=share]').click();
    return root.querySelector("textarea.dm-state").value;
}"""
# The page as text, and what it shows: the rows of each list, the scores, and the cells and sum of each list.
ALL_NUMBERS = f"""async (root) => {{
    const text = ({COPIED})(root);
    await new Promise((drawn) => setTimeout(() => requestAnimationFrame(drawn)));
    const all = (selector, within = root) => [...within.querySelectorAll(selector)];
    const [a, b] = ["A", "B"].map((side) => root.querySelector(`[role=grid][data-list="${{side}}"]`));
    const rows = (grid) =>
        all("[role=row][data-doc]", grid).map((row) => [row.dataset.doc, Number(row.dataset.rank)]);
    const scores = all("[data-score]").map((c) => [c.dataset.metric, c.dataset.list, c.textContent]);
    const cells = "tbody small, tfoot tr:not(:last-child) td.dm-number:not(.dm-sum)";
    const ofRows = "tbody .dm-sum, tfoot tr:not(:last-child) .dm-sum"; // lean labels have no numbers
    const sums = [a, b].map((grid) => [
        all(grid.matches(".dm-lean") ? ofRows : cells, grid).map((cell) => cell.innerText),
        grid.querySelector("tfoot tr:last-child .dm-sum").innerText,
    ]);
    return [text, {{ A: rows(a), B: rows(b) }}, scores, sums];
}}"""


def in_order(rows: list[tuple[str, int]]) -> list[str]:
    """The documents of rows whose ranks count from 1."""
    assert [rank for _, rank in rows] == list(range(1, len(rows) + 1))
    return [doc for doc, _ in rows]


class TheLab:
    """A lab on a page, with the names that tests use."""

    def __init__(self, notebook: Notebook, which: int = 0) -> None:
        self.page: Page = notebook.page
        self.root: Locator = self.page.locator('[data-widget="ranked-list-lab"]').nth(which)
        self.root.wait_for()
        self.settle()

    def settle(self) -> None:
        """Wait until all numbers are those of the lists: what stands around these is drawn after them."""
        expect(self.root).not_to_have_attribute("data-pending", re.compile(".*"))
        self.page.evaluate(PAINTED)

    def docs(self, side: str) -> list[str]:
        # What a press has changed is drawn when the finger has left the button.
        self.page.evaluate("() => new Promise((drawn) => setTimeout(() => requestAnimationFrame(drawn)))")
        rows = self.root.locator(f'[role=grid][data-list="{side}"] [role=row][data-doc]')
        return in_order(rows.evaluate_all("rows => rows.map((r) => [r.dataset.doc, Number(r.dataset.rank)])"))

    def key(self, key: str) -> Locator:
        return self.root.locator(f'[data-key="{key}"]')

    def label(self, side: str, doc: str, intent: str) -> Locator:
        return self.root.locator(
            f'[data-list="{side}"] [data-doc="{doc}"] button[data-intent="{intent}"]:not([data-child])'
        )

    def row(self, side: str, doc: str) -> Locator:
        return self.root.locator(f'[data-list="{side}"] [data-doc="{doc}"]')

    def open_intents(self) -> None:
        self.root.locator(".dm-intents summary").click()

    def add_metrics(self, *names: str) -> None:
        for name in names:
            fill(self.key("metric-name"), name)
            self.settle()

    def status(self) -> str:
        return self.root.locator("[aria-live]").inner_text()

    def text(self) -> str:
        """The page as text, as the reader copies it."""
        self.settle()
        copied: str = self.root.evaluate(COPIED)
        return copied

    def scores(self) -> dict[tuple[str, str], str]:
        self.settle()
        values = self.root.locator("[data-score]").evaluate_all(
            "cells => cells.map((c) => [c.dataset.metric, c.dataset.list, c.textContent])"
        )
        return {(metric, side): text for metric, side, text in values}

    def agrees_with_the_library(self) -> None:
        """Every score on screen is, to its last digit, what the library says of the lists on screen, and the
        cells of each list, as they are shown, add up to the score below them.
        """
        self.settle()
        text, lists_shown, scores, sums = self.root.evaluate(ALL_NUMBERS)
        page = read_page(text)
        assert {side: in_order(rows) for side, rows in lists_shown.items()} == page.lists
        pool = page.judgments()
        lists = {side: dm.RankedList(pool.topic, docs, pool) for side, docs in page.lists.items()}
        expected = {
            (name, side): f"{dm.metric(name).score(ranked):.4f}"
            for name in page.metrics
            for side, ranked in lists.items()
        }
        assert {(metric, side): score for metric, side, score in scores} == expected
        for of_list, score in sums:
            texts = [text for text in of_list if text]
            shown = [0.0 if "~" in text else float(text) for text in texts]
            # Each text may be off by half of its last digit; what is shown as ~0 by less than .005.
            slack = [0.005 if "~" in text else 0.5 * 10.0 ** -len(text.split(".")[1]) for text in texts]
            assert sum(shown) == pytest.approx(float(score), abs=sum(slack) + 0.00005 + 1e-9)


@pytest.fixture(scope="module")
def opened(open_for_all: Open) -> Notebook:
    return open_for_all([CELL], run=False)


@pytest.fixture
def lab(notebook: Notebook) -> TheLab:
    return TheLab(notebook)


def test_a_document_moves_by_button(lab: TheLab) -> None:
    lab.key("A|d1|down").click()
    assert lab.docs("A") == ["d2", "d1", "d3", "d4", "d5"]
    assert "d1 moved to rank 2 of list A" in lab.status()
    lab.agrees_with_the_library()
    lab.key("A|d3|up").click()
    assert lab.docs("A") == ["d2", "d3", "d1", "d4", "d5"]
    lab.agrees_with_the_library()


def test_a_document_moves_by_key_and_keeps_the_focus(lab: TheLab) -> None:
    lab.key("A|d3|grip").focus()
    press(lab.page, "Alt+ArrowUp")
    assert lab.docs("A") == ["d1", "d3", "d2", "d4", "d5"]
    press(lab.page, "Alt+ArrowDown", "Alt+ArrowDown")
    assert lab.docs("A") == ["d1", "d2", "d4", "d3", "d5"]
    expect(lab.key("A|d3|grip")).to_be_focused()
    lab.agrees_with_the_library()


def test_a_document_moves_by_mouse(lab: TheLab) -> None:
    drag(lab.page, lab.key("A|d2|grip"), lab.row("A", "d5"), below=True)
    assert lab.docs("A") == ["d1", "d3", "d4", "d5", "d2"]
    drag(lab.page, lab.key("A|d2|grip"), lab.row("A", "d3"), below=False)
    assert lab.docs("A") == ["d1", "d2", "d3", "d4", "d5"]
    lab.agrees_with_the_library()


def test_a_document_that_goes_to_the_other_list_is_in_both(lab: TheLab) -> None:
    drag(lab.page, lab.key("A|d2|grip"), lab.row("B", "d1"), below=False)
    assert lab.docs("B") == ["d3", "d2", "d1"]
    assert lab.docs("A") == ["d1", "d2", "d3", "d4", "d5"]
    lab.key("A|d5|grip").focus()
    press(lab.page, "Alt+ArrowRight")
    assert lab.docs("B") == ["d3", "d2", "d1", "d5"]
    lab.agrees_with_the_library()


def test_a_document_moves_by_finger(lab: TheLab) -> None:
    drag_by_finger(lab.page, lab.key("A|d1|grip"), lab.row("A", "d5"))
    assert lab.docs("A") == ["d2", "d3", "d4", "d5", "d1"]
    lab.agrees_with_the_library()


def test_escape_lets_go_of_a_document_without_moving_it(lab: TheLab) -> None:
    in_sight(lab.key("A|d1|grip"), lab.row("A", "d5"))
    grip, goal, mouse = box_of(lab.key("A|d1|grip")), box_of(lab.row("A", "d5")), lab.page.mouse
    mouse.move(grip["x"] + 5, grip["y"] + 8)
    mouse.down()
    mouse.move(grip["x"] + 5, goal["y"] + goal["height"] * 0.8, steps=3)
    press(lab.page, "Escape")
    mouse.up()
    assert lab.docs("A") == ["d1", "d2", "d3", "d4", "d5"]


ASLEEP = """async () => {
    const { kernel } = jupyterapp.shell.currentWidget.sessionContext.session;
    await kernel.requestExecute({ code: 'None' }).done; // what it was told before has been answered
    window.asleep = true;
    const code = `import os, time\nwhile not os.path.exists("awake"): time.sleep(0.02)\nos.remove("awake")`;
    void kernel.requestExecute({ code }).done.then(() => { window.asleep = false; });
}"""


@pytest.mark.parametrize(
    ("key", "docs"), [("ArrowUp", "d1 d3 d2 d4 d5"), ("ArrowDown", "d1 d2 d4 d3 d5")], ids=["up", "down"]
)
def test_a_step_is_measured_before_it_is_made(open_notebook: Open, key: str, docs: str) -> None:
    """On a distant server the numbers would come long after the move."""
    notebook = open_notebook([PATIENT, CELL])
    lab = TheLab(notebook)
    pool = read_page(START).judgments()
    ranked = dm.RankedList(pool.topic, docs.split(), pool)
    expected = {
        place: f"{dm.metric(place[0]).score(ranked):.4f}" for place in lab.scores() if place[1] == "A"
    }
    lab.key("A|d3|grip").focus()
    lab.page.evaluate(ASLEEP)
    lab.page.keyboard.press(f"Alt+{key}")
    shown = lab.scores()
    assert lab.page.evaluate("() => window.asleep")
    (notebook.server.folder / "awake").touch()
    assert {place: shown[place] for place in expected} == expected
    lab.agrees_with_the_library()  # and with what the kernel says when it wakes up


ASK = """async (expression) => {
    const { kernel } = jupyterapp.shell.currentWidget.sessionContext.session;
    const asked = { code: "None", user_expressions: { told: expression } };
    const { content } = await kernel.requestExecute(asked).done;
    return Number(content.user_expressions.told.data["text/plain"]);
}"""


@contextmanager
def stopped(page: Page) -> Iterator[None]:
    """While the kernel does nothing at all."""
    process = int(page.evaluate(ASK, "__import__('os').getpid()"))
    os.kill(process, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(process, signal.SIGCONT)


# The kernel notes the grades that it has sent.
NOTED = f"""
{PATIENT}
measured, answer = [], bench.EditableLists._answer_grades

def noted(lab, doc, grades):
    for found in answer(lab, doc, grades):
        yield found
        measured.append((lab._results["of"], doc, found["grades"]))

bench.EditableLists._answer_grades = noted
"""


def wait_for_grade(lab: TheLab, text: str, doc: str, key: str, grade: int) -> None:
    """Until the kernel has heard of the page, and has measured it with this grade."""
    about = f"[labels for page, doc, labels in measured if (page, doc) == (lab._results['of'], {doc!r})]"
    grades = f"[labels[name] for name in labels if name.startswith({key!r})]"
    known = f"lab.state == {text!r} and {grade} in [max({grades}, default=0) for labels in {about}]"
    for _ in range(200):
        if lab.page.evaluate(ASK, f"int({known})"):
            return
        lab.page.wait_for_timeout(50)
    pytest.fail(f"{doc} with grade {grade} for {key} was never measured")


def test_a_grade_is_measured_before_it_is_given(open_notebook: Open) -> None:
    """By a key, once the label has the focus; by a click, once it is pressed."""
    lab = TheLab(open_notebook([NOTED, CELL]))
    label = lab.label("A", "d3", "cat")  # of a document in both lists
    for key, grade in (("2", "2"), ("-", "1"), ("0", "0"), ("Enter", "1")):
        text = lab.text()
        label.focus()
        wait_for_grade(lab, text, "d3", "cat", int(grade))
        with stopped(lab.page):
            lab.page.keyboard.press(key)
            expect(label).to_have_attribute("data-grade", grade)
            lab.agrees_with_the_library()
        lab.agrees_with_the_library()
    lab.key("levels").click()
    for button, key in ((lab.label("B", "d1", "os"), "os"), (lab.key("A|d1|cat/sound"), "cat/sound")):
        text = lab.text()
        in_sight(button, button)
        box = box_of(button)
        lab.page.mouse.move(box["x"] + 5, box["y"] + 5)
        lab.page.mouse.down()
        wait_for_grade(lab, text, "d1", key, 1)
        with stopped(lab.page):
            lab.page.mouse.up()
            expect(button).to_have_attribute("data-grade", "1")
            lab.agrees_with_the_library()
        lab.agrees_with_the_library()


def test_documents_come_and_go(lab: TheLab) -> None:
    lab.key("A|d3|remove").click()
    assert lab.docs("A") == ["d1", "d2", "d4", "d5"]
    lab.agrees_with_the_library()
    lab.key("A|back").click()
    assert lab.docs("A") == ["d1", "d2", "d3", "d4", "d5"]
    lab.agrees_with_the_library()
    lab.key("A|d3|copy").click()
    assert lab.docs("A") == ["d1", "d2", "d3", "d3'", "d4", "d5"]
    assert lab.label("A", "d3'", "os").get_attribute("data-grade") == "2"
    lab.agrees_with_the_library()
    lab.key("B|add").select_option("doc:d6")
    assert lab.docs("B") == ["d3", "d1", "d6"]
    lab.agrees_with_the_library()
    lab.key("B|add").select_option("new:")
    new = lab.docs("B")[-1]
    lab.label("B", new, "os").click()
    assert lab.label("B", new, "os").get_attribute("data-grade") == "1"
    lab.agrees_with_the_library()
    lab.key("A|same").click()
    assert lab.docs("A") == lab.docs("B")
    lab.agrees_with_the_library()
    lab.key("best").click()
    lab.key("best|A").click()
    lab.agrees_with_the_library()
    for doc in lab.docs("B"):
        lab.key(f"B|{doc}|remove").click()
    assert lab.docs("B") == []
    lab.agrees_with_the_library()


def test_labels_change_by_click_and_key(lab: TheLab) -> None:
    label = lab.label("A", "d2", "car")
    for grade in ("2", "0", "1"):
        label.click()
        expect(label).to_have_attribute("data-grade", grade)
        lab.agrees_with_the_library()
    label.focus()
    for key, grade in (("2", "2"), ("-", "1"), ("+", "2"), ("0", "0"), ("Enter", "1"), (" ", "2")):
        lab.page.keyboard.press(key)
        expect(label).to_have_attribute("data-grade", grade)
        expect(label).to_be_focused()
    lab.page.keyboard.press("7")
    assert lab.status() == "grades go from 0 to 2 here"
    lab.agrees_with_the_library()
    # A document that was never judged is judged by its first grade.
    lab.label("A", "d5", "os").click()
    assert "doc d5 os/download:1" in lab.text()
    # The other list has the same document, so it has the same labels.
    lab.label("B", "d1", "cat").click()
    expect(lab.label("A", "d1", "cat")).to_have_attribute("data-grade", "0")
    lab.agrees_with_the_library()
    lab.key("levels").click()
    lab.key("A|d1|cat/sound").click()
    assert "doc d1 cat/sound:1" in lab.text()
    expect(lab.label("A", "d1", "cat")).to_have_attribute("data-grade", "1")
    lab.agrees_with_the_library()


def test_a_probability_scales_those_of_the_other_intents(lab: TheLab) -> None:
    lab.open_intents()
    fill(lab.key("intent|0|probability"), "0.8")
    lab.agrees_with_the_library()
    probabilities = [t["probability"] for t in read_page(lab.text()).topic["intents"]]
    assert probabilities == pytest.approx([0.8, 0.12, 0.08])


@pytest.mark.parametrize("written", ["0,5", "50 %", " .5 ", "50%", "5e-1"])
def test_a_probability_is_read_as_people_write_it(lab: TheLab, written: str) -> None:
    lab.open_intents()
    fill(lab.key("intent|0|probability"), written)
    lab.agrees_with_the_library()
    assert read_page(lab.text()).topic["intents"][0]["probability"] == 0.5


def test_probabilities_that_do_not_sum_to_one_have_no_scores_until_they_do(lab: TheLab) -> None:
    lab.open_intents()
    lab.key("rescale").uncheck()
    fill(lab.key("intent|1|probability"), "0.5")
    lab.settle()
    problem = lab.root.locator("[role=alert]")
    assert "probabilities sum to 1.2, expected 1" in problem.inner_text()
    assert set(lab.scores().values()) == {""}  # rather nothing than a number that means nothing
    assert lab.docs("A") == ["d1", "d2", "d3", "d4", "d5"]
    lab.key("normalise").click()
    lab.settle()
    expect(problem).to_have_count(0)
    lab.agrees_with_the_library()


@pytest.mark.parametrize("text", ["many", "1.5"])
def test_invalid_probability_is_rejected(lab: TheLab, text: str) -> None:
    lab.open_intents()
    fill(lab.key("intent|1|probability"), text)
    assert "expected a number from 0 to 1 or a percentage" in lab.status()


def test_an_intent_gets_another_kind_name_and_label(lab: TheLab) -> None:
    lab.open_intents()
    lab.key("intent|1|kind").select_option("navigational")
    lab.agrees_with_the_library()
    fill(lab.key("intent|1|name"), "auto mobile: new/old")
    assert lab.label("A", "d2", "auto-mobile-new-old").get_attribute("data-grade") == "1"
    fill(lab.key("intent|1|label"), 'a "fast" one')
    lab.agrees_with_the_library()
    assert '"a \\"fast\\" one"' in lab.text()


def test_an_intent_comes_and_another_goes(lab: TheLab) -> None:
    lab.open_intents()
    lab.key("intent-add").click()
    lab.label("A", "d4", "new").click()
    lab.agrees_with_the_library()
    lab.key("intent|0|remove").click()
    lab.agrees_with_the_library()
    assert "cat" not in lab.text()


def test_a_subtopic_comes_and_another_goes(lab: TheLab) -> None:
    lab.open_intents()
    lab.key("levels").click()
    lab.key("intent|1|child").click()
    fill(lab.key("child|1|1|name"), "insurance")
    fill(lab.key("child|1|1|probability"), "0.9")
    lab.key("A|d2|car/insurance").click()
    lab.agrees_with_the_library()
    lab.key("child|1|0|remove").click()
    lab.agrees_with_the_library()


def test_a_topic_has_ten_intents_at_most(lab: TheLab) -> None:
    lab.open_intents()
    rows = lab.root.locator("[data-intent-row]")
    for count in range(rows.count(), 10):
        lab.key("intent-add").click()
        expect(rows).to_have_count(count + 1)
    expect(lab.key("intent-add")).to_be_disabled()
    assert len(read_page(lab.text()).topic["intents"]) == 10
    lab.agrees_with_the_library()


def test_an_added_metric_is_measured(lab: TheLab) -> None:
    lab.add_metrics("ntcireval:D#-nDCG@3", "alpha-nDCG(alpha=0.9)@2")
    lab.agrees_with_the_library()


@pytest.mark.parametrize(
    ("name", "message", "meant"),
    [
        ("alpha-nDGC@3", "did you mean 'alpha-nDCG'?", "alpha-nDCG@3"),
        ("errr-ia@5", "did you mean 'ERR-IA'?", ""),
        ("precision", "did you mean 'Prec'?", "Prec@5"),
        ("P-IA", "needs a cutoff", "P-IA@5"),
        ("ERR-IS@0", "whole number of at least 1", ""),
        ("xyzzy", "there is no metric 'xyzzy'", ""),
    ],
)
def test_invalid_metric_name_keeps_its_field_and_gets_a_suggestion(
    lab: TheLab, name: str, message: str, meant: str
) -> None:
    before = lab.text()
    lab.add_metrics(name)
    element = lab.root.locator(".dm-returned")
    expect(element).to_contain_text(message)
    expect(lab.key("metric-name")).to_have_value(name)
    expect(lab.root.locator(f'[data-metric-row="{name}"]')).to_have_count(0)
    assert lab.text() == before
    correction = lab.key("metric-correction")
    expect(correction).to_have_count(1 if meant else 0)
    if meant:
        expect(correction).to_have_text(f"add {meant}")
        correction.press("Enter")
        lab.settle()
        expect(lab.root.locator(f'[data-metric-row="{meant}"]')).to_have_count(1)
        expect(element).to_be_empty()
        expect(lab.key("metric-name")).to_have_value("")
        lab.agrees_with_the_library()


def test_the_chosen_metric_is_the_one_that_is_explained(lab: TheLab) -> None:
    lab.key("choose|D#-nDCG@5").click()
    expect(lab.key("choose|D#-nDCG@5")).to_have_attribute("aria-pressed", "true")
    lab.settle()
    assert "D#-nDCG@5 =" in lab.root.locator('[data-list="A"] tfoot').inner_text()
    lab.agrees_with_the_library()
    lab.add_metrics("RBU@12")  # charges effort where the list has ended
    lab.key("choose|RBU@12").click()
    lab.settle()
    assert "below the list" in lab.root.locator('[data-list="B"] tfoot').inner_text()
    lab.agrees_with_the_library()


def test_metrics_that_disagree_are_marked(lab: TheLab) -> None:
    lab.add_metrics("ntcireval:D#-nDCG@3", "alpha-nDCG(alpha=0.9)@2", "RBU@12")
    cells = lab.root.locator("[data-prefers]")
    preferred = cells.evaluate_all("cells => cells.map((c) => c.dataset.prefers)")
    marked = lab.root.locator(".dm-disagrees:not(:empty)").count()
    a, b = preferred.count("A"), preferred.count("B")
    assert min(a, b) > 0
    assert marked == (a + b if a == b else min(a, b))
    assert "they disagree" in lab.root.locator(".dm-verdict-box").inner_text()


LATE_NUMBERS = """(root) => {
    root.setAttribute("data-pending", "");
    root.setAttribute("data-late", "");
    const numbers = ".dm-label small, .dm-sum, .dm-sums td, .dm-scores td:not(:last-child), [data-score], "
        + ".dm-verdict-box, .dm-parts";
    const told = [...root.querySelectorAll(numbers)].filter((e) => e.textContent.trim());
    const line = (e) => getComputedStyle(e).textDecorationLine;
    const struck = (e) => e && (line(e) === "line-through" || struck(e.parentElement));
    return [told.length, told.filter((e) => !struck(e)).map((e) => e.className)];
}"""


def test_late_scores_are_struck_out(lab: TheLab) -> None:
    lab.add_metrics("ntcireval:D#-nDCG@3", "alpha-nDCG(alpha=0.9)@2", "RBU@12")
    expect(lab.root.locator(".dm-parts")).to_contain_text("because")
    expect(lab.root.locator("[data-score]:empty")).to_have_count(0)
    count, not_struck = lab.root.evaluate(LATE_NUMBERS)
    assert count > 20
    assert not_struck == []


def random_edits(lab: TheLab, seed: int) -> Iterator[Callable[[], None]]:
    """Edits of all kinds, each on what is on the page when its turn comes."""
    dice = random.Random(seed)

    def one() -> None:
        side = dice.choice("AB")
        docs = lab.docs(side)
        kind = dice.choice(["down", "up", "grade", "copy", "remove", "add", "kind", "probability", "intent"])
        if kind in ("down", "up", "copy", "remove", "grade") and len(docs) < 3:
            kind = "add"
        if kind in ("down", "up"):
            lab.key(f"{side}|{dice.choice(docs[1:-1])}|{kind}").click()
        elif kind in ("copy", "remove"):
            lab.key(f"{side}|{dice.choice(docs)}|{kind}").click()
        elif kind == "grade":
            labels = lab.root.locator(f'[data-list="{side}"] button[data-intent]')
            labels.nth(dice.randrange(labels.count())).click()
        elif kind == "add":
            lab.key(f"{side}|add").select_option("new:")
        elif kind == "kind":
            select = lab.key("intent|0|kind")
            other = {"informational": "navigational", "navigational": "informational"}[select.input_value()]
            select.select_option(other)
        elif kind == "probability":
            fill(lab.key("intent|0|probability"), f"{dice.randint(1, 999) / 1000}")
        elif lab.root.locator("[data-intent-row]").count() < 5:
            lab.key("intent-add").click()
        else:
            lab.key("intent|1|remove").click()

    for _ in range(50):
        yield one


# The page as text after each undo, until there is nothing left to undo.
UNDONE = f"""(root) => {{
    const texts = [];
    const undo = () => root.querySelector("[data-key=undo]");
    while (undo().getAttribute("aria-disabled") !== "true") {{
        undo().click();
        texts.push(({COPIED})(root));
    }}
    return texts;
}}"""


def test_undo_and_redo_return_every_state_of_fifty_edits(lab: TheLab) -> None:
    lab.open_intents()
    states = [lab.text()]
    for edit in random_edits(lab, seed=4):
        edit()
        states.append(lab.text())
    assert all(before != after for before, after in pairwise(states))
    assert lab.root.evaluate(UNDONE) == states[-2::-1]
    expect(lab.key("undo")).to_be_disabled()
    lab.agrees_with_the_library()
    lab.key("A|d1|grip").focus()
    for state in states[1:]:
        lab.page.keyboard.press("Control+Shift+Z")
        assert lab.root.evaluate(COPIED) == state
        lab.key("A|same").focus()
    lab.agrees_with_the_library()
    lab.key("reset").click()
    assert lab.text() == states[0]
    lab.page.keyboard.press("Control+z")
    assert lab.text() == states[-1]


def seen(lab: TheLab) -> list[str]:
    """All that a lab shows and says."""
    lab.settle()
    labelled = lab.root.locator("[aria-label]")
    labels = labelled.evaluate_all("all => all.map((e) => e.getAttribute('aria-label'))")
    return [*labels, lab.root.evaluate("e => e.innerText")]


def test_labs_do_not_share_state(open_notebook: Open) -> None:
    notebook = open_notebook([CELL, "RankedListLab('Sakai 2012, Figure 1')", "lab"])
    first, second, again = (TheLab(notebook, which) for which in range(3))
    untouched = seen(second)
    first.label("A", "d4", "cat").click()
    first.key("A|d1|down").click()
    first.agrees_with_the_library()
    assert seen(second) == untouched
    # The same lab shown twice is one lab.
    assert again.docs("A") == first.docs("A")
    assert again.scores() == first.scores()
    second.key("preset").select_option("harry potter")
    expect(second.root.locator(".dm-title")).to_contain_text("harry potter")
    second.agrees_with_the_library()
    second.key("undo").click()
    second.settle()
    assert "Figure 1" not in second.text()
    assert second.docs("A") == ["d1", "d2", "d3", "d4", "d5"]

    text = first.text()
    before = seen(first)
    cell = f"from divmetrics_widgets import RankedListLab\nRankedListLab('''{text}''')"
    elsewhere = TheLab(open_notebook([cell]))
    assert elsewhere.text() == text
    assert elsewhere.scores() == first.scores()
    # All is the same but what a lab says of its own past: undo, reset, and the last thing that happened.
    assert [line for line in seen(elsewhere)[:-1] if line not in before] == []


def test_edits_synchronise_with_python(open_notebook: Open) -> None:
    watch = "seen = []\nlab.observe(lambda change: seen.append(lab.scores.score.iloc[0]), 'state')"
    notebook = open_notebook([CELL, watch])
    lab = TheLab(notebook)
    lab.key("A|d1|down").click()
    lab.agrees_with_the_library()

    def run(source: str) -> str:
        notebook.page.locator(".jp-Notebook .jp-Cell").last.click()
        notebook.page.keyboard.press("Escape")
        notebook.page.keyboard.press("b")
        notebook.page.keyboard.press("Enter")
        notebook.page.keyboard.insert_text(source)
        notebook.page.keyboard.press("Control+Enter")
        output = notebook.page.locator(".jp-Notebook .jp-Cell").last.locator(".jp-OutputArea-output")
        output.wait_for()
        return output.inner_text().strip()

    assert run("lab.a") == "<list A of topic 1: d2[car:1] d1[cat:2] d3[cat:1,os:2] d4[] d5[?]>"
    shown = lab.scores()["ERR-IA@5", "A"]
    assert run("print(len(seen), f'{seen[-1]:.4f}')") == f"1 {shown}"
    assert run("lab.a = ['d6', 'd1']; lab.metrics = ['D-nDCG@5']; print('set')") == "set"
    expect(lab.root.locator('[data-list="A"] [data-doc="d6"]')).to_have_count(1)
    assert lab.docs("A") == ["d6", "d1"]
    lab.agrees_with_the_library()
    # What Python did can be undone by hand.
    lab.key("undo").click()
    lab.key("undo").click()
    assert lab.docs("A") == ["d2", "d1", "d3", "d4", "d5"]
    lab.agrees_with_the_library()


def test_everything_works_by_keyboard(lab: TheLab) -> None:
    lab.key("preset").focus()
    reached = set()
    for _ in range(40):
        press(lab.page, "Tab")
        key = lab.page.evaluate("() => document.activeElement.dataset.key ?? document.activeElement.tagName")
        reached.add(key)
    bar = {"levels", "best", "share", "intents"}  # nothing can be undone yet
    assert bar | {"A|d1|grip", "A|add", "A|same", "B|d3|grip", "B|add", "B|same", "metric-name"} <= reached

    lab.key("A|d1|grip").focus()
    press(lab.page, "ArrowRight")
    expect(lab.label("A", "d1", "cat")).to_be_focused()
    press(lab.page, "ArrowDown")
    expect(lab.label("A", "d2", "cat")).to_be_focused()
    press(lab.page, "Alt+ArrowDown")
    expect(lab.label("A", "d2", "cat")).to_be_focused()
    assert lab.docs("A")[2] == "d2"
    assert lab.status() == "d2 moved to rank 3 of list A"
    press(lab.page, "End")
    expect(lab.key("A|d2|remove")).to_be_focused()
    press(lab.page, "Delete")
    expect(lab.key("A|d4|remove")).to_be_focused()
    assert "bring it back" in lab.status()
    press(lab.page, "Control+z")
    assert "d2" in lab.docs("A")
    # JupyterLab's own keys do not reach the notebook: no cell is cut, no kernel restarted.
    lab.label("A", "d1", "cat").focus()
    press(lab.page, "x", "d", "d", "0", "0", "b", "m")
    assert lab.page.locator(".jp-Notebook .jp-Cell").count() == 1
    assert lab.page.locator("dialog.jp-Dialog").count() == 0
    lab.settle()
    lab.agrees_with_the_library()


@pytest.fixture
def visited(tmp_path: Path) -> Path:
    """A notebook as it is committed: executed, without the state of its widgets."""
    path = tmp_path / "visited.ipynb"
    write_notebook(path, [CELL])
    write(execute(path), path)
    return path


def test_without_a_kernel_the_numbers_are_there(visited: Path, open_notebook: Open) -> None:
    source = visited.read_text(encoding="utf-8")
    assert len(source) < 300_000
    notebook = open_notebook([], run=False, copied=visited)
    text = notebook.page.locator(".jp-OutputArea").inner_text()
    assert "Error displaying widget" not in text
    # The lists, the scores, the contributions to A's and to B's.
    assert notebook.page.locator(".jp-OutputArea table").count() == 4
    lab_page = read_page(START)
    pool = lab_page.judgments()
    for name in lab_page.metrics:
        assert f"{dm.metric(name).score(dm.RankedList(pool.topic, lab_page.lists['A'], pool)):.4f}" in text


@pytest.mark.parametrize("intents", [1, 10])
@pytest.mark.parametrize("docs", [3, 20])
def test_nothing_is_clipped(open_notebook: Open, intents: int, docs: int) -> None:
    lines = ["topic 1", "scale 3"]
    lines += [f"intent intention{i} 1/{intents}" for i in range(intents)]
    for d in range(docs):
        lines.append(f'doc document{d} intention{d % intents}:{1 + d % 3} "what this document is about"')
    names = " ".join(f"document{d}" for d in range(docs))
    text = "\n".join([*lines, f"A {names}", f"B {names}", "metrics ERR-IA@5 alpha-nDCG@10"])
    notebook = open_notebook([f"from divmetrics_widgets import RankedListLab\nRankedListLab('''{text}''')"])
    lab = TheLab(notebook)
    lab.open_intents()
    for width in (1400, 1000, 700):
        notebook.resize(width)
        assert cut_off(lab.root) == [], width
        lab.agrees_with_the_library()


def test_numbered_intents_have_their_labels_and_passages_no_tint(open_notebook: Open) -> None:
    passage = "Every hive has to be registered, even the only one in a garden; ask the office of your county"
    text = f"""topic bees
intent 1 0.5 "where to register"
intent 2 0.5 "when to harvest"
doc law 1:1 "{passage}"
doc honey 2:1 "Honey is ripe when the combs are capped"
A law honey
B honey law
metrics ERR-IA@2 S-recall@1"""
    lab = TheLab(open_notebook([f"from divmetrics_widgets import RankedListLab\nRankedListLab({text!r})"]))
    label = lab.key("A|law|1")
    assert str(label.get_attribute("title")).startswith("1 (where to register): grade 1, earns ")
    label.hover()
    expect(lab.root.locator(".dm-light-words")).to_contain_text("Intent 1: where to register.")
    row = lab.root.locator('[data-list="A"] [data-doc="law"]')
    height = row.evaluate("e => parseFloat(getComputedStyle(e).backgroundSize.split(' ').at(-1))")
    gap = row.evaluate("e => parseFloat(getComputedStyle(e).paddingBottom)")
    assert 0 < height < gap  # the block lies below the words


def test_dozens_of_intents_have_room(open_notebook: Open) -> None:
    """As many as a topic has nuggets: marks and grades stay, what a label earns is in its title."""
    lines = ["topic 1", "scale 3", *(f"intent n{i} 1/57" for i in range(57))]
    lines += [f"doc d{d} " + " ".join(f"n{i}:{1 + i % 3}" for i in range(d, 57, 9)) for d in range(8)]
    text = "\n".join([*lines, "A d0 d1 d2 d3", "B d4 d5 d6 d7", "metrics ERR-IA@5 alpha-nDCG@10"])
    notebook = open_notebook([f"from divmetrics_widgets import RankedListLab\nRankedListLab('''{text}''')"])
    lab = TheLab(notebook)
    for width in (1400, 1100):
        notebook.resize(width)
        assert cut_off(lab.root) == [], width
        lab.agrees_with_the_library()
    label = lab.key("A|d1|n1")
    expect(label.locator(".dm-grade")).to_be_visible()
    expect(label.locator("small")).to_be_hidden()
    assert "earns 0.0" in str(label.get_attribute("title"))
    label.click()
    lab.agrees_with_the_library()
