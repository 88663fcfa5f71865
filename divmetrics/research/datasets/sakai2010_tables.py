"""Tables 2 to 5 of Sakai et al. (2010), and scores of eight other runs under the metrics of these tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from divmetrics.core.calls import public
from divmetrics.core.checks import check_choice
from divmetrics.research.datasets.stored_tables import read_exactly, read_table, tidy_scores

if TYPE_CHECKING:
    import pandas as pd

JUDGMENTS = ("binary", "graded")


def sakai2010_correlations() -> pd.DataFrame:
    """Load the printed rank correlations of 25 runs of TREC Web 2009 under two metrics.

    Tables 2 to 4 and footnote 8, in the paper's order. Metrics have this library's names: I-recall is I-rec,
    div-nDCG and div-Q are D-nDCG and D-Q, Idiv-nDCG and Idiv-Q are D#-nDCG and D#-Q (gamma is 0.5 unless
    named; with gamma 0 they are D-nDCG and D-Q, with 1 I-rec).

    Returns
    -------
    DataFrame
        40 rows with the columns table ("Table 2", "Table 3", "Table 4" or "footnote 8"), metric, baseline
        (the two metrics), tau (Kendall's), tau_ap (AP correlation of the metric's ranking with that of the
        baseline, which is the truth).

    References
    ----------
    sakai2010, Tables 2-4

    Examples
    --------
    >>> from divmetrics.research.datasets import sakai2010_correlations
    >>> sakai2010_correlations().head(1)
         table     metric       baseline   tau  tau_ap
    0  Table 2  D-nDCG@10  alpha-nDCG@10  0.88   0.778
    """
    return read_table("sakai2010_correlations.csv")


def sakai2010_power() -> pd.DataFrame:
    """Load the printed discriminative power of seven metrics, by paired bootstrap tests of 25 runs.

    Returns
    -------
    DataFrame
        The columns metric (this library's name), significant (number of pairs of runs that differ
        significantly at level 0.05), pairs (number of all pairs), percent (of significant pairs),
        required_difference (of two means); most discriminative first.

    References
    ----------
    sakai2010, Table 5

    Examples
    --------
    >>> from divmetrics.research.datasets import sakai2010_power
    >>> sakai2010_power().head(1)
        metric  significant  pairs  percent  required_difference
    0  D#-Q@10          192    300     64.0                 0.12
    """
    return read_table("sakai2010_power.csv")


@public
def sakai2010_trec2012(judgments: str = "binary") -> pd.DataFrame:
    """Load scores of eight runs of TREC Web 2012 under the metrics of Sakai et al. (2010), Tables 2 to 5.

    At cutoff 10: alpha-nDCG, nDCG-IA, I-rec, D-nDCG and D-Q, and D#-nDCG and D#-Q with gamma 0.2, 0.5 and
    0.8. Query likelihood (ql) and relevance models (rm) on both parts of ClueWeb09 (cata, catb), each also
    with spam filtered. An intent counts if it has a relevant document; the j-th of n has p(i_j|q) = 2^(n-j+1)
    / (2^(n+1) - 2), as in the paper.

    Parameters
    ----------
    judgments : "binary" or "graded"
        Whether every relevant document has the grade 1 ("binary", as in the paper), or the track's grade 1-4
        ("graded").

    Returns
    -------
    DataFrame
        The columns run, topic, metric, score, as from `divmetrics.evaluate`, in full precision.

    Raises
    ------
    DivmetricsError
        If `judgments` is neither.

    Notes
    -----
    Computed by divmetrics; judgments and runs are not included. `python -m tools.sakai2010_scores FOLDER`
    computes these scores from them. `trec2012_scores` has the same runs and topics as Sakai (2012) scores
    them: with lists by score instead of by rank, exponential instead of linear gains, uniform probabilities,
    too, and other metrics.

    Examples
    --------
    >>> from divmetrics.research.datasets import sakai2010_trec2012
    >>> scores = sakai2010_trec2012()
    >>> scores["run"].nunique(), scores["topic"].nunique(), scores["metric"].nunique()
    (8, 50, 11)
    """
    check_choice("judgments", judgments, JUDGMENTS)
    wide = read_exactly("sakai2010.trec2012.csv.gz")
    return tidy_scores(wide[wide["judgments"] == judgments].drop(columns="judgments"))
