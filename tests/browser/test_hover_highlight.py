"""What lights up under the pointer, and the factors beside it: those of `explain`, on random pages."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable
from typing import Any

import playwright.sync_api
import pytest
from playwright.sync_api import expect

import divmetrics as dm
from divmetrics.render.tables import format_score
from divmetrics_widgets import RankedListLab
from divmetrics_widgets.factors import LINES
from tests.browser.test_walk import NAMES, world
from tests.support.asking import answer
from tests.support.lab_with_fake_kernel import KERNEL
from tools.browser import Notebook

Open = Callable[..., Notebook]
STATES = 72  # (page, metric, cell), every metric of the table among them; of 500 it took a minute
SEED = 5

# Of every lab what is lit and told after each of these cells was pointed at.
SHOWN = """async ([source, labs]) => {
    const { default: widget } = await imported(source);
    const texts = (el, selector) => [...el.querySelectorAll(selector)].map((each) => each.textContent);
    const found = [];
    for (const [state, answers, cells] of labs) {
        const model = answering(state, answers);
        const el = document.body.appendChild(document.createElement("div"));
        const close = await widget().render({ model, el });
        await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(drawn))));
        const words = el.querySelector(".dm-light-words");
        for (const [side, doc, intent] of cells) {
            const label = el.querySelector(`[data-list="${side}"] [data-doc="${doc}"] .dm-label[data-intent="${intent}"]`);
            label.dispatchEvent(new PointerEvent("pointerover", { bubbles: true }));
            while (!words.textContent.startsWith("Rank ")) await new Promise((next) => setTimeout(next, 5));
            found.push({
                words: words.textContent,
                lines: [...el.querySelectorAll(".dm-light-line")].filter((line) => line.childElementCount).map((line) => ({
                    heading: line.querySelector(".dm-light-heading")?.textContent ?? "",
                    factors: [...line.querySelectorAll("[data-factor]")].map((factor) => [
                        factor.dataset.factor, factor.querySelector(".dm-factor-value").textContent,
                        Number.parseFloat(factor.querySelector(".dm-left i").style.width)]),
                    product: line.querySelector("[data-product]").textContent,
                })),
                rows: [...el.querySelectorAll("tr[data-lit]")].map((row) => `${row.closest("table").dataset.list} ${row.dataset.doc}`),
                columns: [...new Set([...el.querySelectorAll("td[data-lit] .dm-label, th[data-lit]")].map(({ dataset }) => dataset.intent ?? dataset.of))],
                asked: model.asked,
            });
            el.firstElementChild.dispatchEvent(new PointerEvent("pointerleave"));
        }
        close();
        el.remove();
    }
    return found;
}"""  # noqa: E501  a program


def page_of(rng: random.Random) -> tuple[dm.RankedList, dm.RankedList]:
    a = world(rng)
    docs = [*a.judgments.docs, "u1", "u3"]
    return a, a.reordered(rng.sample(docs, rng.randint(1, len(docs))))


def states(
    count: int,
) -> tuple[list[Any], list[tuple[dm.BaseMetric, dict[str, dm.RankedList], str, str, str]]]:
    """Labs as a browser gets them, with what their kernels answer and cells; and these, to be checked."""
    rng = random.Random(SEED)
    labs: list[Any] = []
    cells: list[tuple[dm.BaseMetric, dict[str, dm.RankedList], str, str, str]] = []
    while len(cells) < count:
        metric = dm.metric(NAMES[len(labs) % len(NAMES)]) @ rng.randint(1, 9)
        lists = dict(zip("AB", page_of(rng), strict=True))
        lab = RankedListLab(*lists.values(), metrics=[metric])
        state = json.loads(json.dumps(lab.get_state(), default=str))
        chosen = []
        for _ in range(min(2, count - len(cells))):
            side = rng.choice("AB")
            doc = rng.choice(lists[side].docs)
            intent = rng.choice(lists[side].topic.intents).id
            chosen.append((side, doc, intent))
            cells.append((metric, lists, side, doc, intent))
        labs.append((state, {"factors": answer(lab, "factors", side="A", doc="d0")}, chosen))
    return labs, cells


def test_factors_of_a_cell_equal_explain(
    chromium: playwright.sync_api.Browser,
) -> None:
    labs, cells = states(STATES)
    page = chromium.new_page()
    page.goto("about:blank")
    page.evaluate(KERNEL)
    result = page.evaluate(SHOWN, [str(RankedListLab._esm), labs])
    page.close()
    assert sum(len(seen["lines"]) for seen in result) > len(cells) / 4
    for cell, seen in zip(cells, result, strict=True):
        check(*cell, seen)


def check(
    metric: dm.BaseMetric,
    lists: dict[str, dm.RankedList],
    side: str,
    doc: str,
    intent: str,
    seen: dict[str, Any],
) -> None:
    ranked, what = lists[side], f"{metric} of {lists[side].docs}, {doc}, {intent}: {seen}"
    rank = ranked.docs.index(doc) + 1
    table = dm.explain(metric, ranked)
    mine = table[(table["rank"] == rank) & (table["intent"] == intent)]
    earned = float(mine["contribution"].sum())
    assert seen["words"].startswith(f"Rank {rank}: {doc} "), what
    told = (
        f"costs {format_score(-earned)}"
        if earned < 0
        else f"earns {format_score(earned)}"
        if earned
        else "earns nothing"
    )
    assert seen["words"].endswith(f"; it {told} for {intent}."), what
    assert seen["asked"] == 1, what  # a hover asks nothing, but the first of a page
    assert sorted(seen["rows"]) == [f"{s} {doc}" for s in "AB" if doc in lists[s].docs], what
    assert seen["columns"] == [intent], what
    products = [float(line["product"]) for line in seen["lines"]]
    assert sum(products) == pytest.approx(earned, abs=0.00006 * max(1, len(products)) + 1e-9), what
    factors = dm.explain(metric, ranked, factors=True)
    here = factors[(factors["rank"] == rank) & (factors["contribution"] != 0)]
    names = [intent, *(f"{intent}/{below}" for below in ("x", "y", "all")), "all intents"]
    rows = [row.dropna() for _, row in here[here["intent"].isin(names)].iterrows()]
    whole = [line for line in seen["lines"] if line["factors"]]
    shares = [line for line in whole if line["factors"][-1][0] == "share of the intent"]
    assert len(whole) == min(LINES, len(rows)) or (len(shares) < len(rows) and not earned), what
    for line in whole:
        check_line(line, rows, what)


def check_line(line: dict[str, Any], rows: list[Any], what: str) -> None:
    values = {word: text for word, text, _ in line["factors"]}
    pieces = {word: text for word, text in values.items() if word not in ("this part", "divided by N", SHARE)}
    share = float(values.get(SHARE, 1))
    product = float(line["product"])
    assert any(
        all(word in row and f"{row[word]:.4g}" == text for word, text in pieces.items())
        and product == pytest.approx(share * row["contribution"], rel=1e-3, abs=0.00006)
        for row in rows
    ), what
    # What is shown multiplies to what is shown, as far as its digits go.
    running = []
    value = 1.0
    for word, text, _ in line["factors"]:
        value = value / float(text) if word == "divided by N" else value * float(text)
        running.append(abs(value))
    assert product == pytest.approx(value, rel=0.005, abs=0.00006), what
    widths = [width / 100 for *_, width in line["factors"]]
    assert widths == pytest.approx([part / max(running) for part in running], abs=0.005), what


SHARE = "share of the intent"
CELL = 'from divmetrics_widgets import RankedListLab\nlab = RankedListLab("harry potter")\nlab'


def lab_of(notebook: Notebook) -> Any:
    lab = notebook.page.locator('[data-widget="ranked-list-lab"]')
    lab.locator("tr[data-doc]").first.wait_for()
    return lab


def test_hover_focus_and_touch_show_the_same(open_notebook: Open) -> None:
    notebook = open_notebook([CELL], has_touch=True)
    lab, page = lab_of(notebook), notebook.page
    lab.locator('[data-key="choose|ERR-IA@5"]').click()
    words, label = lab.locator(".dm-light-words"), lab.locator('[data-key="A|d4|film"]')
    expect(words).to_contain_text(", for example. Rank 1: ")
    grid = lab.locator('.dm-grid[data-list="A"]')
    label.scroll_into_view_if_needed()
    before = grid.bounding_box()
    label.hover()
    expect(words).to_have_text(
        "Rank 2: d4 has grade 2 and is the second film document of the list; it earns 0.0312 for film."
    )
    factors = lab.locator(".dm-light-line [data-factor]")
    assert factors.evaluate_all("all => all.map((e) => e.title)") == [
        "weight: 0.3333",
        "discount: 0.5",
        "chance to satisfy: 0.75",
        "readers still unsatisfied: 0.25",
    ]
    assert grid.bounding_box() == before
    told = lab.locator(".dm-lights-box").inner_text()
    page.mouse.move(2, 2)
    expect(words).to_contain_text(", for example. Rank 1: ")
    assert grid.bounding_box() == before
    label.focus()
    expect(words).to_contain_text("Rank 2: d4")
    assert lab.locator(".dm-lights-box").inner_text() == told
    page.keyboard.press("ArrowDown")  # to the label below
    expect(words).to_contain_text("Rank 3: d2")
    lab.locator('[data-key="A|d4|book"]').tap()  # which grades it, too
    expect(words).to_contain_text("Rank 2: d4 has grade 1 and is the first book document")


def test_many_intents_are_explained_by_document(open_notebook: Open) -> None:
    lines = ["topic 1", "scale 3", *(f"intent n{i} 1/57" for i in range(57))]
    lines += [f"doc d{d} " + " ".join(f"n{i}:{1 + i % 3}" for i in range(d, 57, 9)) for d in range(8)]
    text = "\n".join([*lines, "A d0 d1 d2 d3 d4 d5", "B d4 d5 d6 d7 d3 d2", "metrics ERR-IA@5 D#-nDCG@5"])
    notebook = open_notebook([f"from divmetrics_widgets import RankedListLab\nRankedListLab('''{text}''')"])
    lab = lab_of(notebook)
    for doc, intent, rank in (("d1", "n1", 2), ("d2", "n20", 3)):
        lab.locator(f'[data-key="A|{doc}|{intent}"]').focus()
        expect(lab.locator(".dm-light-words")).to_contain_text(f"Rank {rank}: {doc} has grade")


SLOW = """
import os, time
import divmetrics_widgets.bench
divmetrics_widgets.bench.AT_MOST = -1  # nothing is measured in advance
fill = lab._add_scores

def slowly(*given):
    while os.path.exists("asleep"):
        time.sleep(0.02)
    return fill(*given)

lab._add_scores = slowly
""".strip()


def test_the_numbers_of_another_page_are_marked(open_notebook: Open) -> None:
    notebook = open_notebook([CELL, SLOW])
    lab, asleep = lab_of(notebook), notebook.server.folder / "asleep"
    lab.locator('[data-key="A|d4|film"]').focus()
    words = lab.locator(".dm-light-words")
    expect(words).to_contain_text("Rank 2: d4 has grade 2")
    asleep.touch()
    notebook.page.keyboard.press("1")
    expect(words).to_contain_text("Rank 2: d4 has grade 2")
    expect(words).to_have_attribute("data-pending", "")
    asleep.unlink()
    expect(words).to_contain_text("Rank 2: d4 has grade 1")
    expect(words).not_to_have_attribute("data-pending", "")


def test_intents_share_what_a_merged_grade_earns() -> None:
    ranked = world(random.Random(3))
    lab = RankedListLab(ranked, metrics=["D-Q@5"])
    for cells in answer(lab, "factors", side="A", doc=ranked.docs[0])["lists"]["A"].values():
        shares = [float(line[1][-1]) for _, *lines in cells for line in lines]
        assert not shares or math.isclose(sum(shares), 1, abs_tol=0.001)
