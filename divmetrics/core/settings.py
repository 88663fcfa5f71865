"""The settings of a metric: the fields of its parts that a name may set, by short names and by paths.

A short name such as `alpha` sets every part that declares an equal setting. Where a short name stands for
several settings, the fields that lead to one of them come before it: `M.beta`, `M.first.top`; the metrics of
a sum are told apart by their names: `NRBP.beta`. Such a path sets everything below it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

from divmetrics.core.parts import PART_OPTIONS, Part
from divmetrics.core.parts.setting import LITERAL_SETTING, Settable, Setting, Value, declared
from divmetrics.errors import DivmetricsError, did_you_mean

CACHE = "_places"


@dataclass(frozen=True)
class _SettingPath:
    """A setting in one part: the names of the fields that lead to the part, and its value.

    If `choice`, the setting chooses a part, and its value is the word of that part.
    """

    steps: tuple[str, ...]
    name: str
    setting: Setting
    value: Value
    choice: bool = False


@dataclass(frozen=True)
class NamedSetting:
    """A setting of a metric.

    `name` is the shortest one that stands for this setting alone, such as "alpha" or "M.beta"; `setting` has
    its meaning and its range. `values` are the distinct values of all parts that have the setting: usually
    one, several if no name distinguishes these parts.
    """

    name: str
    setting: Setting
    values: tuple[Value, ...]

    @property
    def values_text(self) -> str:
        """The values as a name contains them, between commas."""
        return ", ".join(map(format_value, self.values))


def settings(thing: Any) -> list[NamedSetting]:
    """Return every setting of a metric or part once, in the order of the parts; empty if there is none."""
    places = _places(thing)
    return [
        setting
        for name in dict.fromkeys(place.name for place in places)
        for setting in _distinguish([place for place in places if place.name == name])
    ]


def parameters(thing: Any) -> dict[str, Value]:
    """Return {name: value} for every name that sets a value of a metric or part.

    A short name that sets equal settings of several parts has the value of the last part.
    """
    by_name: dict[str, list[_SettingPath]] = {}
    for place in _places(thing):
        by_name.setdefault(place.name, []).append(place)
    values: dict[str, Value] = {}
    for name, places in by_name.items():
        if len({place.setting for place in places}) == 1:
            values[name] = places[-1].value
        values |= {each.name: each.values[-1] for each in _distinguish(places) if each.name != name}
    return values


def with_settings(thing: Any, owner: str, values: Mapping[str, Any]) -> Any:
    """Return a metric or part with new `values`, {name: value}; `thing` is not changed.

    Raises DivmetricsError, whose sentence begins with `owner`, if a name is unknown or stands for several
    settings, or a value is out of range.
    """
    try:
        # A chosen part may have settings of its own, so parts are chosen first.
        chosen = _set(thing, values, choice=True)
        changed = _set(chosen, values, choice=False)
    except DivmetricsError as error:
        raise DivmetricsError(f"{owner}: {error}") from None
    places = _places(chosen)
    for name in values:
        if not _below(places, name):
            current = parameters(chosen)
            has = ", ".join(f"{k}={format_value(v)}" for k, v in current.items())
            raise DivmetricsError(
                f"{owner} has no parameter {name!r}{did_you_mean(name, current)}; it has {has or 'none'}"
            )
    return changed


def _set(thing: Any, values: Mapping[str, Any], choice: bool) -> Any:
    places = _places(thing)
    new = {
        (place.steps, place.name): values[name]
        for name in sorted(values, key=lambda name: name.count("."))  # a longer path overrides a shorter one
        for place in _targets(places, name)
        if place.choice is choice
    }
    return _revised(thing, lambda place: new.get((place.steps, place.name), place.value)) if new else thing


def merge_explicit_parameters(
    thing: Any, explicit: Mapping[str, Value], values: Mapping[str, Value]
) -> dict[str, Value]:
    """Return the parameters that a name of `thing` shows: those in `explicit`, then the new `values`.

    A parameter of `explicit` is left out if `values` sets all its parts anew by another name.
    """
    places = _places(thing) if explicit else []
    overridden = [place for name in values for place in _below(places, name)]
    remaining = (
        name for name in explicit if name in values or any(p not in overridden for p in _below(places, name))
    )
    return {**{name: explicit[name] for name in remaining}, **values}


def format_value(value: Value) -> str:
    """Return a value as a metric's name contains it: a word as it is, a number as its repr."""
    return value if isinstance(value, str) else repr(value)


def _places(thing: Any) -> list[_SettingPath]:
    """Return every setting in a metric or part, cached in it because it is immutable."""
    cache: dict[str, Any] = vars(thing) if isinstance(thing, Settable) else {}
    if CACHE not in cache:
        places: list[_SettingPath] = []

        def collect(place: _SettingPath) -> Value:
            if place.value != "":  # a user's own part, which has no word, cannot be printed
                places.append(place)
            return place.value

        _revised(thing, collect)
        cache[CACHE] = places
    return cache[CACHE]


def _distinguish(places: Sequence[_SettingPath], depth: int = 0) -> Iterator[NamedSetting]:
    """Yield the settings at `places`, which share a short name, each by its shortest unambiguous path.

    `depth` is the number of steps that the path has so far.
    """
    first = places[0]
    values = tuple(dict.fromkeys(place.value for place in places))
    unique = len(values) == 1 and len({place.setting for place in places}) == 1
    if unique or depth >= max(len(place.steps) for place in places):
        yield NamedSetting(".".join((*first.steps[:depth], first.name)), first.setting, values)
        return
    for step in dict.fromkeys(place.steps[: depth + 1] for place in places):
        yield from _distinguish([place for place in places if place.steps[: depth + 1] == step], depth + 1)


def _below(places: Sequence[_SettingPath], name: str) -> list[_SettingPath]:
    """Return the places whose path begins with the path in `name`, for its last, short name."""
    *path, short = name.split(".")
    return [place for place in places if place.name == short and place.steps[: len(path)] == tuple(path)]


def _targets(places: Sequence[_SettingPath], name: str) -> list[_SettingPath]:
    """Return the places that `name` sets; raise DivmetricsError if it stands for several settings."""
    reached = _below(places, name)
    if len({place.setting for place in reached}) < 2:
        return reached
    here = [place for place in reached if len(place.steps) == name.count(".")]
    if not here:
        each = " or ".join(dict.fromkeys(other.name for other in _distinguish(reached)))
        raise DivmetricsError(f"{name} stands for several settings; say which one: {each}")
    return here


def _revised(thing: Any, revise: Callable[[_SettingPath], Any], steps: tuple[str, ...] = ()) -> Any:
    """Replace every value by the result of `revise`; return the same object if none differs.

    `steps` leads to `thing` from the outermost metric or part.
    """
    if isinstance(thing, tuple):
        inner = [_revised(each, revise, _into(each, place, steps)) for place, each in enumerate(thing, 1)]
        return thing if all(new is old for new, old in zip(inner, thing, strict=True)) else tuple(inner)
    if isinstance(thing, Part) and thing.choice:
        named = steps[-1:] == (thing.parameter,)  # gain=Linear(): the field has the name of the choice
        thing = _with_choice(thing, thing.choice, revise, steps[:-1] if named else steps)
    if not (isinstance(thing, Settable) and is_dataclass(thing)):
        return thing
    free = thing.free_parameters() if isinstance(thing, Part) else {}
    numbers = {
        name: revise(_SettingPath(steps, name, LITERAL_SETTING, number)) for name, number in free.items()
    }
    own, changes = declared(type(thing)), {}
    current = {f.name: getattr(thing, f.name) for f in fields(thing)}
    several = sum(map(_is_metric, current.values())) > 1
    for name, before in current.items():
        value = before
        if name in own:
            value = revise(_SettingPath(steps, name, own[name], value))
        elif isinstance(value, (Settable, tuple)):
            below = (*steps, name) if isinstance(value, Part) or (_is_metric(value) and several) else steps
            inner = _revised(value, revise, below)
            if inner is not value and inner != value:
                value = inner
        if value is not before:
            changes[name] = value
    changed = replace(thing, **changes) if changes else thing
    renumbered = any(numbers[name] is not free[name] for name in free)
    return changed.with_free_parameters(numbers) if renumbered else changed


def _with_choice(
    part: Part, choice: Setting, revise: Callable[[_SettingPath], Any], steps: tuple[str, ...]
) -> Part:
    """Return the part, or its replacement if `revise` returns a new word or part for the choice."""
    value = revise(_SettingPath(steps, part.parameter, choice, part.word, choice=True))
    if value is part.word:
        return part
    if isinstance(value, Part):
        return value
    choice.check(part.parameter, value)
    return PART_OPTIONS[part.parameter][value]


def _into(item: Any, place: int, steps: tuple[str, ...]) -> tuple[str, ...]:
    """Return the steps to an item of a tuple: a metric's name, or the position of a part, from 1."""
    if _is_metric(item):
        return (*steps, *item.name.split("."))
    return (*steps, str(place)) if isinstance(item, Part) else steps


def _is_metric(thing: object) -> bool:
    return isinstance(thing, Settable) and not isinstance(thing, Part)
