"""Agreement of metrics and of judges with people, and the tests of one metric against another, as tables."""

from __future__ import annotations

import os
import warnings
from dataclasses import dataclass

import numpy as np
import pandas as pd

from divmetrics._progress import track_progress
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
from divmetrics.research.meta.agreement import PAIR
from divmetrics.research.papers.preferences.data import (
    CUTOFFS,
    FAMILIES,
    MAIN_SETTING,
    SQUARE_FAMILY,
    PreferenceData,
    StudySetting,
    at,
    judged,
)

LEFT = "the left run"  # what always naming the run on the left would score
LEFT_OUT = "the judge left out"
AVERAGE = "on average"
SIDES = ("flat", "intent-square")  # of the average


@dataclass(frozen=True)
class Study:
    """What the study found, as tidy tables.

    Attributes
    ----------
    judges : group (all, without one, or one pair of runs), units (pairs of lists), left and right (on how
        many the majority prefers which), nominal and ordinal: Krippendorff's alpha of the sides and of the
        answers themselves
    agreement : setting (see `Judged.settings`), metric, and the columns of `meta.agreement_by_topic`;
        by_runs: the tau to be expected if the metric's preferences between two runs were dealt to the topics
        at random, which is what knowing the better run earns. Among the metrics are "the left run", what
        always naming the run on the left earns, and, where a judge was left out, that judge against the
        others.
    tests : setting, cutoff, family, and the columns of `meta.agreement_tests`
    """

    judges: pd.DataFrame
    agreement: pd.DataFrame
    tests: pd.DataFrame

    @classmethod
    def embedded(cls) -> Study:
        """What came out, as it comes with the library."""
        return cls(imine_judges(), imine_agreement(), imine_agreement_tests())


def study(
    folder: str | os.PathLike[str], *, trials: int = 10_000, seed: int = 0, progress: bool = False
) -> Study:
    """The study on a folder with IMine's files and preferences.tsv (see `judged`).

    trials, seed: of the intervals. progress: show a bar, on a terminal only.
    """
    return run_study(judged(folder), trials=trials, seed=seed, progress=progress)


def run_study(given: PreferenceData, *, trials: int = 10_000, seed: int = 0, progress: bool = False) -> Study:
    """The study on answers and scores; a setting with fewer than two topics is left out with a warning."""
    agreements, tests = [], []
    settings = list(given.settings())
    for setting in track_progress(settings, len(settings), "setting", progress):
        pairs, topics = len(setting.preferences), setting.preferences["topic"].nunique()
        if topics < 2:
            said = (
                f"setting {setting.name!r} has {pairs} pair(s) of lists with a preference, of {topics} "
                "topic(s), expected at least two topics"
            )
            if setting.name == MAIN_SETTING:
                raise DivmetricsError(f"{said}; give more preferences")
            warnings.warn(f"{said}; it is left out", DivmetricsWarning, stacklevel=2)
            continue
        outcomes = agreement_outcomes(setting.scores, setting.preferences)
        agreements.append(_agreement(given, setting, outcomes, trials, seed))
        tests += _tests(setting, outcomes, trials, seed)
    return Study(_judges(given), *(pd.concat(parts, ignore_index=True) for parts in (agreements, tests)))


def _judges(given: PreferenceData) -> pd.DataFrame:
    main, judges = given.main, given.judges
    groups = {"all": main}
    if len(judges) > 2:
        groups |= {f"without {judge}": main[main[JUDGE] != judge] for judge in judges}
    for (left, right), part in main.groupby(["left", "right"], sort=False):
        groups[f"{left} or {right}"] = part
    rows = []
    for group, part in groups.items():
        answers = part.pivot(index=JUDGE, columns=PAIR, values="preference").to_numpy(dtype=float)
        alphas = krippendorff_alpha(np.sign(answers)), krippendorff_alpha(answers, "ordinal")
        votes = majority(part)["preference"]
        rows.append((group, answers.shape[1], (votes > 0).sum(), (votes < 0).sum(), *alphas))
    return pd.DataFrame(rows, columns=["group", "units", "left", "right", "nominal", "ordinal"])


def _agreement(
    given: PreferenceData, setting: StudySetting, outcomes: pd.DataFrame, trials: int, seed: int
) -> pd.DataFrame:
    people = np.sign(setting.preferences.set_index(PAIR)["preference"])
    outcomes = outcomes.assign(**{LEFT: people.astype(np.int8)})
    if setting.left_out:
        answers = given.main[given.main[JUDGE] == setting.left_out].set_index(PAIR)["preference"]
        outcomes[LEFT_OUT] = (np.sign(answers.loc[people.index]) * people).astype(np.int8)
    found = agreement_by_topic(outcomes, trials=trials, seed=seed)
    says = outcomes.mul(people, axis=0)
    runs = [says.index.get_level_values(side) for side in ("left", "right")]
    by_pair = says.groupby(runs)
    expected = by_pair.mean().mul(people.groupby(runs).mean(), axis=0).mul(by_pair.size(), axis=0)
    found["by_runs"] = expected.sum().to_numpy() / len(says)
    found.insert(0, "setting", setting.name)
    return found


def _tests(setting: StudySetting, outcomes: pd.DataFrame, trials: int, seed: int) -> list[pd.DataFrame]:
    found = []
    for cutoff in CUTOFFS:
        for family, compared in FAMILIES.items():
            pairs = list(zip(*(at(side, cutoff) for side in zip(*compared, strict=True)), strict=True))
            table = agreement_tests(outcomes, pairs, trials=trials, seed=seed)
            found.append(_labelled(table, setting.name, cutoff, family))
        # Every flat metric beside its intent-square form, one below the other: one test for all of them.
        flat, square = zip(*FAMILIES[SQUARE_FAMILY], strict=True)
        stacked = pd.concat(
            outcomes[[a, b]].set_axis(SIDES, axis=1)
            for a, b in zip(at(flat, cutoff), at(square, cutoff), strict=True)
        )
        average = agreement_tests(stacked, [SIDES], trials=trials, seed=seed)
        # The sign test would take the same pair of lists under every metric for another one.
        found.append(_labelled(average.assign(p_pairs=np.nan), setting.name, cutoff, AVERAGE))
    return found


def _labelled(table: pd.DataFrame, setting: str, cutoff: int, family: str) -> pd.DataFrame:
    return pd.DataFrame({"setting": setting, "cutoff": cutoff, "family": family, **table})
