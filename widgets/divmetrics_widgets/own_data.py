"""Data of one's own in an assignment: whose they are follows from an id, and what they are from a number."""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Collection, Sequence
from typing import Any

from divmetrics.errors import DivmetricsError


class StableRandom(random.Random):
    """Chance that is the same in every version of Python.

    Of all that `random` has, only `random()` is promised to stay the same.
    """

    def below(self, n: int) -> int:
        """A whole number from 0 to n - 1."""
        return int(self.random() * n)

    def some(self, given: Collection[Any], count: int) -> list[Any]:
        """So many of them, in any order and each once."""
        left = list(given)
        return [left.pop(self.below(len(left))) for _ in range(count)]

    def shuffled(self, given: Collection[Any]) -> list[Any]:
        """All of them in another order."""
        return self.some(given, len(given))


def normalised(student: str) -> str:
    """An id in small letters, without blanks and signs: "S-12 34" and "s1234" are the same."""
    return re.sub(r"[\W_]", "", str(student)).casefold()


def student_number(student: str, draws: Sequence[int], *about: str) -> int:
    """Which of the numbers belongs to the student with that id.

    about : course, term and assignment, each of which gives the student another one

    Raises DivmetricsError where there is no id, or no number in a copy that students do not have.
    """
    name = normalised(student)
    if not name:
        raise DivmetricsError(f"STUDENT is {student!r}; write your own student id between the quotes.")
    if not draws:
        raise DivmetricsError("This is the lecturer's copy; students' copies are made by `make course`.")
    seed = hashlib.sha256("|".join([*about, name]).encode()).digest()
    return draws[int.from_bytes(seed[:8]) % len(draws)]
