"""What stands on the screen of a lab, and whether it is what the library gives for the visible page."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

import divmetrics as dm
from divmetrics.notebook.textformat.lab_state import LabState

# A function of the root: all that it shows of a page, and of each number whether it is pending.
SHOWN = r"""(root) => {
    const all = (within, selector) => [...within.querySelectorAll(selector)];
    const told = (e) => e && { text: e.textContent, pending: e.closest("[data-pending]") !== null };
    const labelled = (e) => ({
        ...told(e), text: e.querySelector("small")?.textContent, says: e.title, intent: e.dataset.intent,
        grade: Number(e.dataset.grade), tinted: (e.getAttribute("style") ?? "") !== "",
        unknown: (e.querySelector(".dm-grade") ?? e).textContent === "?",
    });
    const list = (grid) => ({
        docs: all(grid, "tr[data-doc]").map((row) => ({
            id: row.dataset.doc, rank: Number(row.dataset.rank), earns: told(row.querySelector(".dm-sum")),
            labels: all(row, ".dm-label").map(labelled),
            below: all(row, "[data-child]").map(({ dataset }) =>
                [`${dataset.intent}/${dataset.child}`, Number(dataset.grade)]),
        })),
        foot: all(grid, "tfoot tr").map((row) => [...row.cells].slice(0, -1).map(told)),
    });
    const metric = (row) => {
        const [name, a, b, difference, , prefers] = row.cells;
        const chosen = Boolean(row.querySelector("[aria-pressed=true]"));
        if (!difference || a.colSpan > 1) return { name: name.textContent, chosen, problem: told(a) };
        return {
            name: name.textContent, chosen, difference: told(difference),
            scores: [a, b].map((cell) => told(cell.querySelector("[data-score]"))),
            prefers: { ...told(prefers), side: prefers.dataset.prefers },
        };
    };
    const field = (key) => root.querySelector(`[data-key="${CSS.escape(key)}"]`)?.defaultValue;
    return {
        pending: root.hasAttribute("data-pending"),
        lists: Object.fromEntries(all(root, "[role=grid]").map((grid) => [grid.dataset.list, list(grid)])),
        levels: root.querySelector("[data-key=levels]").getAttribute("aria-pressed") === "true",
        intents: all(root, "[data-intent-row]").map((row, i) => ({
            id: row.dataset.intentRow, probability: field(`intent|${i}|probability`),
            kind: row.querySelector("select").value,
        })),
        metrics: all(root, "[data-metric-row]").map(metric),
        verdict: told(root.querySelector(".dm-verdict-box")),
        best: told(root.querySelector(".dm-best-box p")),
        problem: told(root.querySelector(".dm-problem-box .dm-problem")),
    };
}"""


def wrong(view: dict[str, Any], page: LabState) -> list[str]:
    """What is shown and is not so: of the page, and of each number that is not marked as not yet known."""
    claims = [*_page(view, page), *_numbers(view, page)]
    return [f"{what}: shown {has!r}, expected {wants!r}" for what, has, wants in claims if has != wants]


def pending(view: Any) -> int:
    """How many numbers are not yet known."""
    if isinstance(view, dict):
        own = int(view.get("pending") is True)
        return own + sum(map(pending, view.values()))
    return sum(map(pending, view)) if isinstance(view, list) else 0


Claim = tuple[str, Any, Any]  # what, as shown, as it is


def _page(view: dict[str, Any], page: LabState) -> list[Claim]:
    """The visible page against the page that is to be seen."""
    claims: list[Claim] = [("metrics", [row["name"] for row in view["metrics"]], list(page.metrics))]
    intents = [
        {"id": t["id"], "probability": _figures(t["probability"]), "kind": t["kind"]}
        for t in page.topic["intents"]
    ]
    visible = [{**t, "probability": _figures(float(t["probability"]))} for t in view["intents"]]
    claims.append(("intents", visible, intents))
    docs = {doc["id"]: doc for doc in page.docs}
    for side, listed in view["lists"].items():
        claims.append((f"list {side}", [doc["id"] for doc in listed["docs"]], page.lists[side]))
        claims.append(
            (
                f"ranks of {side}",
                [doc["rank"] for doc in listed["docs"]],
                [*range(1, len(listed["docs"]) + 1)],
            )
        )
        for row in listed["docs"]:
            grades = docs[row["id"]]["grades"] if row["id"] in docs else None
            for label in row["labels"]:
                keys = [key for key in grades or {} if key.split("/")[0] == label["intent"]]
                grade = max((grades[key] for key in keys), default=0) if grades else 0
                claims.append((f"grade of {row['id']}", label["grade"], grade))
                claims.append((f"{row['id']} judged", label["unknown"], grades is None))
            for key, grade in row["below"]:
                claims.append((f"grade of {row['id']} for {key}", grade, (grades or {}).get(key, 0)))
    return claims


def _figures(probability: float) -> float:
    return float(f"{probability:.4g}")


def _numbers(view: dict[str, Any], page: LabState) -> list[Claim]:
    """The numbers that are said to be known, against the library."""
    truth = Truth.of(page)
    claims: list[Claim] = []

    def claim(what: str, cell: dict[str, Any] | None, wants: str, key: str = "text") -> None:
        if cell is None or not cell["pending"]:
            claims.append((what, cell[key].strip() if cell else "", wants))

    preferred = {"A": 0, "B": 0}
    for row in view["metrics"]:
        about = truth.metrics.get(row["name"])
        if about is None:
            continue  # said already: the metrics are others
        if "problem" in row:
            claim(row["name"], row["problem"], str(about))
            continue
        if truth.problem or isinstance(about, str):
            for cell in (*row["scores"], row["difference"]):
                claim(row["name"], cell, "")
            continue
        scores, difference, side = about
        for name, cell, score in zip("AB", row["scores"], scores, strict=True):
            claim(f"{row['name']} of {name}", cell, score)
        claim(f"{row['name']}: A - B", row["difference"], difference)
        claim(f"{row['name']}: preferred", row["prefers"], side, "side")
        if side:
            preferred[side] += 1
    for row in view["metrics"]:
        about = truth.metrics.get(row["name"])
        if isinstance(about, tuple) and "problem" not in row and not truth.problem:
            a, b = preferred["A"], preferred["B"]
            odd = bool(about[2]) and a > 0 < b and (a == b or (about[2] == "A") == (a < b))
            words = {"A": "◀ A", "B": "▶ B", "": "neither"}[about[2]] + (" disagrees" if odd else "")
            claim(f"{row['name']}: disagreement", row["prefers"], words)
    if any(not cell["pending"] for row in view["metrics"] for cell in row.get("scores", ())):
        claim("verdict", view["verdict"], "" if truth.problem else _verdict(preferred["A"], preferred["B"]))
    for side, listed in view["lists"].items():
        claims += _contributions(side, listed, page, truth)
    best = view["best"]
    if best and not best["pending"] and truth.problem:
        claims.append(("best list", best["text"], ""))
    elif best and not best["pending"]:
        name, score, docs = re.fullmatch(
            r"Best list for (.*) \((.*)\): (.*) Built from .*", best["text"]
        ).groups()
        ranked = truth.ranked(docs.split(", ") if docs else [])
        try:
            claims.append(("best list", f"{dm.metric(name).score(ranked):.4f}", score))
        except dm.DivmetricsError:  # the metric has no score on this page, so that no list can be its best
            claims.append(("best list", best["text"], ""))
    return claims


def _verdict(a: int, b: int) -> str:
    def metrics(n: int) -> str:
        return f"{n} metric prefers" if n == 1 else f"{n} metrics prefer"

    if a and b:
        return f"{metrics(a)} A, {metrics(b)} B: they disagree."
    return f"No disagreement: {metrics(a or b)} {'A' if a else 'B'}." if a or b else ""


def _contributions(side: str, listed: dict[str, Any], page: LabState, truth: Truth) -> list[Claim]:
    """Cells, sums and what each rank earns, as the head of the sums says: under the chosen metric."""
    *_, foot = listed["foot"]
    name = foot[0]["text"].removesuffix(" =")
    known = (
        bool(name)
        and name in truth.metrics
        and not truth.problem
        and not isinstance(truth.metrics[name], str)
    )
    cells = truth.explained(name, side) if known else {}
    intents = [t["id"] for t in page.topic["intents"]]
    claims: list[Claim] = []

    def close(what: str, cell: dict[str, Any], value: float, decimals: tuple[int, ...]) -> None:
        if not cell["pending"]:
            texts = {short(value + around, places) for places in decimals for around in (0.0, 1e-12, -1e-12)}
            claims.append((what, cell["text"] if cell["text"] not in texts else "as it is", "as it is"))

    def value(intent: str, rank: int) -> float:
        return cells.get((intent, rank), 0.0)

    depth = len(listed["docs"])
    deepest = max((rank for _, rank in cells), default=0)
    for row in listed["docs"]:
        rank = row["rank"]
        for label in row["labels"]:
            earned = value(label["intent"], rank)
            what = f"{side} rank {rank}, {row['id']}, {label['intent']} under {name}"
            if label.get("text") is not None:  # a lean label has no room for it
                close(what, label, earned, (2, 3, 4))
            if not label["pending"]:
                match = re.search(r"earns (.*)$", label["says"])
                near = {f"{earned + around:.4f}" for around in (0.0, 1e-12, -1e-12)}
                claims.append((f"{what}, in words", bool(match and match[1] in near), bool(earned)))
                claims.append((f"{what}, tint", label["tinted"], bool(earned)))
        close(f"{side} rank {rank} earns", row["earns"], sum(value(t, rank) for t in intents), (4,))
    after = [sum(value(t, rank) for rank in range(depth + 1, deepest + 1)) for t in intents]
    for head, *sums, last in listed["foot"]:
        below = head["text"] == "below the list"
        ranks = range(depth + 1 if below else 1, deepest + 1)
        for intent, cell in zip(intents, sums, strict=False):
            close(
                f"{side} {head['text']} {intent}", cell, sum(value(intent, rank) for rank in ranks), (2, 3, 4)
            )
        if below:
            close(f"{side} {head['text']}", last, sum(after), (4,))
        elif not last["pending"]:
            claims.append(
                (
                    f"{side} {head['text']}",
                    last["text"],
                    truth.metrics[name][0]["AB".index(side)] if known else "",
                )
            )
    if not any(cell["pending"] for row in listed["foot"] for cell in row):
        claims.append((f"{side} columns of sums", len(foot) - 2, len(intents)))
        claims.append((f"{side} rows of sums", len(listed["foot"]), 2 if any(after) else 1))
    return claims


def short(value: float, decimals: int) -> str:
    """A number as a cell shows it."""
    if value == 0:
        return ""
    text = f"{value:.{decimals}f}"
    if float(text) == 0:
        return "~0" if value > 0 else "-~0"
    return re.sub(r"^(-?)0\.", r"\1.", text)


class Truth:
    """What the library says of a page: of each metric its scores and preference, or why there are none."""

    def __init__(self, page: LabState) -> None:
        self.page = page
        self.problem = ""
        self.metrics: dict[str, Any] = dict.fromkeys(page.metrics, "")
        try:
            self.pool = page.judgments()
        except dm.DivmetricsError as error:
            self.problem = str(error)
            return
        for name in page.metrics:
            try:
                a, b = (dm.metric(name).score(self.ranked(page.lists[side])) for side in "AB")
            except dm.DivmetricsError as error:
                self.metrics[name] = str(error)
            else:
                tied = abs(a - b) < 1e-9
                far = abs(a - b) >= 0.00005
                text = "0.0000" if tied else f"{a - b:+.4f}" if far else f"{a - b:+.0e}"
                side = "" if tied else "A" if a > b else "B"
                self.metrics[name] = [f"{a:.4f}", f"{b:.4f}"], text.replace("-", "−"), side

    @staticmethod
    def of(page: LabState) -> Truth:
        """Worked out once for each page."""
        key = json.dumps(vars(page), sort_keys=True)
        if key not in _truths:
            _truths[key] = Truth(page)
        return _truths[key]

    def ranked(self, docs: list[str]) -> dm.RankedList:
        return dm.RankedList(self.pool.topic, docs, self.pool)

    @cache  # noqa: B019  as long as the few truths that are kept
    def explained(self, name: str, side: str) -> dict[tuple[str, int], float]:
        """By intent and rank, what `explain` gives."""
        table = dm.explain(name, self.ranked(self.page.lists[side]))
        by_cell: dict[tuple[str, int], float] = (
            table.groupby(["intent", "rank"])["contribution"].sum().to_dict()
        )
        return by_cell


_truths: dict[str, Truth] = {}
