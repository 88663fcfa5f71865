"""Rows that glide to their places and follow the hand: what the page says is final at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.test_lab import CELL, TheLab
from tests.support.page_actions import FRAMES, box_of, drag, drag_by_finger, in_sight, press
from tools.browser import Notebook

Open = Callable[..., Notebook]

# A key on a grip: the order and the ranks at once, and in the next frame what glides, and from where.
PRESS = """async ([root, key, grip]) => {
    const grid = root.querySelector('[data-list="A"]:has([data-doc])');
    const docs = () => [...grid.querySelectorAll("tr[data-doc]")].map((row) => `${row.dataset.doc} ${row.querySelector(".dm-rank-number").textContent}`);
    const row = grid.querySelector('[data-doc="d3"]');
    const top = () => row.getBoundingClientRect().top - grid.getBoundingClientRect().top;
    const before = top();
    grid.querySelector(`[data-key="${grip}"]`).dispatchEvent(new KeyboardEvent("keydown", { key, altKey: true, bubbles: true }));
    const found = { docs: docs(), before };
    await new Promise(requestAnimationFrame);
    const moving = [...grid.querySelectorAll("tr[data-doc]")].filter((each) => each.getAnimations().length);
    return { ...found, from: top(), moving: moving.map((each) => each.dataset.doc).sort() };
}"""  # noqa: E501  a program


def pressed(lab: TheLab, key: str, grip: str = "A|d3|grip") -> dict[str, Any]:
    result: dict[str, Any] = lab.page.evaluate(PRESS, [lab.root.element_handle(), key, grip])
    return result


def test_the_page_is_final_while_rows_glide(open_notebook: Open) -> None:
    lab = TheLab(open_notebook([CELL]))
    lab.key("A|d3|grip").focus()
    first = pressed(lab, "ArrowUp")
    assert first["docs"] == ["d1 1", "d3 2", "d2 3", "d4 4", "d5 5"]
    assert first["moving"] == ["d2", "d3"]
    assert first["from"] == pytest.approx(first["before"], abs=1)
    second = pressed(lab, "ArrowUp")  # while it is under way it goes on from where it is
    assert second["docs"] == ["d3 1", "d1 2", "d2 3", "d4 4", "d5 5"]
    assert {"d1", "d3"} <= set(second["moving"])
    assert second["from"] == pytest.approx(second["before"], abs=1)
    lab.agrees_with_the_library()


@pytest.mark.parametrize("how", ["undo", "reset"])
def test_rows_animate_back(open_notebook: Open, how: str) -> None:
    lab = TheLab(open_notebook([CELL]))
    lab.key("A|d3|grip").focus()
    press(lab.page, "Alt+ArrowUp")
    lab.page.evaluate(FRAMES)  # who goes back within the frame of the press never set out
    moving = lab.root.evaluate(
        """async (root, key) => {
            const rows = [...root.querySelectorAll("tr[data-doc]")];
            for (const glide of rows.flatMap((row) => row.getAnimations())) glide.finish();
            root.querySelector(`[data-key="${key}"]`).click();
            await new Promise(requestAnimationFrame);
            return [...root.querySelectorAll('[data-list="A"] tr[data-doc]')]
                .filter((row) => row.getAnimations().length).map((row) => row.dataset.doc);
        }""",
        how,
    )
    assert sorted(moving) == ["d2", "d3"]


def test_no_animation_with_prefers_reduced_motion(open_notebook: Open) -> None:
    lab = TheLab(open_notebook([CELL], reduced_motion="reduce"))
    lab.key("A|d3|grip").focus()
    found = pressed(lab, "ArrowUp")
    assert found["moving"] == []
    assert found["docs"] == ["d1 1", "d3 2", "d2 3", "d4 4", "d5 5"]


SPY = """
import anywidget, traitlets

class Spy(anywidget.AnyWidget):
    _esm = '''export default { async render({ model, el }) {
        window.labsModel = await model.widget_manager.get_model(model.get("of"));
        el.dataset.spies = "";
    } };'''
    of = traitlets.Unicode(lab.model_id).tag(sync=True)

display(lab, Spy())
""".strip()


def test_a_drag_a_finger_and_a_key_are_the_same_edit(open_notebook: Open) -> None:
    # In one cell: to the second of two the notebook would scroll, at whatever time.
    notebook = open_notebook([f"{CELL.removesuffix('lab')}{SPY}"], has_touch=True)
    lab, page = TheLab(notebook), notebook.page
    page.wait_for_function("() => window.labsModel")
    found = []

    def told() -> tuple[Any, ...]:
        edit = page.evaluate("() => window.labsModel.get('_edit')")
        return {k: v for k, v in edit.items() if k not in ("name", "on")}, lab.status(), lab.text()

    hands: list[Callable[[], None]] = [
        lambda: drag(page, lab.key("A|d4|grip"), lab.row("A", "d5"), below=True),
        lambda: drag(page, lab.row("A", "d4").locator(".dm-doc"), lab.row("A", "d5"), below=True),
        lambda: drag_by_finger(page, lab.key("A|d4|grip"), lab.row("A", "d5")),
        lambda: (lab.key("A|d4|grip").focus(), press(page, "Alt+ArrowDown"))[0],
    ]
    for hand in hands:
        hand()
        assert lab.docs("A") == ["d1", "d2", "d3", "d5", "d4"]
        found.append(told())
        lab.key("undo").click()
    assert found[0][1] == "d4 moved to rank 5 of list A"
    assert found == [found[0]] * 4
    # Into the other list, at the same rank.
    over: list[Callable[[], None]] = [
        lambda: drag(page, lab.key("A|d2|grip"), lab.row("B", "d1"), below=False),
        lambda: (lab.key("A|d2|grip").focus(), press(page, "Alt+ArrowRight"))[0],
    ]
    found.clear()
    for hand in over:
        hand()
        assert lab.docs("B") == ["d3", "d2", "d1"]
        found.append(told())
        lab.key("undo").click()
    assert found[0][1] == "d2 is now at rank 2 of list B too"
    assert found == [found[0]] * 2


def lifted(lab: TheLab, start: Locator, goal: Locator) -> tuple[float, float]:
    """The mouse holds a document above the lower half of another; where it is."""
    in_sight(start, goal)
    a, b = box_of(start), box_of(goal)
    mouse = lab.page.mouse
    mouse.move(a["x"] + 5, a["y"] + a["height"] / 2)
    mouse.down()
    mouse.move(a["x"] + 5, a["y"] + a["height"] / 2 + 9)
    at = a["x"] + 15, b["y"] + b["height"] * 0.8
    mouse.move(*at, steps=5)
    return at


def test_a_row_follows_the_pointer_and_the_others_make_room(open_notebook: Open) -> None:
    lab = TheLab(open_notebook([CELL]))
    in_sight(lab.key("A|d1|grip"), lab.row("A", "d3"))
    tops = [box_of(lab.row("A", f"d{d}"))["y"] for d in range(1, 6)]
    grip = box_of(lab.key("A|d1|grip"))
    _, y = lifted(lab, lab.key("A|d1|grip"), lab.row("A", "d3"))
    row = lab.row("A", "d1")
    lab.page.wait_for_function(
        "([row, y]) => Math.abs(row.getBoundingClientRect().top - y) < 2",
        arg=[row.element_handle(), tops[0] + y - (grip["y"] + grip["height"] / 2)],
    )
    for doc, top in (("d2", tops[0]), ("d3", tops[1]), ("d4", tops[3]), ("d5", tops[4])):
        lab.page.wait_for_function(
            "([row, y]) => Math.abs(row.getBoundingClientRect().top - y) < 2",
            arg=[lab.row("A", doc).element_handle(), top],
        )
    assert lab.docs("A") == ["d1", "d2", "d3", "d4", "d5"]  # until it is let go
    assert lab.page.evaluate("() => getSelection().toString()") == ""
    lab.page.mouse.up()
    assert lab.docs("A") == ["d2", "d3", "d1", "d4", "d5"]
    assert lab.root.locator('tr[style*="transform"], .dm-lifted').count() == 0


def test_escape_cancels_a_drag(open_notebook: Open) -> None:
    lab = TheLab(open_notebook([CELL]))
    lifted(lab, lab.key("A|d1|grip"), lab.row("A", "d4"))
    expect(lab.root.locator(".dm-lifted")).to_have_count(1)
    press(lab.page, "Escape")
    expect(lab.root.locator('.dm-lifted, .dm-dragging, tr[style*="transform"]')).to_have_count(0)
    lab.page.mouse.up()
    assert lab.docs("A") == ["d1", "d2", "d3", "d4", "d5"]
    assert lab.status() == ""


def test_a_drag_selects_no_text(open_notebook: Open) -> None:
    lab = TheLab(open_notebook([CELL]))
    lifted(lab, lab.key("A|d1|grip"), lab.row("A", "d5"))
    box = box_of(lab.root)
    lab.page.mouse.move(box["x"] + box["width"] - 20, box["y"] + 20, steps=5)
    assert lab.page.evaluate("() => getSelection().toString()") == ""
    lab.page.mouse.up()
    assert lab.page.evaluate("() => getSelection().toString()") == ""


LONG = """
from divmetrics_widgets import RankedListLab
lines = ["topic 1", "intent a 0.5", "intent b 0.5", *(f"doc d{d} {'ab'[d % 2]}:1" for d in range(30))]
docs = " ".join(f"d{d}" for d in range(30))
lab = RankedListLab("\\n".join([*lines, f"A {docs}", "B d1 d0", "metrics ERR-IA@5"]))
lab
""".strip()


def test_at_the_edge_the_notebook_scrolls(open_notebook: Open) -> None:
    notebook = open_notebook([LONG], size=(1100, 560))
    lab, page = TheLab(notebook), notebook.page
    lab.key("A|d0|grip").scroll_into_view_if_needed()
    scroller = page.locator(".jp-WindowedPanel-outer").first
    outer, grip = box_of(scroller), box_of(lab.key("A|d0|grip"))
    before = scroller.evaluate("(e) => e.scrollTop")
    page.mouse.move(grip["x"] + 5, grip["y"] + 8)
    page.mouse.down()
    page.mouse.move(grip["x"] + 5, grip["y"] + 30, steps=2)
    page.mouse.move(grip["x"] + 5, outer["y"] + outer["height"] - 12, steps=4)
    page.wait_for_function("([e, top]) => e.scrollTop > top + 450", arg=[scroller.element_handle(), before])
    # The row is still under the pointer, and lands there.
    page.mouse.move(grip["x"] + 5, outer["y"] + outer["height"] / 2, steps=3)
    page.mouse.up()
    docs = lab.docs("A")
    assert docs.index("d0") > 5
    assert [doc for doc in docs if doc != "d0"] == [f"d{d}" for d in range(1, 30)]
    lab.agrees_with_the_library()
