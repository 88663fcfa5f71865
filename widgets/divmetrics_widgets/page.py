"""What is on the page of a lab, as plain values that the browser reads and writes too.

topic: {id, title, scale, adhoc, intents: [{id, label, probability, kind, children}]}, with a child as {id,
    label, probability}; scale and adhoc are the tops of the grades and of the pseudo ad hoc grades
docs: [{id, about, grades}]; grades: {"film": 2, "film/watch": 1}, or None for a document never judged
lists: {"A": [document ids], "B": [...]}, or A alone
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any, get_args

from divmetrics.core.collection import Intent, Kind, Pool, RankedList, Topic, leaf_index
from divmetrics.errors import DivmetricsError
from divmetrics.sheet.words import MOST
from divmetrics_widgets.messages import (
    either,
    name,
    number,
    one_of,
    perhaps,
    record,
    refused,
    several,
    table,
    text,
    whole,
)

SIDES = ("A", "B")
Plain = dict[str, Any]

_INTENT: dict[str, Any] = {"id": name, "label": text, "probability": number}
_CHILDREN = several(record(**_INTENT), key="id")
_INTENTS = several(record(**_INTENT, kind=one_of(get_args(Kind)), children=_CHILDREN), least=1, key="id")
TOPIC = record(id=name, title=text, scale=whole(1, MOST), adhoc=whole(1, MOST), intents=_INTENTS)
DOCS = several(record(id=name, about=text, grades=perhaps(table(name, whole(0, MOST)))), key="id")
LIST = several(name, once=True)
LISTS = record(may=("B",), A=LIST, B=LIST)
METRICS = several(name)
_PARTS: dict[str, Any] = {"topic": TOPIC, "docs": DOCS, "lists": LISTS, "metrics": METRICS}
EDIT = either(record(), record(_PARTS, name=name, on=name, **_PARTS), expected="an edit of the page")
HAND = either(record(), record(side=text, doc=text), expected="the side and the id of a document")


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

    def check(self) -> None:
        """DivmetricsError for what can be no page; one whose probabilities do not sum to 1 can."""
        for part, reads in _PARTS.items():
            reads(getattr(self, part), f"the page, {part}")
        self.check_names()

    def check_names(self) -> None:
        """DivmetricsError where lists and labels name what is not on the page."""
        known, keys = {doc["id"] for doc in self.docs}, every_key(self.topic)
        for side, listed in self.lists.items():
            for named in listed:
                if named not in known:
                    raise refused(named, f"a document of list {side}", "one that is on the page")
        for doc in self.docs:
            for key, grade in (doc["grades"] or {}).items():
                if key not in keys:
                    raise refused(key, f"a label of document {doc['id']!r}", f"one of {', '.join(keys)}")
                if grade > self.topic["scale"]:
                    expected = f"at most {self.topic['scale']}, the top of the scale"
                    raise refused(grade, f"the grade of document {doc['id']!r} for {key}", expected)

    def pool(self) -> Pool:
        """The judgments on the page; DivmetricsError where they cannot be (weights that do not sum to 1)."""
        return pool_of(self.topic, self.docs)


def listed_docs(docs: Any, what: str) -> list[str]:
    """The documents of a list that is given in Python: a RankedList, or their ids, best first."""
    if isinstance(docs, RankedList):
        return list(docs.docs)
    if isinstance(docs, str | Mapping | Set) or not isinstance(docs, Iterable):
        raise refused(docs, what, "a list of documents, best first")
    return list(several(name)(list(docs), what))


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
    keys = every_key(topic)
    judged = {
        doc["id"]: {keys.get(key, key): grade for key, grade in doc["grades"].items()}
        for doc in docs
        if doc["grades"] is not None
    }
    pool = Pool.of(Topic(topic["id"], intents, topic["title"]), judged, topic["scale"])
    return pool.scaled(topic["scale"], max(topic["adhoc"], pool.top_adhoc_grade, 1))


def _plain(intent: Intent) -> Plain:
    return {"id": intent.id, "label": intent.label, "probability": intent.probability}


def keys_of(intent: Plain) -> dict[str, str | tuple[str, str]]:
    """The keys of an intent's grades, "film" and "film/watch", each with what it stands for."""
    below = {f"{intent['id']}/{child['id']}": (intent["id"], child["id"]) for child in intent["children"]}
    return {intent["id"]: intent["id"], **below}


def every_key(topic: Plain) -> dict[str, str | tuple[str, str]]:
    """The keys of all intents.

    Raises DivmetricsError where two of them, or an intent and a label below another, would be written alike.
    """
    keys: dict[str, str | tuple[str, str]] = {}
    for t in topic["intents"]:
        for key, meant in keys_of(t).items():
            if key in keys:
                raise DivmetricsError(
                    f"topic {topic['id']}: {key!r} may be read as an intent and as a subtopic below another, "
                    "since '/' stands between the two; give one of them another name"
                )
            keys[key] = meant
    return keys


def _grades(pool: Pool, doc: str) -> dict[str, int] | None:
    """Second-level grades, and first-level ones where they say more."""
    if doc not in pool.position:
        return None
    grades: dict[str, int] = {}
    largest: dict[str, int] = {}
    if pool.leaf_grades is not None:
        for (intent, child), row in leaf_index(pool.topic).items():
            grade = int(pool.leaf_grades[row, pool.position[doc]])
            if grade:
                grades[f"{intent}/{child}"] = grade
                largest[intent] = max(largest.get(intent, 0), grade)
    above = {intent: grade for intent, grade in pool.labels(doc).items() if grade > largest.get(intent, 0)}
    return {**grades, **above}


def _described(pool: Pool) -> tuple[Any, ...]:
    return plain_topic(pool), [(doc, _grades(pool, doc)) for doc in pool.docs]
