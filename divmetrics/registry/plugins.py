"""Metrics that other packages bring: entry points of the group `divmetrics.metrics`.

In such a package's pyproject.toml:

    [project.entry-points."divmetrics.metrics"]
    anything = "package.module:name"     # a Metric, or a function that returns one or several

They are looked for when a name is not the library's own, or when all names are listed; never on import.
"""

from __future__ import annotations

import threading
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from divmetrics.core.metric import BaseMetric
from divmetrics.errors import DivmetricsError, DivmetricsWarning
from divmetrics.registry.valid_names import check_metric_name

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "divmetrics.metrics"


@dataclass(frozen=True)
class Plugin:
    """A metric and where it comes from: the distribution and its version."""

    metric: BaseMetric
    origin: str


_lock = threading.RLock()
_loaded: dict[tuple[str, str, str], tuple[Plugin, ...]] = {}  # by origin and entry point
_said: set[str] = set()


def plugins() -> Mapping[str, Plugin]:
    """Every usable metric of a plug-in, by name; what cannot be used is said once, in a DivmetricsWarning.

    A package that is installed while the program runs is found, too.
    """
    return MappingProxyType(
        {name: several[0] for name, several in _by_name().items() if len(_origins(several)) == 1}
    )


def clashes() -> dict[str, str]:
    """Names that several plug-ins claim and that are therefore nobody's, each with a sentence."""
    said = "is a metric of several plug-ins"
    return {
        name: f"{name!r} {said}, {' and '.join(_origins(several))}; remove all but one"
        for name, several in _by_name().items()
        if len(_origins(several)) > 1
    }


def _origins(several: Iterable[Plugin]) -> list[str]:
    return sorted({plugin.origin for plugin in several})


def _by_name() -> dict[str, list[Plugin]]:
    from importlib.metadata import entry_points

    found: dict[str, list[Plugin]] = {}
    with _lock:
        for entry in entry_points(group=GROUP):
            origin = f"{entry.dist.name} {entry.dist.version}" if entry.dist else "an unnamed distribution"
            key = (origin, entry.name, entry.value)
            if key not in _loaded:
                _loaded[key] = ()  # a plug-in that asks for names while it is loaded does not begin again
                _loaded[key] = tuple(_load(entry, origin))
            for plugin in _loaded[key]:
                found.setdefault(plugin.metric.name, []).append(plugin)
        for name, several in found.items():
            origins = _origins(several)
            if len(origins) > 1:
                _say(f"{name!r} is claimed by several plug-ins, {' and '.join(origins)}: none gets it")
    return found


def _load(entry: EntryPoint, origin: str) -> Iterable[Plugin]:
    """The metrics of one entry point, those left out that cannot be used."""
    whose = f"plug-in {entry.name!r} of {origin} ({entry.value})"
    try:
        given = entry.load()
        if callable(given) and not isinstance(given, BaseMetric):
            given = given()
        several = [given] if isinstance(given, BaseMetric) else _several(given)
    except Exception as error:  # of strangers' code, whatever it is: other names must go on working
        _say(f"{whose} is left out: {type(error).__name__}: {error}")
        return
    for metric in several:
        try:
            yield Plugin(_usable(metric), origin)
        except DivmetricsError as error:
            _say(f"{whose}: {error}; it is left out")


def _several(given: Any) -> list[Any]:
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
        raise DivmetricsError(f"it gives {given!r}, expected a Metric or several")
    return list(given)


def _usable(metric: Any) -> BaseMetric:
    if not isinstance(metric, BaseMetric):
        raise DivmetricsError(f"it gives {metric!r}, expected a Metric")
    check_metric_name(metric.name)
    if metric.cutoff is not None:
        raise DivmetricsError(f"{metric} has a cutoff, expected a metric without one")
    return replace(metric, given=(), convention="paper")


def _say(what: str) -> None:
    if what not in _said:
        _said.add(what)
        warnings.warn(what, DivmetricsWarning, stacklevel=2)
