"""What Sakai & Zeng (2019) and Sakai et al. (2010) print, recomputed from the counts they print."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from divmetrics import meta

Rows = list[dict[str, Any]]


@pytest.fixture(scope="module")
def printed(research_files: Path) -> Rows:
    rows: Rows = json.loads((research_files / "golden" / "published.json").read_text())
    return rows


def in_table(printed: Rows, paper: str, table: str, column: str) -> Rows:
    return [
        row
        for row in printed
        if row["paper"] == paper and row["table"].startswith(table) and row["column"].endswith(column)
    ]


def brackets(interval: tuple[float, float]) -> str:
    return f"[{interval[0]:.3f}, {interval[1]:.3f}]"


def test_intervals_of_rank_correlations(printed):
    rows = in_table(printed, "Sakai & Zeng 2019", "Table 1", "95% CI")
    assert len(rows) == 51
    for row in rows:
        match = re.fullmatch(r"printed tau=(\S+), n=(\d+)", row["inputs"])
        assert brackets(meta.kendall_interval(float(match[1]), int(match[2]))) == row["printed"]


@pytest.mark.parametrize(
    ("paper", "table", "column", "runs", "how_many"),
    [
        ("Sakai & Zeng 2019", "Table 3", "percentage", 15, 30),
        ("Sakai et al. 2010", "Table 5", "disc. power %", 25, 7),
    ],
)
def test_discriminative_power(printed, paper, table, column, runs, how_many):
    rows = in_table(printed, paper, table, column)
    assert len(rows) == how_many
    for row in rows:
        significant, pairs = map(int, row["inputs"].split("/"))
        assert pairs == runs * (runs - 1) // 2
        asl = [0.01] * significant + [0.2] * (pairs - significant)
        table_of_pairs = pd.DataFrame(
            {"metric": row["row"], "run_a": "a", "run_b": "b", "difference": 0.1, "asl": asl}
        )
        power = meta.discriminative_power(table_of_pairs)
        assert power["significant"].tolist() == [significant]
        assert round(100 * power["share"][0], 1) == row["printed"]
