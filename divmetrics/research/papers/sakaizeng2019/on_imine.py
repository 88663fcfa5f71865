"""The paper's measures on NTCIR-11 IMine, computed from the organisers' files."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping

import pandas as pd

from divmetrics.errors import DivmetricsWarning
from divmetrics.evaluation import evaluate
from divmetrics.research.meta import agreement, agreement_outcomes, agreement_rate, agreement_tests, majority
from divmetrics.research.papers.imine import LANGUAGES, imine
from divmetrics.research.papers.preferences import load_preference_data
from divmetrics.research.papers.sakaizeng2019.measures import IA, METRICS, SHARP, at_cutoff
from divmetrics.research.papers.sakaizeng2019.selection import differing_pairs

DECIMALS = 8  # decimals of scores; two lists tie exactly where they tie in full precision
ALL, DIFFERING = "all", "differing"


def imine_tables(folder: str | os.PathLike[str]) -> dict[str, pd.DataFrame]:
    """Return the scores by language, a row per run and topic and a column per measure."""
    names, tables = at_cutoff(METRICS), {}
    for code in LANGUAGES:
        with warnings.catch_warnings():
            # Topics that a run does not answer score 0; unjudged documents are not relevant.
            warnings.simplefilter("ignore", DivmetricsWarning)
            scores = evaluate(imine(folder, code), None, names, gain="exponential")
        wide = scores.pivot(index=["run", "topic"], columns="metric", values="score")[names]
        tables[code] = wide.round(DECIMALS).reset_index()
    return tables


def imine_preferences(
    folder: str | os.PathLike[str], tables: Mapping[str, pd.DataFrame]
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the agreement of the measures with IMine's judges, and the tests of D#- against IA measures.

    `tables` are those of `imine_tables`. Both results have no judge's answer and no figures by topic.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DivmetricsWarning)
        answers = load_preference_data(folder).main
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
