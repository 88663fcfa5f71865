"""Agreement with people: whether a metric prefers the same of two lists as people do.

A table of preferences has the columns topic, left, right (two runs), preference (above 0 if the left run's
list is better, below 0 if the right one's is, else 0) and, if several people judged, judge.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from itertools import combinations
from typing import Literal

import numpy as np
import pandas as pd

from divmetrics.core.calls import public
from divmetrics.core.checks import check_whole
from divmetrics.core.tolerances import dense_ranks
from divmetrics.errors import DivmetricsError, DivmetricsWarning, did_you_mean
from divmetrics.research.meta.concordance import sign_test
from divmetrics.research.meta.correlation import kendall_interval, round_tau
from divmetrics.research.meta.resampling import check_strict_fraction
from divmetrics.research.meta.score_table import Missing, check_score_frame, score_table

PAIR_COLUMNS = ["topic", "left", "right"]


@public
def majority(preferences: pd.DataFrame, *, tied: Literal["drop", "keep"] = "drop") -> pd.DataFrame:
    """Return the majority preference for every pair of lists.

    Votes for left are counted against votes for right; votes for neither do not count.

    Parameters
    ----------
    preferences : DataFrame
        Columns topic, left, right (two runs), preference (above 0 for left, below 0 for right, 0 for
        neither); one row per judge and pair of lists. The same runs as left and right and the other way round
        count as two pairs, so name two runs in the same order in every row.
    tied : {"drop", "keep"}
        Whether to drop pairs with as many votes on either side, or to keep them with preference 0.

    Returns
    -------
    DataFrame
        One row per pair of lists, in order of first appearance. Columns topic, left, right (as text);
        preference (1 if left has more votes, -1 if right has, else 0); for_left, for_right, neither (numbers
        of votes).

    Raises
    ------
    DivmetricsError
        If the table lacks a column or is empty, a topic or run is missing, a preference is not a number, a
        run is compared with itself, or `tied` is another word.

    References
    ----------
    sakaizeng2019, section 6.2

    Examples
    --------
    >>> votes = pd.DataFrame({"topic": "1", "left": "A", "right": "B", "preference": [1, 1, -1]})
    >>> majority(votes)
      topic left right  preference  for_left  for_right  neither
    0     1    A     B           1         2          1        0
    """
    if tied not in ("drop", "keep"):
        raise DivmetricsError(f"tied is {tied!r}, expected drop or keep")
    votes = _votes(normalise_preferences(preferences))
    votes.insert(3, "preference", np.sign(votes["for_left"] - votes["for_right"]))
    return votes if tied == "keep" else votes[votes["preference"] != 0].reset_index(drop=True)


@public
def high_agreement(preferences: pd.DataFrame, at_least: int) -> pd.DataFrame:
    """Return the preferences on pairs of lists with at least `at_least` votes for the same list.

    Parameters
    ----------
    preferences : DataFrame
        Columns topic, left, right, preference, as in `majority`; one row per judge and pair of lists.
    at_least : int
        Required number of votes; Sakai and Zeng use 9 of 15.

    Returns
    -------
    DataFrame
        All rows of `preferences` on these pairs, also those of judges who prefer the other list, with all
        columns (topic, left and right as text) and a new index; no row if there is no such pair.

    Raises
    ------
    DivmetricsError
        If the preferences cannot be used (as in `majority`), or `at_least` is below 1.

    References
    ----------
    sakaizeng2019, section 6.2

    Examples
    --------
    >>> votes = pd.DataFrame({"topic": "1", "left": "A", "right": "B", "preference": [1, 1, -1]})
    >>> len(high_agreement(votes, 2)), len(high_agreement(votes, 3))
    (3, 0)
    """
    check_whole("at_least", at_least, 1, "a number of judges of at least 1")
    preferences = normalise_preferences(preferences)
    votes = _votes(preferences)
    agreed = votes.loc[votes[["for_left", "for_right"]].max(axis=1) >= at_least, PAIR_COLUMNS]
    chosen = pd.MultiIndex.from_frame(preferences[PAIR_COLUMNS]).isin(pd.MultiIndex.from_frame(agreed))
    return preferences[chosen].reset_index(drop=True)


@public
def preference_tau(
    agree: int, disagree: int, ties: int = 0, confidence: float = 0.95, *, decimals: int | None = None
) -> tuple[float, float, float]:
    """Return tau = (agree - disagree) / pairs and its confidence interval from counts of pairs of lists.

    The interval is that of Kendall's tau over L = (1 + sqrt(1 + 8 pairs)) / 2 ranked items, since L items
    have L (L - 1) / 2 = `pairs` pairs; L need not be an integer.

    Parameters
    ----------
    agree, disagree, ties : int
        Numbers of pairs on which the metric agrees with people, disagrees, and is tied.
    confidence : float
        Confidence of the interval, between 0 and 1.
    decimals : int, optional
        Decimals to which tau is rounded before the interval is computed, see `kendall_interval`.

    Returns
    -------
    tuple of float
        tau, low, high; the interval is nan for 6 pairs or fewer.

    Raises
    ------
    DivmetricsError
        If there are no pairs, a count or `decimals` is no whole number of at least 0, or `confidence` is not
        between 0 and 1.

    References
    ----------
    sakaizeng2019, section 6

    Examples
    --------
    >>> [round(value, 3) for value in preference_tau(agree=60, disagree=30, ties=10)]
    [0.3, -0.087, 0.608]
    """
    for name, count in (("agree", agree), ("disagree", disagree), ("ties", ties)):
        check_whole(name, count, 0, "a count of at least 0")
    pairs = int(agree) + int(disagree) + int(ties)
    if not pairs:
        raise DivmetricsError("there are no pairs of lists with a preference; give at least one")
    check_strict_fraction("confidence", confidence)
    tau, items = (int(agree) - int(disagree)) / pairs, (1 + math.sqrt(1 + 8 * pairs)) / 2
    rounded = round_tau(tau, decimals)
    if items <= 4:
        return tau, math.nan, math.nan
    return tau, *kendall_interval(rounded, items, confidence)


@public
def agreement(
    scores: pd.DataFrame,
    preferences: pd.DataFrame,
    metrics: str | Sequence[str] | None = None,
    *,
    ties: Literal["count", "leave out"] = "count",
    confidence: float = 0.95,
    decimals: int | None = None,
    missing: Missing = "fail",
) -> pd.DataFrame:
    """Count the pairs of lists on which each metric agrees with people, and compute tau (`preference_tau`).

    A metric agrees with people on a pair if it prefers the list that people prefer.

    Parameters
    ----------
    scores : DataFrame
        Columns run, topic, metric, score, as `divmetrics.evaluate` returns.
    preferences : DataFrame
        Columns topic, left, right, preference; one row per pair of lists, see `majority`. A preference of 0
        is left out with a warning.
    metrics : str or list of str, optional
        Metrics to use; by default, all in the table.
    ties : {"count", "leave out"}
        Whether pairs on which the metric is tied count in `pairs`, the divisor of tau.
    confidence : float
        Confidence of the intervals, between 0 and 1.
    decimals : int, optional
        Decimals to which tau is rounded before the interval is computed, see `kendall_interval`.
    missing : {"fail", "drop"}
        Whether to raise if a run has no score on a topic, or to drop the topic with a warning.

    Returns
    -------
    DataFrame
        One row per metric. Columns metric; agree, disagree, ties (numbers of pairs of lists on which the
        metric prefers the same list as people, the other one, and neither); pairs (agree + disagree, and ties
        unless they are left out); tau ((agree - disagree) / pairs, nan without pairs); low, high (its
        interval, nan for 6 pairs or fewer).

    Raises
    ------
    DivmetricsError
        As in `agreement_outcomes`; or if `ties`, `confidence` or `decimals` is out of range.

    References
    ----------
    sakaizeng2019, section 6

    Examples
    --------
    >>> import divmetrics as dm
    >>> runs = {"topic": ["0051", "0052", "0053"], "left": "udel-D-E-1A", "right": "UM13-D-E-1A"}
    >>> preferences = pd.DataFrame({**runs, "preference": [-1, -1, 1]})
    >>> table = agreement(dm.datasets.imine_scores(), preferences, ["ERR-IA@10", "D#-nDCG@10"])
    >>> table[["metric", "agree", "disagree", "tau"]].round(3)
           metric  agree  disagree    tau
    0   ERR-IA@10      2         1  0.333
    1  D#-nDCG@10      2         1  0.333
    """
    if ties not in ("count", "leave out"):
        raise DivmetricsError(f"ties is {ties!r}, expected count or leave out")
    rows = []
    for name, outcomes in agreement_outcomes(scores, preferences, metrics, missing=missing).items():
        agree, disagree, tied = (int((outcomes == sign).sum()) for sign in (1, -1, 0))
        counted = tied if ties == "count" else 0
        pairs = agree + disagree + counted
        taus = (np.nan,) * 3
        if pairs:
            taus = preference_tau(agree, disagree, counted, confidence, decimals=decimals)
        rows.append((name, agree, disagree, tied, pairs, *taus))
    return pd.DataFrame(rows, columns=["metric", "agree", "disagree", "ties", "pairs", "tau", "low", "high"])


@public
def agreement_rate(
    scores: pd.DataFrame,
    preferences: pd.DataFrame,
    metrics: str | Sequence[str] | None = None,
    *,
    missing: Missing = "fail",
) -> pd.DataFrame:
    """Compute the mean share of judges who make the same decision on a pair of lists as each metric.

    Every vote counts, also on pairs on which the judges are divided, which `majority` reduces to one vote or
    drops. A vote for neither list agrees with a metric that is tied.

    Parameters
    ----------
    scores : DataFrame
        Columns run, topic, metric, score, as `divmetrics.evaluate` returns.
    preferences : DataFrame
        Columns topic, left, right, preference, as in `majority`; one row per judge and pair of lists.
    metrics : str or list of str, optional
        Metrics to use; by default, all in the table.
    missing : {"fail", "drop"}
        Whether to raise if a run has no score on a topic, or to drop the topic with a warning.

    Returns
    -------
    DataFrame
        One row per metric. Columns metric; rate (the share of the judges of a pair of lists who decide as the
        metric does, averaged over pairs); pairs (their number).

    Raises
    ------
    DivmetricsError
        If a table cannot be used (as in `majority` and `score_table`), or a topic or run of the preferences
        has no scores.

    Examples
    --------
    >>> import divmetrics as dm
    >>> runs = {"topic": "0051", "left": "udel-D-E-1A", "right": "UM13-D-E-1A"}
    >>> votes = pd.DataFrame({**runs, "preference": [1, 1, -1, 0]})
    >>> agreement_rate(dm.datasets.imine_scores(), votes, "ERR-IA@10")
          metric  rate  pairs
    0  ERR-IA@10  0.25      1
    """
    votes = _votes(normalise_preferences(preferences))
    left_first = votes[PAIR_COLUMNS].assign(preference=1)
    decisions = agreement_outcomes(scores, left_first, metrics, missing=missing)
    counts = votes.set_index(PAIR_COLUMNS).loc[decisions.index]
    shares = counts.div(counts.sum(axis=1), axis=0)
    by_decision = shares[["for_right", "neither", "for_left"]].to_numpy()  # (pair, decision -1, 0 or 1)
    rows = np.arange(len(decisions))
    rates = [
        (name, by_decision[rows, made.to_numpy() + 1].mean(), len(decisions))
        for name, made in decisions.items()
    ]
    return pd.DataFrame(rates, columns=["metric", "rate", "pairs"])


@public
def agreement_differences(
    scores: pd.DataFrame,
    preferences: pd.DataFrame,
    metrics: str | Sequence[str] | None = None,
    *,
    missing: Missing = "fail",
) -> pd.DataFrame:
    """Compare the numbers of pairs of lists on which two metrics agree with people, for every two metrics.

    Pairs of lists share topics and runs, so they are not independent as the sign test assumes: take its
    p-value as a lower bound, or use `agreement_tests`.

    Parameters
    ----------
    scores : DataFrame
        Columns run, topic, metric, score, as `divmetrics.evaluate` returns.
    preferences : DataFrame
        Columns topic, left, right, preference; one row per pair of lists, see `majority`. Pairs of preference
        0 are left out, with a warning.
    metrics : str or list of str, optional
        Metrics to use; by default, all in the table.
    missing : {"fail", "drop"}
        Whether to raise if a run has no score on a topic, or to drop the topic with a warning.

    Returns
    -------
    DataFrame
        Columns metric_a, metric_b; both, only_a, only_b (pairs of lists on which both, only the first and
        only the second metric agree with people); p_value of the two-sided sign test of only_a against
        only_b, 1 if both are 0. No row for a single metric.

    Raises
    ------
    DivmetricsError
        As in `agreement_outcomes`.

    Examples
    --------
    >>> import divmetrics as dm
    >>> runs = {"topic": ["0051", "0052", "0053"], "left": "udel-D-E-1A", "right": "UM13-D-E-1A"}
    >>> preferences = pd.DataFrame({**runs, "preference": [-1, -1, 1]})
    >>> scores = dm.datasets.imine_scores()
    >>> agreement_differences(scores, preferences, ["S-recall@10", "ERR-IA@10"])
          metric_a   metric_b  both  only_a  only_b  p_value
    0  S-recall@10  ERR-IA@10     1       0       1      1.0
    """
    agrees = agreement_outcomes(scores, preferences, metrics, missing=missing) == 1
    rows = []
    for a, b in combinations(agrees, 2):
        both, only_a, only_b = (
            int(pairs.sum())
            for pairs in (agrees[a] & agrees[b], agrees[a] & ~agrees[b], agrees[b] & ~agrees[a])
        )
        rows.append((a, b, both, only_a, only_b, sign_test(only_a, only_b)))
    return pd.DataFrame(rows, columns=["metric_a", "metric_b", "both", "only_a", "only_b", "p_value"])


@public
def agreement_outcomes(
    scores: pd.DataFrame,
    preferences: pd.DataFrame,
    metrics: str | Sequence[str] | None = None,
    *,
    missing: Missing = "fail",
) -> pd.DataFrame:
    """Return whether each metric prefers the same list as people (1), the other one (-1) or neither (0).

    Parameters
    ----------
    scores : DataFrame
        Columns run, topic, metric, score, as `divmetrics.evaluate` returns.
    preferences : DataFrame
        Columns topic, left, right, preference; one row per pair of lists, see `majority`. A preference of 0
        is left out with a warning.
    metrics : str or list of str, optional
        Metrics to use; by default, all in the table.
    missing : {"fail", "drop"}
        Whether to raise if a run has no score on a topic, or to drop the topic with a warning.

    Returns
    -------
    DataFrame
        A row per pair of lists with the index topic, left, right, and a column per metric with 1, -1 or 0.

    Raises
    ------
    DivmetricsError
        If a table cannot be used (as in `majority` and `score_table`), a pair has several preferences, all
        preferences are 0, or a topic or run of the preferences has no scores.

    Examples
    --------
    >>> import divmetrics as dm
    >>> runs = {"topic": ["0051", "0052", "0053"], "left": "udel-D-E-1A", "right": "UM13-D-E-1A"}
    >>> preferences = pd.DataFrame({**runs, "preference": [-1, -1, 1]})
    >>> scores = dm.datasets.imine_scores()
    >>> agreement_outcomes(scores, preferences, "ERR-IA@10")["ERR-IA@10"].tolist()
    [1, -1, 1]
    """
    check_score_frame(scores)
    preferences = normalise_preferences(preferences)
    twice = preferences.duplicated(PAIR_COLUMNS)
    if twice.any():
        row = preferences[twice].iloc[0]
        raise DivmetricsError(
            f"runs {row['left']!r} and {row['right']!r} have several preferences on topic {row['topic']!r}; "
            "take their majority first, or one judge's"
        )
    decided = preferences[preferences["preference"] != 0]
    if not len(decided):
        raise DivmetricsError(
            "all preferences are 0, so there is nothing to agree with; give some that are not"
        )
    if len(decided) < len(preferences):
        warnings.warn(
            f"{len(preferences) - len(decided)} of {len(preferences)} pairs of lists have preference 0 and "
            "are left out",
            DivmetricsWarning,
            stacklevel=4,
        )
    for column, sides in (("topic", ["topic"]), ("run", ["left", "right"])):
        in_scores = set(scores[column].astype(str))
        unknown = [name for side in sides for name in decided[side].unique() if name not in in_scores]
        if unknown:
            raise DivmetricsError(
                f"{column} {unknown[0]!r} of the preferences is not in the score table"
                f"{did_you_mean(unknown[0], in_scores)}; score it, or leave its preferences out"
            )
    runs = set(decided["left"]) | set(decided["right"])
    scores = scores[scores["topic"].astype(str).isin(decided["topic"]) & scores["run"].astype(str).isin(runs)]
    table = score_table(scores, metrics, missing=missing)
    decided = decided[decided["topic"].isin(table.topics)]
    topic = pd.Index(table.topics).get_indexer(pd.Index(decided["topic"]))
    left, right = (pd.Index(table.runs).get_indexer(pd.Index(decided[side])) for side in ("left", "right"))
    people = np.sign(decided["preference"].to_numpy(dtype=float))
    outcomes = {}
    for name, values in zip(table.metrics, table.values, strict=True):
        levels = dense_ranks(values)
        outcomes[name] = (np.sign(levels[topic, left] - levels[topic, right]) * people).astype(np.int8)
    return pd.DataFrame(outcomes, index=pd.MultiIndex.from_frame(decided[PAIR_COLUMNS]))


def normalise_preferences(preferences: pd.DataFrame) -> pd.DataFrame:
    """Return a copy of the preferences with the columns topic, left and right as strings.

    Raises DivmetricsError if the table is empty, lacks a column, a topic or a run, pairs a run with itself,
    or has preferences that are not numbers.
    """
    if not isinstance(preferences, pd.DataFrame):
        raise DivmetricsError(
            f"the preferences are of type {type(preferences).__name__}, expected a DataFrame with the "
            f"columns {', '.join(PAIR_COLUMNS)}, preference"
        )
    absent = [column for column in (*PAIR_COLUMNS, "preference") if column not in preferences.columns]
    if absent:
        raise DivmetricsError(
            f"the table of preferences has no column {absent[0]!r}, "
            f"expected {', '.join(PAIR_COLUMNS)}, preference "
            "and, for several people, judge"
        )
    if not len(preferences):
        raise DivmetricsError("the table of preferences is empty; give at least one preference")
    if not pd.api.types.is_numeric_dtype(preferences["preference"]) or preferences["preference"].isna().any():
        raise DivmetricsError(
            "a preference is not a number; expected above 0 where left is better, below 0 where right is, "
            "else 0"
        )
    missing = preferences[PAIR_COLUMNS].isna().any()
    if missing.any():
        raise DivmetricsError(f"a value in the column {missing.idxmax()!r} is missing; name topics and runs")
    same = preferences[preferences["left"] == preferences["right"]]
    if len(same):
        raise DivmetricsError(
            f"run {same['left'].iloc[0]!r} is compared with itself on topic {same['topic'].iloc[0]!r}; "
            "name two runs"
        )
    return preferences.astype(dict.fromkeys(PAIR_COLUMNS, str))


def _votes(preferences: pd.DataFrame) -> pd.DataFrame:
    """Return a row per pair of lists with the numbers of votes for left, right and neither."""
    sides = {"for_left": preferences["preference"] > 0, "for_right": preferences["preference"] < 0}
    sides["neither"] = preferences["preference"] == 0
    return preferences[PAIR_COLUMNS].assign(**sides).groupby(PAIR_COLUMNS, sort=False, as_index=False).sum()
