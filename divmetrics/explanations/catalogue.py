"""The tables of rows as text: all of them, or one metric with its formula, parts and source."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, is_dataclass

from divmetrics.conventions.convention import convention, conventions
from divmetrics.core.metric import BaseMetric, Metric
from divmetrics.core.parts import Difference, One, Part, Product
from divmetrics.explanations.formulas import formula, input_description, rows_with_roles, summary
from divmetrics.explanations.part_descriptions import plain_formula
from divmetrics.explanations.references import REFERENCES
from divmetrics.registry.plugins import GROUP
from divmetrics.registry.session import added_metrics, origins
from divmetrics.render.tables import Cell, text_table

COLUMNS = ("N", "f", "w", "M")
SETTINGS = ("parameter", "value", "may be", "what it means")
ORDER = {"score": "by score, ties by id descending", "rank": "by the rank column", "file": "as in the file"}
MEAN_OVER = {"judged": "all judged topics", "both": "topics in judgments and run"}
SHORT = {
    "the sum over the intent's ideal list": "ideal list of i",
    "the sum over the topic's ideal list": "ideal list",
    "the same sum over the greedy ideal list": "greedy ideal",
}


def table_of_rows(convention_name: str = "paper") -> str:
    """Table 1 of Yu et al. (2017), for every metric of a convention and for your own, in plain text."""
    every = [*convention(convention_name).rows.values(), *added_metrics().values()]
    rows = [m for m in every if isinstance(m, Metric)]
    others = [m for m in every if not isinstance(m, Metric)]
    heads = ("metric", "N", "f(t_i)", "w(k)", "M_i(d_k | L^{k-1})")
    cells = [heads, *((m.name, *(part_formula(getattr(m, column)) for column in COLUMNS)) for m in rows)]
    lines = ["T(L) = 1/N sum_k w(k) sum_i f(t_i) M_i(d_k | L^{k-1})", "", _columns(cells)]
    if others:
        width = max(len(m.name) for m in others)
        lines += ["", "Made from these rows:", *(f"{m.name.ljust(width)}  {summary(m)}" for m in others)]
    lines += [
        "",
        "X-IS, for any X: sum_i p(t_i|q) X over the second-level subtopics of t_i (ERR-IS, RBU-IS, ...).",
        "NAME@10 cuts at rank 10; NAME(parameter=value) sets a parameter (see `divmetrics metrics NAME`).",
    ]
    return "\n".join(lines)


def table_of_further_rows() -> str:
    """The metrics that are not divmetrics' own, each with where it comes from and what a document adds."""
    found, rows = origins(), added_metrics()
    if not found:
        return (
            "There are no metrics besides divmetrics' own: none is registered, and no plug-in is installed "
            f"(a package with entry points of the group {GROUP!r})."
        )
    cells = [(name, whose, summary(rows[name])) for name, whose in found.items()]
    return _columns([("metric", "from", "M_i(d_k | L^{k-1})"), *cells])


def table_of_differences() -> str:
    """The conventions side by side: what each assumes about files, and every part in which rows differ."""
    known = list(conventions().values())
    cells = [
        ("", "", *(c.name for c in known)),
        ("a list's order", "", *(ORDER[c.order] for c in known)),
        ("mean over topics", "", *(MEAN_OVER[c.mean_over] for c in known)),
        ("TREC's subtopic 0", "", *("an intent" if c.whole_topic_counts else "no intent" for c in known)),
    ]
    for name in dict.fromkeys(name for c in known for name in c.rows):
        rows = [c.rows.get(name) for c in known]
        if all(row is None or isinstance(row, Metric) for row in rows):
            cells += _differences(name, rows)
    end = "Metrics made from these rows (D-X, DIN-X, X#, ad hoc X) differ as their rows do; all others agree."
    return f"{_columns(cells)}\n\n{end}"


def _differences(name: str, rows: Sequence[BaseMetric | None]) -> list[tuple[str, ...]]:
    """One line per part that is not the same wherever the name is known; "-" where it is not known."""
    found: list[tuple[str, ...]] = []
    for column in COLUMNS:
        parts = [None if row is None else getattr(row, column) for row in rows]
        told = [None if part is None else part_formula(part) for part in parts]
        values = [{} if part is None else _values(part) for part in parts]
        if len({part for part in parts if part is not None}) < 2:
            continue
        differing = [
            k for k in dict.fromkeys(k for v in values for k in v) if len({v.get(k) for v in values if v}) > 1
        ]
        shown = []
        for text, own in zip(told, values, strict=True):
            stated = ", ".join(f"{k} = {own[k]}" for k in differing if k in own)
            if text is None or told.count(text) == 1:
                shown.append(text or "-")
            else:  # the same formula elsewhere, with other parameters
                everywhere = {text} == {t for t in told if t}
                shown.append(stated if everywhere else ", ".join(filter(None, (text, stated))))
        found.append((name if not found else "", column, *shown))
    return found


def _values(part: object) -> dict[str, str]:
    """The parameters of a part and of the parts inside it; a map R as its formula."""
    found: dict[str, str] = {}
    for f in fields(part) if is_dataclass(part) else ():
        value = getattr(part, f.name)
        if f.name == "R":
            found["R(g)"] = plain_formula(value)
        elif isinstance(value, Part):
            found |= _values(value)
        elif value is not None:
            found[f.name] = str(value)
    return found


def _columns(cells: Sequence[tuple[str, ...]]) -> str:
    """Aligned columns, the first line underlined."""
    head, *rows = (list(map(Cell, row)) for row in cells)
    return text_table(head, rows)


def describe(metric: BaseMetric) -> str:
    """One metric: formula, parts, parameters, source, and the code that makes it."""
    lines = [str(metric), "", f"  {formula(metric)}", ""]
    for label, row in rows_with_roles(metric):
        if label:
            lines.append(f"{label}")
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
    """What a name may set in a metric: the name, its value now, what it may be, and what it means."""
    return [
        (found.name, found.shown, found.setting.allowed, found.setting.says) for found in metric.settings()
    ]


def part_formula(part: object) -> str:
    """The formula of a part, short enough for a table."""
    return SHORT.get(plain_formula(part), plain_formula(part))


def describe_part(part: object) -> list[str]:
    """What a part is, in words: the first line of its documentation, and of the parts inside it."""
    inner = [getattr(part, f.name) for f in fields(part)] if is_dataclass(part) else []
    below = [line for value in inner if isinstance(value, Part) for line in describe_part(value)]
    if isinstance(part, (One, Product, Difference)):
        return below
    return [(type(part).__doc__ or "").strip().splitlines()[0], *below]
