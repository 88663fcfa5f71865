"""Topics with subtopics on two levels as printed, and their probabilities p(t|q) and p(e|t,q)."""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from divmetrics.core.checks import quote
from divmetrics.core.collection import Intent, Topic, sum_of
from divmetrics.core.tolerances import SUM_EXPECTED, SUM_TOLERANCE, sums_to_one
from divmetrics.errors import DivmetricsError, DivmetricsWarning, did_you_mean
from divmetrics.io.file_contents import format_error

PROBABILITY_CHOICES = {
    "normalise": "divide by their sum within the first-level subtopic",
    "uniform": "every probability equal, on both levels",
    "flat": "the first level only",
}
WEIGHT = re.compile(r"\s*([^\s=,]+)\s*=\s*([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)\s*")
WEIGHTS_FORM = "weights of importance such as 'vital=2,okay=1'"


class Subtopic(NamedTuple):
    """A subtopic as printed; on the second level its probability need not be p(e|t,q)."""

    id: str
    label: str
    probability: float
    children: tuple[Subtopic, ...] = ()


class Hierarchy(NamedTuple):
    """A topic as printed; `where` is its file and line."""

    where: str
    id: str
    title: str
    type: str
    subtopics: tuple[Subtopic, ...]


def check_choice(probabilities: str | None) -> None:
    """Raise DivmetricsError unless the argument is None or one of `PROBABILITY_CHOICES`."""
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


def topics(hierarchies: Iterable[Hierarchy], probabilities: str | None) -> tuple[Topic, ...]:
    """Make topics with p(t|q) and p(e|t,q), computed as `probabilities` of `read_topics` says.

    Raises DivmetricsError if a topic or a probability is invalid.
    """
    topics: dict[str, Topic] = {}
    for hierarchy in hierarchies:
        if hierarchy.id in topics or not hierarchy.id:
            what = f"topic {hierarchy.id} is given twice" if hierarchy.id else "a topic has no id"
            raise format_error(hierarchy.where, what, "every topic once, with an id", "correct the file")
        topics[hierarchy.id] = _topic(hierarchy, probabilities)
    return tuple(topics.values())


def _topic(hierarchy: Hierarchy, choice: str | None) -> Topic:
    where, name = hierarchy.where, f"topic {hierarchy.id}"
    if not hierarchy.subtopics:
        what = f"{name} has no subtopics"
        raise format_error(where, what, "at least one first-level subtopic", "add them or remove the topic")
    _check_signs(where, name, hierarchy.subtopics)
    total = sum_of(subtopic.probability for subtopic in hierarchy.subtopics)
    if choice != "uniform" and not sums_to_one(total):
        what = f"the first-level probabilities of {name} sum to {total:.6g}"
        remedy = "correct them or read the file with probabilities='uniform'"
        raise format_error(where, what, SUM_EXPECTED, remedy)
    intents = []
    for subtopic in hierarchy.subtopics:
        _check_signs(where, f"{name}, subtopic {subtopic.id}", subtopic.children)
        children = () if choice == "flat" else tuple(_children(where, name, subtopic, choice))
        probability = 1 / len(hierarchy.subtopics) if choice == "uniform" else subtopic.probability
        intents.append(Intent(subtopic.id, probability, label=subtopic.label, children=children))
    try:
        return Topic(hierarchy.id, tuple(intents), hierarchy.title, type=hierarchy.type)
    except DivmetricsError as error:
        raise DivmetricsError(f"{where}: {error}") from None


def _children(where: str, name: str, parent: Subtopic, choice: str | None) -> Iterator[Intent]:
    total = sum_of(child.probability for child in parent.children)
    uneven = bool(parent.children) and not sums_to_one(total)
    if uneven and choice is None:
        choices = ", ".join(
            f"probabilities={choice!r} ({meaning})" for choice, meaning in PROBABILITY_CHOICES.items()
        )
        what = (
            f"the second-level probabilities of {name}, subtopic {parent.id} sum to {total:.6g} (in IMine "
            "they are a distribution over the whole topic)"
        )
        expected = f"1 within each first-level subtopic (within {SUM_TOLERANCE:g})"
        raise format_error(where, what, expected, f"choose one of {choices}")
    if choice == "normalise" and math.isinf(total):
        what = f"the second-level probabilities of {name}, subtopic {parent.id} are too large to be added up"
        raise format_error(where, what, "probabilities", "correct them")
    if choice == "normalise" and parent.children and total == 0:
        warnings.warn(
            f"{where}: the second-level probabilities of {name}, subtopic {parent.id} are all 0 and cannot "
            "be normalised; they are taken to be equal",
            DivmetricsWarning,
            stacklevel=2,
        )
        choice = "uniform"
    for child in parent.children:
        if child.children:
            what = (
                f"second-level subtopic {child.id} of {name}, subtopic {parent.id} has subtopics of its own"
            )
            raise format_error(where, what, "subtopics on two levels", "leave out the third")
        if choice == "uniform":
            probability = 1 / len(parent.children)
        else:
            probability = child.probability / total if choice == "normalise" else child.probability
        yield Intent(child.id, probability, label=child.label)


def _check_signs(where: str, owner: str, subtopics: Iterable[Subtopic]) -> None:
    for subtopic in subtopics:
        if not (math.isfinite(subtopic.probability) and subtopic.probability >= 0):
            what = f"subtopic {subtopic.id} of {owner} has the probability {subtopic.probability:g}"
            raise format_error(where, what, "a finite number of at least 0", "correct it")
