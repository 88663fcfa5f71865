"""The book in a browser without a network: how soon a lab's numbers follow, and how soon a lesson answers.

    make book
    python benchmarks/book_in_browser.py [--presses 200] [--rounds 15] [--lesson 00_start_here] [--live]

A move: one key on a lab of 20 documents under 8 metrics, in a page without a kernel; with --live, in turns
with the same lab in JupyterLab. A lesson: opened from the disk, in turns with the same page without its text,
labs and tables. On a machine that does other things, the time of the processor says more than the clock.
Printed, with what is asked:

    to the numbers  from the keydown event to the new scores in the DOM, 95th percentile (under 8 ms)
    of a processor  the same, and what it spends on that, 95th percentile
    a lesson        until its first lab can be pressed, as a ratio to the empty page (at most 1.5)
    of a processor  what the page's main thread spends until then, as a ratio to the empty page (at most 1.5)
    at rest         the same until the page has nothing to do any more
"""

from __future__ import annotations

import argparse
import math
import os
import platform
import re
import statistics
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from lab_in_browser import LAB, percentile
from playwright.sync_api import Browser, Page

from divmetrics_widgets import RankedListLab, in_book
from tools.browser import Notebook, browser, jupyter_lab, write_notebook

LESSONS = Path(__file__).parents[1] / "site" / "notebooks"
GRIP = '[data-list="A"] [data-doc="d0"] [data-do="grip"]'
KEYS = ("Alt+ArrowDown", "Alt+ArrowUp")
WARM = 10  # presses at the start that are not counted
BLOCK = 20
# From the event's own time stamp to the change of the scores, which are then those of the new order.
TO_THE_NUMBERS = """() => {
    window.waited = [];
    let since = 0;
    document.addEventListener('keydown', (event) => {
        if (event.key !== 'Alt') since = event.timeStamp;
    }, { capture: true });
    new MutationObserver(() => {
        if (since) window.waited.push(performance.now() - since);
        since = 0;
    }).observe(document.querySelector('.dm-scores'), { childList: true, subtree: true, characterData: true });
}"""
# A mark in the record of the browser: the first lab has been drawn or, where there is none, the page has been
# read; and what did that has come to its end, so that a press is heard.
ANSWERS = """
const free = new MessageChannel();
free.port1.onmessage = () => performance.mark("answers");
const labs = '.divmetrics-page[data-module="lab.js"]';
new MutationObserver((_, observer) => {
    if (!document.querySelector(`${labs} button[data-do="grip"]`)) return;
    free.port2.postMessage("");
    observer.disconnect();
}).observe(document, { childList: true, subtree: true });
addEventListener("DOMContentLoaded", () => {
    if (!document.querySelector(labs)) free.port2.postMessage("");
});
"""
RECORDED = ["toplevel", "blink.user_timing"]
REST = 1000  # milliseconds after which a page rests


PRESS = """([grip, key]) => document.querySelector(grip).dispatchEvent(
    new KeyboardEvent('keydown', { key, altKey: true, bubbles: true }))"""


class Clock:
    """The time that the processor has spent for a page, in milliseconds."""

    def __init__(self, page: Page) -> None:
        self.session = page.context.new_cdp_session(page)
        self.session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def spent(self, on: str = "TaskDuration") -> float:
        """In all its tasks, or in its scripts alone (ScriptDuration)."""
        metrics = self.session.send("Performance.getMetrics")["metrics"]
        return 1000 * next(one["value"] for one in metrics if one["name"] == on)


def alone(folder: Path) -> Path:
    """The lab of benchmarks/lab_in_browser.py, as a page of the book has it."""
    names: dict[str, RankedListLab] = {}
    exec("\n".join(LAB.splitlines()[1:]), names)
    os.environ[in_book.BOOK_VARIABLE] = "1"
    html = names["lab"]._repr_mimebundle_()[0][in_book.PAGE_TYPE]
    del os.environ[in_book.BOOK_VARIABLE]
    page = folder / "alone.html"
    script, styles = f"<script>{in_book.script()}</script>", f"<style>{in_book.styles()}</style>"
    page.write_text(f'<!doctype html><meta charset="utf-8">{styles}<body>{html}{script}', encoding="utf-8")
    return page


def presses(page: Page, count: int) -> list[float]:
    """So many keys on one lab, one after another; from each to its numbers, in milliseconds."""
    page.locator(GRIP).first.focus()
    page.evaluate("() => { window.waited = []; }")
    for at in range(count):
        page.keyboard.press(KEYS[at % 2])
        page.wait_for_function("(n) => window.waited.length > n", arg=at, polling=5)
    delays: list[float] = page.evaluate("() => window.waited")
    return delays


def on_the_processor(page: Page, count: int) -> list[float]:
    """What each of so many keys costs until its numbers stand in the page: the page answers at once."""
    clock, costs = Clock(page), []
    for at in range(count):
        before = clock.spent("ScriptDuration")
        page.evaluate(PRESS, [GRIP, KEYS[at % 2].removeprefix("Alt+")])
        costs.append(clock.spent("ScriptDuration") - before)
    return costs


def moves(count: int, live: bool) -> None:
    """Measure a move, in a page alone and, where asked for, in JupyterLab; print."""
    with tempfile.TemporaryDirectory() as name, ExitStack() as open_here:
        folder = Path(name)
        chromium = open_here.enter_context(browser())
        page = chromium.new_page(viewport={"width": 1400, "height": 1000})
        page.goto(alone(folder).as_uri())
        places = {"in the book": page}
        if live:
            write_notebook(folder / "x.ipynb", [LAB, "lab"])
            server = open_here.enter_context(jupyter_lab(folder))
            notebook = Notebook.open(server, chromium, "x.ipynb")
            notebook.run_all()
            notebook.page.wait_for_selector('.dm tr[data-doc="d0"]')
            places["in JupyterLab"] = notebook.page
        for there in places.values():
            there.evaluate(TO_THE_NUMBERS)
            presses(there, WARM)
        waited: dict[str, list[float]] = {where: [] for where in places}
        for _ in range(max(1, count // BLOCK)):  # in turns, so that a busy moment of the machine meets both
            for where, there in places.items():
                there.bring_to_front()
                waited[where] += presses(there, BLOCK)
        for where, times in waited.items():
            high, middle = percentile(times, 0.95), statistics.median(times)
            print(f"a move to its numbers, {where}: 95th percentile {high:.1f} ms, median {middle:.1f} ms")
        spent = on_the_processor(page, count)
        high, middle = percentile(spent, 0.95), statistics.median(spent)
        print(f"  of a processor, in the book: 95th percentile {high:.1f} ms (8), median {middle:.1f} ms")
        if live:
            book, lab = (statistics.median(times) for times in waited.values())
            print(f"  the book takes {book / lab:.2f} of JupyterLab's time (medians)")


def emptied(lesson: Path) -> Path:
    """The page of a lesson without what stands in it, beside it for as long as it is needed."""
    text = lesson.read_text(encoding="utf-8")
    inside = re.compile(r'(<article role="main"[^>]*>).*(</article>)', re.DOTALL)
    page = lesson.with_name("_empty.html")
    page.write_text(inside.sub(r"\1<h1>Empty</h1>\2", text), encoding="utf-8")
    return page


def opened(chromium: Browser, file: Path) -> dict[str, float]:
    """Milliseconds until a page in a new window can be pressed; of a processor, until then and at rest.

    The processor's are those of the page's main thread, so what else the machine does is not in them.
    """
    page = chromium.new_page(viewport={"width": 1400, "height": 1000})
    page.add_init_script(ANSWERS)
    recorder, events = chromium.new_browser_cdp_session(), list[dict[str, Any]]()
    recorder.on("Tracing.dataCollected", lambda message: events.extend(message["value"]))
    complete: list[object] = []
    recorder.on("Tracing.tracingComplete", lambda message: complete.append(message))
    recorder.send("Tracing.start", {"traceConfig": {"includedCategories": RECORDED}})
    page.goto(file.as_uri())
    page.wait_for_function("() => performance.getEntriesByName('answers').length")
    page.wait_for_timeout(REST)
    waited: float = page.evaluate("() => performance.getEntriesByName('answers')[0].startTime")
    recorder.send("Tracing.end")
    while not complete:
        page.wait_for_timeout(10)
    recorder.detach()
    page.close()
    (answers,) = (event for event in events if event["name"] == "answers")
    began = answers["ts"] - 1000 * waited
    thread = _thread(answers)
    tasks = [task for task in events if task["name"].endswith("::RunTask") and _thread(task) == thread]

    def spent(until: float) -> float:
        return sum(task.get("tdur", 0) for task in tasks if began <= task["ts"] < until) / 1000

    return {
        "until it answers": waited,
        "of a processor until then": spent(answers["ts"]),
        "of a processor until it rests": spent(math.inf),
    }


def _thread(event: dict[str, Any]) -> tuple[int, int]:
    return event["pid"], event["tid"]


def lesson(name: str, rounds: int) -> None:
    """Measure how soon a lesson answers, in turns with an empty page; print."""
    file = LESSONS / f"{name}.html"
    if not file.exists():
        raise SystemExit(f"{file}: not there; run: make book")
    empty = emptied(file)
    try:
        with browser() as chromium:
            pairs = [(opened(chromium, empty), opened(chromium, file)) for _ in range(rounds + 2)][2:]
    finally:
        empty.unlink()
    for what in pairs[0][0]:
        none, full = (statistics.median(pair[which][what] for pair in pairs) for which in (0, 1))
        ratio = statistics.median(pair[1][what] / pair[0][what] for pair in pairs)
        limit = " (at most 1.5)" if "rests" not in what else ""
        print(f"{name} {what}: {full:.0f} ms, an empty page {none:.0f} ms; ratio {ratio:.2f}{limit}")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--presses", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--lesson", default="00_start_here")
    parser.add_argument("--live", action="store_true")
    options = parser.parse_args()
    print(f"Python {platform.python_version()}, {platform.machine()}")
    if options.presses:
        moves(options.presses, options.live)
    if options.rounds:
        lesson(options.lesson, options.rounds)


if __name__ == "__main__":
    main()
