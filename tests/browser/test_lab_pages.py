"""Whatever the order in which messages and events come: no number of one page stands on another.

The module of a lab in a blank page, with a model that delivers what the kernel's lab says in every order.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import islice, permutations
from typing import Any

import playwright.sync_api
import pytest

from divmetrics.notebook.textformat.lab_state import LabState
from divmetrics_widgets import RankedListLab
from tests.support.asking import answer, answers
from tests.support.visible_lab import SHOWN, pending, wrong

MOST_ORDERS = 20
STAGE = """async ([source, shown]) => {
    const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
    const found = (await import(address)).default;
    const kind = typeof found === "function" ? await found() : found;
    class Model {
        constructor(state) {
            Object.assign(this, { state: { ...state }, listeners: [], unsent: {}, sent: [] });
        }
        get(name) { return this.state[name]; }
        set(name, value) {
            this.unsent[name] = value;
            this.deliver({ [name]: value }, [name]);
        }
        deliver(values, order) {
            Object.assign(this.state, structuredClone(values));
            for (const event of [...order.map((name) => `change:${name}`), "change"]) {
                for (const [names, f] of [...this.listeners]) if (names.split(" ").includes(event)) f();
            }
        }
        on(names, f) { this.listeners.push([names, f]); }
        off(names, f) { this.listeners = this.listeners.filter((one) => one[0] !== names || one[1] !== f); }
        save_changes() {
            this.sent.push(this.unsent);
            this.unsent = {};
        }
        send(request) { this.sent.push(request); }
        answer(replies) {
            const hear = this.listeners.filter(([name]) => name === "msg:custom").map(([, f]) => f);
            for (const reply of replies) for (const f of hear) f(reply);
        }
    }
    window.read = eval(shown);
    window.model = (state) => new Model(state);
    window.show = async (model) => {
        const el = document.createElement("div");
        document.body.append(el);
        const stop = await kind.render({ model, el });
        const intents = el.querySelector(".dm-intents"); // all that a lab can show is to be seen
        intents.open = true;
        intents.dispatchEvent(new Event("toggle"));
        return { root: el.firstElementChild, stop: () => { stop?.(); el.remove(); } };
    };
}"""
# Each of some orders, on a lab of its own: all that is seen on the way, and what is seen in the end.
EVERY_ORDER = """async ([state, values, orders]) => {
    const seen = new Set();
    const ends = new Set();
    for (const order of orders) {
        for (const apart of [false, true]) {
            const model = window.model(state);
            const { root, stop } = await window.show(model);
            for (const names of apart ? order.map((name) => [name]) : [order]) {
                model.deliver(Object.fromEntries(names.map((name) => [name, values[name]])), names);
                seen.add(JSON.stringify(window.read(root)));
            }
            ends.add(JSON.stringify(window.read(root)));
            stop();
        }
    }
    return [[...seen].map(JSON.parse), [...ends].map(JSON.parse)];
}"""


class Kernel:
    """A lab as the kernel has it, and what it says: the traits that it has changed."""

    def __init__(self, start: str = "harry potter") -> None:
        self.lab = RankedListLab(start)
        self.state = self.lab.get_state()

    def says(self, act: Callable[[RankedListLab], None]) -> dict[str, Any]:
        act(self.lab)
        before, self.state = self.state, self.lab.get_state()
        return {name: value for name, value in self.state.items() if value != before[name]}

    def hears(self, message: dict[str, Any]) -> dict[str, Any]:
        said = self.says(lambda lab: lab.set_state(message))
        return {name: value for name, value in said.items() if name not in message}

    def answers(self, request: dict[str, Any]) -> list[dict[str, Any]]:
        found = answers(self.lab, request["kind"], **request["args"])
        return [{"id": request["id"], **each} for each in found]


@pytest.fixture
def stage(chromium: playwright.sync_api.Browser) -> Iterator[playwright.sync_api.Page]:
    page = chromium.new_page()
    page.evaluate(STAGE, [str(RankedListLab._esm), f"({SHOWN})"])
    yield page
    page.close()


def is_of_one_of(shown: dict[str, Any], *pages: LabState) -> None:
    """Each number is that of the page that is seen, or is marked as not yet known."""
    complaints = [wrong(shown, page) for page in pages]
    assert [] in complaints, min(complaints, key=len)


def a_preset(lab: RankedListLab) -> None:
    answer(lab, "preset", name="Sakai 2012, Figure 1")


def a_list(lab: RankedListLab) -> None:
    lab.a = ["d9", "d5", "nobody knows", "d1"]


def the_metrics(lab: RankedListLab) -> None:
    lab.metrics = ["D#-nDCG@3", "ERR-IA@5", "RBU@9"]


def a_state(lab: RankedListLab) -> None:
    lab.state = RankedListLab("Sakai et al. 2010, topic 38").state


@pytest.mark.parametrize("act", [a_preset, a_list, the_metrics, a_state])
def test_a_page_of_the_kernel_and_its_numbers_come_in_any_order(
    stage: playwright.sync_api.Page, act: Callable[[RankedListLab], None]
) -> None:
    kernel = Kernel()
    before, state = kernel.lab.page, kernel.state
    said = kernel.says(act)
    orders = list(permutations(said)) if len(said) < 6 else shuffled(list(said))
    seen, ends = stage.evaluate(EVERY_ORDER, [state, said, list(islice(orders, MOST_ORDERS))])
    assert len(orders) >= 6
    for shown in seen:
        is_of_one_of(shown, before, kernel.lab.page)
    for shown in ends:
        assert wrong(shown, kernel.lab.page) == []
        assert pending(shown) == 0


def shuffled(names: list[str]) -> list[list[str]]:
    dice = random.Random(1)
    return [dice.sample(names, len(names)) for _ in range(MOST_ORDERS)]


class Window:
    """A lab in the blank page, told by hand what the kernel says."""

    def __init__(self, stage: playwright.sync_api.Page, state: dict[str, Any], views: int = 1) -> None:
        self.stage = stage
        self.model = stage.evaluate_handle("(state) => window.model(state)", state)
        self.roots = [
            stage.evaluate_handle("async (model) => (await window.show(model)).root", self.model)
            for _ in range(views)
        ]

    def press(self, key: str, view: int = 0) -> dict[str, Any]:
        """Press a button; what the kernel is told."""
        return self.stage.evaluate(
            """([model, root, key]) => {
                root.querySelector(`[data-key="${CSS.escape(key)}"]`).click();
                return Object.assign({}, ...model.sent.splice(0));
            }""",
            [self.model, self.roots[view], key],
        )

    def touches(self, key: str, *events: str) -> list[dict[str, Any]]:
        """What a finger does to a button; the messages to the kernel."""
        sent: list[dict[str, Any]] = self.stage.evaluate(
            """async ([model, root, key, events]) => {
                const button = root.querySelector(`[data-key="${CSS.escape(key)}"]`);
                const how = { bubbles: true, pointerType: "touch" };
                for (const event of events) button.dispatchEvent(new PointerEvent(event, how));
                await new Promise((drawn) => setTimeout(drawn));
                return model.sent.splice(0);
            }""",
            [self.model, self.roots[0], key, [*events]],
        )
        return [message for message in sent if message.get("kind") != "factors"]  # of what is in hand

    def hears(self, said: dict[str, Any]) -> None:
        self.stage.evaluate("([model, said]) => model.deliver(said, Object.keys(said))", [self.model, said])

    def answered(self, replies: list[dict[str, Any]]) -> None:
        self.stage.evaluate("([model, replies]) => model.answer(replies)", [self.model, replies])

    def shown(self, view: int = 0) -> dict[str, Any]:
        result: dict[str, Any] = self.stage.evaluate("(root) => window.read(root)", self.roots[view])
        return result

    def docs(self, side: str = "A") -> list[str]:
        return [doc["id"] for doc in self.shown()["lists"][side]["docs"]]


def test_an_edit_is_pending_until_its_own_numbers_come(stage: playwright.sync_api.Page) -> None:
    kernel = Kernel()
    before = kernel.lab.page
    window = Window(stage, kernel.state)
    assert wrong(window.shown(), before) == []
    assert pending(window.shown()) == 0
    first = kernel.hears(window.press("A|d1|down"))
    moved = kernel.lab.page
    second = kernel.hears(window.press("A|d2|film"))
    assert moved.lists != before.lists
    graded = kernel.lab.page
    for said, known in (({}, False), (first, False), (second, True)):
        window.hears(said)
        shown = window.shown()
        assert wrong(shown, graded) == []
        assert (pending(shown) == 0) is known
        if not known:  # all of them, and not a few
            cells = [
                label
                for listed in shown["lists"].values()
                for doc in listed["docs"]
                for label in doc["labels"]
            ]
            scores = [cell for row in shown["metrics"] for cell in row["scores"]]
            assert all(cell["pending"] for cell in (*cells, *scores, shown["verdict"]))


def test_an_edit_that_crosses_with_a_page_of_the_kernel_is_past(stage: playwright.sync_api.Page) -> None:
    """Both sides end with the kernel's page; undo brings the edit back."""
    kernel = Kernel()
    window = Window(stage, kernel.state)
    edit = window.press("A|d1|down")
    edited = window.docs()
    said = kernel.says(a_list)
    late = kernel.hears(edit)
    assert kernel.lab.a.docs == ("d9", "d5", "nobody knows", "d1")
    for message in (said, late):
        window.hears(message)
        assert wrong(window.shown(), kernel.lab.page) == []
    assert pending(window.shown()) == 0
    assert window.docs() == ["d9", "d5", "nobody knows", "d1"]
    window.hears(kernel.hears(window.press("undo")))
    assert window.docs() == edited == list(kernel.lab.a.docs)
    assert wrong(window.shown(), kernel.lab.page) == []
    assert pending(window.shown()) == 0


def test_numbers_of_an_edit_come_after_the_next_page_of_the_kernel(stage: playwright.sync_api.Page) -> None:
    kernel = Kernel()
    window = Window(stage, kernel.state)
    answer = kernel.hears(window.press("A|d1|down"))
    said = kernel.says(a_preset)
    window.hears(said)
    window.hears(answer)  # late
    assert wrong(window.shown(), kernel.lab.page) == []
    assert pending(window.shown()) == 0


def test_two_views_of_a_lab_show_one_page(stage: playwright.sync_api.Page) -> None:
    kernel = Kernel()
    window = Window(stage, kernel.state, views=2)
    for view, key in ((0, "A|d1|down"), (1, "B|d1|film"), (0, "choose|ERR-IA@5"), (1, "undo"), (0, "best")):
        said = kernel.hears(window.press(key, view))
        for each in (0, 1):
            assert wrong(window.shown(each), kernel.lab.page) == []
            assert pending(window.shown(each)) > 0
        window.hears(said)
        for each in (0, 1):
            assert wrong(window.shown(each), kernel.lab.page) == []
            assert pending(window.shown(each)) == 0


def test_two_windows_never_show_each_others_numbers(stage: playwright.sync_api.Page) -> None:
    """The kernel has the page of whoever made the last edit; each window shows its own, and its numbers."""
    kernel = Kernel()
    one, other = Window(stage, kernel.state), Window(stage, kernel.state)
    first, second = one.press("A|d1|film"), other.press("A|d1|down")
    pages = []
    told = []
    for edit in (first, second):
        told.append(kernel.hears(edit))
        pages.append(kernel.lab.page)
    for said in told:
        for window, page in zip((one, other), pages, strict=True):
            window.hears(said)
            assert wrong(window.shown(), page) == []
    assert pending(other.shown()) == 0


def test_an_answer_about_an_older_page_is_dropped(stage: playwright.sync_api.Page) -> None:
    kernel = Kernel()
    window = Window(stage, kernel.state)
    offers = "(root) => root.querySelector('[data-key=flip-take]') !== null"
    first = window.press("flip|ERR-IA@5")
    late = kernel.answers(first)
    assert "lists" in late[0]["result"]
    window.hears(kernel.hears(window.press("A|d1|down")))
    window.answered(late)
    assert not stage.evaluate(offers, window.roots[0])
    window.answered(kernel.answers(window.press("flip|ERR-IA@5")))
    assert stage.evaluate(offers, window.roots[0])


@pytest.fixture
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """However slow this machine is, other grades are measured."""
    monkeypatch.setattr("divmetrics_widgets.bench.AT_MOST", float("inf"))


TAP = ("pointerup", "click")


@pytest.mark.usefixtures("_patient")
@pytest.mark.parametrize("start", ["harry potter", "Yu et al. 2017, query 0053"])
def test_a_label_that_is_touched_is_measured_before_it_is_let_go(
    stage: playwright.sync_api.Page, start: str
) -> None:
    kernel = Kernel(start)
    window = Window(stage, kernel.state)
    page = kernel.lab.page
    key = f"A|{page.lists['A'][0]}|{page.topic['intents'][0]['id']}"
    for _ in range(page.topic["scale"] + 2):
        (question,) = window.touches(key, "pointerdown")
        assert question["kind"] == "grades"
        window.answered(kernel.answers(question))
        (edit,) = window.touches(key, *TAP)
        foreseen = window.shown()
        assert pending(foreseen) == 0
        answer = kernel.hears(edit)
        assert kernel.lab.page.docs != page.docs
        assert wrong(foreseen, kernel.lab.page) == []
        window.hears(answer)
        assert window.shown() == foreseen  # and so says the kernel
        page = kernel.lab.page


@pytest.mark.usefixtures("_patient")
def test_what_was_asked_before_a_click_answers_it_later_too(stage: playwright.sync_api.Page) -> None:
    kernel = Kernel()
    window = Window(stage, kernel.state)
    question, edit = window.touches("B|d1|film", "pointerdown", *TAP)
    assert pending(window.shown()) > 0
    window.answered(kernel.answers(question))
    foreseen = window.shown()
    assert pending(foreseen) == 0
    window.hears(kernel.hears(edit))
    assert wrong(foreseen, kernel.lab.page) == []
    assert window.shown() == foreseen


@pytest.mark.usefixtures("_patient")
@pytest.mark.parametrize("then", ["A|d1|down", "A|d1|book", "undo", "A|d2|film"])
def test_what_was_measured_for_one_grade_is_never_shown_for_another_page(
    stage: playwright.sync_api.Page, then: str
) -> None:
    kernel = Kernel()
    window = Window(stage, kernel.state)
    question, edit = window.touches("A|d1|film", "pointerdown", *TAP)
    told = kernel.answers(question)
    (other,) = window.touches(then, "click")
    edited = [kernel.hears(message) for message in (edit, other)]
    window.answered(told)
    for said, known in (({}, False), (edited[0], False), (edited[1], True)):
        window.hears(said)
        shown = window.shown()
        assert wrong(shown, kernel.lab.page) == []
        assert (pending(shown) == 0) is known


def test_what_was_measured_for_a_move_is_never_shown_with_other_metrics(
    stage: playwright.sync_api.Page,
) -> None:
    """After `reset` the lists may be those that a move would make, but not the metrics."""
    kernel = Kernel()
    window = Window(stage, kernel.state)
    begun = kernel.lab.page
    for key in (f"drop|{begun.metrics[-1]}", "A|d1|down"):
        window.hears(kernel.hears(window.press(key)))
    window.hears(kernel.hears({"_hand": {"side": "A", "doc": "d1"}}))
    ahead = window.model.evaluate("(model) => model.get('_ahead')")
    assert begun.lists in [page["lists"] for page in ahead["pages"]]
    answer = kernel.hears(window.press("reset"))
    assert kernel.lab.page == begun
    assert pending(window.shown()) > 0
    assert wrong(window.shown(), begun) == []
    window.hears(answer)
    assert pending(window.shown()) == 0
