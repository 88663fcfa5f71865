"""From a name to a metric and back, and what is registered in this kernel."""

from __future__ import annotations

from divmetrics.names.parse import metric, names, names_of, with_defaults
from divmetrics.names.registered import register, unregister

__all__ = ["metric", "names", "names_of", "register", "unregister", "with_defaults"]
