"""Metrics as a page holds them: by name, so that the browser, a text and another kernel mean the same."""

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
    """Every bare name, one's own included, and every intent-square form."""
    there = metrics()  # which looks into every installed package
    return [*there, *(pair(name)[1].name for name in with_square_forms_only(there))]


def menu() -> list[dict[str, Any]]:
    """All metrics by family, as front/picker.js shows them."""
    return [asdict(family) for family in families()]


def readers(metrics: Iterable[str]) -> dict[str, str]:
    """What the readers of these metrics do; without those that cannot be read."""
    found = {}
    for name in metrics:
        with suppress(DivmetricsError):
            found[name] = describe_users(metric_named(name))
    return found


def resolve_name(metric: str | BaseMetric, convention: str | None = None) -> str:
    """The name under which a metric is shown; DivmetricsError where it is not known by one."""
    found = metric_named(metric, convention)
    name = str(found)
    if isinstance(metric, str) and convention is None:
        return metric
    try:
        known = metric_named(name)
    except DivmetricsError:
        raise DivmetricsError(
            f"a lab shows metrics by name, and {name!r} is not the name of one; register it first, "
            f"dm.register(metric.named('mine')), and show 'mine@{found.cutoff or 10}'"
        ) from None
    if known != found:
        raise DivmetricsError(
            f"a lab shows metrics by name, and {name!r} means another metric than the one given; register "
            "this one under a name of its own, dm.register(metric.named('mine'))"
        )
    return name


def means(written: str, name: str) -> bool:
    """Is this, with its parameters and its cutoff, the metric of this name, or its intent-square form?"""
    bare = written.partition("(")[0].partition("@")[0]
    return bare in (name, f"{name}-IS", f"{name.removesuffix('-IA')}-IS")
