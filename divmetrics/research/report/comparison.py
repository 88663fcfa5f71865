"""Compared runs: tables of numbers, the caption that describes them, and the formats to print them in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np
import pandas as pd

from divmetrics.conventions.convention import convention as convention_named
from divmetrics.errors import join_words
from divmetrics.evaluation import DEFAULTS, Options
from divmetrics.research.report.headroom import HEADROOM_RUN
from divmetrics.research.report.html import render_fragment, render_page
from divmetrics.research.report.judged_shares import judged_column, uneven_judging_notes
from divmetrics.research.report.latex import render_latex
from divmetrics.research.report.markdown import render_markdown
from divmetrics.research.report.options import ComparisonOptions
from divmetrics.research.report.table_layout import MeanCell, TableLayout
from divmetrics.research.report.text import render_text

NOT_OF_A_METRIC = ("mean_over", "as_printed", "progress")  # options that the caption words otherwise or omits


@dataclass(frozen=True, repr=False, eq=False)
class Comparison:
    """Runs compared with each other, as `divmetrics.compare` returns them.

    Parameters
    ----------
    scores : DataFrame
        Columns run, topic, metric, score; only topics on which every run has a score.
    means : DataFrame
        One row per metric and run. Columns metric, run, topics (their number), mean, low, high (the interval
        of the mean), rank (1 is the best), letters. Two runs share a letter if and only if they do not differ
        significantly.
    pairs : DataFrame
        One row per metric and pair of runs. Columns metric, run_a, run_b, difference (mean of run_a minus
        mean of run_b), p (corrected for the number of pairs).
    judged : DataFrame
        A row per run (the index) and a column judged@k per cutoff, or judged for whole lists: the share of
        the first k documents that were judged, a mean over topics; nan for a run without documents.
    allowed : DataFrame or None
        One row per metric with the mean of the scores that the runs' documents allow (see `compare`,
        `headroom`). The columns are those of `means` without letters; run is "best of these documents". None
        without `headroom`.
    cutoffs : dict of str to int or None
        Cutoff of each metric, by its name as in `means`; None for whole lists.
    options : Options
        The options of `divmetrics.evaluate` with which runs were scored.
    conditions : ComparisonOptions
        The further options of `divmetrics.compare`.

    Examples
    --------
    >>> import divmetrics as dm
    >>> comparison = dm.compare(dm.datasets.sakai2010(), None, "ERR-IA@10", trials=100)
    >>> print(comparison.csv.splitlines()[0])
    metric,run,topics,mean,low,high,rank,letters,judged
    """

    scores: pd.DataFrame
    means: pd.DataFrame
    pairs: pd.DataFrame
    judged: pd.DataFrame
    allowed: pd.DataFrame | None
    cutoffs: Mapping[str, int | None]
    options: Options
    conditions: ComparisonOptions

    @property
    def metrics(self) -> list[str]:
        """The names of the metrics, in the order of the call."""
        return list(self.cutoffs)

    @property
    def runs(self) -> list[str]:
        """The names of the runs, in the order of the call."""
        return list(self.judged.index)

    @property
    def topics(self) -> list[str]:
        """The ids of the topics over which the means are computed."""
        return [str(topic) for topic in self.scores["topic"].unique()]

    @property
    def table(self) -> pd.DataFrame:
        """The means as a DataFrame: a row per run (the index), a column per metric."""
        return pd.DataFrame(self._wide("mean"), index=pd.Index(self.runs, name="run"), columns=self.metrics)

    @property
    def curves(self) -> pd.DataFrame:
        """The means of metrics with a cutoff as a DataFrame, by metric and cutoff; empty without cutoffs.

        The columns are metric (its name without cutoff), run, cutoff, and mean, low, high and letters as in
        `means`. `divmetrics.notebook.charts.cutoff_curves` draws them if a metric has several cutoffs.
        """
        cut = self.means[self.means["metric"].map(self.cutoffs).notna()]
        at = cut["metric"].map(self.cutoffs).astype(int)
        name = [label.removesuffix(f"@{cutoff}") for label, cutoff in zip(cut["metric"], at, strict=True)]
        table = cut.assign(metric=name, cutoff=at)[
            ["metric", "run", "cutoff", "mean", "low", "high", "letters"]
        ]
        return table.sort_values(["metric", "cutoff"], kind="stable", ignore_index=True)

    @cached_property
    def notes(self) -> list[str]:
        """The warning, if runs differ in their shares of judged documents by more than 0.1; else [].

        Always [] for condensed lists.
        """
        return [] if self.conditions.condensed else uneven_judging_notes(self.judged)

    @property
    def caption(self) -> str:
        """The caption: measures, topics, intervals, test, marks and judged documents."""
        return " ".join(self._sentences())

    def _sentences(self) -> Iterator[str]:
        how = self.conditions
        explicit = [
            f"{field.name.replace('_', ' ')} {value}"
            for field in fields(Options)
            if field.name not in NOT_OF_A_METRIC
            and (value := getattr(self.options, field.name)) != getattr(DEFAULTS, field.name)
        ]
        mean_over = self.options.mean_over or convention_named(how.convention).mean_over
        answered = "that every run answers" if mean_over == "both" else "(0 where a run does not answer)"
        yield (
            f"Mean {join_words(self.metrics)} over {len(self.topics)} topics {answered}; "
            f"{', '.join([f'convention {how.convention}', *explicit])}."
        )
        yield f"±: half of the {100 * how.confidence:.6g}% interval (Student's t over topics)."
        test = "randomised Tukey HSD"
        if how.test == "bootstrap":
            pairs = len(self.runs) * (len(self.runs) - 1) // 2
            test = f"paired bootstrap, Holm's correction for {pairs} pair{'' if pairs == 1 else 's'}"
        each = ", each metric on its own" if len(self.metrics) > 1 else ""
        yield (
            f"Runs that share no letter differ significantly (p < {how.level:.6g}; {test}, "
            f"{how.trials} trials, seed {how.seed}{each})."
        )
        if any(entry.best for row in self.layout.rows for entry in row.entries):
            yield "Bold: the best mean, and any that tie with it."
        for cutoff in sorted(set(self.cutoffs.values()), key=lambda cutoff: (cutoff is None, cutoff)):
            what = "documents" if cutoff is None else f"first {cutoff} documents"
            yield f"{judged_column(cutoff)}: the share of the {what} that were judged."
        if how.condensed:
            yield "Documents never judged are then left out of all lists (condensed lists)."
        else:
            yield "Documents never judged count as not relevant."
        if self.allowed is not None:
            yield (
                f"{HEADROOM_RUN}: on each topic the better of the best run's list and a list built greedily "
                "from all "
                "runs' documents; the best possible list may score more."
            )

    @cached_property
    def layout(self) -> TableLayout:
        """The cells of the table, from which `markdown`, `latex` and `html` are written."""
        mean, high, rank, letters = map(self._wide, ("mean", "high", "rank", "letters"))
        best = (rank == 1) & ~(rank == 1).all(axis=0)  # none is the best if all tie
        shares = self.judged.to_numpy()
        allowed = None
        if self.allowed is not None:
            row = self.allowed.set_index("metric").loc[self.metrics]
            blanks = [""] * len(row), [False] * len(row)
            allowed = (
                str(row["run"].iloc[0]),
                list(map(MeanCell, row["mean"], row["high"] - row["mean"], *blanks)),
            )
        rows = [
            (
                run,
                list(map(MeanCell, mean[at], high[at] - mean[at], letters[at], best[at])),
                shares[at],
            )
            for at, run in enumerate(self.runs)
        ]
        return TableLayout.of(self.metrics, list(self.judged.columns), rows, allowed)

    def _wide(self, column: str) -> np.ndarray:
        """Return a column of the table `means` as an array (run, metric)."""
        wide = self.means.pivot(index="run", columns="metric", values=column)
        return wide.loc[self.runs, self.metrics].to_numpy()

    @property
    def text(self) -> str:
        """The report for a terminal: means, every pair of runs, and where the metrics disagree."""
        return render_text(
            self.scores,
            self.means,
            self.pairs,
            self.judged,
            self.allowed,
            self.cutoffs,
            self.conditions,
            self.notes,
        )

    @property
    def markdown(self) -> str:
        """The table in GitHub's Markdown, with its caption below."""
        return render_markdown(self.layout, self.caption, self.notes)

    @property
    def latex(self) -> str:
        r"""The table as a LaTeX float with its caption; the document needs \usepackage{booktabs}."""
        return render_latex(self.layout, self.caption, self.notes)

    @property
    def html(self) -> str:
        """The table with its caption as a standalone HTML page."""
        return render_page(self.layout, self.caption, self.notes)

    @property
    def csv(self) -> str:
        """The means as CSV, in full precision: the columns of `means`, and judged (at the metric's cutoff).

        With `allowed`, its rows follow, with rank, letters and judged empty.
        """
        shares = np.concatenate([self.judged[judged_column(cutoff)] for cutoff in self.cutoffs.values()])
        rows = self.means.assign(judged=shares).astype({"rank": "Int64"})
        if self.allowed is not None:
            rows = pd.concat([rows, self.allowed.drop(columns="rank")], ignore_index=True)
        return rows.to_csv(index=False, lineterminator="\n")

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return render_fragment(self.layout, self.caption, self.notes)
