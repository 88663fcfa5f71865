"""Reproduce papers: every printed number beside ours, every claim with a verdict.

A verdict is computed from the data each time; `divmetrics reproduce` prints the report of `reproduce`.
"""

from __future__ import annotations

import os
from importlib import import_module

from divmetrics.core.calls import public
from divmetrics.errors import DivmetricsError, did_you_mean
from divmetrics.research.papers.report import Report

# The names that `reproduce` takes.
PAPERS = ("yu2017", "sakai2012", "sakai2010", "sakaizeng2019", "zhou2013", "preferences")
# The papers whose runs are not public, so that a folder of them can be named.
WITH_RUNS = ("sakai2012", "sakai2010")

__all__ = ["PAPERS", "Report", "reproduce"]


@public
def reproduce(
    paper: str,
    data: str | os.PathLike[str] | None = None,
    runs: str | os.PathLike[str] | None = None,
    *,
    progress: bool = False,
) -> Report:
    """Compute the experiments of a paper again.

    Parameters
    ----------
    paper : str
        "yu2017" (Yu, Jatowt, Blanco, Joho & Jose 2017, section 5), "sakai2012" (Sakai 2012), "sakai2010"
        (Sakai, Craswell, Song, Robertson, Dou & Lin 2010), "sakaizeng2019" (Sakai & Zeng 2019), "zhou2013"
        (Zhou, Lalmas, Sakai, Cummins & Jose 2013), or "preferences", a question that the papers leave open:
        whether metrics agree with people (see `divmetrics.research.papers.preferences`).
    data : path, optional
        The folder with the paper's data. By default, the scores or counts that come with the library; results
        that need judgments are then marked as not computed. "yu2017" and "preferences" take the files of
        NTCIR-11 IMine that `divmetrics.research.papers.imine.imine` reads, and "preferences" takes
        preferences.tsv, too; "sakai2012" and "sakai2010" take topics.xml and qrels.diversity of TREC Web
        2009; "sakaizeng2019" takes what `divmetrics.research.papers.sakaizeng2019.Original.from_folder`
        reads; "zhou2013" takes TREC FedWeb 2013.
    runs : path, optional
        The folder with the runs of a paper whose runs are not public: for "sakai2012" and "sakai2010", a file
        for each run of the diversity task of TREC Web 2009.
    progress : bool
        Whether to show a progress bar, on a terminal only.

    Returns
    -------
    Report
        The tables `numbers` (each printed number beside ours; empty for "preferences") and `claims` (each
        claim with a verdict and the evidence for it), `rows` with both, and both as text (`str`). For
        "preferences" a `PreferenceReport`, whose `rows` and text have the study's agreement and differences
        in place of numbers.

    Raises
    ------
    DivmetricsError
        If the paper is unknown, `runs` is given for another paper than "sakai2012" and "sakai2010" or without
        `data`, or data are missing or invalid.

    Examples
    --------
    >>> from divmetrics.research.papers import reproduce
    >>> report = reproduce("preferences")
    >>> report.claims.loc[0, ["claim", "verdict"]].tolist()
    ['metrics agree with people more often than they disagree', 'fragile']
    """
    paper = str(paper)
    if paper not in PAPERS:
        raise DivmetricsError(
            f"there is no paper {paper!r} to reproduce{did_you_mean(paper, PAPERS)}; "
            f"expected {', '.join(PAPERS)}"
        )
    if runs is not None and paper not in WITH_RUNS:
        raise DivmetricsError(f"{paper} takes no folder of runs, got {os.fspath(runs)!r}; leave it out")
    folders = (data, runs) if paper in WITH_RUNS else (data,)
    report: Report = import_module(f"divmetrics.research.papers.{paper}").report(*folders, progress=progress)
    return report
