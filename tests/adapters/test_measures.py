"""Every metric has a name in ir_measures, which prints back, and none takes a name that is taken."""

from __future__ import annotations

import keyword
import re

import ir_measures
import pytest

import divmetrics as dm
import divmetrics.adapters.ir_measures as div
from divmetrics.adapters.ir_measures.measures import MEASURES, Measure, identifier
from divmetrics.conventions.convention import conventions
from tests.support.missing_package import refused_without
from tests.support.paths import ROOT

# ir_measures 0.4.3 parses names with parts of `ast` that Python 3.12 warns of.
pytestmark = pytest.mark.filterwarnings("ignore:.*ast:DeprecationWarning")

EVERY = [(convention, name) for convention, table in conventions().items() for name in table.rows]
SQUARES = list(dict.fromkeys((c, f"{name.removesuffix('-IA')}-IS") for c, name in EVERY))
THEIRS = (
    *("alpha_nDCG", "alpha_DCG", "ERR_IA", "nERR_IA", "NRBP", "nNRBP", "AP_IA", "MAP_IA", "P_IA", "StRecall"),
    *("nDCG", "ERR", "RBP", "AP", "RR"),
)


@pytest.mark.parametrize(("convention", "name"), [*EVERY, *SQUARES])
def test_every_metric_is_a_measure(convention: str, name: str) -> None:
    called = identifier(f"{convention}_{name}")
    measure = getattr(div, called)
    assert called.isidentifier()
    assert not keyword.iskeyword(called)
    assert measure.metric == dm.metric(name, convention)
    assert measure == div.measure(name, convention)
    again = ir_measures.parse_measure(repr(measure @ 7))
    assert (again, again.metric) == (measure @ 7, dm.metric(f"{name}@7", convention))
    if convention == "paper":
        assert getattr(div, identifier(name)) is measure


def test_api_page_lists_every_metric() -> None:
    rows = re.findall(r"^\| (\S+) \| `(\w+)` \|", (ROOT / "API.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert [row for row in rows if row[1] != "ir_measures"] == [
        (name, repr(div.measure(name, convention))) for convention, name in EVERY
    ]


def test_identifiers_are_distinct() -> None:
    whole = [identifier(f"{convention}_{name}") for convention, name in dict.fromkeys([*EVERY, *SQUARES])]
    assert len(set(whole)) == len(whole)
    assert identifier("mein-Maß") == "mein_Maß"
    assert {repr(measure) for measure in MEASURES.values()} >= {"Dsharp_nDCG", "I_rec", "P_plus_Q", "ERR_IS"}
    assert set(div.__all__) == {"measure", "provider", "with_topics", *MEASURES}
    assert set(div.__all__) <= set(dir(div))


@pytest.mark.parametrize("name", THEIRS)
def test_names_of_ir_measures_keep_their_meaning(name: str) -> None:
    theirs = ir_measures.parse_measure(f"{name}@5" if name not in ("NRBP", "nNRBP") else name)
    assert not isinstance(theirs, Measure)
    assert not div.provider.supports(theirs)
    assert getattr(ir_measures, name) == ir_measures.measures.registry[name]
    if name in MEASURES:
        ours = getattr(div, name)
        assert repr(ours) == f"paper_{name}"
        assert ours != ir_measures.measures.registry[name]
        assert ir_measures.pyndeval.supports(ours) is ir_measures.pytrec_eval.supports(ours) is False


@pytest.mark.parametrize(
    ("written", "name", "printed"),
    [
        ("paper_alpha_nDCG(alpha=0.3)@10", "alpha-nDCG(alpha=0.3)@10", "paper_alpha_nDCG(alpha=0.3)@10"),
        ("paper_alpha_nDCG(alpha=1)@10", "alpha-nDCG(alpha=1)@10", "paper_alpha_nDCG(alpha=1.0)@10"),
        ("ndeval_NRBP(beta=0.8,alpha=0.5)", "ndeval:NRBP(beta=0.8)", "ndeval_NRBP(beta=0.8)"),
        ("Dsharp_Q(gain='exponential',gamma=0.2)@5", "D#-Q(gamma=0.2,gain=exponential)@5", None),
    ],
)
def test_parameters_are_written_as_in_ir_measures(written: str, name: str, printed: str | None) -> None:
    measure = ir_measures.parse_measure(written)
    assert measure.metric == dm.metric(name)
    assert ir_measures.parse_measure(repr(measure)) == measure
    assert printed in (None, repr(measure))
    assert div.measure(name) == measure


def test_the_order_of_parameters_does_not_matter() -> None:
    one, other = div.NRBP(alpha=0.2, beta=0.3), div.NRBP(beta=0.3)(alpha=0.2)
    assert one == other
    assert hash(one) == hash(other)
    assert div.NRBP(alpha=0.5) == div.NRBP


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"alfa": 0.5}, "paper_alpha_nDCG has no parameter 'alfa' (did you mean 'alpha'?); it has cutoff"),
        ({"alpha": 2}, "alpha-nDCG: alpha is 2.0, expected a number in [0, 1]"),
        ({"ideal": "best"}, "alpha-nDCG: ideal is 'best', expected one of greedy, exact"),
        ({"cutoff": 0}, "alpha-nDCG: the cutoff is 0, expected a whole number of at least 1"),
        ({"rel": 0}, "paper_alpha_nDCG: rel is 0, expected a whole number of at least 1"),
        ({"scale": "five"}, "paper_alpha_nDCG: scale is 'five', expected a whole number of at least 1"),
        ({"judged_only": "yes"}, "paper_alpha_nDCG: judged_only is 'yes', expected True or False"),
    ],
)
def test_wrong_parameters(params: dict[str, object], message: str) -> None:
    with pytest.raises(dm.DivmetricsError, match="^" + re.escape(message)):
        div.alpha_nDCG(**params)


def test_custom_metrics_are_measures() -> None:
    mine = dm.metric("alpha-nDCG(alpha=0.9)").with_name("my-metric")
    measure = div.measure(mine @ 5)
    assert (repr(measure), measure.metric) == ("my_metric@5", mine @ 5)
    dm.register(mine)
    try:
        changed = div.measure("my-metric(alpha=0.1)@5")
        assert changed.metric == mine.with_parameters(alpha=0.1) @ 5
        assert repr(changed) == "my_metric(alpha=0.1)@5"
        assert div.measure("my-metric@5") == measure
    finally:
        dm.unregister("my-metric")
    with pytest.raises(dm.DivmetricsError, match=r"'D#-nDCG' is another metric's name; .*method with_name"):
        div.measure(mine.with_name("D#-nDCG"))
    with pytest.raises(dm.DivmetricsError, match="there is no metric 'D-nDCQ'"):
        div.measure("D-nDCQ")
    with pytest.raises(AttributeError, match="no attribute 'D_nDCQ'"):
        div.D_nDCQ  # noqa: B018


def test_without_ir_measures() -> None:
    """Whoever has not got it reads one sentence."""
    sentence = "divmetrics.adapters.ir_measures needs the package ir-measures, which is not installed; "
    command = 'pip install "divmetrics[ir-measures]" brings it'
    message = refused_without("ir_measures", "divmetrics.adapters.ir_measures")
    assert message == f"divmetrics.optional.MissingPackage: {sentence}{command}"
