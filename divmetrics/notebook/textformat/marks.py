"""The mark of each intent in pictures: a shape of its own, or the shape of its position in the topic."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import count
from typing import Literal, Protocol, get_args

from divmetrics.core.checks import quote
from divmetrics.errors import DivmetricsError, did_you_mean

Shape = Literal[
    "circle", "triangle", "square", "diamond", "plus", "triangle-down", "star", "cross", "triangle-right",
    "triangle-left",
]  # fmt: skip
SHAPES: tuple[Shape, ...] = get_args(Shape)


class Marked(Protocol):
    """The two fields of an intent that decide which mark is drawn."""

    @property
    def id(self) -> str:
        """The intent's id."""

    @property
    def mark(self) -> str | None:
        """The name of a shape, or None for the shape of the intent's position."""


def assign_marks(intents: Iterable[Marked]) -> dict[str, int]:
    """Assign a mark to each intent, so that no two ids share one.

    An intent gets the shape that its `mark` names, else the shape of its position or, where that is taken,
    the first free one. Intents with the same id, of several topics in one picture, share their mark.

    Parameters
    ----------
    intents : iterable of Marked
        Intents of one topic, or of all topics in one picture.

    Returns
    -------
    dict of str to int
        {intent id: index of its mark in SHAPES}; beyond its end where the shapes are used up.

    Raises
    ------
    DivmetricsError
        If a mark is not the name of a shape.

    Examples
    --------
    >>> from divmetrics import Intent
    >>> assign_marks([Intent("film", 0.6), Intent("book", 0.4, mark="circle")])
    {'film': 1, 'book': 0}
    """
    shapes: dict[str, str | None] = {}
    for intent in intents:
        shapes[intent.id] = shapes.get(intent.id) or intent.mark
    marks: dict[str, int] = {}
    for name, shape in shapes.items():
        if shape and (index := _shape_index(name, shape)) not in marks.values():
            marks[name] = index
    taken = set(marks.values())
    marks |= {name: n for n, name in enumerate(shapes) if name not in marks and n not in taken}
    taken = set(marks.values())
    free = (n for n in count() if n not in taken)
    return {name: marks[name] if name in marks else next(free) for name in shapes}


def own_marks(intents: Sequence[Marked]) -> list[Shape | None]:
    """Return the mark of each intent of a topic, None where it is the mark of the intent's position."""
    marks = assign_marks(intents).values()
    return [SHAPES[mark] if place != mark < len(SHAPES) else None for place, mark in enumerate(marks)]


def _shape_index(intent: str, shape: str) -> int:
    for index, other in enumerate(SHAPES):
        if shape == other:
            return index
    raise DivmetricsError(
        f"intent {intent!r}: mark is {quote(shape)}{did_you_mean(str(shape), SHAPES)}; "
        f"expected None or one of {', '.join(SHAPES)}"
    )
