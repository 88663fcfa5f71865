"""The data on which the statements of Sakai et al. (2010) are tested: printed tables, judgments, scores."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path

import pandas as pd

from divmetrics._progress import track_progress
from divmetrics.core.collection import Collection
from divmetrics.core.runs import Run
from divmetrics.errors import DivmetricsError, DivmetricsWarning
from divmetrics.evaluation import evaluate
from divmetrics.io.run_loading import load_runs
from divmetrics.research.datasets import sakai2010_trec2012, synthetic
from divmetrics.research.datasets.recipe import recipe
from divmetrics.research.meta import kendall, paired_bootstrap, score_table, tau_ap
from divmetrics.research.papers.sakai2010.printed import METRICS, NAMED_RUNS, Printed
from divmetrics.research.papers.trec_web_2009 import (
    check_topics,
    read_judgments,
    run_files,
    with_runs_of,
)
from divmetrics.research.papers.verdicts import ClaimResult, combine_outcomes

PRESET = "trec-web-2009"
SEEDS = (0, 1, 2)  # of the made-up runs
TRIALS, LEVEL = 1_000, 0.05  # of the paper's bootstrap tests
TEST_SEEDS = (0, 1)
COMPARED = tuple(metric for metric in METRICS if "gamma" not in metric)  # of Table 5


@dataclass(frozen=True, eq=False)
class Evidence:
    """A collection with runs, tables of scores, and what is printed.

    `collection` has the paper's intents and weights, `scores` score tables by source; several tables of one
    source differ in their seed. `judged` has all subtopics of TREC Web 2009, None without its files.
    `original` marks scores of the paper's own runs.
    """

    collection: Collection
    scores: Mapping[str, Sequence[pd.DataFrame]]
    judged: Collection | None = None
    original: bool = False
    printed: Printed = field(default_factory=Printed)

    @classmethod
    def load(
        cls,
        data: str | os.PathLike[str] | None = None,
        runs: str | os.PathLike[str] | None = None,
        *,
        progress: bool = False,
    ) -> Evidence:
        """Load the evidence: TREC Web 2009 from the folder `data`, the paper's runs from the folder `runs`.

        Without `runs`, the scores are those of TREC Web 2012 and of made-up runs; without `data`, these are
        made for a synthetic collection. Raises DivmetricsError if `runs` are given without `data`, or a
        folder or file is missing or invalid.
        """
        if data is None:
            if runs is not None:
                raise DivmetricsError(
                    f"{os.fspath(runs)}: runs were given without the judgments of TREC Web 2009; name the "
                    "folder of the judgments, too (--data DIR)"
                )
            made = _for_seeds(lambda seed: synthetic(PRESET, seed=seed).covered().nonuniform(), progress)
            return cls(made[0], _elsewhere(made))
        judged = read_judgments(data)
        check_topics(data, judged)
        collection = judged.covered().nonuniform()
        if runs is None:
            made = _for_seeds(partial(with_made_up_runs, collection), progress)
            return cls(made[0], _elsewhere(made), judged)
        submitted = collection.with_runs(_read_runs(runs))
        return cls(submitted, {"TREC 2009": [scores(submitted)]}, judged, original=True)

    @cached_property
    def means(self) -> dict[str, list[pd.DataFrame]]:
        """{source: tables of mean scores over topics}, a row per run and a column per metric."""
        return {source: [_means(table) for table in tables] for source, tables in self.scores.items()}

    def taus(self, metric: str, baseline: str) -> dict[str, list[float]]:
        """Return {source: tau (tau-b) of the runs' means under two metrics, for each table of the source}."""
        return {
            source: [kendall(m[metric].to_numpy(), m[baseline].to_numpy()) for m in each]
            for source, each in self.means.items()
        }

    def tau_aps(self, metric: str, baseline: str) -> dict[str, list[float]]:
        """Return {source: tau_ap of the runs' means, with `baseline` as the truth, for each table}."""
        return {
            source: [tau_ap(m[baseline].to_numpy(), m[metric].to_numpy()) for m in each]
            for source, each in self.means.items()
        }

    @cached_property
    def tests(self) -> dict[str, list[pd.DataFrame]]:
        """{source: tables of `paired_bootstrap`}, one per table of scores and seed of the test."""
        return {
            source: [
                paired_bootstrap(table, list(COMPARED), trials=TRIALS, level=LEVEL, seed=seed, workers=1)
                for table in tables
                for seed in TEST_SEEDS
            ]
            for source, tables in self.scores.items()
        }

    def judge(self, outcomes: Iterable[bool], text: str, *, printed: bool = True) -> ClaimResult:
        """Return the result of a claim from its outcomes on the scores.

        `printed` tells whether the claim holds on the printed numbers.
        """
        if not printed:
            return ClaimResult("contradicts itself", text)
        return ClaimResult(combine_outcomes(outcomes), text, elsewhere=not self.original)

    def judge_collection(self, outcomes: Iterable[bool], text: str) -> ClaimResult:
        """Return the result of a claim from its outcomes on the collection."""
        return ClaimResult(combine_outcomes(outcomes), text, elsewhere=self.judged is None)


def format_values(by_source: Mapping[str, Sequence[float]], digits: int = 2) -> str:
    """Return the values of each source as text: one value, or the lowest and the highest."""
    texts = []
    for source, values in by_source.items():
        ends = dict.fromkeys(f"{end:.{digits}f}" for end in (min(values), max(values)))
        texts.append(f"{source} {' to '.join(ends)}")
    return ", ".join(texts)


def _read_runs(folder: str | os.PathLike[str]) -> list[Run]:
    """Read every file of a folder as a run, in order of rank; a run that the paper names must be there."""
    root, files = Path(folder), run_files(folder)
    if not files:
        raise DivmetricsError(f"{root}: holds no run of TREC Web 2009, expected a file for each; add them")
    runs = load_runs(files, "rank")
    missing = [name for name in NAMED_RUNS if name not in {run.name for run in runs}]
    if missing:
        raise DivmetricsError(
            f"{root}: lacks run {missing[0]}, which the paper names, expected {', '.join(NAMED_RUNS)} and "
            "the other runs of the task; add their files"
        )
    return runs


def with_made_up_runs(collection: Collection, seed: int) -> Collection:
    """Return the collection with 25 made-up runs, which rank judged documents only."""
    return with_runs_of(collection, recipe(PRESET), seed)


def scores(collection: Collection, metrics: Sequence[str] = METRICS) -> pd.DataFrame:
    """Score a collection under the paper's metrics, or under others: columns run, topic, metric, score."""
    with warnings.catch_warnings():
        # unjudged documents are not relevant, as in the paper
        warnings.simplefilter("ignore", DivmetricsWarning)
        return evaluate(collection, None, list(metrics))


def _for_seeds(make: Callable[[int], Collection], progress: bool) -> list[Collection]:
    return [make(seed) for seed in track_progress(SEEDS, len(SEEDS), "collection", progress)]


def _elsewhere(made: Sequence[Collection]) -> dict[str, list[pd.DataFrame]]:
    return {
        "TREC 2012": [sakai2010_trec2012("binary")],
        "TREC 2012 (graded)": [sakai2010_trec2012("graded")],
        "made-up runs": [scores(collection) for collection in made],
    }


def _means(table: pd.DataFrame) -> pd.DataFrame:
    arrays = score_table(table)
    return pd.DataFrame(arrays.values.mean(axis=1).T, index=list(arrays.runs), columns=list(arrays.metrics))
