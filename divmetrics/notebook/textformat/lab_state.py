"""Hold a topic with documents, labels and lists as JSON values, and convert them to judgments.

topic: {id, title, scale, adhoc, intents: [{id, label, probability, kind, children}]}, where a child is {id,
    label, probability}; an intent also has a mark if it is not the default mark of its position; scale and
    adhoc are the highest grade and the highest pseudo ad hoc grade
docs: [{id, about, grades}]; grades are labels, {"film": 2, "film/watch": 1}, or None if unjudged
lists: {"A": [document ids], "B": [...]}, or A alone
example: the name of the example from which the user started, even if edited since; "" without an example
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from divmetrics.core.judgments import Judgments
from divmetrics.core.runs import RankedList
from divmetrics.core.topics import Intent, Topic, subtopic_index
from divmetrics.errors import DivmetricsError
from divmetrics.notebook.textformat.marks import Shape, assign_marks, own_marks

SIDES = ("A", "B")
MANY = 60  # documents that are not relevant are included only if there are at most so many judged documents
JsonObject = dict[str, Any]
Keys = dict[str, "str | tuple[str, str]"]


@dataclass(frozen=True)
class LabState:
    """A topic with its documents, lists A and B, and the names of the metrics to score them with.

    `topic` and `docs` are JSON values, as a widget sends them; `lists` is {"A" or "B": document ids}. A
    document has the fields id, about and grades ({label: grade}, or None if it is unjudged). `example` names
    the example that the state is of, "" for none.
    """

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
        """Build the state from two lists of one topic, with every document that is listed or relevant.

        `about` is {document: a few words about it}; lists are cut at `depth`, if it is not None. Raises
        DivmetricsError if the lists differ in topic or judgments.
        """
        if a.judgments is not b.judgments and _described(a.judgments) != _described(b.judgments):
            raise DivmetricsError(
                f"list {a.run} (topic {a.topic.id}) and list {b.run} (topic {b.topic.id}) differ in topic or "
                "judgments; two lists in a lab share both: make one from the other with a.reordered([...])"
            )
        judgments, lists = a.judgments, {"A": list(a.docs[:depth]), "B": list(b.docs[:depth])}
        included = {judgments.docs[place] for place in judgments.relevant.tolist()}.union(*lists.values())
        if len(judgments.docs) <= MANY:
            included.update(judgments.docs)
        docs = [
            {"id": doc, "about": (about or {}).get(doc, ""), "grades": document_labels(judgments, doc)}
            for doc in sorted(included)
        ]
        return cls(copy_marks(_plain_topic(judgments), judgments.topic), docs, lists, list(metrics))

    @property
    def keys(self) -> Keys:
        """The keys of all labels; raises DivmetricsError if two would be spelled alike."""
        return all_label_keys(self.topic["id"], self.topic["intents"])

    def judgments(self) -> Judgments:
        """Return the judgments; raise DivmetricsError if they are invalid (weights that do not sum to 1)."""
        topic, intents = self.topic, tuple(map(_intent, self.topic["intents"]))
        labels = {doc["id"]: doc["grades"] for doc in self.docs if doc["grades"] is not None}
        return judgments_of(topic["id"], topic["title"], intents, labels, (topic["scale"], topic["adhoc"]))


def label_keys(intent: JsonObject) -> Keys:
    """Return {"film": id, "film/watch": (id, child id)}: the keys of an intent's labels."""
    below = {f"{intent['id']}/{child['id']}": (intent["id"], child["id"]) for child in intent["children"]}
    return {intent["id"]: intent["id"], **below}


def all_label_keys(topic: str, intents: Iterable[JsonObject]) -> Keys:
    """Return the label keys of all intents of a topic: those of `label_keys`, in one dict.

    Raises DivmetricsError if two keys, or an intent and a subtopic of another intent, would be spelled alike.
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


def judgments_of(
    topic: str,
    title: str,
    intents: tuple[Intent, ...],
    labels: Mapping[str, Mapping[str, int]],
    scale: tuple[int, int] | None,
) -> Judgments:
    """Return the judgments for {document: labels}.

    `scale`: the highest grade and the highest pseudo ad hoc grade; if None, the highest grades that occur.
    """
    keys = all_label_keys(topic, map(intent_to_json, intents))
    grades = {doc: {keys.get(key, key): grade for key, grade in of.items()} for doc, of in labels.items()}
    judgments = Judgments.of(Topic(topic, intents, title), grades)
    return judgments.with_scale(scale[0], max(scale[1], judgments.top_adhoc_grade, 1)) if scale else judgments


def document_labels(judgments: Judgments, doc: str) -> dict[str, int] | None:
    """Return {label: grade} of a document: second-level grades, and first-level grades that exceed them.

    None if the document is unjudged.
    """
    if doc not in judgments.position:
        return None
    labels: dict[str, int] = {}
    largest: dict[str, int] = {}
    if judgments.subtopic_grades is not None:
        for (intent, child), row in subtopic_index(judgments.topic).items():
            grade = int(judgments.subtopic_grades[row, judgments.position[doc]])
            if grade:
                labels[f"{intent}/{child}"] = grade
                largest[intent] = max(largest.get(intent, 0), grade)
    above = {
        intent: grade for intent, grade in judgments.labels(doc).items() if grade > largest.get(intent, 0)
    }
    return {**labels, **above}


def intent_to_json(intent: Intent) -> JsonObject:
    """Return an intent with its second-level subtopics as JSON values."""
    return {**_plain(intent), "kind": intent.kind, "children": list(map(_plain, intent.children))}


@dataclass(frozen=True)
class _MarkedIntent:
    """The two fields of an intent that decide which mark is drawn."""

    id: str
    mark: Shape | None


def intent_marks(topic: JsonObject) -> dict[str, int]:
    """Return {intent: index of its mark}, even if the probabilities are invalid."""
    return assign_marks(_MarkedIntent(t["id"], t.get("mark")) for t in topic["intents"])


def copy_marks(plain: JsonObject, topic: Topic) -> JsonObject:
    """Return the JSON topic with the marks that `topic` sets on its intents."""
    own = [{"mark": mark} if mark else {} for mark in own_marks(topic.intents)]
    bare = [{key: value for key, value in t.items() if key != "mark"} for t in plain["intents"]]
    return {**plain, "intents": [{**t, **mark} for t, mark in zip(bare, own, strict=True)]}


def _plain(intent: Intent) -> JsonObject:
    return {"id": intent.id, "label": intent.label, "probability": intent.probability}


def _intent(plain: JsonObject) -> Intent:
    return Intent(**{**plain, "children": tuple(Intent(**child) for child in plain["children"])})


def _plain_topic(judgments: Judgments) -> JsonObject:
    topic, intents = judgments.topic, list(map(intent_to_json, judgments.topic.intents))
    scales = {"scale": judgments.scale, "adhoc": judgments.adhoc_scale}
    return {"id": topic.id, "title": topic.title, **scales, "intents": intents}


def _described(judgments: Judgments) -> tuple[Any, ...]:
    return _plain_topic(judgments), [(doc, document_labels(judgments, doc)) for doc in judgments.docs]
