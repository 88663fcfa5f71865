"""Nuggets as intents: the data structure of all nugget formats, and its topics and judgments.

A nugget is a piece of information that documents are judged for: an intent. Nuggets in groups (by
sub-narrative, by question) are second-level subtopics of the group. `nuggetizer`, `freshstack` and
`nugget_bank` parse the formats.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np

from divmetrics.core.checks import quote
from divmetrics.core.topics import Intent, NuggetWeights, Topic, sum_of
from divmetrics.errors import DivmetricsError, DivmetricsWarning, did_you_mean, join_words
from divmetrics.io.columns import JudgmentColumns
from divmetrics.io.file_contents import format_error
from divmetrics.io.string_column import StringColumn
from divmetrics.io.topic_hierarchy import WEIGHTS_FORM, importance_weights
from divmetrics.io.validate import judgment_columns, topic_id

IMPORTANCES = ("vital", "okay")


class Nugget(NamedTuple):
    """A nugget, or a group of nuggets, its `children`; `importance` is the word in the file, or ""."""

    id: str
    text: str
    importance: str = ""
    children: tuple[Nugget, ...] = ()


class NuggetTopic(NamedTuple):
    """A topic in a file, with its nuggets and groups of nuggets; `where` is its file and line."""

    where: str
    id: str
    title: str
    nuggets: tuple[Nugget, ...]


class Judgment(NamedTuple):
    """A document judged for a nugget, all by their ids.

    `nugget` is the nugget, and `child` is ""; or `nugget` is its group, and `child` the nugget. `where` is
    the file and line.
    """

    where: str
    topic: str
    nugget: str
    child: str
    doc: str
    grade: int


class NuggetFile(NamedTuple):
    """The topics of a nugget file, its judgments, or both.

    `source` is the file in messages. `allows_none` says whether a topic may have no nuggets. `conjunctions`
    is the number of nuggets that need several answers together.
    """

    source: str
    topics: Sequence[NuggetTopic]
    judgments: Sequence[Judgment] = ()
    allows_none: bool = False
    conjunctions: int = 0


def columns(file: NuggetFile) -> JudgmentColumns:
    """Return the judgments as columns, in file order, with nuggets, or their groups, as intents.

    Nuggets in groups are subtopics of these. `own_topics` of the columns returns the file's topics. Drops
    repeated judgments with a warning; raises DivmetricsError if a judgment is repeated with another grade.
    """
    rows = file.judgments

    def column(name: str) -> StringColumn:
        return StringColumn.of([getattr(row, name) for row in rows])

    judgments = judgment_columns(
        file.source,
        lambda row: rows[row].where,
        topic=column("topic"),
        intent=column("nugget"),
        doc=column("doc"),
        grade=np.array([row.grade for row in rows], dtype=np.int64),
        subtopic=column("child") if any(row.child for row in rows) else None,
    )
    return replace(judgments, own_topics=partial(topics, file._replace(judgments=()), None))


def topics(file: NuggetFile, probabilities: str | None) -> tuple[Topic, ...]:
    """Return the topics of a file in its order, with their nuggets, or groups of nuggets, as intents.

    probabilities: as in `read_topics`. An importance other than vital and okay for which no weight is given
    weighs 0, with one warning. Raises DivmetricsError if a topic is repeated or has no nuggets,
    `probabilities` does not apply to nuggets, a nugget has no importance that is to be weighed, or all
    weights are 0.
    """
    weights = importance_weights(probabilities)
    if probabilities in ("normalise", "nonuniform"):
        what = (
            f"gives nuggets neither probabilities nor an order that probabilities={probabilities!r} could use"
        )
        raise format_error(file.source, what, f"'uniform', 'flat' or {WEIGHTS_FORM}", "choose one of them")
    first: dict[str, NuggetTopic] = {}
    for topic in file.topics:
        before = first.setdefault(topic.id, topic)
        if before is not topic:
            what = f"topic {topic.id} is given again (first at {before.where})"
            raise format_error(topic.where, what, "every topic once", "remove one of the two")
    origin: NuggetWeights = "given" if weights is not None else "uniform" if probabilities else "unset"
    if weights is not None:
        _check_importance(file, weights)
    made = tuple(_topic(file, topic, weights, probabilities == "flat", origin) for topic in file.topics)
    if weights is not None:
        _warn_of_unknown_importance(file, weights)
    return made


def _leaves(file: NuggetFile) -> list[tuple[NuggetTopic, Nugget]]:
    """Return the nuggets of all topics, those in groups in place of the groups, each with its topic."""
    return [(topic, leaf) for topic in file.topics for own in topic.nuggets for leaf in own.children or [own]]


def _check_importance(file: NuggetFile, weights: Mapping[str, float]) -> None:
    """Raise DivmetricsError, with counts, if nuggets have no importance, or a known one without a weight."""
    leaves = _leaves(file)
    lacking = [
        (topic, nugget)
        for topic, nugget in leaves
        if nugget.importance not in weights and not _is_unknown(nugget, weights)
    ]
    if not lacking:
        return
    labels = Counter(nugget.importance for _, nugget in lacking)
    kinds = [f"{n} {quote(label) if label else 'without importance'}" for label, n in labels.most_common()]
    topic, first = lacking[0]
    what = (
        f"{len(lacking)} of {len(leaves)} nuggets have no weight ({join_words(kinds)}; the first is "
        f"{quote(first.text or first.id)} of topic {topic.id})"
    )
    remedies = []
    if labels.keys() - {""}:
        remedies.append("give the others a weight, too" if "" in labels else "give it a weight, too")
    if "" in labels:
        remedies.insert(0, "fill the importance in")
    remedy = f"{join_words(remedies)}, or leave the weights out"
    raise format_error(topic.where, what, f"an importance with a weight ({', '.join(weights)})", remedy)


def _warn_of_unknown_importance(file: NuggetFile, weights: Mapping[str, float]) -> None:
    leaves = [leaf for _, leaf in _leaves(file)]
    unknown = Counter(leaf.importance for leaf in leaves if _is_unknown(leaf, weights))
    if unknown:
        warnings.warn(
            f"{file.source}: {unknown.total()} of {len(leaves)} nuggets have an importance without a "
            f"weight ({count_labels(unknown)}) and weigh 0",
            DivmetricsWarning,
            stacklevel=3,
        )


def _is_unknown(nugget: Nugget, weights: Mapping[str, float]) -> bool:
    return nugget.importance not in ("", *IMPORTANCES, *weights)


def count_labels(labels: Counter[str]) -> str:
    """Return the five commonest labels with their numbers as text, as in `3 'failed' and 1 'x'`."""
    return join_words([f"{n} {quote(label)}" for label, n in labels.most_common()], limit=5)


def _topic(
    file: NuggetFile,
    topic: NuggetTopic,
    weights: Mapping[str, float] | None,
    flat: bool,
    origin: NuggetWeights,
) -> Topic:
    if not topic.nuggets and not file.allows_none:
        what = f"topic {topic.id} has no nuggets"
        raise format_error(topic.where, what, "at least one", "add it, or remove the topic")
    intents = _intents(topic, topic.nuggets, weights, flat) if topic.nuggets else ()
    try:
        return Topic(topic_id(topic.id), intents, topic.title, nuggets=origin)
    except DivmetricsError as error:
        raise DivmetricsError(f"{topic.where}: {error}") from None


def _intents(
    topic: NuggetTopic, nuggets: Sequence[Nugget], weights: Mapping[str, float] | None, flat: bool
) -> tuple[Intent, ...]:
    own = [_weight(nugget, weights) for nugget in nuggets]
    total = sum_of(own)
    if total == 0:
        if any(not nugget.children for nugget in nuggets) and nuggets is not topic.nuggets:
            own, total = [1.0] * len(nuggets), float(len(nuggets))  # in a group of weight 0
        else:
            what = f"topic {topic.id} has no nugget with a weight above 0"
            remedy = (
                "give one of its nuggets a weight, remove the topic, or score with nuggetizer:V, which "
                "counts vital nuggets and is 0 for such a topic"
            )
            raise format_error(topic.where, what, WEIGHTS_FORM, remedy)
    return tuple(
        Intent(
            nugget.id,
            weight / total,
            label=nugget.text,
            importance=nugget.importance,
            children=() if flat or not nugget.children else _intents(topic, nugget.children, weights, flat),
        )
        for nugget, weight in zip(nuggets, own, strict=True)
    )


def _weight(nugget: Nugget, weights: Mapping[str, float] | None) -> float:
    if weights is None:
        return 1.0
    if nugget.children:
        return sum_of(_weight(child, weights) for child in nugget.children)
    if _is_unknown(nugget, weights):
        return 0.0
    return weights[nugget.importance]


class ByText:
    """An index of the nuggets of `topics` by their text, for judgments that name nuggets so."""

    def __init__(self, topics: Iterable[Topic]) -> None:
        self._leaves: dict[str, dict[str, list[tuple[str, str, str]]]] = {}
        self._groups: dict[str, dict[str, str]] = {}
        for topic in topics:
            leaves = self._leaves.setdefault(topic.id, {})
            self._groups[topic.id] = {intent.label: intent.id for intent in topic.intents}
            for intent in topic.intents:
                for child in intent.children:
                    leaves.setdefault(child.label, []).append((intent.label, intent.id, child.id))
                if not intent.children:
                    leaves.setdefault(intent.label, []).append(("", intent.id, ""))

    def find(self, topic: str, text: str, again: int, group: str) -> tuple[str, str] | None:
        """Return the ids (intent, child) of a nugget: (group, nugget), or (nugget, "") if it is in no group.

        topic: the id of its topic. again: its position, from 0, among nuggets of the same text and group.
        group: the text of its group, or "". If the topic has the group, but no nugget of this text in it,
        this is (group, ""). None if the nugget is unknown.
        """
        above = self._groups.get(topic_id(topic), {}).get(group) if group else None
        alike = [
            (intent, child)
            for label, intent, child in self._leaves.get(topic_id(topic), {}).get(text, [])
            if above is None or not label or label == group
        ]
        if again < len(alike):
            return alike[again]
        return None if alike or above is None else (above, "")

    def hint(self, topic: str, text: str) -> str:
        """Return the end of a message on an unknown nugget: that its topic is, a similar text, or ""."""
        leaves = self._leaves.get(topic_id(topic))
        return ", which is not among the topics given" if leaves is None else did_you_mean(text, leaves)
