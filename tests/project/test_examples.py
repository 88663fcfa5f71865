"""The files in examples/: made as they say, and read as they were made."""

from __future__ import annotations

import divmetrics as dm
from tests.support.paths import ROOT
from tools.example_collection import DEPTH, EXAMPLES, SYSTEMS, files


def test_the_simulated_collection_is_what_its_tool_makes() -> None:
    stored = {path.name: path.read_text(encoding="utf-8") for path in EXAMPLES.iterdir()}
    assert stored == files(), "run: python -m tools.example_collection"


def test_its_files_score_as_the_collection_does() -> None:
    made = dm.datasets.synthetic(topics=20, probabilities="uniform", runs=SYSTEMS, depth=DEPTH, seed=1)
    runs = [str(EXAMPLES / f"{name}.run") for name in SYSTEMS]
    scores = dm.evaluate(str(EXAMPLES / "judgments.qrels"), runs, ["ERR-IA@20", "alpha-nDCG@20"])
    assert len(scores) == 2 * 2 * 20
    for run, topic, metric, score in scores[["run", "topic", "metric", "score"]].to_numpy().tolist():
        assert abs(score - dm.metric(metric).score(made.list(run, topic))) < 1e-12


def test_every_example_is_described() -> None:
    text = (ROOT / "examples" / "README.md").read_text(encoding="utf-8")
    for path in (ROOT / "examples").iterdir():
        if path.name not in ("README.md", "__pycache__"):
            assert f"`{path.name}{'/' if path.is_dir() else ''}`" in text, path.name
