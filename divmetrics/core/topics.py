"""Topics and their intents.

Constructors check their arguments, so that the code that computes scores need not.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

import numpy as np

from divmetrics.core.calls import public
from divmetrics.core.checks import check_choice, check_ordered, check_text_fields, is_number, quote
from divmetrics.core.tolerances import SUM_EXPECTED, SUM_QUIET, sums_to_one
from divmetrics.errors import DivmetricsError, DivmetricsWarning, did_you_mean

IntentKind = Literal["informational", "navigational"]
NuggetWeights = Literal["", "unset", "uniform", "given"]
Level = Literal[1, 2]


@public
@dataclass(frozen=True)
class Intent:
    """One intent behind a query: a first-level subtopic, or, as a child of another one, a second-level one.

    Parameters
    ----------
    id : str
        The id, which differs from those of the topic's other intents, or of the parent's other children.
    probability : float
        The probability p(t|q) of the intent t for the query; of a child e, p(e|t,q) within its parent.
    kind : {"informational", "navigational"}
        Whether several relevant documents help the user, or one is enough (Sakai 2012).
    label : str
        What the user wants, in words; "" if nobody said it.
    children : iterable of Intent
        The second-level subtopics, stored as a tuple; empty if there is only one level.
    mark : str, optional
        The name of the mark that drawings show for the intent, such as "circle". None leaves the choice to
        them. Intents that differ only in their marks are equal.
    importance : str
        The label of a nugget, such as "vital" or "okay"; "" for none.

    Raises
    ------
    DivmetricsError
        If the id, label or importance is not text, the probability no number of at least 0, the kind none of
        the two, or if two children share an id or their probabilities do not sum to 1 (within 0.001).

    Examples
    --------
    >>> Intent("film", 0.6).kind
    'informational'
    >>> film = Intent("film", 0.6, children=(Intent("cast", 0.5), Intent("trailer", 0.5)))
    >>> [child.id for child in film.children]
    ['cast', 'trailer']
    """

    id: str
    probability: float
    kind: IntentKind = "informational"
    label: str = ""
    children: tuple[Intent, ...] = ()
    mark: str | None = field(default=None, repr=False, compare=False)
    importance: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        check_text_fields(self, "id", "label", "importance")
        check_ordered("Intent: children", self.children)
        object.__setattr__(self, "children", tuple(self.children))
        if self.kind not in get_args(IntentKind):
            raise DivmetricsError(
                f"intent {self.id!r}: kind is {self.kind!r}, expected 'informational' or 'navigational'"
            )
        p = self.probability
        if not is_number(p) or p < 0:
            raise DivmetricsError(
                f"intent {self.id!r} has probability {quote(p)}, expected a number of at least 0"
            )
        _check_probabilities(f"second-level subtopics of intent {self.id!r}", self.children)


@public
@dataclass(frozen=True)
class Topic:
    """A query and its intents.

    Parameters
    ----------
    id : str
        The id that judgments and runs use.
    intents : iterable of Intent
        The intents, stored as a tuple; their probabilities sum to 1 (within 0.001), unless there are none.
    title, description : str
        The query as typed, and the information need in words.
    type : str
        A class of topics, such as "ambiguous".
    nuggets : {"", "unset", "uniform", "given"}
        "" if the intents are no nuggets (pieces of information that an answer needs). For nuggets, where
        their probabilities come from: "given" by the caller, "uniform" by the caller's choice, or "unset":
        the caller chose nothing, and they are uniform. Topics that differ only in this are equal.

    Raises
    ------
    DivmetricsError
        If a field has the wrong type, two intents share an id or a mark, or the probabilities do not sum
        to 1.

    Examples
    --------
    >>> topic = Topic("7", (Intent("film", 0.6), Intent("book", 0.4)))
    >>> [intent.probability for intent in topic.uniform().intents]
    [0.5, 0.5]
    """

    id: str
    intents: tuple[Intent, ...]
    title: str = ""
    description: str = ""
    type: str = ""
    nuggets: NuggetWeights = field(default="", repr=False, compare=False)

    def __post_init__(self) -> None:
        check_text_fields(self, "id", "title", "description", "type")
        check_choice("Topic: nuggets", self.nuggets, get_args(NuggetWeights))
        check_ordered("Topic: intents", self.intents)
        object.__setattr__(self, "intents", tuple(self.intents))
        _check_probabilities(f"topic {self.id}", self.intents)
        twice = first_duplicate(intent.mark for intent in self.intents if intent.mark)
        if twice is not None:
            same = [repr(intent.id) for intent in self.intents if intent.mark == twice]
            raise DivmetricsError(
                f"topic {self.id}: the mark {twice!r} stands for {' and '.join(same)}; give each its own"
            )

    def uniform(self) -> Topic:
        """Return the topic with equally probable intents, and equally probable children of each intent.

        `nuggets` becomes "uniform", unless it is "".
        """
        return replace(self, intents=_uniform(self.intents), nuggets="uniform" if self.nuggets else "")

    def nonuniform(self) -> Topic:
        """Return the topic with the probability 2^(n-j+1) / (2^1 + ... + 2^n) for the j-th of n intents.

        So each intent is half as probable as the one before; the second-level subtopics within an intent
        likewise (Sakai et al. 2010, section 4.1). `nuggets` becomes "given", unless it is "".
        """
        return replace(self, intents=_nonuniform(self.intents), nuggets="given" if self.nuggets else "")

    @property
    def in_groups(self) -> bool:
        """Whether an intent has second-level subtopics."""
        return any(intent.children for intent in self.intents)

    def second_level(self) -> Topic:
        """Return the topic whose intents are the second-level subtopics, without children.

        The subtopic e of the intent t has the id "t/e", the probability p(t|q) p(e|t,q), and its id as the
        label if it has none. Intents without subtopics follow unchanged. If `nuggets` is "unset" or
        "uniform", all are equally probable instead.
        """
        below = tuple(
            replace(
                child,
                id=f"{intent.id}/{child.id}",
                probability=intent.probability * child.probability,
                label=child.label or child.id,
            )
            for intent in self.intents
            for child in intent.children
        )
        own = tuple(intent for intent in self.intents if not intent.children)
        flat = replace(self, intents=below + own)
        return replace(flat, intents=_uniform(flat.intents)) if self.nuggets in ("unset", "uniform") else flat

    def with_kinds(self, kinds: Mapping[str, IntentKind]) -> Topic:
        """Return the topic with other kinds of intents.

        Parameters
        ----------
        kinds : {intent: kind}
            The kind, "informational" or "navigational", by the id of the intent. Other intents and all
            children keep their kinds.

        Returns
        -------
        Topic
            A new topic; this one is not changed.

        Raises
        ------
        DivmetricsError
            If the topic lacks an intent of `kinds`, or a kind is none of the two.
        """
        ids = [intent.id for intent in self.intents]
        for intent in kinds:
            if intent not in ids:
                raise DivmetricsError(
                    f"topic {self.id}: {intent!r} is not an intent of the topic{did_you_mean(intent, ids)}"
                    f"; it has {', '.join(ids)}"
                )
        return replace(self, intents=tuple(replace(t, kind=kinds.get(t.id, t.kind)) for t in self.intents))


def marks_of(topic: Topic) -> list[str | None]:
    """Return the `mark` of every first-level intent, in order; None for an intent without one."""
    return [intent.mark for intent in topic.intents]


def ids_with_subtopics(topic: Topic) -> list[str]:
    """Return the id of each intent, followed by those of its second-level subtopics as "intent/child"."""
    return [x for t in topic.intents for x in (t.id, *(f"{t.id}/{child.id}" for child in t.children))]


def subtopic_index(topic: Topic) -> dict[tuple[str, str], int]:
    """Return {(id of an intent, id of its child): row of the child in `Judgments.subtopic_grades`}.

    Rows count from 0, intent by intent; the dict is empty if no intent has children.
    """
    pairs = [(intent.id, child.id) for intent in topic.intents for child in intent.children]
    return {pair: row for row, pair in enumerate(pairs)}


def by_id(topics: Iterable[Topic]) -> dict[str, Topic]:
    """Return {id: topic} in the order of the topics; raise DivmetricsError if two of them share an id.

    One object may occur several times.
    """
    topic_of: dict[str, Topic] = {}
    for topic in topics:
        if topic_of.setdefault(topic.id, topic) is not topic:
            raise DivmetricsError(f"two topics have the id {topic.id!r}; leave out one or rename it")
    return topic_of


def sum_of(probabilities: Iterable[float]) -> float:
    """Return the sum of the probabilities, rounded only at the end; infinity if no float is that large."""
    try:
        return math.fsum(probabilities)
    except OverflowError:
        return math.inf


def warn_unnormalised(topics: Iterable[Topic]) -> None:
    """Warn (DivmetricsWarning) if sums of topics' probabilities differ from 1 by more than 1e-6.

    The one warning counts these topics and names the first with its sum. Topics without intents are skipped.
    """
    sums = {topic.id: sum_of(t.probability for t in topic.intents) for topic in topics if topic.intents}
    uneven = {topic: total for topic, total in sums.items() if not sums_to_one(total, SUM_QUIET)}
    if uneven:
        topic, total = next(iter(uneven.items()))
        warnings.warn(
            f"intent probabilities of {len(uneven)} topic(s) do not sum to exactly 1 (topic {topic}: "
            f"{total:.6g}); they are used as they are",
            DivmetricsWarning,
            stacklevel=3,
        )


def _check_probabilities(owner: str, intents: tuple[Intent, ...]) -> None:
    twice = first_duplicate(intent.id for intent in intents)
    if twice is not None:
        raise DivmetricsError(f"{owner}: intent {twice!r} appears twice; ids must differ")
    total = sum_of(intent.probability for intent in intents)
    if intents and not sums_to_one(total):
        raise DivmetricsError(
            f"{owner}: probabilities sum to {total:.6g}, expected {SUM_EXPECTED}; "
            "divide each by their sum, or make them equal"
        )


def first_duplicate(ids: Iterable[str]) -> str | None:
    """Return the first id, in order, that has occurred before; None if all ids differ."""
    seen: set[str] = set()
    return next((i for i in ids if i in seen or seen.add(i)), None)  # type: ignore[func-returns-value]


def _uniform(intents: tuple[Intent, ...]) -> tuple[Intent, ...]:
    return tuple(
        replace(intent, probability=1 / len(intents), children=_uniform(intent.children))
        for intent in intents
    )


def nonuniform_probabilities(count: int) -> list[float]:
    """Return the probabilities 2^(n-j+1) / (2^1 + ... + 2^n) of j = 1 to n = `count` (Sakai et al. 2010)."""
    weights = np.exp2(-np.arange(count))
    probabilities: list[float] = (weights / weights.sum()).tolist()
    return probabilities


def _nonuniform(intents: tuple[Intent, ...]) -> tuple[Intent, ...]:
    return tuple(
        replace(intent, probability=probability, children=_nonuniform(intent.children))
        for intent, probability in zip(intents, nonuniform_probabilities(len(intents)), strict=True)
    )


def normalised_intents(intents: list[Intent]) -> tuple[Intent, ...]:
    """Return copies of the intents, their probabilities divided by their sum, or equal if the sum is 0.

    Children are not changed.
    """
    total = sum_of(intent.probability for intent in intents)
    return tuple(
        replace(intent, probability=intent.probability / total if total else 1 / len(intents))
        for intent in intents
    )
