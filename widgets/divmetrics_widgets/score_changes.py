"""Why the score of an unchanged list changed: new judgments, or new intent probabilities."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from divmetrics.core.metric import BaseMetric
from divmetrics.core.parts.normalisers import Ideal, RankedIdeal
from divmetrics.core.tolerances import rounding_error
from divmetrics.errors import DivmetricsError
from divmetrics.notebook.textformat.lab_state import SIDES, LabState
from divmetrics.registry.parse import metric as metric_named
from divmetrics_widgets.measuring import ListScorer

NAMED_DOCS = 3  # documents of an ideal list in a sentence
# Sentences on an ideal list that changed; a page without a kernel fills them, too.
IDEAL = {
    "mix": "{metric} with these probabilities has another ideal list: {how}.",
    "begins": "it now begins with {docs}",
    "from": "from rank {rank} it now has {docs}",
}


@dataclass(frozen=True)
class MeasuredPage:
    """A page, the rows of its scores, and its scorer; None if it cannot be scored."""

    page: LabState
    rows: Sequence[Mapping[str, Any]]
    scorer: ListScorer | None

    def scores(self, name: str) -> Sequence[str] | None:
        """Return the scores of both lists as text, or None if there are none."""
        scores = (row["scores"] for row in self.rows if row["metric"] == name and "scores" in row)
        return next(scores, None)


def explain_score_change(before: MeasuredPage | None, now: MeasuredPage, names: Sequence[str]) -> str:
    """Explain why a score of an unchanged list changed, for the first metric with an explanation; else "".

    An edit of the list itself, or of a grade of its own documents, needs no explanation; no metric lets one
    list's order change another's score.
    """
    if before is None or (before.page.docs == now.page.docs and before.page.topic == now.page.topic):
        return ""
    past, scorer = before.scorer, now.scorer
    if past is None or scorer is None:
        return ""
    try:
        if before.page.topic == now.page.topic:
            sides = [side for side in SIDES if _untouched(side, before.page, now.page)]
            sentences = (_by_the_pool(name, before, now, past, scorer, sides) for name in names)
        elif before.page.docs == now.page.docs and _shape(before.page.topic) == _shape(now.page.topic):
            sentences = (_by_probabilities(name, before.page, now.page, past, scorer) for name in names[:1])
        else:
            return ""
        return next(filter(None, sentences), "")
    except DivmetricsError:  # one of the pages cannot be scored, which is reported elsewhere
        return ""


def _untouched(side: str, before: LabState, now: LabState) -> bool:
    listed = now.lists[side]
    old, new = (_labels(page) for page in (before, now))
    return listed == before.lists[side] and all(old[doc] == new[doc] for doc in listed)


def _labels(page: LabState) -> dict[str, Any]:
    return {doc["id"]: doc["grades"] for doc in page.docs}


def _shape(topic: Mapping[str, Any]) -> Any:
    """Return a topic without its first-level probabilities."""
    return {**topic, "intents": [{**intent, "probability": 0} for intent in topic["intents"]]}


def _by_the_pool(
    name: str,
    before: MeasuredPage,
    now: MeasuredPage,
    past: ListScorer,
    scorer: ListScorer,
    sides: Sequence[str],
) -> str:
    old, new = before.scores(name), now.scores(name)
    if old is None or new is None:
        return ""
    other = [side for side in sides if old[SIDES.index(side)] != new[SIDES.index(side)]]
    if not other:
        return ""
    whose = " and ".join(f"{side}'s" for side in other)
    why = _describe_ideal_change(metric_named(name), before.page, now.page, past, scorer)
    why = why or _describe_judgments_change(before.page, now.page, past, scorer)
    return f"{whose} {name} moved too: {why}."


def _by_probabilities(
    name: str, before: LabState, now: LabState, past: ListScorer, scorer: ListScorer
) -> str:
    metric = metric_named(name)
    for old, new in zip(_ideals(metric, past, before), _ideals(metric, scorer, now), strict=True):
        if old.docs != new.docs:
            return IDEAL["mix"].format(metric=name, how=_describe_difference(old.docs, new.docs))
    return ""


@dataclass(frozen=True)
class _IdealList:
    """A row's normaliser: its documents, if the topic has one ideal list, and its value by intent."""

    docs: tuple[str, ...]
    value: np.ndarray


def _ideals(metric: BaseMetric, scorer: ListScorer, page: LabState) -> Iterator[_IdealList]:
    judgments = scorer.judgments
    relevant_docs = [judgments.docs[place] for place in judgments.relevant.tolist()]
    for row, batch in metric.rows(scorer.batch(page.lists)):
        if isinstance(row.N, Ideal):
            judged = batch.judged
            order = row.N.order(judged, row) if isinstance(row.N, RankedIdeal) else None
            has_one_list = order is not None and len(batch.topics) == 1
            places = order[0].tolist() if order is not None and has_one_list else []
            docs = tuple(relevant_docs[place] for place in places if place >= 0)
            yield _IdealList(docs, row.N(row.truncate(batch), row))


def _describe_ideal_change(
    metric: BaseMetric, before: LabState, now: LabState, past: ListScorer, scorer: ListScorer
) -> str:
    """Describe how the ideal list of the metric changed; "" if it has none, or the same."""
    for old, new in zip(_ideals(metric, past, before), _ideals(metric, scorer, now), strict=True):
        if old.docs != new.docs:
            return f"the ideal list changed ({_describe_difference(old.docs, new.docs)})"
        other = np.abs(old.value - new.value) > rounding_error(new.value)
        if not other.any():
            continue
        intents = now.topic["intents"]
        if new.value.shape == (1, 1, len(intents), 1) and len(intents) > 1:
            whose = [t["id"] for t, changed in zip(intents, other[0, 0, :, 0], strict=True) if changed]
            lists = "the ideal list of" if len(whose) == 1 else "the ideal lists of"
            return f"{lists} {' and '.join(whose)} changed"
        return "the ideal list is worth " + ("more" if new.value.sum() > old.value.sum() else "less")
    return ""


def _describe_difference(old: Sequence[str], new: Sequence[str]) -> str:
    """Describe where an ideal list differs from the one before."""
    both = list(zip(old, new, strict=False))
    same = next((k for k, (a, b) in enumerate(both) if a != b), len(both))
    if same >= len(new):
        return f"it now ends at rank {len(new)}" if new else "it is empty now"
    case, first = ("begins", 0) if same < NAMED_DOCS else ("from", same)
    return IDEAL[case].format(rank=first + 1, docs=" ".join(new[first : first + NAMED_DOCS]))


def _describe_judgments_change(before: LabState, now: LabState, past: ListScorer, scorer: ListScorer) -> str:
    """Describe the other changes of the judgments."""
    counts = [m.judgments.grades.astype(bool).sum(axis=1).tolist() for m in (past, scorer)]
    changed = [
        f"{intent['id']} now has {new} relevant document{'' if new == 1 else 's'}, not {old}"
        for intent, old, new in zip(now.topic["intents"], *counts, strict=True)
        if old != new
    ]
    if changed:
        return f"the pool changed ({', '.join(changed)})"
    old, new = _labels(before), _labels(now)
    docs = [doc for doc in {**old, **new} if old.get(doc) != new.get(doc)]
    return f"the pool changed (other grades of {' '.join(docs[:NAMED_DOCS])})"
