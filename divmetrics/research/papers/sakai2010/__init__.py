"""Reproduce Sakai, Craswell, Song, Robertson, Dou and Lin (2010): its printed numbers and its claims.

The 25 runs that the paper evaluates are not public. Claims are tested on the printed numbers, and
elsewhere: on eight runs of TREC Web 2012 and on made-up runs.
"""

from __future__ import annotations

import os

from divmetrics.research.papers.report import Report
from divmetrics.research.papers.sakai2010 import (
    definitions,
    numbers,
    power,
    ranges,
    rankings,
    runs,
    statements,
)
from divmetrics.research.papers.sakai2010.evidence import Evidence

CLAIMS = (
    *definitions.CLAIMS,
    *ranges.CLAIMS,
    *statements.CLAIMS,
    *rankings.CLAIMS,
    *runs.CLAIMS,
    *power.CLAIMS,
)


def report(
    data: str | os.PathLike[str] | None = None,
    runs: str | os.PathLike[str] | None = None,
    *,
    progress: bool = False,
) -> Report:
    """Report on numbers and claims; `data` is the folder of TREC Web 2009, `runs` that of the 25 runs.

    Both may be None (see `Evidence.load`). Raises DivmetricsError if `runs` are given without `data`, or a
    folder or file is missing or invalid.
    """
    return report_from(Evidence.load(data, runs, progress=progress), progress=progress)


def report_from(evidence: Evidence, *, progress: bool = False) -> Report:
    """Report on numbers and claims from the evidence."""
    rows = numbers.compared(evidence)
    return Report.of("sakai2010", rows, CLAIMS, evidence, judged=True, progress=progress)
