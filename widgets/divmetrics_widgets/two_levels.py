"""What two levels of subtopics tell of one list: who serves what, and what the intent-square form sees."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from divmetrics.core.collection import RankedList, subtopic_index
from divmetrics.core.metric import BaseMetric, IntentSquare
from divmetrics.core.tolerances import compare_scores
from divmetrics.errors import DivmetricsError
from divmetrics.registry.parse import intent_square, metrics
from divmetrics.registry.parse import metric as metric_named
from divmetrics.render.tables import join_words
from divmetrics_widgets.measuring import ListScorer
from divmetrics_widgets.telling import isolated_lists, share

# Sentences with their blanks, which a page without a kernel fills as Python does (front/hierarchy_alone.js).
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
    """A metric and its intent-square form (Yu et al. 2017, Eq. 12), with the same parameters and cutoff."""
    flat = metric_named(name)
    if isinstance(flat, IntentSquare):
        raise DivmetricsError(
            f"{flat} is already an intent-square form; give the metric that it is a form of, {flat.metric}"
        )
    square = intent_square(flat)
    if square is None:
        raise DivmetricsError(
            f"{flat} has no intent-square form of its own; those that have one are {', '.join(with_square_forms_only())}"
        )
    square = square.with_parameters(**dict(flat.explicit_parameters)) if flat.explicit_parameters else square
    return flat, square if flat.cutoff is None else square @ flat.cutoff


def with_square_forms_only(there: Sequence[str] | None = None) -> tuple[str, ...]:
    """Of these names (else of all) those that have an intent-square form of their own, in the same order."""
    return tuple(name for name in there or metrics() if intent_square(metric_named(name)) is not None)


def check_levels(topic: Mapping[str, Any]) -> None:
    """DivmetricsError for a topic some of whose intents have no second-level subtopics."""
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
    """(rank from 1, grade) of those in the list that serve a second-level subtopic, "intent/subtopic"."""
    grades = {doc["id"]: (doc["grades"] or {}).get(key, 0) for doc in docs}
    return [(rank, grades[doc]) for rank, doc in enumerate(listed, 1) if grades.get(doc, 0)]


@dataclass(frozen=True)
class _Encounter:
    """A document that serves an intent which one above it serves too."""

    place: int  # of the document, from 0
    intent: int
    name: str
    leaves: tuple[str, ...]
    above: tuple[int, ...]  # ranks from 1 that served the same before
    repeats: bool  # the same subtopics; otherwise other ones


def describe_levels(
    flat: BaseMetric, square: BaseMetric, ranked: RankedList, measure: ListScorer
) -> list[str]:
    """In words: the first document that repeats a subtopic, and the first with a new one of a served intent.

    A document that does both for one intent is passed over, since its earnings cannot be told apart.
    """
    depth = min(len(ranked), flat.cutoff or len(ranked))
    found = list(_encounters(ranked, depth))
    chosen = [
        first for wanted in (True, False) if (first := next((e for e in found if e.repeats is wanted), None))
    ]
    if not chosen:
        return [FORMS["none"].format(depth=depth)]
    lists = {"list": ranked.docs, **isolated_lists(ranked, depth)}
    earned = {
        str(metric): {name: of_list.by_intent for name, of_list in measure.earned(metric, lists).items()}
        for metric in (flat, square)
    }
    return [_sentence(e, ranked, earned) for e in sorted(chosen, key=lambda e: e.place)]


def _encounters(ranked: RankedList, depth: int) -> Iterator[_Encounter]:
    pool = ranked.judgments
    if pool.subtopic_grades is None:
        return
    rows = subtopic_index(pool.topic)
    for i, intent in enumerate(pool.topic.intents):
        first: dict[str, int] = {}  # second-level subtopic -> the rank that served it first
        for k, doc in enumerate(ranked.docs[:depth]):
            at = pool.position.get(doc)
            if at is None:
                continue
            leaves = tuple(e.id for e in intent.children if pool.subtopic_grades[rows[intent.id, e.id], at])
            known = [leaf for leaf in leaves if leaf in first]
            if first and leaves and len(known) in (0, len(leaves)):
                above = {first[leaf] for leaf in known} or {min(first.values())}
                yield _Encounter(k, i, intent.id, leaves, tuple(sorted(above)), bool(known))
            for leaf in leaves:
                first.setdefault(leaf, k + 1)


def _sentence(e: _Encounter, ranked: RankedList, earned: Mapping[str, Any]) -> str:
    form = FORMS["repeats" if e.repeats else "brings"]
    above = FORMS["several" if len(e.above) > 1 else "one"].format(ranks=join_words([*map(str, e.above)]))
    leaves = join_words([f"{e.name}/{leaf}" for leaf in e.leaves])
    said = form.format(rank=e.place + 1, doc=ranked.docs[e.place], leaves=leaves, intent=e.name, above=above)
    (flat, gift), (square, below) = (
        (name, gift_phrase(*(float(lists[of][e.intent, e.place]) for of in ("list", f"bare {e.place}"))))
        for name, lists in earned.items()
    )
    return f"{said} {FORMS['there'].format(flat=flat, square=square, intent=e.name, gift=gift, below=below)}"


def gift_phrase(value: float, bare: float) -> str:
    """What is given, beside what would be with nothing relevant above."""
    shown = f"{value:.4f}" if compare_scores(value) else "nothing"
    if min(compare_scores(bare), compare_scores(value)) < 1:
        return shown
    return f"{shown}, {share(value / bare)} what it would give with nothing relevant above"
