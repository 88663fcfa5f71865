"""The report on Sakai (2012): numbers, Tables 2 to 6 on other runs, and claims."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import combinations

import numpy as np
import pandas as pd

from divmetrics.research.datasets.trec2012 import PROBABILITIES
from divmetrics.research.papers.report import WIDTH, Report
from divmetrics.research.papers.sakai2012.evidence import Evidence
from divmetrics.research.papers.sakai2012.experiments import (
    DISCUSSED,
    FIVE,
    GOLDS,
    TESTS,
    TWELVE,
    Experiment,
)

LOST = ""  # not legible in our copy
KEYS = ["table", "part", "metric_a", "metric_b", "quantity"]


@dataclass(frozen=True)
class Sakai2012Report(Report):
    """A report with the numbers of Tables 2 to 6 on other runs.

    Parameters
    ----------
    paper : str
        The name of the paper.
    compared : tuple of ReproducedNumber
        The printed numbers and ours.
    judged : tuple of (Claim, ClaimResult)
        The claims with their results.
    elsewhere : DataFrame
        The columns table, part, metric_a, metric_b, quantity, printed (empty if not legible), and one per
        source of runs, text: the median over its seeds, with the least and the largest value if they differ.
    tests : DataFrame
        The tests of these runs: the columns source, setting, test ("bootstrap" or "HSD"), and those of
        `divmetrics.research.meta.paired_bootstrap`. `divmetrics.notebook.charts.asl_curves` draws the rows of
        one source, setting and test as in Fig. 8 and 9.

    Examples
    --------
    >>> import pandas as pd
    >>> from divmetrics.research.papers.sakai2012.report import Sakai2012Report
    >>> Sakai2012Report("sakai2012", (), (), pd.DataFrame(), pd.DataFrame()).tests.empty
    True
    """

    elsewhere: pd.DataFrame
    tests: pd.DataFrame

    def __str__(self) -> str:
        return "\n".join((*self._numbers(), *self._elsewhere(), *self._claims()))

    @property
    def rows(self) -> pd.DataFrame:
        """Numbers, claims, and tables on other runs (kind "elsewhere"), with the columns of `Report.rows`."""
        table = self.elsewhere
        sources = table.columns.difference([*KEYS, "printed"], sort=False)
        ours = ["; ".join(f"{name}: {row[name]}" for name in sources) for row in table.to_dict("records")]
        elsewhere = pd.DataFrame(
            {"kind": "elsewhere", "where": [f"Table {n}" for n in table["table"]], "what": _names(table)}
        ).assign(printed=table["printed"].to_numpy(), ours=ours)
        rows = super().rows
        return pd.concat([rows, elsewhere], ignore_index=True)[rows.columns]

    def _elsewhere(self) -> Iterator[str]:
        table = self.elsewhere[self.elsewhere["printed"] != LOST]
        sources = list(table.columns.difference([*KEYS, "printed"], sort=False))
        names = _names(table)
        width = max(map(len, names))
        widths = [max(len(source), *map(len, table[source])) for source in sources]
        yield ""
        yield from textwrap.wrap(
            "The paper's runs and graded judgments are not public. Here are Tables 2 to 6 on other runs: the "
            "cells that are legible in our copy of the paper (all cells with --format csv), of Table 6 with "
            "uniform probabilities; where seeds differ, the median [least, largest].",
            WIDTH,
        )
        heads = "  ".join(f"{source:>{w}}" for source, w in zip(sources, widths, strict=True))
        yield f"  {'':{width}}  {'printed':>7}  {heads}"
        for number, of_table in table.assign(name=names).groupby("table", sort=False):
            yield f"Table {number}"
            for row in of_table.to_dict("records"):
                cells = "  ".join(f"{row[s]:>{w}}" for s, w in zip(sources, widths, strict=True))
                yield f"  {row['name']:{width}}  {row['printed']:>7}  {cells}"


def tables_elsewhere(evidence: Evidence) -> pd.DataFrame:
    """Compute the numbers of Tables 2 to 6 in the experiments that choose as the paper does.

    The columns are those of `Sakai2012Report.elsewhere`.
    """
    printed = {number[:-1]: number.text for number in evidence.printed}
    experiments = [e for e in evidence.experiments if e.as_in_paper]
    sources = list(dict.fromkeys(e.source for e in experiments))
    rows = []
    for key, decimals, compute in _cells():
        probabilities = key[1] if key[1] in PROBABILITIES else "uniform"
        chosen = [e for e in experiments if e.probabilities == probabilities]
        texts = [_summary([compute(e) for e in chosen if e.source == s], decimals) for s in sources]
        rows.append((*key, printed.get(key, LOST), *texts))
    return pd.DataFrame(rows, columns=[*KEYS, "printed", *sources])


def tests_elsewhere(evidence: Evidence) -> pd.DataFrame:
    """Return the tests of the experiments that choose as the paper does, one row per pair of runs.

    The columns are those of `Sakai2012Report.tests`.
    """
    tables = [
        pairs.assign(source=e.source, setting=e.setting, test=test)
        for e in evidence.experiments
        if e.as_in_paper
        for test, pairs in e.tests.items()
    ]
    rows = pd.concat(tables, ignore_index=True)
    first = ["source", "setting", "test"]
    return rows[[*first, *rows.columns.drop(first)]]


Key = tuple[int, str, str, str, str]
Cell = tuple[Key, int, Callable[[Experiment], float]]


def _cells() -> Iterator[Cell]:
    """Yield the key of each cell, its decimals, and the function that computes it."""
    for table, test in zip((2, 3), TESTS, strict=True):
        for part in ("uniform", "nonuniform"):
            for name in TWELVE:
                for quantity, column, factor, decimals in (
                    ("significant pairs (%)", "share", 100, 1),
                    ("required difference", "required_difference", 1, 2),
                ):
                    compute = partial(_power, test=test, metric=name, column=column, factor=factor)
                    yield (table, part, name, "", quantity), decimals, compute
    for a, b in combinations(FIVE, 2):
        for column in ("only_a", "both", "only_b"):
            quantity = column.replace("_", " ")
            yield (4, "uniform", a, b, quantity), 0, partial(_overlap, pair=(a, b), column=column)
    for a, b in combinations(FIVE, 2):
        yield (5, "uniform", a, b, "tau"), 2, partial(Experiment.tau, a=a, b=b)
        yield (5, "uniform", a, b, "tau_ap"), 2, partial(Experiment.tau_ap, a=a, b=b)
    for a, b in combinations(DISCUSSED, 2):
        for gold, column, quantity, decimals in (
            ("", "disagreements", "disagreements", 0),
            *((gold, f"concordance_{side}", f"agrees {side}", 3) for gold in GOLDS for side in "ab"),
        ):
            yield (
                (6, gold, a, b, quantity),
                decimals,
                partial(_concordance, gold=gold or next(iter(GOLDS)), pair=(a, b), column=column),
            )


def _power(experiment: Experiment, test: str, metric: str, column: str, factor: float) -> float:
    return factor * float(experiment.power[test][column][metric])


def _overlap(experiment: Experiment, pair: tuple[str, str], column: str) -> float:
    return float(experiment.overlap[column][pair])


def _concordance(experiment: Experiment, gold: str, pair: tuple[str, str], column: str) -> float:
    return float(experiment.concordance[gold][column][pair])


def _summary(computed: list[float], decimals: int) -> str:
    """Return the median, and the least and the largest value in brackets if they are printed differently.

    Required differences are nan where no pair is significant; these are left out.
    """
    values = [value for value in computed if not np.isnan(value)]
    if not values:
        return "none"
    low, middle, high = (
        f"{number:.{decimals}f}" for number in (min(values), float(np.median(values)), max(values))
    )
    return middle if low == high else f"{middle} [{low}, {high}]"


def _names(table: pd.DataFrame) -> list[str]:
    """Name each row in words; "only a" and "agrees a" get the name of the metric in place of its letter."""
    names = []
    for part, a, b, quantity in table[["part", "metric_a", "metric_b", "quantity"]].itertuples(index=False):
        verb, _, letter = quantity.partition(" ")
        metric = {"a": a, "b": b}.get(letter)
        says = quantity if metric is None else f"{metric} {verb}" if verb == "agrees" else f"{verb} {metric}"
        names.append(", ".join(filter(None, (part, a, b, says))))
    return names
