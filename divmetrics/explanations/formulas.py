"""A metric as a formula, put together from the formulas of its parts: plain text and LaTeX."""

from __future__ import annotations

from divmetrics.core.metric import BaseMetric, ByIntentType, Collapsed, IntentSquare, Metric, WeightedSum
from divmetrics.core.parts import One
from divmetrics.shown.escaping import in_latex

GLOBAL_GAIN = {
    "D": "one intent with the global gain GG(d) = sum_i p(t_i|q) gain_i(d)",
    "DIN": "one intent with the global gain GG(d) = sum_i p(t_i|q) gain_i(d), "
    "a navigational intent counted for its first relevant document only",
    "ad hoc": "one intent with the topic's grade (floor(log2(S+1)) of the sum S of several intents' grades)",
}


def formula(metric: BaseMetric) -> str:
    """One line of plain text."""
    return f"{metric.name}(L) = {_right_side(metric)}"


def _right_side(metric: BaseMetric) -> str:
    if isinstance(metric, Metric):
        w = "" if isinstance(metric.w, One) else f"{_text(metric.w)} "
        f = "" if isinstance(metric.f, One) else f"{_text(metric.f)} "
        tail = "" if metric.stop is None else f", down to {_text(metric.stop)}"
        # A normaliser without subscript divides the whole sum; one per intent divides inside it.
        n = "" if isinstance(metric.N, One) else f" / ({_text(metric.N)})"
        return f"sum_k {w}sum_i {f}{_text(metric.M)}{n}{tail}"
    if isinstance(metric, WeightedSum):
        return " + ".join(f"{weight} {inner.name}(L)" for weight, inner in metric.terms)
    if isinstance(metric, ByIntentType):
        inf, nav = _right_side(metric.informational), _right_side(metric.navigational)
        return f"informational i: {inf}; navigational i: {nav}"
    if isinstance(metric, Collapsed):
        return f"{_right_side(metric.row)}, on {GLOBAL_GAIN[metric.collapse]}"
    if isinstance(metric, IntentSquare):
        return f"sum_i p(t_i|q) {metric.metric.name}(L) over the second-level subtopics of t_i"
    raise TypeError(f"{type(metric).__name__} has no formula")


def latex(metric: BaseMetric) -> str:
    """The right-hand side for a typeset formula (no dollar signs)."""
    name = rf"\mathrm{{{in_latex(metric.name)}}}(L)"
    return f"{name} = {_right_latex(metric)}"


def _right_latex(metric: BaseMetric) -> str:
    if isinstance(metric, Metric):
        w = "" if isinstance(metric.w, One) else _latex(metric.w)
        f = "" if isinstance(metric.f, One) else _latex(metric.f)
        n = "" if isinstance(metric.N, One) else rf"\frac{{1}}{{{_latex(metric.N)}}}"
        tail = "" if metric.stop is None else rf"\quad\text{{down to }}{_latex(metric.stop)}"
        return rf"\sum_{{k}} {w} \sum_{{i=1}}^{{m}} {f}\,{n}\,{_latex(metric.M)}{tail}"
    if isinstance(metric, WeightedSum):
        return " + ".join(
            rf"{str(weight).replace('gamma', chr(92) + 'gamma')}\,\mathrm{{{in_latex(inner.name)}}}(L)"
            for weight, inner in metric.terms
        )
    if isinstance(metric, ByIntentType):
        return (
            rf"\begin{{cases}}{_right_latex(metric.informational)}&\text{{informational}}\\"
            rf"{_right_latex(metric.navigational)}&\text{{navigational}}\end{{cases}}"
        )
    if isinstance(metric, Collapsed):
        return rf"{_right_latex(metric.row)}\quad\text{{({GLOBAL_GAIN[metric.collapse].split(' GG')[0]})}}"
    if isinstance(metric, IntentSquare):
        return rf"\sum_{{i=1}}^{{m}} p(t_i|q)\,\mathrm{{{in_latex(metric.metric.name)}}}_i(L)"
    raise TypeError(f"{type(metric).__name__} has no formula")


def _text(part: object) -> str:
    return getattr(part, "text", "") or repr(part)


def _latex(part: object) -> str:
    return getattr(part, "latex", "") or rf"\mathtt{{{in_latex(repr(part))}}}"
