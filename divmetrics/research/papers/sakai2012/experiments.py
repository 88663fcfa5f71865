"""Experiments like that of Sakai (2012): runs scored under its metrics, tested and compared."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from divmetrics.core.collection import Collection
from divmetrics.errors import DivmetricsWarning
from divmetrics.evaluation import evaluate
from divmetrics.research.datasets import synthetic, trec2012_scores, trec2012_topics
from divmetrics.research.datasets.trec2012 import GAINS, PROBABILITIES
from divmetrics.research.meta import (
    ScoreTable,
    concordance,
    discriminative_power,
    kendall,
    overlap,
    paired_bootstrap,
    score_table,
    symmetric_tau_ap,
    tukey_hsd,
)
from divmetrics.research.papers.sakai2012.collections import weighted, with_made_up_runs, with_navigational

CUTOFF = 10  # the paper's l
SHARP = {"D-nDCG": "D#-nDCG", "D-Q": "D#-Q", "DIN-nDCG": "DIN#-nDCG", "DIN-Q": "DIN#-Q", "P+Q": "P+Q#"}
DISCUSSED = ("alpha-nDCG", "D#-nDCG", "DIN#-nDCG", "P+Q#")  # of Table 6
FIVE = ("I-rec", *DISCUSSED)  # of Tables 4 and 5
TWELVE = (*FIVE, "D#-Q", "DIN#-Q", *SHARP)  # of Tables 2 and 3
OTHERS = ("Q-IA", "ERR-IA")  # that section 2 mentions
GAMMAS = (0.2, 0.8)
RELEVANCE = "Ef-P"
NAMES = (*TWELVE, *OTHERS, RELEVANCE, *(f"{name}(gamma={g})" for name in ("D#-nDCG", "D#-Q") for g in GAMMAS))
METRICS = tuple(f"{name}@{CUTOFF}" for name in NAMES)
GOLDS = {"I-rec": ("I-rec",), "Ef-P": (RELEVANCE,), "both": ("I-rec", RELEVANCE)}

BOOTSTRAP_TRIALS, HSD_TRIALS = 1_000, 5_000  # the paper's B
LEVEL = 0.05
RUNS = 20  # as many as the paper's
SEEDS = (0, 1, 2, 3, 4, 5)
TESTS = ("bootstrap", "HSD")

TREC_2012 = "TREC 2012"
MADE_UP = "TREC 2009, made-up runs"
PRESET = "made-up collection"
SUBMITTED = "TREC 2009, submitted runs"


@dataclass(frozen=True, eq=False)
class Experiment:
    """The scores of runs under the metrics of the paper, without cutoffs in their names.

    `scores` has the columns run, topic, metric, score. `source` names the runs, `probabilities` ("uniform" or
    "nonuniform") and `choices` the setting; `as_in_paper` tells whether gains and topics are chosen as in the
    paper, as far as the judgments allow it.
    """

    source: str
    probabilities: str
    choices: str
    scores: pd.DataFrame
    as_in_paper: bool = True

    @property
    def setting(self) -> str:
        """The setting in words."""
        return f"{self.probabilities}, {self.choices}"

    @cached_property
    def table(self) -> ScoreTable:
        """The scores as an array (metric, topic, run)."""
        return score_table(self.scores)

    @cached_property
    def tests(self) -> dict[str, pd.DataFrame]:
        """{"bootstrap": table of `paired_bootstrap`, "HSD": table of `tukey_hsd`} of all pairs of runs."""
        names = [*TWELVE, *OTHERS]
        return {
            "bootstrap": paired_bootstrap(self.scores, names, trials=BOOTSTRAP_TRIALS, workers=1),
            "HSD": tukey_hsd(self.scores, names, trials=HSD_TRIALS, workers=1),
        }

    @cached_property
    def power(self) -> dict[str, pd.DataFrame]:
        """{"bootstrap" or "HSD": table of `meta.discriminative_power`}, one row per metric (the index)."""
        return {
            test: discriminative_power(pairs, LEVEL).set_index("metric") for test, pairs in self.tests.items()
        }

    @cached_property
    def overlap(self) -> pd.DataFrame:
        """Table 4: columns only_a, both, only_b, the numbers of significant pairs of runs by HSD.

        One row per pair of metrics (the index).
        """
        pairs = self.tests["HSD"]
        counts = overlap(pairs[pairs["metric"].isin(FIVE)], LEVEL)
        return counts.set_index(["metric_a", "metric_b"])

    def asl(self, test: str, metric: str) -> np.ndarray:
        """Return the ASL of every pair of runs under a metric by a test ("bootstrap", "HSD"), (pair,)."""
        pairs = self.tests[test]
        return pairs.loc[pairs["metric"] == metric, "asl"].to_numpy()

    def significant(self, test: str, metric: str) -> int:
        """Count the pairs of runs that differ significantly under a metric by "bootstrap" or "HSD"."""
        return int(self.power[test]["significant"][metric])

    def required_difference(self, test: str, metric: str) -> float:
        """Return the difference of means that significance requires; nan without a significant pair."""
        return float(self.power[test]["required_difference"][metric])

    @cached_property
    def concordance(self) -> dict[str, pd.DataFrame]:
        """{gold standard of Table 6: table of `meta.concordance`}, a row per pair of metrics (the index)."""
        return {
            gold: concordance(self.scores, names, DISCUSSED).set_index(["metric_a", "metric_b"])
            for gold, names in GOLDS.items()
        }

    def right_alone(self, gold: str, a: str, b: str) -> tuple[int, int]:
        """Count the disagreements on which only `a`, and only `b`, agrees with the gold standard."""
        reverse = DISCUSSED.index(a) > DISCUSSED.index(b)
        table, pair = self.concordance[gold], (b, a) if reverse else (a, b)
        counts = int(table["only_a"][pair]), int(table["only_b"][pair])
        return counts[::-1] if reverse else counts

    def means(self, metric: str) -> np.ndarray:
        """Return the mean score of each run, (run,)."""
        means: np.ndarray = self.table.values[self.table.position(metric)].mean(axis=0)
        return means

    def tau(self, a: str, b: str) -> float:
        """Return Kendall's tau of the runs' means; tied means are in neither order."""
        return kendall(self.means(a), self.means(b), method="tau")

    def tau_ap(self, a: str, b: str) -> float:
        """Return the symmetric tau_ap of the runs' means, averaged over the orders of tied means."""
        return symmetric_tau_ap(self.means(a), self.means(b), "averaged")


def embedded_experiments() -> Iterator[Experiment]:
    """Yield the experiments on TREC 2012: both probabilities, both gains, topics as in the paper and all."""
    topics = trec2012_topics()
    as_in_the_paper = topics.loc[topics["navigational"] > 0, "topic"]
    for probabilities in PROBABILITIES:
        for gain in GAINS:
            scores = _without_cutoff(trec2012_scores(probabilities, gain))
            for chosen in (as_in_the_paper, topics["topic"]):
                yield Experiment(
                    TREC_2012,
                    probabilities,
                    f"{gain}, {len(chosen)} topics",
                    scores[scores["topic"].isin(chosen)],
                    as_in_paper=gain == "exponential" and chosen is as_in_the_paper,
                )


def made_up_experiments(judged: Collection | None) -> Iterator[Experiment]:
    """Yield experiments with made-up runs over `judged`, or over the preset "trec-web-2009"."""
    for seed in SEEDS:
        if judged is None:
            preset = with_navigational(synthetic("trec-web-2009", seed=seed, runs=RUNS))
            yield from experiments_on(preset, PRESET, f"seed {seed}")
        else:
            yield from experiments_on(with_made_up_runs(judged, RUNS, seed), MADE_UP, f"seed {seed}")


def experiments_on(collection: Collection, source: str, choices: str) -> Iterator[Experiment]:
    """Yield the experiments on the runs of a collection, with both probabilities."""
    for probabilities in PROBABILITIES:
        scores = scored(weighted(collection, probabilities), NAMES)
        yield Experiment(source, probabilities, choices, scores)


def scored(collection: Collection, names: Sequence[str]) -> pd.DataFrame:
    """Score the runs of a collection under metrics as in the paper: run, topic, metric, score.

    The cutoff is 10 and gains are exponential, unless a name sets them. Names of metrics have no cutoff, in
    `names` and in the result. DivmetricsWarnings are not shown.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DivmetricsWarning)  # unjudged documents are not relevant
        metrics = [f"{name}@{CUTOFF}" for name in names]
        return _without_cutoff(evaluate(collection, None, metrics, gain="exponential"))


def _without_cutoff(scores: pd.DataFrame) -> pd.DataFrame:
    return scores.assign(metric=scores["metric"].str.removesuffix(f"@{CUTOFF}"))
