"""The version of divmetrics, in the one place from which the package and its build read it."""

from __future__ import annotations

__version__ = "0.1.0"
