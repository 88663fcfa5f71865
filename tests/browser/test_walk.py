"""ReaderWalk on a page: all that is drawn and written in 500 random states, and what hands do with it."""

from __future__ import annotations

import json
import math
import random
import re
from collections.abc import Callable
from typing import Any

import playwright.sync_api
import pytest
from playwright.sync_api import expect

import divmetrics as dm
from divmetrics import aggregated
from divmetrics.conventions.convention import conventions
from divmetrics.render.tables import format_score
from divmetrics_widgets import ReaderWalk
from tests.browser.test_modules import FRONT_END
from tests.support.layout import cut_off
from tools.browser import Notebook

Open = Callable[..., Notebook]
STATES = 500
SEED = 11
NAMES = [*conventions()["paper"].rows, "ERR-IS", "alpha-nDCG-IS", "D#-nDCG-IS", "S-recall-IS"]

# Of every widget what is on the page after each of these steps.
SHOWN = """async ([source, states]) => {
    const { default: widget } = await imported(source);
    const texts = (el, selector) => [...el.querySelectorAll(selector)].map((each) => each.textContent);
    const numbers = (el, selector, f) => [...el.querySelectorAll(selector)].map(f);
    const scale = (path) => Number(/scale\\(([\\d.]+)\\)/.exec(path.style.transform)[1]) / 5;
    const tile = (el) => ({
        group: el.dataset.group,
        told: el.querySelector("[data-told]").textContent,
        area: numbers(el, ".dm-here", (path) => scale(path) ** 2).reduce((a, b) => a + b, 0),
        open: el.querySelectorAll(".dm-open").length,
        pile: numbers(el, ".dm-block:not(.dm-not-yet)", (block) => Number(block.getAttribute("height"))),
        counted: el.querySelectorAll(".dm-count:not(.dm-not-yet)").length,
        ratio: numbers(el, ".dm-found, .dm-ideal", (bar) => Number(bar.getAttribute("width"))),
        stops: numbers(el, ".dm-stop-line", (line) => Number(/translateX\\((.+)px\\)/.exec(line.style.transform)[1]) / 15),
        blocks: numbers(el, ".dm-page-block:not(.dm-not-yet) .dm-page-ground", (block) => Number(block.getAttribute("height"))),
    });
    const widths = (row, which) => [...row.querySelectorAll(`td:not(.dm-best-cell) > .dm-basket${which} .dm-part`)].map((part) => Number.parseFloat(part.style.width));
    const found = [];
    for (const [state, steps] of states) {
        const model = aModel(state, aKernel());
        const { render, initialize } = widget();
        initialize({ model });
        const el = document.body.appendChild(document.createElement("div"));
        const close = await render({ model, el });
        const slider = el.querySelector("input[type=range]");
        found.push(steps.map((step) => {
            slider.value = step;
            slider.dispatchEvent(new Event("input"));
            return {
                step: Number(el.querySelector(".dm-walk").dataset.step),
                words: el.querySelector("[role=status].dm-words").textContent,
                score: el.querySelector("[data-walk-score]").textContent,
                baskets: texts(el, "tr.dm-walked [data-basket]"),
                bars: numbers(el, "tr.dm-walked", (row) => widths(row, ":not(.dm-cost-basket)")),
                costs: numbers(el, "tr.dm-walked", (row) => widths(row, ".dm-cost-basket")),
                gamma: numbers(el, ".dm-trade-off", (tile) => [["y1", ".dm-trade"], ["y2", ".dm-trade"], ["cy", ".dm-at"]].map(([name, selector]) => 1 - (Number(tile.querySelector(selector).getAttribute(name)) - 6) / 90)),
                tracks: numbers(el, ".dm-track", (track) => ({ picture: track.dataset.picture, state: track.querySelector("[data-state]").textContent, tiles: numbers(track, ".dm-tile", tile) })),
                problems: texts(el, ".dm-problem").filter((text) => text),
            };
        }));
        close();
        el.remove();
    }
    return found;
}"""  # noqa: E501  a program


def world(rng: random.Random) -> dm.RankedList:
    """A topic with two levels, judgments, and a list."""
    count = rng.randint(1, 4)
    weights = [rng.random() + 0.1 for _ in range(count)]
    intents = []
    for i, weight in enumerate(weights):
        children = (dm.Intent("x", 0.25), dm.Intent("y", 0.75))
        kind: Any = rng.choice(["informational", "navigational"])
        intents.append(dm.Intent(f"t{i}", weight / sum(weights), kind=kind, children=children))
    docs = [f"d{k}" for k in range(rng.randint(1, 12))]
    grades: dict[str, Any] = {
        doc: {(t.id, c): rng.choice([0, 0, 1, 2]) for t in intents for c in "xy"} for doc in docs
    }
    listed = rng.sample([*docs, "u1", "u2"], rng.randint(1, len(docs)))
    return dm.RankedList(dm.Topic("7", tuple(intents)), listed, grades)


def test_all_that_is_shown_in_500_random_states_is_what_explain_says(
    chromium: playwright.sync_api.Browser,
) -> None:
    rng = random.Random(SEED)
    asked = []
    while sum(len(steps) for *_, steps in asked) < STATES:
        ranked = world(rng)
        metric = dm.metric(NAMES[len(asked) % len(NAMES)]) @ rng.randint(1, 9)
        view = ReaderWalk(metric, ranked)
        ranks = view._picture["ranks"]
        asked.append((metric, ranked, view, rng.sample(range(ranks + 1), min(ranks + 1, 5))))
    page = chromium.new_page()
    page.goto("about:blank")
    page.evaluate(FRONT_END)
    states = [[json.loads(json.dumps(view.get_state(), default=str)), steps] for *_, view, steps in asked]
    result = page.evaluate(SHOWN, [str(ReaderWalk._esm), states])
    page.close()
    for (metric, ranked, _, steps), shown in zip(asked, result, strict=True):
        for step, seen in zip(steps, shown, strict=True):
            assert seen["problems"] == []
            assert seen["step"] == step
            check(metric, ranked, step, seen)


def check(metric: dm.BaseMetric, ranked: dm.RankedList, step: int, seen: dict[str, Any]) -> None:
    table = dm.explain(metric, ranked)
    held = table.groupby("rank")["contribution"].sum()
    assert seen["baskets"] == [format_score(held[k]) for k in range(1, step + 1)]
    assert seen["score"] == format_score(held[held.index <= step].sum())
    if step:
        assert f"Rank {step}:" in seen["words"]
        assert f"its basket holds {format_score(held[step])}." in seen["words"]
    seen_ranks = table[table["rank"] <= step]
    if str(metric).startswith("RBU"):  # its costs are drawn beside what is earned
        assert all(len(cost) == 1 for cost in seen["costs"])
    else:
        assert not any(seen["costs"])
        seen_ranks = seen_ranks[seen_ranks["contribution"] > 0]
    drawn = [sum(row) - sum(cost) for row, cost in zip(seen["bars"], seen["costs"], strict=True)]
    held_so_far = seen_ranks.groupby("rank")["contribution"].sum()
    check_scale(drawn, [held_so_far.get(k, 0.0) for k in range(1, step + 1)], 0.02)
    factors = dm.explain(metric, ranked, factors=True)
    for track, (_, own) in zip(seen["tracks"], factors.groupby("term", sort=False), strict=True):
        check_track(track, own, step)
        for tile in track["tiles"]:
            if tile["stops"]:
                assert tile["stops"] == [stop(ranked, tile["group"], min(step, metric.cutoff or step))]
    if seen["gamma"]:
        terms = factors[factors["rank"] <= step].groupby("term", sort=False)["contribution"].sum()
        covered, *graded = 2 * terms if len(terms) else (0, 0)  # gamma is .5
        assert seen["gamma"] == [
            pytest.approx([sum(graded), covered, held[held.index <= step].sum()], abs=1e-9)
        ]


def check_scale(drawn: list[float], expected: list[float], within: float) -> None:
    """What is drawn is what is expected, on some scale."""
    most, of = max(zip(map(abs, expected), map(abs, drawn), strict=True), default=(0.0, 0.0))
    scale = of / most if most else 0.0
    assert drawn == pytest.approx([scale * value for value in expected], abs=within)
    assert of > 0 or most == 0


def stop(ranked: dm.RankedList, intent: str, ranks: int) -> int:
    """The first rank of the highest grade among the first ranks; 0 where nothing is relevant (P+, r_p)."""
    labels = [ranked.judgments.labels(doc) for doc in ranked.docs[:ranks]]
    grades = [of.get(intent, 0) for of in labels]
    if intent == "all intents":  # one ad hoc grade (Sakai & Zeng 2019, section 4)
        grades = [sum(of.values()) for of in labels]
        if len(ranked.topic.intents) > 1:
            grades = [math.floor(math.log2(total + 1)) for total in grades]
    return grades.index(max(grades)) + 1 if any(grades) else 0


def check_track(track: dict[str, Any], own: Any, step: int) -> None:
    after = own[own["rank"] == step + 1]  # what the next document finds
    tops = []
    for tile in track["tiles"]:
        mine = own[own["intent"] == tile["group"]]
        earned = mine[mine["rank"] <= step]["contribution"].sum()
        left = after[after["intent"] == tile["group"]]["still reading"]
        if track["picture"] in ("leave", "fade") and len(left):
            assert tile["area"] == pytest.approx(100 * left.iloc[0], abs=0.05)
        if track["picture"] == "leave" and len(left):
            assert tile["told"].startswith(f"{100 * left.iloc[0]:.4g} of ")
        if track["picture"] == "doors":
            found = mine[mine["rank"] <= step]["first relevant document"].sum()
            assert tile["open"] == found
            assert tile["told"] == (f"open, {format_score(earned)}" if found else "closed")
        if track["picture"] == "counters":
            assert tile["told"].startswith(f"{tile['counted']} found")
            here = mine[mine["rank"] == step]
            if tile["ratio"] and len(here) and here["relevant"].iloc[0]:
                found, ideal = tile["ratio"]
                assert found == pytest.approx(ideal * here["blended ratio"].iloc[0], abs=0.02)
        if track["picture"] == "piles":
            assert tile["told"].startswith(format_score(earned))
            tops.append((earned, sum(tile["pile"])))
    largest = max(tops, default=(0.0, 0.0))
    for earned, height in tops:
        if largest[0]:
            assert height == pytest.approx(largest[1] * earned / largest[0], abs=0.1)


def a_page(rng: random.Random) -> aggregated.BlockPage:
    """A page of some verticals' items, one block a vertical but for general web."""
    verticals, shown = [], []
    for name in ("web", "image", "video")[: rng.randint(1, 3)]:
        found = [
            aggregated.Item(f"{name[0]}{k}", rng.randint(0, 3), rng.choice([0.5, 1.0, 3.0])) for k in range(5)
        ]
        verticals.append(aggregated.Vertical(name, 1 if name == "web" else rng.random(), found))
        ids = [item.id for item in rng.sample(found, rng.randint(1, 4))]
        shown += [(name, [item]) for item in ids] if name == "web" else [(name, ids)]
    query = aggregated.Query("9", tuple(verticals), aggregated.PageLayout(web=4, items=4), scale=3)
    return aggregated.BlockPage(query, rng.sample(shown, len(shown)))


def test_what_is_shown_of_pages_is_what_explain_page_says(chromium: playwright.sync_api.Browser) -> None:
    rng = random.Random(SEED)
    asked = []
    for place in range(30):
        metric = f"{('AS_DCG', 'AS_RBP', 'AS_ERR')[place % 3]}@{rng.randint(1, 6)}"
        shown = a_page(rng)
        view = ReaderWalk(metric, shown)
        asked.append((metric, shown, view, range(view._picture["ranks"] + 1)))
    page = chromium.new_page()
    page.goto("about:blank")
    page.evaluate(FRONT_END)
    states = [[json.loads(json.dumps(view.get_state(), default=str)), [*steps]] for *_, view, steps in asked]
    result = page.evaluate(SHOWN, [str(ReaderWalk._esm), states])
    page.close()
    for (metric, shown, _, steps), of_page in zip(asked, result, strict=True):
        table = aggregated.explain_page(metric, shown)
        for step, seen in zip(steps, of_page, strict=True):
            read = table[table["block"] <= step]
            assert seen["problems"] == []
            assert seen["step"] == step
            assert seen["baskets"] == [format_score(value) for value in read["contribution"]]
            assert seen["score"] == format_score(read["contribution"].sum())
            check_scale([sum(bars) for bars in seen["bars"]], [*read["contribution"]], 0.02)
            ((tile,),) = ([*track["tiles"]] for track in seen["tracks"])
            check_scale(tile["blocks"], [*read["effort"]], 0.02)
            assert tile["told"] == f"effort so far {read['effort'].sum():.4g}"


CELL = """
import divmetrics as dm
from divmetrics_widgets import ReaderWalk
ranked = dm.datasets.harry_potter().list("D", "0083")
view = ReaderWalk("ERR-IA@5", ranked, metrics=["{}"])
view
"""
OTHERS = ("RBU@9", "S-recall@5", "D#-nDCG@5", "alpha-nDCG@5", "P+Q#@5", "ERR-IS@5")
CELL = CELL.format('", "'.join(OTHERS))


LAB = """
from divmetrics_widgets import RankedListLab
RankedListLab(metrics=["ERR-IA@5", "S-recall@5"])
"""


def test_walk_by_keys_buttons_and_the_slider(open_notebook: Open) -> None:
    ranked = dm.datasets.harry_potter().list("D", "0083")
    notebook = open_notebook([CELL, "view.rank"])
    page = notebook.page
    root = page.locator('[data-widget="reader-walk"]').first
    root.wait_for()
    box, told = root.locator(".dm-walk"), root.locator(".dm-walk-words")
    held = dm.explain("ERR-IA@5", ranked).groupby("rank")["contribution"].sum()

    def at(step: int) -> None:
        assert box.get_attribute("data-step") == str(step)  # at once
        assert root.locator("[data-walk-score]").text_content() == f"{held[held.index <= step].sum():.4f}"

    box.focus()
    for key, step in [
        *(("ArrowRight", 1), ("ArrowDown", 2), ("ArrowLeft", 1), ("End", 5), ("ArrowRight", 5)),
        *(("Home", 0), ("ArrowUp", 0), ("ArrowRight", 1)),
    ]:
        page.keyboard.press(key)
        at(step)
    expect(told).to_contain_text("Rank 1: d7 satisfies")
    expect(told).to_have_attribute("aria-live", "polite")
    root.locator('[data-key="walk-next"]').click()
    at(2)
    root.locator('[data-key="walk-back"]').click()
    at(1)
    root.locator('[data-key="walk-rank"]').fill("4")
    at(4)
    box.focus()
    page.keyboard.press(" ")
    at(5)
    page.keyboard.press("Home")
    root.locator('[data-key="walk-speed"]').select_option("slow")
    root.locator('[data-key="walk-play"]').click()
    expect(root.locator('[data-key="walk-play"]')).to_have_text("pause")
    root.locator('[data-key="walk-speed"]').select_option("fast")
    expect(box).to_have_attribute("data-step", "5")
    expect(root.locator('[data-key="walk-play"]')).to_have_text("play")
    for metric in OTHERS:
        root.locator('[data-key="metric"]').select_option(metric)
        score = f"{dm.metric(metric).score(ranked):.4f}"
        expect(root.locator(".dm-walk-list tfoot")).to_contain_text(f"{metric} = {score}")
        box.focus()
        page.keyboard.press("End")
        assert root.locator("[data-walk-score]").text_content() == score
        for width in (420, 700, 1920):
            notebook.resize(width)
            assert cut_off(root) == [], (metric, width)


def test_no_animation_with_prefers_reduced_motion(open_notebook: Open) -> None:
    page = open_notebook([CELL], reduced_motion="reduce").page
    root = page.locator('[data-widget="reader-walk"]').first
    root.locator(".dm-walk").focus()
    page.keyboard.press("ArrowRight")
    page.evaluate("() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
    assert root.locator(".dm-flying").count() == 0
    assert root.evaluate("(root) => root.getAnimations({ subtree: true }).length") == 0
    assert root.locator(".dm-walk").get_attribute("data-step") == "1"


def test_a_lab_opens_a_walk_that_follows_its_edits(open_notebook: Open) -> None:
    page = open_notebook([LAB]).page
    root = page.locator('[data-widget="ranked-list-lab"]').first
    root.wait_for()
    root.locator('[data-key="A|walk"]').click()
    walk = root.locator(".dm-walk-box .dm-walk")
    expect(walk).to_have_attribute("data-step", "0")
    walk.focus()
    page.keyboard.press("End")
    score = root.locator('[data-score][data-list="A"][data-metric="ERR-IA@5"]')
    last = walk.locator("[data-walk-score]")
    expect(last).to_have_text(score.text_content() or "")
    before = score.text_content() or ""
    for _ in range(3):
        root.locator('[data-list="A"] [data-do="remove"]').first.click()
    expect(score).not_to_have_text(before)
    expect(root).not_to_have_attribute("data-pending", re.compile(".*"))  # of all three
    expect(last).to_have_text(score.text_content() or "")
    expect(walk).to_have_attribute("data-step", "5")  # where the reader was
    root.locator('[data-key="choose|S-recall@5"]').click()
    expect(root.locator(".dm-walk-box h4")).to_have_text("The readers of S-recall@5 walk down list A")
    expect(walk.locator(".dm-track")).to_have_attribute("data-picture", "doors")
    root.locator('[data-key="B|walk"]').click()
    expect(root.locator(".dm-walk-box h4")).to_have_text("The readers of S-recall@5 walk down list B")
    root.locator('[data-key="walk-close"]').click()
    expect(walk).to_have_count(0)
