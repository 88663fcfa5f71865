"""Conventions as plain text: tables of metrics, or one metric with its formula, parts and source."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields, is_dataclass

from divmetrics.conventions.convention import convention, conventions
from divmetrics.core.calls import public
from divmetrics.core.metric import BaseMetric, Metric
from divmetrics.core.parts import Difference, One, Part, Product
from divmetrics.explanations.formulas import formula, input_description, rows_with_roles, summary
from divmetrics.explanations.part_descriptions import plain_formula
from divmetrics.explanations.references import REFERENCES
from divmetrics.registry.aliases import SUBTOPIC_RECALL
from divmetrics.registry.plugins import GROUP
from divmetrics.registry.session import added_metrics, origins
from divmetrics.render.tables import Cell, text_table

COLUMNS = ("N", "f", "w", "M")
SETTINGS = ("parameter", "value", "may be", "what it means")
ORDER = {"score": "by score, ties by id descending", "rank": "by the rank column", "file": "as in the file"}
NUGGETS = "Coverage, recall or score of nuggets: one name, different numbers."
OTHER_SCORES = """\
Not computed, though called the same: Weighted of open-rag-eval (N is max(vital, 1) + max(okay, 1)/2), the
scores of pyterrier-nuggetizer in ir_measures (0 unless a nugget is fully supported; Weighted by support),
nugget_coverage of Auto-ARGUE (a sentence counts through the documents that it cites), the coverage of
sub-narratives in TREC RAG 2025 (no public formula; --level 1 counts the groups with a supported nugget), and
the F-measures of TREC QA."""
MEAN_OVER = {"judged": "all judged topics", "both": "topics in judgments and run"}
SHORT = {
    "the sum over the intent's ideal list": "ideal list of i",
    "the sum over the topic's ideal list": "ideal list",
    "the same sum over the greedy ideal list": "greedy ideal",
}


@public
def table_of_rows(convention_name: str = "paper") -> str:
    """Return Table 1 of Yu et al. (2017) as plain text, for the metrics of a convention and registered ones.

    Parameters
    ----------
    convention_name : str
        The name of a convention, such as "ndeval" or "nuggetizer".

    Returns
    -------
    str
        The lines, separated by newlines: the formula; the metrics that are one row, each with the formulas of
        its parts N, f, w and M; the metrics made of such rows; the metrics for pages of blocks, if the
        convention has any; and how a name sets a cutoff and parameters.

    Raises
    ------
    DivmetricsError
        If there is no such convention.

    References
    ----------
    yu2017, Table 1

    Examples
    --------
    >>> table = table_of_rows("ndeval").splitlines()
    >>> table[0]
    'T(L) = 1/N sum_k w(k) sum_i f(t_i) M_i(d_k | L^{k-1})'
    >>> table[2].split()[:2]
    ['metric', 'N']
    """
    every = [*convention(convention_name).rows.values(), *added_metrics().values()]
    rows = [m for m in every if isinstance(m, Metric)]
    others = [m for m in every if not isinstance(m, Metric)]
    lines = ["T(L) = 1/N sum_k w(k) sum_i f(t_i) M_i(d_k | L^{k-1})", "", _table_of_parts(rows)]
    if others:
        width = max(len(m.name) for m in others)
        lines += ["", "Made from these rows:", *(f"{m.name.ljust(width)}  {summary(m)}" for m in others)]
    if page_rows := convention(convention_name).page_rows:
        lines += ["", "For pages of blocks (a vertical is an intent, a block is a rank):", ""]
        lines.append(_table_of_parts(page_rows.values()))
    lines += [
        "",
        "X-IS, for any X: sum_i p(t_i|q) X over the second-level subtopics of t_i (ERR-IS, RBU-IS, ...).",
        "NAME@10 cuts at rank 10; NAME(parameter=value) sets a parameter (see `divmetrics metrics NAME`).",
    ]
    return "\n".join(lines)


def _table_of_parts(rows: Iterable[Metric]) -> str:
    heads = ("metric", "N", "f(t_i)", "w(k)", "M_i(d_k | L^{k-1})")
    return _columns([heads, *((m.name, *(part_formula(getattr(m, c)) for c in COLUMNS)) for m in rows)])


def table_of_further_rows() -> str:
    """Return the registered and plug-in metrics as plain text, each with its origin and utility M."""
    sources, rows = origins(), added_metrics()
    if not sources:
        return (
            "There are no metrics besides divmetrics' own: none is registered, and no plug-in is installed "
            f"(a package with entry points of the group {GROUP!r})."
        )
    cells = [(name, source, summary(rows[name])) for name, source in sources.items()]
    return _columns([("metric", "from", "M_i(d_k | L^{k-1})"), *cells])


def table_of_differences() -> str:
    """Return the conventions side by side: how each reads files, and every part in which they differ.

    Below them stand the scores that are called coverage or recall of nuggets.
    """
    tables = [c for c in conventions().values() if not c.of_nuggets]
    cells = [
        ("", "", *(c.name for c in tables)),
        ("a list's order", "", *(ORDER[c.order] for c in tables)),
        ("mean over topics", "", *(MEAN_OVER[c.mean_over] for c in tables)),
    ]
    for name in dict.fromkeys(name for c in tables for name in c.rows):
        rows = [c.rows.get(name) for c in tables]
        if all(row is None or isinstance(row, Metric) for row in rows):
            cells += _differences(name, rows)
    end = "Metrics made from these rows (D-X, DIN-X, X#, ad hoc X) differ as their rows do; all others agree."
    return f"{_columns(cells)}\n\n{end}\n\n{NUGGETS}\n\n{_columns(list(_nugget_rows()))}\n\n{OTHER_SCORES}"


def _nugget_rows() -> Iterator[tuple[str, ...]]:
    """Yield the heading and a line for each score of nuggets: its parts, topics, and whose it is."""
    yield "", "f(t_i)", "M_i(d_k | L^{k-1})", "N", "mean over topics", ""
    for owner in conventions().values():
        for name, row in owner.rows.items():
            if not (owner.of_nuggets or name in SUBTOPIC_RECALL):
                continue
            ((_, parts),) = rows_with_roles(row)
            columns = (_with_intents(part) for part in (parts.f, parts.M, parts.N))
            yield f"{owner.name}:{name}", *columns, MEAN_OVER[owner.mean_over], owner.about.split(";")[0]


def _with_intents(part: object) -> str:
    """Return the formula of a part, with the intents that it counts if these are not all."""
    counted = "; m: those with a relevant document" if _values(part).get("intents") == "relevant" else ""
    return part_formula(part) + counted


def _differences(name: str, rows: Sequence[BaseMetric | None]) -> list[tuple[str, ...]]:
    """Return one line per part that differs between conventions; "-" if a convention lacks the metric.

    `rows` are the metrics called `name`, one per convention.
    """
    lines: list[tuple[str, ...]] = []
    for column in COLUMNS:
        parts = [None if row is None else getattr(row, column) for row in rows]
        formulas = [None if part is None else part_formula(part) for part in parts]
        values = [{} if part is None else _values(part) for part in parts]
        if len({part for part in parts if part is not None}) < 2:
            continue
        differing = [
            k for k in dict.fromkeys(k for v in values for k in v) if len({v.get(k) for v in values if v}) > 1
        ]
        texts = []
        for text, own in zip(formulas, values, strict=True):
            settings = ", ".join(f"{k} = {own[k]}" for k in differing if k in own)
            if text is None or formulas.count(text) == 1:
                texts.append(text or "-")
            else:  # the same formula in another convention, with other parameters
                everywhere = {text} == {t for t in formulas if t}
                texts.append(settings if everywhere else ", ".join(filter(None, (text, settings))))
        lines.append((name if not lines else "", column, *texts))
    return lines


def _values(part: object) -> dict[str, str]:
    """Return {parameter: value} of a part and its inner parts; a map R is represented by its formula."""
    parameters: dict[str, str] = {}
    for f in fields(part) if is_dataclass(part) else ():
        value = getattr(part, f.name)
        if f.name == "R":
            parameters["R(g)"] = plain_formula(value)
        elif isinstance(value, Part):
            parameters |= _values(value)
        elif value is not None:
            parameters[f.name] = str(value)
    return parameters


def _columns(cells: Sequence[tuple[str, ...]]) -> str:
    """Return the cells as aligned columns with the first line underlined."""
    head, *rows = (list(map(Cell, row)) for row in cells)
    return text_table(head, rows)


def describe(metric: BaseMetric) -> str:
    """Return a metric as plain text of several lines: formula, parts as code, parameters and source."""
    lines = [str(metric), "", f"  {formula(metric)}", ""]
    for label, row in rows_with_roles(metric):
        if label:
            lines.append(label)
        for column in (*COLUMNS, "stop"):
            part = getattr(row, column)
            if part is not None:
                lines.append(f"  {column} = {part!r}")
                lines += [f"      {line}" for line in describe_part(part)]
        lines.append("")
    if read_on := input_description(metric):
        lines += [f"Read on {read_on}.", ""]
    if settings := table_of_settings(metric):
        lines += [_columns([SETTINGS, *settings]), ""]
    if metric.source in REFERENCES:
        lines.append(f"Source: {REFERENCES[metric.source]}")
    else:
        lines.append(f"Source: {origins().get(metric.name, 'not given')}")
    return "\n".join(lines)


def table_of_settings(metric: BaseMetric) -> list[tuple[str, str, str, str]]:
    """Return (name, value, allowed values, description), each a text, of every setting of a metric."""
    return [(s.name, s.values_text, s.setting.allowed, s.setting.says) for s in metric.settings()]


def part_formula(part: object) -> str:
    """Return the formula of a part, abbreviated to fit a table."""
    return SHORT.get(plain_formula(part), plain_formula(part))


def describe_part(part: object) -> list[str]:
    """Return the first line of the docstring of a part, and of each of its inner parts."""
    inner = [getattr(part, f.name) for f in fields(part)] if is_dataclass(part) else []
    below = [line for value in inner if isinstance(value, Part) for line in describe_part(value)]
    if isinstance(part, (One, Product, Difference)):
        return below
    return [(type(part).__doc__ or "").strip().splitlines()[0], *below]
