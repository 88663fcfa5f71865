"""MetricComposer in a browser: menus, sliders, keys, what is drawn and what is said."""

from __future__ import annotations

import pytest

import divmetrics as dm
from divmetrics import datasets
from divmetrics.core.metric import Metric
from divmetrics.explanations.formulas import latex_terms
from divmetrics.explanations.user_model_texts import describe_columns
from tests.support.layout import cut_off
from tests.support.page_actions import box_of, fill, press
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
        assert verdict.startswith(f"This is {metric}" if known else "This metric is not in the tables")
        assert repr(chosen) in self.root.locator("[data-code]").text_content()
        # The table adds up to the score, but for the rounding of its cells.
        cells = self.root.locator("tbody .dm-earned").all_text_contents()
        total = sum(float(cell) for cell in cells if cell.strip("-~0"))
        assert total == pytest.approx(float(score), abs=2e-3)

    def control(self, column: str, name: str):
        return self.root.locator(f'[data-key="{column}|{name}"]')

    def choose(self, column: str, option: str) -> None:
        """The option of the column's menu that begins so."""
        menu = self.control(column, "part")
        labels = menu.locator("option").all_text_contents()
        menu.select_option(label=next(label for label in labels if label.startswith(option)))
        self.answered()

    def start(self, metric: str) -> None:
        self.root.locator("[data-start]").select_option(metric)
        self.answered()

    def focused(self) -> str:
        return self.page.evaluate("() => document.activeElement.dataset.key")


@pytest.fixture(scope="module")
def opened(open_for_all) -> Notebook:
    return open_for_all(CELLS, run=False)


@pytest.fixture
def composer(notebook: Notebook) -> Composer:
    return Composer(notebook)


def test_each_menu_by_mouse_changes_the_metric(composer):
    composer.shows("ERR-IA@5")
    for column, option, metric in (
        ("w", "Log2", None),
        ("M", "Graded", None),
        ("N", "SortedIdeal(intent)", "nDCG-IA@5"),
        ("f", "One", None),
        ("f", "Probability", "nDCG-IA@5"),
    ):
        composer.choose(column, option)
        if metric:
            composer.shows(metric)
    composer.control("M", "gain").select_option("exponential")
    composer.shows("nDCG-IA(gain=exponential)@5")


def test_a_menu_by_keyboard_keeps_the_focus_and_says_what_it_made(composer):
    composer.start("nDCG-IA")
    composer.control("M", "gain").select_option("exponential")
    composer.shows("nDCG-IA(gain=exponential)@5")
    composer.control("w", "part").focus()
    press(composer.page, "r")
    mixed = dm.metric("nDCG-IA(gain=exponential)@5")
    expected = Metric("mine", cutoff=5, N=mixed.N, f=mixed.f, w=dm.metric("RBP-IA").w, M=mixed.M)
    composer.shows(expected, known=False)
    assert composer.focused() == "w|part"
    words = composer.root.locator('[data-column="w"] .dm-part-words').text_content()
    assert "RBP" in words
    assert "phi" in words
    assert "neighbours" not in composer.root.locator("[data-known]").text_content()
    assert f"Score {expected.score(RANKED):.4f}." in composer.root.locator("[role=status]").text_content()
    press(composer.page, "ArrowUp")
    composer.shows("nDCG-IA(gain=exponential)@5")
    assert composer.focused() == "w|part"


def test_a_slider_moves_by_keys_and_keeps_the_focus(composer):
    composer.start("alpha-nDCG")
    composer.shows("alpha-nDCG@5")
    composer.control("M", "alpha").focus()
    press(composer.page, "ArrowRight")
    composer.shows("alpha-nDCG(alpha=0.55)@5")
    press(composer.page, *["ArrowLeft"] * 5)
    composer.shows("alpha-nDCG(alpha=0.3)@5")
    assert composer.focused() == "M|alpha"


def test_a_slider_moves_by_mouse_as_far_as_it_goes(composer):
    composer.start("alpha-nDCG")
    fill(composer.control("M", "alpha|number"), "0.3")
    composer.shows("alpha-nDCG(alpha=0.3)@5")
    box, mouse = box_of(composer.control("M", "alpha")), composer.page.mouse
    height = box["y"] + box["height"] / 2
    mouse.move(box["x"] + box["width"] * 0.3, height)
    mouse.down()
    mouse.move(box["x"] + box["width"] * 0.6, height, steps=6)
    mouse.move(box["x"] + box["width"] + 40, height, steps=6)
    mouse.up()
    composer.shows("alpha-nDCG(alpha=1)@5")


def test_a_number_beside_its_slider_is_exact(composer):
    composer.start("alpha-nDCG")
    fill(composer.control("M", "alpha|number"), "0.123")
    composer.shows("alpha-nDCG(alpha=0.123)@5")
    assert composer.control("M", "alpha").input_value() in ("0.1", "0.123")


def test_invalid_combination_keeps_the_last_metric(composer):
    composer.start("alpha-nDCG")
    number, alert = composer.control("M", "alpha|number"), composer.root.get_by_role("alert")
    fill(number, "0.123")
    composer.shows("alpha-nDCG(alpha=0.123)@5")
    fill(number, "7")
    alert.get_by_text("alpha is 7, expected a number in [0, 1]").wait_for()
    composer.shows("alpha-nDCG(alpha=0.123)@5")
    assert number.input_value() == "0.123"
    number.fill("")
    number.press("Tab")
    alert.get_by_text("alpha is 'no number'").wait_for()


def test_a_metric_that_needs_a_cutoff_has_no_score_until_it_has_one(composer):
    composer.start("P-IA")
    composer.shows("P-IA@5")
    cutoff = composer.root.locator("[data-cutoff]")
    fill(cutoff, "")
    composer.root.get_by_role("alert").get_by_text("needs a cutoff").wait_for()
    assert composer.root.locator("[data-score]").count() == 0
    fill(cutoff, "3")
    composer.shows("P-IA@3")
    assert composer.root.get_by_role("alert").count() == 0


def test_composers_do_not_share_state(notebook):
    composer, other = Composer(notebook), Composer(notebook, 1)
    composer.start("P-IA")
    composer.shows("P-IA@5")
    other.shows("NRBP")
    other.control("w", "beta").focus()
    press(other.page, "End")
    other.shows("NRBP(beta=0.95)")
    composer.shows("P-IA@5")


def test_the_formula_is_drawn_by_the_browser_itself(notebook):
    other = Composer(notebook, 1)
    other.shows("NRBP")
    assert other.root.locator(".dm-composer-formula math msup").count() > 0


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
        "c.metric = c.metric.with_name(name)\n"
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


def test_plain_words_come_first_and_each_term_has_the_letter_of_its_menu(composer):
    composer.start("ERR-IA")
    composer.shows("ERR-IA@5")
    reader, terms = composer.root.locator(".dm-reader li"), composer.root.locator("math munder[data-term]")
    for change, metric in (
        (None, "ERR-IA@5"),
        ("nDCG-IA", "nDCG-IA@5"),
        ("Q-IA", "Q-IA@5"),
        ("alpha-nDCG", "alpha-nDCG@5"),
    ):
        if change:
            composer.start(change)
            composer.shows(metric)
        row = dm.metric(metric)
        told = describe_columns(row)
        assert reader.evaluate_all("all => all.map((e) => e.dataset.term)") == list(told)
        for place, (column, sentence) in enumerate(told.items()):
            assert reader.nth(place).text_content() == f"{column} {sentence}"
        columns = [column for column, term in latex_terms(row) if column and term]
        assert terms.evaluate_all("all => all.map((e) => e.dataset.term)") == columns
        assert terms.locator("> mtext").all_text_contents() == columns  # a letter, not the colour alone
    composer.root.locator("[data-stop]").select_option("rp")
    composer.answered()
    assert terms.evaluate_all("all => all.map((e) => e.dataset.term)") == ["w", "N", "M", "stop"]
    assert "stop at the first" in reader.nth(1).text_content()
    composer.root.locator("[data-stop]").select_option("")
    composer.answered()
    # Words stand above the formula, and a menu's card has the line and the colour of its term.
    tops = [
        box_of(composer.root.locator(place))["y"]
        for place in (".dm-reader", ".dm-composer-formula", ".dm-composer-cards")
    ]
    assert tops == sorted(tops)
    sign = "(e) => ['--term', '--line'].map((name) => getComputedStyle(e).getPropertyValue(name))"
    signs = []
    for column in ("w", "N", "M"):
        of_term = terms.and_(composer.root.locator(f'[data-term="{column}"]')).evaluate(sign)
        assert composer.root.locator(f'.dm-card[data-column="{column}"]').evaluate(sign) == of_term
        signs.append(tuple(of_term))
    assert len({line for _, line in signs}) == len(signs)


def test_a_slider_changes_the_sentence_too(composer):
    composer.start("alpha-nDCG")
    fill(composer.control("M", "alpha|number"), "0.25")
    composer.shows("alpha-nDCG(alpha=0.25)@5")
    element = composer.root.locator('.dm-reader [data-term="M"]').first
    assert "leaves only 0.75 of their interest" in element.text_content()


def test_nothing_of_a_composer_is_cut_off(notebook, composer):
    for start in ("ERR-IA", "NRBP", "Q-IA"):
        composer.start(start)
        for width in (700, 1400):  # the last is that of the other stories
            notebook.resize(width)
            assert composer.root.evaluate("e => e.scrollWidth <= e.clientWidth"), (start, width)


@pytest.mark.parametrize(("width", "apart"), [(420, True), (700, False), (1400, False)])
def test_documents_show_full_titles(notebook, composer, width, apart):
    """In a narrow window a title stands on a line of its own, above what its document earns."""
    titles = datasets.harry_potter_documents()
    composer.start("P-IA")
    composer.shows("P-IA@5")
    notebook.resize(width)
    lines = [" ".join(line.split()) for line in composer.root.locator("tbody tr").all_inner_texts()]
    for rank, doc in enumerate(RANKED.docs[:5], 1):
        first, then = lines.pop(0), lines.pop(0) if apart else ""
        assert first == titles[doc] if apart else first.startswith(f"{rank} {titles[doc]} {doc}")
        assert then.startswith(f"{rank} {doc}") if apart else not then
    assert lines == []
    bold = composer.root.locator(".dm-earned-title, .dm-earned-table .dm-about")
    assert bold.evaluate_all("all => all.map((e) => getComputedStyle(e).fontWeight)") == ["600"] * 5
    assert cut_off(composer.root) == []
    notebook.resize(1400)  # that of the other stories
