"""Whatever takes a metric takes its name, too, or says in one sentence that it does not."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

import pytest

import divmetrics as dm
import divmetrics_widgets
from divmetrics import aggregated, charts, conventions, core, explanations, registry
from divmetrics.adapters import ir_measures
from divmetrics.notebook import expressions
from divmetrics.parts import GreedyIdeal
from divmetrics.research import counterfactual
from tools.api_page import PACKAGES

TOPIC = dm.Topic("7", (dm.Intent("film", 0.6), dm.Intent("book", 0.4)))
GRADES = {"d1": {"film": 1}, "d2": {"book": 1}}
LIST, OTHER = (dm.RankedList(TOPIC, docs, GRADES) for docs in (["d1", "d2", "d3"], ["d2", "d3", "d1"]))
FILES = {"qrels": {"7": GRADES}, "runs": {"r": {"7": ["d1", "d2"]}}}
PAIR = {
    "qrels": {"7": GRADES, "8": GRADES},
    "runs": {"r": {"7": ["d1", "d2"], "8": ["d1"]}, "s": {"7": ["d2"], "8": ["d2"]}},
}
ITEMS = [aggregated.Item("w1", 2), aggregated.Item("w2", 1), aggregated.Item("w3")]
LAYOUT = aggregated.PageLayout(web=2, verticals=1, items=1)
QUERY = aggregated.Query(
    "q",
    (aggregated.Vertical("web", 1.0, ITEMS), aggregated.Vertical("news", 0.8, [aggregated.Item("n1", 2)])),
    LAYOUT,
)
PAGE = aggregated.ideal_page(QUERY)
BATCH = core.batch_lists([LIST])
ROW = dm.metric("alpha-nDCG@5")


def finder(m1: Any, m2: Any = "D#-nDCG@5") -> divmetrics_widgets.DisagreementFinder:
    return divmetrics_widgets.DisagreementFinder(m1, m2, budget=100)


# By callable and parameter: a call with one metric, and the name to try.
TAKE: dict[str, tuple[Callable[[Any], object], str]] = {
    "check metric": (lambda m: dm.check(m, LIST), "ERR-IA@5"),
    "compare metrics": (lambda m: dm.compare(**PAIR, metrics=m).scores.values.tolist(), "ERR-IA@5"),
    "disagree m1": (lambda m: repr(dm.disagree(m, "S-recall@2", LIST, 2)), "ERR-IA@2"),
    "disagree m2": (lambda m: repr(dm.disagree("S-recall@2", m, LIST, 2)), "ERR-IA@2"),
    "evaluate metrics": (lambda m: dm.evaluate(**FILES, metrics=m).values.tolist(), "ERR-IA@5"),
    "explain metric": (lambda m: dm.explain(m, LIST).values.tolist(), "ERR-IA@5"),
    "explain_in_words metric": (lambda m: dm.explain_in_words(m, LIST), "ERR-IA@5"),
    "flip metric": (lambda m: repr(dm.flip(m, LIST, OTHER)), "ERR-IA@5"),
    "flip keep": (lambda m: repr(dm.flip("ERR-IA@5", LIST, OTHER, keep=m)), "S-recall@2"),
    "metric name": (dm.metric, "ERR-IA@5"),
    "reader_mix metric": (lambda m: dm.reader_mix(m, LIST, OTHER, "film").spans, "ERR-IA@5"),
    "register metric": (dm.register, "ERR-IA"),
    "score metric": (lambda m: dm.score(m, ["d1"], GRADES), "ERR-IA@5"),
    "IntentSquare metric": (lambda m: core.IntentSquare("mine-IS", m), "ERR-IA"),
    "greedy_order row": (
        lambda m: core.greedy_order(BATCH.judged, m, "ascending", 2).tolist(),
        "alpha-nDCG@5",
    ),
    "names_of name": (registry.names_of, "ERR-IA@5"),
    "with_defaults name": (lambda m: registry.with_defaults(m, {"alpha": 0.3}), "alpha-nDCG@5"),
    "as_printed metric": (conventions.as_printed, "ntcireval:D-nDCG@5"),
    "best_page metric": (lambda m: repr(aggregated.best_page(QUERY, m)), "AS_DCG"),
    "explain_page metric": (lambda m: aggregated.explain_page(m, PAGE).values.tolist(), "AS_DCG"),
    "score_pages metrics": (lambda m: aggregated.score_pages([PAGE], m).values.tolist(), "AS_DCG"),
    "Contributions.of metric": (
        lambda m: explanations.Contributions.of(m, BATCH, TOPIC, [LIST.docs])[0].values.tolist(),
        "ERR-IA@5",
    ),
    "Contributions.of_list metric": (
        lambda m: explanations.Contributions.of_list(m, LIST).values.tolist(),
        "ERR-IA@5",
    ),
    "formula metric": (explanations.formula, "ERR-IA@5"),
    "latex metric": (explanations.latex, "ERR-IS@5"),
    "Goal flip": (lambda m: str(counterfactual.Goal(m).flip), "ERR-IA@5"),
    "Goal keep": (lambda m: [str(each) for each in counterfactual.Goal("ERR-IA@5", [m]).keep], "S-recall@2"),
    "contributions metric": (lambda m: charts.contributions(m, LIST).description, "ERR-IA@5"),
    "pages metric": (lambda m: charts.pages(m, PAGE).description, "AS_DCG"),
    "check_rules metric": (expressions.check_rules, "ERR-IA"),
    "measure name": (ir_measures.measure, "ERR-IA@5"),
    "ContributionsView metric": (lambda m: divmetrics_widgets.ContributionsView(m, LIST).metric, "ERR-IA@5"),
    "ContributionsView metrics": (
        lambda m: divmetrics_widgets.ContributionsView("S-recall@5", LIST, metrics=[m]).metric,
        "ERR-IA@5",
    ),
    "DisagreementFinder m1": (lambda m: repr(finder(m)), "ERR-IA@5"),
    "DisagreementFinder m2": (lambda m: repr(finder("S-recall@5", m)), "ERR-IA@5"),
    "HierarchyLab metric": (lambda m: divmetrics_widgets.HierarchyLab(metric=m).metric, "ERR-IA@5"),
    "MetricComposer metric": (lambda m: divmetrics_widgets.MetricComposer(m).metric, "ERR-IA@5"),
    "RankedListLab metrics": (lambda m: divmetrics_widgets.RankedListLab(metrics=[m]).metrics, "ERR-IA@5"),
    "ReaderWalk metric": (lambda m: divmetrics_widgets.ReaderWalk(m, LIST).metric, "ERR-IA@5"),
    "ReaderWalk metrics": (
        lambda m: divmetrics_widgets.ReaderWalk("ERR-IA@5", LIST, metrics=[m]).metric,
        "alpha-nDCG@5",
    ),
}  # fmt: skip
# What is below the registry cannot parse names, and a name can only be registered with its metric.
NO_NAMES = {"as_printed metric", "greedy_order row", "IntentSquare metric", "register metric"}
# The library makes these of metrics that it has parsed; and the parts of a Metric get the row itself.
MADE_OF_PARSED = {
    "Agreement", "Convention", "Disagreement", "Flip", "NoFlip", "PartTable", "ReaderMix", "Metric",
}  # fmt: skip


def takers() -> Iterator[str]:
    """Yield "callable parameter" for each public function, class or class method that takes a metric."""
    for package in map(import_module, PACKAGES):
        for name in package.__all__:
            thing = getattr(package, name)
            if inspect.isclass(thing) and thing.__name__ in MADE_OF_PARSED:
                continue
            if inspect.isfunction(thing) or inspect.isclass(thing):
                yield from parameters_for_metrics(name, thing)
            for key, member in vars(thing).items() if inspect.isclass(thing) else ():
                if isinstance(member, classmethod) and not key.startswith("_"):
                    yield from parameters_for_metrics(f"{name}.{key}", getattr(thing, key))


def parameters_for_metrics(name: str, function: Callable[..., Any]) -> Iterator[str]:
    for parameter in inspect.signature(function).parameters.values():
        if re.search(r"\b(Base)?Metrics?(Row)?\b", str(parameter.annotation)):
            yield f"{name} {parameter.name}"


def test_every_public_callable_that_takes_a_metric_is_tried() -> None:
    others = {"RankedListLab.from_files metrics"}  # it needs files, and is tried with names in tests/widgets
    assert set(takers()) - others == set(TAKE)


@pytest.mark.parametrize("taker", TAKE)
def test_a_name_is_as_good_as_its_metric_or_refused_in_one_sentence(taker: str) -> None:
    call, name = TAKE[taker]
    parsed = dm.metric(name)
    if taker in NO_NAMES:
        with pytest.raises(dm.DivmetricsError, match=f"^[^\n]*{re.escape(name)}[^\n]*etric[^\n]*$"):
            call(name)
    else:
        assert call(name) == call(parsed)


@pytest.mark.parametrize("taker", TAKE)
def test_an_unknown_name_is_refused_in_one_sentence(taker: str) -> None:
    with pytest.raises(dm.DivmetricsError, match=r"^[^\n]*no such metric[^\n]*$"):
        TAKE[taker][0]("no such metric@5")


def test_a_sentence_says_how_to_get_the_metric_of_a_name() -> None:
    with pytest.raises(dm.DivmetricsError, match=r"divmetrics\.metric\('alpha-nDCG'\)"):
        core.greedy_order(BATCH.judged, "alpha-nDCG", "ascending", 2)  # type: ignore[arg-type]
    assert GreedyIdeal().order(BATCH.judged, ROW).shape == (1, 2)  # type: ignore[arg-type]
