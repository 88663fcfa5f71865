"""Agreement of metrics with people's preferences between IMine runs, computed by divmetrics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from divmetrics.research.datasets.stored_tables import read_table

if TYPE_CHECKING:
    import pandas as pd

DECIMALS = 6  # decimals of values that are no counts


def imine_agreement() -> pd.DataFrame:
    """Load the agreement of metrics at cutoffs 10 and 20 with people on pairs of Chinese IMine lists.

    Three judges per pair graded from -4 to 4 which of two runs' lists is better: five runs, 30 topics, 259
    pairs with both lists. In the main setting, people prefer the list that the majority of judges prefers, if
    there is a majority (227 pairs); there are twelve other settings. The metrics are the 21 of `imine_scores`
    without D-RBP, and alpha-DCG and P+Q#, each also as its intent-square form; and Ef-P.

    Returns
    -------
    DataFrame
        One row per setting and metric. The columns setting (the main one, "all pairs"; or a part of its
        pairs: "mean answer below 1", "mean answer 1 to 2", "mean answer 2 or more", "1 of 3 judges for it",
        "2 of 3 judges for it", "3 of 3 judges for it"; or "without judge1", "without judge2", "without
        judge3", "sign of the mean answer", "with lists not there", "organisers' probabilities"); metric (with
        its cutoff; also two that are none: "the left run", a baseline that always prefers the run on the
        left, and, in settings without a judge, "the judge left out"); agree, disagree, ties (numbers of pairs
        of lists); pairs (their sum); tau ((agree - disagree) / pairs); low, high (95% bootstrap interval over
        topics); by_runs (the mean of tau over all permutations of the metric's preferences between two runs
        over topics, that is, the tau of knowing which run is better but not on which topics).

    Notes
    -----
    The judges' answers are not ours and not included; `python -m tools.imine_agreement FOLDER` computes the
    tables from them.

    Examples
    --------
    >>> from divmetrics.research.datasets import imine_agreement
    >>> imine_agreement()[["setting", "metric", "agree", "disagree"]].head(1)
         setting       metric  agree  disagree
    0  all pairs  S-recall@10     94        40
    """
    return read_table("imine_agreement.agreement.csv.gz")


def imine_agreement_tests() -> pd.DataFrame:
    """Load tests of one metric against another on the preferences of `imine_agreement`.

    The tests of one question are a family, within which Holm's correction is applied: "flat or
    intent-square", "IA or D#", "D or D#", and whether intent-square metrics agree better "on average".

    Returns
    -------
    DataFrame
        One row per setting, cutoff, family and pair of metrics. The columns setting (as in
        `imine_agreement`), cutoff, family, and those of `divmetrics.research.meta.agreement_tests`:
        metric_a, metric_b, pairs, only_a, only_b, p_pairs, difference, low, high, p_topics, holm, detectable.
        In the family "on average", metric_a is "flat" and metric_b "intent-square", a pair of lists counts
        once per metric, and p_pairs is nan.

    Examples
    --------
    >>> from divmetrics.research.datasets import imine_agreement_tests
    >>> imine_agreement_tests()[["family", "metric_a", "metric_b"]].head(1)
                      family     metric_a        metric_b
    0  flat or intent-square  S-recall@10  S-recall-IS@10
    """
    return read_table("imine_agreement.tests.csv.gz")


def imine_judges() -> pd.DataFrame:
    """Load Krippendorff's alpha of the judges of `imine_agreement`, for groups of judges and pairs of lists.

    Returns
    -------
    DataFrame
        The columns group ("all" judges; "without judge1", "without judge2" or "without judge3"; or two runs,
        as "A or B", on which all judges are compared), units (number of pairs of lists), left and right
        (numbers of pairs on which the majority prefers the left or the right list), nominal (Krippendorff's
        alpha of the preferred sides) and ordinal (that of the answers).

    Examples
    --------
    >>> from divmetrics.research.datasets import imine_judges
    >>> imine_judges()[["group", "units", "left", "right"]].head(1)
      group  units  left  right
    0   all    259   150     77
    """
    return read_table("imine_agreement.judges.csv.gz")
