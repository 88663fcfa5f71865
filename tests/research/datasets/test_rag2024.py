"""The nugget scores of three systems: complete, and those that pyterrier-nuggetizer computed."""

from __future__ import annotations

import pandas as pd
import pytest

from divmetrics import datasets

# Means that pyterrier-nuggetizer stores (data/metrics, the rows "all"), in the order of SCORES.
SCORES = ["A", "V", "W", "A_strict", "V_strict", "W_strict"]
STORED = {
    "Command R+": [0.3855136854387137, 0.4810963222175439, 0.4185546820380882, 0.307291857299274,
                   0.4027806549942907, 0.3400011754552045],
    "GPT-4o": [0.36495682165625626, 0.4699039019845869, 0.40152628744144603, 0.30345628044346756,
               0.4081759787660085, 0.34000156924230196],
    "Llama 3.1": [0.36508537027761284, 0.47786388349277664, 0.40372417137602373, 0.3014092666021923,
                  0.4105473981947622, 0.3384473888204793],
}  # fmt: skip


def test_every_system_has_every_score_on_every_topic() -> None:
    scores = datasets.rag2024_scores()
    assert scores["topic"].nunique() == 301
    assert len(scores) == 3 * 301 * len(SCORES)
    assert scores["score"].between(0, 1).all()


@pytest.mark.parametrize("run", STORED)
def test_the_means_are_those_of_another_program(run: str) -> None:
    scores = datasets.rag2024_scores()
    means = scores[scores["run"] == run].groupby("metric")["score"].mean()
    stored = pd.Series(STORED[run], [f"nuggetizer:{name}" for name in SCORES])
    assert (means - stored).abs().max() < 1e-12
