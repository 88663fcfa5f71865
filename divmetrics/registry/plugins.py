"""Metrics that other packages bring: entry points of the group `divmetrics.metrics`.

In such a package's pyproject.toml:

    [project.entry-points."divmetrics.metrics"]
    anything = "package.module:name"     # a Metric, or a function that returns one or several

Plug-ins are loaded when a name is not the library's own, or when all names are listed; never on import.
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
    """A `metric` and its `origin`: the name and version of the installed distribution, such as "mine 1.0"."""

    metric: BaseMetric
    origin: str


_lock = threading.RLock()
_loaded: dict[tuple[str, str, str], tuple[Plugin, ...]] = {}  # by origin and entry point
_warned: set[str] = set()


def plugins() -> Mapping[str, Plugin]:
    """Return {name: Plugin} of the usable metrics of all installed plug-ins, in a read-only mapping.

    Loads the plug-ins at the first call. A name that several distributions claim is left out. Warns
    (DivmetricsWarning), once in a process, about each such name, each plug-in that fails to load, and each
    unusable metric: one with a cutoff, or a name that is invalid or the library's own.
    """
    return MappingProxyType(
        {name: several[0] for name, several in _by_name().items() if len(_origins(several)) == 1}
    )


def clashes() -> dict[str, str]:
    """Return {name: sentence for a message} for the names that several plug-ins claim, and none gets.

    Warns as `plugins` does.
    """
    claimed = "is a metric of several plug-ins"
    return {
        name: f"{name!r} {claimed}, {' and '.join(_origins(several))}; remove all but one"
        for name, several in _by_name().items()
        if len(_origins(several)) > 1
    }


def _origins(several: Iterable[Plugin]) -> list[str]:
    return sorted({plugin.origin for plugin in several})


def _by_name() -> dict[str, list[Plugin]]:
    from importlib.metadata import entry_points

    by_name: dict[str, list[Plugin]] = {}
    with _lock:
        for entry in entry_points(group=GROUP):
            origin = f"{entry.dist.name} {entry.dist.version}" if entry.dist else "an unnamed distribution"
            key = (origin, entry.name, entry.value)
            if key not in _loaded:
                _loaded[key] = ()  # a plug-in that lists names while it is loaded must not load itself again
                _loaded[key] = tuple(_load(entry, origin))
            for plugin in _loaded[key]:
                by_name.setdefault(plugin.metric.name, []).append(plugin)
        for name, several in by_name.items():
            origins = _origins(several)
            if len(origins) > 1:
                _warn_once(f"{name!r} is claimed by several plug-ins, {' and '.join(origins)}: none gets it")
    return by_name


def _load(entry: EntryPoint, origin: str) -> Iterable[Plugin]:
    """Yield the usable metrics of one entry point; warn once about others and about a failure to load.

    `origin` is the name and version of the distribution.
    """
    whose = f"plug-in {entry.name!r} of {origin} ({entry.value})"
    try:
        loaded = entry.load()
        if callable(loaded) and not isinstance(loaded, BaseMetric):
            loaded = loaded()
        several = [loaded] if isinstance(loaded, BaseMetric) else _several(loaded)
    except Exception as error:  # an error in one package must not break other names
        _warn_once(f"{whose} is left out: {type(error).__name__}: {error}")
        return
    for metric in several:
        try:
            yield Plugin(_usable(metric), origin)
        except DivmetricsError as error:
            _warn_once(f"{whose}: {error}; it is left out")


def _several(loaded: Any) -> list[Any]:
    if isinstance(loaded, (str, bytes)) or not isinstance(loaded, Iterable):
        raise DivmetricsError(f"it gives {loaded!r}, expected a Metric or several")
    return list(loaded)


def _usable(metric: Any) -> BaseMetric:
    if not isinstance(metric, BaseMetric):
        raise DivmetricsError(f"it gives {metric!r}, expected a Metric")
    check_metric_name(metric.name)
    if metric.cutoff is not None:
        raise DivmetricsError(f"{metric} has a cutoff, expected a metric without one")
    return replace(metric, explicit_parameters=(), convention="paper")


def _warn_once(message: str) -> None:
    if message not in _warned:
        _warned.add(message)
        warnings.warn(message, DivmetricsWarning, stacklevel=2)
