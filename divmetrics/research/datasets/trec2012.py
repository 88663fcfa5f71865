"""Scores of eight runs on TREC 2012 Web track topics, computed by divmetrics; judgments are not included."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from divmetrics.core.calls import public
from divmetrics.core.checks import check_choice
from divmetrics.research.datasets.stored_tables import read_exactly, tidy_scores

if TYPE_CHECKING:
    import pandas as pd

PROBABILITIES = ("uniform", "nonuniform")
GAINS = ("exponential", "binary")
OF_A_TOPIC = ("type", "informational", "navigational")


@public
def trec2012_scores(probabilities: str = "uniform", gain: str = "exponential") -> pd.DataFrame:
    """Load the scores of eight runs on the 50 topics of the TREC 2012 Web track, as Sakai (2012) scores runs.

    At cutoff 10: the metrics of the paper's tables (alpha-nDCG, I-rec, D-, D#-, DIN- and DIN#- with nDCG and
    Q, P+Q, P+Q#), its other gold standard Ef-P, D#-nDCG and D#-Q with gamma 0.2 and 0.8, and Q-IA and ERR-IA.

    Parameters
    ----------
    probabilities : "uniform" or "nonuniform"
        The intent probabilities: 1/n, or proportional to 2^(n-j+1) for the j-th of n intents. The intents are
        the subtopics with a relevant document.
    gain : "exponential" or "binary"
        The gain of grade g, 1 to 4: 2^g - 1 or 1.

    Returns
    -------
    DataFrame
        The columns run, topic, metric (with its cutoff), score, as from `divmetrics.evaluate`; scores in full
        precision.

    Raises
    ------
    DivmetricsError
        If the probabilities or the gain are unknown.

    Notes
    -----
    The runs are organisers' baselines: query likelihood (ql) and a relevance model (rm) on categories A and
    B, each with and without a spam filter. They form two clusters: under I-rec, the unfiltered runs on
    category A differ significantly from the six others, and no other pair does; so eight runs cannot rank
    metrics by discriminative power. Judgments and runs are not included; `python -m tools.trec2012_scores
    FOLDER` computes these scores from them.

    References
    ----------
    sakai2012, section 5

    Examples
    --------
    >>> from divmetrics.research.datasets import trec2012_scores
    >>> scores = trec2012_scores()
    >>> of_run = scores[(scores["run"] == "ql-cata") & (scores["metric"] == "DIN#-nDCG@10")]
    >>> round(float(of_run["score"].mean()), 4)
    0.2078
    """
    check_choice("probabilities", probabilities, PROBABILITIES)
    check_choice("gain", gain, GAINS)
    table = _read()
    chosen = table[(table["probabilities"] == probabilities) & (table["gain"] == gain)]
    return tidy_scores(chosen.drop(columns=["probabilities", "gain", *OF_A_TOPIC]))


@public
def trec2012_topics() -> pd.DataFrame:
    """Describe the topics of `trec2012_scores`.

    Returns
    -------
    DataFrame
        One row per topic. The columns topic (its id), type ("ambiguous" or "faceted"), informational,
        navigational (the numbers of intents of each kind that have a relevant document).

    Examples
    --------
    >>> from divmetrics.research.datasets import trec2012_topics
    >>> int((trec2012_topics()["navigational"] > 0).sum())
    33
    """
    return _read()[["topic", *OF_A_TOPIC]].drop_duplicates("topic", ignore_index=True)


def _read() -> pd.DataFrame:
    """Read the table: a row per probabilities, gain, run and topic, and a column per metric."""
    wide = read_exactly("trec2012.csv.gz")
    texts = ["probabilities", "gain", "run", "topic", "type"]
    kinds = dict.fromkeys(wide.columns.drop(texts), np.float64)
    return wide.astype({**kinds, "informational": np.int64, "navigational": np.int64})
