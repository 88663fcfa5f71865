"""A kernel that has stopped, cannot be reached or is busy: every widget says so, and nothing is lost."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from divmetrics.notebook.textformat.lab_text import read_page
from tests.support.notebook_cells import KERNEL, restart, run_cell, run_until, wait_for_kernel, write_cell
from tests.support.page_actions import fill
from tools.browser import IMPATIENCE, PATIENCE, Notebook

Open = Callable[..., Notebook]

SAID = "The kernel has stopped; your lists are kept: run the cell again."
CELLS = [
    "import os\nprint(os.getpid())",
    'from divmetrics_widgets import RankedListLab\nRankedListLab("harry potter")',
]
# Any of them may be the first that is run again, in a kernel that has imported nothing.
LABS = [*CELLS, CELLS[1], CELLS[1], f'{CELLS[1]}\nsecond = RankedListLab("harry potter")\nsecond']
WITHOUT_THREADS = f"() => {{ {KERNEL}.commsOverSubshells = 'disabled'; }}"
REST = """async ([method, path]) => {
    const token = /_xsrf=([^;]+)/.exec(document.cookie)[1];
    const answer = await fetch("/api/kernels/" + path, { method, headers: { "X-XSRFToken": token } });
    if (!answer.ok) throw new Error(answer.status);
}"""


@pytest.fixture(autouse=True, scope="module")
def patience() -> Iterator[None]:
    """What is waited for comes from kernels that start and stop."""
    expect.set_options(timeout=PATIENCE)
    yield
    expect.set_options(timeout=IMPATIENCE)


def kill(page: Page) -> None:
    os.kill(int(page.locator(".jp-OutputArea-output").first.inner_text()), signal.SIGKILL)
    page.locator(".jp-Dialog button").click(timeout=PATIENCE)


def restart_elsewhere(page: Page) -> None:
    page.evaluate(REST, ["POST", page.evaluate(f"() => {KERNEL}.id") + "/restart"])


class OnPage:
    """One widget on a page or in a cell of it, and what it says about its kernel."""

    def __init__(self, place: Page | Locator, name: str, which: int = 0) -> None:
        self.root: Locator = place.locator(f'[data-widget="{name}"]').nth(which)
        self.said = self.root.locator(".dm-kernel")

    def key(self, key: str) -> Locator:
        return self.root.locator(f'[data-key="{key}"]')

    def settle(self) -> None:
        expect(self.root.locator("css=:scope:not([data-pending])")).to_have_count(1)

    def docs(self, side: str = "A") -> list[str]:
        rows = self.root.locator(f'[data-list="{side}"] tr[data-doc]')
        rows.first.wait_for(timeout=PATIENCE)
        return [str(doc) for doc in rows.evaluate_all("rows => rows.map((row) => row.dataset.doc)")]

    def text(self) -> str:
        self.key("share").click()
        return self.root.locator(".dm-state").input_value()

    def numbers(self) -> list[str]:
        """Every number of the lab that only a kernel knows."""
        texts = self.root.locator("[data-score], .dm-label small, .dm-sum, .dm-sums td").all_inner_texts()
        values = self.root.locator(".dm-label").evaluate_all("all => all.map((label) => label.title)")
        return [text for text in texts if text] + [text for text in values if "earns" in text]


class Stopped:
    """A page of labs whose kernel has stopped. Each story has a lab of its own, which was measured after an
    edit; nobody has touched the last one.
    """

    def __init__(self, notebook: Notebook, stop: Callable[[Page], None]) -> None:
        self.page = page = notebook.page
        if stop is restart_elsewhere:
            # JupyterLab goes on writing to the thread of the old process that answered widgets.
            page.evaluate(WITHOUT_THREADS)
        notebook.run_all()
        # By cell: a lab is no longer the third on the page while the cell of the second runs again.
        cells = page.locator(".jp-CodeCell")
        self.labs = [OnPage(cells.nth(which + 1), "ranked-list-lab") for which in range(4)]
        self.untouched = self.labs[-1]
        self.begun = self.untouched.text()
        self.doc = self.untouched.docs()[0]
        for lab in self.labs[:-1]:
            self.move_down(lab)
            lab.settle()
            assert lab.numbers()
        self.moved = self.labs[0].text()
        stop(page)
        for lab in self.labs:
            expect(lab.said).to_have_text(SAID)

    def move_down(self, lab: OnPage) -> None:
        lab.key(f"A|{self.doc}|down").click()

    def run_again(self, which: int) -> None:
        wait_for_kernel(self.page)
        run_cell(self.page, which + 1)
        lab = self.labs[which]
        expect(lab.root).not_to_have_attribute("data-stopped", "", timeout=PATIENCE)
        lab.settle()


@pytest.fixture(scope="module", params=[restart, kill, restart_elsewhere])
def stopped(open_for_all: Open, request: pytest.FixtureRequest) -> Stopped:
    return Stopped(open_for_all(LABS, run=False), request.param)


def test_a_lab_says_that_its_kernel_has_stopped_and_what_was_measured_stays(stopped: Stopped) -> None:
    lab = stopped.labs[0]
    expect(lab.said).to_have_text(SAID)
    expect(lab.said).to_have_role("alert")
    for key in ("preset", "best", "metric-name", "metric-add", "choose|ERR-IA@5"):
        expect(lab.key(key)).to_be_disabled()
        described = lab.key(key).get_attribute("aria-describedby")
        assert described == lab.said.get_attribute("id")
    for key in ("undo", "share", "levels", f"A|{stopped.doc}|down", "drop|ERR-IA@5"):
        expect(lab.key(key)).to_be_enabled()
    assert lab.text() == stopped.moved  # measured, and still true of this page
    assert lab.numbers()


def test_an_edit_without_a_kernel_is_kept_without_numbers(stopped: Stopped) -> None:
    lab = stopped.labs[1]
    stopped.move_down(lab)
    expect(lab.root).to_have_attribute("data-pending", "")
    assert lab.docs()[2] == stopped.doc
    assert lab.numbers() == []
    assert not any(map(str.strip, lab.root.locator("[data-prefers]").all_inner_texts()))
    expect(lab.root.locator(".dm-verdict-box")).to_have_text("")


def test_lists_edited_without_a_kernel_are_taken_back_into_a_cell_run_again(stopped: Stopped) -> None:
    lab = stopped.labs[2]
    stopped.move_down(lab)
    lab.root.locator('[data-list="B"] button.dm-label').first.press("2")
    kept = lab.text()
    assert read_page(kept).lists["A"][2] == stopped.doc
    assert kept not in (stopped.begun, stopped.moved)
    stopped.run_again(2)
    assert lab.text() == stopped.begun
    lab.key("take-back").click()
    lab.settle()
    assert lab.text() == kept
    assert lab.numbers()
    expect(lab.key("take-back")).to_have_count(0)
    assert stopped.untouched.text() == stopped.begun
    lab.key("undo").click()
    lab.settle()
    assert lab.text() == stopped.begun


def test_unedited_lists_are_not_offered(stopped: Stopped) -> None:
    expect(stopped.untouched.said).to_have_text(SAID)
    stopped.run_again(3)
    assert stopped.untouched.text() == stopped.begun
    expect(stopped.untouched.key("take-back")).to_have_count(0)


def test_lists_that_are_not_taken_back_are_offered_until_they_are_declined(open_notebook: Open) -> None:
    page = open_notebook(CELLS).page
    lab = OnPage(page, "ranked-list-lab")
    begun = lab.docs()
    lab.key(f"A|{begun[0]}|down").click()
    moved = lab.docs()
    for _ in range(2):
        restart(page)
        expect(lab.said).to_have_text(SAID, timeout=PATIENCE)
        wait_for_kernel(page)
        run_cell(page, 1)
        expect(lab.key("take-back")).to_be_visible(timeout=PATIENCE)
        assert lab.docs() == begun
    # Another topic in this cell: these lists do not belong to it.
    write_cell(page, 1, CELLS[1].replace("harry potter", "Yu et al. 2017, query 0053"))
    run_cell(page, 1)
    expect(lab.root.locator(".dm-title")).not_to_contain_text("harry")
    expect(lab.key("take-back")).to_have_count(0)
    write_cell(page, 1, CELLS[1])
    run_cell(page, 1)
    expect(lab.key("take-back")).to_be_visible()
    assert moved != begun
    lab.key("leave").click()
    expect(lab.key("take-back")).to_have_count(0)
    run_cell(page, 1)
    page.wait_for_function(f"() => {KERNEL}.status === 'idle'")
    expect(lab.key("undo")).to_have_attribute("aria-disabled", "true")
    expect(lab.key("take-back")).to_have_count(0)


EVERY = [
    "from divmetrics_widgets import *\nfrom divmetrics.research.datasets import harry_potter\n"
    'ranked = harry_potter().list("D", "0083")',
    'HierarchyLab("harry potter")',
    "MetricComposer()",
    "DisagreementFinder()",
    'PreferenceJudge(metrics=["S-recall@5", "ERR-IA@5"])',
    'ContributionsView("ERR-IA@5", ranked, metrics=["P-IA@5"])',
    'which = Predict("Which list?", ["A", "B"])\ncount = Predict("How many?", number=True)\n'
    "display(which, count)",
    'which.found("B", "For a reason.")',
]


class Every:
    """A page with every widget, and each had something of its reader's when their kernel stopped. Each story
    has a widget of its own.
    """

    def __init__(self, page: Page) -> None:
        self.page = page
        self.tree = OnPage(page, "hierarchy-lab")
        self.composer = OnPage(page, "metric-composer")
        self.finder = OnPage(page, "disagreement-finder")
        self.judge = OnPage(page, "preference-judge")
        self.view = OnPage(page, "contributions-view")
        self.predict = OnPage(page, "predict")
        self.number = OnPage(page, "predict", 1)
        self.found = OnPage(page, "found")
        self.use()
        wait_for_kernel(page)
        self.ask_as_the_kernel_stops()

    def use(self) -> None:
        for widget in [widget for widget in vars(self).values() if isinstance(widget, OnPage)]:
            expect(widget.said).to_have_text("")
        self.tree.key(f"A|{self.tree.docs()[0]}|down").click()
        self.composer.key("w|part").select_option(label="Log2: 1/log2(k+1)")
        self.composer.settle()
        self.finder.key("length").fill("2")
        self.finder.key("find-lists").click()
        self.finder.settle()
        self.press_on_desk("1", "Enter", "3", "Enter")
        self.predict.root.get_by_label("A").click()
        fill(self.number.root.get_by_role("textbox"), "7")

    def press_on_desk(self, *keys: str) -> None:
        for key in keys:
            self.judge.root.locator(".dm-desk").press(key)

    def ask_as_the_kernel_stops(self) -> None:
        """The finder is asked, and never answered."""
        self.finder.key("length").fill("4")
        self.page.evaluate(
            f"""() => {{
                const click = (key) => document.querySelector(`[data-key="${{key}}"]`).click();
                {KERNEL}.statusChanged.emit = ((emit) => function (status) {{
                    if (status === "restarting") click("find-lists");
                    return emit.call(this, status);
                }})({KERNEL}.statusChanged.emit);
            }}"""
        )
        restart(self.page)

    def run_again(self, *cells: int) -> None:
        wait_for_kernel(self.page)
        for cell in (0, *cells):
            run_cell(self.page, cell)


@pytest.fixture(scope="module")
def every(open_for_all: Open) -> Every:
    return Every(open_for_all(EVERY, size=(1000, 1000)).page)


def says_that_its_kernel_has_stopped(widget: OnPage, kept: str = "") -> None:
    expect(widget.said).to_have_text(f"The kernel has stopped{kept}: run the cell again.", timeout=PATIENCE)
    expect(widget.root).not_to_have_attribute("data-pending", "")


def has_its_kernel_back(widget: OnPage) -> None:
    expect(widget.root).not_to_have_attribute("data-stopped", "", timeout=PATIENCE)
    expect(widget.said).to_have_text("", timeout=PATIENCE)


def take_back(widget: OnPage) -> None:
    expect(widget.key("take-back")).to_be_visible(timeout=PATIENCE)
    widget.key("take-back").click()
    expect(widget.key("take-back")).to_have_count(0)


def test_a_hierarchy_lab_without_a_kernel_goes_on_and_gives_its_list_back(every: Every) -> None:
    tree = every.tree
    says_that_its_kernel_has_stopped(tree, "; your list is kept")
    for key in ("metric", "cutoff"):
        expect(tree.key(key)).to_be_disabled()
    doc = tree.docs()[1]
    tree.key(f"A|{doc}|down").click()
    assert tree.docs()[2] == doc
    expect(tree.root.locator("[data-score]")).to_have_count(0)
    every.run_again(1)
    has_its_kernel_back(tree)
    assert tree.docs()[0] == doc
    take_back(tree)
    assert tree.docs()[2] == doc


def test_a_composer_without_a_kernel_gives_its_metric_back(every: Every) -> None:
    composer = every.composer
    code = composer.root.locator("[data-code]")
    says_that_its_kernel_has_stopped(composer, "; your metric is kept")
    for key in ("start", "cutoff", "N|part", "f|part", "w|part", "M|part"):
        expect(composer.key(key)).to_be_disabled()
    composed = code.text_content() or ""
    assert "w=Log2()" in composed
    every.run_again(2)
    has_its_kernel_back(composer)
    expect(code).not_to_have_text(composed)
    take_back(composer)
    expect(code).to_have_text(composed)


def test_a_search_that_the_kernels_end_cut_short_is_taken_up_again(every: Every) -> None:
    finder = every.finder
    says_that_its_kernel_has_stopped(finder, "; your question is kept")
    expect(finder.root.get_by_role("status")).to_have_text("the search has ended without an answer")
    for key in ("m1", "m2", "pool", "length", "budget", "seed", "find-lists"):
        expect(finder.key(key)).to_be_disabled()
    expect(finder.root.locator(".dm-answer-title")).to_have_count(0)
    every.run_again(3)
    has_its_kernel_back(finder)
    take_back(finder)
    finder.settle()
    expect(finder.key("length")).to_have_value("4")
    expect(finder.root.locator(".dm-answer-title")).to_contain_text("prefers A by")


def test_a_judge_without_a_kernel_goes_on_and_gives_the_answers_back(every: Every) -> None:
    judge = every.judge
    says_that_its_kernel_has_stopped(judge, "; your answers are kept")
    every.press_on_desk("2", "Enter")
    for _ in range(17):
        judge.key("skip").click()
    expect(judge.root).to_contain_text("Not compared: that needs the kernel.")
    every.run_again(4)
    has_its_kernel_back(judge)
    take_back(judge)
    expect(judge.root).to_contain_text("pair 2 of 10, question 2 of 2")


def test_a_view_of_contributions_without_a_kernel_says_so(every: Every) -> None:
    says_that_its_kernel_has_stopped(every.view)
    expect(every.view.key("metric")).to_be_disabled()
    every.run_again(5)
    has_its_kernel_back(every.view)


def test_predictions_without_a_kernel_are_given_back_and_can_be_declined(every: Every) -> None:
    choice, number = every.predict.root.get_by_label, every.number.root.get_by_role("textbox")
    for widget in (every.predict, every.number):
        says_that_its_kernel_has_stopped(widget, "; your answer is kept")
    says_that_its_kernel_has_stopped(every.found)
    expect(choice("B")).to_be_disabled()
    expect(number).to_be_disabled()
    every.run_again(6, 7)
    for widget in (every.predict, every.number, every.found):
        has_its_kernel_back(widget)
    take_back(every.predict)
    take_back(every.number)
    expect(choice("A")).to_be_checked()
    expect(number).to_have_value("7")
    expect(every.found.root).to_contain_text("You said A.")
    every.predict.key("not-back").click()
    expect(choice("A")).not_to_be_checked()
    expect(every.found.root).not_to_contain_text("You said")


@contextmanager
def no_connection(page: Page) -> Iterator[None]:
    """Inside, the connection to the kernel is lost, and no new one can be made."""
    page.evaluate(
        f"""() => {{
            window.settings = {KERNEL}.serverSettings;
            window.WebSockets = settings.WebSocket;
            settings.WebSocket = class {{
                constructor() {{ setTimeout(() => this.onclose({{ code: 3001 }})); }}
                close() {{}}
            }};
            {KERNEL}._ws.close(3001);
        }}"""
    )
    # What is written to a socket that is just being closed is nobody's.
    page.wait_for_function(f"() => {KERNEL}.connectionStatus !== 'connected'")
    yield
    page.evaluate(f"() => {{ settings.WebSocket = WebSockets; {KERNEL}.reconnect(); }}")


def test_lost_connection_is_reported_until_it_returns(open_notebook: Open) -> None:
    notebook = open_notebook(CELLS)
    page = notebook.page
    lab = OnPage(page, "ranked-list-lab")
    doc = lab.docs()[0]
    with no_connection(page):
        expect(lab.said).to_have_text(
            "The connection to the kernel is lost; your lists are kept. When it is back, the numbers follow."
        )
        expect(lab.key("preset")).to_be_disabled()
        lab.key(f"A|{doc}|down").click()
        assert lab.numbers() == []
    expect(lab.said).to_have_text("")
    expect(lab.key("preset")).to_be_enabled()
    lab.settle()
    assert lab.docs()[1] == doc
    assert lab.numbers()


def test_answers_given_without_a_connection_reach_the_kernel_when_it_is_back(open_notebook: Open) -> None:
    cells = [
        "from divmetrics_widgets import Predict, PreferenceJudge\njudge = PreferenceJudge()\njudge",
        'line = Predict("In one word?")\nline',
        'print("".join(answer[:1] for answer in judge.answers), line.answer)',
    ]
    notebook = open_notebook(cells)
    page = notebook.page
    judge, line = OnPage(page, "preference-judge"), OnPage(page, "predict")
    desk = judge.root.locator(".dm-desk")
    for key in ("1", "Enter"):
        desk.press(key)
    wait_for_kernel(page)
    with no_connection(page):
        # The connection has gone, and the widgets do not say so yet.
        fill(line.root.get_by_role("textbox"), "novelty")
        for key in ("2", "Enter"):
            desk.press(key)
        expect(judge.said).to_contain_text("The connection to the kernel is lost")
        for key in ("3", "Enter"):
            desk.press(key)
    expect(judge.said).to_have_text("")
    run_until(page, 2, "lsr novelty")
    expect(page.locator(".jp-OutputArea-output").last).to_have_text("lsr novelty\n")
    expect(judge.root).to_contain_text("pair 2 of 10, question 2 of 2")
    expect(line.root.get_by_role("textbox")).to_have_value("novelty")


def test_messages_to_a_dead_connection_are_sent_again(
    open_notebook: Open,
) -> None:
    cells = [
        "from divmetrics_widgets import *\njudge = PreferenceJudge()\njudge",
        'line = Predict("In one word?")\nline',
        'lab = RankedListLab("harry potter")\nlab',
        'print("".join(answer[:1] for answer in judge.answers), line.answer, *lab.a.docs)',
    ]
    page = open_notebook(cells).page
    judge, line, lab = (OnPage(page, name) for name in ("preference-judge", "predict", "ranked-list-lab"))
    lab.settle()
    begun, word = lab.docs(), line.root.get_by_role("textbox")
    # As after a night in a bag: nobody has told the browser yet that nobody listens.
    page.evaluate(f"() => {{ {KERNEL}._ws.send = () => {{}}; }}")
    fill(word, "novelty")
    judge.root.locator(".dm-desk").press("1")
    for _ in range(2):
        lab.key(f"A|{begun[0]}|down").click()
    moved = lab.docs()
    assert moved[:3] == [begun[1], begun[2], begun[0]]
    page.evaluate(f"() => {{ {KERNEL}._ws.close(3001); {KERNEL}.reconnect(); }}")
    lab.settle()
    run_until(page, 3, f"l novelty {' '.join(moved)}\n")
    expect(word).to_have_value("novelty")
    assert lab.docs() == moved
    # And they go on.
    fill(word, "rarely")
    lab.key(f"A|{begun[0]}|down").click()
    lab.settle()
    run_until(page, 3, f"l rarely {' '.join(lab.docs())}\n")


WAIT = "import os, time\nwhile not os.path.exists('done'):\n    time.sleep(0.01)"


def test_busy_kernel_is_reported_until_it_answers(open_notebook: Open) -> None:
    notebook = open_notebook([CELLS[1], WAIT], run=False)
    page = notebook.page
    # Newer kernels can answer a widget beside a running cell; this one shall not.
    page.evaluate(WITHOUT_THREADS)
    run_cell(page, 0)
    lab = OnPage(page, "ranked-list-lab")
    lab.root.wait_for(timeout=PATIENCE)
    doc = lab.docs()[0]
    run_cell(page, 1)
    page.wait_for_function(f"() => {KERNEL}.status === 'busy'")
    expect(lab.said).to_have_text("")  # nobody waits for it
    lab.key(f"A|{doc}|down").click()
    expect(lab.said).to_have_text("The kernel is busy with another cell; the numbers follow when it is done.")
    expect(lab.key("preset")).to_be_enabled()
    assert lab.docs()[1] == doc
    Path(notebook.server.folder, "done").touch()
    expect(lab.said).to_have_text("")
    lab.settle()
    assert lab.numbers()
