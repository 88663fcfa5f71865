"""Word the titles of figures from the numbers that the figures draw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from divmetrics.core.tolerances import compare_scores, is_best
from divmetrics.errors import join_words
from divmetrics.render.tables import format_score

MOST_NAMED = 3
LONGEST = 40  # characters of a name


def best(values: Mapping[str, float]) -> tuple[list[str], float]:
    """Return the names with the highest value (several if they tie) and this value; nan does not count."""
    defined = {name: value for name, value in values.items() if not np.isnan(value)}
    highest = is_best(np.array(list(defined.values()), dtype=float))
    names = [name for name, is_it in zip(defined, highest, strict=True) if is_it]
    return names, defined[names[0]]


def together(names: list[str]) -> str:
    """Join names, shortened: "A", "A and B", or "A, B, C and 4 more"."""
    return join_words([brief(name) for name in names], limit=MOST_NAMED)


def brief(name: str) -> str:
    """Shorten a name for a title; a cut name ends in an ellipsis."""
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1].rstrip()}…"


def names_with_verb(names: list[str], one: str, several: str) -> str:
    """Join the names and add a verb, `one` for a single name, else `several`: "A has", "A and B have"."""
    return f"{together(names)} {one if len(names) == 1 else several}"


def preference(metric: str, scores: Mapping[str, float], things: str) -> str:
    """Return a sentence on the name in `scores` that a metric prefers; `things` is the noun for the names."""
    names, highest = best(scores)
    if len(scores) == 2:
        one, other = scores.values()
        if not compare_scores(one, other):
            return f"{metric} ties {together(list(scores))}"
        return f"{metric} prefers {brief(names[0])} by {format_score(abs(one - other))}"
    if len(names) == len(scores):
        return f"{metric} ties all {len(scores)} {things}"
    if len(names) > 1:
        return f"{metric} puts {together(names)} level, above the other {things} ({format_score(highest)})"
    second = best({name: score for name, score in scores.items() if name not in names})
    return (
        f"{metric} prefers {brief(names[0])} to {together(second[0])} by {format_score(highest - second[1])}"
    )


def leader(lines: Mapping[str, Sequence[tuple[float, float]]], what: str, parameter: str) -> str:
    """Return a sentence on which line is highest: at every setting of the parameter, or at first and last.

    `lines` are {name: points (setting, value)}; `what` is the noun for the value.
    """
    if len(lines) == 1:
        ((name, points),) = lines.items()
        (first, low), (last, high) = points[0], points[-1]
        return f"{brief(name)}: {what} {low:.3f} at {parameter} {first:g}, {high:.3f} at {last:g}"
    settings = [x for x, _ in next(iter(lines.values()))]
    highest = [best({name: points[n][1] for name, points in lines.items()})[0] for n in range(len(settings))]
    if len(highest[-1]) == len(lines):
        return f"All have the same {what} at {parameter} {settings[-1]:g}"
    if all(names == highest[-1] for names in highest):
        return f"{names_with_verb(highest[-1], 'has', 'have')} the highest {what} at every {parameter}"
    if len(highest[0]) == len(lines) or highest[0] == highest[-1]:
        last = settings[-1]
        return f"{names_with_verb(highest[-1], 'has', 'have')} the highest {what} at {parameter} {last:g}"
    ends = [f"{parameter} {settings[0]:g}", f"{settings[-1]:g}"]
    leaders = [f"{together(highest[at])} at {ends[at]}" for at in (0, -1)]
    return f"Highest {what}: {'; '.join(leaders)}"


def distinct(names: Sequence[str]) -> list[str]:
    """Return the names; if any two are equal, with a number in parentheses after every name."""
    if len(set(names)) == len(names):
        return list(names)
    return [f"{name} ({n})" for n, name in enumerate(names, 1)]
