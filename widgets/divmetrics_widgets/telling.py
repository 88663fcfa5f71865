"""Sentences for the cells of a contribution table, composed from the library's numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count, islice

from divmetrics.core.batch import batch_lists
from divmetrics.core.judgments import Judgments
from divmetrics.core.metric import BaseMetric
from divmetrics.core.runs import RankedList
from divmetrics.core.tolerances import compare_scores
from divmetrics.explanations.terms import terms
from divmetrics_widgets.measuring import ListScorer

SIMPLE = {0.25: "a quarter of", 0.5: "half of", 0.75: "three quarters of", 1.0: "exactly"}
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


def describe_cells(
    metric: BaseMetric, ranked: RankedList, scorer: ListScorer, depth: int, about: Mapping[str, str]
) -> list[list[str]]:
    """Return a text for each row of the contributions and each rank."""
    docs = ranked.docs[:depth]
    # The same document with nothing relevant above it, and alone at the top.
    lists = {"list": ranked.docs, **isolated_lists(ranked, depth)}
    lists |= {f"alone {k}": (doc,) for k, doc in enumerate(docs)}
    earned = scorer.contributions(metric, lists)
    contributions = earned["list"]
    products = _products(metric, ranked)
    rows: list[list[str]] = []
    for r, row in enumerate(contributions.rows):
        texts = []
        for k, doc in enumerate(docs):
            value, bare, alone = (
                float(earned[name].values[r, place])
                for name, place in (("list", k), (f"bare {k}", k), (f"alone {k}", 0))
            )
            meaning = f" ({about[doc]})" if about.get(doc) else ""
            stands = document_standing(
                doc, ranked.judgments, row.name, contributions.grades[r, : k + 1].tolist()
            )
            sentences = [f"Rank {k + 1}, {row.name}: {doc}{meaning} {stands}"]
            if not compare_scores(value):
                sentences.append("It earns nothing here.")
            else:
                sentences.append(_earning(value, bare, alone, k))
                sentences += products.get((row.intent_index, row.below, k), [])
            texts.append(" ".join(sentences))
        rows.append(texts)
    return rows


def isolated_lists(ranked: RankedList, depth: int) -> dict[str, tuple[str, ...]]:
    """Return for each index k a list "bare k": its document at its rank, below unjudged documents."""
    free = (name for n in count() if (name := f"-{n}") not in ranked.judgments.position)
    unjudged = list(islice(free, depth))
    return {f"bare {k}": (*unjudged[:k], doc) for k, doc in enumerate(ranked.docs[:depth])}


def intent_words(name: str) -> str:
    """Return the name of an intent as sentences use it: "film", but "intent 7" where the name is a number."""
    return f"intent {name}" if name.isdecimal() else name


def document_standing(doc: str, judgments: Judgments, name: str, grades: Sequence[int]) -> str:
    """Describe the last of `grades`, the document's own, and the number of relevant documents above it."""
    if doc not in judgments.position:
        return "was never judged."
    *before, grade = grades
    if not grade:
        return f"is not relevant to {intent_words(name)}."
    above = sum(other > 0 for other in before)
    ordinal = ORDINALS[above] if above < len(ORDINALS) else f"{above + 1}th"
    return f"has grade {grade} and is the {ordinal} {intent_words(name)} document of the list."


def _earning(value: float, bare: float, alone: float, k: int) -> str:
    if value < 0:
        return f"It costs {-value:.4f}."
    sentence = f"It earns {value:.4f}"
    if k:
        shares = []
        if compare_scores(alone) > 0:
            shares.append(f"{share(value / alone)} what it would have earned at the top")
        if compare_scores(bare) > 0:
            shares.append(f"{share(value / bare)} what it would earn here with nothing relevant above it")
        sentence += f": {'; '.join(shares)}" if shares else ""
    return f"{sentence}."


def share(ratio: float) -> str:
    """Format a ratio in words, to be followed by its reference value."""
    phrase = next((words for exact, words in SIMPLE.items() if not compare_scores(ratio, exact)), None)
    if phrase:
        return phrase
    return f"{ratio:.1%} of" if ratio < 1 else f"{ratio:.3f} times"


def _products(metric: BaseMetric, ranked: RankedList) -> dict[tuple[int, int | None, int], list[str]]:
    """Return the products of each (intent, second-level subtopic or None, rank) as texts."""
    products: dict[tuple[int, int | None, int], list[str]] = {}
    topic = ranked.topic
    for term in terms(metric, batch_lists([ranked]), topic.intents):
        below = topic.intents if term.intent is None else topic.intents[term.intent].children or (None,)
        # Whether the innermost heading is that of a weighted term, not of an intent.
        weighted = len(term.headings) > (term.intent is not None)
        heading = f"{term.headings[-1].rstrip(':')}: " if weighted else ""
        for product in term.factored_contributions():
            shared = "All intents share " if term.merged and len(below) > 1 else ""
            text = f"{heading}{shared}{product.value:.4f} = {product}."
            for place in range(len(below)) if term.merged else [product.intent_index]:
                row = (place, None) if term.intent is None else (term.intent, place)
                products.setdefault((*row, product.rank), []).append(text)
    return products
