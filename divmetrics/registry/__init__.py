"""From a name to a metric and back, and what is registered in this kernel."""

from __future__ import annotations

from divmetrics.registry.parse import metric, metrics, names_of, with_defaults
from divmetrics.registry.session import register, unregister

__all__ = ["metric", "metrics", "names_of", "register", "unregister", "with_defaults"]
