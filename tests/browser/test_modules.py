"""Every widget's JavaScript: its files must make one module that a browser reads, and do what they say."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from importlib.resources import files

import playwright.sync_api
import pytest

import divmetrics_widgets
from divmetrics.notebook.textformat.lab_text import read_page, write_page
from divmetrics_widgets import Predict, PreferenceJudge, RankedListLab
from divmetrics_widgets.presets import PRESETS, preset
from divmetrics_widgets.tool import WidgetBase

WIDGETS = [
    widget
    for widget in map(vars(divmetrics_widgets).get, divmetrics_widgets.__all__)
    if isinstance(widget, type) and issubclass(widget, WidgetBase)
]


@pytest.mark.parametrize("widget", WIDGETS, ids=lambda widget: widget.__name__)
def test_files_of_a_widget_are_one_module(
    chromium: playwright.sync_api.Browser, widget: type[WidgetBase]
) -> None:
    page = chromium.new_page()
    result = page.evaluate(
        """async (source) => {
            const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
            try {
                return typeof (await import(address)).default().render;
            } catch (error) {
                return String(error);
            }
        }""",
        str(widget._esm),
    )
    page.close()
    assert result == "function"


@pytest.fixture
def blank(chromium: playwright.sync_api.Browser) -> Iterator[playwright.sync_api.Page]:
    """A page of no front end, with what a module needs of one: a model, and a manager with a kernel."""
    page = chromium.new_page()
    page.goto("about:blank")
    page.evaluate(FRONT_END)
    page.clock.install(time="2026-01-01")
    page.clock.pause_at("2026-01-02")  # from here on it goes only where a test lets it run
    yield page
    page.close()


FRONT_END = """() => {
    class Signal {
        slots = [];
        connect(slot) { this.slots.push(slot); }
        disconnect(slot) { this.slots = this.slots.filter((other) => other !== slot); }
        emit(told) { for (const slot of [...this.slots]) slot(null, told); }
    }
    window.aKernel = () => ({
        status: "idle", statusChanged: new Signal(), connectionStatusChanged: new Signal(),
        disposed: new Signal(), anyMessage: new Signal(),
    });
    window.says = (kernel, msg_type, execution_state, session, parent_header = {}) => {
        const content = { execution_state };
        const msg = { channel: "iopub", header: { msg_type, session }, parent_header, content };
        kernel.anyMessage.emit({ direction: "recv", msg });
    };
    window.aModel = (state, kernel) => {
        const heard = [];
        return {
            sent: 0, heard,
            get: (name) => state[name],
            set: (name, value) => { state[name] = value; },
            save_changes() { this.sent += 1; },
            on: (name, f) => heard.push([name, f]), off() {},
            widget_manager: kernel === undefined ? undefined : { kernel },
        };
    };
    window.imported = (source) =>
        import(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
    window.shown = async (source, model) => {
        const { initialize, render } = (await imported(source)).default();
        await initialize({ model });
        const el = document.body.appendChild(document.createElement("div"));
        return { el, stop: await render({ model, el }) };
    };
}"""
QUESTION = {
    "_question": "Which?", "_choices": ["A", "B"], "_kind": "choice", "_unit": "", "answer": None,
    "_problem": "",
}  # fmt: skip
SAID = "() => view.el.querySelector('.dm-kernel').textContent"
STOPPED = "The kernel has stopped; your answer is kept: run the cell again."


def show(page: playwright.sync_api.Page, kernel: str = "kernel = aKernel()") -> None:
    page.evaluate(
        f"""async ([source, state]) => {{
            window.kernel = null;
            window.model = aModel(state, {kernel});
            window.view = await shown(source, model);
        }}""",
        [str(Predict._esm), {**QUESTION, "_place": "cell"}],
    )


@pytest.mark.parametrize(
    "event",
    [
        *(f"kernel.statusChanged.emit('{status}')" for status in ("restarting", "autorestarting", "dead")),
        "kernel.disposed.emit()",
        "says(kernel, 'shutdown_reply', undefined, 'one', { msg_id: '1' })",
        "says(kernel, 'status', 'starting', 'two')",
        "says(kernel, 'status', 'idle', 'one', { msg_id: '1' }); "
        "says(kernel, 'status', 'busy', 'two', { msg_id: '2' })",
    ],
)
def test_kernel_death_is_reported_at_once(blank: playwright.sync_api.Page, event: str) -> None:
    show(blank)
    assert blank.evaluate(SAID) == ""
    blank.evaluate(f"() => {{ {event} }}")
    assert blank.evaluate(SAID) == STOPPED
    assert blank.evaluate("() => view.el.querySelector('fieldset').disabled")
    blank.evaluate(
        "() => { kernel.statusChanged.emit('idle'); kernel.connectionStatusChanged.emit('connected'); }"
    )
    assert blank.evaluate(SAID) == STOPPED
    assert blank.evaluate("() => Object.values(kernel).every((signal) => !signal.slots?.length)")


def test_other_kernel_states_are_not_reported_as_death(blank: playwright.sync_api.Page) -> None:
    show(blank)
    blank.evaluate(
        """() => {
            for (const status of ["busy", "idle", "unknown"]) kernel.statusChanged.emit(status);
            says(kernel, "status", "idle", "one", { msg_id: "1" });
            says(kernel, "status", "idle", "of the server");  // answers no message
            says(kernel, "status", "busy", "one", { msg_id: "2", msg_type: "comm_msg" });
            kernel.connectionStatusChanged.emit("connecting");
            kernel.connectionStatusChanged.emit("connected");  // before anybody could have read of it
        }"""
    )
    blank.clock.run_for(5000)
    assert blank.evaluate(SAID) == ""


def test_lost_connection_is_reported_and_cleared(blank: playwright.sync_api.Page) -> None:
    show(blank)
    blank.evaluate("() => kernel.connectionStatusChanged.emit('connecting')")
    blank.clock.run_for(2000)
    assert "connection to the kernel is lost; your answer is kept" in blank.evaluate(SAID)
    assert blank.evaluate("() => view.el.querySelector('fieldset').disabled")
    blank.evaluate("() => kernel.connectionStatusChanged.emit('connected')")
    assert blank.evaluate(SAID) == ""
    assert not blank.evaluate("() => view.el.querySelector('fieldset').disabled")


@pytest.mark.parametrize("kernel", ["undefined", "null", "{}", "{ statusChanged: {} }"])
def test_silent_kernel_is_reported_without_front_end_status(
    blank: playwright.sync_api.Page, kernel: str
) -> None:
    show(blank, kernel)
    root = "view.el.firstChild"
    blank.evaluate(f"() => {root}.setAttribute('data-pending', '')")
    blank.clock.run_for(9000)
    assert blank.evaluate(SAID) == ""
    blank.clock.run_for(3000)
    assert blank.evaluate(SAID) == "The kernel has not answered for 10 s."
    blank.clock.run_for(10_000)
    assert blank.evaluate(SAID) == "The kernel has not answered for 20 s."
    blank.evaluate(f"() => {root}.removeAttribute('data-pending')")
    assert blank.evaluate(SAID) == ""


def test_busy_kernel_is_reported_after_a_second(blank: playwright.sync_api.Page) -> None:
    show(blank)
    busy = "says(kernel, 'status', '{}', 'one', {{ msg_id: '1', msg_type: 'execute_request' }})"
    blank.evaluate(f"() => {{ {busy.format('busy')} }}")
    blank.clock.run_for(5000)
    assert blank.evaluate(SAID) == ""  # nobody waits
    blank.evaluate("() => view.el.firstChild.setAttribute('data-pending', '')")
    blank.clock.run_for(900)
    assert blank.evaluate(SAID) == ""
    blank.clock.run_for(200)
    assert blank.evaluate(SAID).startswith("The kernel is busy with another cell;")
    blank.evaluate(f"() => {{ {busy.format('idle')} }}")
    assert blank.evaluate(SAID) == ""


PAGE = read_page(
    """
topic "a b" "said \\"so\\""
scale 3 4
intent 10 1/3 navigational "ten\\nlines"
  subtopic x 0.30000000000000004
  subtopic "\\u0085" 3e-05 "\u00e9\u2713"
  subtopic y 0.7
intent 2 0.6666666666666667
intent never 0
doc d1 2:1 10/x:3 "about"
doc "d 2" ?
doc d3
doc "d\\"4" "10/\\u0085:2" ""
A d1 "d 2"
B
metrics ERR-IA@5 "alpha-nDCG(alpha=0.3, top=\\"x\\")@10"
"""
)


def test_the_browser_writes_a_page_as_python_does(blank: playwright.sync_api.Page) -> None:
    source = files("divmetrics_widgets").joinpath("front", "notation.js").read_text(encoding="utf-8")
    rng = random.Random(7)
    chances = [1.0, 0.0, 0.1 + 0.2, 5e-05, 1.5e-07, 1e-16, 97 / 99, 0.5, *(rng.random() for _ in range(200))]
    pages = [PAGE, *map(preset, PRESETS)]
    for chance in chances:
        intents = [{**t, "probability": chance} for t in PAGE.topic["intents"]]
        pages.append(replace(PAGE, topic={**PAGE.topic, "intents": intents}))
    texts = blank.evaluate(
        "async ([source, pages]) => pages.map((await imported(source)).written)",
        [source, [vars(page) for page in pages]],
    )
    for page, text in zip(pages, texts, strict=True):
        assert text == write_page(page)


def test_edit_survives_restored_older_state(blank: playwright.sync_api.Page) -> None:
    """As JupyterLab does when a lost connection is back, before the kernel has heard of the edit."""
    source = files("divmetrics_widgets").joinpath("front", "history.js").read_text(encoding="utf-8")
    first, second = (list(order) for order in ("ab", "ba"))
    page, past, sent = blank.evaluate(
        """async ([source, first, second]) => {
            const { History } = await imported(source);
            const shown = { name: "1", topic: {}, docs: [], lists: { A: first }, metrics: [] };
            const model = aModel({ _shown: shown, _edit: {} });
            const history = new History(model);
            history.edit({ ...history.page, lists: { A: second } }, "");
            model.set("_edit", {});
            history.listen();
            return [history.page.lists.A, history.past.length, model.get("_edit")];
        }""",
        [source, first, second],
    )
    assert (page, past) == (second, 1)
    assert sent["lists"] == {"A": second}
    assert sent["on"] == "1"
    assert sent["name"].endswith(".2")  # a new name: numbers of the edit before it are none of this one


def test_a_request_is_sent_again_until_it_is_answered_and_ends_with_the_kernel(
    blank: playwright.sync_api.Page,
) -> None:
    source = files("divmetrics_widgets").joinpath("front", "requests.js").read_text(encoding="utf-8")
    sent, heard = blank.evaluate(
        """async (source) => {
            const { Requests } = await imported(source);
            const sent = [], heard = [];
            const model = aModel({}), ids = {};
            model.send = ({ id, kind, args }) => { sent.push([kind, args]); ids[kind] = id; };
            const requests = new Requests(model);
            const [[, hear]] = model.heard;
            for (const kind of ["grades", "flip", "dropped"]) {
                const drop = requests.send(kind, { of: "1" }, (reply) => heard.push([kind, reply]));
                if (kind === "dropped") drop();
            }
            hear({ id: "of another view", result: 0 });
            hear({ id: ids.dropped, result: 0 });
            for (const result of [1, 2]) hear({ id: ids.grades, result });
            requests.again();
            requests.end();
            requests.again();
            hear({ id: ids.flip, result: 3 });
            return [sent, heard];
        }""",
        source,
    )
    assert sent == [[kind, {"of": "1"}] for kind in ("grades", "flip", "dropped", "flip")]
    assert heard == [
        ["grades", {"result": 1}],
        ["grades", {"result": 2}],
        ["flip", {}],
    ]


ASKED = {
    "_pairs": [{"title": "t", "intents": [], "sides": [[], []]}], "_questions": ["Which?"], "answers": [""],
    "_found": [], "_compared": 0, "_ends": 0,
}  # fmt: skip


@pytest.mark.parametrize(("widget", "state"), [(Predict, QUESTION), (PreferenceJudge, ASKED)])
def test_rejected_messages_are_reported_until_one_is_accepted(
    blank: playwright.sync_api.Page, widget: type[WidgetBase], state: dict[str, object]
) -> None:
    result = blank.evaluate(
        """async ([source, state]) => {
            const model = aModel(state, aKernel());
            const { el } = await shown(source, model);
            const all = [];
            const tell = (problem) => {
                model.set("_problem", problem);
                for (const [names, f] of model.heard) if (names.includes("change:_problem")) f();
                all.push([...el.querySelectorAll(".dm-problem")].map((line) => line.textContent));
            };
            for (const problem of ["one", "two", ""]) tell(problem);
            return all;
        }""",
        [str(widget._esm), {**state, "_problem": "before it was shown"}],
    )
    assert result == [["one"], ["two"], [""]]


def test_documents_named_like_object_properties(blank: playwright.sync_api.Page) -> None:
    """Nothing has been measured for it while it is new in a list."""
    names = ["constructor", "__proto__", "toString"]
    lab = RankedListLab(
        "\n".join(["topic t", "intent i 1", "doc d i:1", *(f"doc {name}" for name in names), "A d", "B d"])
    )
    state = json.loads(json.dumps(lab.get_state(), default=str))
    result = blank.evaluate(
        """async ([source, state, names]) => {
            const { el } = await shown(source, aModel(state, aKernel()));
            for (const name of names) {
                const menu = el.querySelector("[data-key='B|add']");
                menu.value = `doc:${name}`;
                menu.dispatchEvent(new Event("change"));
            }
            const texts = (selector, f) => [...el.querySelectorAll(selector)].map(f);
            return [
                texts("[data-list=B] tr[data-doc]", (row) => row.dataset.doc),
                texts(".dm-problem", (line) => line.textContent),
            ];
        }""",
        [str(RankedListLab._esm), state, names],
    )
    assert result == [["d", *names], []]


def test_rejected_prediction_is_not_confirmed(blank: playwright.sync_api.Page) -> None:
    show(blank)
    blank.evaluate("() => view.el.querySelector('input').click()")
    status = "() => view.el.querySelector('[role=status]').textContent"
    assert blank.evaluate(status) == "noted"
    blank.evaluate(
        """() => {
            model.set("_problem", "refused");
            for (const [names, f] of model.heard) if (names === "change:_problem") f();
        }"""
    )
    assert blank.evaluate(status) == ""
