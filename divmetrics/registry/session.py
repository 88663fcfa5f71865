"""Metrics beyond the library's own, by name: registered in this session, or brought by plug-ins."""

from __future__ import annotations

import contextlib
import warnings
import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal

from divmetrics.core.calls import public
from divmetrics.core.metric import BaseMetric
from divmetrics.errors import DivmetricsError, DivmetricsWarning, did_you_mean
from divmetrics.registry.plugins import clashes, plugins
from divmetrics.registry.valid_names import check_metric_name

SESSION = "this session"


@dataclass(frozen=True)
class Change:
    """A change of a name: "new", "changed" (it means another metric now) or "gone"."""

    what: Literal["new", "changed", "gone"]
    name: str


_rows: dict[str, BaseMetric] = {}
_gone: set[str] = set()
_watchers: list[weakref.ref[Callable[[Change], object]]] = []


@public
def register(metric: BaseMetric) -> BaseMetric:
    """Register a metric under its name for this session.

    Then `mine@5`, `mine(alpha=0.3)` and `mine-IS` are valid names, too, and open labs list the metric. A
    metric registered before under the same name is replaced. `divmetrics.check` tests whether a metric keeps
    the rules.

    Parameters
    ----------
    metric : Metric
        The metric with its name and without cutoff, or a sum of several with a name. The parameters that its
        name sets become its defaults.

    Returns
    -------
    Metric
        The registered metric.

    Raises
    ------
    DivmetricsError
        If the name is invalid, or belongs to the library or a plug-in; then nothing changes.

    Examples
    --------
    >>> import divmetrics as dm
    >>> mine = dm.register(dm.metric("ERR-IA").with_name("mine"))
    >>> dm.score("mine@5", ["d1"], {"d1": {"film": 1}})
    0.5
    >>> dm.unregister("mine")
    """
    if not isinstance(metric, BaseMetric):
        raise DivmetricsError(
            f"{metric!r} is not a metric; register a Metric, or a sum of several with a name"
        )
    name = metric.name
    check_metric_name(name)
    if metric.cutoff is not None:
        raise DivmetricsError(
            f"{metric} has a cutoff; register {name!r} without one, a cutoff is part of what is asked for "
            f"({name}@{metric.cutoff})"
        )
    taken = plugins().get(name)
    if taken is not None and name not in _rows:
        raise DivmetricsError(f"{name!r} is a metric of the plug-in {taken.origin}; take another name")
    row = replace(metric, explicit_parameters=(), convention="paper")
    before = _rows.get(name)
    _rows[name] = row
    _gone.discard(name)
    if before != row:
        _notify(Change("new" if before is None else "changed", name))
    return row


@public
def unregister(name: str) -> None:
    """Forget a metric that was registered in this session.

    Parameters
    ----------
    name : str
        Its exact name.

    Raises
    ------
    DivmetricsError
        If no metric of this name was registered.

    Examples
    --------
    >>> import divmetrics as dm
    >>> mine = dm.register(dm.metric("ERR-IA").with_name("mine"))
    >>> dm.unregister("mine")
    >>> "mine" in dm.metrics()
    False
    """
    if _rows.pop(name, None) is None:  # atomic, since another thread may do the same
        there = tuple(_rows)
        raise DivmetricsError(
            f"no metric {name!r} was registered in this session{did_you_mean(name, there)}; "
            f"there are {', '.join(there) or 'none'}"
        )
    _gone.add(name)
    _notify(Change("gone", name))


def session_metrics() -> Mapping[str, BaseMetric]:
    """Return the metrics that are registered in this session, by name."""
    return MappingProxyType(_rows)


def origins() -> dict[str, str]:
    """Return {name: origin} for metrics beyond the library's own: this session, or a plug-in."""
    return {**dict.fromkeys(_rows, SESSION), **{n: p.origin for n, p in plugins().items() if n not in _rows}}


def added_metrics() -> dict[str, BaseMetric]:
    """Return the metrics beyond the library's own, by name: of plug-ins, then of this session."""
    return {**{n: p.metric for n, p in plugins().items() if n not in _rows}, **_rows}


def explain_missing(name: str) -> str:
    """Return a sentence if the name was removed or several plug-ins claim it, else ""."""
    if name in _gone:
        return f"the metric {name!r} was removed in this session; define it again, or ask for another"
    return clashes().get(name, "")


def watch(callback: Callable[[Change], object]) -> None:
    """Call `callback` after every change of a registered name, until the callback's owner is deleted."""
    reference = weakref.WeakMethod(callback) if hasattr(callback, "__self__") else weakref.ref(callback)
    _watchers.append(reference)


def _notify(change: Change) -> None:
    for reference in tuple(_watchers):
        callback = reference()
        if callback is None:
            with contextlib.suppress(ValueError):  # another thread was first
                _watchers.remove(reference)
            continue
        try:
            callback(change)
        except Exception as error:  # an error in a callback must not undo the change
            warnings.warn(
                f"{change.name!r} is {change.what}, but not everywhere: {type(error).__name__}: {error}",
                DivmetricsWarning,
                stacklevel=3,
            )
