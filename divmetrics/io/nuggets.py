"""Nuggets as intents: what every nugget file comes down to, whoever wrote it.

A nugget is a piece of information that documents are judged for: an intent. Nuggets that a file groups (by
sub-narrative, by question) are second-level subtopics of the group. The formats are in `nuggetizer`,
`freshstack` and `nugget_bank`; `nugget_files` tells which a file is.
"""

from __future__ import annotations

import re
import warnings
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from divmetrics.core.checks import quote
from divmetrics.core.collection import Intent, Topic, sum_of
from divmetrics.errors import DivmetricsError, DivmetricsWarning, did_you_mean
from divmetrics.io.columns import JudgmentColumns
from divmetrics.io.file_contents import format_error
from divmetrics.io.string_column import StringColumn
from divmetrics.io.topic_hierarchy import CHOICES
from divmetrics.io.validate import judgment_columns, topic_id

WEIGHTS = re.compile(r"\s*[^\s=,]+\s*=\s*[0-9.eE+-]+\s*(?:,\s*[^\s=,]+\s*=\s*[0-9.eE+-]+\s*)*")
WEIGHTS_FORM = "weights of importance such as 'vital=2,okay=1'"


class Nugget(NamedTuple):
    """A nugget, or a group of them; `importance` is a word of the file, or empty."""

    id: str
    text: str
    importance: str = ""
    children: tuple[Nugget, ...] = ()


class NuggetTopic(NamedTuple):
    """A topic as the file has it; `where` it stands."""

    where: str
    id: str
    title: str
    nuggets: tuple[Nugget, ...]


class Judgment(NamedTuple):
    """A document judged for a nugget; `child` is empty for a nugget without a group above it."""

    where: str
    topic: str
    nugget: str
    child: str
    doc: str
    grade: int


class NuggetFile(NamedTuple):
    """What a nugget file says: topics, judgments, or both."""

    source: str
    topics: tuple[NuggetTopic, ...]
    judgments: tuple[Judgment, ...] = ()


def columns(file: NuggetFile) -> JudgmentColumns:
    """The judgments, one row for each document and nugget, in file order."""
    rows = file.judgments

    def column(name: str) -> StringColumn:
        return StringColumn.of([getattr(row, name) for row in rows])

    return judgment_columns(
        file.source,
        lambda row: rows[row].where,
        topic=column("topic"),
        intent=column("nugget"),
        doc=column("doc"),
        grade=np.array([row.grade for row in rows], dtype=np.int64),
        subtopic=column("child") if any(row.child for row in rows) else None,
    )


def topics(file: NuggetFile, probabilities: str | None) -> tuple[Topic, ...]:
    """The topics with their nuggets as intents.

    probabilities: None: all intents of a level are equally probable, and a warning says so where the file
    gives some of them more importance; "uniform": the same, without the warning; "flat": the first level
    only; or weights of importance such as "vital=2,okay=1": a nugget is as probable as its weight's share, a
    group as its nuggets together.
    """
    weights = importance_weights(probabilities)
    if probabilities == "normalise":
        what = "gives nuggets no probabilities that could be normalised"
        raise format_error(file.source, what, f"'uniform', 'flat' or {WEIGHTS_FORM}", "choose one of them")
    first: dict[str, NuggetTopic] = {}
    for topic in file.topics:
        before = first.setdefault(topic.id, topic)
        if before is not topic:
            what = f"topic {topic.id} is given again (first at {before.where})"
            raise format_error(topic.where, what, "every topic once", "remove one of the two")
    if probabilities is None:
        _say_what_is_not_counted(file)
    return tuple(_topic(topic, weights, probabilities == "flat") for topic in file.topics)


def importance_weights(probabilities: str | None) -> dict[str, float] | None:
    """{"vital": 2.0, "okay": 1.0} from "vital=2,okay=1"; None for anything that names no importance."""
    if probabilities is None or probabilities in CHOICES or "=" not in probabilities:
        return None
    weights: dict[str, float] = {}
    if WEIGHTS.fullmatch(probabilities):
        for pair in probabilities.split(","):
            name, _, number = (part.strip() for part in pair.partition("="))
            try:
                weight = float(number)
            except ValueError:
                break
            if name in weights or not 0 <= weight < 2**53:
                break
            weights[name] = weight
        else:
            return weights
    raise DivmetricsError(
        f"probabilities={quote(probabilities)} cannot be read; expected {WEIGHTS_FORM}, each "
        "importance once, with a number of at least 0; correct it"
    )


def _say_what_is_not_counted(file: NuggetFile) -> None:
    leaves = (
        leaf for topic in file.topics for nugget in topic.nuggets for leaf in nugget.children or [nugget]
    )
    counts = Counter(leaf.importance for leaf in leaves)
    if len(counts) > 1:
        said = " and ".join(f"{count} {name or 'without importance'}" for name, count in counts.most_common())
        warnings.warn(
            f"{file.source}: {said} nuggets are taken to be equally probable; other weights can be given "
            "where the file is read as topics, as in probabilities='vital=2,okay=1' (or 'uniform')",
            DivmetricsWarning,
            stacklevel=3,
        )


def _topic(topic: NuggetTopic, weights: Mapping[str, float] | None, flat: bool) -> Topic:
    if not topic.nuggets:
        raise format_error(
            topic.where, f"topic {topic.id} has no nuggets", "at least one", "add it, or remove the topic"
        )
    intents = _intents(topic, topic.nuggets, weights, flat)
    try:
        return Topic(topic_id(topic.id), intents, topic.title)
    except DivmetricsError as error:
        raise DivmetricsError(f"{topic.where}: {error}") from None


def _intents(
    topic: NuggetTopic, nuggets: Sequence[Nugget], weights: Mapping[str, float] | None, flat: bool
) -> tuple[Intent, ...]:
    own = [_weight(topic, nugget, weights) for nugget in nuggets]
    total = sum_of(own)
    if total == 0:
        if any(not nugget.children for nugget in nuggets) and nuggets is not topic.nuggets:
            own, total = [1.0] * len(nuggets), float(len(nuggets))  # of a group that has no weight itself
        else:
            what = f"topic {topic.id} has no nugget with a weight above 0"
            raise format_error(
                topic.where, what, WEIGHTS_FORM, "give one of its nuggets a weight, or remove the topic"
            )
    return tuple(
        Intent(
            nugget.id,
            weight / total,
            label=nugget.text,
            children=() if flat or not nugget.children else _intents(topic, nugget.children, weights, flat),
        )
        for nugget, weight in zip(nuggets, own, strict=True)
    )


def _weight(topic: NuggetTopic, nugget: Nugget, weights: Mapping[str, float] | None) -> float:
    if weights is None:
        return 1.0
    if nugget.children:
        return sum_of(_weight(topic, child, weights) for child in nugget.children)
    if nugget.importance not in weights:
        of = f"has the importance {quote(nugget.importance)}" if nugget.importance else "has no importance"
        what = f"nugget {quote(nugget.text or nugget.id)} of topic {topic.id} {of}"
        known = ", ".join(weights)
        raise format_error(
            topic.where, what, f"one of those with a weight ({known})", "give it a weight, too"
        )
    return weights[nugget.importance]


class ByText:
    """Nuggets of topics by their text, for judgments that name them so."""

    def __init__(self, described: Iterable[Topic]) -> None:
        self._leaves: dict[str, dict[str, list[tuple[str, str, str]]]] = {}
        self._groups: dict[str, dict[str, str]] = {}
        for topic in described:
            leaves = self._leaves.setdefault(topic.id, {})
            self._groups[topic.id] = {intent.label: intent.id for intent in topic.intents}
            for intent in topic.intents:
                for child in intent.children:
                    leaves.setdefault(child.label, []).append((intent.label, intent.id, child.id))
                if not intent.children:
                    leaves.setdefault(intent.label, []).append(("", intent.id, ""))

    def find(self, topic: str, text: str, again: int, group: str) -> tuple[str, str] | None:
        """(intent, child) of the nugget that is the `again`-th of its text and group, counted from 0.

        A nugget of a group that has no nuggets of its own here is the group.
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
        """The text that may be meant."""
        known = self._leaves.get(topic_id(topic))
        return ", which is not among the topics given" if known is None else did_you_mean(text, known)
