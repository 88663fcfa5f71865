"""140 random actions on a lab: after each, every visible number is that of the visible page, or is pending.

Some are made while its kernel starts again. Everything that was on the screen on the way is looked at, not
only what is there when all is settled.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from typing import Any

from playwright.sync_api import Locator, expect

from divmetrics.notebook.textformat.lab_state import LabState
from divmetrics_widgets import RankedListLab
from tests.support.notebook_cells import restart, wait_for_kernel
from tests.support.page_actions import drag
from tests.support.visible_lab import SHOWN, pending, wrong
from tools.browser import PATIENCE, Notebook

Open = Callable[..., Notebook]
ROUNDS = 4  # in each of which every kind of action has its turn
RESTARTS = 60  # after so many actions the kernel starts again
SEED = 7
CELLS = [
    "from divmetrics_widgets import RankedListLab\nlab = RankedListLab()\nlab",
    """
import time, anywidget, traitlets

class Spy(anywidget.AnyWidget):
    _esm = '''export default { async render({ model }) {
        window.labsModel = await model.widget_manager.get_model(model.get("of"));
    } };'''
    of = traitlets.Unicode(lab.model_id).tag(sync=True)

Spy()
""".strip(),
]
# Whatever is seen from now on, and which pages there were.
WATCH = """([root, shown]) => {
    const read = eval(shown);
    const model = window.labsModel;
    window.pages = [];
    window.seen = [];
    const turned = () => {
        const [page, edit] = [model.get("_shown"), model.get("_edit")];
        const { topic, docs, lists, metrics } = edit.on === page.name ? { ...page, ...edit } : page;
        window.pages.push({ topic, docs, lists, metrics });
    };
    let last = "";
    window.look = () => {
        const now = JSON.stringify(read(root));
        if (now !== last) window.seen.push(now);
        last = now;
    };
    model.on("change:_shown change:_edit", turned);
    new MutationObserver(window.look).observe(
        root, { subtree: true, childList: true, attributes: true, characterData: true });
    turned();
    window.look();
}"""
DRAIN = """() => {
    window.look();
    return [window.pages.splice(0), window.seen.splice(0).map(JSON.parse)];
}"""
# An act of the page itself: the kernel cannot have answered when it is over.
ACT = """([root, what, key, value]) => {
    const element = root.querySelector(`[data-key="${CSS.escape(key)}"]`);
    if (!element) return false; // the kernel has put another page on meanwhile
    if (what === "click") element.click();
    else if (what === "select") {
        element.value = value;
        element.dispatchEvent(new Event("change", { bubbles: true }));
    } else {
        element.focus();
        element.value = value;
        const enter = { key: "Enter", bubbles: true, cancelable: true };
        element.dispatchEvent(new KeyboardEvent("keydown", enter));
    }
    return true;
}"""
RUN = """async ([code, wait]) => {
    const { kernel } = jupyterapp.shell.currentWidget.sessionContext.session;
    const done = kernel.requestExecute({ code }).done;
    if (!wait) return "ok";
    const { content } = await done;
    return content.status === "ok" ? "ok" : `${content.ename}: ${content.evalue}`;
}"""
METRICS = [
    "ERR-IA@5",
    "D#-nDCG@3",
    "alpha-nDCG@10",
    "RBU@12",
    "ERR-IS@5",
    "ndeval:ERR-IA@20",
    "I-rec@4",
]
MANY = 25  # documents on a page, from where none are added


class Session:
    """A lab, the dice, and what was done so far."""

    def __init__(self, notebook: Notebook) -> None:
        self.notebook, self.page = notebook, notebook.page
        self.root: Locator = self.page.locator('[data-widget="ranked-list-lab"]').first
        self.root.wait_for()
        self.dice = random.Random(SEED)
        self.done: list[str] = []
        self.pages: list[LabState] = []
        self.checked = self.missed = 0
        self.watch()

    def watch(self) -> None:
        """See all that the lab shows from now on: it has just been made."""
        self.page.wait_for_function("() => window.labsModel")
        self.handle = self.root.element_handle()
        self.root.locator(".dm-intents summary").click()
        self.act("click", "levels")
        self.page.evaluate(WATCH, [self.handle, f"({SHOWN})"])
        self.look()

    @property
    def now(self) -> LabState:
        """The page as the browser has it."""
        return self.pages[-1]

    def act(self, what: str, key: str, value: str = "") -> None:
        self.done.append(" ".join(filter(None, [what, key, value])))
        if not self.page.evaluate(ACT, [self.handle, what, key, value]):
            self.missed += 1

    def run(self, code: str, *, wait: bool = False) -> None:
        self.done.append(code if len(code) < 150 else f"{code[:150]}...")
        assert self.page.evaluate(RUN, [code, wait]) == "ok"

    def look(self) -> dict[str, Any]:
        """All that was seen since the last look is what it should be."""
        pages, seen = self.page.evaluate(DRAIN)
        before = self.pages[-1:]
        self.pages += [LabState(**page) for page in pages]
        for shown in seen:
            complaints = [wrong(shown, page) for page in (*before, *self.pages[-len(pages) - 1 :])]
            assert [] in complaints, min(complaints, key=len)
            self.checked += 1
        self.last = seen[-1] if seen else self.last
        return self.last

    def settle(self) -> None:
        """The kernel has answered everything: no number is pending, and both sides have the same page."""
        expect(self.root).not_to_have_attribute("data-pending", re.compile(".*"), timeout=60_000)
        self.run("None", wait=True)
        expect(self.root).not_to_have_attribute("data-pending", re.compile(".*"), timeout=60_000)
        shown = self.look()
        assert wrong(shown, self.now) == []
        assert pending(shown) == 0
        assert "This widget has failed" not in self.root.inner_text()

    def restart(self) -> None:
        """The kernel starts again, somebody goes on all the same, runs the cells and takes the lists back."""
        self.settle()
        self.done.append("the kernel starts again")
        restart(self.page)
        expect(self.root.locator(".dm-kernel")).to_contain_text("The kernel has stopped", timeout=PATIENCE)
        assert pending(self.look()) == 0  # what was measured is still so
        for side in "AB":
            self.act("select", f"{side}|add", "new:")
            assert pending(self.look()) > 0
        kept = self.now
        wait_for_kernel(self.page)
        self.page.evaluate("() => { window.labsModel = null; }")
        self.notebook.run_all()
        self.watch()
        self.act("click", "take-back")
        self.settle()
        assert self.now == kept

    def side(self) -> tuple[str, list[str]]:
        side = self.dice.choice("AB")
        return side, self.now.lists[side]

    def settled(self, kind: str) -> bool:
        """Some actions read what is on the page: it has to be that page which they expect."""
        return kind in ("drag", "key", "best")


def actions(session: Session) -> dict[str, Callable[[], None]]:
    """By name, each on what is on the page when its turn comes; where it cannot be done, nothing is."""
    dice, act = session.dice, session.act

    def intents() -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = session.now.topic["intents"]
        return found

    def a_document(least: int = 1) -> Iterator[tuple[str, str]]:
        side, docs = session.side()
        if len(docs) >= least:
            yield side, dice.choice(docs)

    def move() -> None:
        for side, doc in a_document():
            act("click", f"{side}|{doc}|{dice.choice(['up', 'down'])}")

    def key() -> None:
        for side, doc in a_document():
            session.root.locator(f'[data-key="{side}|{doc}|grip"]').focus()
            for _ in range(dice.randint(1, 3)):
                pressed = dice.choice(["Alt+ArrowDown", "Alt+ArrowUp", "Alt+ArrowRight"])
                session.done.append(f"{pressed} on {side}|{doc}")
                session.page.keyboard.press(pressed)

    def dragged() -> None:
        for side, doc in a_document(2):
            other, docs = session.side()
            if docs:
                session.done.append(f"drag {side}|{doc} to {other}|{docs[-1]}")
                grip = session.root.locator(f'[data-key="{side}|{doc}|grip"]')
                goal = session.root.locator(f'[data-list="{other}"] [data-doc="{docs[-1]}"]')
                drag(session.page, grip, goal, below=dice.random() < 0.5)

    def grade() -> None:
        for side, doc in a_document():
            intent = dice.choice(intents())
            below = [f"{intent['id']}/{child['id']}" for child in intent["children"]]
            act("click", f"{side}|{doc}|{dice.choice([intent['id'], *below])}")

    def probability() -> None:
        if dice.random() < 0.2:
            act("click", "rescale")
        if len(intents()) > 1:
            act(
                "enter",
                f"intent|{dice.randrange(len(intents()))}|probability",
                f"{dice.randint(1, 99) / 100}",
            )
        if abs(sum(t["probability"] for t in intents()) - 1) > 1e-6 and dice.random() < 0.7:
            normalise()

    def normalise() -> None:
        if session.root.locator('[data-key="normalise"]').count():
            act("click", "normalise")

    def kind() -> None:
        place = dice.randrange(len(intents()))
        act("select", f"intent|{place}|kind", dice.choice(["navigational", "informational"]))

    def intent() -> None:
        if len(intents()) < 6:
            act("click", "intent-add")
        else:
            act("click", f"intent|{dice.randrange(len(intents()))}|remove")

    def subtopic() -> None:
        place = dice.randrange(len(intents()))
        children = intents()[place]["children"]
        if len(children) < 3:
            act("click", f"intent|{place}|child")
        elif dice.random() < 0.5:
            act("click", f"child|{place}|{dice.randrange(len(children))}|remove")
        else:
            act("enter", f"child|{place}|0|probability", f"{dice.randint(1, 99) / 100}")

    def metric() -> None:
        shown = list(session.now.metrics)
        name = dice.choice(METRICS)
        if name not in shown and len(shown) < 6:
            act("enter", "metric-name", name)
        elif len(shown) > 2:
            act("click", f"drop|{dice.choice(shown)}")

    def choose() -> None:
        if session.now.metrics:
            act("click", f"choose|{dice.choice(session.now.metrics)}")

    def document() -> None:
        side, docs = session.side()
        what = dice.choice(["copy", "remove", "new", "same", "back"])
        if what == "back":
            if session.root.locator(f'[data-key="{side}|back"]').count():
                act("click", f"{side}|back")
        elif what == "same":
            act("click", f"{side}|same")
        elif what == "new" and len(session.now.docs) < MANY:
            act("select", f"{side}|add", "new:")
        elif docs and (what == "remove" or len(session.now.docs) < MANY):
            act("click", f"{side}|{dice.choice(docs)}|{'remove' if what == 'remove' else 'copy'}")

    def best() -> None:
        act("click", "best")

    def use_best() -> None:
        if session.root.locator('[data-key="best|A"]').count():
            act("click", f"best|{dice.choice('AB')}")

    def python() -> None:
        some = [doc["id"] for doc in dice.sample(session.now.docs, min(5, len(session.now.docs)))]
        what = dice.choice(["a", "b", "metrics", "state"])
        if what == "metrics":
            session.run(f"lab.metrics = {dice.sample(METRICS, 4)!r}")
        elif what == "state":
            session.run(f"lab.state = {RankedListLab(dice.choice(RankedListLab.presets())).state!r}")
        else:  # of documents that the kernel may not know yet: then they were never judged
            session.run(f"lab.{what} = {some!r}")

    def later() -> None:
        session.run("time.sleep(0.3)")

    return {
        "move": move, "key": key, "drag": dragged, "grade": grade, "probability": probability, "kind": kind,
        "intent": intent, "subtopic": subtopic, "metric": metric, "choose": choose, "document": document,
        "best": best, "use best": use_best, "python": python, "slow kernel": later,
        "preset": lambda: act("select", "preset", dice.choice(RankedListLab.presets())),
        "undo": lambda: act("click", "undo"), "redo": lambda: act("click", "redo"),
        "reset": lambda: act("click", "reset"),
    }  # fmt: skip


OFTEN = {"move": 4, "key": 3, "grade": 4, "undo": 3, "redo": 2, "python": 3, "slow kernel": 2, "document": 3}


def test_random_edits_show_no_stale_scores(open_notebook: Open) -> None:
    session = Session(open_notebook(CELLS, size=(1400, 2400)))
    possible = actions(session)
    kinds = [name for name in possible for _ in range(OFTEN.get(name, 1))]
    names = [name for _ in range(ROUNDS) for name in session.dice.sample(kinds, len(kinds))]
    try:
        for count, name in enumerate(names, start=1):
            if count % RESTARTS == 0:
                session.restart()
            if session.settled(name):
                session.settle()
            possible[name]()
            session.look()
            if session.dice.random() < 0.6:
                session.settle()
        session.settle()
    except Exception as error:
        actions_so_far = "\n".join(session.done)
        raise AssertionError(f"seed {SEED}: {error}\nAfter\n{actions_so_far}") from error
    assert len(names) == 140
    assert session.checked > len(names)
    assert session.missed < len(names) / 20
