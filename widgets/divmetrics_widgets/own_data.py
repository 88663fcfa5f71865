"""A student's own variant of the data of an assignment, derived from the student id."""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Collection, Sequence
from typing import Any

from divmetrics.errors import DivmetricsError


class StableRandom(random.Random):
    """A random generator with the same results in every version of Python.

    Of the methods of `random.Random`, only `random()` is guaranteed to be reproducible.
    """

    def below(self, n: int) -> int:
        """Return a whole number from 0 to n - 1."""
        return int(self.random() * n)

    def some(self, items: Collection[Any], count: int) -> list[Any]:
        """Return `count` distinct items in random order."""
        remaining = list(items)
        return [remaining.pop(self.below(len(remaining))) for _ in range(count)]

    def shuffled(self, items: Collection[Any]) -> list[Any]:
        """Return all items in random order."""
        return self.some(items, len(items))


def normalised(student: str) -> str:
    """Return an id in lower case without blanks and signs: "S-12 34" and "s1234" are the same."""
    return re.sub(r"[\W_]", "", str(student)).casefold()


def student_number(student: str, draws: Sequence[int], *about: str) -> int:
    """Return the number in `draws` that belongs to the student with this id.

    about: course, term and assignment; each changes the number.

    Raises DivmetricsError without an id, or without draws, as in the lecturer's copy.
    """
    name = normalised(student)
    if not name:
        raise DivmetricsError(f"STUDENT is {student!r}; write your own student id between the quotes.")
    if not draws:
        raise DivmetricsError("This is the lecturer's copy; students' copies are made by `make course`.")
    seed = hashlib.sha256("|".join([*about, name]).encode()).digest()
    return draws[int.from_bytes(seed[:8]) % len(draws)]
