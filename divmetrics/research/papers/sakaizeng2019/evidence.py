"""The data of the claims: the printed tables, and the measures on IMine's runs and preferences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from divmetrics.evaluation import evaluate
from divmetrics.research.datasets import (
    imine_lengths,
    sakaizeng2019_agreement,
    sakaizeng2019_alpha,
    sakaizeng2019_imine_agreement,
    sakaizeng2019_imine_scores,
    sakaizeng2019_imine_tests,
    sakaizeng2019_imine_utilities,
    sakaizeng2019_power,
    sakaizeng2019_rankings,
    sakaizeng2019_unanimity,
    synthetic,
)
from divmetrics.research.meta import discriminative_power, rank_correlation, tukey_hsd, unanimity
from divmetrics.research.papers.imine import LANGUAGES
from divmetrics.research.papers.sakaizeng2019.measures import CUTOFF, DIVERSITY, RBU, at_cutoff
from divmetrics.research.papers.sakaizeng2019.original import QUESTIONS, Original

PRINTED = "as printed"
ORIGINAL = "original data"
ALL, HIGH = "all", "high agreement"
# (question, pairs of lists) of Tables 5(a), 5(b), 6(a), 6(b)
TABLES = {
    (q, p): f"Table {5 + i}({'ab'[j]})" for i, q in enumerate(QUESTIONS) for j, p in enumerate((ALL, HIGH))
}
ROUNDED = 4  # decimals that NTCIREVAL prints
# The sources of IMine with the topics that every run answers: elsewhere, an empty list scores 0.
ANSWERED = {code: f"{code}, answered" for code in LANGUAGES}

# A statistic of each measure, by source: as printed, on IMine, and from the original data.
BySource = Mapping[str, pd.Series]


@dataclass(frozen=True, eq=False)
class Evidence:
    """The tables of the paper as the library's data sets have them, and the same experiments on IMine.

    Parameters
    ----------
    rankings, unanimity, power, alpha, agreement : DataFrame
        Table 1, 2, 3, 4, and 5 and 6, as `sakaizeng2019_rankings`, `sakaizeng2019_unanimity`,
        `sakaizeng2019_power`, `sakaizeng2019_alpha` and `sakaizeng2019_agreement` of
        `divmetrics.research.datasets` return them.
    imine : mapping of str to DataFrame
        {"en" or "cn": scores under the thirty measures}, as of `sakaizeng2019_imine_scores`.
    people, tests, utilities : DataFrame
        The agreement with IMine's judges, tests of D#- against IA measures, and the agreement of stopping
        probabilities times utilities, as `sakaizeng2019_imine_agreement`, `sakaizeng2019_imine_tests` and
        `sakaizeng2019_imine_utilities` return them.
    original : Original, optional
        The paper's own data; None if they are not there.

    Examples
    --------
    >>> from divmetrics.research.papers.sakaizeng2019 import Evidence
    >>> Evidence.embedded().agreed("diversity")["agree"].head(2).tolist()
    [956, 948]
    """

    rankings: pd.DataFrame
    unanimity: pd.DataFrame
    power: pd.DataFrame
    alpha: pd.DataFrame
    agreement: pd.DataFrame
    imine: Mapping[str, pd.DataFrame]
    people: pd.DataFrame
    tests: pd.DataFrame
    utilities: pd.DataFrame
    original: Original | None = None

    @classmethod
    def embedded(cls, original: Original | None = None) -> Evidence:
        """Load what comes with the library.

        Parameters
        ----------
        original : Original, optional
            The paper's own data, to compare with.

        Returns
        -------
        Evidence
            The tables and the experiments on IMine.
        """
        return cls(
            sakaizeng2019_rankings(),
            sakaizeng2019_unanimity(),
            sakaizeng2019_power(),
            sakaizeng2019_alpha(),
            sakaizeng2019_agreement(),
            {code: sakaizeng2019_imine_scores(code) for code in LANGUAGES},
            sakaizeng2019_imine_agreement(),
            sakaizeng2019_imine_tests(),
            sakaizeng2019_imine_utilities(),
            original,
        )

    @cached_property
    def scores(self) -> Mapping[str, pd.DataFrame]:
        """{source: scores under the thirty measures}, with the columns run, topic, metric, score.

        The sources are "en" and "cn" (IMine), "en, answered" and "cn, answered" (only topics that every run
        answers) and, if there is `original`, "original data".
        """
        answered = {ANSWERED[code]: _answered(scores, code) for code, scores in self.imine.items()}
        original = {ORIGINAL: self.original.scores} if self.original else {}
        return {**self.imine, **answered, **original}

    @cached_property
    def taus(self) -> Mapping[str, Mapping[frozenset[str], float]]:
        """{source: {frozenset of two measures: tau between their rankings of the runs}}.

        The pairs are those in Table 1; the sources are "as printed" and those of `scores`.
        """
        printed = pair_values(self.rankings["one"], self.rankings["other"], self.rankings["tau"])
        by_source: dict[str, dict[frozenset[str], float]] = {PRINTED: printed}
        for source, scores in self.scores.items():
            by_pair = _rank_taus(scores)
            by_source[source] = {pair: by_pair[pair] for pair in printed}
        return by_source

    @cached_property
    def unanimities(self) -> BySource:
        """{source: unanimity among the thirty measures, by measure}; also for the source "as printed"."""
        return {
            PRINTED: self.unanimity.set_index("metric")["unanimity"],
            **{source: _unanimity(scores) for source, scores in self.scores.items()},
        }

    @cached_property
    def rounded_unanimities(self) -> BySource:
        """{source: unanimity from scores rounded to four decimals, by measure}."""
        return {
            source: _unanimity(scores.assign(score=scores["score"].round(ROUNDED)))
            for source, scores in self.scores.items()
        }

    @cached_property
    def diversity_unanimities(self) -> BySource:
        """{source: unanimity among the 21 diversity measures alone, by measure}."""
        chosen = at_cutoff(DIVERSITY)
        return {
            source: _unanimity(scores[scores["metric"].isin(chosen)])
            for source, scores in self.scores.items()
        }

    @cached_property
    def powers(self) -> Mapping[str, pd.DataFrame]:
        """{source: discriminative power}, a row per measure; also for the source "as printed".

        The columns are significant (number of pairs of runs) and delta (smallest significant difference).
        """
        tables = {PRINTED: self.power.set_index("metric")[["significant", "delta"]]}
        for source, scores in self.scores.items():
            power = discriminative_power(tukey_hsd(scores)).rename(columns={"required_difference": "delta"})
            power["metric"] = power["metric"].map(_name)
            tables[source] = power.set_index("metric")[["significant", "delta"]]
        return tables

    @cached_property
    def effort(self) -> pd.DataFrame:
        """Scores (columns run, topic, metric, score) of RBU and iRBU-IA on a synthetic collection.

        It has the counts of INTENT-1.
        """
        names = [name.replace("RBU", form) for name in RBU for form in ("RBU", "iRBU-IA")]
        return evaluate(synthetic("intent-1", seed=0), None, at_cutoff(names))

    def agreed(self, question: str, pairs_of: str = ALL) -> pd.DataFrame:
        """Return the agreement of each measure with people, as a part of Tables 5 and 6 prints it.

        Parameters
        ----------
        question : str
            The question that people answered: "relevance" or "diversity".
        pairs_of : str
            The pairs of lists that count: "all" or "high agreement".

        Returns
        -------
        DataFrame
            A row per measure (the index) with the columns agree, disagree (numbers of pairs of lists), tau,
            low and high; no row for another question or other pairs.
        """
        chosen = (self.agreement["question"] == question) & (self.agreement["pairs_of"] == pairs_of)
        return self.agreement[chosen].set_index("metric")[["agree", "disagree", "tau", "low", "high"]]

    @cached_property
    def contested(self) -> Mapping[str, pd.DataFrame]:
        """{question: counts of the pairs of lists without high agreement}, a row per measure.

        The columns are agree and disagree: the printed counts of all pairs minus those of the pairs with high
        agreement. The questions are "relevance" and "diversity".
        """
        counts = ["agree", "disagree"]
        return {q: self.agreed(q)[counts] - self.agreed(q, HIGH)[counts] for q in QUESTIONS}

    def people_on(self, pairs_of: str) -> pd.DataFrame:
        """Return the agreement of each measure with people on pairs of IMine lists.

        Parameters
        ----------
        pairs_of : str
            The pairs of lists that count: "all", or "differing" for lists that differ in Prec and I-rec, as
            in `sakaizeng2019_imine_agreement`.

        Returns
        -------
        DataFrame
            A row per measure (the index) with the columns pairs_of, agree, disagree, ties, rate and rated of
            `sakaizeng2019_imine_agreement`.
        """
        chosen = self.people[self.people["pairs_of"] == pairs_of]
        return chosen.assign(metric=chosen["metric"].map(_name)).set_index("metric")


def _answered(scores: pd.DataFrame, code: str) -> pd.DataFrame:
    """Return the scores on the topics for which no run of the language returns an empty list."""
    lengths = imine_lengths(code)
    return scores[~scores["topic"].isin(lengths.loc[lengths["documents"] == 0, "topic"])]


def _rank_taus(scores: pd.DataFrame) -> dict[frozenset[str], float]:
    """Compute tau-b between the rankings of the runs by every two measures."""
    table = rank_correlation(scores)
    return pair_values(table["truth"].map(_name), table["metric"].map(_name), table["tau"])


def pair_values(one: pd.Series, other: pd.Series, values: pd.Series) -> dict[frozenset[str], float]:
    """Return {frozenset of a name in `one` and the name beside it in `other`: the value beside them}."""
    return dict(zip(map(frozenset, zip(one, other, strict=True)), values, strict=True))


def _unanimity(scores: pd.DataFrame) -> pd.Series:
    """Compute Table 2 from scores, by measure."""
    table = unanimity(scores)
    return table.assign(metric=table["metric"].map(_name)).set_index("metric")["unanimity"]


def _name(metric: str) -> str:
    return metric.removesuffix(f"@{CUTOFF}")
