"""%%metric: define a metric in a few lines, check it against the rules, and score some lists."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape

from divmetrics.core.metric import BaseMetric
from divmetrics.core.runs import RankedList
from divmetrics.errors import DivmetricsError
from divmetrics.explanations.formulas import formula, latex
from divmetrics.notebook.appearance.mathml import mathml
from divmetrics.notebook.expressions.parse_metric import MetricDraft, write_metric
from divmetrics.notebook.expressions.rule_checks import RuleResult, broken, check_rules
from divmetrics.notebook.expressions.vocabulary import INTENTS, LISTS, NORMALISER_MEANINGS, RANKS, functions
from divmetrics.notebook.magics.arguments import read_arguments
from divmetrics.notebook.magics.magic import Magic
from divmetrics.notebook.magics.session import Session
from divmetrics.notebook.textformat.cell_parsers import FIRST_LINE
from divmetrics.registry.session import register, session_metrics
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
    """A checked metric; `status` is a phrase on its registration, `where` a phrase on the scored lists."""

    metric: BaseMetric
    status: str
    findings: tuple[RuleResult, ...]
    lists: Mapping[str, RankedList]
    where: str

    @property
    def names(self) -> str:
        """Examples of valid names of the metric, as text: with a cutoff, a parameter, and as -IS."""
        name, parameters = self.metric.name, self.metric.parameters()
        key = next((key for key, value in parameters.items() if not isinstance(value, str)), None)
        with_parameter = [f"{name}({key}={parameters[key]})@10"] if key else []
        return ", ".join([f"{name}@{CUTOFF}", *with_parameter, f"{name}-IS@{CUTOFF}"])

    @property
    def scores(self) -> dict[str, str]:
        """{name of a list: its score as text, or the reason why it cannot be scored}, for the first lists."""
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
                Cell(finding.message),
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


UNCHANGED = "nothing is registered"


def _define_metric(session: Session, line: str, cell: str) -> BaseMetric:
    """%%metric NAME

    A metric of your own. Write M, what a document adds, as if for one document and one intent; w, f and N
    where you want others than 1, the intent's probability, and 1. A number with a name is a parameter.

        %%metric my-alpha
        M = relevant * (1 - alpha) ** seen_before
        w = 1 / log2(rank + 1)
        N = ideal
        alpha = 0.5

        %%metric my-ERR
        w = 1 / rank
        satisfied * unsatisfied_before       # the last line may be M's expression alone

        %%metric steps
        M = zeros_like(grade)                # other lines help; loops may go down the ranks
        best = 0
        for k in range(depth):
            M[..., k] = max(grade[..., k] - best, 0) / top
            best = max(best, grade[..., k])

    The rules of the framework are tried at once on a hundred small lists: finite numbers, no look-ahead, and
    so on. A metric that breaks one is refused with the reason, and whatever had the name keeps it. Otherwise
    NAME@10, NAME(alpha=0.3)@10 and NAME-IS are known everywhere, and open labs show NAME. Run the cell again
    to change it; `dm.unregister("NAME")` forgets it. A line `bounded` claims that scores are between 0 and 1.

    Returns the Metric. Its repr is code that makes it again.
    """
    arguments = read_arguments(MAGIC, line)
    if len(arguments.words) != 1:
        got = f"got {' '.join(arguments.words)!r}" if arguments.words else "there is none"
        raise DivmetricsError(
            f"the first line must give the metric's name ({got}), such as %%metric my-alpha; {UNCHANGED}"
        )
    before = session_metrics().get(arguments.words[0])
    try:
        draft = write_metric(arguments.words[0], cell, FIRST_LINE)
        findings = check_rules(draft.metric, draft.bounded)
        for finding in broken(findings):
            raise DivmetricsError(
                ": ".join(filter(None, [draft.where(finding.column, finding.line), finding.message]))
            )
        metric = register(draft.metric)
    except DivmetricsError as error:
        outcome = UNCHANGED if before is None else f"{arguments.words[0]} stays as it was"
        raise DivmetricsError(f"{error}; {outcome}") from None
    from IPython.display import display

    lists = session.lists()
    where = "" if lists else " (harry potter)"
    display(MetricTrial(metric, _status(before, draft), findings, lists or _examples(), where))
    return metric


def _status(before: BaseMetric | None, draft: MetricDraft) -> str:
    if before is None:
        return "is registered"
    return "is registered as before" if before == draft.metric else "has been redefined"


def _examples() -> dict[str, RankedList]:
    from divmetrics.research.datasets import harry_potter  # the data sets load pages and recipes, too

    collection = harry_potter()
    return {name: collection.list(name, collection.topics[0].id) for name in collection.runs}


def _vocabulary() -> str:
    groups = {
        "In M": {name: word.meaning for name, word in LISTS.items()},
        "In M and w": {name: word.meaning for name, word in RANKS.items()},
        "In M, f and N": {name: word.meaning for name, word in INTENTS.items()},
        "In N": dict(NORMALISER_MEANINGS),
    }
    lines = []
    for title, words in groups.items():
        lines += [
            "",
            f"    {title}:",
            *(f"        {name.ljust(20)}{meaning}" for name, meaning in words.items()),
        ]
    calls = [f"        {meaning}" for meaning in functions().values()]
    lines += ["", "    Functions, in every column:", *calls, ""]
    return "\n".join(lines)


_define_metric.__doc__ = f"{_define_metric.__doc__}{_vocabulary()}    "
MAGIC = Magic("metric", _define_metric, kind="cell", words=("new metric",), body="words")
