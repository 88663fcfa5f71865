"""The factors of the contribution in each cell of a lab, each with its symbol, and one sentence.

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

from divmetrics.core.metric import BaseMetric, IntentSquare, WeightedSum
from divmetrics.core.parts import One
from divmetrics.core.topics import Topic
from divmetrics.explanations.part_descriptions import description_of, factor_latex
from divmetrics.explanations.terms import RowOnBatch, terms
from divmetrics.notebook.appearance.mathml import mathml
from divmetrics.render.tables import format_score
from divmetrics_widgets.measuring import ListScorer
from divmetrics_widgets.telling import document_standing, intent_words

# The sentence of a cell; a page without a kernel fills it, too.
CELL = "Rank {rank}: {doc} {stands}; it {does} for {intent}."
EARNS = {"costs": "costs {value}", "earns": "earns {value}", "nothing": "earns nothing"}
LINES = 3  # products of a cell with a line of their own; the rest are added up


def lines_needed(metric: BaseMetric, topic: Topic) -> int:
    """Return the largest number of lines of a cell, for which the browser reserves space."""
    return min(_products(metric, topic), LINES + 1)


def _products(metric: BaseMetric, topic: Topic) -> int:
    if isinstance(metric, WeightedSum):
        return sum(_products(term, topic) for _, term in metric.terms)
    if isinstance(metric, IntentSquare):
        return max(len(intent.children) or 1 for intent in topic.intents) * _products(metric.metric, topic)
    return 1


def factors(
    metric: BaseMetric, scorer: ListScorer, lists: Mapping[str, Sequence[str]], only: str | None = None
) -> dict[str, Any]:
    """Return for each document of each list, or only for `only`, the sentence and the lines of each intent.

    A line is the index of its form, the factors as texts, the running product as shares of its largest value,
    the contribution as text, and its subtopic. `forms` describe the factors.
    """
    forms: list[dict[str, Any]] = []
    by_list = {}
    for side, listed in lists.items():
        ranks = [k for k, doc in enumerate(listed) if only in (None, doc)]
        by_list[side] = _of_list(metric, scorer, side, listed, ranks, forms)
    return {"forms": forms, "lists": by_list}


def _of_list(
    metric: BaseMetric,
    scorer: ListScorer,
    side: str,
    listed: Sequence[str],
    ranks: Sequence[int],
    forms: list[dict[str, Any]],
) -> dict[str, Any]:
    topic = scorer.judgments.topic
    batch = scorer.batch({side: listed})
    grades = batch.linear[0, 0].astype(int)
    earned = metric.contributions(batch)[0, 0]
    lines: dict[tuple[int, int], list[list[Any]]] = {}
    for term in terms(metric, batch, topic.intents):
        for row_on_batch in term.rows_on_batch():
            for place, k, line in _lines(row_on_batch, topic, ranks, forms):
                lines.setdefault((place, k), []).append(line)
    return {
        listed[k]: [
            [
                _sentence(listed[k], k, i, scorer, grades, earned),
                *_shortened(lines.get((i, k), [])),
            ]
            for i in range(len(topic.intents))
        ]
        for k in ranks
    }


def _sentence(doc: str, k: int, i: int, scorer: ListScorer, grades: np.ndarray, earned: np.ndarray) -> str:
    intent = scorer.judgments.topic.intents[i].id
    stands = document_standing(doc, scorer.judgments, intent, grades[i, : k + 1].tolist()).removesuffix(".")
    value = float(earned[i, k]) if k < earned.shape[1] else 0.0
    return CELL.format(rank=k + 1, doc=doc, stands=stands, does=earns(value), intent=intent_words(intent))


def earns(value: float) -> str:
    """Describe a contribution in words."""
    does = "costs" if value < 0 else "earns" if value else "nothing"
    return EARNS[does].format(value=format_score(abs(value)))


def _lines(
    row_on_batch: RowOnBatch, topic: Topic, ranks: Sequence[int], forms: list[dict[str, Any]]
) -> Iterator[tuple[int, int, list[Any]]]:
    """Yield the index of the intent, the rank and the line of every product that is not 0."""
    term, earned, pieces = row_on_batch.term, row_on_batch.earned, row_on_batch.factors
    divisor = None if isinstance(row_on_batch.row.N, One) else row_on_batch.divisor
    shared = term.shared if term.intent is None else None
    forms.append(_form(row_on_batch, topic, shared is not None))
    for k in ranks:
        if k >= earned.shape[1]:
            continue
        for g in row_on_batch.intents.tolist():
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


def _shortened(lines: list[list[Any]]) -> list[list[Any]]:
    """Keep the largest lines in order and add up the rest in one line; drop the numbers used for sorting."""
    largest = sorted(lines, key=lambda line: -abs(line[-1]))[:LINES]
    rest = [line for line in lines if line not in largest]
    shortened = [line[:-1] for line in lines if line in largest]
    if rest:
        shortened.append([-1, [], [], format_score(sum(line[-1] for line in rest)), f"{len(rest)} more"])
    return shortened


def _form(row_on_batch: RowOnBatch, topic: Topic, shares: bool) -> dict[str, Any]:
    """Return the heading of a line and, for each factor, a word, its MathML, and whether it divides."""
    term, row = row_on_batch.term, row_on_batch.row
    symbols = {"weight": description_of(row.f).latex, "discount": description_of(row.w).latex}
    symbols |= factor_latex(row.M, row_on_batch.view)
    steps = [] if term.factor == 1 else [_step("this part", "")]
    steps += [_step(word, symbols.get(word, "")) for word in row_on_batch.factors]
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
