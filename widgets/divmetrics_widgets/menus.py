"""The four menus of Table 1: the parts of each column, their parameters, and rows with another part."""

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
    """A parameter of a part: a number, with its slider if it has one, or one of several words."""

    name: str
    value: Value
    slider: tuple[float, float, float] | None
    choices: tuple[str, ...]
    says: str


@cache
def parts_of_tables() -> Mapping[str, tuple[Any, ...]]:
    """Return for each column the parts that occur in any row of any convention, in the order of the tables.

    Parts that differ only in their parameters count as one.
    """
    by_column: dict[str, list[Any]] = {column: [] for column in COLUMNS}
    for table in conventions().values():
        for metric in table.rows.values():
            for row in metric.metrics():
                if isinstance(row, Metric):
                    for column, parts in by_column.items():
                        part = getattr(row, column)
                        if place_of(part, parts) is None:
                            parts.append(part)
    return {column: tuple(parts) for column, parts in by_column.items()}


def place_of(part: Any, parts: Sequence[Any]) -> int | None:
    """Return the index of a part in `parts`, whatever its parameters, or None."""
    return next((place for place, other in enumerate(parts) if _same_kind(other, part)), None)


def _same_kind(part: Any, other: Any) -> bool:
    try:
        return bool(part == other or _tuned(part, values_of(other)) == other)
    except DivmetricsError:  # one part lacks a parameter of the other
        return False


def values_of(part: Any) -> dict[str, Value]:
    """Return the parameters of a part, including those of nested parts."""
    return parameters_of(part)


def _tuned(part: Any, values: Mapping[str, Value]) -> Any:
    """Return the part with other parameters. Raises DivmetricsError for an invalid name or value."""
    return with_settings(part, label(part), values)


def label(part: Any) -> str:
    """Return a part's name without its parameters, as in Cascade(Satisfaction) * BlendedRatio."""
    if isinstance(part, Product):
        return f"{label(part.first)} * {label(part.second)}"
    if isinstance(part, Difference):
        return f"{label(part.first)} - {label(part.second)}"
    kind: type = type(part)
    values = {f.name: getattr(part, f.name) for f in fields(part)} if is_dataclass(part) else {}
    # A part with a word (gain=linear) is a choice among parameters.
    named = [label(value) for value in values.values() if isinstance(value, Part) and not value.word]
    fixed = [
        str(value)
        for name, value in values.items()
        if isinstance(value, (str, float, int)) and name not in declared(kind)
    ]
    inside = ", ".join([*fixed, *named])
    return f"{kind.__name__}({inside})" if inside else kind.__name__


def parameters(row: Metric, column: str) -> list[Parameter]:
    """Return the parameters of a column; for N only those that do not follow another column."""
    return [
        Parameter(
            setting.name,
            setting.values[0],
            setting.setting.usual,
            setting.setting.words,
            f"{setting.setting.says} ({setting.setting.allowed})",
        )
        for setting in settings(getattr(row, column))
        if column != "N" or _owner(row, setting)[1] != setting.values
    ]


def _owner(row: Metric, setting: NamedSetting) -> tuple[str, tuple[Value, ...]]:
    """Return the column that a setting of N follows, and its values there; N itself if it follows none."""
    return next(
        (
            (column, other.values)
            for column in ("M", "w", "f")
            for other in settings(getattr(row, column))
            if other.setting == setting.setting
        ),
        ("N", ()),
    )


def with_part(row: Metric, column: str, part: Any) -> Metric:
    """Return the row with another part in a column; settings that N shares with other columns stay equal."""
    return _linked(replace(row, **{column: part}), (column,) if column != "N" else COLUMNS)


def with_parameter(row: Metric, column: str, name: str, value: Value) -> Metric:
    """Return the row with one parameter of one column changed, in N as well if N shares it."""
    changed = replace(row, **{column: _tuned(getattr(row, column), {name: value})})
    return _linked(changed, (column,))


def _linked(row: Metric, columns: tuple[str, ...]) -> Metric:
    owners = {setting.name: _owner(row, setting) for setting in settings(row.N)}
    shared = {name: values[0] for name, (column, values) in owners.items() if values and column in columns}
    return replace(row, N=_tuned(row.N, shared))
