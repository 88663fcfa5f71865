"""The four menus of Table 1: the parts a column may hold, their parameters, and rows with another one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cache
from typing import Any

from divmetrics.conventions.convention import conventions
from divmetrics.core.metric import Metric
from divmetrics.core.parts import Difference, Part, Product
from divmetrics.core.parts.setting import Value, declared
from divmetrics.core.settings import NamedSetting, settings, with_settings
from divmetrics.core.settings import parameters as parameters_of
from divmetrics.errors import DivmetricsError
from divmetrics.explanations.catalogue import COLUMNS


@dataclass(frozen=True)
class Parameter:
    """A number with its slider, if it has one, or a word of several; and what it means."""

    name: str
    value: Value
    slider: tuple[float, float, float] | None
    choices: tuple[str, ...]
    says: str


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
    return parameters_of(part)


def tuned(part: Any, values: Mapping[str, Value]) -> Any:
    """The part with other parameters; DivmetricsError where it has none of that name or refuses the value."""
    return with_settings(part, label(part), values)


def label(part: Any) -> str:
    """A part's name without its parameters, as in Cascade(Satisfaction) * BlendedRatio."""
    if isinstance(part, Product):
        return f"{label(part.first)} * {label(part.second)}"
    if isinstance(part, Difference):
        return f"{label(part.first)} - {label(part.second)}"
    held = {f.name: getattr(part, f.name) for f in fields(part)} if is_dataclass(part) else {}
    # A part with a word (gain=linear) is chosen as a parameter is.
    named = [label(value) for value in held.values() if isinstance(value, Part) and not value.word]
    fixed = [
        str(value)
        for name, value in held.items()
        if isinstance(value, (str, float, int)) and name not in declared(type(part))
    ]
    inside = ", ".join([*fixed, *named])
    return f"{type(part).__name__}({inside})" if inside else type(part).__name__


def parameters(row: Metric, column: str) -> list[Parameter]:
    """What may be set in a column; in N without what only follows another column."""
    return [
        Parameter(
            found.name,
            found.values[0],
            found.setting.usual,
            found.setting.words,
            f"{found.setting.says} ({found.setting.allowed})",
        )
        for found in settings(getattr(row, column))
        if column != "N" or _owner(row, found)[1] != found.values
    ]


def _owner(row: Metric, found: NamedSetting) -> tuple[str, tuple[Value, ...]]:
    """The column that a setting of N belongs to, and its values there: N reads its list as the row does."""
    return next(
        (
            (column, other.values)
            for column in ("M", "w", "f")
            for other in settings(getattr(row, column))
            if other.setting == found.setting
        ),
        ("N", ()),
    )


def with_part(row: Metric, column: str, part: Any) -> Metric:
    """The row with another part in a column. What N shares with the others stays the same in both."""
    return _linked(replace(row, **{column: part}), (column,) if column != "N" else COLUMNS)


def with_parameter(row: Metric, column: str, name: str, value: Value) -> Metric:
    """The row with one parameter of one column changed, and with it what N shares with that column."""
    changed = replace(row, **{column: tuned(getattr(row, column), {name: value})})
    return _linked(changed, (column,))


def _linked(row: Metric, columns: tuple[str, ...]) -> Metric:
    owners = {found.name: _owner(row, found) for found in settings(row.N)}
    shared = {name: values[0] for name, (column, values) in owners.items() if values and column in columns}
    return replace(row, N=tuned(row.N, shared))
