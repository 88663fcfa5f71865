"""HierarchyLab as a reader uses it: every way of moving a document, and both forms follow."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

import divmetrics as dm
from divmetrics_widgets.presets import preset
from tests.support.layout import cut_off
from tests.support.notebook_cells import run_cell, write_cell
from tests.support.page_actions import drag, drag_by_finger, fill, press
from tools.browser import Notebook

Open = Callable[..., Notebook]

CELLS = [
    "from divmetrics_widgets import HierarchyLab\nlab = HierarchyLab()\nlab",
    "other = HierarchyLab('Yu et al. 2017, query 0078', 'alpha-nDCG@10')\nother",
    "HierarchyLab('Yu et al. 2017, query 0053')",
    "HierarchyLab('Yu et al. 2017, query 0080')",
]


class TheHierarchy:
    """One lab on a page, and the same list in the library."""

    def __init__(self, notebook: Notebook, which: int, start: str) -> None:
        self.page: Page = notebook.page
        self.root: Locator = self.page.locator('[data-widget="hierarchy-lab"]').nth(which)
        self.root.wait_for()
        self.preset = preset(start)

    def docs(self) -> list[str]:
        # What a press has changed is drawn when the finger has left the button.
        self.page.evaluate("() => new Promise((drawn) => setTimeout(() => requestAnimationFrame(drawn)))")
        return self.root.locator("[role=row][data-doc]").evaluate_all("all => all.map((e) => e.dataset.doc)")

    def key(self, key: str) -> Locator:
        return self.root.locator(f'[data-key="{key}"]')

    def row(self, doc: str) -> Locator:
        return self.root.locator(f'[data-doc="{doc}"]')

    def status(self) -> str:
        return self.root.locator("[role=status]").inner_text()

    def settle(self) -> None:
        expect(self.root).not_to_have_attribute("data-pending", re.compile(".*"))

    def agrees(self, flat: str, square: str) -> None:
        """All on screen is what the library says of the list on screen."""
        docs = self.docs()
        self.settle()
        pool = self.preset.judgments()
        ranked = dm.RankedList(pool.topic, docs, pool)
        values = self.root.locator("[data-score]").evaluate_all(
            "all => all.map((e) => [e.dataset.metric, e.textContent])"
        )
        assert values == [[name, f"{dm.metric(name).score(ranked):.4f}"] for name in (flat, square)]
        for kind, name in (("flat", flat), ("square", square)):
            self._cells(kind, dm.explain(name, ranked), dm.metric(name).score(ranked))
        self._tree(docs)
        self._counts(ranked, dm.metric(flat).cutoff)

    def _counts(self, ranked: dm.RankedList, cutoff: int) -> None:
        """Of each intent and second-level subtopic: how many documents serve it, and which first."""
        grades = {doc["id"]: set(doc["grades"] or {}) for doc in self.preset.docs}
        leaves, intents = {}, {}
        for t in ranked.topic.intents:
            of_t = {doc: {key for key in grades[doc] if key.split("/")[0] == t.id} for doc in ranked.docs}
            intents[t.id] = [rank for rank, doc in enumerate(ranked.docs, 1) if of_t[doc]]
            for e in t.children:
                key = f"{t.id}/{e.id}"
                leaves[key] = [rank for rank, doc in enumerate(ranked.docs, 1) if key in of_t[doc]]
        values = self.root.locator(".dm-tree tr:has(td)").evaluate_all(
            "all => all.map((row) => [row.dataset.subtopic ?? row.parentElement.dataset.intent, "
            "...['documents', 'first'].map((what) => row.querySelector(`[data-${what}]`).dataset[what])])"
        )
        assert {name: (n, first) for name, n, first in values} == {
            name: (str(sum(rank <= cutoff for rank in ranks)), str(ranks[0]) if ranks else "")
            for name, ranks in (intents | leaves).items()
        }
        counts = self.root.locator("[data-count]").all_text_contents()
        for text, ranks, what in zip(
            counts, (intents, leaves), ("intents", "second-level subtopics"), strict=True
        ):
            number = sum(any(rank <= cutoff for rank in each) for each in ranks.values())
            assert text == f"{number} of {len(ranks)} {what} served"
        # I-rec is the share of the topic's intents that are served.
        covered = round(dm.metric(f"I-rec@{cutoff}").score(ranked) * len(intents))
        assert counts[0] == f"{covered} of {len(intents)} intents served"

    def _cells(self, kind: str, table, score: float) -> None:
        rows = self.root.locator(f'[data-form="{kind}"] tr[data-row]').evaluate_all(
            "all => all.map((r) => "
            "[r.dataset.row, [...r.querySelectorAll('[data-rank]')].map((c) => c.title)])"
        )
        key = table["intent"] + ("/" + table["subtopic"] if kind == "square" else "")
        assert [name for name, _ in rows] == list(dict.fromkeys(key))
        total = 0.0
        for name, texts in rows:
            mine = table[key == name]["contribution"].tolist()
            assert texts == [f"{value:.4f}" for value in mine[: len(texts)]]
            assert not any(mine[len(texts) :])
            total += sum(map(float, texts))
        assert total == pytest.approx(score, abs=0.00005 * sum(len(texts) for _, texts in rows))

    def _tree(self, docs: list[str]) -> None:
        """Each leaf has the ranks that serve it."""
        grades = {doc["id"]: doc["grades"] or {} for doc in self.preset.docs}
        expected = [
            [
                f"{t['id']}/{e['id']}",
                [
                    f"rank {rank}: {grade}"
                    for rank, doc in enumerate(docs, 1)
                    if (grade := grades[doc].get(f"{t['id']}/{e['id']}", 0))
                ],
            ]
            for t in self.preset.topic["intents"]
            for e in t["children"]
        ]
        assert expected == self.root.locator("[data-subtopic]").evaluate_all(
            "all => all.map((e) => [e.dataset.subtopic, "
            "[...e.querySelectorAll('.dm-served')].map((c) => c.textContent)])"
        )


@pytest.fixture(scope="module")
def opened(open_for_all: Open) -> Notebook:
    return open_for_all(CELLS, run=False)


@pytest.fixture
def lab(notebook: Notebook) -> TheHierarchy:
    return TheHierarchy(notebook, 0, "harry potter")


@pytest.fixture
def other(notebook: Notebook) -> TheHierarchy:
    return TheHierarchy(notebook, 1, "Yu et al. 2017, query 0078")


def test_every_list_has_the_librarys_numbers_under_both_forms(
    notebook: Notebook, lab: TheHierarchy, other: TheHierarchy
) -> None:
    lab.agrees("ERR-IA@5", "ERR-IS@5")
    other.agrees("alpha-nDCG@10", "alpha-nDCG-IS@10")
    TheHierarchy(notebook, 2, "Yu et al. 2017, query 0053").agrees("ERR-IA@5", "ERR-IS@5")
    TheHierarchy(notebook, 3, "Yu et al. 2017, query 0080").agrees("ERR-IA@5", "ERR-IS@5")


def test_a_document_moves_by_button(lab: TheHierarchy) -> None:
    lab.key("A|d1|down").click()
    assert lab.docs() == ["d4", "d1", "d2", "d5", "d6", "d3", "d7", "d9"]
    lab.agrees("ERR-IA@5", "ERR-IS@5")
    lab.key("A|d7|up").click()
    assert lab.docs() == ["d4", "d1", "d2", "d5", "d6", "d7", "d3", "d9"]
    lab.agrees("ERR-IA@5", "ERR-IS@5")


def test_a_document_moves_by_key_and_keeps_the_focus(lab: TheHierarchy) -> None:
    lab.key("A|d7|grip").focus()
    press(lab.page, *["Alt+ArrowUp"] * 5)
    assert lab.docs()[:2] == ["d1", "d7"]
    assert "d7 moved to rank 2" in lab.status()
    expect(lab.key("A|d7|grip")).to_be_focused()
    lab.agrees("ERR-IA@5", "ERR-IS@5")
    press(lab.page, "Alt+ArrowDown")
    assert lab.docs()[:3] == ["d1", "d4", "d7"]


def test_a_document_moves_by_mouse(lab: TheHierarchy) -> None:
    drag(lab.page, lab.key("A|d9|grip"), lab.row("d1"), below=False)
    assert lab.docs() == ["d9", "d1", "d4", "d2", "d5", "d6", "d3", "d7"]
    lab.agrees("ERR-IA@5", "ERR-IS@5")


def test_a_document_moves_by_finger(lab: TheHierarchy) -> None:
    drag_by_finger(lab.page, lab.key("A|d1|grip"), lab.row("d2"))
    assert lab.docs()[:3] == ["d4", "d2", "d1"]
    lab.agrees("ERR-IA@5", "ERR-IS@5")


def test_documents_cannot_be_added_or_removed(lab: TheHierarchy) -> None:
    here = lab.docs()
    lab.key("A|d9|grip").focus()
    press(lab.page, "Delete", "Backspace", "Alt+ArrowRight", "Alt+ArrowLeft")
    assert lab.docs() == here
    expect(lab.key("A|d9|remove")).to_have_count(0)


def test_another_metric_and_cutoff_rule_both_forms_until_they_are_undone(lab: TheHierarchy) -> None:
    lab.key("metric").select_option("D#-nDCG")
    lab.agrees("D#-nDCG@5", "D#-nDCG-IS@5")
    fill(lab.key("cutoff"), "8")
    lab.agrees("D#-nDCG@8", "D#-nDCG-IS@8")
    fill(lab.key("cutoff"), "0")
    assert "whole number from 1 to 20" in lab.status()
    lab.agrees("D#-nDCG@8", "D#-nDCG-IS@8")
    for _ in range(2):
        lab.key("undo").click()
    lab.agrees("ERR-IA@5", "ERR-IS@5")


def test_every_move_is_undone_and_redone_by_key(lab: TheHierarchy) -> None:
    begun = ["d1", "d4", "d2", "d5", "d6", "d3", "d7", "d9"]
    lab.key("A|d1|down").click()
    lab.key("A|d9|grip").focus()
    press(lab.page, "Alt+ArrowUp", "Alt+ArrowUp")
    assert lab.docs() == ["d4", "d1", "d2", "d5", "d6", "d9", "d3", "d7"]
    while lab.key("undo").get_attribute("aria-disabled") is None:
        press(lab.page, "Control+z")
    assert lab.docs() == begun
    lab.agrees("ERR-IA@5", "ERR-IS@5")
    press(lab.page, "Control+Shift+Z")
    assert lab.docs()[:2] == ["d4", "d1"]
    lab.agrees("ERR-IA@5", "ERR-IS@5")


def test_changes_are_announced_by_rank(lab: TheHierarchy) -> None:
    lab.key("A|d1|down").click()
    lab.settle()
    texts = lab.root.locator(".dm-words-box p").all_inner_texts()
    assert texts
    assert all(re.match(r"Rank \d", text) for text in texts)


def test_edits_do_not_change_other_labs(lab: TheHierarchy, other: TheHierarchy) -> None:
    untouched = other.root.inner_text()
    lab.key("A|d1|down").click()
    drag(lab.page, lab.key("A|d9|grip"), lab.row("d4"), below=False)
    press(lab.page, "Alt+ArrowDown", "Control+z")
    lab.key("metric").select_option("D#-nDCG")
    lab.agrees("D#-nDCG@5", "D#-nDCG-IS@5")
    assert other.root.inner_text() == untouched


def test_the_keyboard_alone_reaches_everything(lab: TheHierarchy) -> None:
    lab.key("A|d9|grip").focus()
    press(lab.page, "Alt+ArrowUp", "Alt+ArrowUp", "Control+z")  # there is something to undo, and to redo
    lab.key("metric").focus()
    reached = set()
    for _ in range(6):
        reached.add(lab.page.evaluate("() => document.activeElement.dataset.key"))
        press(lab.page, "Tab")
    assert {"metric", "cutoff", "undo", "redo", "A|d9|grip"} <= reached


def test_nothing_is_cut_off_at_any_width(notebook: Notebook, lab: TheHierarchy, other: TheHierarchy) -> None:
    for width in (420, 700, 1000, 1400):  # the last is that of the other stories
        notebook.resize(width)
        for each in (lab, other):
            assert cut_off(each.root) == [], width


def test_edits_synchronise_with_python(open_notebook: Open) -> None:
    start = "from divmetrics_widgets import HierarchyLab\nlab = HierarchyLab()\nlab"
    notebook = open_notebook([start, ""])
    lab = TheHierarchy(notebook, 0, "harry potter")
    # Only a lab on the page can take back what Python does.
    write_cell(notebook.page, 1, "lab.ranked_list = ['d9', 'd1']; lab.metric = 'Q-IA@4'")
    run_cell(notebook.page, 1)
    expect(lab.root.locator("[role=row][data-doc]")).to_have_count(2)
    assert lab.docs() == ["d9", "d1"]
    lab.agrees("Q-IA@4", "Q-IS@4")
    lab.key("A|d1|up").click()
    lab.agrees("Q-IA@4", "Q-IS@4")
    # What Python did can be undone by hand.
    for _ in range(3):
        lab.key("undo").click()
    assert lab.docs()[:3] == ["d1", "d4", "d2"]
    lab.agrees("ERR-IA@5", "ERR-IS@5")
