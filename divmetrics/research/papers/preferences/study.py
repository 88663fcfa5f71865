"""Tables of the study: agreement of metrics and judges with people, and tests between metrics."""

from __future__ import annotations

import os
import warnings
from dataclasses import dataclass

import numpy as np
import pandas as pd

from divmetrics._progress import track_progress
from divmetrics.core.calls import public
from divmetrics.errors import DivmetricsError, DivmetricsWarning
from divmetrics.io.run_preferences import JUDGE
from divmetrics.research.datasets import imine_agreement, imine_agreement_tests, imine_judges
from divmetrics.research.meta import (
    agreement_by_topic,
    agreement_outcomes,
    agreement_tests,
    krippendorff_alpha,
    majority,
)
from divmetrics.research.meta.agreement import PAIR_COLUMNS
from divmetrics.research.papers.preferences.data import (
    CUTOFFS,
    FAMILIES,
    MAIN_SETTING,
    SQUARE_FAMILY,
    PreferenceData,
    StudySetting,
    at_cutoff,
    load_preference_data,
)

LEFT = "the left run"  # the baseline that always prefers the run on the left
LEFT_OUT = "the judge left out"
AVERAGE = "on average"
SIDES = ("flat", "intent-square")  # columns of the average


@dataclass(frozen=True)
class Study:
    """The results of the study as tidy tables.

    Parameters
    ----------
    judges : DataFrame
        One row per group of answers. Columns group ("all", "without judge1", or two runs as "A or B"), units
        (number of pairs of lists), left and right (numbers of pairs on which the majority prefers the left or
        the right run), nominal and ordinal (Krippendorff's alpha of the sides and of the answers).
    agreement : DataFrame
        One row per setting and metric. Columns setting (a definition of people's preferences, see
        `PreferenceData.settings`), those of `meta.agreement_by_topic`, and by_runs (the mean of tau over all
        permutations of the metric's preferences between two runs over topics, that is, the tau of knowing
        which run is better but not on which topics). Metrics include "the left run", a baseline that always
        prefers the run on the left, and, in settings without a judge, "the judge left out" against the
        others.
    tests : DataFrame
        One row per setting, cutoff and pair of metrics. Columns setting, cutoff, family (the tests that are
        corrected together: "flat or intent-square", "IA or D#", "D or D#", or "on average", one test of all
        flat metrics against their intent-square forms, in which a pair of lists counts once per metric and
        p_pairs is nan), then those of `meta.agreement_tests`.

    Examples
    --------
    >>> from divmetrics.research.papers.preferences import Study
    >>> Study.embedded().judges[["group", "units"]].head(1)
      group  units
    0   all    259
    """

    judges: pd.DataFrame
    agreement: pd.DataFrame
    tests: pd.DataFrame

    @classmethod
    def embedded(cls) -> Study:
        """Load the results of the study that come with the library.

        Returns
        -------
        Study
            The stored tables.
        """
        return cls(imine_judges(), imine_agreement(), imine_agreement_tests())


@public
def study(
    folder: str | os.PathLike[str], *, trials: int = 10_000, seed: int = 0, progress: bool = False
) -> Study:
    """Run the study on a folder with IMine's files and preferences.tsv: `run_study` of the loaded data.

    Parameters
    ----------
    folder : path
        The folder, as in `load_preference_data`.
    trials : int
        The number of bootstrap trials of the intervals, at least 1.
    seed : int
        Their seed, at least 0.
    progress : bool
        Whether to show a progress bar, on a terminal only.

    Returns
    -------
    Study
        The tables.

    Raises
    ------
    DivmetricsError
        As `load_preference_data` and `run_study` do.

    Examples
    --------
    The files are the organisers' of NTCIR-11 IMine.

    >>> from divmetrics.research.papers.preferences import study
    >>> study("IMine").agreement  # doctest: +SKIP
    """
    return run_study(load_preference_data(folder), trials=trials, seed=seed, progress=progress)


@public
def run_study(data: PreferenceData, *, trials: int = 10_000, seed: int = 0, progress: bool = False) -> Study:
    """Run the study on loaded answers and scores.

    Parameters
    ----------
    data : PreferenceData
        The answers and scores.
    trials : int
        The number of bootstrap trials of the intervals, at least 1.
    seed : int
        Their seed, at least 0.
    progress : bool
        Whether to show a progress bar, on a terminal only.

    Returns
    -------
    Study
        The tables.

    Raises
    ------
    DivmetricsError
        If the main setting has fewer than two topics, the scores lack a metric, or trials or seed is out of
        range.

    Warns
    -----
    DivmetricsWarning
        If another setting has fewer than two topics; it is left out.

    Examples
    --------
    The files are the organisers' of NTCIR-11 IMine.

    >>> from divmetrics.research.papers.preferences import load_preference_data, run_study
    >>> run_study(load_preference_data("IMine"), trials=100).tests  # doctest: +SKIP
    """
    agreements, tests = [], []
    settings = list(data.settings())
    for setting in track_progress(settings, len(settings), "setting", progress):
        pairs, topics = len(setting.preferences), setting.preferences["topic"].nunique()
        if topics < 2:
            problem = (
                f"setting {setting.name!r} has {pairs} pair(s) of lists with a preference, of {topics} "
                "topic(s), expected at least two topics"
            )
            if setting.name == MAIN_SETTING:
                raise DivmetricsError(f"{problem}; give more preferences")
            warnings.warn(f"{problem}; it is left out", DivmetricsWarning, stacklevel=2)
            continue
        outcomes = agreement_outcomes(setting.scores, setting.preferences)
        agreements.append(_agreement(data, setting, outcomes, trials, seed))
        tests += _tests(setting, outcomes, trials, seed)
    return Study(_judges(data), *(pd.concat(parts, ignore_index=True) for parts in (agreements, tests)))


def _judges(data: PreferenceData) -> pd.DataFrame:
    main, judges = data.main, data.judges
    groups = {"all": main}
    if len(judges) > 2:
        groups |= {f"without {judge}": main[main[JUDGE] != judge] for judge in judges}
    for (left, right), part in main.groupby(["left", "right"], sort=False):
        groups[f"{left} or {right}"] = part
    rows = []
    for group, part in groups.items():
        answers = part.pivot(index=JUDGE, columns=PAIR_COLUMNS, values="preference").to_numpy(dtype=float)
        alphas = krippendorff_alpha(np.sign(answers)), krippendorff_alpha(answers, "ordinal")
        votes = majority(part)["preference"]
        rows.append((group, answers.shape[1], (votes > 0).sum(), (votes < 0).sum(), *alphas))
    return pd.DataFrame(rows, columns=["group", "units", "left", "right", "nominal", "ordinal"])


def _agreement(
    data: PreferenceData, setting: StudySetting, outcomes: pd.DataFrame, trials: int, seed: int
) -> pd.DataFrame:
    people = np.sign(setting.preferences.set_index(PAIR_COLUMNS)["preference"])
    outcomes = outcomes.assign(**{LEFT: people.astype(np.int8)})
    if setting.left_out:
        answers = data.main[data.main[JUDGE] == setting.left_out].set_index(PAIR_COLUMNS)["preference"]
        outcomes[LEFT_OUT] = (np.sign(answers.loc[people.index]) * people).astype(np.int8)
    table = agreement_by_topic(outcomes, trials=trials, seed=seed)
    preferences = outcomes.mul(people, axis=0)
    runs = [preferences.index.get_level_values(side) for side in ("left", "right")]
    by_pair = preferences.groupby(runs)
    expected = by_pair.mean().mul(people.groupby(runs).mean(), axis=0).mul(by_pair.size(), axis=0)
    table["by_runs"] = expected.sum().to_numpy() / len(preferences)
    table.insert(0, "setting", setting.name)
    return table


def _tests(setting: StudySetting, outcomes: pd.DataFrame, trials: int, seed: int) -> list[pd.DataFrame]:
    tables = []
    for cutoff in CUTOFFS:
        for family, compared in FAMILIES.items():
            pairs = list(zip(*(at_cutoff(side, cutoff) for side in zip(*compared, strict=True)), strict=True))
            table = agreement_tests(outcomes, pairs, trials=trials, seed=seed)
            tables.append(_labelled(table, setting.name, cutoff, family))
        # all flat metrics stacked, beside all intent-square forms: one test of the average
        flat, square = zip(*FAMILIES[SQUARE_FAMILY], strict=True)
        stacked = pd.concat(
            outcomes[[a, b]].set_axis(SIDES, axis=1)
            for a, b in zip(at_cutoff(flat, cutoff), at_cutoff(square, cutoff), strict=True)
        )
        average = agreement_tests(stacked, [SIDES], trials=trials, seed=seed)
        # the sign test would count a pair of lists once per metric, as if independent
        tables.append(_labelled(average.assign(p_pairs=np.nan), setting.name, cutoff, AVERAGE))
    return tables


def _labelled(table: pd.DataFrame, setting: str, cutoff: int, family: str) -> pd.DataFrame:
    return pd.DataFrame({"setting": setting, "cutoff": cutoff, "family": family, **table})
