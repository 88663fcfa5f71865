"""Points that a person gives for an answer, in addition to those of the program."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ByHand:
    """Points, extra credit and comment that a person gave for one answer.

    points : None if the person entered none; the program's points, if any, then count
    """

    points: float | None = None
    extra: float = 0.0
    comment: str = ""
