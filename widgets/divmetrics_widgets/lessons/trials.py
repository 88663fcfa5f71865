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
    choices: the names of the choices.
    """

    tried: int
    fails: tuple[dict[str, Any], ...]
    choices: tuple[str, ...]

    @property
    def holds(self) -> int:
        """In how many combinations the conclusion holds."""
        return self.tried - len(self.fails)

    def fails_by(self, choice: str) -> dict[Any, int]:
        """Count the combinations in which the conclusion fails, by the value of one choice."""
        values = [each[choice] for each in self.fails]
        return {value: values.count(value) for value in dict.fromkeys(values)}

    def __repr__(self) -> str:
        return f"Tried: {', '.join(self.choices)}. Holds in {self.holds} of {self.tried} combinations.{self._not_in()}"

    def _not_in(self) -> str:
        if not self.fails:
            return ""
        if len(self.fails) <= MOST_NAMED:
            named = "; ".join(", ".join(f"{name} {value}" for name, value in each.items()) for each in self.fails)
            return f" Fails for {named}."
        counts = {name: self.fails_by(name) for name in self.choices}
        name, most = min(counts.items(), key=lambda each: len(each[1]) if len(each[1]) > 1 else self.tried)
        return f" Fails for {name} " + ", ".join(f"{value} ({n} times)" for value, n in most.items()) + "."

    def _repr_html_(self) -> str:
        return f"<p>{escape(repr(self))}</p>"


def tried(conclusion: Callable[..., object], **choices: Iterable[Any]) -> Trials:
    """Try a conclusion under all combinations of the choices, which are its keyword arguments.

    >>> tried(lambda a, b: a < b, a=[1, 2], b=[2, 3])
    Tried: a, b. Holds in 3 of 4 combinations. Fails for a 2, b 2.
    """
    combinations = [dict(zip(choices, values, strict=True)) for values in product(*choices.values())]
    fails = tuple(each for each in combinations if not conclusion(**each))
    return Trials(len(combinations), fails, tuple(choices))
