"""The data of Yu et al. (2017): scores, types of topics, lengths of lists, judgments."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np
import pandas as pd

from divmetrics.core.collection import Collection
from divmetrics.core.metric import Value
from divmetrics.core.topics import Topic
from divmetrics.errors import DivmetricsError, DivmetricsWarning
from divmetrics.evaluation import evaluate
from divmetrics.registry.parse import metric, with_defaults
from divmetrics.research.datasets import imine_lengths, imine_scores, imine_types
from divmetrics.research.meta import ScoreTable, score_table, tau_ap
from divmetrics.research.meta.ap_correlation import Ties
from divmetrics.research.papers.imine import KINDS, LANGUAGES, imine, imine_topics

CASCADE = ("ERR-IA", "alpha-nDCG")  # the paper's traditional metrics
SQUARE = ("S-recall-IS", "ERR-IS", "alpha-nDCG-IS")
METRICS = (*CASCADE, *SQUARE)
CUTOFFS = (5, 10, 15, 20, 25, 30, 35, 40)
CUTOFF = 20  # the paper's default
PAIRS = tuple(product(CASCADE, SQUARE))  # truth, candidate: the cells of Table 5
QUERIES = ("0078", "0053", "0080")  # of Tables 2-4
SAMPLE = {"cn": "THUSAM-D-C-1A", "en": "Sem13-D-E-1A"}  # of Fig. 6, the English one of Tables 3-4 too
NAMES = {code: language.name for code, language in LANGUAGES.items()}


@dataclass(frozen=True, eq=False)
class Evidence:
    """Scores, the type of each topic, the length of each list, and the judgments, by language ("en", "cn").

    The tables and dicts are those of `imine_scores`, `imine_types` and `imine_lengths`. `collections` have
    the organisers' probabilities and `topics` all ambiguous and broad topics; both are None for scores
    without judgments.
    """

    scores: Mapping[str, pd.DataFrame]
    types: Mapping[str, Mapping[str, str]]
    lengths: Mapping[str, pd.DataFrame]
    collections: Mapping[str, Collection] | None = None
    topics: Mapping[str, Sequence[Topic]] | None = None

    @classmethod
    def embedded(cls) -> Evidence:
        """Load the scores that come with the library."""
        codes = list(LANGUAGES)
        return cls(
            {c: imine_scores(c) for c in codes},
            {c: imine_types(c) for c in codes},
            {c: imine_lengths(c) for c in codes},
        )

    @classmethod
    def from_folder(cls, folder: str | os.PathLike[str]) -> Evidence:
        """Compute the scores from a folder of IMine files (see `divmetrics.research.papers.imine.imine`)."""
        with warnings.catch_warnings():
            # The report itself states what these warnings are about: empty lists and unused probabilities.
            warnings.simplefilter("ignore", DivmetricsWarning)
            collections = {code: imine(folder, code) for code in LANGUAGES}
            topics = {code: imine_topics(folder, code) for code in LANGUAGES}
        _check(folder, collections)
        return cls(
            {code: scores(c.uniform()) for code, c in collections.items()},
            {code: {t.id: t.type for t in c.topics} for code, c in collections.items()},
            {code: _lengths(c) for code, c in collections.items()},
            collections,
            topics,
        )

    @cached_property
    def tables(self) -> dict[str, ScoreTable]:
        """{language: scores under the paper's five metrics at all its cutoffs}."""
        names = [f"{name}@{k}" for k in CUTOFFS for name in METRICS]
        return {code: score_table(table[table["metric"].isin(names)]) for code, table in self.scores.items()}

    def values(self, code: str, name: str, cutoff: int = CUTOFF) -> np.ndarray:
        """Return the scores of a language under a metric, named without cutoff, (topic, run)."""
        table = self.tables[code]
        values: np.ndarray = table.values[table.position(f"{name}@{cutoff}")]
        return values

    def of_type(self, code: str, kind: str) -> np.ndarray:
        """Return the mask of topics of the type `kind`, (topic,), for the language `code`."""
        return np.array([self.types[code][topic] == kind for topic in self.tables[code].topics])

    @cached_property
    def answered(self) -> dict[str, np.ndarray]:
        """{language: mask of the topics that every run answers, (topic,)}."""
        masks = {}
        for code, lengths in self.lengths.items():
            empty = set(lengths.loc[lengths["documents"] == 0, "topic"])
            masks[code] = np.array([topic not in empty for topic in self.tables[code].topics])
        return masks

    def topic_choices(self) -> Iterator[tuple[str, dict[str, np.ndarray]]]:
        """Yield (name, {language: mask of topics, (topic,)}) for both treatments of empty lists.

        Empty lists either score 0, as in the paper, or their topics are left out.
        """
        yield "all topics", {code: np.ones(len(t.topics), dtype=bool) for code, t in self.tables.items()}
        yield "topics that every run answers", self.answered

    def order(self, code: str) -> list[int]:
        """Return the indices of a language's runs in its table, in the order of the paper's program."""
        runs = self.tables[code].runs
        return [runs.index(run) for run in java_order(runs)]

    def per_topic(
        self,
        code: str,
        truth: str,
        candidate: str,
        cutoff: int = CUTOFF,
        ties: Ties = "stable",
        tie: float | None = None,
    ) -> np.ndarray:
        """Compute tau_ap of the metric `candidate` on every topic, with `truth` as the truth, (topic,).

        Metrics are named without cutoff. `ties` and `tie` are as in `meta.tau_ap`; "stable" orders ties as
        the paper's program does.
        """
        order = self.order(code) if ties == "stable" else None
        pairs = zip(self.values(code, truth, cutoff), self.values(code, candidate, cutoff), strict=True)
        return np.array([tau_ap(a, b, ties, order=order, tie=tie) for a, b in pairs])


def scores(collection: Collection, cutoffs: Sequence[int] = CUTOFFS, **parameters: Value) -> pd.DataFrame:
    """Score a collection under the paper's metrics, with parameters for the metrics that have them.

    Returns the columns run, topic, metric, score; names of metrics have the cutoff, but no parameters.
    """
    names = [f"{name}@{k}" for k in cutoffs for name in METRICS]
    metrics = [with_defaults(metric(name), parameters) for name in names]
    with warnings.catch_warnings():
        # the report counts empty lists; unjudged documents are not relevant, as in the paper
        warnings.simplefilter("ignore", DivmetricsWarning)
        table = evaluate(collection, None, metrics)
    name_of = dict(zip(map(str, metrics), names, strict=True))
    return table.assign(metric=table["metric"].map(name_of))


def java_order(runs: Sequence[str]) -> list[str]:
    """Return the order in which a Java 8 HashMap iterates over names inserted in case-insensitive order.

    The paper does not state its order; with tied runs in this one (stable sort) all of Table 5 is reproduced.
    """
    buckets = 16
    while len(runs) > 0.75 * buckets:
        buckets *= 2
    return sorted(sorted(runs, key=str.lower), key=lambda run: _hash(run) % buckets)


def _hash(text: str) -> int:
    code = 0
    for letter in text:
        code = (31 * code + ord(letter)) % 2**32
    return code ^ (code >> 16)


def _check(folder: str | os.PathLike[str], collections: Mapping[str, Collection]) -> None:
    """Raise DivmetricsError if the paper's sample run or example queries are missing, or answered topics.

    Two topics of each type must be answered by every run.
    """
    for code, collection in collections.items():
        where = f"{os.fspath(folder)}: the {NAMES[code]} files"
        if SAMPLE[code] not in collection.runs:
            raise DivmetricsError(f"{where} lack run {SAMPLE[code]}, a sample in the paper; add its file")
        absent = [query for query in QUERIES if code == "en" and query not in collection.pools]
        if absent:
            raise DivmetricsError(
                f"{where} have no judgments for query {absent[0]}, an example in the paper; give all of them"
            )
        runs = collection.runs.values()
        answered = [topic for topic in collection.topics if all(topic.id in run.spans for run in runs)]
        for kind in KINDS:
            count = sum(topic.type == kind for topic in answered)
            if count < 2:
                fewest = min(runs, key=lambda run: len(run.spans))
                raise DivmetricsError(
                    f"{where} have {count} {kind} topic(s) that every run answers, expected at least 2 (run "
                    f"{fewest.name} answers the fewest topics, {len(fewest.spans)}); give complete files"
                )


def _lengths(collection: Collection) -> pd.DataFrame:
    return pd.DataFrame(
        [
            (run.name, topic, len(run.list(topic)))
            for run in collection.runs.values()
            for topic in collection.pools
        ],
        columns=["run", "topic", "documents"],
    )
