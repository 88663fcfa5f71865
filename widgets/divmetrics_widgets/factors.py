"""What a cell of a lab is made of: the factors of its contribution, each under its sign, and one sentence.

The numbers are those of `explain(..., factors=True)`, in the same order; the running product, which a browser
draws as bars, ends in the contribution.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from operator import mul
from typing import Any

import numpy as np

from divmetrics.core.collection import Topic
from divmetrics.core.metric import BaseMetric, IntentSquare, WeightedSum
from divmetrics.core.parts import One
from divmetrics.explanations.part_descriptions import description_of, factor_latex
from divmetrics.explanations.terms import RowOnBatch, terms
from divmetrics.notebook.appearance.mathml import mathml
from divmetrics.render.tables import format_score
from divmetrics_widgets.measuring import ListScorer
from divmetrics_widgets.telling import document_standing

# Of a cell; a page without a kernel fills these, too.
CELL = "Rank {rank}: {doc} {stands}; it {does} for {intent}."
EARNS = {"costs": "costs {value}", "earns": "earns {value}", "nothing": "earns nothing"}
LINES = 3  # products of a cell that have a line of their own; the others are added up


def lines_needed(metric: BaseMetric, topic: Topic) -> int:
    """The lines that a cell may need: a browser keeps their room, so that nothing jumps."""
    return min(_products(metric, topic), LINES + 1)


def _products(metric: BaseMetric, topic: Topic) -> int:
    if isinstance(metric, WeightedSum):
        return sum(_products(term, topic) for _, term in metric.terms)
    if isinstance(metric, IntentSquare):
        return max(len(intent.children) or 1 for intent in topic.intents) * _products(metric.metric, topic)
    return 1


def factors(
    metric: BaseMetric, measure: ListScorer, lists: Mapping[str, Sequence[str]], only: str | None = None
) -> dict[str, Any]:
    """For each document of each list, or one alone: by intent, in the topic's order, sentence and lines.

    A line is the place of its form, the factors as texts, the running product as shares of its largest, the
    contribution as text, and the subtopic that it is of. `forms` say what each factor is.
    """
    forms: list[dict[str, Any]] = []
    found = {}
    for side, listed in lists.items():
        ranks = [k for k, doc in enumerate(listed) if only in (None, doc)]
        found[side] = _of_list(metric, measure, side, listed, ranks, forms)
    return {"forms": forms, "lists": found}


def _of_list(
    metric: BaseMetric,
    measure: ListScorer,
    side: str,
    listed: Sequence[str],
    ranks: Sequence[int],
    forms: list[dict[str, Any]],
) -> dict[str, Any]:
    topic = measure.pool.topic
    seen = measure.view({side: listed})
    grades = seen.linear[0, 0].astype(int)
    earned = metric.contributions(seen)[0, 0]
    made: dict[tuple[int, int], list[list[Any]]] = {}
    for term in terms(metric, seen, topic.intents):
        for reading in term.rows_on_batch():
            for place, k, line in _lines(reading, topic, ranks, forms):
                made.setdefault((place, k), []).append(line)
    return {
        listed[k]: [
            [
                _sentence(listed[k], k, i, measure, grades, earned),
                *_shortened(made.get((i, k), [])),
            ]
            for i in range(len(topic.intents))
        ]
        for k in ranks
    }


def _sentence(doc: str, k: int, i: int, measure: ListScorer, grades: np.ndarray, earned: np.ndarray) -> str:
    intent = measure.pool.topic.intents[i].id
    stands = document_standing(doc, measure.pool, intent, grades[i, : k + 1].tolist()).removesuffix(".")
    value = float(earned[i, k]) if k < earned.shape[1] else 0.0
    return CELL.format(rank=k + 1, doc=doc, stands=stands, does=earns(value), intent=intent)


def earns(value: float) -> str:
    """What a document does, in words."""
    does = "costs" if value < 0 else "earns" if value else "nothing"
    return EARNS[does].format(value=format_score(abs(value)))


def _lines(
    reading: RowOnBatch, topic: Topic, ranks: Sequence[int], forms: list[dict[str, Any]]
) -> Iterator[tuple[int, int, list[Any]]]:
    """The place of the intent, the rank and the line of every product that is not 0."""
    term, earned, pieces = reading.term, reading.earned, reading.factors
    divisor = None if isinstance(reading.row.N, One) else reading.divisor
    shared = term.shared if term.intent is None else None
    forms.append(_form(reading, topic, shared is not None))
    for k in ranks:
        if k >= earned.shape[1]:
            continue
        for g in reading.intents.tolist():
            if not earned[g, k]:
                continue
            values = [] if term.factor == 1 else [term.factor]
            values += [float(piece[g, k]) for piece in pieces.values()]
            steps = [f"{value:.4g}" for value in values]
            if divisor is not None:
                steps.append(f"{divisor[g, k]:.4g}")
                values.append(1 / float(divisor[g, k]))
            below = term.names[g] if term.intent is not None and len(term.names) > 1 else ""
            if shared is None:
                place = g if term.intent is None else term.intent
                yield place, k, _line(forms, steps, values, float(earned[g, k]), below)
                continue
            for i in np.flatnonzero(shared[:, k]).tolist():
                share = float(shared[i, k])
                value = float(earned[g, k]) * share
                yield i, k, _line(forms, [*steps, f"{share:.4g}"], [*values, share], value, "")


def _line(
    forms: Sequence[Any], steps: list[str], values: Sequence[float], value: float, below: str
) -> list[Any]:
    running = [abs(product) for product in accumulate(values, mul)]
    top = max(running, default=0.0)
    shares = [round(product / top, 4) if top else 0.0 for product in running]
    return [len(forms) - 1, steps, shares, format_score(value), below, value]


def _shortened(made: list[list[Any]]) -> list[list[Any]]:
    """The largest lines in their order, and what the others come to; without the value that was for this."""
    kept = sorted(made, key=lambda line: -abs(line[-1]))[:LINES]
    rest = [line for line in made if line not in kept]
    shown = [line[:-1] for line in made if line in kept]
    if rest:
        shown.append([-1, [], [], format_score(sum(line[-1] for line in rest)), f"{len(rest)} more"])
    return shown


def _form(reading: RowOnBatch, topic: Topic, shares: bool) -> dict[str, Any]:
    """What stands above a line, and each of its factors: in words, as MathML, and whether it divides."""
    term, row = reading.term, reading.row
    signs = {"weight": description_of(row.f).latex, "discount": description_of(row.w).latex}
    signs |= factor_latex(row.M, reading.view)
    steps = [] if term.factor == 1 else [_step("this part", "")]
    steps += [_step(word, signs.get(word, "")) for word in reading.factors]
    if not isinstance(row.N, One):
        steps.append(_step("divided by N", description_of(row.N).latex, divides=True))
    if shares:
        steps.append(_step("share of the intent", ""))
    return {"heading": " ".join(heading.rstrip(":") for heading in term.headings), "steps": steps}


def _step(word: str, latex: str, *, divides: bool = False) -> list[Any]:
    return [word, _typeset(latex) if latex else "", divides]


@lru_cache(maxsize=256)
def _typeset(latex: str) -> str:
    return mathml(latex)
