"""The widgets of divmetrics. There are none in this version yet; the package carries its version only."""

from __future__ import annotations

from divmetrics import __version__

__all__ = ["__version__"]
