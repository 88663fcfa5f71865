"""A field of a part that a metric's name may set: its meaning and its range, declared once."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from divmetrics.core.checks import is_number, quote
from divmetrics.errors import DivmetricsError

Value = float | str


@dataclass(frozen=True)
class Setting:
    """The meaning and the range of a field of a part that a metric's name may set, as in `alpha=0.3`.

    It stands in the annotation of the field:

        alpha: Annotated[float, Setting("how much less each further document adds", 0, 1)] = 0.5

    No name can set a field without a Setting. Parts with the same field and equal Settings share it: one
    `alpha=0.3` sets it in all of them.

    Parameters
    ----------
    says : str
        The meaning of the field, as a phrase.
    low, high : float
        The range of a number; by default all finite numbers.
    ends : {"[]", "()", "(]", "[)"}
        The brackets of the range; a round one excludes its end. No argument of a Setting is checked.
    usual : tuple of float or None
        (low, high, step): where and in which steps sliders vary the number; None leaves that to them.
    words : tuple of str
        The allowed words if the field is one of some words. A part need not give them: they are taken from
        the Literal in the annotation.

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
        """The range as text: `[0, 1]`, `(0, any)` without upper limit, `any number`, or the words."""
        if self.words:
            return ", ".join(self.words)
        if (self.low, self.high) == (-math.inf, math.inf):
            return "any number"
        first = "(any" if self.low == -math.inf else f"{self.ends[0]}{self.low:g}"
        last = "any)" if self.high == math.inf else f"{self.high:g}{self.ends[1]}"
        return f"{first}, {last}"

    def check(self, name: str, value: Any) -> None:
        """Raise DivmetricsError if a value is not allowed; else do nothing.

        Parameters
        ----------
        name : str
            The name of the setting in the message.
        value : object
            The value.

        Raises
        ------
        DivmetricsError
            If the value is none of the words or, without words, no finite number in the range.
        """
        if self.words:
            if value not in self.words:
                raise DivmetricsError(f"{name} is {value!r}, expected one of {self.allowed}")
        elif not is_number(value) or not self._contains(value):
            numbers = self.allowed if self.allowed == "any number" else f"a number in {self.allowed}"
            raise DivmetricsError(f"{name} is {value!r}, expected {numbers}")

    def _contains(self, value: float) -> bool:
        above = value > self.low or (value == self.low and self.ends[0] == "[")
        return above and (value < self.high or (value == self.high and self.ends[1] == "]"))


@cache
def _hints(kind: type) -> Mapping[str, Any]:
    """Return {field: annotation} of a class; empty if its annotations cannot be resolved."""
    try:
        return get_type_hints(kind, include_extras=True)
    except NameError:
        return {}


@cache
def declared(kind: type) -> Mapping[str, Setting]:
    """Return {field: Setting} for a class, `words` included; empty if its annotations cannot be resolved."""
    by_field = {}
    for name, hint in _hints(kind).items():
        for setting in getattr(hint, "__metadata__", ()):
            if isinstance(setting, Setting):
                words = get_args(hint.__origin__) if get_origin(hint.__origin__) is Literal else ()
                by_field[name] = replace(setting, words=words)
    return by_field


@cache
def _part_fields(kind: type) -> Mapping[str, bool]:
    """Return {field: whether it may be None} for the fields that hold a part, a metric or a function."""
    kinds = {
        name: get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
        for name, hint in _hints(kind).items()
    }
    return {
        name: NoneType in each
        for name, each in kinds.items()
        if any(get_origin(one) is Callable or _is_settable(one) for one in each)
    }


def _is_settable(hint: object) -> bool:
    return isinstance(hint, type) and issubclass(hint, Settable)


class Settable:
    """The base class of parts and metrics: its constructor checks the values of its fields.

    Raises DivmetricsError if the Setting of a field does not allow a value, or if a field for a part holds
    something that cannot be called, or a class.
    """

    def __post_init__(self) -> None:
        kind: type = type(self)
        for name, setting in declared(kind).items():
            setting.check(name, getattr(self, name))
        for name, optional in _part_fields(kind).items():
            value = getattr(self, name)
            computable = isinstance(value, Settable) or (callable(value) and not isinstance(value, type))
            if not (computable or (value is None and optional)):
                raise DivmetricsError(
                    f"{getattr(self, 'name', kind.__name__)}: {name} is {quote(value)}, expected a part of "
                    "divmetrics.parts, or another function"
                )


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
