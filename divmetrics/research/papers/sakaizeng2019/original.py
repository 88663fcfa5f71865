"""The paper's own data, as it describes them: NTCIR-9 INTENT-1, and the answers of fifteen judges.

The collection comes from NII, the answers from the authors; neither is part of the library.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from divmetrics.errors import DivmetricsError, DivmetricsWarning
from divmetrics.evaluation import evaluate
from divmetrics.io import read_topics
from divmetrics.io.loading import load_collection
from divmetrics.io.run_loading import load_runs
from divmetrics.research.meta.agreement import PAIR_COLUMNS
from divmetrics.research.papers.data_folders import data_folder
from divmetrics.research.papers.sakaizeng2019.measures import METRICS, at_cutoff

QUESTIONS = ("relevance", "diversity")
JUDGES = 15
LEFT, NEITHER, RIGHT = 1, 2, 3  # the answers, as the matrices have them

TOPICS, JUDGMENTS, RUNS, TRIPLETS = "ntcir9intent*.xml", "*.Dqrels", "runs/*.txt", "triplets.txt"
EXPECTED = (
    f"{TOPICS}, {JUDGMENTS} and {RUNS} of NTCIR-9 INTENT-1, and {TRIPLETS} (lines `topic run run`), "
    f"relevance.txt and diversity.txt ({JUDGES} rows of {LEFT}, {NEITHER} or {RIGHT})"
)


@dataclass(frozen=True, eq=False)
class Original:
    """The scores of the runs, and the answers of the judges by question.

    Parameters
    ----------
    scores : DataFrame
        Columns run, topic, metric, score, under the thirty measures.
    answers : mapping of str to DataFrame
        By question ("relevance", "diversity"): columns topic, left, right, judge (from 1), preference (1 for
        the left list, 0 for neither, -1 for the right one).
    intents_per_topic : float
        The mean number of intents of a topic.
    adhoc_grade : int
        The highest ad hoc grade (made of a document's grades for all intents) in the judgments.

    Examples
    --------
    The files are NII's and the authors'.

    >>> from divmetrics.research.papers.sakaizeng2019 import Original
    >>> Original.from_folder("INTENT-1").answers["diversity"]  # doctest: +SKIP
    """

    scores: pd.DataFrame
    answers: Mapping[str, pd.DataFrame]
    intents_per_topic: float
    adhoc_grade: int

    @classmethod
    def from_folder(cls, folder: str | os.PathLike[str]) -> Original:
        """Read the files of a folder, and score the runs.

        The collection is NTCIR-9 INTENT-1: ntcir9intent.0101-0200.full.xml, a .Dqrels file, and the runs in
        runs/*.txt. The answers are two matrices, relevance.txt and diversity.txt, with a row for each of the
        fifteen judges and a column for each line `topic run run` of triplets.txt: 1 for the left list (of the
        first run), 2 for both irrelevant, 3 for the right list.

        Parameters
        ----------
        folder : path
            The folder.

        Returns
        -------
        Original
            The scores of the runs, and the judges' answers.

        Raises
        ------
        DivmetricsError
            If a file is missing or does not have the described shape.
        """
        root = data_folder(folder, f"a folder with {EXPECTED}")
        topics, judgments, triplets = (_files(root, name)[0] for name in (TOPICS, JUDGMENTS, TRIPLETS))
        runs = [run for path in _files(root, RUNS) for run in load_runs(path)]
        with warnings.catch_warnings():
            # Topics that a run does not answer score 0; unjudged documents are not relevant; probabilities
            # are printed with few decimals and need not add up to 1.
            warnings.simplefilter("ignore", DivmetricsWarning)
            collection = load_collection(judgments, read_topics(topics, "normalise")).with_runs(runs)
            scores = evaluate(collection, None, at_cutoff(METRICS), gain="exponential")
        pairs = _read(triplets)
        if pairs.shape[1] != len(PAIR_COLUMNS):
            raise DivmetricsError(
                f"{triplets}: a line has {pairs.shape[1]} words, expected `topic run run`; correct the file"
            )
        pairs.columns = pd.Index(PAIR_COLUMNS)
        for column, noun in zip(PAIR_COLUMNS, ("topic", "run", "run"), strict=True):
            unknown = pairs.loc[~pairs[column].isin(set(scores[noun])), column]
            if len(unknown):
                raise DivmetricsError(
                    f"{triplets}: row {unknown.index[0] + 1} names {noun} {unknown.iloc[0]!r}, expected a "
                    f"{noun} of the collection; add it or correct the file"
                )
        answers = {question: _answers(root, question, pairs) for question in QUESTIONS}
        intents = float(np.mean([len(topic.intents) for topic in collection.topics]))
        return cls(scores, answers, intents, max(pool.top_adhoc_grade for pool in collection.pools.values()))


def _answers(root: Path, question: str, pairs: pd.DataFrame) -> pd.DataFrame:
    path = _files(root, f"{question}.txt")[0]
    matrix = _read(path)
    if matrix.shape != (JUDGES, len(pairs)):
        raise DivmetricsError(
            f"{path}: holds {matrix.shape[0]} rows of {matrix.shape[1]} answers, expected {JUDGES} rows of "
            f"{len(pairs)}, one for each line of {TRIPLETS}; give a row for each judge"
        )
    wrong = np.argwhere(~matrix.isin({str(value) for value in (LEFT, NEITHER, RIGHT)}).to_numpy())
    if len(wrong):
        row, column = wrong[0]
        raise DivmetricsError(
            f"{path}: answer {column + 1} of row {row + 1} is {matrix.iat[row, column]!r}, expected {LEFT} "
            f"(left), {NEITHER} (both irrelevant) or {RIGHT} (right); correct it"
        )
    preferences = NEITHER - matrix.astype(int).to_numpy()
    parts = [pairs.assign(judge=judge, preference=row) for judge, row in enumerate(preferences, 1)]
    return pd.concat(parts, ignore_index=True)


def _files(root: Path, pattern: str) -> list[Path]:
    files = sorted(root.glob(pattern))
    if not files:
        raise DivmetricsError(
            f"{root}: holds no {pattern}, expected {EXPECTED}; add it or name the folder that has all of them"
        )
    return files


def _read(path: Path) -> pd.DataFrame:
    """Read a table of words between blanks, tabs or commas.

    Raises DivmetricsError if there is no row, or rows differ in length.
    """
    rows = [
        line.replace(",", " ").split()
        for line in path.read_text("utf-8", "replace").splitlines()
        if line.strip()
    ]
    if not rows:
        raise DivmetricsError(f"{path}: the file is empty, expected rows of equal length; give the full file")
    lengths = [len(row) for row in rows]
    if min(lengths) < max(lengths):
        raise DivmetricsError(
            f"{path}: row {lengths.index(min(lengths)) + 1} has {min(lengths)} words, another one "
            f"{max(lengths)}, expected rows of equal length; correct the file"
        )
    return pd.DataFrame(rows, dtype=str)
