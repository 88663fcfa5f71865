"""Agreement with people: which of two lists do they prefer, and does the metric, too?

A table of preferences has the columns topic, left, right (two runs), preference (above 0: the left run's list
is better, below 0: the right one's, 0: neither) and, where several people were asked, judge.
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
from divmetrics.core.checks import whole
from divmetrics.core.tolerances import dense_ranks
from divmetrics.errors import DivmetricsError, DivmetricsWarning, did_you_mean
from divmetrics.research.meta.concordance import sign_test
from divmetrics.research.meta.correlation import kendall_interval
from divmetrics.research.meta.resampling import check_strict_fraction
from divmetrics.research.meta.score_table import Missing, check_score_frame, score_table

PAIR = ["topic", "left", "right"]


@public
def majority(preferences: pd.DataFrame, *, tied: Literal["drop", "keep"] = "drop") -> pd.DataFrame:
    """The gold preference for every pair of lists: what more judges said (Sakai & Zeng 2019, section 6.2).

    Votes for left are counted against votes for right; those for neither decide nothing. tied: "drop" the
    pairs with as many on either side, or "keep" them with preference 0. Returns topic, left, right,
    preference (1, 0 or -1), for_left, for_right, neither.
    """
    if tied not in ("drop", "keep"):
        raise DivmetricsError(f"tied is {tied!r}, expected drop or keep")
    votes = _votes(normalise_preferences(preferences))
    votes.insert(3, "preference", np.sign(votes["for_left"] - votes["for_right"]))
    return votes if tied == "keep" else votes[votes["preference"] != 0].reset_index(drop=True)


@public
def high_agreement(preferences: pd.DataFrame, at_least: int) -> pd.DataFrame:
    """The preferences on pairs of lists where at least that many judges agree which list is better.

    Rows and columns as they were (Sakai & Zeng 2019 ask for 9 of 15).
    """
    whole("at_least", at_least, 1, "a number of judges of at least 1")
    preferences = normalise_preferences(preferences)
    votes = _votes(preferences)
    agreed = votes.loc[votes[["for_left", "for_right"]].max(axis=1) >= at_least, PAIR]
    kept = pd.MultiIndex.from_frame(preferences[PAIR]).isin(pd.MultiIndex.from_frame(agreed))
    return preferences[kept].reset_index(drop=True)


@public
def preference_tau(
    agree: int, disagree: int, ties: int = 0, confidence: float = 0.95, *, decimals: int | None = None
) -> tuple[float, float, float]:
    """tau = (A - D) / P from counts, with its interval (Sakai & Zeng 2019, section 6).

    P = agree + disagree + ties pairs are what L = (1 + sqrt(1 + 8P)) / 2 ranked items would have, L need not
    be whole. decimals: as in `kendall_interval`. Returns tau, low, high; the interval is nan for 6 pairs or
    fewer.
    """
    for name, count in (("agree", agree), ("disagree", disagree), ("ties", ties)):
        whole(name, count, 0, "a count of at least 0")
    pairs = int(agree) + int(disagree) + int(ties)
    if not pairs:
        raise DivmetricsError("there are no pairs of lists with a preference; give at least one")
    check_strict_fraction("confidence", confidence)
    tau, items = (int(agree) - int(disagree)) / pairs, (1 + math.sqrt(1 + 8 * pairs)) / 2
    if items <= 4:
        return tau, math.nan, math.nan
    return tau, *kendall_interval(tau, items, confidence, decimals=decimals)


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
    """How often each metric prefers the list that people prefer.

    Parameters
    ----------
    scores : columns run, topic, metric, score, as `divmetrics.evaluate` returns
    preferences : columns topic, left, right, preference, a row per pair of lists (see `majority`). Rows with
        preference 0 are left out, with a warning that counts them
    metrics : those wanted; None for all in the table
    ties : pairs on which the metric is tied "count" in P, as neither agreement nor disagreement, or are
        "leave out"
    confidence, decimals : of the interval, see `preference_tau`
    missing : "fail" where a run has no score on a topic, or "drop" the topic

    Returns metric, agree, disagree, ties, pairs (P), tau, low, high; nan where P is 0.
    """
    if ties not in ("count", "leave out"):
        raise DivmetricsError(f"ties is {ties!r}, expected count or leave out")
    rows = []
    for name, said in agreement_outcomes(scores, preferences, metrics, missing=missing).items():
        agree, disagree, tied = (int((said == sign).sum()) for sign in (1, -1, 0))
        counted = tied if ties == "count" else 0
        pairs = agree + disagree + counted
        taus = (np.nan,) * 3
        if pairs:
            taus = preference_tau(agree, disagree, counted, confidence, decimals=decimals)
        rows.append((name, agree, disagree, tied, pairs, *taus))
    return pd.DataFrame(rows, columns=["metric", "agree", "disagree", "ties", "pairs", "tau", "low", "high"])


@public
def agreement_differences(
    scores: pd.DataFrame,
    preferences: pd.DataFrame,
    metrics: str | Sequence[str] | None = None,
    *,
    missing: Missing = "fail",
) -> pd.DataFrame:
    """Does one metric agree with people where another does not, more often than the other way round?

    Parameters as in `agreement`. Returns metric_a, metric_b, both, only_a, only_b (pairs of lists on which
    both agree with people, only the first metric, only the second), p_value of the two-sided sign test on
    only_a against only_b. Pairs of lists share topics and runs, so they are not independent as the test takes
    them to be: read the p-value as a lower bound, or see `agreement_tests`.
    """
    agrees = agreement_outcomes(scores, preferences, metrics, missing=missing) == 1
    rows = []
    for a, b in combinations(agrees, 2):
        both, only_a, only_b = (
            int(found.sum())
            for found in (agrees[a] & agrees[b], agrees[a] & ~agrees[b], agrees[b] & ~agrees[a])
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
    """1 where a metric prefers the list that people prefer, -1 where the other, 0 where neither.

    Parameters as in `agreement`. Returns a row per pair of lists, with the index topic, left, right, and a
    column per metric.
    """
    check_score_frame(scores)
    preferences = normalise_preferences(preferences)
    twice = preferences.duplicated(PAIR)
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
    for column, of in (("topic", ["topic"]), ("run", ["left", "right"])):
        known = set(scores[column].astype(str))
        unknown = [name for c in of for name in decided[c].unique() if name not in known]
        if unknown:
            raise DivmetricsError(
                f"{column} {unknown[0]!r} of the preferences is not in the score table"
                f"{did_you_mean(unknown[0], known)}; score it, or leave its preferences out"
            )
    runs = set(decided["left"]) | set(decided["right"])
    scores = scores[scores["topic"].astype(str).isin(decided["topic"]) & scores["run"].astype(str).isin(runs)]
    table = score_table(scores, metrics, missing=missing)
    decided = decided[decided["topic"].isin(table.topics)]
    topic = pd.Index(table.topics).get_indexer(pd.Index(decided["topic"]))
    left, right = (pd.Index(table.runs).get_indexer(pd.Index(decided[side])) for side in ("left", "right"))
    people = np.sign(decided["preference"].to_numpy(dtype=float))
    says = {}
    for name, values in zip(table.metrics, table.values, strict=True):
        level = dense_ranks(values)
        says[name] = (np.sign(level[topic, left] - level[topic, right]) * people).astype(np.int8)
    return pd.DataFrame(says, index=pd.MultiIndex.from_frame(decided[PAIR]))


def normalise_preferences(preferences: pd.DataFrame) -> pd.DataFrame:
    """The preferences with ids as strings.

    Refuses a table that lacks a column, names one run twice in a row, or holds what is no number.
    """
    if not isinstance(preferences, pd.DataFrame):
        raise DivmetricsError(
            f"the preferences are of type {type(preferences).__name__}, expected a DataFrame with the "
            f"columns {', '.join(PAIR)}, preference"
        )
    absent = [column for column in (*PAIR, "preference") if column not in preferences.columns]
    if absent:
        raise DivmetricsError(
            f"the table of preferences has no column {absent[0]!r}, expected {', '.join(PAIR)}, preference "
            "and, for several people, judge"
        )
    if not len(preferences):
        raise DivmetricsError("the table of preferences is empty; give at least one preference")
    if not pd.api.types.is_numeric_dtype(preferences["preference"]) or preferences["preference"].isna().any():
        raise DivmetricsError(
            "a preference is not a number; expected above 0 where left is better, below 0 where right is, "
            "else 0"
        )
    same = preferences[preferences["left"] == preferences["right"]]
    if len(same):
        raise DivmetricsError(
            f"run {same['left'].iloc[0]!r} is compared with itself on topic {same['topic'].iloc[0]!r}; "
            "name two runs"
        )
    return preferences.astype(dict.fromkeys(PAIR, str))


def _votes(preferences: pd.DataFrame) -> pd.DataFrame:
    sides = {"for_left": preferences["preference"] > 0, "for_right": preferences["preference"] < 0}
    sides["neither"] = preferences["preference"] == 0
    return preferences[PAIR].assign(**sides).groupby(PAIR, sort=False, as_index=False).sum()
