"""The embedded results of the study of people's preferences: consistent, and still what is computed."""

from __future__ import annotations

import csv
from collections import Counter
from dataclasses import fields
from pathlib import Path

import pandas as pd
import pytest

from divmetrics import datasets
from divmetrics.research.papers.preferences import Study
from divmetrics.research.papers.preferences.data import METRICS
from tools.imine_agreement import compute_study


def test_tables_of_the_study_are_consistent():
    counts, tests = datasets.imine_agreement(), datasets.imine_agreement_tests()
    assert set(counts["metric"]) == {*METRICS, "the left run", "the judge left out"}
    assert (counts["agree"] + counts["disagree"] + counts["ties"] == counts["pairs"]).all()
    assert ((counts["agree"] - counts["disagree"]) / counts["pairs"]).sub(counts["tau"]).abs().max() < 1e-6
    assert counts["tau"].between(counts["low"], counts["high"]).all()
    tau = counts.set_index(["setting", "metric"])["tau"]
    single = tests[tests["family"] != "on average"]
    for row in single.itertuples():
        expected = tau[row.setting, row.metric_b] - tau[row.setting, row.metric_a]
        assert row.difference == pytest.approx(expected, abs=2e-6)
    averages = tests[tests["family"] == "on average"].set_index(["setting", "cutoff"])["difference"]
    square = single[single["family"] == "flat or intent-square"]
    means = square.groupby(["setting", "cutoff"])["difference"].mean()
    assert means.sub(averages).abs().max() < 2e-6
    # The strengths part the pairs of lists, and so do the numbers of judges in favour.
    outcomes = counts.set_index("metric")[["agree", "disagree", "ties"]]
    for parting in ("^mean answer", "judges for it$"):
        parts = outcomes[counts["setting"].str.contains(parting).to_numpy()].groupby("metric").sum()
        whole = outcomes[(counts["setting"] == "all pairs").to_numpy()]
        assert parts.loc[whole.index].equals(whole)


@pytest.mark.slow
def test_stored_study_equals_computed_study(research_files: Path):
    computed, embedded = compute_study(research_files / "data" / "imine"), Study.embedded()
    for field in fields(Study):
        ours, theirs = getattr(computed, field.name), getattr(embedded, field.name)
        # The last of six decimals may round the other way.
        pd.testing.assert_frame_equal(ours, theirs, check_dtype=False, rtol=0, atol=1.5e-6)


def test_the_organisers_own_scores_agree_with_people_as_often(research_files: Path):
    """Counted plainly, from the files: their I-rec is S-recall, their D-measures use their probabilities."""
    folder = research_files / "data" / "imine"
    with (folder / "official" / "scores.cn.csv").open() as file:
        official = {(r["run"], r["topic"]): r for r in csv.DictReader(file) if r["level"] == "coarse"}
    used = set(datasets.imine_types("cn"))
    twins = {"I-rec": "S-recall@20", "D-nDCG": "D-nDCG@20", "D#-nDCG": "D#-nDCG@20"}
    counts = {name: Counter[str]() for name in twins}
    with (folder / "preferences.tsv").open() as file:
        for row in csv.DictReader(file, delimiter="\t"):
            preferences = [int(row[f"judge{n}"]) for n in (1, 2, 3)]
            votes = sum(x > 0 for x in preferences) - sum(x < 0 for x in preferences)
            if row["status"] == "S" and row["topic"] in used and votes:
                for name, tally in counts.items():
                    left, right = (float(official[row[run], row["topic"]][name]) for run in ("left", "right"))
                    same = (left > right) == (votes > 0)
                    tally["ties" if left == right else "agree" if same else "disagree"] += 1
    ours = datasets.imine_agreement().query('setting == "organisers\' probabilities"').set_index("metric")
    for name, tally in counts.items():
        assert ours.loc[twins[name], list(tally)].to_dict() == tally
