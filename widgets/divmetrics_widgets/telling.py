"""What a cell of a contribution table says in words, composed from the numbers of the library."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count, islice

from divmetrics.core.batch import batch_lists
from divmetrics.core.collection import Judgments, RankedList
from divmetrics.core.metric import BaseMetric
from divmetrics.core.tolerances import compare_scores
from divmetrics.explanations.terms import terms
from divmetrics_widgets.measuring import ListScorer

SIMPLE = {0.25: "a quarter of", 0.5: "half of", 0.75: "three quarters of", 1.0: "exactly"}
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


def tell(
    metric: BaseMetric, ranked: RankedList, measure: ListScorer, depth: int, about: Mapping[str, str]
) -> list[list[str]]:
    """A text for each row of the contributions and each rank."""
    docs = ranked.docs[:depth]
    # The same document with nothing relevant above it, and at the top by itself.
    lists = {"list": ranked.docs, **isolated_lists(ranked, depth)}
    lists |= {f"alone {k}": (doc,) for k, doc in enumerate(docs)}
    earned = measure.earned(metric, lists)
    whole = earned["list"]
    products = _products(metric, ranked)
    rows: list[list[str]] = []
    for r, row in enumerate(whole.rows):
        told = []
        for k, doc in enumerate(docs):
            value, bare, alone = (
                float(earned[name].values[r, place])
                for name, place in (("list", k), (f"bare {k}", k), (f"alone {k}", 0))
            )
            meaning = f" ({about[doc]})" if about.get(doc) else ""
            stands = document_standing(doc, ranked.judgments, row.name, whole.grades[r, : k + 1].tolist())
            said = [f"Rank {k + 1}, {row.name}: {doc}{meaning} {stands}"]
            if not compare_scores(value):
                said.append("It earns nothing here.")
            else:
                said.append(_earning(value, bare, alone, k))
                said += products.get((row.intent_index, row.below, k), [])
            told.append(" ".join(said))
        rows.append(told)
    return rows


def isolated_lists(ranked: RankedList, depth: int) -> dict[str, tuple[str, ...]]:
    """For each place k from 0 "bare k": its document at its rank, below documents that nobody judged."""
    free = (name for n in count() if (name := f"-{n}") not in ranked.judgments.position)
    nowhere = list(islice(free, depth))
    return {f"bare {k}": (*nowhere[:k], doc) for k, doc in enumerate(ranked.docs[:depth])}


def document_standing(doc: str, judgments: Judgments, name: str, grades: Sequence[int]) -> str:
    """Its grade, the last of those given, and how many documents above serve the same."""
    if doc not in judgments.position:
        return "was never judged."
    *before, grade = grades
    if not grade:
        return f"is not relevant to {name}."
    above = sum(other > 0 for other in before)
    which = ORDINALS[above] if above < len(ORDINALS) else f"{above + 1}th"
    return f"has grade {grade} and is the {which} {name} document of the list."


def _earning(value: float, bare: float, alone: float, k: int) -> str:
    if value < 0:
        return f"It costs {-value:.4f}."
    said = f"It earns {value:.4f}"
    if k:
        shares = []
        if compare_scores(alone) > 0:
            shares.append(f"{share(value / alone)} what it would have earned at the top")
        if compare_scores(bare) > 0:
            shares.append(f"{share(value / bare)} what it would earn here with nothing relevant above it")
        said += f": {'; '.join(shares)}" if shares else ""
    return f"{said}."


def share(ratio: float) -> str:
    """A ratio in words, to be followed by what it is a ratio to."""
    simple = next((words for exact, words in SIMPLE.items() if not compare_scores(ratio, exact)), None)
    if simple:
        return simple
    return f"{ratio:.1%} of" if ratio < 1 else f"{ratio:.3f} times"


def _products(metric: BaseMetric, ranked: RankedList) -> dict[tuple[int, int | None, int], list[str]]:
    """For each intent (and second-level subtopic) and rank, what is multiplied there."""
    found: dict[tuple[int, int | None, int], list[str]] = {}
    topic = ranked.topic
    for term in terms(metric, batch_lists([ranked]), topic.intents):
        below = topic.intents if term.intent is None else topic.intents[term.intent].children or (None,)
        weighted = len(term.headings) > (term.intent is not None)  # the innermost is no intent's
        heading = f"{term.headings[-1].rstrip(':')}: " if weighted else ""
        for product in term.factored_contributions():
            shared = "All intents share " if term.merged and len(below) > 1 else ""
            text = f"{heading}{shared}{product.value:.4f} = {product}."
            for place in range(len(below)) if term.merged else [product.intent_index]:
                row = (place, None) if term.intent is None else (term.intent, place)
                found.setdefault((*row, product.rank), []).append(text)
    return found
