"""Be a random user of the book in each browser, and compare every number that it shows."""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

from tools.local_server import served
from tools.screen_numbers import checks
from tools.screen_numbers.engines import ENGINES, Engine, missing

ROOT = Path(__file__).parents[2]
SCREEN = Path(__file__).with_name("screen.js").read_text()
LAB = "ranked-list-lab"
CHECKS = {
    "reader-walk": checks.check_walk,
    "contributions-view": checks.check_tables,
    "hierarchy-lab": checks.check_hierarchy,
    "disagreement-finder": checks.check_finder,
}
GALLERY = "F_gallery_of_widgets"  # whose labs show the judgments of topics of which other pages show some
OWN_METRICS = "23_your_own_metric"  # which the library does not know
ROUNDS = 20  # at most; each has its own seed
ACTIONS = 12  # of the user on a page, each compared
# In each script, arguments[0] is the index of a widget, and arguments[1] the name of one of its controls.
FIND = """
const root = document.querySelectorAll("[data-widget]")[arguments[0]];
const control = [...root.querySelectorAll("[data-key]")].find((e) => e.dataset.key === arguments[1]);
"""
CONTROLS = f"""{FIND}
const kind = ({{ dataset, tagName }}) =>
  dataset.do === "grip" ? "document" : dataset.key.startsWith("border|") ? "border" : tagName;
return [...root.querySelectorAll("[data-key]")]
  .filter((e) => e.checkVisibility({{ visibilityProperty: true }}) && !e.closest("[inert]"))
  .filter((e) => !e.matches(":disabled, [aria-disabled=true]"))
  .filter((e) => !["share", "frame", "full"].includes(e.dataset.key))
  .map((e) => [kind(e), e.dataset.key]);
"""
PLACE = f"""{FIND}
control.scrollIntoView({{ block: "center", behavior: "instant" }});
const {{ left, top, width, height }} = control.getBoundingClientRect();
return [left + width / 2, top + height / 2];
"""
CHOOSE = f"""{FIND}
control.selectedIndex = arguments[2] % control.options.length;
for (const name of ["input", "change"]) control.dispatchEvent(new Event(name, {{ bubbles: true }}));
"""
FOCUS = f"{FIND} control.focus();"
SHARE = """
const root = document.querySelectorAll("[data-widget]")[arguments[0]];
root.querySelector("[data-key=share]").click();
return root.querySelector("textarea.dm-state").value;
"""
# What stands around the lists of a lab is drawn two frames after their scores.
REST = """
window.rested = false;
const frame = (then) => () => requestAnimationFrame(then);
frame(frame(frame(() => setTimeout(() => { window.rested = true; }, 80))))();
"""
# Keys that move a document of a list, or the border between two intents.
HANDS = {
    "document": ["Alt+ArrowUp", "Alt+ArrowDown", "Control+z", "Control+Shift+Z"],
    "border": ["ArrowLeft", "ArrowRight", "Shift+ArrowRight", "Home", "End"],
}
FARTHEST = 200  # pixels of a drag


class User:
    """A random user of one page, whose choices follow from a seed."""

    def __init__(self, engine: Engine, topics: dict[str, str], checked: checks.Comparison, seed: str) -> None:
        self.engine, self.topics, self.checked = engine, topics, checked
        self.random = random.Random(seed)
        self.done: Counter[str] = Counter()

    def settled(self, at: int) -> dict[str, Any]:
        """Return what the widget shows once it no longer changes."""
        self.engine.run(REST)
        while not self.engine.run("return window.rested"):
            time.sleep(0.02)
        seen = self.engine.run(SCREEN, at)
        for _ in range(100):
            time.sleep(0.04)
            before, seen = seen, self.engine.run(SCREEN, at)
            if seen == before:
                return seen
        raise RuntimeError("the widget goes on changing")

    def act(self, at: int) -> str:
        """Do one thing to the widget and return what it was."""
        controls = self.engine.run(CONTROLS, at)
        kind = self.random.choice(sorted({kind for kind, _ in controls}))
        key = self.random.choice([key for own, key in controls if own == kind])
        self.done[kind.lower()] += 1
        if kind == "SELECT":
            self.engine.run(CHOOSE, at, key, number := self.random.randrange(100))
            return f"choice {number} of {key}"
        if kind in HANDS and self.random.random() < 0.5:
            pressed = self.random.choices(HANDS[kind], k=self.random.randint(1, 3))
            self.engine.run(FOCUS, at, key)
            for keys in pressed:
                self.engine.press(keys)
            return f"{' '.join(pressed)} on {key}"
        by = self.random.randint(-FARTHEST, FARTHEST) if kind in HANDS else 0
        self.drag(at, key, *((0, by) if kind == "document" else (by, 0)))
        return f"drag of {key} by {by} pixels" if by else f"click on {key}"

    def drag(self, at: int, key: str, right: int = 0, down: int = 0) -> None:
        """Drag a control by so many pixels; by none is a click."""
        x, y = self.engine.run(PLACE, at, key)
        steps = (0.3, 0.6, 1, 1) if right or down else ()
        self.engine.drag([(x, y), *((x + right * part, y + down * part) for part in steps)])

    def compare(self, at: int) -> None:
        """Compare all numbers of the widget."""
        seen = self.settled(at)
        kind, title = seen["kind"], seen.get("title", "")
        if kind == LAB:
            text = self.engine.run(SHARE, at)
            checks.check_lab(seen, text, self.checked)
            self.topics.setdefault(title, text)
        elif text := self.topics.get(title, ""):
            CHECKS[kind](seen, text, self.checked)

    def judge(self, at: int) -> None:
        """Answer all questions about pairs of lists, and compare which metrics agreed."""
        answers, title = [], ""
        while (seen := self.settled(at))["pair"]:
            answer, title = self.random.choice(["left", "same", "right"]), seen["title"]
            answers.append((seen["asked"], seen["pair"], answer))
            for key in (answer, "next"):
                self.drag(at, key)
        if answers and title in self.topics:
            self.drag(at, "tables")
            checks.check_judge(self.settled(at), answers, self.topics[title], self.checked)


WIDGETS = "return [...document.querySelectorAll('[data-widget]')].map((e) => e.dataset.widget)"
READY = """
return document.readyState === "complete" && !document.querySelector(".divmetrics-page:not([data-drawn])");
"""


def visit(user: User, address: str, name: str, actions: int) -> None:
    """Compare what the widgets of a page show, as it opens and after each action."""
    engine, wrong = user.engine, user.checked.wrong
    engine.open(f"{address}/notebooks/{name}.html")
    while not engine.run(READY):
        time.sleep(0.05)
    kinds = engine.run(WIDGETS)
    places = [at for at, kind in enumerate(kinds) if kind in CHECKS or kind == LAB]
    # What happens, each to a widget: first a look at all, then the judge's questions, then actions.
    steps = [(at, "as it opens") for at in places]
    steps += [(at, "judged") for at, kind in enumerate(kinds) if kind == "preference-judge" and actions]
    steps += [(user.random.choice(places), "") for _ in range(actions if places else 0)]
    for at, what in steps:
        before = len(wrong)
        what = what or user.act(at)
        (user.judge if what == "judged" else user.compare)(at)
        for line in wrong[before:]:
            print(f"  false on {name}, widget {at}, after {what}: {line}", flush=True)
    engine.run("localStorage.clear(); sessionStorage.clear();")  # so that the next visit begins anew


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.screen_numbers")
    parser.add_argument("engines", nargs="*", default=list(ENGINES), help=", ".join(ENGINES))
    parser.add_argument("--numbers", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    parser.add_argument("--page", default="", help="only pages that have this in their name")
    parser.add_argument("--site", type=Path, default=ROOT / "site")
    options = parser.parse_args()
    failed = False
    for name in options.engines:
        if needs := missing(name):
            print(f"{name}: not installed; {needs}")
            continue
        failed |= bool(read(name, options))
    return int(failed)


def read(name: str, options: argparse.Namespace) -> list[str]:
    """Compare the numbers of one browser; return the false ones."""
    names = sorted(path.stem for path in (options.site / "notebooks").glob("*.html"))
    pages = [page for page in names if options.page in page and page != OWN_METRICS]
    checked, started = checks.Comparison(), time.monotonic()
    done: Counter[str] = Counter()
    with served(options.site) as address, ENGINES[name]() as engine:
        topics: dict[str, str] = {}  # the text of a lab, by the title of its topic
        visit(User(engine, topics, checks.Comparison(), ""), address, GALLERY, 0)
        for seed in range(options.seed, options.seed + ROUNDS):
            for page in pages:
                if checked.numbers < options.numbers:
                    user = User(engine, dict(topics), checked, f"{seed} {page}")
                    visit(user, address, page, ACTIONS)
                    done += user.done
                    print(f"  {seed} {page}: {checked.numbers} numbers", file=sys.stderr, flush=True)
    seconds = time.monotonic() - started
    oracles = ", ".join(f"{count} by {oracle}" for oracle, count in checked.counts.items())
    result = f"{oracles}; {len(checked.wrong)} false, {seconds:.0f} s"
    print(f"{name} {engine.version}, seed {options.seed}: {result}")
    print("  " + ", ".join(f"{n} {what}" for what, n in (checked.kinds + done).most_common()))
    return checked.wrong


if __name__ == "__main__":
    sys.exit(main())
