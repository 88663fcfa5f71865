"""What a parameter does: the same scores as naming it, one value at a time."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import divmetrics as dm
from divmetrics import meta


@pytest.fixture(scope="module")
def collection() -> dm.Collection:
    return dm.datasets.synthetic(topics=5, seed=3)


@pytest.mark.parametrize(
    ("parameter", "values", "metrics", "named"),
    [
        ("cutoff", [3, 5], ["ERR-IA", "alpha-nDCG"], "{0}@{1}"),
        ("alpha", [0.2, 0.8], ["alpha-nDCG@5", "NRBP"], None),
        ("gamma", [0.0, 0.3, 1.0], ["D#-nDCG@5"], "D#-nDCG(gamma={1})@5"),
    ],
)
def test_a_sweep_scores_every_value_by_name(collection, parameter, values, metrics, named):
    scores = meta.sweep(collection, None, metrics, parameter, values)
    assert list(scores.columns) == ["run", "topic", "metric", parameter, "score"]
    assert set(scores["metric"]) == set(metrics)
    for metric in metrics:
        for value in values:
            if named is None:
                base, _, cutoff = metric.partition("@")
                name = f"{base}(alpha={value}){'@' if cutoff else ''}{cutoff}"
            else:
                name = named.format(metric, value)
            part = scores[(scores["metric"] == metric) & (scores[parameter] == value)]
            expected = dm.evaluate(collection, None, [name])
            assert part["score"].tolist() == expected["score"].tolist()
            assert part["run"].tolist() == expected["run"].tolist()


def test_files_and_workers(tmp_path):
    qrels, run = tmp_path / "qrels", tmp_path / "run"
    qrels.write_text("1 1 d1 1\n1 2 d2 1\n2 1 d3 1\n")
    run.write_text("1 Q0 d1 1 3 A\n1 Q0 d2 2 2 A\n2 Q0 d9 1 2 A\n2 Q0 d3 2 1 A\n")
    with pytest.warns(dm.DivmetricsWarning, match="never judged"):
        one = meta.sweep(str(qrels), str(run), "I-rec", "cutoff", [1, 2], workers=1)
    assert one["score"].tolist() == [0.5, 0, 1, 1]


def test_sweep_returns_a_table_per_value(collection):
    swept = meta.sweep(collection, None, ["ERR-IA", "I-rec"], "cutoff", [2, 5])
    correlations = meta.apply_per_value(
        swept, "cutoff", meta.rank_correlation, truth="ERR-IA", method="tau_ap", per="topic"
    )
    assert list(correlations.columns) == ["cutoff", "truth", "metric", "topic", "runs", "tau"]
    at_5 = dm.evaluate(collection, None, ["ERR-IA@5", "I-rec@5"])
    expected = meta.rank_correlation(at_5, truth="ERR-IA@5", method="tau_ap", per="topic")
    assert correlations.loc[correlations["cutoff"] == 5, "tau"].tolist() == expected["tau"].tolist()
    assert isinstance(correlations, pd.DataFrame)
    with pytest.raises(dm.DivmetricsError, match="no column 'depth'"):
        meta.apply_per_value(swept, "depth", meta.means)
    with pytest.raises(dm.DivmetricsError, match="without the column 'cutoff'"):
        meta.apply_per_value(swept, "cutoff", lambda rows: rows.assign(cutoff=1))


def test_rows_without_a_value_are_a_part_of_their_own():
    table = pd.DataFrame({"g": [1, np.nan, 1], "x": [1, 2, 3]})
    counted = meta.apply_per_value(table, "g", lambda rows: pd.DataFrame({"rows": [len(rows)]}))
    assert counted["rows"].tolist() == [2, 1]
    assert counted["g"].isna().tolist() == [False, True]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("ERR-IA@5", "alpha", [0.5]), "ERR-IA has no parameter 'alpha'"),
        (("ERR-IA", "cutoff", [0]), "the cutoff is 0"),
        (("ERR-IA", "cutoff", []), "no value of cutoff was given"),
        (("ERR-IA", "cutoff", [5, 5]), "cutoff 5 is given twice"),
        (("D#-nDCG@5", "gamma", [2]), "gamma"),
    ],
)
def test_bad_input_raises_one_sentence(collection, arguments, message):
    with pytest.raises(dm.DivmetricsError, match=message) as caught:
        meta.sweep(collection, None, *arguments)
    assert "\n" not in str(caught.value)
