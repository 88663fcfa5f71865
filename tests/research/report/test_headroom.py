"""The best list found of the runs' documents: between the runs and what trying every list gives."""

from __future__ import annotations

import warnings
from itertools import permutations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import divmetrics as dm
from divmetrics.core.tolerances import TIE_TOLERANCE
from divmetrics.research.report.headroom import HEADROOM_RUN, headroom
from tests.support.strategies import Sample, quick, samples

# A document's worth does not hang on those above it, so the greedy list is the best.
FREE_OF_HISTORY = ("P-IA@3", "D-nDCG@2", "nDCG-IA@3", "P-IA@1")
ANY = (*FREE_OF_HISTORY, "ERR-IA@3", "alpha-nDCG@3", "D#-nDCG@2", "NRBP", "I-rec@2", "ERR-IS@3")
MOST = 5  # documents of which every list is tried


def headroom_and_scores(
    sample: Sample, names: tuple[str, ...]
) -> tuple[dict[tuple[str, str], float], object]:
    """{(topic, metric): score of the best list found}, and the scores of the runs."""
    collection = sample.collection()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", dm.DivmetricsWarning)
        scores = dm.evaluate(collection, None, names)
    topics = [topic.id for topic in sample.topics]
    best = headroom(collection, topics, {name: dm.metric(name) for name in names}, scores)
    assert set(best["run"]) == {HEADROOM_RUN}
    return {(row.topic, row.metric): row.score for row in best.itertuples()}, scores


@quick(60)
@given(samples(levels=2, navigational=False), st.sampled_from(ANY))
def test_no_run_exceeds_the_headroom(sample: Sample, name: str) -> None:
    assume(any(sample.runs[run].get(t.id) for run in sample.runs for t in sample.topics))
    assume(all(set(lists) & {t.id for t in sample.topics} for lists in sample.runs.values()))
    best, scores = headroom_and_scores(sample, (name,))
    assert all(best[row.topic, row.metric] >= row.score for row in scores.itertuples())


@quick(60)
@given(samples(most_topics=1, most_runs=2, levels=2, navigational=False), st.sampled_from(ANY))
def test_headroom_is_close_to_the_optimum(sample: Sample, name: str) -> None:
    (topic,) = sample.topics
    lists = {run: sample.runs[run].get(topic.id, [])[:MOST] for run in sample.runs}
    assume(all(lists.values()))
    sample = sample.changed(runs={run: {topic.id: docs} for run, docs in lists.items()})
    docs = sorted({doc for listed in lists.values() for doc in listed})[:MOST]
    assume(len({doc for listed in lists.values() for doc in listed}) <= MOST)
    best, _ = headroom_and_scores(sample, (name,))
    pool = sample.collection().pools[topic.id]
    metric = dm.metric(name)
    most = max(metric.score(dm.RankedList(topic, order, pool)) for order in permutations(docs))
    assert best[topic.id, name] <= most + TIE_TOLERANCE
    if name in FREE_OF_HISTORY:
        assert best[topic.id, name] == pytest.approx(most, rel=1e-12)


@quick(40)
@given(samples(most_runs=1), st.integers(1, 6))
def test_headroom_of_all_judged_documents_reaches_the_greedy_ideal(sample: Sample, cutoff: int) -> None:
    every = {topic.id: sorted(sample.judgments[topic.id]) for topic in sample.topics}
    best, _ = headroom_and_scores(sample.changed(runs={"A": every}), (f"alpha-nDCG@{cutoff}",))
    for topic in sample.topics:
        relevant = any(g > 0 for labels in sample.judgments[topic.id].values() for g in labels.values())
        assert best[topic.id, f"alpha-nDCG@{cutoff}"] >= (1 - TIE_TOLERANCE if relevant else 0)


def test_the_row_in_every_form(tmp_path) -> None:
    (tmp_path / "qrels").write_text("".join(f"{t} 1 a 1\n{t} 2 b 1\n{t} 2 c 0\n{t} 2 d 0\n" for t in "123"))
    for name, docs in {"x": "ac", "y": "cdb"}.items():
        rows = [f"{t} Q0 {doc} {at} {-at} {name}\n" for t in "123" for at, doc in enumerate(docs, 1)]
        (tmp_path / name).write_text("".join(rows))
    files = tmp_path / "qrels", [tmp_path / "x", tmp_path / "y"]
    compared = dm.compare(*files, ["I-rec@2", "P-IA@2", "NRBP"], trials=20, headroom=True, beta=0.8)
    plain = dm.compare(*files, ["I-rec@2", "P-IA@2", "NRBP"], trials=20, beta=0.8)
    both = dm.Run.of("both", {t: ["a", "b"] for t in "123"})
    alone = dm.evaluate(files[0], both, "NRBP", beta=0.8)["score"].mean()
    assert compared.allowed is not None
    assert compared.allowed["mean"].tolist() == pytest.approx([1, 0.5, alone])
    assert plain.allowed is None
    assert (
        f"| {HEADROOM_RUN} | 1.0000 | 0.0000 | 0.5000 | 0.0000 | {alone:.4f} | 0.0000 | – | – |"
        in compared.markdown
    )
    assert f"\\midrule\n{HEADROOM_RUN} & 1.0000 &  & 0.0000 & 0.5000" in compared.latex
    assert f">{HEADROOM_RUN}</th>" in compared.html
    assert "2 runs compared" in compared.html
    assert f"  {HEADROOM_RUN}: 1.0000  [1.0000, 1.0000]\n" in compared.text
    last = compared.csv.splitlines()[-1].split(",")
    assert last[:3] == ["NRBP", HEADROOM_RUN, "3"]
    assert float(last[3]) == pytest.approx(alone)
    assert last[-3:] == ["", "", ""]
    assert HEADROOM_RUN in compared.caption
    for form in (plain.markdown, plain.latex, plain.html, plain.text, plain.csv):
        assert HEADROOM_RUN not in form
