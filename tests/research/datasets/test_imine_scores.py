"""The embedded scores of the IMine runs: complete, the paper's printed numbers among them, still computed."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

import divmetrics as dm
from divmetrics import datasets, meta
from divmetrics.research.datasets import imine as embedded
from tools.imine_scores import METRICS, tables


@pytest.mark.parametrize(("language", "runs", "topics"), [("en", 15, 32), ("cn", 10, 30)])
def test_every_run_has_a_score_on_every_topic_under_every_metric(language, runs, topics):
    table = meta.score_table(datasets.imine_scores(language))
    assert table.metrics == METRICS
    assert table.values.shape == (len(METRICS), topics, runs)
    types = list(datasets.imine_types(language).values())
    assert {kind: types.count(kind) for kind in types} == {"ambiguous": topics // 2, "broad": topics // 2}


def test_the_30_numbers_of_table_4_are_among_them():
    scores = datasets.imine_scores()
    ours = scores[scores["run"] == "Sem13-D-E-1A"].set_index(["topic", "metric"])["score"]
    printed = datasets.yu2017_table4()
    assert len(printed) == 30
    for row in printed.itertuples():
        assert abs(ours[row.query, f"{row.metric}@{row.cutoff}"] - row.printed) < 5e-5


@pytest.mark.parametrize("language", ["en", "cn"])
def test_a_topic_not_answered_scores_zero(language):
    lengths = datasets.imine_lengths(language)
    empty = lengths.loc[lengths["documents"] == 0, ["run", "topic"]]
    assert len(empty)
    scores = datasets.imine_scores(language).merge(empty, on=["run", "topic"])
    assert len(scores) == len(empty) * len(METRICS)
    assert (scores["score"] == 0).all()


def test_an_unknown_language_is_refused():
    with pytest.raises(dm.DivmetricsError, match="'de', expected one of en, cn"):
        datasets.imine_scores("de")


@pytest.mark.slow
def test_stored_scores_equal_computed_scores(research_files: Path):
    computed = tables(research_files / "data" / "imine")
    for language, table in computed.items():
        committed = embedded._read(language)
        pd.testing.assert_frame_equal(committed, table, check_names=False, rtol=0, atol=1e-12)
