"""How much of the runs was judged: counted by hand, warned of, and left out where that is asked for."""

from __future__ import annotations

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import divmetrics as dm
from divmetrics.research.report.judged_shares import (
    UNEVEN_DIFFERENCE,
    condensed,
    judged_shares,
    uneven_judging_notes,
)
from tests.support.strategies import Sample, cutoffs, quick, samples


@quick(100)
@given(samples(), st.lists(st.none() | cutoffs, min_size=1, max_size=3, unique=True))
def test_shares_are_counted(sample: Sample, depths: list[int | None]) -> None:
    table = judged_shares(sample.collection(), [t.id for t in sample.topics], depths)
    for run, lists in sample.runs.items():
        for at, depth in enumerate(depths):
            tops = [(t, docs[:depth]) for t, docs in lists.items() if docs]
            shares = [sum(doc in sample.judgments[t] for doc in top) / len(top) for t, top in tops]
            value = table.loc[run].iloc[at]
            assert value == pytest.approx(sum(shares) / len(shares)) if shares else value != value


@quick(60)
@given(samples(), cutoffs)
def test_condensed_lists_equal_runs_without_unjudged_documents(sample: Sample, cutoff: int) -> None:
    judged_only = {
        run: {t: [doc for doc in docs if doc in sample.judgments[t]] for t, docs in lists.items()}
        for run, lists in sample.runs.items()
    }
    if any(lists and not any(judged_only[run].values()) for run, lists in sample.runs.items()):
        with pytest.raises(dm.DivmetricsError, match="lists no document that was judged"):
            condensed(sample.collection())
        return
    short = condensed(sample.collection())
    assert {
        name: {t: list(run.list(t)) for t in run.spans} for name, run in short.runs.items()
    } == judged_only


def test_condensed_files_equal_files_without_unjudged_documents(tmp_path) -> None:
    (tmp_path / "qrels").write_text("".join(f"{t} 1 a 1\n{t} 2 b 1\n{t} 2 c 0\n" for t in "123"))
    for name, docs in {"x": "uavbc", "y": "cuuba"}.items():
        for suffix, text in (("", docs), ("-short", docs.replace("u", "").replace("v", ""))):
            rows = [
                f"{t} Q0 {doc}{at if doc == 'u' else ''} {at} {-at} {name}\n"
                for t in "123"
                for at, doc in enumerate(text, 1)
            ]
            (tmp_path / f"{name}{suffix}").write_text("".join(rows))
    qrels = tmp_path / "qrels"
    options = {"metrics": ["ERR-IA@3", "alpha-nDCG@2"], "trials": 20}
    long = dm.compare(qrels, [tmp_path / "x", tmp_path / "y"], condensed=True, **options)
    short = dm.compare(qrels, [tmp_path / "x-short", tmp_path / "y-short"], **options)
    pd.testing.assert_frame_equal(long.means, short.means)
    assert long.judged.round(4).to_numpy().tolist() == [[0.5, 0.3333], [0.5, 0.3333]]
    assert short.judged.to_numpy().tolist() == [[1, 1], [1, 1]]
    assert "left out of all lists (condensed lists)" in long.caption
    assert "left out of all lists (condensed lists)" in long.text
    assert "count as not relevant" in short.caption


def test_runs_that_were_judged_unevenly() -> None:
    shares = pd.DataFrame(
        {"judged@5": [0.9, 0.9 - UNEVEN_DIFFERENCE / 2], "judged@10": [0.5, 0.81]}, index=["x", "y"]
    )
    (note,) = uneven_judging_notes(shares)
    assert note.startswith(
        "Judged unevenly: judged@10 is 0.81 for y and 0.50 for x; what was never judged may"
    )
    assert uneven_judging_notes(shares[["judged@5"]]) == []
    at_most = pd.DataFrame({"judged": [UNEVEN_DIFFERENCE, 0.0]}, index=["x", "y"])
    assert uneven_judging_notes(at_most) == []
