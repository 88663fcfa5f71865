"""Checks of a number that name the slip behind a wrong answer."""

from __future__ import annotations

from collections.abc import Mapping


def compare(
    answer: float,
    right: float,
    slips: Mapping[float, str],
    *,
    within: float,
    near: float,
    otherwise: bool | str = False,
) -> bool | str:
    """Compare an answer with the right one; return True, what the first slip near to it says, or `otherwise`.

    within: how far a right answer may be off. near: how far an answer may be from that of a slip.
    """
    if abs(answer - right) < within:
        return True
    return next((says for value, says in slips.items() if abs(answer - value) < near), otherwise)
