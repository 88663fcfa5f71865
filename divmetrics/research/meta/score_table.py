"""Score tables as arrays: complete, finite, and with ties that rounding cannot break."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

import numpy as np
import pandas as pd

from divmetrics.core.calls import public
from divmetrics.core.checks import check_choice, check_ordered
from divmetrics.core.tolerances import dense_ranks, rounding_error
from divmetrics.errors import DivmetricsError, DivmetricsWarning, did_you_mean, some

COLUMNS = ("run", "topic", "metric", "score")
Missing = Literal["fail", "drop"]


@dataclass(frozen=True, eq=False)
class ScoreTable:
    """The score of every run on every topic under every metric.

    Parameters
    ----------
    metrics, topics, runs : tuple of str
        Names along the axes.
    values : array of float of shape (metric, topic, run)
        Scores; all are finite in a table that `score_table` returns. Shape and names are not checked.

    Examples
    --------
    >>> import divmetrics as dm
    >>> table = score_table(dm.datasets.imine_scores(), ["ERR-IA@10", "D#-nDCG@10"])
    >>> table.values.shape, table.decisions.shape
    ((2, 32, 15), (2, 32, 105))
    """

    metrics: tuple[str, ...]
    topics: tuple[str, ...]
    runs: tuple[str, ...]
    values: np.ndarray

    @property
    def pairs(self) -> tuple[np.ndarray, np.ndarray]:
        """The indices in `runs` of the first and the second run of every pair, (pair,) each.

        The pairs are (0, 1), (0, 2), ..., (1, 2), ...
        """
        first, second = np.triu_indices(len(self.runs), 1)
        return first, second

    @property
    def pair_names(self) -> tuple[np.ndarray, np.ndarray]:
        """The names of the first and the second run of every pair of `pairs`, (pair,) each."""
        names = np.array(self.runs, dtype=object)
        first, second = self.pairs
        return names[first], names[second]

    def by_pair(self, **columns: np.ndarray) -> pd.DataFrame:
        """Return a table with a row for each metric and pair of runs.

        Parameters
        ----------
        **columns : numpy.ndarray
            Values by the name of their column, (metric, pair) each.

        Returns
        -------
        DataFrame
            Columns metric, run_a, run_b and those of `columns`; the pairs as in `pairs`, metric by metric.

        Raises
        ------
        ValueError
            If the values of a column have another length.
        """
        run_a, run_b = (np.tile(names, len(self.metrics)) for names in self.pair_names)
        metric = np.repeat(self.metrics, len(self.pairs[0]))
        values = {name: column.ravel() for name, column in columns.items()}
        return pd.DataFrame({"metric": metric, "run_a": run_a, "run_b": run_b, **values})

    @property
    def tie(self) -> np.ndarray:
        """The largest difference of two scores of each metric that rounding alone can cause, (metric,)."""
        return np.array([rounding_error(values) for values in self.values])

    @cached_property
    def decisions(self) -> np.ndarray:
        """The better run of each pair, int8 (metric, topic, pair): 1 the first, -1 the second, 0 tied."""
        first, second = self.pairs
        signs = [np.sign(levels[:, first] - levels[:, second]) for levels in map(dense_ranks, self.values)]
        return np.array(signs, dtype=np.int8)

    def position(self, metric: str) -> int:
        """Return the index of a metric on the first axis.

        Parameters
        ----------
        metric : str
            The name of the metric.

        Returns
        -------
        int
            The index.

        Raises
        ------
        ValueError
            If the table does not have the metric.
        """
        return self.metrics.index(metric)


@public
def score_table(
    scores: pd.DataFrame,
    metrics: str | Sequence[str] | None = None,
    *,
    missing: Missing = "fail",
    least_runs: int = 2,
    least_topics: int = 1,
) -> ScoreTable:
    """Convert a tidy table of scores to an array.

    Parameters
    ----------
    scores : DataFrame
        Columns run, topic, metric, score, as `divmetrics.evaluate` returns.
    metrics : str or list of str, optional
        Metrics to use, in this order; by default, all in the table.
    missing : {"fail", "drop"}
        Whether to raise if a run has no score on a topic under one of the metrics, or to drop the topic for
        all runs and metrics, with a warning.
    least_runs, least_topics : int
        The smallest numbers of runs and topics, after topics are dropped, that do not raise an error.

    Returns
    -------
    ScoreTable
        The scores. Runs and topics, as text, are in order of first appearance.

    Raises
    ------
    DivmetricsError
        If the table is empty or lacks a column, a metric is not in it or none is named, a score is missing
        ("fail") or not a finite number, a run has two scores on a topic under a metric, or there are too few
        runs or topics.

    Examples
    --------
    >>> import divmetrics as dm
    >>> score_table(dm.datasets.imine_scores(), "ERR-IA@10").values.shape
    (1, 32, 15)
    """
    check_choice("missing", missing, get_args(Missing))
    check_score_frame(scores)
    names = _metric_names(scores, metrics)
    rows = scores[scores["metric"].isin(names)]
    _check_scores(rows)
    runs, topics = _names(rows["run"]), _names(rows["topic"])
    values = np.full((len(names), len(topics), len(runs)), np.nan)
    cells = tuple(
        pd.Index(axis).get_indexer(pd.Index(rows[column].astype(str)))
        for column, axis in (("metric", names), ("topic", topics), ("run", runs))
    )
    values[cells] = rows["score"].to_numpy(dtype=float)
    table = ScoreTable(tuple(names), tuple(topics), tuple(runs), values)
    if np.isnan(values).any():
        table = _without_gaps(table, missing)
    for what, axis, least in (("run", table.runs, least_runs), ("topic", table.topics, least_topics)):
        if len(axis) < least:
            raise DivmetricsError(
                f"the score table has {len(axis)} {what}{'' if len(axis) == 1 else 's'}"
                f"{f' ({axis[0]!r})' if axis else ''}, expected at least {least}; "
                f"score more {what}s, or leave this analysis out"
            )
    return table


def check_not_constant(table: ScoreTable) -> None:
    """Raise DivmetricsError for a metric that cannot tell runs apart: its scores differ by rounding only."""
    for metric, values, tie in zip(table.metrics, table.values, table.tie, strict=True):
        if np.ptp(values) <= tie:
            raise DivmetricsError(
                f"all {values.size} scores under {metric!r} are equal ({values.flat[0]:g}), so it cannot "
                "tell runs apart; leave that metric out, or check the judgments"
            )


def gold_names(gold: str | Sequence[str], scores: pd.DataFrame) -> list[str]:
    """Return the names of the gold standards; raises DivmetricsError if none, or one that `scores` lacks."""
    check_score_frame(scores)
    names = unique_names("gold", gold)
    if not names:
        raise DivmetricsError("no gold standard was named; name at least one, such as 'I-rec@10'")
    available = _names(scores["metric"])
    for name in names:
        if name not in available:
            raise DivmetricsError(
                f"gold standard {name!r} is not in the score table{did_you_mean(name, available)}, which has "
                f"{some(available)}; score it with the others, or name one of them"
            )
    return names


def unique_names(what: str, names: str | Sequence[str]) -> list[str]:
    """Return a list of one or several names without duplicates; `what` is their noun in the error message."""
    if isinstance(names, str):
        return [names]
    check_ordered(what, names, "a name or a list of names")
    return list(dict.fromkeys(names))


def check_score_frame(scores: pd.DataFrame) -> None:
    """Raise DivmetricsError unless `scores` is a nonempty table with columns run, topic, metric, score."""
    if not isinstance(scores, pd.DataFrame):
        raise DivmetricsError(
            f"the scores are of type {type(scores).__name__}, expected a DataFrame with the columns "
            f"{', '.join(COLUMNS)}, as divmetrics.evaluate returns"
        )
    absent = [column for column in COLUMNS if column not in scores.columns]
    if absent:
        raise DivmetricsError(
            f"the score table has no column {absent[0]!r} (it has {some([str(c) for c in scores.columns])}), "
            f"expected {', '.join(COLUMNS)}, as divmetrics.evaluate returns"
        )
    if not scores.columns.is_unique:
        twice = scores.columns[scores.columns.duplicated()][0]
        raise DivmetricsError(f"the score table has the column {twice!r} twice; give it once")
    if not len(scores):
        raise DivmetricsError("the score table is empty; give scores of at least two runs")


def _metric_names(scores: pd.DataFrame, metrics: str | Sequence[str] | None) -> list[str]:
    """Return the names of the metrics to use; raises DivmetricsError if none, or one that the table lacks."""
    available = _names(scores["metric"])
    if metrics is None:
        return available
    names = unique_names("metrics", metrics)
    if not names:
        raise DivmetricsError(f"no metric was asked for; name at least one of {some(available)}")
    for name in names:
        if name not in available:
            raise DivmetricsError(
                f"metric {name!r} is not in the score table{did_you_mean(str(name), available)}, which has "
                f"{some(available)}; score it with the others, or name one of them"
            )
    return names


def _check_scores(rows: pd.DataFrame) -> None:
    """Raise DivmetricsError for scores that are not finite numbers, and for duplicates."""
    if not pd.api.types.is_numeric_dtype(rows["score"]):
        # A single word turns the whole column into text: name the word, not the first score.
        words = pd.to_numeric(rows["score"], errors="coerce").isna() & rows["score"].notna()
        bad = rows[words if words.any() else slice(None)].iloc[0]
        raise DivmetricsError(
            f"the column score holds {bad['score']!r} (run {bad['run']!r}, topic {bad['topic']!r}, metric "
            f"{bad['metric']!r}), expected numbers, and is of type {rows['score'].dtype}; "
            + ("put a number there" if words.any() else "make them numbers with pandas.to_numeric")
        )
    finite = np.isfinite(rows["score"].to_numpy(dtype=float, na_value=np.nan))
    if not finite.all():
        bad = rows[~finite].iloc[0]
        raise DivmetricsError(
            f"the score of run {bad['run']!r} on topic {bad['topic']!r} under {bad['metric']!r} is "
            f"{float(bad['score'])}, expected a finite number; give it a score, or leave out its row and "
            'choose missing="drop"'
        )
    twice = rows.duplicated(["run", "topic", "metric"])
    if twice.any():
        bad = rows[twice].iloc[0]
        raise DivmetricsError(
            f"run {bad['run']!r} has two scores on topic {bad['topic']!r} under {bad['metric']!r}; "
            "give one score per run, topic and metric"
        )


def _without_gaps(table: ScoreTable, missing: Missing) -> ScoreTable:
    """Return the table without topics that lack a score, with a warning; raises DivmetricsError if "fail"."""
    gaps = np.isnan(table.values)
    m, t, r = np.argwhere(gaps)[0]
    lacking = gaps.any(axis=(0, 2))
    names = [topic for topic, lacks in zip(table.topics, lacking, strict=True) if lacks]
    message = (
        f"{gaps.sum()} of {gaps.size} scores are missing, on {len(names)} of {len(table.topics)} topics "
        f"({some(names)}); the first is run {table.runs[r]!r} on topic {table.topics[t]!r} under "
        f"{table.metrics[m]!r}"
    )
    if missing == "fail":
        raise DivmetricsError(
            f'{message}; score every run on every topic, or leave those topics out with missing="drop"'
        )
    warnings.warn(f"{message}; these topics are left out for all runs", DivmetricsWarning, stacklevel=5)
    complete = tuple(topic for topic, lacks in zip(table.topics, lacking, strict=True) if not lacks)
    return ScoreTable(table.metrics, complete, table.runs, table.values[:, ~lacking])


def _names(column: pd.Series) -> list[str]:
    return [str(name) for name in column.unique()]
