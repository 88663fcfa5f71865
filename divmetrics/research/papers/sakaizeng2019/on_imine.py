"""The paper's measures on NTCIR-11 IMine, computed from the organisers' files."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Mapping

import numpy as np
import pandas as pd

from divmetrics.core.batch import Batch
from divmetrics.core.metric import Collapsed, Metric
from divmetrics.core.parts import (
    BlendedRatio,
    Cascade,
    Count,
    One,
    Patience,
    Probability,
    Reciprocal,
    Relevant,
    RelevantSoFar,
    Satisfaction,
    Utility,
)
from divmetrics.errors import DivmetricsWarning
from divmetrics.evaluation import evaluate
from divmetrics.research.meta import agreement, agreement_outcomes, agreement_rate, agreement_tests, majority
from divmetrics.research.papers.imine import LANGUAGES, imine
from divmetrics.research.papers.preferences import load_preference_data
from divmetrics.research.papers.sakaizeng2019.measures import CUTOFF, IA, METRICS, SHARP, at_cutoff
from divmetrics.research.papers.sakaizeng2019.selection import differing_pairs

DECIMALS = 8  # decimals of scores; two lists tie exactly where they tie in full precision
ALL, DIFFERING = "all", "differing"

# Section 3.1: stopping probabilities, and utilities at the rank where a user stops.
STOPPING: dict[str, tuple[Callable[[Batch, Metric], np.ndarray], Utility]] = {
    "uniform": (Count(of="min"), Relevant()),
    "ERR": (One(), Cascade(Satisfaction())),
}
UTILITIES: dict[str, tuple[Callable[[Batch], np.ndarray], Utility | None]] = {
    "p^r": (Patience(phi=0.99), None),
    "RR": (Reciprocal(), None),
    "Prec": (Reciprocal(), RelevantSoFar()),
    "BR": (One(), BlendedRatio()),
}


def imine_tables(folder: str | os.PathLike[str]) -> dict[str, pd.DataFrame]:
    """Return {language: scores}, with the columns run and topic and one per measure, of eight decimals.

    Gains are exponential, as in `sakaizeng2019_imine_scores`.

    Raises DivmetricsError if the folder or a file is missing or invalid (see `imine`).
    """
    names, tables = at_cutoff(METRICS), {}
    for code in LANGUAGES:
        with warnings.catch_warnings():
            # Topics that a run does not answer score 0; unjudged documents are not relevant.
            warnings.simplefilter("ignore", DivmetricsWarning)
            scores = evaluate(imine(folder, code), None, names, gain="exponential")
        wide = scores.pivot(index=["run", "topic"], columns="metric", values="score")[names]
        tables[code] = wide.round(DECIMALS).reset_index()
    return tables


def _answers(folder: str | os.PathLike[str]) -> pd.DataFrame:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DivmetricsWarning)
        return load_preference_data(folder).main


def imine_preferences(
    folder: str | os.PathLike[str], tables: Mapping[str, pd.DataFrame]
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the agreement of the measures with IMine's judges, and the tests of D#- against IA measures.

    `tables` are those of `imine_tables`. The results have the columns of `sakaizeng2019_imine_agreement` and
    `sakaizeng2019_imine_tests`: no judge's answer and no figures by topic.
    """
    answers = _answers(folder)
    scores = tables["cn"].melt(["run", "topic"], var_name="metric", value_name="score")
    counts, tests = [], []
    for name, votes in ((ALL, answers), (DIFFERING, differing_pairs(scores, answers))):
        gold = majority(votes)
        counted, rated = agreement(scores, gold), agreement_rate(scores, votes)
        table = counted[["metric", "agree", "disagree", "ties"]].merge(
            rated.rename(columns={"pairs": "rated"}), on="metric"
        )
        counts.append(table.assign(pairs_of=name))
        compared = zip(at_cutoff(IA), at_cutoff(SHARP), strict=True)
        tests.append(agreement_tests(agreement_outcomes(scores, gold), compared).assign(pairs_of=name))
    both = (pd.concat(parts, ignore_index=True) for parts in (counts, tests))
    first, second = (table[["pairs_of", *table.columns.drop("pairs_of")]] for table in both)
    return first, second


def imine_utilities(folder: str | os.PathLike[str]) -> pd.DataFrame:
    """Return the agreement with IMine's judges of every stopping probability with every utility (Eq. 1).

    The columns are those of `sakaizeng2019_imine_utilities`.
    """
    measures = {}
    for stopping, (n, stop) in STOPPING.items():
        for utility, (w, part) in UTILITIES.items():
            name, m = f"{stopping} {utility}", stop if part is None else stop * part
            row = Metric(name, N=n, f=Probability(), w=w, M=m)
            measures[stopping, utility] = Collapsed(name, row=row, collapse="ad hoc") @ CUTOFF
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DivmetricsWarning)
        scores = evaluate(imine(folder, "cn"), None, list(measures.values()), gain="exponential")
    counted = agreement(scores, majority(_answers(folder))).set_index("metric")
    rows = [
        (*names, *counted.loc[str(measure), ["agree", "disagree", "ties"]])
        for names, measure in measures.items()
    ]
    return pd.DataFrame(rows, columns=["stopping", "utility", "agree", "disagree", "ties"])
