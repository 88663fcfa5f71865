"""A lab on a page without a kernel, put into many orders and compared with the library."""

from __future__ import annotations

import json
import math
import random
from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page

from divmetrics.core.tolerances import CROSS_CHECK_TOLERANCE, TIE_TOLERANCE
from divmetrics.registry.parse import metric
from divmetrics.research.counterfactual.user_mix import NARROW
from divmetrics_widgets import RankedListLab
from divmetrics_widgets.following import LINES, NO_MIX
from divmetrics_widgets.mixing import lines
from divmetrics_widgets.parting import explain_metric_conflict
from divmetrics_widgets.ranks_ahead import ranks_ahead

# Pages of a lab, each under the next of the metrics: what the model says, and the screen.
SHOWN = """([at, pages]) => {
    const lab = document.querySelectorAll('.divmetrics-page[data-module="lab.js"]')[at].firstElementChild;
    const model = lab.divmetrics, { name, metrics, topic } = model.get("_shown");
    return pages.map(({ lists, mix }, i) => {
        const intents = topic.intents.map((t, at) => ({ ...t, probability: mix?.[at] ?? t.probability }));
        const of = `page ${i} of ${pages.length}${mix ? ", mixed" : ""}`; // no two have the same name
        model.set("_edit", { name: of, on: name, lists, topic: mix ? { ...topic, intents } : topic });
        model.set("_chosen", metrics[i % metrics.length]);
        model.save_changes();
        const intent = intents[i % intents.length].id, metric = model.get("_results").chosen;
        const lines = { metric, intent, ...metric && model.answers.lines({ metric, intent }) };
        const [side, docs] = Object.entries(lists)[i % 2];
        const asked = { side, doc: docs[(7 * i) % docs.length] };
        const ranks = model.answers.ranks(asked);
        const texts = (selector) => [...lab.querySelectorAll(selector)].map((element) => element.textContent);
        const shown = texts(".dm-scores span[data-score]");
        return { ...model.get("_results"), asked, ranks, lines, shown };
    });
}"""


def reordered(
    page: Page, at: int, lab: RankedListLab, count: int
) -> list[tuple[dict[str, list[str]], dict[str, Any]]]:
    """So many orders of the lists of the page's lab with this number, and what it says of each."""
    dice = random.Random(at)
    orders = [_order(lab, dice) for _ in range(count)]
    results = page.evaluate(SHOWN, [at, [{"lists": lists} for lists in orders]])
    return list(zip(orders, results, strict=True))


def _order(lab: RankedListLab, dice: random.Random) -> dict[str, list[str]]:
    return {side: dice.sample(docs, len(docs)) for side, docs in lab.page.lists.items()}


def check_numbers(page: Page, at: int, lab: RankedListLab, count: int) -> None:
    """Scores to the last digit that is shown, every contribution, and what is said of them."""
    for lists, results in reordered(page, at, lab, count):
        measure, question = lab._scorer(), results["asked"]
        rows = measure.rows(lists, lab.page.metrics)
        assert results["rows"] == rows
        assert results["parts"] == explain_metric_conflict(rows, results["chosen"], measure, lists)
        docs = lists[question["side"]]
        ranks = ranks_ahead(measure, question["side"], docs, question["doc"], lab.page.metrics, slow=False)
        assert results["ranks"] == ranks
        assert results["shown"] == [text for row in rows for text in row["scores"]]
        for side, of_list in lab._scorer().contributions(metric(results["chosen"]), lists).items():
            expected = of_list.by_intent
            cells = [row[: expected.shape[1]] for row in results["earned"][side]["cells"]]
            assert cells == [pytest.approx(row, abs=1e-12) for row in expected.tolist()]
            assert results["earned"][side]["score"] == f"{of_list.score:.4f}"


def check_mixes(page: Page, at: int, lab: RankedListLab, count: int) -> Counter[str]:
    """The same for other mixes of readers, and the lines over a share; how much there was to compare."""
    dice, intents = random.Random(at), lab.page.topic["intents"]
    total = math.fsum(intent["probability"] for intent in intents)
    pages = []
    for _ in range(count):
        parts = [dice.expovariate(1) for _ in intents]
        mix = [total * part / math.fsum(parts) for part in parts]
        if dice.random() < 0.2:  # nobody has the first intent
            mix = [0.0, mix[0] + mix[1], *mix[2:]]
        pages.append({"lists": _order(lab, dice), "mix": mix})
    live = RankedListLab(lab.state, goal=lab.goal)
    compared: Counter[str] = Counter()
    for state, results in zip(pages, page.evaluate(SHOWN, [at, pages]), strict=True):
        mixed = [{**t, "probability": p} for t, p in zip(intents, state["mix"], strict=True)]
        topic = {**live.page.topic, "intents": mixed}
        live._chosen = results.get("chosen", "")
        live._show(replace(live.page, topic=topic, lists=state["lists"]))
        expected = live._results
        live_rows = {row["metric"]: row for row in expected["rows"]}
        usable = [row for row in results["rows"] if "problem" not in row]
        assert results["rows"] == [
            live_rows[name] if row in usable else {"metric": name, "problem": NO_MIX.format(metric=name)}
            for row in results["rows"]
            for name in [row["metric"]]
        ]
        compared["rows"] += len(usable)
        assert results.get("goal") == _plain(expected.get("goal"))
        if not usable:
            continue
        assert (expected["chosen"], expected["moved"]) == (results["chosen"], results.get("moved", ""))
        assert results["parts"] == explain_metric_conflict(
            usable, results["chosen"], live._scorer(), state["lists"]
        )
        assert results["most"] == pytest.approx(expected["most"], abs=TIE_TOLERANCE)
        for side, earned in expected["earned"].items():
            cells = [row[: len(earned["cells"][0])] for row in results["earned"][side]["cells"]]
            assert cells == [pytest.approx(row, abs=TIE_TOLERANCE) for row in earned["cells"]]
            assert results["earned"][side]["score"] == earned["score"]
        names, (side, doc) = [row["metric"] for row in usable], results["asked"].values()
        ahead = ranks_ahead(live._scorer(), side, state["lists"][side], doc, names, slow=False)
        assert results["ranks"] == ahead
        compared["ideal lists"] += expected["moved"] != ""
        compared["lines"] += _drawn_alike(results["lines"], live)
    return compared


def _plain(value: Any) -> Any:
    """As a message has it."""
    return json.loads(json.dumps(value))


def _drawn_alike(results: dict[str, Any], lab: RankedListLab) -> bool:
    """False where lines are left to Python, which the page has to say."""
    if "points" not in results:
        assert results["words"] == LINES.format(metric=results["metric"])
        return False
    expected = lines(results["metric"], lab.a, lab.b, results["intent"])
    for text in ("words", "ends"):
        assert results[text] == expected[text]
    assert results["now"] == [pytest.approx(expected["now"][0], abs=TIE_TOLERANCE), expected["now"][1]]
    assert results["crossings"] == [
        [pytest.approx(share, abs=NARROW), text] for share, text in expected["crossings"]
    ]
    shares, *drawn = zip(*results["points"], strict=True)
    straight = len(shares) - len(results["crossings"]) == 2
    for share, *scores in expected["points"]:
        if straight or np.abs(np.array(shares) - share).min() <= TIE_TOLERANCE:
            assert scores == pytest.approx(
                [np.interp(share, shares, line) for line in drawn], abs=CROSS_CHECK_TOLERANCE
            )
    return True
