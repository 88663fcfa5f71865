"""The counts that Sakai & Zeng (2019) print: as printed, and what follows from them."""

from __future__ import annotations

import json
from pathlib import Path

import divmetrics as dm
from divmetrics import datasets, meta

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
        found = meta.preference_tau(row.agree, row.disagree, decimals=3)
        assert [f"{x:.3f}" for x in found] == [f"{x:.3f}" for x in (row.tau, row.low, row.high)]


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
