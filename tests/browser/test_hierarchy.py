"""HierarchyLab as a reader uses it: every way of moving a document, and both forms follow."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

import divmetrics as dm
from divmetrics_widgets.presets import preset
from tests.browser.test_lab import box_of, drag
from tools.browser import Notebook

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

    def status(self) -> str:
        return self.root.locator("[role=status]").inner_text()

    def settle(self) -> None:
        expect(self.root).not_to_have_attribute("data-pending", re.compile(".*"))

    def agrees(self, flat: str, square: str) -> None:
        """All on screen is what the library says of the list on screen."""
        docs = self.docs()
        self.settle()
        pool = self.preset.pool()
        ranked = dm.RankedList(pool.topic, docs, pool)
        shown = self.root.locator("[data-score]").evaluate_all(
            "all => all.map((e) => [e.dataset.metric, e.textContent])"
        )
        assert shown == [[name, f"{dm.metric(name).score(ranked):.4f}"] for name in (flat, square)]
        for kind, name in (("flat", flat), ("square", square)):
            self._cells(kind, dm.explain(name, ranked), dm.metric(name).score(ranked))
        self._tree(docs)

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


def test_one_list_under_two_forms(open_notebook: Callable[..., Notebook]) -> None:
    notebook = open_notebook(CELLS)
    lab = TheHierarchy(notebook, 0, "harry potter")
    other = TheHierarchy(notebook, 1, "Yu et al. 2017, query 0078")
    page = notebook.page
    lab.agrees("ERR-IA@5", "ERR-IS@5")
    other.agrees("alpha-nDCG@10", "alpha-nDCG-IS@10")
    TheHierarchy(notebook, 2, "Yu et al. 2017, query 0053").agrees("ERR-IA@5", "ERR-IS@5")
    TheHierarchy(notebook, 3, "Yu et al. 2017, query 0080").agrees("ERR-IA@5", "ERR-IS@5")
    untouched = other.root.inner_text()

    # By button, key, mouse and finger.
    lab.key("A|d1|down").click()
    assert lab.docs() == ["d4", "d1", "d2", "d5", "d6", "d3", "d7", "d9"]
    lab.agrees("ERR-IA@5", "ERR-IS@5")
    lab.key("A|d7|up").click()
    lab.agrees("ERR-IA@5", "ERR-IS@5")
    lab.key("A|d7|grip").focus()
    for _ in range(4):
        page.keyboard.press("Alt+ArrowUp")
    assert lab.docs()[:2] == ["d4", "d7"]
    assert "d7 moved to rank 2" in lab.status()
    expect(lab.key("A|d7|grip")).to_be_focused()
    lab.agrees("ERR-IA@5", "ERR-IS@5")
    page.keyboard.press("Alt+ArrowDown")
    assert lab.docs()[:3] == ["d4", "d1", "d7"]
    drag(page, lab.key("A|d9|grip"), lab.root.locator('[data-doc="d4"]'), below=False)
    assert lab.docs() == ["d9", "d4", "d1", "d7", "d2", "d5", "d6", "d3"]
    lab.agrees("ERR-IA@5", "ERR-IS@5")
    touch = page.context.new_cdp_session(page)
    grip, goal = box_of(lab.key("A|d9|grip")), box_of(lab.root.locator('[data-doc="d1"]'))
    x, y = grip["x"] + 5, grip["y"] + 8
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for step in (0.4, 1.0):
        point = {"x": x, "y": y + (goal["y"] + goal["height"] * 0.8 - y) * step}
        touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert lab.docs()[:3] == ["d4", "d1", "d9"]
    lab.agrees("ERR-IA@5", "ERR-IS@5")

    # Documents neither come nor go: not by key either.
    here = lab.docs()
    lab.key("A|d9|grip").focus()
    for key in ("Delete", "Backspace", "Alt+ArrowRight", "Alt+ArrowLeft"):
        page.keyboard.press(key)
    assert lab.docs() == here
    expect(lab.key("A|d9|remove")).to_have_count(0)

    # Another metric, another cutoff; undo takes back both and the moves.
    lab.key("metric").select_option("D#-nDCG")
    lab.agrees("D#-nDCG@5", "D#-nDCG-IS@5")
    lab.key("cutoff").fill("8")
    lab.key("cutoff").press("Enter")
    lab.agrees("D#-nDCG@8", "D#-nDCG-IS@8")
    lab.key("cutoff").fill("0")
    lab.key("cutoff").press("Enter")
    assert "whole number from 1 to 20" in lab.status()
    lab.agrees("D#-nDCG@8", "D#-nDCG-IS@8")
    for _ in range(2):
        lab.key("undo").click()
    lab.agrees("ERR-IA@5", "ERR-IS@5")
    lab.key("A|d9|grip").focus()
    while lab.key("undo").get_attribute("aria-disabled") is None:
        page.keyboard.press("Control+z")
    assert lab.docs() == ["d1", "d4", "d2", "d5", "d6", "d3", "d7", "d9"]
    lab.agrees("ERR-IA@5", "ERR-IS@5")
    page.keyboard.press("Control+Shift+Z")
    assert lab.docs()[:2] == ["d4", "d1"]
    lab.agrees("ERR-IA@5", "ERR-IS@5")
    told = lab.root.locator(".dm-words-box p").all_inner_texts()
    assert told
    assert all(re.match(r"Rank \d", text) for text in told)
    assert other.root.inner_text() == untouched

    # By keyboard alone everything is reached.
    lab.key("metric").focus()
    reached = set()
    for _ in range(6):
        reached.add(page.evaluate("() => document.activeElement.dataset.key"))
        page.keyboard.press("Tab")
    assert {"metric", "cutoff", "undo", "redo", "A|d9|grip"} <= reached

    for width in (1400, 1000, 700):
        notebook.resize(width)
        for each in (lab, other):
            too_wide = each.root.evaluate(
                """root => [root, ...root.querySelectorAll('*')]
                    .filter((e) => e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 1)
                    .filter((e) => getComputedStyle(e).display !== 'inline')
                    .map((e) => `${e.tagName}.${e.className}: ${e.textContent.slice(0, 30)}`)"""
            )
            assert too_wide == [], width


def test_python_sees_and_makes_edits(open_notebook: Callable[..., Notebook]) -> None:
    start = "from divmetrics_widgets import HierarchyLab\nlab = HierarchyLab()\nlab"
    notebook = open_notebook([start, "lab.ranked_list = ['d9', 'd1']; lab.metric = 'Q-IA@4'", "'x'"])
    lab = TheHierarchy(notebook, 0, "harry potter")
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
