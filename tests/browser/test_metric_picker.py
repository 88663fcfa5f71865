"""The picker of metrics and the menu of questions, as a reader uses them in JupyterLab."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

import divmetrics as dm
from divmetrics.explanations.user_model_texts import describe_users
from divmetrics.notebook.taxonomy import families
from divmetrics_widgets.presets import PRESETS
from tests.browser.test_lab import CELL, TheLab
from tests.support.layout import cut_off
from tests.support.page_actions import fill, press
from tools.browser import Notebook

Open = Callable[..., Notebook]


@pytest.fixture(scope="module")
def opened(open_for_all: Open) -> Notebook:
    return open_for_all([CELL], run=False)


@pytest.fixture
def lab(notebook: Notebook) -> TheLab:
    """A lab whose field has been entered once: then the kernel says which metrics there are."""
    lab = TheLab(notebook)
    field(lab).click()
    expect(lab.root.locator("[role=option]").first).to_be_visible()
    press(lab.page, "Escape")
    field(lab).blur()
    return lab


def field(lab: TheLab) -> Locator:
    return lab.key("metric-name")


def options(lab: TheLab) -> list[str]:
    values: list[str] = lab.root.locator("[role=option]").evaluate_all(
        "options => options.map((option) => option.dataset.metric)"
    )
    return values


def marked(lab: TheLab) -> str | None:
    """The option that Enter takes: the field names it, and it alone says that it is selected."""
    active = field(lab).get_attribute("aria-activedescendant")
    selected = lab.root.locator("[role=option][aria-selected=true]")
    assert selected.count() == (active is not None)
    if active is None:
        return None
    assert selected.get_attribute("id") == active
    return selected.get_attribute("data-metric")


def test_a_metric_is_chosen_by_keyboard_alone(lab: TheLab) -> None:
    every = [listed.name for family in families() for listed in family.metrics]
    field(lab).focus()
    expect(field(lab)).to_have_attribute("aria-expanded", "false")
    press(lab.page, "ArrowDown")
    expect(field(lab)).to_have_attribute("aria-expanded", "true")
    assert options(lab) == every
    assert marked(lab) == every[0]
    press(lab.page, "ArrowUp")
    assert marked(lab) == every[-1]
    press(lab.page, "ArrowDown", "ArrowDown")
    assert marked(lab) == every[1]
    press(lab.page, "End")
    assert marked(lab) == every[-1]
    press(lab.page, "PageUp")
    assert marked(lab) == every[-6]
    press(lab.page, "Home")
    assert marked(lab) == every[0]
    press(lab.page, "Escape")
    expect(field(lab)).to_have_attribute("aria-expanded", "false")
    assert options(lab) == []
    expect(field(lab)).to_be_focused()
    lab.page.keyboard.type("ap-ia")
    assert options(lab)[0] == "AP-IA"
    assert marked(lab) is None  # what is typed counts, until another is chosen
    press(lab.page, "ArrowDown", "Enter")
    expect(field(lab)).to_have_value("AP-IA@5")  # the cutoff of the lab's other metrics
    assert "AP-IA@5" in lab.status()
    expect(lab.root.locator('[data-metric-row^="AP-IA"]')).to_have_count(0)
    lab.page.keyboard.type("3")  # over the cutoff
    press(lab.page, "Enter")
    lab.settle()
    expect(lab.root.locator('[data-metric-row="AP-IA@3"]')).to_have_count(1)
    expect(field(lab)).to_have_value("")
    expect(field(lab)).to_be_focused()
    lab.agrees_with_the_library()


def test_the_caret_keeps_its_keys_while_no_option_is_chosen(lab: TheLab) -> None:
    field(lab).focus()
    lab.page.keyboard.type("rr")
    press(lab.page, "Home")
    lab.page.keyboard.type("e")
    expect(field(lab)).to_have_value("err")
    press(lab.page, "End")
    lab.page.keyboard.type("-ia@2")
    expect(field(lab)).to_have_value("err-ia@2")
    assert options(lab)[0] == "ERR-IA"
    press(lab.page, "ArrowDown", "Enter")
    expect(field(lab)).to_have_value("ERR-IA@2")  # the cutoff that was typed


@pytest.mark.parametrize(
    ("typed", "first", "among"),
    [
        ("precision", "Prec", {"P-IA", "RBP-IA"}),
        ("patience", "RBP-IA", {"iRBU-IA", "RBU", "NRBP"}),
        ("navigational", "DIN-nDCG", {"P+Q", "DIN#-Q"}),
        ("err ia", "ERR-IA", set()),
        ("ERR-IA@7", "ERR-IA", set()),
        ("alpha ndcg", "alpha-nDCG", {"alpha-nDCG-IS"}),
        ("coverage", "S-recall", {"I-rec"}),
        ("chapelle 2011", "ERR-IA", set()),
        ("leave satisfies", "ERR-IA", {"iRBU-IA"}),
    ],
)
def test_words_lead_to_metrics(lab: TheLab, typed: str, first: str, among: set[str]) -> None:
    field(lab).fill(typed)
    found = options(lab)
    assert found[0] == first
    assert among <= set(found)
    assert len(found) < 40


def test_unmatched_text_can_still_be_added(lab: TheLab) -> None:
    field(lab).fill("ndeval:alpha-nDCG@20")
    assert options(lab) == []
    expect(lab.root.locator(".dm-add [role=status]")).to_have_text(
        "none in the list; Enter adds what you typed"
    )
    press(lab.page, "ArrowDown", "Enter")
    lab.settle()
    expect(lab.root.locator('[data-metric-row="ndeval:alpha-nDCG@20"]')).to_have_count(1)
    lab.agrees_with_the_library()


def test_a_metric_is_chosen_by_mouse_and_the_list_closes_when_the_field_is_left(lab: TheLab) -> None:
    lab.key("metric-list").click()
    expect(field(lab)).to_be_focused()
    lab.root.locator('[role=option][data-metric="NRBP"]').click()
    expect(field(lab)).to_have_value("NRBP@5")
    expect(field(lab)).to_be_focused()
    assert options(lab) == []
    lab.key("metric-add").click()
    lab.settle()
    expect(lab.root.locator('[data-metric-row="NRBP@5"]')).to_have_count(1)
    field(lab).click()
    there = lab.root.locator("[role=option]", has_text="in the lab")
    values = there.evaluate_all("options => options.map((option) => option.dataset.metric)")
    assert set(values) == {"ERR-IA", "D#-nDCG", "alpha-nDCG", "ERR-IS", "NRBP"}
    lab.key("undo").focus()
    expect(lab.root.locator("[role=option]")).to_have_count(0)
    lab.key("metric-list").click()
    lab.key("metric-list").click()
    expect(lab.root.locator("[role=option]")).to_have_count(0)


def test_options_show_user_model_and_source(lab: TheLab) -> None:
    lab.key("metric-list").click()
    for family in families():
        group = lab.root.get_by_role("group", name=f"{family.title} {family.about}", exact=True)
        for listed, option in zip(family.metrics, group.locator("[role=option]").all(), strict=True):
            text = option.inner_text()
            assert text.split()[0] == listed.name
            assert listed.line in text
            assert listed.source in text


@pytest.mark.parametrize("width", [420, 700, 1000])
def test_the_open_list_stays_within_the_lab(lab: TheLab, notebook: Notebook, width: int) -> None:
    notebook.resize(width)
    field(lab).click()
    box = lab.root.locator("[role=listbox]")
    assert cut_off(lab.root.locator(".dm-add")) == []
    sizes = box.evaluate(
        """(list) => {
            const { top, bottom, left, right } = list.getBoundingClientRect();
            const outer = list.closest(".dm").getBoundingClientRect();
            const output = list.closest(".jp-OutputArea-output");
            const { scrollHeight, clientHeight, scrollWidth, clientWidth } = output;
            const options = [...list.querySelectorAll("[role=option]")];
            return {
                wide: left >= outer.left && right <= outer.right,
                high: top >= outer.top && bottom <= outer.bottom,
                scrolls: list.scrollHeight > list.clientHeight && list.scrollWidth <= list.clientWidth,
                height: bottom - top,
                whole: scrollHeight <= clientHeight + 1 && scrollWidth <= clientWidth + 1,
                least: Math.min(...options.map((option) => option.offsetHeight)),
            };
        }"""
    )
    assert sizes["wide"]
    assert sizes["high"]
    assert sizes["scrolls"]
    assert sizes["whole"]
    assert sizes["height"] <= 340
    assert sizes["least"] >= 24
    press(lab.page, "ArrowUp")  # the last option, which is scrolled to
    selected = lab.root.locator("[role=option][aria-selected=true]")
    expect(selected).to_be_in_viewport()


def test_a_finger_chooses_a_metric(open_notebook: Open) -> None:
    lab = TheLab(open_notebook([CELL], has_touch=True))
    lab.key("metric-list").tap()
    option = lab.root.locator('[role=option][data-metric="RBU"]')
    option.scroll_into_view_if_needed()
    option.tap()
    expect(field(lab)).to_have_value("RBU@5")
    lab.key("metric-add").tap()
    lab.settle()
    expect(lab.root.locator('[data-metric-row="RBU@5"]')).to_have_count(1)


def line(lab: TheLab) -> Locator:
    return lab.root.locator(".dm-reader-box [role=status]")


def test_what_the_readers_of_a_metric_do_stands_below_the_scores(lab: TheLab) -> None:
    def says(name: str) -> str:
        return f"{name}: {describe_users(dm.metric(name))}"

    expect(line(lab)).to_have_text(says("ERR-IA@5"))
    height = lab.root.evaluate("(root) => root.getBoundingClientRect().height")
    lab.key("choose|ERR-IA@5").focus()
    for name in ("D#-nDCG@5", "alpha-nDCG@5", "ERR-IS@5", "ndeval:ERR-IA@5"):
        lab.key(f"choose|{name}").focus()
        expect(line(lab)).to_have_text(says(name))
        assert lab.root.evaluate("(root) => root.getBoundingClientRect().height") == height
    lab.key("levels").focus()
    expect(line(lab)).to_have_text(says("ERR-IA@5"))
    lab.key("choose|D#-nDCG@5").click()
    lab.settle()
    lab.page.mouse.move(0, 0)
    lab.key("metric-name").focus()
    expect(line(lab)).to_have_text(says("D#-nDCG@5"))
    press(lab.page, "Escape")
    lab.add_metrics("alpha-nDCG(alpha=0.9)@2")
    lab.key("choose|alpha-nDCG(alpha=0.9)@2").focus()
    expect(line(lab)).to_have_text(says("alpha-nDCG(alpha=0.9)@2"))


QUESTIONS = "from divmetrics_widgets import RankedListLab\nlab = RankedListLab()\nlab"


def question(lab: TheLab) -> Locator:
    return lab.root.locator(".dm-example b")


def test_a_question_stays_until_another_page_is_loaded_and_comes_back_with_its_page(
    open_notebook: Open,
) -> None:
    notebook = open_notebook([QUESTIONS, "lab.state = RankedListLab('redundancy').state"], run=False)
    notebook.page.evaluate("() => void jupyterapp.commands.execute('notebook:run-cell')")
    lab = TheLab(notebook)
    said = {name: of.question for name, of in PRESETS.items()}
    expect(question(lab)).to_have_text(said["harry potter"])
    offered = lab.key("preset").locator("optgroup option")
    assert offered.all_inner_texts() == list(said.values())
    for name in ("java", "who comes first", "synthetic"):
        lab.key("preset").select_option(name)
        expect(question(lab)).to_have_text(said[name])
        text = lab.root.locator(".dm-example").inner_text()
        assert PRESETS[name].first in text
        assert PRESETS[name].source in text
        lab.agrees_with_the_library()
    lab.key("undo").click()
    expect(question(lab)).to_have_text(said["who comes first"])
    lab.key("A|film|down").click()
    lab.agrees_with_the_library()
    expect(question(lab)).to_have_text(said["who comes first"])
    lab.key("undo").click()
    lab.key("undo").click()
    expect(question(lab)).to_have_text(said["java"])
    lab.key("redo").click()
    expect(question(lab)).to_have_text(said["who comes first"])
    lab.key("reset").click()
    expect(question(lab)).to_have_text(said["harry potter"])
    lab.agrees_with_the_library()
    lab.key("undo").click()
    expect(question(lab)).to_have_text(said["who comes first"])
    # A page that is no example asks nothing; the browser and Python agree on that.
    notebook.page.evaluate(
        """async () => {
            const { kernel } = jupyterapp.shell.currentWidget.sessionContext.session;
            await kernel.requestExecute({ code: "lab.state = RankedListLab('redundancy').state" }).done;
        }"""
    )
    expect(lab.root.locator(".dm-example")).to_have_count(0)
    lab.agrees_with_the_library()
    lab.key("undo").click()
    expect(question(lab)).to_have_text(said["who comes first"])
    fill(lab.key("metric-name"), "RBU@5")
    lab.agrees_with_the_library()
    expect(question(lab)).to_have_text(said["who comes first"])
