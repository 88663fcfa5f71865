"""The counts of D#-nDCG against DIN#-nDCG: complete, possible, and still computed from the judgments."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from divmetrics import datasets
from tools.trec_navigational import COLUMNS, CUTOFFS, SEEDS, table

CHOICE = COLUMNS[:6]


def test_every_choice_occurs_once_and_shares_what_its_name_says() -> None:
    counts = datasets.trec_navigational()
    assert list(counts.columns) == COLUMNS
    assert len(counts) == len(counts[CHOICE].drop_duplicates()) == 3 * 2 * 2 * len(SEEDS) * len(CUTOFFS)
    judged = counts[counts["shared"] == "as judged"].groupby("year")[["documents", "shared_documents"]].max()
    assert judged.loc[2009].tolist() == [197, 42]
    every = counts[counts["shared"] == "all"]
    assert (every["shared_documents"] >= 0.95 * every["documents"]).all()
    pairs = counts["year"].map({2009: 24, 2012: 33}) * 190
    assert (counts["only_D"] + counts["only_DIN"] <= pairs).all()


def test_stored_counts_equal_computed_counts(research_files: Path) -> None:
    computed = table(research_files / "data" / "trec-web-2009", 2009, "binary", "as judged")
    stored = datasets.trec_navigational().query("year == 2009 and shared == 'as judged'")
    pd.testing.assert_frame_equal(computed, stored.reset_index(drop=True))
