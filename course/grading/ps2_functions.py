"""The two functions of assignment 2: their cases, right values, and known wrong versions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import divmetrics as dm
from course.grading.assignment import Values, WrongAnswer
from course.grading.ps1 import row
from divmetrics.core import batch_lists
from divmetrics.parts import Novelty

CASES: list[list[list[int]]] = [  # grades by intent and rank
    [[2, 0, 1, 2, 1], [0, 1, 1, 0, 2], [1, 1, 0, 0, 0]],
    [[1, 3, 0, 2], [0, 0, 0, 0], [2, 2, 3, 1], [0, 1, 1, 1], [3, 0, 3, 3]],
    [[0, 0, 1, 0, 1, 1], [1, 1, 1, 1, 1, 1]],
    [[1, 0, 2], [2, 2, 1], [0, 1, 1]],
    [[4], [0]],
    [[1, 2, 0, 1, 1, 2, 2]],
]
TOPS = (2, 4, 1, 3, 4, 2)
ALPHAS = (0.5, 0.3, 0.8, 1.0, 0.25, 0.1)


def with_own(mine: Any, cases: list[list[Any]], last: float) -> list[list[Any]]:
    """Return those cases and the student's own lists."""
    return [*cases, *([mine.grades(ranked).tolist(), last] for ranked in (mine.a, mine.b))]


def cascades(mine: Any) -> list[list[Any]]:
    """Return the cases of the first function."""
    return with_own(mine, [list(case) for case in zip(CASES, TOPS, strict=True)], 2)


def novelties(mine: Any) -> list[list[Any]]:
    """Return the cases of the second function."""
    return with_own(mine, [list(case) for case in zip(CASES, ALPHAS, strict=True)], mine.alpha)


def placed(table: Any) -> Any:
    """Convert a table to values by row and column."""
    return {place: float(value) for place, value in np.ndenumerate(np.asarray(table))}


def seen(grades: list[list[int]], top: int) -> dm.RankedList:
    """Build a list with these grades, on a scale up to `top`."""
    topic = dm.Topic("case", tuple(dm.Intent(f"t{i}", 1 / len(grades)) for i in range(len(grades))))
    judged: dict[str, Any] = {
        f"d{k}": {f"t{i}": grade for i, grade in enumerate(column) if grade}
        for k, column in enumerate(zip(*grades, strict=True))
    }
    return dm.RankedList(topic, list(judged), dm.Judgments.of(topic, judged, scale=top))


def cascaded(mine: Any) -> Values:
    """Compute M of ERR-IA on its cases."""
    M = row("ERR-IA").M
    return {
        n: placed(M(batch_lists([seen(grades, top)]))[0, 0]) for n, (grades, top) in enumerate(cascades(mine))
    }


def novel(mine: Any) -> Values:
    """Compute M of alpha-nDCG on its cases."""
    return {
        n: placed(Novelty(alpha)(batch_lists([seen(grades, max(map(max, grades)))]))[0, 0])
        for n, (grades, alpha) in enumerate(novelties(mine))
    }


def slips(
    cases: Callable[[Any], list[list[Any]]], function: str, bodies: dict[str, tuple[str, str]]
) -> tuple[WrongAnswer, ...]:
    """Build known wrong functions from their sentence and body, with g for the grades."""

    def wrong_answer(name: str, says: str, body: str) -> WrongAnswer:
        code = f"import numpy as np\ndef {function}(g, x):\n    {body}"

        def value(mine: Any) -> Values:
            names: dict[str, Any] = {}
            exec(code, names)
            numbered = enumerate(cases(mine))
            return {n: placed(names[function](np.array(grades), second)) for n, (grades, second) in numbered}

        return WrongAnswer(name, value, says, code)

    return tuple(wrong_answer(name, says, body) for name, (says, body) in bodies.items())


def left(R: str) -> str:
    """Return the first lines of a body: R, and the share of readers whom nothing above has satisfied."""
    return f"R = {R}; one = np.ones((len(g), 1)); left = np.cumprod(np.c_[one, 1 - R[:, :-1]], axis=1); "


SATISFIED = left("(2.0**g - 1) / 2.0**x")
ERR_SLIPS = {
    "denominator": (
        "that divides by 2^Y - 1 in R(g); the library divides by 2^Y",
        left("(2.0**g - 1) / (2.0**x - 1)") + "return R * left",
    ),
    "own scale": (
        "that takes the highest grade of the list for Y; Y is that of the scale",
        left("(2.0**g - 1) / 2.0**g.max()") + "return R * left",
    ),
    "linear": ("that takes g / Y for R(g)", left("g / x") + "return R * left"),
    "no cascade": ("that forgets that satisfied readers leave", SATISFIED + "return R"),
    "itself": (
        "the product runs over the documents above, not over this one",
        SATISFIED + "return R * left * (1 - R)",
    ),
    "one above": (
        "that looks at one document above; all of them count",
        SATISFIED + "return R * np.c_[one, 1 - R[:, :-1]]",
    ),
    "along the intents": (
        "the product runs along the wrong axis, over the intents",
        SATISFIED + "return R * np.cumprod(np.r_[np.ones((1, R.shape[1])), 1 - R[:-1]], axis=0)",
    ),
    "all readers": (
        "a reader leaves only where her own intent is served",
        SATISFIED + "return R * np.cumprod(np.r_[1.0, 1 - R.max(axis=0)[:-1]])",
    ),
    "discounted": (
        "that is divided by the rank, which is no part of M",
        SATISFIED + "return R * left / np.arange(1, R.shape[1] + 1)",
    ),
}
COUNTED = "r = (g > 0) * 1.0; c = np.cumsum(r, axis=1) - r; "
NOVELTY_SLIPS = {
    "alpha for 1 - alpha": (
        "that is alpha to the power of c; what a document leaves is 1 - alpha",
        COUNTED + "return r * float(x) ** c",
    ),
    "always a half": ("that takes 0.5 for alpha, whatever is given", COUNTED + "return r * 0.5**c"),
    "itself": (
        "c counts the documents above, not this one",
        COUNTED + "return r * (1.0 - x) ** (c + r)",
    ),
    "not relevant": (
        "a document that does not serve an intent adds nothing for it",
        COUNTED + "return (1.0 - x) ** c",
    ),
    "grades": (
        "that multiplies by the grade; only whether a document is relevant counts",
        COUNTED + "return g * (1.0 - x) ** c",
    ),
    "grades above": (
        "c adds up grades; it counts relevant documents",
        COUNTED + "return r * (1.0 - x) ** (np.cumsum(g, axis=1) - g)",
    ),
    "ranks above": (
        "c counts all ranks above; only documents that serve the same intent count",
        COUNTED + "return r * (1.0 - x) ** np.arange(g.shape[1])",
    ),
    "any intent": (
        "c counts the documents above that serve any intent; only the same intent counts",
        COUNTED + "s = r.max(axis=0); return r * (1.0 - x) ** (np.cumsum(s) - s)",
    ),
    "once": (
        "that lets an intent's second document add nothing, whatever alpha is",
        COUNTED + "return r * (c == 0)",
    ),
    "a coin": (
        "that has the factor alpha, which all documents share and M leaves out",
        COUNTED + "return x * r * (1.0 - x) ** c",
    ),
}
