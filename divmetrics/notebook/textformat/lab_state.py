"""A topic with documents, labels and lists, as plain values that a browser shares and as judgments.

topic: {id, title, scale, adhoc, intents: [{id, label, probability, kind, children}]}, with a child as {id,
    label, probability}; an intent has a mark, too, where it is not that of its place; scale and adhoc are the
    tops of the grades and of the pseudo ad hoc grades
docs: [{id, about, grades}]; grades are its labels, {"film": 2, "film/watch": 1}, or None if never judged
lists: {"A": [document ids], "B": [...]}, or A alone
example: the name of the example that it was made from, whatever was edited since; "" for none
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from divmetrics.core.collection import Intent, Judgments, RankedList, Topic, subtopic_index
from divmetrics.errors import DivmetricsError
from divmetrics.notebook.textformat.marks import Shape, assign_marks, own_marks

SIDES = ("A", "B")
MANY = 60  # judged documents of which even those that are not relevant are kept
JsonObject = dict[str, Any]
Keys = dict[str, "str | tuple[str, str]"]


@dataclass(frozen=True)
class LabState:
    """A topic with its documents, two lists, and the metrics to measure them with."""

    topic: JsonObject
    docs: list[JsonObject]
    lists: dict[str, list[str]]
    metrics: list[str] = field(default_factory=list)
    example: str = ""

    @classmethod
    def of(
        cls,
        a: RankedList,
        b: RankedList,
        metrics: Iterable[str] = (),
        about: Mapping[str, str] | None = None,
        depth: int | None = None,
    ) -> LabState:
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
            {"id": doc, "about": (about or {}).get(doc, ""), "grades": document_labels(pool, doc)}
            for doc in sorted(kept)
        ]
        return cls(copy_marks(_plain_topic(pool), pool.topic), docs, lists, list(metrics))

    @property
    def keys(self) -> Keys:
        """The keys of all labels; DivmetricsError where two would be written alike."""
        return all_label_keys(self.topic["id"], self.topic["intents"])

    def pool(self) -> Judgments:
        """The judgments on the page; DivmetricsError where they cannot be (weights that do not sum to 1)."""
        topic, intents = self.topic, tuple(map(_intent, self.topic["intents"]))
        labels = {doc["id"]: doc["grades"] for doc in self.docs if doc["grades"] is not None}
        return pool_of(topic["id"], topic["title"], intents, labels, (topic["scale"], topic["adhoc"]))


def label_keys(intent: JsonObject) -> Keys:
    """The keys of an intent's labels, "film" and "film/watch", each with what it stands for."""
    below = {f"{intent['id']}/{child['id']}": (intent["id"], child["id"]) for child in intent["children"]}
    return {intent["id"]: intent["id"], **below}


def all_label_keys(topic: str, intents: Iterable[JsonObject]) -> Keys:
    """The keys of all intents of a topic.

    Raises DivmetricsError where two of them, or an intent and a label below another, would be written alike.
    """
    keys: Keys = {}
    for intent in intents:
        for key, meant in label_keys(intent).items():
            if key in keys:
                raise DivmetricsError(
                    f"topic {topic}: {key!r} may be read as an intent and as a subtopic below another, "
                    "since '/' stands between the two; give one of them another name"
                )
            keys[key] = meant
    return keys


def pool_of(
    topic: str,
    title: str,
    intents: tuple[Intent, ...],
    labels: Mapping[str, Mapping[str, int]],
    scale: tuple[int, int] | None,
) -> Judgments:
    """The judgments that these labels are, {document: labels}.

    scale: the tops of the grades and of the pseudo ad hoc grades; None: the highest that occur.
    """
    keys = all_label_keys(topic, map(intent_to_json, intents))
    grades = {doc: {keys.get(key, key): grade for key, grade in of.items()} for doc, of in labels.items()}
    pool = Judgments.of(Topic(topic, intents, title), grades)
    return pool.with_scale(scale[0], max(scale[1], pool.top_adhoc_grade, 1)) if scale else pool


def document_labels(pool: Judgments, doc: str) -> dict[str, int] | None:
    """The labels of a document: second-level grades, and first-level ones where they say more."""
    if doc not in pool.position:
        return None
    labels: dict[str, int] = {}
    largest: dict[str, int] = {}
    if pool.subtopic_grades is not None:
        for (intent, child), row in subtopic_index(pool.topic).items():
            grade = int(pool.subtopic_grades[row, pool.position[doc]])
            if grade:
                labels[f"{intent}/{child}"] = grade
                largest[intent] = max(largest.get(intent, 0), grade)
    above = {intent: grade for intent, grade in pool.labels(doc).items() if grade > largest.get(intent, 0)}
    return {**labels, **above}


def intent_to_json(intent: Intent) -> JsonObject:
    """An intent with its second-level subtopics."""
    return {**_plain(intent), "kind": intent.kind, "children": list(map(_plain, intent.children))}


@dataclass(frozen=True)
class _Looks:
    """What of an intent its mark hangs on."""

    id: str
    mark: Shape | None


def intent_marks(topic: JsonObject) -> dict[str, int]:
    """{intent: place of its mark}, also where the probabilities make no topic of it."""
    return assign_marks(_Looks(t["id"], t.get("mark")) for t in topic["intents"])


def copy_marks(plain: JsonObject, topic: Topic) -> JsonObject:
    """A topic as plain values, where its intents have the marks of this one."""
    own = [{"mark": mark} if mark else {} for mark in own_marks(topic.intents)]
    bare = [{key: value for key, value in t.items() if key != "mark"} for t in plain["intents"]]
    return {**plain, "intents": [{**t, **mark} for t, mark in zip(bare, own, strict=True)]}


def _plain(intent: Intent) -> JsonObject:
    return {"id": intent.id, "label": intent.label, "probability": intent.probability}


def _intent(plain: JsonObject) -> Intent:
    return Intent(**{**plain, "children": tuple(Intent(**child) for child in plain["children"])})


def _plain_topic(pool: Judgments) -> JsonObject:
    topic, intents = pool.topic, list(map(intent_to_json, pool.topic.intents))
    scales = {"scale": pool.scale, "adhoc": pool.adhoc_scale}
    return {"id": topic.id, "title": topic.title, **scales, "intents": intents}


def _described(pool: Judgments) -> tuple[Any, ...]:
    return _plain_topic(pool), [(doc, document_labels(pool, doc)) for doc in pool.docs]
