"""Reproduce Sakai (2012): printed numbers against each other and TREC's judgments, claims on other runs.

The paper's graded judgments of TREC 2009 and its 20 sampled runs are not public. Claims are tested on printed
numbers, on the embedded scores of eight runs on TREC 2012 (`divmetrics.research.datasets.trec2012_scores`)
and on made-up runs, over TREC 2009's judgments where a folder of them is given.
"""

from __future__ import annotations

import os

from divmetrics._progress import track_progress
from divmetrics.errors import DivmetricsError
from divmetrics.research.papers.report import Report
from divmetrics.research.papers.sakai2012 import (
    consistency,
    definitions,
    hsd,
    intuition,
    numbers,
    power,
    rankings,
    tables,
    trials,
)
from divmetrics.research.papers.sakai2012.evidence import Evidence
from divmetrics.research.papers.sakai2012.report import Sakai2012Report, tables_elsewhere, tests_elsewhere

CLAIMS = (
    *consistency.CLAIMS,
    *tables.CLAIMS,
    *definitions.CLAIMS,
    *power.CLAIMS,
    *hsd.CLAIMS,
    *trials.CLAIMS,
    *rankings.CLAIMS,
    *intuition.CLAIMS,
)


def report(
    data: str | os.PathLike[str] | None = None,
    runs: str | os.PathLike[str] | None = None,
    *,
    progress: bool = False,
) -> Sakai2012Report:
    """Report on numbers and claims, with the judgments of TREC 2009 from the folder `data` if given.

    With `runs`, a folder of runs that were submitted to TREC 2009, claims are tested on these runs instead.
    Raises DivmetricsError if `runs` are given without `data`, or a folder is missing or invalid.
    """
    if data is None and runs is not None:
        raise DivmetricsError(
            f"{os.fspath(runs)}: runs were given without the judgments of TREC Web 2009; name the "
            "folder of the judgments, too (--data DIR)"
        )
    return report_from(
        Evidence.embedded() if data is None else Evidence.from_folder(data, runs), progress=progress
    )


def report_from(evidence: Evidence, *, progress: bool = False) -> Sakai2012Report:
    """Report on numbers and claims from the evidence; the tests of its runs take most of the time."""
    for experiment in track_progress(evidence.experiments, len(evidence.experiments), "experiment", progress):
        experiment.tests  # noqa: B018  (computed here, where progress is shown)
    of_paper = Report.of(
        "sakai2012", numbers.compared(evidence), CLAIMS, evidence, judged=True, progress=progress
    )
    return Sakai2012Report(
        "sakai2012",
        of_paper.compared,
        of_paper.judged,
        tables_elsewhere(evidence),
        tests_elsewhere(evidence),
    )
