"""Which mark stands for which intent in pictures: a shape of its own, or that of its place in the topic."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import count
from typing import Literal, Protocol, get_args

Shape = Literal[
    "circle", "triangle", "square", "diamond", "plus", "triangle-down", "star", "cross", "triangle-right",
    "triangle-left",
]  # fmt: skip
SHAPES: tuple[Shape, ...] = get_args(Shape)


class Marked(Protocol):
    """An intent."""

    @property
    def id(self) -> str:
        """Its name."""

    @property
    def mark(self) -> Shape | None:
        """The shape that it was given."""


def assign_marks(intents: Iterable[Marked]) -> dict[str, int]:
    """{intent: place of its mark in SHAPES}; who has none of its own has a place beyond.

    intents: those of a topic or, where several topics stand in one picture, of all of them: the same id has
    the same mark. Who was given a mark has it; the others have that of their place or, where it is taken, the
    first that is free.
    """
    given: dict[str, Shape | None] = {}
    for intent in intents:
        given[intent.id] = given.get(intent.id) or intent.mark
    found: dict[str, int] = {}
    for name, mark in given.items():
        if mark and SHAPES.index(mark) not in found.values():
            found[name] = SHAPES.index(mark)
    taken = set(found.values())
    found |= {name: n for n, name in enumerate(given) if name not in found and n not in taken}
    taken = set(found.values())
    free = (n for n in count() if n not in taken)
    return {name: found[name] if name in found else next(free) for name in given}


def own_marks(intents: Sequence[Marked]) -> list[Shape | None]:
    """The mark of each intent of a topic where it is not that of its place, else None."""
    marks = assign_marks(intents).values()
    return [SHAPES[mark] if place != mark < len(SHAPES) else None for place, mark in enumerate(marks)]
