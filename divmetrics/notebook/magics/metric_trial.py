"""The output of %%metric: the formula, the result of each rule, and the scores of some lists."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape

from divmetrics.core.collection import RankedList
from divmetrics.core.metric import BaseMetric
from divmetrics.errors import DivmetricsError
from divmetrics.explanations.formulas import formula, latex
from divmetrics.notebook.appearance.mathml import mathml
from divmetrics.notebook.expressions.rule_checks import RuleResult
from divmetrics.render.tables import (
    Cell,
    TableRow,
    format_score,
    html_notes,
    html_table,
    html_title,
    text_table,
)

MARKS = {"kept": "✓", "noted": "!", "broken": "✗"}
WORDS = {"kept": "yes", "noted": "no", "broken": "no"}
CUTOFF = 5
MOST = 8


@dataclass(frozen=True, repr=False)
class MetricTrial:
    """A checked metric; `status` says what happened to its name, `where` whose lists are scored."""

    metric: BaseMetric
    status: str
    findings: tuple[RuleResult, ...]
    lists: Mapping[str, RankedList]
    where: str

    @property
    def names(self) -> str:
        """Examples of names of the metric."""
        name, parameters = self.metric.name, self.metric.parameters()
        key = next((key for key, value in parameters.items() if not isinstance(value, str)), None)
        with_parameter = [f"{name}({key}={parameters[key]})@10"] if key else []
        return ", ".join([f"{name}@{CUTOFF}", *with_parameter, f"{name}-IS@{CUTOFF}"])

    @property
    def scores(self) -> dict[str, str]:
        """The scores of the lists, or why they cannot be scored."""
        scores = {}
        for name, ranked in list(self.lists.items())[:MOST]:
            try:
                scores[name] = format_score((self.metric @ CUTOFF).score(ranked))
            except DivmetricsError as error:
                scores[name] = str(error)
        return scores

    def _rows(self) -> list[TableRow]:
        return [
            [
                Cell(finding.rule),
                Cell(f"{MARKS[finding.verdict]} {WORDS[finding.verdict]}", style="white-space:nowrap"),
                Cell(finding.said),
            ]
            for finding in self.findings
        ]

    def _scored(self) -> list[TableRow]:
        return [[Cell(name), Cell(score, right=True)] for name, score in self.scores.items()]

    @property
    def _heads(self) -> tuple[TableRow, TableRow]:
        return [Cell("rule"), Cell("kept"), Cell("")], [
            Cell(f"list{self.where}"),
            Cell(f"@{CUTOFF}", right=True),
        ]

    def __repr__(self) -> str:
        checks, scored = self._heads
        lines = [f"{self.metric.name} {self.status}: {self.names}", "", f"  {formula(self.metric)}", ""]
        lines += [text_table(checks, self._rows()), ""]
        return "\n".join([*lines, text_table(scored, self._scored())])

    def _repr_html_(self) -> str:
        checks, scored = self._heads
        drawn = mathml(latex(self.metric)) or f"<code>{escape(formula(self.metric))}</code>"
        return "".join(
            [
                html_title(self.metric.name, f"{self.status}:"),
                html_notes([self.names]),
                f'<div style="overflow-x:auto"><div style="display:inline-block">{drawn}</div></div>',
                html_table(checks, self._rows()),
                html_table(scored, self._scored()),
            ]
        )
