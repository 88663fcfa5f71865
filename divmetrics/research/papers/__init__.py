"""Papers whose experiments are run again: every number beside ours, every claim with a verdict.

A verdict is computed from the data each time; `divmetrics reproduce` prints what `reproduce` returns.
"""

from __future__ import annotations

import os
from importlib import import_module

from divmetrics.errors import DivmetricsError, did_you_mean
from divmetrics.research.papers.report import Report

# What `reproduce` can be asked for.
PAPERS = ("yu2017", "preferences")

__all__ = ["PAPERS", "Report", "reproduce"]


def reproduce(paper: str, data: str | os.PathLike[str] | None = None, *, progress: bool = False) -> Report:
    """A paper's experiments, computed again.

    Parameters
    ----------
    paper : "yu2017" (Yu, Jatowt, Blanco, Joho & Jose 2017, section 5), or "preferences": what the papers
        leave open, whether metrics agree with people (see `divmetrics.research.papers.preferences`)
    data : the folder of its data, NTCIR-11 IMine as `divmetrics.research.papers.imine.imine` reads it, for
        "preferences" with preferences.tsv. None: from the scores, or counts, that come with the library; what
        needs judgments is then marked as not computed
    progress : show a progress bar, on a terminal only

    Returns a Report with the tables `numbers` and `claims`, and everything as text with `str`.

    Raises DivmetricsError for a paper that is not known, and for data that are missing or cannot be used, in
    one sentence.
    """
    paper = str(paper)
    if paper not in PAPERS:
        raise DivmetricsError(
            f"there is no paper {paper!r} to reproduce{did_you_mean(paper, PAPERS)}; "
            f"expected {', '.join(PAPERS)}"
        )
    found: Report = import_module(f"divmetrics.research.papers.{paper}").report(data, progress=progress)
    return found
