"""Metrics by family: every metric stands in one, with what its readers do and its source."""

from __future__ import annotations

import pytest

import divmetrics as dm
from divmetrics.conventions.convention import conventions
from divmetrics.explanations.formulas import summary
from divmetrics.explanations.references import REFERENCES
from divmetrics.explanations.user_model_texts import describe_users
from divmetrics.notebook.expressions.parse_metric import write_metric
from divmetrics.notebook.taxonomy import families, family_of, line
from divmetrics.parts import Log2, One, Probability, Relevant
from divmetrics.registry.parse import intent_square, metrics


def menu(convention: str = "paper") -> dict[str, list[str]]:
    return {family.title: [listed.name for listed in family.metrics] for family in families(convention)}


@pytest.mark.parametrize("convention", conventions())
def test_every_metric_stands_in_one_family(convention: str) -> None:
    listed = [name for members in menu(convention).values() for name in members]
    squares = [
        square.name
        for name in metrics(convention, of="lists")
        if (square := _square(name, convention)) is not None
    ]
    assert sorted(listed) == sorted([*metrics(convention, of="lists"), *squares])
    assert len(set(listed)) == len(listed)


def _square(name: str, convention: str) -> dm.core.IntentSquare | None:
    return intent_square(dm.metric(name, convention))


def test_families_are_those_of_the_pictures() -> None:
    families = menu()
    assert families["Intents found"] == ["S-recall", "I-rec", "S-recall-lmin"]
    leave = ["ERR-IA", "RBP-IA", "EBR-IA", "iRBU-IA", "RBU", "RBU-original"]
    assert families["Readers who leave"] == ["S-precision", "WS-precision", *leave]
    assert families["Readers who want something new"] == ["alpha-DCG", "alpha-nDCG", "NRBP"]
    assert families["Graded gain"] == ["nDCG-IA"]
    assert families["Precision for each intent"] == ["P-IA", "AP-IA", "Q-IA"]
    assert {name[0] for name in families["One grade for all intents (D, D#)"]} == {"D"}
    assert all(name.startswith(("DIN", "P+", "Ef")) for name in families["Navigational intents (DIN, P+)"])
    assert families["Classic metrics"] == [n for n in metrics() if "(m = 1)" in summary(dm.metric(n))]
    assert all(name.endswith("-IS") for name in families["Within each intent (-IS)"])
    assert list(families)[-1] == "Within each intent (-IS)"


def test_every_metric_has_a_line_and_a_source() -> None:
    for family in families():
        for listed in family.metrics:
            metric = dm.metric(listed.name)
            year = str(REFERENCES[metric.source].year)
            assert listed.source.endswith(year), listed
            assert listed.line.endswith("."), listed
            assert listed.line in map(describe_users, (metric, getattr(metric, "row", metric))) or any(
                inner.name in listed.line for inner in metric.metrics() if inner is not metric
            ), listed


def test_of_a_written_metric_the_line_is_what_was_written() -> None:
    written = write_metric("mine", "M = relevant * 0.5 ** seen_before").metric
    assert line(written) == "A document adds relevant * 0.5 ** seen_before."


def test_what_people_call_a_metric_leads_to_it() -> None:
    others = {listed.name: listed.others for family in families() for listed in family.metrics}
    assert "precision" in others["Prec"]
    assert "coverage" in others["S-recall"]
    words = {listed.name: listed.words for family in families() for listed in family.metrics}
    patient = {name for name, phrases in words.items() if "patience" in phrases}
    assert {"RBP-IA", "iRBU-IA", "RBU", "NRBP", "D#-RBP"} <= patient
    assert not {"ERR-IA", "nDCG-IA", "S-recall"} & patient


def test_custom_metrics_come_first_and_can_be_removed() -> None:
    before = menu()
    dm.register(dm.Metric("mine", N=One(), f=Probability(), w=Log2(), M=Relevant()))
    try:
        first = families()[0]
        assert [(of.name, of.source) for of in first.metrics] == [("mine", "this session")]
        assert "Readers count" in first.metrics[0].line
        assert "mine-IS" in menu()["Within each intent (-IS)"]
    finally:
        dm.unregister("mine")
    assert menu() == before


@pytest.mark.parametrize(
    ("key", "short"),
    [
        ("chapelle2011", "Chapelle et al. 2011"),
        ("sakaisong2011", "Sakai & Song 2011"),
        ("sakai2012", "Sakai 2012"),
    ],
)
def test_a_source_is_cited_in_short(key: str, short: str) -> None:
    assert REFERENCES[key].short == short


def test_a_row_with_a_preferred_rank_is_navigational() -> None:
    metric = dm.metric("P+Q")
    assert [family_of(inner) for inner in metric.metrics()] == ["kinds", "counters", "kinds"]
