"""Metrics by name, so that the browser, a saved text and another kernel mean the same metric."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict
from typing import Any

from divmetrics.core.metric import BaseMetric
from divmetrics.errors import DivmetricsError
from divmetrics.explanations.user_model_texts import describe_users
from divmetrics.notebook.taxonomy import families
from divmetrics.registry.parse import metric as metric_named
from divmetrics.registry.parse import metrics
from divmetrics_widgets.two_levels import pair, with_square_forms_only


def all_metric_names() -> list[str]:
    """Return every bare name, registered metrics included, and every intent-square form."""
    names = metrics(of="lists")  # slow: searches the entry points of every installed package
    return [*names, *(pair(name)[1].name for name in with_square_forms_only(names))]


def menu() -> list[dict[str, Any]]:
    """Return all metrics by family, for front/picker.js."""
    return [asdict(family) for family in families()]


def readers(metrics: Iterable[str]) -> dict[str, str]:
    """Describe the readers of these metrics; names that cannot be parsed are left out."""
    descriptions = {}
    for name in metrics:
        with suppress(DivmetricsError):
            descriptions[name] = describe_users(metric_named(name))
    return descriptions


def resolve_name(metric: str | BaseMetric, convention: str | None = None) -> str:
    """Return the name under which a metric is displayed. Raises DivmetricsError if it has none."""
    resolved = metric_named(metric, convention)
    name = str(resolved)
    if isinstance(metric, str) and convention is None:
        return metric
    try:
        registered = metric_named(name)
    except DivmetricsError:
        raise DivmetricsError(
            f"a lab shows metrics by name, and {name!r} is not the name of one; register it first, "
            f"dm.register(metric.with_name('mine')), and show 'mine@{resolved.cutoff or 10}'"
        ) from None
    if registered != resolved:
        raise DivmetricsError(
            f"a lab shows metrics by name, and {name!r} means another metric than the one given; register "
            "this one under a name of its own, dm.register(metric.with_name('mine'))"
        )
    return name


def means(written: str, name: str) -> bool:
    """Return whether a name with parameters and cutoff is metric `name` or its intent-square form."""
    bare = written.partition("(")[0].partition("@")[0]
    return bare in (name, f"{name}-IS", f"{name.removesuffix('-IA')}-IS")
