"""Two levels of subtopics and one list: its hits, and the effect of the intent-square form."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from divmetrics.core.metric import BaseMetric, IntentSquare
from divmetrics.core.runs import RankedList
from divmetrics.core.tolerances import compare_scores
from divmetrics.core.topics import subtopic_index
from divmetrics.errors import DivmetricsError, join_words
from divmetrics.registry.parse import intent_square, metrics
from divmetrics.registry.parse import metric as metric_named
from divmetrics_widgets.measuring import ListScorer
from divmetrics_widgets.telling import isolated_lists, share

# Templates of sentences; a page without a kernel fills them, too (front/hierarchy_alone.js).
FORMS = {
    "repeats": "Rank {rank} ({doc}) repeats {leaves}, which {above}.",
    "brings": "Rank {rank} ({doc}) brings {leaves}: new below {intent}, an intent that {above}.",
    "one": "rank {ranks} has",
    "several": "ranks {ranks} have",
    "there": "There it adds, for intent {intent}: by {flat}, {gift}; by {square}, {below}.",
    "none": "Down to rank {depth} no document merely repeats or adds to an intent served above it.",
}
EXAMPLE = "'harry potter' or 'Yu et al. 2017, query 0078'"


def pair(name: str | BaseMetric) -> tuple[BaseMetric, BaseMetric]:
    """Return a metric and its intent-square form (Yu et al. 2017, Eq. 12), parameters and cutoff alike."""
    flat = metric_named(name)
    if isinstance(flat, IntentSquare):
        raise DivmetricsError(
            f"{flat} is already an intent-square form; give the metric that it is a form of, {flat.metric}"
        )
    square = intent_square(flat)
    if square is None:
        raise DivmetricsError(
            f"{flat} has no intent-square form of its own; those that have one are "
            f"{', '.join(with_square_forms_only())}"
        )
    square = square.with_parameters(**dict(flat.explicit_parameters)) if flat.explicit_parameters else square
    return flat, square if flat.cutoff is None else square @ flat.cutoff


def with_square_forms_only(there: Sequence[str] | None = None) -> tuple[str, ...]:
    """Return those of these names, else of all, that have an intent-square form, in the same order."""
    return tuple(
        name for name in there or metrics(of="lists") if intent_square(metric_named(name)) is not None
    )


def check_levels(topic: Mapping[str, Any]) -> None:
    """Raise DivmetricsError if some intent of the topic has no second-level subtopics."""
    childless = [t["id"] for t in topic["intents"] if not t["children"]]
    if childless:
        where = "" if len(childless) == len(topic["intents"]) else f" below {', '.join(childless)}"
        raise DivmetricsError(
            f"topic {topic['id']} has no second-level subtopics{where}, expected at least one below every "
            f"intent; choose a topic with two levels, such as {EXAMPLE}"
        )


def subtopic_hits(
    docs: Iterable[Mapping[str, Any]], listed: Iterable[str], key: str
) -> list[tuple[int, int]]:
    """Return (rank from 1, grade) of each document in the list that serves the subtopic "intent/subtopic"."""
    grades = {doc["id"]: (doc["grades"] or {}).get(key, 0) for doc in docs}
    return [(rank, grades[doc]) for rank, doc in enumerate(listed, 1) if grades.get(doc, 0)]


@dataclass(frozen=True)
class _Encounter:
    """A document that serves an intent which a document above it serves too."""

    place: int  # index of the document
    intent: int
    name: str
    leaves: tuple[str, ...]
    above: tuple[int, ...]  # ranks from 1 of the documents above that served the same
    repeats: bool  # whether it serves the same subtopics


def describe_levels(
    flat: BaseMetric, square: BaseMetric, ranked: RankedList, scorer: ListScorer
) -> list[str]:
    """Describe the first document that repeats a subtopic, and the first with a new one of a served intent.

    A document that does both for one intent is skipped, since its earnings cannot be separated.
    """
    depth = min(len(ranked), flat.cutoff or len(ranked))
    encounters = list(_encounters(ranked, depth))
    chosen = [
        first
        for repeats in (True, False)
        if (first := next((e for e in encounters if e.repeats is repeats), None))
    ]
    if not chosen:
        return [FORMS["none"].format(depth=depth)]
    lists = {"list": ranked.docs, **isolated_lists(ranked, depth)}
    earned = {
        str(metric): {
            name: of_list.by_intent for name, of_list in scorer.contributions(metric, lists).items()
        }
        for metric in (flat, square)
    }
    return [_sentence(e, ranked, earned) for e in sorted(chosen, key=lambda e: e.place)]


def _encounters(ranked: RankedList, depth: int) -> Iterator[_Encounter]:
    judgments = ranked.judgments
    if judgments.subtopic_grades is None:
        return
    rows = subtopic_index(judgments.topic)
    for i, intent in enumerate(judgments.topic.intents):
        first: dict[str, int] = {}  # {second-level subtopic: first rank}
        for k, doc in enumerate(ranked.docs[:depth]):
            at = judgments.position.get(doc)
            if at is None:
                continue
            leaves = tuple(
                e.id for e in intent.children if judgments.subtopic_grades[rows[intent.id, e.id], at]
            )
            repeated = [leaf for leaf in leaves if leaf in first]
            if first and leaves and len(repeated) in (0, len(leaves)):
                above = {first[leaf] for leaf in repeated} or {min(first.values())}
                yield _Encounter(k, i, intent.id, leaves, tuple(sorted(above)), bool(repeated))
            for leaf in leaves:
                first.setdefault(leaf, k + 1)


def _sentence(e: _Encounter, ranked: RankedList, earned: Mapping[str, Any]) -> str:
    form = FORMS["repeats" if e.repeats else "brings"]
    above = FORMS["several" if len(e.above) > 1 else "one"].format(ranks=join_words([*map(str, e.above)]))
    leaves = join_words([f"{e.name}/{leaf}" for leaf in e.leaves])
    sentence = form.format(
        rank=e.place + 1, doc=ranked.docs[e.place], leaves=leaves, intent=e.name, above=above
    )
    (flat, gift), (square, below) = (
        (
            name,
            gift_phrase(
                *(float(lists[list_name][e.intent, e.place]) for list_name in ("list", f"bare {e.place}"))
            ),
        )
        for name, lists in earned.items()
    )
    return (
        f"{sentence} {FORMS['there'].format(flat=flat, square=square, intent=e.name, gift=gift, below=below)}"
    )


def gift_phrase(value: float, bare: float) -> str:
    """Format a contribution, with its ratio to the one without relevant documents above."""
    text = f"{value:.4f}" if compare_scores(value) else "nothing"
    if min(compare_scores(bare), compare_scores(value)) < 1:
        return text
    return f"{text}, {share(value / bare)} what it would give with nothing relevant above"
