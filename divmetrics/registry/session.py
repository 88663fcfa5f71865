"""Metrics of one's own by name: registered in this session, or brought by plug-ins.

dm.register(dm.Metric("mine", N=One(), f=Probability(), w=Log2(), M=Cascade()))
dm.evaluate(qrels, run, ["mine@10", "mine-IS@10"])
dm.unregister("mine")
"""

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
    """What happened to a name: it is new, it means another metric now, or it is gone."""

    what: Literal["new", "changed", "gone"]
    name: str


_rows: dict[str, BaseMetric] = {}
_gone: set[str] = set()
_watchers: list[weakref.ref[Callable[[Change], object]]] = []


@public
def register(metric: BaseMetric) -> BaseMetric:
    """Give a metric its name for this session, so that `mine@5`, `mine(alpha=0.3)` and `mine-IS` are known.

    A metric registered before under the same name is replaced; open labs show a new one at once. The metric
    stands under its bare name, without cutoff; what its name set becomes its defaults. Raises
    DivmetricsError where the name cannot be one, is the library's or is a plug-in's; then nothing changes.
    Returns the metric as it is registered. `divmetrics.check` says whether it keeps the rules.
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
    row = replace(metric, given=(), convention="paper")
    known = _rows.get(name)
    _rows[name] = row
    _gone.discard(name)
    if known != row:
        _tell(Change("new" if known is None else "changed", name))
    return row


@public
def unregister(name: str) -> None:
    """Forget a metric that was registered in this session; DivmetricsError for any other name."""
    if _rows.pop(name, None) is None:  # in one step: another thread may do the same
        there = tuple(_rows)
        raise DivmetricsError(
            f"no metric {name!r} was registered in this session{did_you_mean(name, there)}; "
            f"there are {', '.join(there) or 'none'}"
        )
    _gone.add(name)
    _tell(Change("gone", name))


def session_metrics() -> Mapping[str, BaseMetric]:
    """What is registered in this session, by name."""
    return MappingProxyType(_rows)


def origins() -> dict[str, str]:
    """Every name beyond the library's own, with where it comes from: this session, or a plug-in."""
    return {**dict.fromkeys(_rows, SESSION), **{n: p.origin for n, p in plugins().items() if n not in _rows}}


def added_metrics() -> dict[str, BaseMetric]:
    """Every metric beyond the library's own: of this session, then of plug-ins."""
    return {**{n: p.metric for n, p in plugins().items() if n not in _rows}, **_rows}


def explain_missing(name: str) -> str:
    """What to say of a name that was known once, or that cannot be given to one of several; else nothing."""
    if name in _gone:
        return f"the metric {name!r} was removed in this session; define it again, or ask for another"
    return clashes().get(name, "")


def watch(callback: Callable[[Change], object]) -> None:
    """Call this after every change of a registered name, for as long as the callback's owner lives."""
    kept = weakref.WeakMethod(callback) if hasattr(callback, "__self__") else weakref.ref(callback)
    _watchers.append(kept)


def _tell(change: Change) -> None:
    for kept in tuple(_watchers):
        callback = kept()
        if callback is None:
            with contextlib.suppress(ValueError):  # another thread was first
                _watchers.remove(kept)
            continue
        try:
            callback(change)
        except Exception as error:  # the name stands all the same
            warnings.warn(
                f"{change.name!r} is {change.what}, but not everywhere: {type(error).__name__}: {error}",
                DivmetricsWarning,
                stacklevel=3,
            )
