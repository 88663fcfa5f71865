"""The four menus of Table 1: the parts a column may hold, their parameters, and rows with another one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cache
from typing import Any, get_args, get_type_hints

from divmetrics.core.metric import NOT_PARAMETERS, Metric, Value
from divmetrics.core.parts import CHOICES, Difference, One, Part, Product, Relevant
from divmetrics.errors import DivmetricsError
from divmetrics.explanations.catalogue import COLUMNS
from divmetrics.tables.conventions import conventions

# Where sliders go: from, to, step. The number beside takes every value that the part allows.
RANGES: Mapping[str, tuple[float, float, float]] = {
    "alpha": (0, 1, 0.05),
    "beta": (0.05, 0.95, 0.05),
    "phi": (0.01, 0.99, 0.01),
    "e": (0, 0.1, 0.005),
    "time_limit": (1, 60, 1),
}
BLEND = (0.0, 5.0, 0.1)  # the beta of the blended ratio in M, which is not NRBP's
# What N shares with another column belongs to that one: the ideal list is read as the list is.
OWNER = {"alpha": "M", "gain": "M", "beta": "w", "phi": "w", "intents": "f"}


@dataclass(frozen=True)
class Parameter:
    """A number with its slider, if it has one, or a word of several."""

    name: str
    value: Value
    slider: tuple[float, float, float] | None = None
    choices: tuple[str, ...] = ()


@cache
def parts_of_tables() -> Mapping[str, tuple[Any, ...]]:
    """For each column the parts that occur in any row of any convention, in the order of the tables.

    Parts that differ in their parameters alone are one.
    """
    found: dict[str, list[Any]] = {column: [] for column in COLUMNS}
    for table in conventions().values():
        for metric in table.rows.values():
            for row in metric.metrics():
                if isinstance(row, Metric):
                    for column, parts in found.items():
                        part = getattr(row, column)
                        if place_of(part, parts) is None:
                            parts.append(part)
    return {column: tuple(parts) for column, parts in found.items()}


def place_of(part: Any, parts: Sequence[Any]) -> int | None:
    """Which of the parts this one is, whatever its parameters."""
    return next((place for place, other in enumerate(parts) if _same_kind(other, part)), None)


def _same_kind(part: Any, other: Any) -> bool:
    try:
        return bool(part == other or tuned(part, values_of(other)) == other)
    except DivmetricsError:  # a parameter that the one has and the other has not
        return False


def values_of(part: Any) -> dict[str, Value]:
    """The parameters of a part, and of those inside it."""
    return _row_around(part).parameters()


def tuned(part: Any, values: Mapping[str, Value]) -> Any:
    """The part with other parameters; DivmetricsError where it has none of that name or refuses the value."""
    return _row_around(part).with_parameters(**values).w if values else part


def _row_around(part: Any) -> Metric:
    return Metric(label(part), N=One(), f=One(), w=part, M=Relevant())


def label(part: Any) -> str:
    """A part's name without its parameters, as in Cascade(Satisfaction) * BlendedRatio."""
    if isinstance(part, Product):
        return f"{label(part.first)} * {label(part.second)}"
    if isinstance(part, Difference):
        return f"{label(part.first)} - {label(part.second)}"
    inner = [getattr(part, f.name) for f in fields(part)] if is_dataclass(part) else []
    # A part with a word (gain=linear) is chosen as a parameter is.
    named = [label(value) for value in inner if isinstance(value, Part) and not value.word]
    fixed = [getattr(part, f.name) for f in fields(part) if f.name in NOT_PARAMETERS] if inner else []
    inside = ", ".join([*map(str, fixed), *named])
    return f"{type(part).__name__}({inside})" if inside else type(part).__name__


def parameters(row: Metric, column: str) -> list[Parameter]:
    """What may be set in a column; in N without what only follows another column."""
    part = getattr(row, column)
    values = values_of(part)
    if column == "N":
        values = {name: value for name, value in values.items() if _owned(row, name) != value}
    return [
        _parameter(part, column, name, value)
        for name, value in values.items()
        if not isinstance(value, bool)
    ]


def _owned(row: Metric, name: str) -> Value | None:
    """The value of N's parameter in the column that it belongs to."""
    return values_of(getattr(row, OWNER[name])).get(name) if name in OWNER else None


def _parameter(part: Any, column: str, name: str, value: Value) -> Parameter:
    if isinstance(value, str):
        return Parameter(name, value, choices=tuple(CHOICES.get(name) or _literals(part, name)))
    return Parameter(name, value, BLEND if (column, name) == ("M", "beta") else RANGES.get(name))


def _literals(part: Any, name: str) -> tuple[str, ...]:
    """The words that the type of a field allows."""
    for inner in _inside(part):
        hints = get_type_hints(type(inner))
        if name in hints:
            return get_args(hints[name])
    return ()


def _inside(part: Any) -> Iterator[Any]:
    yield part
    for f in fields(part) if is_dataclass(part) else ():
        if isinstance(getattr(part, f.name), Part):
            yield from _inside(getattr(part, f.name))


def with_part(row: Metric, column: str, part: Any) -> Metric:
    """The row with another part in a column. What N shares with the others stays the same in both."""
    return _linked(replace(row, **{column: part}), (column,) if column != "N" else COLUMNS)


def with_parameter(row: Metric, column: str, name: str, value: Value) -> Metric:
    """The row with one parameter of one column changed, and with it what N shares with that column."""
    changed = replace(row, **{column: tuned(getattr(row, column), {name: value})})
    return _linked(changed, (column,))


def _linked(row: Metric, columns: tuple[str, ...]) -> Metric:
    shared = {name: _owned(row, name) for name in values_of(row.N) if OWNER.get(name) in columns}
    return replace(row, N=tuned(row.N, {name: value for name, value in shared.items() if value is not None}))
