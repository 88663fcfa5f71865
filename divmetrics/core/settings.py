"""What a name may set in a metric: the settings of its parts, by short names and by where they stand.

A short name such as `alpha` sets every part that declares it alike. Where a name stands for several settings,
the fields that lead to one of them come before it: `M.beta`, `M.first.top`; for the metrics of a sum their
names: `NRBP.beta`. Such a name sets what is below that place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

from divmetrics.core.parts import PART_OPTIONS, Part
from divmetrics.core.parts.setting import LITERAL_SETTING, Settable, Setting, Value, declared
from divmetrics.errors import DivmetricsError, did_you_mean

KEPT = "_places"


@dataclass(frozen=True)
class SettingPath:
    """A setting in one part: the steps that lead there, and its value. choice: is it the word of a part?"""

    steps: tuple[str, ...]
    name: str
    setting: Setting
    value: Value
    choice: bool = False


@dataclass(frozen=True)
class NamedSetting:
    """A setting as a name reaches it, with its value; several values where no name can tell them apart."""

    name: str
    setting: Setting
    values: tuple[Value, ...]

    @property
    def shown(self) -> str:
        return ", ".join(map(format_value, self.values))


def settings(thing: Any) -> list[NamedSetting]:
    """Every setting once, by the shortest name that stands for one setting with one value."""
    there = _places(thing)
    return [
        found
        for name in dict.fromkeys(place.name for place in there)
        for found in _told_apart([place for place in there if place.name == name])
    ]


def parameters(thing: Any) -> dict[str, Value]:
    """Every name that sets something, with the value now: the last one where a short name sets several."""
    there = _places(thing)
    short: dict[str, list[SettingPath]] = {}
    for place in there:
        short.setdefault(place.name, []).append(place)
    values: dict[str, Value] = {}
    for name, places in short.items():
        if len({place.setting for place in places}) == 1:
            values[name] = places[-1].value
        values |= {found.name: found.values[-1] for found in _told_apart(places) if found.name != name}
    return values


def with_settings(thing: Any, whose: str, values: Mapping[str, Any]) -> Any:
    """The same with other values; DivmetricsError, about `whose`, for a name or a value that cannot be."""
    try:
        # A choice may bring settings of its own, so it is made first.
        chosen = _set(thing, values, choice=True)
        changed = _set(chosen, values, choice=False)
    except DivmetricsError as error:
        raise DivmetricsError(f"{whose}: {error}") from None
    there = _places(chosen)
    for name in values:
        if not _below(there, name):
            known = parameters(chosen)
            has = ", ".join(f"{k}={format_value(v)}" for k, v in known.items())
            raise DivmetricsError(
                f"{whose} has no parameter {name!r}{did_you_mean(name, known)}; it has {has or 'none'}"
            )
    return changed


def _set(thing: Any, values: Mapping[str, Any], choice: bool) -> Any:
    there = _places(thing)
    new = {
        (place.steps, place.name): values[name]
        for name in sorted(values, key=lambda name: name.count("."))  # what is said more exactly holds
        for place in _meant(there, name)
        if place.choice is choice
    }
    return _revised(thing, lambda place: new.get((place.steps, place.name), place.value)) if new else thing


def merge_explicit_parameters(
    thing: Any, given: Mapping[str, Value], values: Mapping[str, Value]
) -> dict[str, Value]:
    """What was given before and is not set anew by these values, then these values."""
    there = _places(thing) if given else []
    anew = [place for name in values for place in _below(there, name)]
    kept = (name for name in given if name in values or any(p not in anew for p in _below(there, name)))
    return {**{name: given[name] for name in kept}, **values}


def format_value(value: Value) -> str:
    """As a metric's name has it."""
    return value if isinstance(value, str) else repr(value)


def _places(thing: Any) -> list[SettingPath]:
    """Every setting there is; a metric or a part, which never changes, keeps the answer."""
    kept: dict[str, Any] = vars(thing) if isinstance(thing, Settable) else {}
    if KEPT not in kept:
        found: list[SettingPath] = []

        def keep(place: SettingPath) -> Value:
            if place.value != "":  # a choice of one's own, without a word
                found.append(place)
            return place.value

        _revised(thing, keep)
        kept[KEPT] = found
    return kept[KEPT]


def _told_apart(places: Sequence[SettingPath], deep: int = 0) -> Iterator[NamedSetting]:
    """Settings of one name that stand below one place, each by a name that means it alone."""
    first = places[0]
    values = tuple(dict.fromkeys(place.value for place in places))
    alone = len(values) == 1 and len({place.setting for place in places}) == 1
    if alone or deep >= max(len(place.steps) for place in places):
        yield NamedSetting(".".join((*first.steps[:deep], first.name)), first.setting, values)
        return
    for step in dict.fromkeys(place.steps[: deep + 1] for place in places):
        yield from _told_apart([place for place in places if place.steps[: deep + 1] == step], deep + 1)


def _below(there: Sequence[SettingPath], name: str) -> list[SettingPath]:
    """The places of a name: below where it says, or everywhere."""
    *where, short = name.split(".")
    return [place for place in there if place.name == short and place.steps[: len(where)] == tuple(where)]


def _meant(there: Sequence[SettingPath], name: str) -> list[SettingPath]:
    """The places that a name sets; DivmetricsError where it stands for several settings."""
    found = _below(there, name)
    if len({place.setting for place in found}) < 2:
        return found
    here = [place for place in found if len(place.steps) == name.count(".")]
    if not here:
        each = " or ".join(dict.fromkeys(other.name for other in _told_apart(found)))
        raise DivmetricsError(f"{name} stands for several settings; say which one: {each}")
    return here


def _revised(thing: Any, revise: Callable[[SettingPath], Any], steps: tuple[str, ...] = ()) -> Any:
    """The same with the value that `revise` gives for every place."""
    if isinstance(thing, tuple):
        inner = [_revised(each, revise, _into(each, place, steps)) for place, each in enumerate(thing, 1)]
        return thing if all(new is old for new, old in zip(inner, thing, strict=True)) else tuple(inner)
    if isinstance(thing, Part) and thing.choice:
        named = steps[-1:] == (thing.parameter,)  # gain=Linear(): the field has the name of the choice
        thing = _chosen(thing, thing.choice, revise, steps[:-1] if named else steps)
    if not (isinstance(thing, Settable) and is_dataclass(thing)):
        return thing
    free = thing.free() if isinstance(thing, Part) else {}
    numbers = {
        name: revise(SettingPath(steps, name, LITERAL_SETTING, number)) for name, number in free.items()
    }
    own, changes = declared(type(thing)), {}
    held = {f.name: getattr(thing, f.name) for f in fields(thing)}
    several = sum(map(_is_metric, held.values())) > 1
    for name, before in held.items():
        value = before
        if name in own:
            value = revise(SettingPath(steps, name, own[name], value))
        elif isinstance(value, (Settable, tuple)):
            below = (*steps, name) if isinstance(value, Part) or (_is_metric(value) and several) else steps
            inner = _revised(value, revise, below)
            if inner is not value and inner != value:
                value = inner
        if value is not before:
            changes[name] = value
    changed = replace(thing, **changes) if changes else thing
    anew = any(numbers[name] is not free[name] for name in free)
    return changed.with_free(numbers) if anew else changed


def _chosen(
    part: Part, choice: Setting, revise: Callable[[SettingPath], Any], steps: tuple[str, ...]
) -> Part:
    """The part, or the one that is chosen instead: a word, or the part itself."""
    value = revise(SettingPath(steps, part.parameter, choice, part.word, choice=True))
    if value is part.word:
        return part
    if isinstance(value, Part):
        return value
    choice.check(part.parameter, value)
    return PART_OPTIONS[part.parameter][value]


def _into(item: Any, place: int, steps: tuple[str, ...]) -> tuple[str, ...]:
    """The steps to one of several in a tuple: a metric's name, or the number of a part."""
    if _is_metric(item):
        return (*steps, *item.name.split("."))
    return (*steps, str(place)) if isinstance(item, Part) else steps


def _is_metric(thing: object) -> bool:
    return isinstance(thing, Settable) and not isinstance(thing, Part)
