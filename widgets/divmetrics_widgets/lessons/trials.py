"""Trials: a conclusion under all combinations of the choices that a reader could have made."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from html import escape
from itertools import product
from typing import Any

MOST_NAMED = 6  # failures that are listed one by one


@dataclass(frozen=True)
class Trials:
    """How often a conclusion holds.

    tried: how many combinations were tried. fails: those in which it does not hold, each {choice: value}.
    choices: the values of each choice.
    """

    tried: int
    fails: tuple[dict[str, Any], ...]
    choices: dict[str, tuple[Any, ...]]

    @property
    def holds(self) -> int:
        """In how many combinations the conclusion holds."""
        return self.tried - len(self.fails)

    def fails_by(self, choice: str) -> dict[Any, int]:
        """Count the combinations in which the conclusion fails, by the value of one choice."""
        values = [each[choice] for each in self.fails]
        return {value: values.count(value) for value in dict.fromkeys(values)}

    def __repr__(self) -> str:
        count = f"Holds in {self.holds} of {self.tried} combinations."
        return f"Tried: {', '.join(self.choices)}. {count}{self._not_in()}"

    def _not_in(self) -> str:
        if not self.fails:
            return ""
        if len(self.fails) <= MOST_NAMED:
            named = "; ".join(
                ", ".join(f"{name} {value}" for name, value in each.items()) for each in self.fails
            )
            return f" Fails for {named}."
        name = max(self.choices, key=self._unevenness)
        most = self.fails_by(name)
        return f" Fails for {name} " + ", ".join(f"{value} ({n} times)" for value, n in most.items()) + "."

    def _unevenness(self, choice: str) -> float:
        """Return how far apart the values of a choice are in the share of their combinations that fail."""
        values, counts = self.choices[choice], self.fails_by(choice)
        shares = [counts.get(value, 0) * len(values) / self.tried for value in values]
        return max(shares) - min(shares)

    def _repr_html_(self) -> str:
        return f"<p>{escape(repr(self))}</p>"


def tried(conclusion: Callable[..., object], **choices: Iterable[Any]) -> Trials:
    """Try a conclusion under all combinations of the choices, which are its keyword arguments.

    >>> tried(lambda a, b: a < b, a=[1, 2], b=[2, 3])
    Tried: a, b. Holds in 3 of 4 combinations. Fails for a 2, b 2.
    """
    values = {name: tuple(each) for name, each in choices.items()}
    combinations = [dict(zip(values, each, strict=True)) for each in product(*values.values())]
    fails = tuple(each for each in combinations if not conclusion(**each))
    return Trials(len(combinations), fails, values)
