"""The study as text: judges, every metric beside its intent-square form, and the questions with verdicts."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pandas as pd

from divmetrics.research.papers.preferences.claims import CLAIMS, answer
from divmetrics.research.papers.preferences.data import CUTOFFS, MAIN_SETTING, SQUARE_FAMILY
from divmetrics.research.papers.preferences.study import Study, study
from divmetrics.research.papers.report import WIDTH, Report


@dataclass(frozen=True)
class PreferenceReport(Report):
    """A report on people's preferences: no numbers of a paper, but the tables of the study."""

    study: Study

    def __str__(self) -> str:
        lines = [
            *self._judges(),
            *(line for cutoff in CUTOFFS for line in self._table(cutoff)),
            *self._claims(),
            "",
            *textwrap.wrap(f"Answer: {answer(self.study)}", WIDTH),
        ]
        return "\n".join(lines)

    @property
    def rows(self) -> pd.DataFrame:
        """Agreement, differences and claims as one table with the columns of `Report.rows`."""
        counts, tests = self.study.agreement, self.study.tests
        agreement = [
            (
                *("agreement", row["setting"], row["metric"]),
                *(_counts(row), f"tau {row['tau']:.4f} {_interval(row)}"),
            )
            for row in counts.to_dict("records")
        ]
        differences = [
            (
                *("difference", row["setting"], f"{row['metric_a']} or {row['metric_b']}"),
                f"{row['difference']:+.4f}",
                f"{_interval(row)}, p {row['p_topics']:.4f}, of its family (Holm) {row['holm']:.4f}",
            )
            for row in tests.to_dict("records")
        ]
        ours = pd.DataFrame([*agreement, *differences], columns=["kind", "where", "what", "ours", "evidence"])
        claims = super().rows
        return pd.concat([ours, claims], ignore_index=True)[claims.columns]

    def _judges(self) -> Iterator[str]:
        judges = self.study.judges
        yield f"preferences: {judges['units'].iloc[0]} pairs of lists, each seen by several judges"
        width = max(map(len, judges["group"]))
        yield f"  {'':{width}} pairs  majority for  Krippendorff's alpha of"
        yield f"  {'':{width}}        left  right   sides  answers"
        for row in judges.to_dict("records"):
            counts = f"{row['units']:5} {row['left']:6} {row['right']:6}"
            yield f"  {row['group']:{width}} {counts} {row['nominal']:7.3f}  {row['ordinal']:7.3f}"

    def _table(self, cutoff: int) -> Iterator[str]:
        tests = self.study.tests
        tests = tests[(tests["setting"] == MAIN_SETTING) & (tests["family"] == SQUARE_FAMILY)]
        tests = tests[tests["cutoff"] == cutoff]
        counts = self.study.agreement[self.study.agreement["setting"] == MAIN_SETTING].set_index("metric")
        yield f"\nAgreement-disagreement-ties with the majority of the judges, cutoff {cutoff}"
        yield (
            f"  {'flat':26} {'tau':>6}  {'intent-square':26} {'tau':>6}  difference {'[95% interval]':16} "
            f"{'p':>6} {'Holm':>6}"
        )
        for row in tests.to_dict("records"):
            found: list[Any] = [counts.loc[row[side]] for side in ("metric_a", "metric_b")]
            a, b = (f"{one.name:16} {_counts(one):>9} {one['tau']:6.3f}" for one in found)
            yield (
                f"  {a}  {b}  {row['difference']:+10.3f} {_interval(row):16} {row['p_topics']:6.3f} "
                f"{row['holm']:6.3f}"
            )


def report(data: str | os.PathLike[str] | None = None, *, progress: bool = False) -> PreferenceReport:
    """Do the study and report on it.

    data: a folder of IMine files with preferences.tsv; None: what comes with the library.
    """
    found = Study.embedded() if data is None else study(data, progress=progress)
    judged = Report.of("preferences", (), CLAIMS, found, judged=True, progress=progress).judged
    return PreferenceReport("preferences", (), judged, found)


def _counts(row: Any) -> str:
    return f"{row['agree']}-{row['disagree']}-{row['ties']}"


def _interval(row: Any) -> str:
    return f"[{row['low']:+.3f}, {row['high']:+.3f}]"
