"""Reproduce Zhou, Lalmas, Sakai, Cummins and Jose (2013) as far as public data allow.

Its collections are not public, and its tables, figures and formulas are missing in the copy used here. So no
number of its results can be computed again; those that other printed numbers determine are compared. The
claims are tried on simulated systems, on simulated collections and on the judgments of TREC FedWeb 2013.
"""

from __future__ import annotations

import os

from divmetrics.research.papers.report import Report
from divmetrics.research.papers.zhou2013 import numbers
from divmetrics.research.papers.zhou2013.claims import CLAIMS
from divmetrics.research.papers.zhou2013.evidence import Evidence


def report(data: str | os.PathLike[str] | None = None, *, progress: bool = False) -> Report:
    """Report on numbers and claims from the stored experiments.

    With `data`, a folder of the files of FedWeb 2013, the experiments on it are run again; raises
    DivmetricsError if the folder is missing or holds something else.
    """
    evidence = Evidence.embedded() if data is None else Evidence.from_folder(data, progress=progress)
    return report_from(evidence, progress=progress)


def report_from(evidence: Evidence, *, progress: bool = False) -> Report:
    """Report on numbers and claims; the claim on FedWeb 2013 itself is skipped if there are no judgments."""
    judged = evidence.queries is not None
    compared = numbers.compared(evidence)
    return Report.of("zhou2013", compared, CLAIMS, evidence, judged=judged, progress=progress)
