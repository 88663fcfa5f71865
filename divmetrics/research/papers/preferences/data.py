"""What people said about pairs of IMine runs, the metrics' scores of the same runs, and what is compared."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from divmetrics.errors import DivmetricsError, DivmetricsWarning, did_you_mean
from divmetrics.evaluation import evaluate
from divmetrics.io.run_preferences import JUDGE, read_preferences
from divmetrics.research.meta import majority
from divmetrics.research.meta.agreement import PAIR
from divmetrics.research.papers.imine import imine

FILE = "preferences.tsv"
JUDGED = "S"  # status of a pair whose two lists were there to be judged

CUTOFFS = (10, 20)  # a first page; the organisers' own for Chinese
GLOBAL = ("nDCG", "Q", "ERR", "EBR")
SHARP = (*GLOBAL, "RBP")
# Without those that always prefer the same lists as another here: D-RBP (RBP-IA), RBU (iRBU-IA) and, where no
# intent is navigational, P+Q (Q-IA), DIN- and DIN#-measures (D- and D#-).
FLAT = (
    *("S-recall", "P-IA", "AP-IA"),
    *(f"{name}-IA" for name in SHARP),
    *("iRBU-IA", "alpha-DCG", "alpha-nDCG", "NRBP"),
    *(f"D-{name}" for name in GLOBAL),
    *(f"D#-{name}" for name in SHARP),
    "P+Q#",
)
SQUARE = tuple(f"{name.removesuffix('-IA')}-IS" for name in FLAT)
EFFECTIVE = "Ef-P"  # only relevance counts here, since no intent is navigational

MAIN_SETTING = "all pairs"  # the main setting
# What is tested against what; each is a family of its own.
SQUARE_FAMILY = "flat or intent-square"
FAMILIES = {
    SQUARE_FAMILY: tuple(zip(FLAT, SQUARE, strict=True)),
    "IA or D#": tuple((f"{name}-IA", f"D#-{name}") for name in SHARP),
    "D or D#": tuple((f"D-{name}", f"D#-{name}") for name in GLOBAL),
}

STRENGTHS = {
    "mean answer below 1": (0, 1),
    "mean answer 1 to 2": (1, 2),
    "mean answer 2 or more": (2, np.inf),
}


@dataclass(frozen=True, eq=False)
class StudySetting:
    """One way to say what people prefer, and scores to go with it.

    preferences: one per pair of lists, none of them 0. left_out: the judge whose answers do not count.
    """

    name: str
    preferences: pd.DataFrame
    scores: pd.DataFrame
    left_out: str = ""


@dataclass(frozen=True, eq=False)
class PreferenceData:
    """Answers (a row per pair of lists and judge, with status) and tidy scores of the same runs and topics.

    `scores` have equally probable subtopics, as Yu et al. (2017) computed; `weighted` have the organisers'
    probabilities.
    """

    answers: pd.DataFrame
    scores: pd.DataFrame
    weighted: pd.DataFrame

    @property
    def main(self) -> pd.DataFrame:
        """The answers on pairs of lists that were both there, by their status.

        On three of them (topic 0016) our copy of a run has no list all the same. On three others the lists
        are the same, and all judges say neither.
        """
        return self.answers[self.answers["status"] == JUDGED]

    @property
    def judges(self) -> list[str]:
        """Names of the judges' columns."""
        return list(self.answers[JUDGE].unique())

    def settings(self) -> Iterator[StudySetting]:
        """The main setting first: what the majority of the judges prefers.

        Then parts of it, by the mean answer's distance from 0, and by the number of judges on the majority's
        side; the majority without each judge; the sign of the mean answer instead; with the pairs of which a
        list was not there; and with the organisers' probabilities.
        """
        main, judges = self.main, self.judges
        gold = majority(main)
        yield StudySetting(MAIN_SETTING, gold, self.scores)
        mean = main.groupby(PAIR, sort=False)["preference"].mean()
        strength = mean.loc[pd.MultiIndex.from_frame(gold[PAIR])].abs().to_numpy()
        for name, (least, below) in STRENGTHS.items():
            yield StudySetting(name, gold[(strength >= least) & (strength < below)], self.scores)
        votes = gold[["for_left", "for_right"]].max(axis=1)
        for count in range(1, len(judges) + 1):
            yield StudySetting(f"{count} of {len(judges)} judges for it", gold[votes == count], self.scores)
        for judge in judges:
            others = majority(main[main[JUDGE] != judge])
            yield StudySetting(f"without {judge}", others, self.scores, left_out=judge)
        yield StudySetting("sign of the mean answer", mean[mean != 0].reset_index(), self.scores)
        yield StudySetting("with lists not there", majority(self.answers), self.scores)
        yield StudySetting("organisers' probabilities", gold, self.weighted)


def judged(folder: str | os.PathLike[str]) -> PreferenceData:
    """The IMine files and preferences.tsv of a folder (see `divmetrics.research.papers.imine.imine`).

    Kept are the topics that Yu et al. (2017) use. Raises DivmetricsError, one sentence, for a file or column
    that is missing, a run of the preferences that is not among the runs, and fewer than two judges.
    """
    collection = imine(folder, "cn")
    path = Path(folder) / FILE
    answers = read_preferences(path if path.exists() else path.with_name(f"{FILE}.gz"))
    if "status" not in answers.columns:
        raise DivmetricsError(
            f"{path}: there is no column 'status', expected one with {JUDGED} where both lists were judged; "
            "add it"
        )
    judges = answers[JUDGE].unique()
    if len(judges) < 2:
        raise DivmetricsError(
            f"{path}: there is one judge ({judges[0]!r}), and what judges agree on takes two; give another's "
            "answers, too"
        )
    named = list(dict.fromkeys([*answers["left"], *answers["right"]]))
    unknown = [run for run in named if run not in collection.runs]
    if unknown:
        raise DivmetricsError(
            f"{path}: run {unknown[0]!r} is not among the runs of {folder}"
            f"{did_you_mean(unknown[0], collection.runs)}; add it, or leave its preferences out"
        )
    twice = answers[answers.duplicated([*PAIR, JUDGE])]
    if len(twice):
        left, right, topic = twice.iloc[0][["left", "right", "topic"]]
        raise DivmetricsError(
            f"{path}: runs {left!r} and {right!r} are compared twice on topic {topic!r}; keep one line"
        )
    answers = answers[answers["topic"].isin(collection.pools)].reset_index(drop=True)
    if not (answers["status"] == JUDGED).any():
        raise DivmetricsError(
            f"{path}: no answer has status {JUDGED} and a topic with judgments, so nothing can be compared; "
            "check the topics"
        )
    compared = collection.with_runs([collection.runs[run] for run in named])
    with warnings.catch_warnings():
        # Lists that are not there have a setting of their own; documents never judged are many, and known.
        warnings.simplefilter("ignore", DivmetricsWarning)
        return PreferenceData(
            answers, evaluate(compared.uniform(), None, METRICS), evaluate(compared, None, METRICS)
        )


def at(names: Iterable[str], cutoff: int) -> list[str]:
    """The metrics of these names at a cutoff."""
    return [f"{name}@{cutoff}" for name in names]


METRICS = [name for cutoff in CUTOFFS for name in at((*FLAT, *SQUARE, EFFECTIVE), cutoff)]
