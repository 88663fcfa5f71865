"""What is on the page of a lab, as plain values that the browser reads and writes too.

topic: {id, title, scale, adhoc, intents: [{id, label, probability, kind, children}]}, with a child as {id,
    label, probability}; scale and adhoc are the tops of the grades and of the pseudo ad hoc grades
docs: [{id, about, grades}]; grades: {"film": 2, "film/watch": 1}, or None for a document never judged
lists: {"A": [document ids], "B": [...]}, or A alone
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from divmetrics.collection import Intent, Pool, RankedList, Topic, leaf_index
from divmetrics.errors import DivmetricsError

SIDES = ("A", "B")
Plain = dict[str, Any]


@dataclass(frozen=True)
class Page:
    """A topic with its documents, two lists, and the metrics to measure them with."""

    topic: Plain
    docs: list[Plain]
    lists: dict[str, list[str]]
    metrics: list[str] = field(default_factory=list)

    @classmethod
    def of(
        cls,
        a: RankedList,
        b: RankedList,
        metrics: Iterable[str] = (),
        about: Mapping[str, str] | None = None,
        depth: int | None = None,
    ) -> Page:
        """From two lists of one topic, with every document that is in them or relevant."""
        if a.judgments is not b.judgments and _described(a.judgments) != _described(b.judgments):
            raise DivmetricsError(
                f"list {a.run} (topic {a.topic.id}) and list {b.run} (topic {b.topic.id}) differ in topic or "
                "judgments; two lists in a lab share both: make one from the other with a.reordered([...])"
            )
        pool, lists = a.judgments, {"A": list(a.docs[:depth]), "B": list(b.docs[:depth])}
        kept = {pool.docs[place] for place in pool.relevant.tolist()}.union(*lists.values())
        if len(pool.docs) <= MANY:
            kept.update(pool.docs)
        docs = [
            {"id": doc, "about": (about or {}).get(doc, ""), "grades": _grades(pool, doc)}
            for doc in sorted(kept)
        ]
        return cls(plain_topic(pool), docs, lists, list(metrics))

    def pool(self) -> Pool:
        """The judgments on the page; DivmetricsError where they cannot be (weights that do not sum to 1)."""
        return pool_of(self.topic, self.docs)


MANY = 60  # judged documents of which even those that are not relevant are kept


def plain_topic(pool: Pool) -> Plain:
    """A pool's topic and scales."""
    topic = pool.topic
    return {
        "id": topic.id,
        "title": topic.title,
        "scale": pool.scale,
        "adhoc": pool.adhoc_scale,
        "intents": [
            {**_plain(intent), "kind": intent.kind, "children": [_plain(child) for child in intent.children]}
            for intent in topic.intents
        ],
    }


def pool_of(topic: Plain, docs: Sequence[Plain]) -> Pool:
    """The judgments that a page describes."""
    intents = tuple(
        Intent(
            t["id"],
            t["probability"],
            t["kind"],
            t["label"],
            tuple(Intent(e["id"], e["probability"], label=e["label"]) for e in t["children"]),
        )
        for t in topic["intents"]
    )
    judged = {doc["id"]: _judgment(doc["grades"]) for doc in docs if doc["grades"] is not None}
    pool = Pool.of(Topic(topic["id"], intents, topic["title"]), judged, topic["scale"])
    return pool.scaled(topic["scale"], max(topic["adhoc"], pool.top_adhoc_grade, 1))


def _plain(intent: Intent) -> Plain:
    return {"id": intent.id, "label": intent.label, "probability": intent.probability}


def _judgment(grades: Mapping[str, int]) -> dict[str | tuple[str, str], int]:
    judged: dict[str | tuple[str, str], int] = {}
    for key, grade in grades.items():
        intent, slash, child = key.partition("/")
        judged[(intent, child) if slash else intent] = grade
    return judged


def _grades(pool: Pool, doc: str) -> dict[str, int] | None:
    """Second-level grades, and first-level ones where they say more."""
    if doc not in pool.position:
        return None
    grades: dict[str, int] = {}
    if pool.leaf_grades is not None:
        for (intent, child), row in leaf_index(pool.topic).items():
            grade = int(pool.leaf_grades[row, pool.position[doc]])
            if grade:
                grades[f"{intent}/{child}"] = grade
    for intent, grade in pool.labels(doc).items():
        if grade > max((g for key, g in grades.items() if key.startswith(f"{intent}/")), default=0):
            grades[intent] = grade
    return grades


def _described(pool: Pool) -> tuple[Any, ...]:
    return plain_topic(pool), [(doc, _grades(pool, doc)) for doc in pool.docs]
