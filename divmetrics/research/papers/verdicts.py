"""Verdicts on a paper's numbers and claims."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal

Verdict = Literal[
    "holds",
    "does not hold",
    "fragile",
    "not what was computed",
    "contradicts itself",
    "cannot be decided",
    "cannot be computed",
]
VERDICT_MEANINGS: dict[Verdict, str] = {
    "holds": "whichever way it is looked at",
    "does not hold": "not in any way it is looked at",
    "fragile": "in some cases or under some choices that the paper leaves open, not in others",
    "not what was computed": "the printed numbers come out another way",
    "contradicts itself": "two printed statements or numbers exclude each other",
    "cannot be decided": "the printed numbers allow both answers",
    "cannot be computed": "what it needs is not public, or not stated",
}
ELSEWHERE = "elsewhere"


@dataclass(frozen=True)
class ReproducedNumber:
    """A printed number and ours, both as text with the printed digits.

    Parameters
    ----------
    where : str
        The table, figure or section.
    what : str
        What the number counts or measures.
    printed : str
        The number in the paper.
    ours : str or None
        Our number; None if it is not computed.
    convention : str
        What our number is computed from, or the choices that it needs.
    why : str
        Why both differ, or why ours cannot be computed; empty where ours only lacks data that can be named.
    """

    where: str
    what: str
    printed: str
    ours: str | None
    convention: str
    why: str = ""

    @property
    def same(self) -> bool | None:
        """Whether both are equal; None if ours was not computed."""
        return None if self.ours is None else self.ours == self.printed


@dataclass(frozen=True)
class ClaimResult:
    """A verdict (a key of `VERDICT_MEANINGS`), and the computed evidence for it in words.

    `elsewhere` marks evidence from another collection than the paper's.
    """

    verdict: Verdict
    evidence: str
    elsewhere: bool = False

    @property
    def words(self) -> str:
        """The verdict as a report prints it, such as "fragile elsewhere"."""
        return f"{self.verdict} {ELSEWHERE}" if self.elsewhere else self.verdict


@dataclass(frozen=True)
class Claim:
    """A statement of a paper in words (`says`), and the function that tests it on the evidence (`find`).

    `where` is the section or table of the paper. A claim that `needs_judgments` is tested only if the
    evidence has them.
    """

    where: str
    says: str
    find: Callable[[Any], ClaimResult]
    needs_judgments: bool = False


def combine_outcomes(outcomes: Iterable[bool]) -> Verdict:
    """Return "holds", "fragile" or "does not hold" if all, some or none of the `outcomes` are true.

    Without outcomes it is "holds".
    """
    results = list(outcomes)
    return "holds" if all(results) else "fragile" if any(results) else "does not hold"


def as_printed(same: int, otherwise: int, of: int) -> Verdict:
    """Return the verdict on a method from how many of `of` numbers it reproduces.

    `same` counts them with the method as described, `otherwise` with another method. The verdict is "holds"
    if the former gives all, else "not what was computed" if the latter does, else "does not hold".
    """
    return "holds" if same == of else "not what was computed" if otherwise == of else "does not hold"


def share(count: int, of: int) -> str:
    """Return `count` of `of` (above 0) as text, such as "7 of 45 (16%)"."""
    return f"{count} of {of} ({count / of:.0%})"
