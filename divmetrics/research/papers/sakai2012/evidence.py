"""What claims of Sakai (2012) are tested on: printed tables, experiments, and judgments."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import groupby, starmap
from pathlib import Path
from typing import NamedTuple

from divmetrics.core.collection import Collection
from divmetrics.errors import DivmetricsError, DivmetricsWarning
from divmetrics.io.run_loading import load_runs
from divmetrics.research.datasets import sakai2012_tables, synthetic
from divmetrics.research.papers.sakai2012.collections import with_navigational
from divmetrics.research.papers.sakai2012.experiments import (
    SUBMITTED,
    Experiment,
    embedded_experiments,
    experiments_on,
    made_up_experiments,
)
from divmetrics.research.papers.trec_web_2009 import check_topics, read_judgments, run_files
from divmetrics.research.papers.verdicts import ClaimResult, combine_outcomes

FEWEST_RUNS = 3  # with two, there is a single pair of runs


class Printed(NamedTuple):
    """A number of Tables 1 to 6, as `sakai2012_tables` has it."""

    table: int
    part: str
    metric_a: str
    metric_b: str
    quantity: str
    text: str


def _printed_numbers() -> tuple[Printed, ...]:
    """Return the legible numbers of Tables 1 to 6."""
    return tuple(starmap(Printed, sakai2012_tables().itertuples(index=False, name=None)))


@dataclass(frozen=True, eq=False)
class Evidence:
    """Experiments, judgments, and the printed tables.

    `judged` has covered intents and topics with a navigational one: those of TREC 2009, or of the preset
    "trec-web-2009". `published` are all judgments of TREC 2009; None without a folder of them. `elsewhere` is
    False for experiments on runs that were submitted to TREC 2009.
    """

    experiments: tuple[Experiment, ...]
    judged: Collection
    published: Collection | None = None
    elsewhere: bool = True
    printed: tuple[Printed, ...] = field(default_factory=_printed_numbers)

    @classmethod
    def embedded(cls) -> Evidence:
        """Load the embedded scores of TREC 2012, and generate collections with made-up runs."""
        judged = with_navigational(synthetic("trec-web-2009", runs=0))
        return cls((*embedded_experiments(), *made_up_experiments(None)), judged)

    @classmethod
    def from_folder(
        cls, data: str | os.PathLike[str], runs: str | os.PathLike[str] | None = None
    ) -> Evidence:
        """Read judgments of TREC 2009 (see `read_judgments`), and runs for them from another folder."""
        with warnings.catch_warnings():
            # Unjudged documents are not relevant, as in the paper, and tags of runs may be the same.
            warnings.simplefilter("ignore", DivmetricsWarning)
            published = read_judgments(data)
            check_topics(data, published)
            judged = with_navigational(published)
            if runs is None:
                experiments = (*embedded_experiments(), *made_up_experiments(judged))
            else:
                submitted = _with_submitted_runs(judged, runs)
                count = f"{len(submitted.runs)} runs"
                experiments = tuple(experiments_on(submitted, SUBMITTED, f"binary, {count}"))
        return cls(experiments, judged, published, elsewhere=runs is None)

    def in_table(self, *tables: int) -> list[Printed]:
        """Return the printed numbers of tables."""
        return [number for number in self.printed if number.table in tables]

    def cell(self, *key: object) -> str:
        """Return a printed number as text; the key is the fields of its `Printed` before the text.

        Raises ValueError if the copy of the paper has no such number (see `legible`).
        """
        (text,) = (number.text for number in self.printed if number[:-1] == key)
        return text

    def legible(self, *key: object) -> bool:
        """Tell whether our copy of the paper has a number; the key is that of `cell`."""
        return any(number[:-1] == key for number in self.printed)

    def count(self, quantity: str) -> str:
        """Return a number of Table 1 as text."""
        return self.cell(1, "", "", "", quantity)

    def judge(
        self, holds_in: Callable[[Experiment], bool], figures: Callable[[Experiment], str]
    ) -> ClaimResult:
        """Test a claim in every experiment; print the figures of the first, and of the first that differs."""
        outcomes = [(experiment, holds_in(experiment)) for experiment in self.experiments]
        texts = []
        for source, group in groupby(outcomes, lambda outcome: outcome[0].source):
            of_source = list(group)
            first, result = of_source[0]
            other = next((e for e, outcome in of_source if outcome != result), None)
            results = [(first, result)] if other is None else [(first, result), (other, not result)]
            count = sum(outcome for _, outcome in of_source)
            each = "; ".join(f"{'yes' if yes else 'no'} with {e.setting}: {figures(e)}" for e, yes in results)
            texts.append(f"{source}: in {count} of {len(of_source)} settings ({each})")
        verdict = combine_outcomes(outcome for _, outcome in outcomes)
        return ClaimResult(verdict, "; ".join(texts), elsewhere=self.elsewhere)


def _with_submitted_runs(judged: Collection, folder: str | os.PathLike[str]) -> Collection:
    root, files = Path(folder), run_files(folder)
    if len(files) < FEWEST_RUNS:
        raise DivmetricsError(
            f"{root}: holds {len(files)} files, expected at least {FEWEST_RUNS} runs, one in each; add them"
        )
    runs = load_runs(files)
    for run in runs:
        if not any(topic in run.spans for topic in judged.pools):
            raise DivmetricsError(
                f"{root}: run {run.name} answers none of the {len(judged.pools)} topics with a navigational "
                "intent that is covered; give runs for the topics of TREC 2009"
            )
    return judged.with_runs(runs)
