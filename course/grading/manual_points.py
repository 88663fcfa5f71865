"""What a person gives for an answer, beside what the program does."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ByHand:
    """What a person gave for one answer: points, extra credit and a comment.

    points : None where no points were given; those of the program then stand, if it gives any
    """

    points: float | None = None
    extra: float = 0.0
    comment: str = ""
