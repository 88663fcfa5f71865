"""The tables of Sakai & Zeng (2019): as printed, what follows from them, and their measures on IMine."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import divmetrics as dm
from divmetrics import datasets, meta
from divmetrics.research.papers.imine import imine
from divmetrics.research.papers.preferences import load_preference_data
from divmetrics.research.papers.sakaizeng2019 import selection
from divmetrics.research.papers.sakaizeng2019.measures import IA, METRICS, SHARP, at_cutoff
from tools.sakaizeng2019_on_imine import compute_tables
from tools.stored_tables import DATASETS

TABLES = {
    ("relevance", "all"): ("Table 5(a)", 1115),
    ("relevance", "high agreement"): ("Table 5(b)", 894),
    ("diversity", "all"): ("Table 6(a)", 1119),
    ("diversity", "high agreement"): ("Table 6(b)", 897),
}


def test_printed_taus_and_intervals_follow_from_the_printed_counts():
    printed = datasets.sakaizeng2019_agreement()
    assert len(printed) == 120
    for row in printed.itertuples():
        assert row.agree + row.disagree == TABLES[row.question, row.pairs_of][1]
        tau_and_interval = meta.preference_tau(row.agree, row.disagree, decimals=3)
        assert [f"{x:.3f}" for x in tau_and_interval] == [f"{x:.3f}" for x in (row.tau, row.low, row.high)]


def test_printed_counts_are_the_paper_s(research_files: Path):
    golden = json.loads((research_files / "golden" / "published.json").read_text())
    inputs = {
        (row["table"], row["row"].replace("(p=", "(phi=")): row["inputs"]
        for row in golden
        if row["paper"] == "Sakai & Zeng 2019" and row["column"] == "agree+disagree"
    }
    assert len(inputs) == 120
    for row in datasets.sakaizeng2019_agreement().itertuples():
        assert inputs[TABLES[row.question, row.pairs_of][0], row.metric] == f"{row.agree}+{row.disagree}"


def test_printed_taus_and_intervals_are_the_paper_s(research_files: Path):
    golden = json.loads((research_files / "golden" / "published.json").read_text())
    printed = {
        (row["table"], row["row"].replace("(p=", "(phi="), row["column"]): row["printed"]
        for row in golden
        if row["table"] in {table for table, _ in TABLES.values()} and row["column"] in ("tau", "95% CI")
    }
    assert len(printed) == 240
    for row in datasets.sakaizeng2019_agreement().itertuples():
        table = TABLES[row.question, row.pairs_of][0]
        assert printed[table, row.metric, "tau"] == row.tau
        assert printed[table, row.metric, "95% CI"] == f"[{row.low:.3f}, {row.high:.3f}]"


def test_every_printed_metric_is_one_of_ours():
    for (_, _), table in datasets.sakaizeng2019_agreement().groupby(["question", "pairs_of"]):
        assert len({str(dm.metric(name) @ 10) for name in table["metric"]}) == 30


def test_printed_alphas():
    """What section 6.2 says of Table 4, as far as the table says so, too: judge 5 is not the odd one out."""
    for question, part in datasets.sakaizeng2019_alpha().groupby("question"):
        alpha = part.set_index("left_out")["alpha"]
        assert alpha.index.tolist() == list(range(16))
        assert alpha[0] == {"relevance": 0.406, "diversity": 0.356}[question]
        odd = alpha.drop(0).idxmax()
        assert (odd, alpha[odd]) == {"relevance": (6, 0.429), "diversity": (8, 0.380)}[question]
        if question == "relevance":
            assert alpha[5] == 0.406
            assert (alpha.drop(0) > alpha[5]).sum() == 5


def test_tables_1_and_3_are_the_paper_s(research_files: Path):
    golden = json.loads((research_files / "golden" / "published.json").read_text())
    rows = [row for row in golden if row["paper"] == "Sakai & Zeng 2019"]
    printed = {}
    for row in rows:
        if row["table"].startswith("Table 1") and row["column"].split(" ", 1)[1] in ("tau", "95% CI"):
            other, what = row["column"].split(" ", 1)
            printed[row["table"][8], row["row"], other, what] = row["printed"]
    assert len(printed) == 102
    for row in datasets.sakaizeng2019_rankings().itertuples():
        names = [name.removesuffix("(phi=0.99)") for name in (row.one, row.other)]
        assert printed[row.panel, *names, "tau"] == row.tau
        assert printed[row.panel, *names, "95% CI"] == f"[{row.low:.3f}, {row.high:.3f}]"
    percent = {
        row["row"].replace("D \\sharp -", "D#-").replace(" ($p = ", "(phi=").replace("$)", ")"): row[
            "printed"
        ]
        for row in rows
        if (row["table"], row["column"]) == ("Table 3", "percentage")
    }
    power = datasets.sakaizeng2019_power()
    assert dict(zip(power["metric"], power["percent"], strict=True)) == percent


def test_all_tables_have_the_same_thirty_metrics():
    names = set(datasets.sakaizeng2019_agreement()["metric"])
    ranked = datasets.sakaizeng2019_rankings()
    assert set(datasets.sakaizeng2019_unanimity()["metric"]) == names
    assert set(datasets.sakaizeng2019_power()["metric"]) == names
    assert set(METRICS) == names
    assert {*ranked["one"], *ranked["other"]} < names
    for table, column in (("unanimity", "unanimity"), ("power", "significant")):
        assert getattr(datasets, f"sakaizeng2019_{table}")()[column].is_monotonic_decreasing


@pytest.mark.parametrize(("language", "runs", "topics"), [("en", 15, 32), ("cn", 10, 30)])
def test_every_imine_run_has_a_score_on_every_topic_under_every_measure(language, runs, topics):
    table = meta.score_table(datasets.sakaizeng2019_imine_scores(language))
    assert list(table.metrics) == at_cutoff(METRICS)
    assert table.values.shape == (30, topics, runs)


def test_an_unknown_language_is_refused():
    with pytest.raises(dm.DivmetricsError, match="'de', expected one of en, cn"):
        datasets.sakaizeng2019_imine_scores("de")


@pytest.mark.slow
def test_stored_tables_equal_computed_tables(research_files: Path):
    for name, table in compute_tables(research_files / "data" / "imine").items():
        stored = pd.read_csv(DATASETS / name, dtype={"topic": str})
        pd.testing.assert_frame_equal(stored, table, check_names=False, rtol=0, atol=1e-12)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::divmetrics.DivmetricsWarning")
@pytest.mark.parametrize(
    ("cutoff", "above", "expected"),
    [(5, 0.1, (113, 6, 29)), (10, 0.1, (101, 2, 0)), (10, 0.2, (79, 5, 0)), (20, 0.1, (99, 5, 4))],
)
def test_counts_of_lesson_20_that_need_the_judges_answers(
    research_files: Path,
    monkeypatch: pytest.MonkeyPatch,
    cutoff: int,
    above: float,
    expected: tuple[int, ...],
):
    """Count the pairs that differ, the D#-measures ahead of IA, and the measures that "left" matches."""
    folder = research_files / "data" / "imine"
    names = [f"{name}@{cutoff}" for name in METRICS]
    scores = dm.evaluate(imine(folder, "cn"), None, names, gain="exponential")
    scores["metric"] = scores["metric"].str.replace(f"@{cutoff}", "@10")  # `differing_pairs` reads cutoff 10
    monkeypatch.setattr(selection, "ABOVE", above)
    gold = meta.majority(selection.differing_pairs(scores, load_preference_data(folder).main))
    counts = meta.agreement(scores, gold).set_index("metric")
    margin = counts["agree"] - counts["disagree"]
    compared = zip(at_cutoff(SHARP), at_cutoff(IA), strict=True)
    ahead = sum(margin[sharp] > margin[average] for sharp, average in compared)
    matched = (np.sign(gold["preference"]).sum() >= margin).sum()
    assert (len(gold), ahead, matched) == expected
