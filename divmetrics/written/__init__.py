"""A metric of your own, from a few lines of text."""

from __future__ import annotations

from divmetrics.written.draft import write_metric
from divmetrics.written.trial import try_out
from divmetrics.written.vocabulary import functions, meanings

__all__ = ["functions", "meanings", "try_out", "write_metric"]
