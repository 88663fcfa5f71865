"""FreshStack's alpha-nDCG and Coverage as its own package computes them, from the same files.

`freshstack.json` says how its numbers were made. Where they differ from ours, the tests say why.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import divmetrics as dm
from tests.support.refused_files import written

GOLDEN = json.loads(Path(__file__).with_name("freshstack.json").read_text(encoding="utf-8"))
ROUNDED = 0.5e-4 + 1e-9  # they round every mean to four decimals; Coverage of a query before that to five
NAMES = [f"{name}@{k}" for name in ("alpha-nDCG", "Coverage") for k in (5, 10, 20)]


def judgments(tmp_path: Path, golden: dict[str, Any]) -> Path:
    return written(tmp_path, "".join(json.dumps(row) + "\n" for row in golden["rows"]), "queries.jsonl")


def means(qrels: Path, run: Any, names: list[str]) -> dict[str, float]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", dm.DivmetricsWarning)  # of a query without a list
        return dict(dm.evaluate(qrels, run, names).groupby("metric").score.mean())


@pytest.mark.parametrize("case", ["distinct", "prefix"])
def test_the_same_scores_as_the_package(tmp_path: Path, case: str) -> None:
    """A query without a list counts 0, and a nugget that no document supports counts, there as here."""
    golden = GOLDEN[case]
    assert set(golden["results"]) < {row["query_id"] for row in golden["rows"]}
    assert not all(n["relevant_corpus_ids"] for row in golden["rows"] for n in row["nuggets"])
    run = written(tmp_path, json.dumps(golden["results"]), "results.json")
    ours = means(judgments(tmp_path, golden), run, NAMES)
    assert ours == pytest.approx(golden["scores of own nuggets"], abs=ROUNDED)


def test_queries_whose_ids_begin_others() -> None:
    """The package gives a query all nuggets whose ids begin with its own, so 7 has those of 76, too."""
    golden = GOLDEN["prefix"]
    assert {row["query_id"] for row in golden["rows"]} == {"7", "76", "763", "55", "550", "9"}
    assert golden["scores of own nuggets"] == GOLDEN["distinct"]["scores"]
    assert golden["scores"]["Coverage@20"] - golden["scores of own nuggets"]["Coverage@20"] > 0.03
    assert golden["scores"]["alpha-nDCG@20"] - golden["scores of own nuggets"]["alpha-nDCG@20"] > 0.02


Scored = list[tuple[str, float]]


def as_listed(scored: Scored) -> Scored:
    return sorted(scored, key=lambda pair: -pair[1])


def by_id(scored: Scored) -> Scored:
    """The first 20 as listed, and these with ties by document id ascending, as pyndeval orders them."""
    return sorted(as_listed(scored)[:20], key=lambda pair: (-pair[1], pair[0]))


@pytest.mark.parametrize(("name", "order"), [("Coverage", as_listed), ("alpha-nDCG", by_id)])
def test_ties(tmp_path: Path, name: str, order: Callable[[Scored], Scored]) -> None:
    """Tied documents stand in two orders there, one for each metric; with that order the scores agree."""
    golden = GOLDEN["ties"]
    lists = {
        query: [doc for doc, _ in order(list(docs.items()))] for query, docs in golden["results"].items()
    }
    names = [metric for metric in NAMES if metric.startswith(name)]
    ours = means(judgments(tmp_path, golden), dm.Run.of("r", lists), names)
    assert ours == pytest.approx({metric: golden["scores"][metric] for metric in names}, abs=ROUNDED)
