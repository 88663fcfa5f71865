"""A field of a part that a metric's name may set: its meaning and its range, declared once."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from divmetrics.core.checks import is_number
from divmetrics.errors import DivmetricsError

Value = float | str


@dataclass(frozen=True)
class Setting:
    """The meaning and the range of a field that a metric's name may set, as in `alpha=0.3`.

        alpha: Annotated[float, Setting("how much less each further document adds", 0, 1)] = 0.5

    A field without a Setting belongs to the part alone. Parts that declare equal settings share them: one
    short name sets all.

    Parameters
    ----------
    says : str
        The meaning of the field, as a phrase.
    low, high : float
        Range of a number.
    ends : str
        Brackets of the range; round ones exclude the end.
    usual : tuple of float or None
        Range and step within which the number is usually varied.
    words : tuple of str
        Allowed words, taken from the field's Literal.

    Examples
    --------
    >>> Setting("how much less each further document adds", 0, 1).allowed
    '[0, 1]'
    """

    says: str
    low: float = -math.inf
    high: float = math.inf
    ends: Literal["[]", "()", "(]", "[)"] = "[]"
    usual: tuple[float, float, float] | None = None
    words: tuple[str, ...] = ()

    @property
    def allowed(self) -> str:
        """The range in short: `[0, 1]`, `(0, any)`, `any number`, or the words."""
        if self.words:
            return ", ".join(self.words)
        if self.low == -math.inf:
            return "any number"
        last = "any)" if self.high == math.inf else f"{self.high:g}{self.ends[1]}"
        return f"{self.ends[0]}{self.low:g}, {last}"

    def check(self, name: str, value: Any) -> None:
        """Check a value of the setting.

        Parameters
        ----------
        name : str
            The name of the setting in the message.
        value : object
            The value.

        Raises
        ------
        DivmetricsError
            If the value is outside the range.
        """
        if self.words:
            if value not in self.words:
                raise DivmetricsError(f"{name} is {value!r}, expected one of {self.allowed}")
        elif not is_number(value) or not self._contains(value):
            raise DivmetricsError(f"{name} is {value!r}, expected a number in {self.allowed}")

    def _contains(self, value: float) -> bool:
        above = value > self.low or (value == self.low and self.ends[0] == "[")
        return above and (value < self.high or (value == self.high and self.ends[1] == "]"))


def declared(kind: type) -> Mapping[str, Setting]:
    """Return {field: Setting} for a class; empty if its annotations cannot be resolved."""
    try:
        return _declared(kind)
    except NameError:
        return {}


@cache
def _declared(kind: type) -> Mapping[str, Setting]:
    by_field = {}
    for name, hint in get_type_hints(kind, include_extras=True).items():
        for setting in getattr(hint, "__metadata__", ()):
            if isinstance(setting, Setting):
                words = get_args(hint.__origin__) if get_origin(hint.__origin__) is Literal else ()
                by_field[name] = replace(setting, words=words)
    return by_field


class Settable:
    """A part or a metric: the values of its settings are checked on entry."""

    def __post_init__(self) -> None:
        for name, setting in declared(type(self)).items():
            setting.check(name, getattr(self, name))


LITERAL_SETTING = Setting("a number that the metric's own text uses")

# Settings that several parts share.
Alpha = Annotated[
    float, Setting("how much less each further document for an intent adds", 0, 1, usual=(0, 1, 0.05))
]
Beta = Annotated[
    float, Setting("the chance that the reader goes on to the next rank", 0, 1, "()", (0.05, 0.95, 0.05))
]
Phi = Annotated[
    float, Setting("the chance that the reader goes on to the next rank", 0, 1, "()", (0.01, 0.99, 0.01))
]
