"""Scores of the runs submitted to NTCIR-11 IMine, computed by divmetrics; the judgments are not included."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from divmetrics.core.calls import public
from divmetrics.core.checks import check_choice
from divmetrics.research.datasets.stored_tables import read_exactly, tidy_scores

if TYPE_CHECKING:
    import pandas as pd

LANGUAGES = ("en", "cn")


@public
def imine_scores(language: str = "en") -> pd.DataFrame:
    """Load the scores of all runs submitted to NTCIR-11 IMine, the data of Yu et al. (2017).

    At cutoffs 10 and 20, 21 metrics and the intent-square form of each: S-recall, P-IA, AP-IA, ERR-IA,
    nDCG-IA, Q-IA, RBP-IA, EBR-IA, iRBU-IA, alpha-nDCG, NRBP, and D- and D#- with nDCG, Q, ERR, EBR and RBP;
    RBP-IA also with phi 0.5 and 0.85; and the gold standards I-rec (equal to S-recall) and Ef-P. At 5, 15,
    25, 30, 35 and 40 the five metrics of the paper: ERR-IA, alpha-nDCG, S-recall-IS, ERR-IS, alpha-nDCG-IS.

    Parameters
    ----------
    language : "en" or "cn"
        English (15 runs, 32 topics) or Chinese (10 runs, 30 topics).

    Returns
    -------
    DataFrame
        The columns run, topic, metric (with its cutoff, such as "ERR-IA@10"), score, as from
        `divmetrics.evaluate` and as the functions of `divmetrics.research.meta` take them; scores in full
        precision.

    Raises
    ------
    DivmetricsError
        If the language is unknown.

    Notes
    -----
    Computed as in the paper: convention "paper", equal probabilities on both levels, grades 0-2. A topic that
    a run does not answer scores 0 (see `imine_lengths`). No intent is navigational, so DIN- and P+Q would
    repeat D- and Q-IA. Judgments and runs are the organisers' and not included; `python -m tools.imine_scores
    FOLDER` computes these scores from them.

    References
    ----------
    yu2017, section 5

    Examples
    --------
    >>> from divmetrics.research.datasets import imine_scores
    >>> scores = imine_scores("en")
    >>> of_run = scores[(scores["run"] == "Sem13-D-E-1A") & (scores["metric"] == "ERR-IA@20")]
    >>> round(float(of_run["score"].mean()), 4)
    0.2882
    """
    return tidy_scores(_read(language).drop(columns=["type", "documents"]))


@public
def imine_types(language: str = "en") -> dict[str, str]:
    """Load the type of each topic of `imine_scores`: half of the topics are ambiguous, half broad.

    Parameters
    ----------
    language : "en" or "cn"
        English (15 runs, 32 topics) or Chinese (10 runs, 30 topics).

    Returns
    -------
    dict of str to str
        {topic id: "ambiguous" or "broad"}.

    Raises
    ------
    DivmetricsError
        If the language is unknown.

    Examples
    --------
    >>> from divmetrics.research.datasets import imine_types
    >>> imine_types("en")["0051"]
    'ambiguous'
    """
    wide = _read(language)
    return dict(zip(wide["topic"], wide["type"], strict=True))


@public
def imine_lengths(language: str = "en") -> pd.DataFrame:
    """Load the number of documents that each run of `imine_scores` returned for each topic.

    Parameters
    ----------
    language : "en" or "cn"
        English (15 runs, 32 topics) or Chinese (10 runs, 30 topics).

    Returns
    -------
    DataFrame
        One row per run and topic. The columns run, topic, documents (their number; 0 if the run did not
        answer the topic).

    Raises
    ------
    DivmetricsError
        If the language is unknown.

    Examples
    --------
    >>> from divmetrics.research.datasets import imine_lengths
    >>> int((imine_lengths("en")["documents"] == 0).sum())
    4
    """
    return _read(language)[["run", "topic", "documents"]]


def _read(language: str) -> pd.DataFrame:
    """Read the table with a row per run and topic, and a column per metric."""
    check_choice("language", language, LANGUAGES)
    wide = read_exactly(f"imine.{language}.csv.gz")
    kinds = dict.fromkeys(wide.columns.drop(["run", "topic", "type"]), np.float64)
    return wide.astype({**kinds, "documents": np.int64})
