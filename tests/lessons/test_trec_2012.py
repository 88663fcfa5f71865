"""Lesson 19 prints counts of real runs that it cannot ship: here they are counted again."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest

import divmetrics as dm
from divmetrics import meta
from divmetrics.core.collection import Judgments
from tools.notebook_files import FOLDER, read

pytestmark = pytest.mark.slow


def written(name: str) -> Any:
    """What the lesson's code assigns to `name`, where only numbers and texts are needed for it."""
    for cell in read(FOLDER / "19_is_it_intuitive.ipynb").cells:
        if cell.cell_type == "code" and f"\n{name} = " in f"\n{cell.source}":
            (found,) = [
                node.value
                for node in ast.parse(cell.source).body
                if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == name
            ]
            return eval(ast.unparse(found), {})
    raise AssertionError(name)


def has_navigational(pool: Judgments) -> bool:
    served = (pool.grades > 0).any(axis=1)
    return any(t.kind == "navigational" and served[i] for i, t in enumerate(pool.topic.intents))


@pytest.mark.filterwarnings("ignore::divmetrics.DivmetricsWarning")
def test_the_column_of_trec_2012_can_be_counted_again(research_files: Path) -> None:
    web = research_files / "data/trec-web-2012"
    judged = dm.load_collection(web / "qrels.ndeval.gz", web / "topics.xml")
    chosen = [topic for topic, pool in judged.pools.items() if has_navigational(pool)]
    names = ["alpha-nDCG@10", "D#-nDCG@10", "DIN#-nDCG@10", "P+Q#@10"]
    runs = sorted((web / "runs").glob("*.gz"))
    assert (len(chosen), len(runs)) == (33, 8)
    scores = dm.evaluate(judged, runs, [*names, "I-rec@10", "Ef-P@10"], gain="exponential")
    scores = scores[scores["topic"].isin(chosen)]
    for gold, column in written("trec_2012").items():
        table = meta.concordance(scores, f"{gold}@10", names).set_index(["metric_a", "metric_b"])
        for pair, told in zip(written("pairs"), column, strict=True):
            found = table.loc[tuple(f"{name}@10" for name in pair)]
            assert told == (found["concordance_a"], found["concordance_b"], found["disagreements"]), pair
