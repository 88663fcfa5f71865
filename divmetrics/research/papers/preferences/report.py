"""The report on the study: judges, metrics beside their intent-square forms, and claims with verdicts."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pandas as pd

from divmetrics.core.calls import public
from divmetrics.research.papers.preferences.claims import CLAIMS, answer
from divmetrics.research.papers.preferences.data import CUTOFFS, MAIN_SETTING, SQUARE_FAMILY
from divmetrics.research.papers.preferences.study import Study, study
from divmetrics.research.papers.report import WIDTH, Report


@dataclass(frozen=True)
class PreferenceReport(Report):
    """A report on people's preferences: the tables of the study in place of a paper's numbers.

    Parameters
    ----------
    paper : str
        The name of the report.
    compared : tuple of ReproducedNumber
        Always empty.
    judged : tuple of (Claim, ClaimResult)
        The claims with their results.
    study : Study
        The tables of the study.

    Examples
    --------
    >>> from divmetrics.research.papers.preferences import report
    >>> print(str(report()).split(",")[0])
    preferences: 259 pairs of lists
    """

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
        """Agreement, differences and claims in one table with the columns of `Report.rows`, all as text.

        `kind` is "agreement" (a metric in a setting), "difference" (two metrics in a setting) or "claim";
        `where` is the setting, or "preferences".
        """
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
            agreements: list[Any] = [counts.loc[row[side]] for side in ("metric_a", "metric_b")]
            a, b = (
                f"{agreement.name:16} {_counts(agreement):>9} {agreement['tau']:6.3f}"
                for agreement in agreements
            )
            yield (
                f"  {a}  {b}  {row['difference']:+10.3f} {_interval(row):16} {row['p_topics']:6.3f} "
                f"{row['holm']:6.3f}"
            )


@public
def report(data: str | os.PathLike[str] | None = None, *, progress: bool = False) -> PreferenceReport:
    """Run the study of metrics and people's preferences, or load its stored results, and report on it.

    Parameters
    ----------
    data : path, optional
        A folder of IMine files with preferences.tsv, on which the study is run (see `study`); by default, the
        results that come with the library.
    progress : bool
        Whether to show a progress bar, on a terminal only.

    Returns
    -------
    PreferenceReport
        Its `study` has the tables, its `claims` the verdicts; its text (`str`) shows both.

    Raises
    ------
    DivmetricsError
        As `load_preference_data` and `run_study` do.

    Examples
    --------
    >>> from divmetrics.research.papers.preferences import report
    >>> report().claims["verdict"].value_counts().to_dict()
    {'fragile': 5, 'does not hold': 5}
    """
    result = Study.embedded() if data is None else study(data, progress=progress)
    claims = Report.of("preferences", (), CLAIMS, result, judged=True, progress=progress).judged
    return PreferenceReport("preferences", (), claims, result)


def _counts(row: Any) -> str:
    return f"{row['agree']}-{row['disagree']}-{row['ties']}"


def _interval(row: Any) -> str:
    return f"[{row['low']:+.3f}, {row['high']:+.3f}]"
