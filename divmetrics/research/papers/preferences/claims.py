"""Claims on agreement with people, each with a verdict computed from the study's tables."""

from __future__ import annotations

from functools import partial
from typing import Any

import pandas as pd

from divmetrics.core.calls import public
from divmetrics.research.meta import holm
from divmetrics.research.papers.preferences.data import MAIN_SETTING, SQUARE_FAMILY, STRENGTHS
from divmetrics.research.papers.preferences.study import AVERAGE, LEFT, LEFT_OUT, Study
from divmetrics.research.papers.verdicts import Claim, ClaimResult, combine_outcomes, share

WHERE = "preferences"
LEVEL = 0.05


def _agree_at_all(study: Study) -> ClaimResult:
    metrics = _metrics(study)
    above = metrics["low"] > 0
    evidence = f"tau is {_span(metrics['tau'])}; the interval is above 0 for {_of(above)} metrics"
    return ClaimResult(combine_outcomes(above), evidence)


def _better_than_left(study: Study) -> ClaimResult:
    rows = study.agreement[study.agreement["setting"] == MAIN_SETTING].set_index("metric")
    left: Any = rows.loc[LEFT]
    more = _metrics(study)["tau"] > left["tau"]
    return ClaimResult(
        combine_outcomes(more),
        f"always naming the left run agrees on {share(left['agree'], left['pairs'])}, tau {left['tau']:.3f}; "
        f"{_of(more)} metrics have a higher tau",
    )


def _see_topics(study: Study) -> ClaimResult:
    metrics = _metrics(study)
    beyond = metrics["low"] > metrics["by_runs"]
    return ClaimResult(
        combine_outcomes(beyond),
        "dealt to the topics at random, the same preferences between two runs would earn tau "
        f"{_span(metrics['by_runs'])}; the interval is above that for {_of(beyond)} metrics",
    )


def _as_well_as_a_judge(study: Study) -> ClaimResult:
    reached, texts = [], []
    judges = study.agreement[study.agreement["metric"] == LEFT_OUT]
    for judge in judges.to_dict("records"):
        taus = _metrics(study, judge["setting"])["tau"]
        reached += list(taus >= judge["tau"])
        texts.append(f"{judge['setting'].removeprefix('without ')} {judge['tau']:.3f}, metrics {_span(taus)}")
    if not reached:
        return ClaimResult("does not hold", "there is no pair of lists on which a judge was left out")
    return ClaimResult(
        combine_outcomes(reached), f"tau with the majority of the other judges: {'; '.join(texts)}"
    )


def _stronger_preferences(study: Study) -> ClaimResult:
    missing = [name for name in STRENGTHS if not (study.agreement["setting"] == name).any()]
    if missing:
        return ClaimResult("does not hold", f"there are too few pairs of lists with a {missing[0]} to see it")
    taus = pd.concat([_metrics(study, name).set_index("metric")["tau"] for name in STRENGTHS], axis=1)
    taus.columns = pd.Index(list(STRENGTHS))
    rising = (taus.diff(axis=1).iloc[:, 1:] > 0).all(axis=1)
    medians = ", ".join(f"{median:.3f} ({setting})" for setting, median in taus.median().items())
    return ClaimResult(
        combine_outcomes(rising), f"tau of the median metric is {medians}; it rises for {_of(rising)}"
    )


def _families_differ(study: Study, family: str, sign: int) -> ClaimResult:
    tests = study.tests[(study.tests["family"] == family) & (study.tests["setting"] == MAIN_SETTING)]
    direction = tests["difference"] * sign > 0
    significant = direction & (tests["holm"] < LEVEL)
    return ClaimResult(
        combine_outcomes(significant),
        f"it does in {_of(direction)} pairs of metrics, significantly in {significant.sum()} (Holm; smallest "
        f"p-value {tests['p_topics'].min():.3f}, corrected {tests['holm'].min():.3f}); a difference in tau "
        f"would probably have been shown from {_span(tests['detectable'])} on",
    )


def _averages_differ(study: Study, sign: int) -> ClaimResult:
    tests = study.tests[study.tests["family"] == AVERAGE]
    direction, corrected = tests["difference"] * sign > 0, holm(tests["p_topics"].to_numpy())
    significant = direction & (corrected < LEVEL)
    return ClaimResult(
        combine_outcomes(significant),
        f"it does in {_of(direction)} settings and cutoffs, significantly in {significant.sum()} (Holm; "
        f"smallest p-value {tests['p_topics'].min():.3f}, corrected {corrected.min():.3f})",
    )


CLAIMS = [
    Claim(WHERE, says, find)
    for says, find in (
        ("metrics agree with people more often than they disagree", _agree_at_all),
        ("metrics agree more often than one who always names the left run", _better_than_left),
        ("metrics know more than which of two runs is better", _see_topics),
        ("metrics agree with judges as well as another judge does", _as_well_as_a_judge),
        ("metrics agree better where the preference is stronger", _stronger_preferences),
        (
            "an intent-square metric agrees significantly better than its flat form",
            partial(_families_differ, family=SQUARE_FAMILY, sign=1),
        ),
        (
            "a flat metric agrees significantly better than its intent-square form",
            partial(_families_differ, family=SQUARE_FAMILY, sign=-1),
        ),
        ("on average, the intent-square form agrees significantly better", partial(_averages_differ, sign=1)),
        ("on average, the flat form agrees significantly better", partial(_averages_differ, sign=-1)),
        (
            "a D#-measure agrees significantly better than the IA one",
            partial(_families_differ, family="IA or D#", sign=1),
        ),
    )
]


@public
def answer(study: Study) -> str:
    """Answer the question that the papers leave open in two sentences.

    Parameters
    ----------
    study : Study
        The tables of the study.

    Returns
    -------
    str
        First whether some intent-square metrics agree significantly better or worse with people than their
        flat forms, then the average difference in tau at each cutoff, with its interval.

    Examples
    --------
    >>> from divmetrics.research.papers.preferences import Study, answer
    >>> answer(Study.embedded()).split(".")[0]
    'No difference between flat and intent-square metrics is shown'
    """
    directions = [
        word
        for word, sign in (("better", 1), ("worse", -1))
        for result in (_families_differ(study, SQUARE_FAMILY, sign), _averages_differ(study, sign))
        if result.verdict != "does not hold"
    ]
    start = (
        f"Some intent-square metrics agree with people {' and some '.join(dict.fromkeys(directions))} than "
        "their flat forms."
        if directions
        else "No difference between flat and intent-square metrics is shown."
    )
    averages = study.tests[(study.tests["family"] == AVERAGE) & (study.tests["setting"] == MAIN_SETTING)]
    differences = "; ".join(
        f"at cutoff {row['cutoff']} {row['difference']:+.3f} [{row['low']:+.3f}, {row['high']:+.3f}], where "
        f"one of {row['detectable']:.3f} would probably have been shown"
        for row in averages.to_dict("records")
    )
    return f"{start} The average difference in tau is {differences}."


def _metrics(study: Study, setting: str = MAIN_SETTING) -> pd.DataFrame:
    rows = study.agreement[study.agreement["setting"] == setting]
    return rows[~rows["metric"].isin([LEFT, LEFT_OUT])]


def _span(values: pd.Series) -> str:
    return f"{values.min():.3f} to {values.max():.3f}"


def _of(mask: pd.Series) -> str:
    return f"{mask.sum()} of {len(mask)}"
