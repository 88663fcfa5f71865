"""Topics as printed, with intents on one or two levels, and their probabilities p(t|q) and p(e|t,q).

Every source of topics except nuggets comes here: XML, JSON, lines, tables and mappings have the same
tolerance for sums of probabilities, the same choices of what to make of them, and the same kinds of intents.
"""

from __future__ import annotations

import math
import re
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from divmetrics.core.checks import quote
from divmetrics.core.tolerances import SUM_EXPECTED, sums_to_one
from divmetrics.core.topics import Intent, IntentKind, Topic, nonuniform_probabilities, sum_of
from divmetrics.errors import DivmetricsError, DivmetricsWarning, did_you_mean, join_words, some
from divmetrics.io.file_contents import format_error
from divmetrics.io.validate import topic_id

PROBABILITY_CHOICES = {
    "normalise": "divide by their sum, on each level",
    "uniform": "every probability equal, on both levels",
    "nonuniform": "half as probable as the one before, on both levels",
    "flat": "the first level only",
}
KINDS: dict[str, IntentKind] = {
    "nav": "navigational",
    "navigational": "navigational",
    "inf": "informational",
    "informational": "informational",
    "": "informational",  # the default in the DTD of the Web track
}
SINGLE = "single"  # the Web track's type of topics without subtopics, which are judged as subtopic 0
WHOLE_TOPIC = "0"
LEAVE_OUT = "leave the topics out (the intents are then the judged ones)"
WITHOUT_INTENTS = f"give the file that names the intents, or {LEAVE_OUT}"
WEIGHT = re.compile(r"\s*([^\s=,]+)\s*=\s*([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)\s*")
WEIGHTS_FORM = "weights of importance such as 'vital=2,okay=1'"


class Subtopic(NamedTuple):
    """An intent as a file has it, before its probability is checked or normalised.

    `children` are its second-level subtopics, `kind` is the word in the file, or "", and `where` its file and
    line, or "" if they are the topic's.
    """

    id: str
    label: str
    probability: float
    children: tuple[Subtopic, ...] = ()
    kind: str = ""
    where: str = ""


class Hierarchy(NamedTuple):
    """A topic as a file has it, with its intents; `where` is its file and line."""

    where: str
    id: str
    title: str
    type: str
    subtopics: tuple[Subtopic, ...]
    description: str = ""


def check_choice(probabilities: str | None) -> None:
    """Raise DivmetricsError unless it is None, "normalise", "uniform", "nonuniform" or "flat"."""
    if probabilities is not None and probabilities not in PROBABILITY_CHOICES:
        raise DivmetricsError(
            f"probabilities={probabilities!r} is unknown"
            f"{did_you_mean(str(probabilities), PROBABILITY_CHOICES)}; "
            f"expected None, {', '.join(map(repr, PROBABILITY_CHOICES))}; choose one of them"
        )


def importance_weights(probabilities: str | None) -> dict[str, float] | None:
    """Parse "vital=2,okay=1" as {"vital": 2.0, "okay": 1.0}; return None for None or a text without "=".

    Raises DivmetricsError if a weight is invalid.
    """
    if probabilities is None or "=" not in probabilities:
        return None
    matches = [WEIGHT.fullmatch(pair) for pair in probabilities.split(",")]
    weights = {match[1]: float(match[2]) for match in matches if match}
    if len(weights) == len(matches) and all(0 <= weight < 2**53 for weight in weights.values()):
        return weights
    raise DivmetricsError(
        f"probabilities={quote(probabilities)} cannot be read; expected {WEIGHTS_FORM}, each "
        "importance once, with a number of at least 0; correct it"
    )


def topics(source: str, hierarchies: Iterable[Hierarchy], probabilities: str | None) -> tuple[Topic, ...]:
    """Make topics of hierarchies, in their order, with probabilities as `read_topics` describes them.

    A topic without subtopics has one intent, "0", with the topic's description. Unknown kinds are taken to
    be informational. Warns once of each assumption, with counts; `source` names the file there. Raises
    DivmetricsError if a topic is repeated or has no id, an intent is repeated, a probability is invalid, sums
    are not 1, there is a third level, or no topic has subtopics.
    """
    reader = _Reader(probabilities)
    made: dict[str, Topic] = {}
    first: dict[str, Hierarchy] = {}
    for hierarchy in hierarchies:
        before = first.setdefault(hierarchy.id, hierarchy)
        if before is not hierarchy or not hierarchy.id:
            what = f"topic {hierarchy.id} is given again (first at {before.where})"
            what = what if hierarchy.id else "a topic has no id"
            raise format_error(hierarchy.where, what, "every topic once, with an id", "correct or remove it")
        if not hierarchy.subtopics:
            if hierarchy.type != SINGLE:
                reader.bare.append(hierarchy)
            whole_topic = Subtopic(WHOLE_TOPIC, hierarchy.description, 1.0)
            hierarchy = hierarchy._replace(subtopics=(whole_topic,))
        made[hierarchy.id] = reader.topic(hierarchy)
    if first and len(reader.bare) == len(first):
        what = f"none of the {len(first)} topic(s) has intents (the first is topic {reader.bare[0].id})"
        raise format_error(reader.bare[0].where, what, "topics with their intents", WITHOUT_INTENTS)
    for assumption in reader.assumptions():
        warnings.warn(f"{source}: {assumption}", DivmetricsWarning, stacklevel=3)
    return tuple(made.values())


def topics_of_rows(
    source: str, rows: Iterable[tuple[str, str, str, float, str]], probabilities: str | None
) -> tuple[Topic, ...]:
    """Make topics of rows (place for messages, topic, intent, probability, kind or ""), as `topics` does.

    Topics and their intents are in order of appearance. Warnings and errors are those of `topics`.
    """
    hierarchies: dict[str, Hierarchy] = {}
    subtopics: dict[str, list[Subtopic]] = {}
    for where, topic, intent, probability, kind in rows:
        name = topic_id(topic)
        hierarchies.setdefault(name, Hierarchy(where, name, "", "", ()))
        subtopics.setdefault(name, []).append(Subtopic(intent, "", probability, kind=kind, where=where))
    complete = (h._replace(subtopics=tuple(subtopics[name])) for name, h in hierarchies.items())
    return topics(source, complete, probabilities)


class _Reader:
    """Makes topics from hierarchies, and collects what had to be assumed."""

    def __init__(self, choice: str | None) -> None:
        self._choice = choice
        self.bare: list[Hierarchy] = []
        self._zeros: list[str] = []
        self._unknown_kinds: list[tuple[str, str]] = []  # kind, and place with intent

    def assumptions(self) -> Iterator[str]:
        """Yield a clause for each kind of assumption that was made, with counts."""
        if self.bare:
            names = some([hierarchy.id for hierarchy in self.bare])
            yield (
                f"{len(self.bare)} topic(s) have no subtopics ({names}) and are read with one intent, "
                f"{WHOLE_TOPIC}"
            )
        if self._zeros:
            yield (f"{some(self._zeros)} are all 0 and cannot be normalised; they are taken to be equal")
        if self._unknown_kinds:
            counts = Counter(kind for kind, _ in self._unknown_kinds)
            kinds = join_words([f"{count} of kind {quote(kind)}" for kind, count in counts.items()], limit=5)
            yield (
                f"{len(self._unknown_kinds)} intent(s) are neither nav nor inf ({kinds}; the first is "
                f"{self._unknown_kinds[0][1]}) and are taken to be informational; only DIN- and P+Q-measures "
                "distinguish them"
            )

    def topic(self, hierarchy: Hierarchy) -> Topic:
        """Make a topic; raise DivmetricsError if it is invalid."""
        where, name = hierarchy.where, f"topic {hierarchy.id}"
        probabilities = self._probabilities(where, name, hierarchy.subtopics, "intent")
        intents = []
        for subtopic, probability in zip(hierarchy.subtopics, probabilities, strict=True):
            kind = KINDS.get(subtopic.kind.strip().casefold())
            if kind is None:
                place = f"intent {subtopic.id} of {name} at {subtopic.where or where}"
                self._unknown_kinds.append((subtopic.kind, place))
            children = self._children(where, f"{name}, intent {subtopic.id}", subtopic.children)
            intents.append(
                Intent(subtopic.id, probability, kind or "informational", subtopic.label, children)
            )
        try:
            return Topic(hierarchy.id, tuple(intents), hierarchy.title, hierarchy.description, hierarchy.type)
        except DivmetricsError as error:
            raise DivmetricsError(f"{where}: {error}") from None

    def _children(self, where: str, parent: str, children: Sequence[Subtopic]) -> tuple[Intent, ...]:
        _check_signs(where, parent, children, "subtopic")
        if not children or self._choice == "flat":
            return ()
        third = next((child for child in children if child.children), None)
        if third is not None:
            what = f"second-level subtopic {third.id} of {parent} has subtopics of its own"
            raise format_error(where, what, "subtopics on two levels", "leave out the third")
        probabilities = self._probabilities(where, parent, children, "subtopic")
        return tuple(
            Intent(child.id, probability, label=child.label)
            for child, probability in zip(children, probabilities, strict=True)
        )

    def _probabilities(
        self, where: str, owner: str, subtopics: Sequence[Subtopic], noun: Literal["intent", "subtopic"]
    ) -> list[float]:
        """Return the probabilities of the subtopics of one owner, computed as the choice says.

        noun: what a subtopic of this level is called in messages. Raises DivmetricsError if a probability is
        invalid, a subtopic is repeated, or the sum is not 1.
        """
        _check_signs(where, owner, subtopics, noun)
        first: dict[str, Subtopic] = {}
        for subtopic in subtopics:
            before = first.setdefault(subtopic.id, subtopic)
            if before is not subtopic:
                what = f"{noun} {subtopic.id} of {owner} is given again (first at {before.where or where})"
                raise format_error(
                    subtopic.where or where, what, f"every {noun} once", "remove one of the two"
                )
        values = [subtopic.probability for subtopic in subtopics]
        total = sum_of(values)
        second_level = noun == "subtopic"
        what = f"the {'second-level ' if second_level else ''}probabilities of {owner}"
        if self._choice == "normalise" and math.isinf(total):
            raise format_error(where, f"{what} are too large to be added up", "probabilities", "correct them")
        if self._choice == "normalise" and total == 0:
            self._zeros.append(what)
        if self._choice == "uniform" or (self._choice == "normalise" and total == 0):
            return [1 / len(values)] * len(values)
        if self._choice == "nonuniform":
            return nonuniform_probabilities(len(values))
        if self._choice == "normalise":
            return [value / total for value in values]
        if sums_to_one(total):
            return values
        what = f"{what} sum to {total:.6g}"
        choices = {**PROBABILITY_CHOICES}
        if second_level:
            what = f"{what} (in IMine they are a distribution over the whole topic)"
        else:
            del choices["flat"]
        readings = [f"probabilities={choice!r} ({meaning})" for choice, meaning in choices.items()]
        remedy = f"correct them, or read the topics with {join_words(readings, 'or')}"
        raise format_error(where, what, SUM_EXPECTED, remedy)


def _check_signs(where: str, owner: str, subtopics: Iterable[Subtopic], noun: str) -> None:
    for subtopic in subtopics:
        if not (math.isfinite(subtopic.probability) and subtopic.probability >= 0):
            what = f"{noun} {subtopic.id} of {owner} has the probability {subtopic.probability:g}"
            raise format_error(subtopic.where or where, what, "a finite number of at least 0", "correct it")
