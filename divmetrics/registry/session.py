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
    """What happened to the `name` of a registered metric: "new", "changed" (to another metric) or "gone"."""

    what: Literal["new", "changed", "gone"]
    name: str


_rows: dict[str, BaseMetric] = {}
_gone: set[str] = set()
_watchers: list[weakref.ref[Callable[[Change], object]]] = []


@public
def register(metric: BaseMetric) -> BaseMetric:
    """Register a metric under its name for this session.

    Then `mine@5` and `mine-IS` are valid names, too, as are names with the metric's own parameters, such as
    `mine(alpha=0.3)` for a form of alpha-nDCG, and open labs list the metric. A metric registered before
    under the same name is replaced. `divmetrics.check` tests whether a metric keeps the rules.

    Parameters
    ----------
    metric : BaseMetric
        The metric with its name and without cutoff, or a sum of several with a name (`with_name`). The
        parameters that its name sets become its defaults.

    Returns
    -------
    BaseMetric
        The registered metric: a copy in the convention "paper" whose name shows no parameters.

    Raises
    ------
    DivmetricsError
        If it is no metric, has a cutoff, or its name is invalid or, spelt exactly so, belongs to the library
        or a plug-in; then nothing changes.

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
    """Forget a metric that was registered in this session; its name may be used again.

    Parameters
    ----------
    name : str
        Its exact name, without parameters and cutoff.

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
    """Return {name: metric} of this session: a read-only view, which later registrations change."""
    return MappingProxyType(_rows)


def origins() -> dict[str, str]:
    """Return {name: origin} of the metrics beyond the library's own.

    The origin is "this session", or the name and version of a plug-in's distribution. Warns as `plugins`.
    """
    return {**dict.fromkeys(_rows, SESSION), **{n: p.origin for n, p in plugins().items() if n not in _rows}}


def added_metrics() -> dict[str, BaseMetric]:
    """Return {name: metric} of plug-ins, then of this session, which wins if a name is in both.

    Loads the plug-ins, and warns as `plugins`.
    """
    return {**{n: p.metric for n, p in plugins().items() if n not in _rows}, **_rows}


def explain_missing(name: str) -> str:
    """Return a sentence for a message if a name was unregistered, or several plug-ins claim it; else ""."""
    if name in _gone:
        return f"the metric {name!r} was removed in this session; define it again, or ask for another"
    return clashes().get(name, "")


def watch(callback: Callable[[Change], object]) -> None:
    """Call `callback` with the Change after every change of a registered name.

    Only a weak reference is stored: the calls end when the function, or the object of a bound method, is
    deleted. An exception of the callback becomes a DivmetricsWarning.
    """
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
