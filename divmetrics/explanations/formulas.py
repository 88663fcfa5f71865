"""A metric's formula, put together from the formulas of its parts: plain text and LaTeX.

Metrics of other types register their formulas with `right_side` and `right_side_latex`.
"""

from __future__ import annotations

from functools import singledispatch

from divmetrics.core.calls import public
from divmetrics.core.metric import BaseMetric, ByIntentType, Collapsed, IntentSquare, Metric, WeightedSum
from divmetrics.core.parts import One
from divmetrics.explanations.part_descriptions import description_of, plain_formula
from divmetrics.registry.parse import metric as metric_named
from divmetrics.render.escaping import escape_latex_math

GLOBAL_GAIN = "the global gain GG(d) = sum_i p(t_i|q) gain_i(d)"
# The input of a collapsed row: in full, for the end of a formula, and in brief.
COLLAPSED_INPUT = {
    "D": (f"one intent with {GLOBAL_GAIN}", "the global gain"),
    "DIN": (
        f"one intent with {GLOBAL_GAIN}, a navigational intent counted for its first relevant document only",
        "the global gain, navigational intents counted once",
    ),
    "ad hoc": (
        "one intent with the topic's grade (floor(log2(S+1)) of the sum S of several intents' grades)",
        "one intent (m = 1)",
    ),
}


@public
def formula(metric: str | BaseMetric) -> str:
    """Return a metric's formula as one line of plain text.

    Parameters
    ----------
    metric : str or Metric
        A metric of any type, or its name.

    Returns
    -------
    str
        "NAME(L) = " and the right-hand side. L is the list, k a rank, i an intent, t_i its topic part, q the
        query, g the grade of the document, m the number of intents; parameters keep their letters.

    Raises
    ------
    DivmetricsError
        If there is no metric of this name.

    Examples
    --------
    >>> from divmetrics.explanations import formula
    >>> formula("alpha-DCG")
    'alpha-DCG(L) = sum_k 1/log2(k+1) sum_i I(g) (1 - alpha)^{c_{k-1}}'
    """
    row = metric_named(metric)
    return f"{row.name}(L) = {right_side(row)}"


@public
def latex(metric: str | BaseMetric) -> str:
    r"""Return a metric's formula in LaTeX, without dollar signs.

    Parameters
    ----------
    metric : str or Metric
        A metric of any type, or its name.

    Returns
    -------
    str
        The equation of `formula`, with both sides; a part without LaTeX is shown as its repr.

    Raises
    ------
    DivmetricsError
        If there is no metric of this name.

    Examples
    --------
    >>> from divmetrics.explanations import latex
    >>> print(latex("ERR-IS"))
    \mathrm{ERR\text{-}IS}(L) = \sum_{i=1}^{m} p(t_i\mid q)\,\mathrm{ERR\text{-}IA}_i(L)
    """
    row = metric_named(metric)
    return f"{_left_side_latex(row)}{right_side_latex(row)}"


def latex_terms(row: Metric) -> list[tuple[str, str]]:
    """Return a row's equation in LaTeX as pieces (column, LaTeX), which form the equation when joined.

    The column is the part that a piece stands for: "N", "f", "w", "M", "stop", or "" for none.
    """
    f, w = ("" if isinstance(part, One) else _part_latex(part) for part in (row.f, row.w))
    n = "" if isinstance(row.N, One) else rf"\frac{{1}}{{{_part_latex(row.N)}}}"
    tail = "" if row.stop is None else rf"\quad\text{{down to }}{_part_latex(row.stop)}"
    return [
        ("", _left_side_latex(row)),
        ("", r"\sum_{k} "),
        ("w", w),
        ("", r" \sum_{i=1}^{m} "),
        ("f", f),
        ("", r"\,"),
        ("N", n),
        ("", r"\,"),
        ("M", _part_latex(row.M)),
        ("stop", tail),
    ]


@singledispatch
def right_side(metric: BaseMetric) -> str:
    """Return the right-hand side of a formula in plain text; by default made of the inner formulas."""
    return "; ".join(map(right_side, metric.components()))


@right_side.register
def _(metric: Metric) -> str:
    f, w = ("" if isinstance(part, One) else f"{plain_formula(part)} " for part in (metric.f, metric.w))
    # A normaliser without subscript divides the whole sum; one per intent divides inside it.
    n = "" if isinstance(metric.N, One) else f" / ({plain_formula(metric.N)})"
    tail = "" if metric.stop is None else f", down to {plain_formula(metric.stop)}"
    return f"sum_k {w}sum_i {f}{plain_formula(metric.M)}{n}{tail}"


@right_side.register
def _(metric: WeightedSum) -> str:
    return " + ".join(f"{weight} {term.name}(L)" for weight, term in metric.terms)


@right_side.register
def _(metric: ByIntentType) -> str:
    return (
        f"informational i: {right_side(metric.informational)}; "
        f"navigational i: {right_side(metric.navigational)}"
    )


@right_side.register
def _(metric: Collapsed) -> str:
    return f"{right_side(metric.row)}, on {input_description(metric)}"


@right_side.register
def _(metric: IntentSquare) -> str:
    return f"sum_i p(t_i|q) {metric.metric.name}(L) over the second-level subtopics of t_i"


@singledispatch
def right_side_latex(metric: BaseMetric) -> str:
    """Return the right-hand side of a formula in LaTeX; by default made of the inner formulas."""
    return r";\quad ".join(map(right_side_latex, metric.components()))


@right_side_latex.register
def _(metric: Metric) -> str:
    return "".join(term for _, term in latex_terms(metric)[1:])


@right_side_latex.register
def _(metric: WeightedSum) -> str:
    weights = [str(weight).replace("gamma", r"\gamma") for weight, _ in metric.terms]
    names = [rf"{_name_latex(term)}(L)" for _, term in metric.terms]
    return " + ".join(rf"{weight}\,{name}" for weight, name in zip(weights, names, strict=True))


@right_side_latex.register
def _(metric: ByIntentType) -> str:
    return (
        rf"\begin{{cases}}{right_side_latex(metric.informational)}&\text{{informational}}\\"
        rf"{right_side_latex(metric.navigational)}&\text{{navigational}}\end{{cases}}"
    )


@right_side_latex.register
def _(metric: Collapsed) -> str:
    return rf"{right_side_latex(metric.row)}\quad\text{{({input_description(metric).split(' GG')[0]})}}"


@right_side_latex.register
def _(metric: IntentSquare) -> str:
    return rf"\sum_{{i=1}}^{{m}} p(t_i\mid q)\,{_name_latex(metric.metric)}_i(L)"


@singledispatch
def summary(metric: BaseMetric) -> str:
    """Return the components of a metric in a few words; for a single row, the formula of its utility M."""
    return formula(metric)


@summary.register
def _(metric: Metric) -> str:
    return plain_formula(metric.M)


@summary.register
def _(metric: WeightedSum) -> str:
    return " + ".join(f"{weight} {term.name}" for weight, term in metric.terms)


@summary.register
def _(metric: ByIntentType) -> str:
    informational, navigational = metric.informational.name, metric.navigational.name
    return f"{informational} for informational intents, {navigational} for navigational ones"


@summary.register
def _(metric: Collapsed) -> str:
    return f"{metric.row.name} on {brief_input_description(metric)}"


def input_description(metric: BaseMetric) -> str:
    """Return a description of the input of a metric's rows, or "" if it is the topic's intents."""
    return COLLAPSED_INPUT[metric.collapse][0] if isinstance(metric, Collapsed) else ""


def brief_input_description(metric: Collapsed) -> str:
    """Return a few words on the input of a collapsed metric's row."""
    return COLLAPSED_INPUT[metric.collapse][1]


@singledispatch
def component_roles(metric: BaseMetric) -> list[str]:
    """Return the role of each of `metric.components()` in words, or ""."""
    return [""] * len(metric.components())


@component_roles.register
def _(metric: WeightedSum) -> list[str]:
    return [f"{weight} = {weight():.4g} times {term.name}" for weight, term in metric.terms]


@component_roles.register
def _(metric: ByIntentType) -> list[str]:
    return ["for informational intents", "for navigational intents"]


@component_roles.register
def _(metric: IntentSquare) -> list[str]:
    return ["within each first-level subtopic"]


def rows_with_roles(metric: BaseMetric) -> list[tuple[str, Metric]]:
    """Return (role in words, row) for each row inside a metric; the role is "" for a metric that is a row."""
    if isinstance(metric, Metric):
        return [("", metric)]
    return [
        (", ".join(filter(None, (role, inner_role))), row)
        for role, inner in zip(component_roles(metric), metric.components(), strict=True)
        for inner_role, row in rows_with_roles(inner)
    ]


def _part_latex(part: object) -> str:
    return description_of(part).latex or rf"\mathtt{{{escape_latex_math(repr(part))}}}"


def _name_latex(metric: BaseMetric) -> str:
    return rf"\mathrm{{{escape_latex_math(metric.name)}}}"


def _left_side_latex(metric: BaseMetric) -> str:
    return f"{_name_latex(metric)}(L) = "
