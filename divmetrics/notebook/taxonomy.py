"""Group all metrics by family, each with a line on its user model and its source, for a menu of metrics.

A family is one user model, or one way to combine metrics. It follows from a metric's parts, so a new row of a
table belongs to its family without registration.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from divmetrics.conventions.convention import convention
from divmetrics.core.metric import BaseMetric, ByIntentType, Collapsed, IntentSquare, Metric, WeightedSum
from divmetrics.core.parts import (
    ByKind,
    Cascade,
    Difference,
    FirstCover,
    Graded,
    Log2,
    Novelty,
    PreferredRank,
    Product,
    Reciprocal,
    Relevant,
    SortedIdeal,
)
from divmetrics.core.parts.discounts import ContinuationDiscount
from divmetrics.explanations.formulas import rows_with_roles, summary
from divmetrics.explanations.part_descriptions import description_of, row_picture
from divmetrics.explanations.references import REFERENCES
from divmetrics.explanations.user_model_texts import describe_users
from divmetrics.registry.aliases import aliases_of
from divmetrics.registry.parse import intent_square
from divmetrics.registry.session import added_metrics, origins

# Key -> title and what its metrics have in common, in display order.
FAMILIES = {
    "own": ("Your own", "Registered in this session, or brought by a plug-in."),
    "doors": ("Intents found", "How many intents have at least one relevant document."),
    "leave": ("Readers who leave", "Readers walk down the list and leave: satisfied, or out of patience."),
    "fade": ("Readers who want something new", "A relevant document makes the next one less interesting."),
    "piles": (
        "Graded gain",
        "The gain of every document, which counts less the lower it stands, intent by intent.",
    ),
    "counters": ("Precision for each intent", "Relevant documents are counted, intent by intent."),
    "merged": (
        "One grade for all intents (D, D#)",
        "A document's grade is its gain for the average reader; # adds the share of intents found.",
    ),
    "kinds": (
        "Navigational intents (DIN, P+)",
        "Readers with a navigational intent want one page; further ones are worth nothing to them.",
    ),
    "adhoc": ("Classic metrics", "Relevance without diversity, as if a query had only one intent."),
    "square": (
        "Within each intent (-IS)",
        "Second-level subtopics, intent by intent; every intent of the topic must have some.",
    ),
}
# Part -> search terms for metrics that have it.
WORDS = {
    Cascade: "cascade satisfaction satisfied",
    FirstCover: "coverage",
    ContinuationDiscount: "patience persistence",
    Graded: "grades graded",
    Log2: "logarithm",
    Novelty: "novelty redundancy",
    Reciprocal: "reciprocal rank",
    Relevant: "precision",
}


@dataclass(frozen=True)
class Listed:
    """A metric in a menu: what it is in one line, its source, its other names, search terms (`words`)."""

    name: str
    line: str
    source: str
    others: tuple[str, ...]
    words: str


@dataclass(frozen=True)
class Family:
    """Metrics that belong together in a menu, with a title and a sentence about them."""

    title: str
    about: str
    metrics: tuple[Listed, ...]


def families(convention_name: str = "paper") -> tuple[Family, ...]:
    """Return the non-empty families with every metric of a convention, of plug-ins and of this session.

    Raises DivmetricsError if there is no such convention.
    """
    own, rows = added_metrics(), convention(convention_name).rows
    members_of: dict[str, list[BaseMetric]] = {key: [] for key in FAMILIES}
    members_of["own"] += own.values()
    for row in rows.values():
        members_of[family_of(row)].append(row)
    squares = map(intent_square, (*rows.values(), *own.values()))
    members_of["square"] += [square for square in squares if square is not None]
    return tuple(
        Family(*FAMILIES[key], tuple(map(_listed, members))) for key, members in members_of.items() if members
    )


def family_of(metric: BaseMetric) -> str:
    """Return the family of a metric as a key of FAMILIES."""
    if isinstance(metric, IntentSquare):
        return "square"
    if isinstance(metric, WeightedSum):
        return family_of(metric.terms[-1][1])  # the last term decides; the first is I-rec in every sum
    if isinstance(metric, ByIntentType):
        return "kinds"
    if isinstance(metric, Collapsed):
        return {"D": "merged", "DIN": "kinds", "ad hoc": "adhoc"}[metric.collapse]
    ((_, row),) = rows_with_roles(metric)
    if isinstance(row.stop, PreferredRank) or isinstance(row.M, ByKind):
        return "kinds"
    return "merged" if SortedIdeal("topic") == row.N else row_picture(row)


def line(metric: BaseMetric) -> str:
    """Return a metric's user model, or what it is made of, in one line for a menu."""
    if isinstance(metric, WeightedSum):
        return f"{' and '.join(f'{weight():g} of {term.name}' for weight, term in metric.terms)}."
    if isinstance(metric, Collapsed) and metric.collapse == "ad hoc":
        return describe_users(metric.row)
    if isinstance(metric, ByIntentType | Collapsed):
        return f"{summary(metric)}."
    if isinstance(metric, IntentSquare):
        return f"{metric.metric.name} within each intent, over its second-level subtopics."
    if isinstance(metric, Metric) and not description_of(metric.M).user_model:
        return f"A document adds {summary(metric)}."  # a user's own metric without a user model
    return describe_users(metric)


def _listed(metric: BaseMetric) -> Listed:
    reference = REFERENCES.get(metric.source)
    source = origins().get(metric.name, "") if reference is None else reference.short
    words = " ".join(dict.fromkeys(filter(None, (str(reference or ""), *_words_of_parts(metric)))))
    return Listed(metric.name, line(metric), source, aliases_of(metric.name), words)


def _words_of_parts(metric: BaseMetric) -> Iterator[str]:
    """Yield search terms of the parts of a metric's rows; none for -IS metrics (their base has them)."""
    for _, row in [] if isinstance(metric, IntentSquare) else rows_with_roles(metric):
        for part in (row.M, row.stop, row.w, row.N):
            yield description_of(part).user_model
            yield from _words(part)


def _words(part: object) -> Iterator[str]:
    yield from (words for kind, words in WORDS.items() if isinstance(part, kind))
    if isinstance(part, Product | Difference):
        yield from _words(part.first)
        yield from _words(part.second)
