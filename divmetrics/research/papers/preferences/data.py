"""Data of the study: people's preferences between IMine runs, and the metrics' scores of these runs."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from divmetrics.core.calls import public
from divmetrics.errors import DivmetricsError, DivmetricsWarning, did_you_mean
from divmetrics.evaluation import evaluate
from divmetrics.io.run_preferences import JUDGE, read_preferences
from divmetrics.research.meta import majority
from divmetrics.research.meta.agreement import PAIR_COLUMNS
from divmetrics.research.papers.imine import imine

FILE = "preferences.tsv"
JUDGED = "S"  # status of a pair of lists that could both be judged

CUTOFFS = (10, 20)  # a first page; the organisers' own for Chinese
GLOBAL = ("nDCG", "Q", "ERR", "EBR")
SHARP = (*GLOBAL, "RBP")
# Without metrics that always prefer the same lists as another one here: D-RBP (RBP-IA), RBU (iRBU-IA) and, as
# no intent is navigational, P+Q (Q-IA), DIN- and DIN#-measures (D- and D#-).
FLAT = (
    *("S-recall", "P-IA", "AP-IA"),
    *(f"{name}-IA" for name in SHARP),
    *("iRBU-IA", "alpha-DCG", "alpha-nDCG", "NRBP"),
    *(f"D-{name}" for name in GLOBAL),
    *(f"D#-{name}" for name in SHARP),
    "P+Q#",
)
SQUARE = tuple(f"{name.removesuffix('-IA')}-IS" for name in FLAT)
EFFECTIVE = "Ef-P"  # depends on relevance only here, as no intent is navigational

MAIN_SETTING = "all pairs"  # the main setting
# Pairs of metrics tested against each other, by family; Holm's correction is per family.
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
    """One definition of people's preferences, called `name`, with scores for it.

    `preferences` has one row per pair of lists with the columns of `meta.majority`, or of these only topic,
    left, right and preference; no preference is 0. `scores` has the columns run, topic, metric, score.
    `left_out` names a judge whose answers are excluded; "" for none.
    """

    name: str
    preferences: pd.DataFrame
    scores: pd.DataFrame
    left_out: str = ""


@dataclass(frozen=True, eq=False)
class PreferenceData:
    """The answers of judges on pairs of lists, and scores of the same runs and topics.

    Parameters
    ----------
    answers : DataFrame
        One row per pair of lists and judge. Columns left, right (runs), topic, judge, preference (above 0 if
        the left run's list is better, below 0 if the right one's is), status ("S" if both lists could be
        judged).
    scores : DataFrame
        Columns run, topic, metric, score, under all metrics that `imine_agreement` lists, with equally
        probable subtopics, as Yu et al. (2017) computed them.
    weighted : DataFrame
        The same with the organisers' probabilities.

    Examples
    --------
    >>> import pandas as pd
    >>> from divmetrics.research.papers.preferences import PreferenceData
    >>> columns = ["left", "right", "topic", "judge", "preference", "status"]
    >>> rows = [("A", "B", "1", "judge1", 2, "S"), ("A", "B", "2", "judge1", 1, "F")]
    >>> answers = pd.DataFrame(rows, columns=columns)
    >>> data = PreferenceData(answers, pd.DataFrame(), pd.DataFrame())
    >>> len(data.main), data.judges
    (1, ['judge1'])
    """

    answers: pd.DataFrame
    scores: pd.DataFrame
    weighted: pd.DataFrame

    @property
    def main(self) -> pd.DataFrame:
        """The rows of `answers` with the status "S": both lists could be judged.

        For three of these pairs (topic 0016), our copy of a run has no list nevertheless. In three other
        pairs the lists are equal, and all judges prefer neither.
        """
        return self.answers[self.answers["status"] == JUDGED]

    @property
    def judges(self) -> list[str]:
        """The names of the judges, in order of first appearance."""
        return list(self.answers[JUDGE].unique())

    def settings(self) -> Iterator[StudySetting]:
        """Yield the settings, the main one first: the preference of the majority of the judges.

        Then parts of the main setting, by the distance of the mean answer from 0 and by the number of judges
        on the majority's side; the majority without each judge; the sign of the mean answer; all pairs,
        including pairs with a missing list; and the organisers' probabilities.
        """
        main, judges = self.main, self.judges
        gold = majority(main)
        yield StudySetting(MAIN_SETTING, gold, self.scores)
        mean = main.groupby(PAIR_COLUMNS, sort=False)["preference"].mean()
        strength = mean.loc[pd.MultiIndex.from_frame(gold[PAIR_COLUMNS])].abs().to_numpy()
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


@public
def load_preference_data(folder: str | os.PathLike[str]) -> PreferenceData:
    """Read the IMine files and preferences.tsv of a folder, and score the runs on the paper's topics.

    Parameters
    ----------
    folder : path
        The folder: the Chinese files of NTCIR-11 IMine (see `divmetrics.research.papers.imine.imine`) and
        preferences.tsv, plain or gz.

    Returns
    -------
    PreferenceData
        The answers on judged topics, and the scores of the runs that they compare.

    Raises
    ------
    DivmetricsError
        If a file or column is missing, a run of the preferences is not among the runs, a judge has two
        answers on a pair of lists, no answer has the status "S" and a judged topic, or there are fewer than
        two judges.

    Examples
    --------
    The files are the organisers' of NTCIR-11 IMine.

    >>> from divmetrics.research.papers.preferences import load_preference_data
    >>> load_preference_data("IMine").judges  # doctest: +SKIP
    ['judge1', 'judge2', 'judge3']
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
    runs = list(dict.fromkeys([*answers["left"], *answers["right"]]))
    unknown = [run for run in runs if run not in collection.runs]
    if unknown:
        raise DivmetricsError(
            f"{path}: run {unknown[0]!r} is not among the runs of {folder}"
            f"{did_you_mean(unknown[0], collection.runs)}; add it, or leave its preferences out"
        )
    repeated = answers[answers.duplicated([*PAIR_COLUMNS, JUDGE])]
    if len(repeated):
        left, right, topic = repeated.iloc[0][["left", "right", "topic"]]
        raise DivmetricsError(
            f"{path}: runs {left!r} and {right!r} are compared twice on topic {topic!r}; keep one line"
        )
    answers = answers[answers["topic"].isin(collection.pools)].reset_index(drop=True)
    if not (answers["status"] == JUDGED).any():
        raise DivmetricsError(
            f"{path}: no answer has status {JUDGED} and a topic with judgments, so nothing can be compared; "
            "check the topics"
        )
    collection_of_runs = collection.with_runs([collection.runs[run] for run in runs])
    with warnings.catch_warnings():
        # Missing lists have a setting of their own, and it is known that many documents are unjudged.
        warnings.simplefilter("ignore", DivmetricsWarning)
        return PreferenceData(
            answers,
            evaluate(collection_of_runs.uniform(), None, METRICS),
            evaluate(collection_of_runs, None, METRICS),
        )


def at_cutoff(names: Iterable[str], cutoff: int) -> list[str]:
    """Return the names with the cutoff, such as "ERR-IA@10"."""
    return [f"{name}@{cutoff}" for name in names]


METRICS = [name for cutoff in CUTOFFS for name in at_cutoff((*FLAT, *SQUARE, EFFECTIVE), cutoff)]
