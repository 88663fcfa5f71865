"""The trail that scores leave, and the score at every rank that the document in hand could take."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

import divmetrics as dm
from divmetrics.notebook.textformat.lab_text import read_page
from tests.browser.test_lab import CELL, START, TheLab
from tests.support.notebook_cells import PATIENT
from tests.support.page_actions import press
from tools.browser import Notebook

Open = Callable[..., Notebook]


def strip(lab: TheLab) -> dict[tuple[str, str], tuple[str, str, bool]]:
    """By metric and list: the score, the difference, and whether that and the ghost mark are seen."""
    values = lab.root.locator(".dm-score-cell").evaluate_all(
        """(cells) => cells.map((cell) => {
            const parts = ["[data-score]", ".dm-by", ".dm-was"];
            const [score, by, was] = parts.map((part) => cell.querySelector(part));
            const [said, ghost] = [by, was].map((e) => getComputedStyle(e).visibility === "visible");
            const { metric, list } = score.dataset;
            return [metric, list, score.textContent, by.textContent, said && by.textContent !== "", ghost];
        })"""
    )
    for *_, said, ghost in values:
        assert said == ghost, values
    return {(metric, side): (score, by, seen) for metric, side, score, by, seen, _ in values}


def test_the_difference_is_that_of_the_numbers_shown(open_notebook: Open) -> None:
    lab = TheLab(open_notebook([CELL], reduced_motion="reduce"))  # in which a trail stays until the next edit
    assert not any(seen for *_, seen in strip(lab).values())
    steps: list[Callable[[], object]] = [
        lambda: (lab.key("A|d3|grip").focus(), press(lab.page, "Alt+ArrowUp")),
        lambda: lab.label("A", "d3", "cat").click(),
        lambda: lab.key("undo").click(),
        lambda: lab.key("B|same").click(),
        lambda: lab.key("reset").click(),
    ]
    for step in steps:
        before = lab.scores()
        step()
        after, shown = lab.scores(), strip(lab)
        assert {place: score for place, (score, *_) in shown.items()} == after
        for place, (_, by, seen) in shown.items():
            changed = after[place] != before[place]
            assert seen == changed, place
            if changed:
                assert by == f"{float(after[place]) - float(before[place]):+.4f}".replace("-", "−"), place
        assert any(seen for *_, seen in shown.values())
    lab.key("preset").select_option("Sakai 2012, Figure 1")  # of another topic: nothing to compare
    expect(lab.root.locator(".dm-title")).not_to_contain_text("jaguar")
    lab.settle()
    assert not any(seen for *_, seen in strip(lab).values())


def test_change_marks_disappear(open_notebook: Open) -> None:
    lab = TheLab(open_notebook([CELL]))
    lab.key("A|d3|grip").focus()
    press(lab.page, "Alt+ArrowUp")
    expect(lab.root.locator(".dm-scores-box[data-trail]")).to_have_count(1)
    expect(lab.root.locator(".dm-scores-box[data-trail]")).to_have_count(0)
    assert lab.status() == "d3 moved to rank 2 of list A"  # and nobody is told of it


def test_bars_are_as_long_as_the_scores(open_notebook: Open) -> None:
    lab = TheLab(open_notebook([CELL]))
    lab.add_metrics("alpha-DCG@5", "RBU(e=0.3)@9")  # more than 1, less than 0
    expect(lab.root.locator("[data-score]:empty")).to_have_count(0)
    shares: list[list[Any]] = lab.root.locator("[data-metric-row]").evaluate_all(
        """(rows) => rows.map((row) => [...row.querySelectorAll(".dm-score-cell")].map((cell) => {
            const bar = cell.querySelector(".dm-score-bar");
            for (const animation of bar.getAnimations()) animation.finish();
            const [track, drawn] = [bar.parentElement, bar].map((e) => e.getBoundingClientRect());
            return [Number(cell.querySelector("[data-score]").textContent), (drawn.left - track.left) / track.width, drawn.width / track.width];
        }))"""  # noqa: E501  a program
    )
    assert min(score for lines in shares for score, *_ in lines) < 0
    assert max(score for lines in shares for score, *_ in lines) > 1
    for lines in shares:
        scores = [score for score, *_ in lines]
        if min(scores) >= 0 and max(scores) <= 1:
            assert [wide for *_, wide in lines] == pytest.approx(scores, abs=0.01)
        # One scale for both lists, whatever it is.
        (a, _, wide_a), (b, _, wide_b) = lines
        assert abs(a) * wide_b == pytest.approx(abs(b) * wide_a, abs=0.02 * max(abs(a), abs(b)))


def lines(lab: TheLab) -> dict[str, tuple[str, dict[int, str]]]:
    """By metric: the words, and the score at each rank."""
    drawn: Locator = lab.root.locator(".dm-rank-line:not([inert]) [role=img]")
    expect(drawn).to_have_count(lab.root.locator("[data-metric-row]").count())
    found = drawn.evaluate_all(
        """(all) => all.map((e) => {
            const { metricRow } = e.closest("[data-metric-row]").dataset;
            return [metricRow, e.getAttribute("aria-label")];
        })"""
    )
    told = {}
    for metric, text in found:
        words, values = text.split(" By rank: ")
        told[metric] = words, {int(rank): score for rank, score in re.findall(r"(\d+): (-?[\d.]+\d)", values)}
    return told


def check_lines(lab: TheLab, side: str, doc: str) -> None:
    shown, page = lines(lab), read_page(lab.text())
    pool, docs = page.judgments(), page.lists[side]
    others = [other for other in docs if other != doc]
    for name, (words, scores) in shown.items():
        wants = [
            dm.metric(name).score(dm.RankedList(pool.topic, [*others[:k], doc, *others[k:]], pool))
            for k in range(len(docs))
        ]
        assert scores == {k + 1: f"{score:.4f}" for k, score in enumerate(wants)}, name
        now = wants[docs.index(doc)]
        best = [k + 1 for k, score in enumerate(wants) if abs(score - max(wants)) < 1e-9]
        if len(best) == len(docs):
            assert f"wherever {doc} stands" in words, name
        elif docs.index(doc) + 1 in best:
            assert "stands where it is best" in words, name
        else:
            assert f"is {now:.4f} with {doc} at rank {docs.index(doc) + 1}" in words, name
            ends = re.search(r"best at ranks? (.*): ([\d.-]+)\.$", words)
            assert ends, words
            assert ends[2] == f"{max(wants):.4f}"
            told = [range(int(a), int(b or a) + 1) for a, b in re.findall(r"(\d+)(?: to (\d+))?", ends[1])]
            assert [rank for some in told for rank in some] == best, words


def test_lines_are_the_scores_of_the_moved_pages(open_notebook: Open) -> None:
    lab = TheLab(open_notebook([PATIENT, CELL]))
    for side, doc in (("A", "d3"), ("A", "d5"), ("B", "d1")):
        lab.key(f"{side}|{doc}|grip").focus()
        check_lines(lab, side, doc)
    lab.key("A|d3|grip").focus()
    press(lab.page, "Alt+ArrowUp")
    check_lines(lab, "A", "d3")
    lab.label("A", "d3", "cat").focus()
    press(lab.page, "0")  # a grade
    check_lines(lab, "A", "d3")
    lab.label("A", "d3", "cat").focus()
    expect(lab.root.locator(".dm-rank-line [role=img]").first).to_be_visible()
    lab.key("metric-name").focus()
    expect(lab.root.locator(".dm-rank-line [role=img]")).to_have_count(0)


def test_stale_lines_are_dimmed(open_notebook: Open) -> None:
    lab = TheLab(open_notebook([PATIENT, CELL]))
    lab.key("A|d3|grip").focus()
    assert lines(lab)
    drawn: list[int] = lab.root.evaluate(
        """(root) => {
            const seen = () => root.querySelectorAll(".dm-rank-line:not([inert]) [role=img]").length;
            const before = seen();
            root.querySelector('[data-key="B|same"]').click();
            return [before, seen()];
        }"""
    )
    assert drawn[0] > 0
    assert drawn[1] == 0


def test_dragging_shows_the_score_of_each_place(open_notebook: Open) -> None:
    lab = TheLab(open_notebook([PATIENT, CELL]))
    lab.key("choose|ERR-IA@5").click()
    lab.key("A|d3|grip").focus()
    scores = lines(lab)["ERR-IA@5"][1]
    grip, goal = lab.key("A|d3|grip").bounding_box(), lab.row("A", "d5").bounding_box()
    assert grip
    assert goal
    lab.page.mouse.move(grip["x"] + 5, grip["y"] + 8)
    lab.page.mouse.down()
    lab.page.mouse.move(grip["x"] + 8, goal["y"] + goal["height"] * 0.8, steps=4)
    words = lab.root.locator(".dm-trail-words")
    expect(words).to_have_text(f"d3 at rank 5: ERR-IA@5 of list A would be {scores[5]}.")
    expect(lab.root.locator(".dm-line-goal")).to_have_count(len(lab.scores()) // 2)
    lab.page.mouse.up()
    assert lab.scores()["ERR-IA@5", "A"] == scores[5]


def test_slow_pages_show_no_scores_by_rank(open_notebook: Open) -> None:
    slow = "import divmetrics_widgets.bench\ndivmetrics_widgets.bench.AT_MOST = -1"
    lab = TheLab(open_notebook([slow, CELL]))
    lab.key("A|d3|grip").focus()
    expect(lab.root.locator(".dm-trail-words")).to_contain_text("This page takes too long to measure")
    page = read_page(START)
    pool = page.judgments()
    ranked = dm.RankedList(pool.topic, page.lists["A"], pool)
    for name, (_, scores) in lines(lab).items():
        assert scores == {3: f"{dm.metric(name).score(ranked):.4f}"}
