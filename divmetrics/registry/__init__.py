"""Parse and list the names of metrics, and register metrics under new ones."""

from __future__ import annotations

from divmetrics.registry.parse import metric, metrics, names_of, with_defaults
from divmetrics.registry.session import register, unregister

__all__ = ["metric", "metrics", "names_of", "register", "unregister", "with_defaults"]
