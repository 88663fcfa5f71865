"""MetricComposer in a browser: menus, sliders, keys, what is drawn and what is said."""

from __future__ import annotations

import pytest

import divmetrics as dm
from divmetrics import datasets
from divmetrics.core.metric import Metric
from tools.browser import Notebook

CELLS = [
    "from divmetrics_widgets import MetricComposer\nc = MetricComposer('ERR-IA@5')\nc",
    "other = MetricComposer('NRBP')\nother",
]
RANKED = datasets.harry_potter().list("D", "0083")


class Composer:
    """The hands on one composer of the page."""

    def __init__(self, notebook: Notebook, place: int = 0) -> None:
        self.page = notebook.page
        self.root = notebook.page.locator('[data-widget="metric-composer"]').nth(place)

    def answered(self) -> None:
        """Wait until the kernel has nothing left to say."""
        root = self.root.element_handle()
        self.page.wait_for_function("(root) => !root.hasAttribute('data-pending')", arg=root)

    def shows(self, metric: str | Metric, known: bool = True) -> None:
        """The kernel has answered, and the page shows what the library says, to the last digit."""
        chosen = dm.metric(metric)
        score = f"{chosen.score(RANKED):.4f}"
        self.root.locator(f'[data-score]:text-is("{score}")').wait_for()
        self.answered()
        verdict = self.root.locator("[data-known]").text_content()
        assert verdict.startswith(f"This is {metric}" if known else "This is no metric of the tables")
        assert repr(chosen) in self.root.locator("[data-code]").text_content()
        # The table adds up to the score, but for the rounding of its cells.
        cells = self.root.locator("tbody .dm-earned").all_text_contents()
        total = sum(float(cell) for cell in cells if cell.strip("-~0"))
        assert total == pytest.approx(float(score), abs=2e-3)

    def control(self, column: str, name: str):
        return self.root.locator(f'[data-key="{column}|{name}"]')

    def focused(self) -> str:
        return self.page.evaluate("() => document.activeElement.dataset.key")


def test_by_mouse_and_by_key(open_notebook):
    """Each menu, a slider, a number, the cutoff and the start; focus stays; what happened is said."""
    notebook = open_notebook(CELLS)
    composer, page = Composer(notebook), notebook.page
    composer.shows("ERR-IA@5")

    # Each menu by its options, as a mouse chooses them.
    for column, option, metric in (
        ("w", "Log2", None),
        ("M", "Graded", None),
        ("N", "SortedIdeal(intent)", "nDCG-IA@5"),
        ("f", "One", None),
        ("f", "Probability", "nDCG-IA@5"),
    ):
        menu = composer.control(column, "part")
        labels = menu.locator("option").all_text_contents()
        menu.select_option(label=next(label for label in labels if label.startswith(option)))
        composer.answered()
        if metric:
            composer.shows(metric)
    composer.control("M", "gain").select_option("exponential")
    composer.shows("nDCG-IA(gain=exponential)@5")

    # A menu by the keyboard alone, and its words in sight.
    composer.control("w", "part").focus()
    page.keyboard.press("r")
    mixed = dm.metric("nDCG-IA(gain=exponential)@5")
    expected = Metric("mine", cutoff=5, N=mixed.N, f=mixed.f, w=dm.metric("RBP-IA").w, M=mixed.M)
    composer.shows(expected, known=False)
    assert composer.focused() == "w|part"
    assert "the reader goes on" in composer.root.locator('[data-column="w"] .dm-part-words').text_content()
    assert "neighbours" not in composer.root.locator("[data-known]").text_content()
    assert f"Score {expected.score(RANKED):.4f}." in composer.root.locator("[role=status]").text_content()
    page.keyboard.press("ArrowUp")
    composer.shows("nDCG-IA(gain=exponential)@5")
    assert composer.focused() == "w|part"

    # A starting point by the keyboard; a slider by keys, by mouse and by its number.
    composer.root.locator("[data-start]").select_option("alpha-nDCG")
    composer.shows("alpha-nDCG@5")
    slider = composer.control("M", "alpha")
    slider.focus()
    page.keyboard.press("ArrowRight")
    composer.shows("alpha-nDCG(alpha=0.55)@5")
    for _ in range(5):
        page.keyboard.press("ArrowLeft")
    composer.shows("alpha-nDCG(alpha=0.3)@5")
    assert composer.focused() == "M|alpha"
    box = slider.bounding_box()
    page.mouse.move(box["x"] + box["width"] * 0.3, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.6, box["y"] + box["height"] / 2, steps=6)
    page.mouse.move(box["x"] + box["width"] + 40, box["y"] + box["height"] / 2, steps=6)
    page.mouse.up()
    composer.shows("alpha-nDCG(alpha=1)@5")
    number = composer.control("M", "alpha|number")
    number.fill("0.123")
    number.press("Enter")
    composer.shows("alpha-nDCG(alpha=0.123)@5")
    assert slider.input_value() in ("0.1", "0.123")

    # What cannot be is said, and the last good metric stays.
    number.fill("7")
    number.press("Enter")
    composer.root.get_by_role("alert").get_by_text("alpha is 7, expected a number in [0, 1]").wait_for()
    composer.shows("alpha-nDCG(alpha=0.123)@5")
    assert number.input_value() == "0.123"
    number.fill("")
    number.press("Tab")
    composer.root.get_by_role("alert").get_by_text("alpha is 'no number'").wait_for()

    # The cutoff, and a combination that lacks it.
    composer.root.locator("[data-start]").select_option("P-IA")
    composer.shows("P-IA@5")
    cutoff = composer.root.locator("[data-cutoff]")
    cutoff.fill("")
    cutoff.press("Enter")
    composer.root.get_by_role("alert").get_by_text("needs a cutoff").wait_for()
    assert composer.root.locator("[data-score]").count() == 0
    cutoff.fill("3")
    cutoff.press("Enter")
    composer.shows("P-IA@3")
    assert composer.root.get_by_role("alert").count() == 0

    # The other composer has not moved; its formula is drawn by the browser itself.
    other = Composer(notebook, 1)
    other.shows("NRBP")
    assert other.root.locator(".dm-composer-formula math msup").count() > 0
    other.control("w", "beta").focus()
    page.keyboard.press("End")
    other.shows("NRBP(beta=0.95)")
    composer.shows("P-IA@3")


def test_everything_is_reached_by_tab_and_fits(open_notebook):
    """Tab walks through every control; nothing is wider than the widget, at 500 to 1400 pixels."""
    cell = (
        "import divmetrics as dm\n"
        "from divmetrics_widgets import MetricComposer\n"
        "name = '<img src=x onerror=alert(1)>'\n"
        "t = dm.Topic('1', tuple(dm.Intent(f'intent-number-{i}', 0.1) for i in range(9))"
        " + (dm.Intent(name, 0.1),), name)\n"
        "docs = [f'clueweb12-{i:06d}' for i in range(200)]\n"
        "judged = {d: {f'intent-number-{i % 9}': 1, name: 1} for i, d in enumerate(docs)}\n"
        "c = MetricComposer('RBU-original@30', dm.RankedList(t, docs, judged))\n"
        "c.metric = c.metric.named(name)\n"
        "c"
    )
    notebook = open_notebook([cell], size=(700, 1000))
    page, root = notebook.page, notebook.page.locator('[data-widget="metric-composer"]')
    assert root.locator("img").count() == 0
    assert "<img src=x onerror=alert(1)>@30" in root.locator(".dm-composer-earned").text_content()
    assert root.locator("tbody tr").count() == 21
    for width in (560, 700, 1000, 1400):
        notebook.resize(width)
        wide = root.evaluate(
            """(root) => [...root.querySelectorAll('*')].filter((x) => {
                const [inner, outer] = [x.getBoundingClientRect(), root.getBoundingClientRect()];
                return inner.width && (inner.right > outer.right + 1 || inner.left < outer.left - 1);
            }).map((x) => x.outerHTML.slice(0, 80))"""
        )
        assert wide == [], width
    keys = root.locator("[data-key]").evaluate_all("(all) => all.map((x) => x.dataset.key)")
    root.locator("[data-start]").focus()
    walked = []
    for _ in keys:
        walked.append(page.evaluate("() => document.activeElement.dataset.key"))
        page.keyboard.press("Tab")
    closed = {"code", "copy"}  # inside the details that are not open
    assert set(walked) >= set(keys) - closed
