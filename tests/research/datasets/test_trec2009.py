"""The counts of best lists on TREC 2009 topics: complete, possible, and still computed from the judgments."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from divmetrics import datasets
from divmetrics.research.datasets.trec2009 import BEST_LISTS, METRICS
from tools.trec2009_best_lists import choices, table


def test_every_choice_has_every_metric_on_every_intent() -> None:
    counts = datasets.trec2009_best_lists()
    assert set(counts["metric"]) == set(METRICS)
    assert counts["topic"].nunique() == 48
    tried = counts[["probabilities", "cutoff", "top", "search"]].drop_duplicates()
    assert list(tried.itertuples(index=False, name=None)) == choices()
    assert len(counts) == 197 * len(METRICS) * len(choices())


def test_no_list_has_more_pages_for_an_intent_than_were_judged_or_fit() -> None:
    counts = datasets.trec2009_best_lists()
    assert (counts["pages"] >= 0).all()
    assert (counts["pages"] <= counts[["judged", "cutoff"]].min(axis=1)).all()
    of_list = counts.groupby(["probabilities", "cutoff", "top", "search", "metric", "topic"], sort=False)
    assert (of_list["pages"].sum() > 0).all()


def test_grades_on_a_larger_scale_change_only_the_cascades() -> None:
    """The top grade occurs in R(g) alone."""
    keys = [name for name in BEST_LISTS if name != "top"]
    both = (
        datasets.trec2009_best_lists()
        .query("search == 'greedy'")
        .pivot(index=[*keys, "metric"], columns="top")
    )
    for top in (2, 4):
        pages = both["pages"][[1, top]].dropna()
        changed = pages[pages[1] != pages[top]].reset_index()
        assert set(changed["metric"]) == {"ERR-IA", "EBR-IA"}


def test_stored_counts_equal_computed_counts(research_files: Path) -> None:
    computed = table(research_files / "data" / "trec-web-2009", [choices()[4]])
    tidy = computed.melt(list(BEST_LISTS), var_name="metric", value_name="pages")
    stored = datasets.trec2009_best_lists().merge(
        tidy[list(BEST_LISTS)].drop_duplicates(), on=list(BEST_LISTS)
    )
    both = stored.merge(tidy, on=[*BEST_LISTS, "metric"], suffixes=("", " computed"))
    assert len(both) == len(tidy) == len(stored)
    pd.testing.assert_series_equal(both["pages"], both["pages computed"], check_names=False)
