"""The mark of an intent is its own: whatever becomes of others, and wherever its lists are shown."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from importlib.resources import files
from random import Random
from urllib.parse import unquote

import playwright.sync_api
import pytest
from playwright.sync_api import expect

from divmetrics.core.topics import Intent
from divmetrics.notebook.appearance.marks import MARKS, mark_drawings
from divmetrics.notebook.textformat.marks import SHAPES, assign_marks
from tests.browser.test_lab import CELL, TheLab
from tests.support.notebook_cells import run_cell
from tests.support.page_actions import fill
from tools.browser import Notebook

DRAWN = {path: MARKS[place] for place, (_, path) in enumerate(mark_drawings())}
TOLD = """
import json
from divmetrics.notebook.charts import ranked_list
layers = [layer["encoding"] for layer in ranked_list(lab.a).spec["layer"] if "shape" in layer["encoding"]]
print(json.dumps({channel: layers[0][channel]["scale"] for channel in ("fill", "shape")}))
""".strip()


@pytest.fixture(scope="module")
def opened(open_for_all: Callable[..., Notebook]) -> Notebook:
    return open_for_all([CELL], run=False)


@pytest.fixture
def lab(notebook: Notebook) -> TheLab:
    return TheLab(notebook)


MARK = "querySelector('.dm-mark').style.backgroundImage"


def marks_shown(lab: TheLab) -> dict[str, tuple[str, str]]:
    """Colour and shape of each intent: the same in panel, legend, heads of lists and labels."""
    of_panel = lab.root.locator("[data-intent-row]").evaluate_all(
        f"rows => rows.map((row) => [row.dataset.intentRow, row.{MARK}])"
    )
    found = {name: mark_of(image) for name, image in of_panel}
    segments = lab.root.locator("[data-segment]:has(.dm-mark)")
    expect(segments).not_to_have_count(0)  # the ribbon has marks once its width is measured
    ribbon = segments.evaluate_all(f"parts => parts.map((part) => [part.dataset.segment, part.{MARK}])")
    assert {name: mark_of(image) for name, image in ribbon} == found
    for side in "AB":
        heads = lab.root.locator(f'[data-list="{side}"] thead th:has(.dm-mark)').evaluate_all(
            f"heads => heads.map((head) => [head.textContent, head.{MARK}])"
        )
        assert {name: mark_of(image) for name, image in heads} == found
    cells = lab.root.locator("button[data-intent]:has(.dm-mark)").evaluate_all(
        f"cells => cells.map((c) => [c.dataset.intent, c.{MARK}])"
    )
    assert all(found[name] == mark_of(image) for name, image in cells)
    return found


def mark_of(image: str) -> tuple[str, str]:
    svg = unquote(image)
    path, colour = re.findall(r'd=\\?"([^"\\]+)\\?" fill=\\?"([^"\\]+)\\?"', svg)[0]
    assert DRAWN[path][0] == colour  # a shape has one colour
    return DRAWN[path]


def test_removing_an_intent_recolours_no_other(lab: TheLab) -> None:
    lab.open_intents()
    cat, car, os = MARKS[:3]
    assert marks_shown(lab) == {"cat": cat, "car": car, "os": os}
    lab.key("intent|0|remove").click()
    lab.settle()
    assert marks_shown(lab) == {"car": car, "os": os}
    assert "triangle" in lab.text()
    # The new one has the first that is free, and a name says nothing about a mark.
    lab.key("intent-add").click()
    fill(lab.key("intent|0|name"), "motor")
    assert marks_shown(lab) == {"motor": car, "os": os, "new": cat}
    lab.agrees_with_the_library()
    lab.key("undo").click()
    lab.key("undo").click()
    lab.key("undo").click()
    assert marks_shown(lab) == {"cat": cat, "car": car, "os": os}
    lab.key("redo").click()
    assert marks_shown(lab) == {"car": car, "os": os}


def test_a_figure_of_the_lab_s_list_has_the_marks_of_the_lab(open_notebook: Callable[..., Notebook]) -> None:
    notebook = open_notebook([CELL, TOLD])
    lab = TheLab(notebook)
    lab.open_intents()
    lab.key("intent|1|remove").click()
    lab.settle()
    shown = marks_shown(lab)
    run_cell(notebook.page, 1)
    element = notebook.page.locator(".jp-CodeCell").nth(1).locator(".jp-OutputArea-output")
    expect(element).not_to_contain_text("car")
    scales = json.loads(element.inner_text())
    for channel, which in (("fill", 0), ("shape", 1)):
        found = dict(zip(scales[channel]["domain"], scales[channel]["range"], strict=True))
        assert found == {name: mark[which] for name, mark in shown.items()}


def test_the_browser_gives_the_marks_that_python_gives(chromium: playwright.sync_api.Browser) -> None:
    rng = Random(3)
    asked = []
    for _ in range(300):
        shapes = rng.sample([*SHAPES, *[None] * 12], rng.randint(1, 14))
        asked.append([Intent(f"i{n}", 1 / len(shapes), mark=shape) for n, shape in enumerate(shapes)])
    source = files("divmetrics_widgets").joinpath("front", "marks.js").read_text(encoding="utf-8")
    page = chromium.new_page()
    names, found = page.evaluate(
        """async ([source, asked]) => {
            const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
            const { SHAPES, placesOf } = await import(address);
            return [SHAPES, asked.map(placesOf)];
        }""",
        [source, [[{"id": t.id, **({"mark": t.mark} if t.mark else {})} for t in topic] for topic in asked]],
    )
    page.close()
    assert tuple(names) == SHAPES
    assert found == [list(assign_marks(topic).values()) for topic in asked]
