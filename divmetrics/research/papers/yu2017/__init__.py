"""Reproduce section 5 of Yu, Jatowt, Blanco, Joho and Jose (2017) on the data it used."""

from __future__ import annotations

import os

from divmetrics.research.papers.report import Report
from divmetrics.research.papers.yu2017 import (
    correlation,
    hierarchy,
    methods,
    numbers,
    power,
    queries,
    rankings,
)
from divmetrics.research.papers.yu2017.evidence import Evidence

CLAIMS = (
    *methods.CLAIMS,
    *rankings.CLAIMS,
    *queries.CLAIMS,
    *correlation.CLAIMS,
    *power.CLAIMS,
    *hierarchy.CLAIMS,
)


def report(data: str | os.PathLike[str] | None = None, *, progress: bool = False) -> Report:
    """Report on numbers and claims from the folder `data` of IMine files, or from the embedded scores.

    Raises DivmetricsError if the folder or a file is missing or invalid (see `Evidence.from_folder`).
    """
    return report_from(Evidence.embedded() if data is None else Evidence.from_folder(data), progress=progress)


def report_from(evidence: Evidence, *, progress: bool = False) -> Report:
    """Report on numbers and claims; without judgments in the evidence, some are marked as not computed."""
    judged = evidence.collections is not None
    return Report.of("yu2017", numbers.compared(evidence), CLAIMS, evidence, judged=judged, progress=progress)
