"""Reproduce Sakai & Zeng (2019) from its printed numbers, from IMine's runs, and from its data if given.

The paper's collection and the answers of its judges are not public. Three levels of evidence remain: what
follows from the printed tables; the same experiments on NTCIR-11 IMine, whose verdicts say "elsewhere"; and
the original data, for whoever holds them (see `original`).
"""

from __future__ import annotations

import os

from divmetrics.core.calls import public
from divmetrics.research.papers.report import Report
from divmetrics.research.papers.sakaizeng2019 import (
    effort,
    judges,
    numbers,
    people,
    power,
    rankings,
    unanimity,
)
from divmetrics.research.papers.sakaizeng2019.evidence import Evidence
from divmetrics.research.papers.sakaizeng2019.original import Original
from divmetrics.research.papers.sakaizeng2019.rankings import fewest_ties

__all__ = ["Evidence", "Original", "fewest_ties", "report"]

CLAIMS = (*effort.CLAIMS, *rankings.CLAIMS, *unanimity.CLAIMS, *power.CLAIMS, *judges.CLAIMS, *people.CLAIMS)


@public
def report(data: str | os.PathLike[str] | None = None, *, progress: bool = False) -> Report:
    """Report on the paper from its printed numbers, from IMine's runs, and from its own data if given.

    Parameters
    ----------
    data : path, optional
        The folder of the original files, see `Original.from_folder`; without it, numbers that need them are
        marked as not computed.
    progress : bool
        Whether to show a progress bar, on a terminal only.

    Returns
    -------
    Report
        The tables `numbers` (each printed number beside ours) and `claims` (each claim with a verdict).

    Raises
    ------
    DivmetricsError
        If a file is missing or does not have the described shape.

    Examples
    --------
    >>> from divmetrics.research.papers.sakaizeng2019 import report
    >>> numbers = report().numbers
    >>> numbers.loc[numbers["same"] == False, ["where", "printed", "ours"]].values.tolist()
    [['6.2', '5', '6']]
    """
    original = None if data is None else Original.from_folder(data)
    return report_from(Evidence.embedded(original), progress=progress)


def report_from(evidence: Evidence, *, progress: bool = False) -> Report:
    """Report on numbers and claims as `report` does; without original data, `ours` of some is None."""
    return Report.of(
        "sakaizeng2019", numbers.compared(evidence), CLAIMS, evidence, judged=True, progress=progress
    )
