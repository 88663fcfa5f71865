"""Every kind of metric has a formula, in text and in LaTeX: rows, combinations, printed, one's own."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

import divmetrics as dm
from divmetrics import parts
from divmetrics.conventions.convention import conventions
from divmetrics.conventions.printed_digits import as_printed
from divmetrics.core.metric import BaseMetric
from divmetrics.explanations.catalogue import describe
from divmetrics.explanations.formulas import formula, latex
from divmetrics.explanations.part_descriptions import (
    PartDescription,
    description_of,
    plain_formula,
    registered_description,
)

NAMES = [f"{table.name}:{name}" for table in conventions().values() for name in table.rows]
NAMES += ["ERR-IS", "D#-nDCG-IS", "P+Q-IS(leaf=self)@5"]
MERGED = ("D-nDCG", "DIN-nDCG")  # NTCIREVAL merges the gains first: another way to the same number


@pytest.mark.parametrize("name", NAMES)
def test_a_printed_metric_has_the_formula_of_the_metric(name: str) -> None:
    metric = dm.metric(name)
    printed = as_printed(metric)
    if metric.name not in MERGED:
        assert formula(printed) == formula(metric)
        assert latex(printed) == latex(metric)
    else:
        assert formula(printed).startswith(f"{metric.name}(L) = sum_k 1/log2(k+1) sum_i p(t_i|q) g")
        assert "global gain" in latex(printed)


@pytest.mark.parametrize("name", ["D#-Q", "P+Q", "ERR-IA", "D-nDCG"])
def test_a_printed_metric_is_described_and_cut(name: str) -> None:
    printed = as_printed(dm.metric(name))
    assert f"{name}(L) = " in describe(printed)
    assert printed.settings() == dm.metric(name).settings()
    assert {inner.cutoff for inner in (printed @ 7).metrics()} == {7}


@dataclass(frozen=True)
class Twice(BaseMetric):
    """A kind of one's own that has no formula of its own."""

    metric: BaseMetric


def test_a_kind_of_ones_own_has_the_formula_of_what_is_in_it() -> None:
    own = Twice("twice", dm.metric("ERR-IA"))
    assert formula(own) == formula(dm.metric("ERR-IA")).replace("ERR-IA", "twice")
    assert latex(own).endswith(latex(dm.metric("ERR-IA")).split(" = ")[1])


@pytest.mark.parametrize("per", ["intent", "topic"])
def test_a_formula_says_whose_ideal_list_divides(per):
    """Each intent's own, with its index, or one for the topic."""
    ideal = description_of(parts.SortedIdeal(per))
    assert f"the {per}'s ideal list" in ideal.text
    assert ideal.latex.endswith("_i") == (per == "intent")


@dataclass(frozen=True)
class OwnPart(parts.Part):
    """A part that nobody described."""

    size: int = 2


def test_a_part_without_a_description_has_its_repr_as_formula() -> None:
    assert plain_formula(OwnPart()) == "OwnPart(size=2)"
    row = replace(dm.metric("ERR-IA"), w=OwnPart())
    assert "OwnPart(size=2)" in formula(row)
    assert r"\mathtt{OwnPart" in latex(row)


def test_a_registered_description_and_then_own_attributes_describe_a_part() -> None:
    class Registered(OwnPart):
        pass

    class WithText(Registered):
        text = "own"

    registered_description.register(Registered, lambda part: PartDescription(f"s{part.size}", "s", "users s"))
    assert plain_formula(Registered(3)) == "s3"
    assert description_of(WithText()) == PartDescription("own", "s", "users s")
