"""The exact ideal list of alpha-nDCG: a search, and the part that divides by it (`ideal=exact`)."""

from __future__ import annotations

from divmetrics.exact_ideal.exact_ideal import ExactIdeal

__all__ = ["ExactIdeal"]
