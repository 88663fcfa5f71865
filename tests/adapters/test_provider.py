"""The numbers that ir_measures prints for our measures are those of `evaluate`, and those of pyndeval."""

from __future__ import annotations

import random
import re
from typing import Any

import ir_measures
import pandas as pd
import pytest
from hypothesis import given
from ir_measures import Qrel, ScoredDoc

import divmetrics as dm
import divmetrics.adapters.ir_measures as div
from divmetrics.adapters.ir_measures.measures import MEASURES
from divmetrics.conventions.convention import conventions
from tests.support.paths import ROOT
from tests.support.strategies import Sample, quick, samples

pytestmark = [
    pytest.mark.filterwarnings("ignore:.*ast:DeprecationWarning"),
    # What is counted in warnings is asked for elsewhere.
    pytest.mark.filterwarnings("ignore::divmetrics.errors.DivmetricsWarning"),
]

QRELS = [
    *(Qrel("1", "a", 1, "x"), Qrel("1", "b", 1, "x"), Qrel("1", "b", 2, "y"), Qrel("1", "c", 3, "y")),
    *(Qrel("2", "a", 1, "x"), Qrel("2", "d", 0, "y"), Qrel("2", "e", 2, "z")),
]
RUN = [
    *(ScoredDoc("1", "a", 9.0), ScoredDoc("2", "u", 8.0), ScoredDoc("1", "u", 8.0), ScoredDoc("2", "e", 7.0)),
    *(ScoredDoc("1", "b", 7.0), ScoredDoc("2", "a", 6.0), ScoredDoc("1", "c", 6.5)),
]
SQUARE = re.compile("_IS$")


def as_dict(run: list[ScoredDoc]) -> dict[str, dict[str, float]]:
    lists: dict[str, dict[str, float]] = {}
    for topic, doc, score in run:
        lists.setdefault(topic, {})[doc] = score
    return lists


def rows_of(sample: Sample) -> tuple[list[Qrel], list[ScoredDoc]]:
    qrels = [
        Qrel(topic, doc, grade, intent)
        for topic, docs in sample.judgments.items()
        for doc, labels in docs.items()
        for intent, grade in labels.items()
    ]
    run = [
        ScoredDoc(topic, doc, -float(k))
        for topic, docs in sample.runs["A"].items()
        for k, doc in enumerate(docs)
    ]
    random.Random(len(run)).shuffle(run)
    return qrels, run


@quick(40)
@given(samples(most_runs=1, scale=False))
def test_every_number_is_that_of_evaluate(sample: Sample) -> None:
    """Every metric of every convention, with topics, topic by topic; to the last bit."""
    qrels, run = rows_of(sample)
    if not run:
        return
    single = {measure for name, measure in MEASURES.items() if not SQUARE.search(name)}
    with div.with_topics(sample.topics):
        values = {
            (metric.query_id, metric.measure): metric.value
            for metric in ir_measures.iter_calc([measure @ 5 for measure in single], qrels, run)
        }
    for convention in conventions():
        own = {str(m.metric @ 5): m @ 5 for m in single if m.metric.convention == convention}
        metrics = [measure.metric for measure in own.values()]
        scores = dm.evaluate(
            qrels, [run], metrics, sample.topics, convention, order="score", mean_over="judged"
        )
        for _, topic, name, score in scores.itertuples(index=False):
            assert values.pop((topic, own[name])) == score
    assert values == {}


THEIRS = {
    "ERR_IA": "ERR_IA", "nERR_IA": "nERR_IA", "alpha_DCG": "alpha_DCG", "alpha_nDCG": "alpha_nDCG",
    "NRBP": "NRBP", "nNRBP": "nNRBP", "AP_IA": "MAP_IA", "P_IA": "P_IA", "StRecall": "strec",
}  # fmt: skip


@quick(40)
@given(samples(most_runs=1, scale=False, navigational=False, top=2))
def test_numbers_of_pyndeval(sample: Sample) -> None:
    """`ndeval_...` and what ir_measures computes by pyndeval, each asked for alone, topic by topic.

    pyndeval's two faults are left out: cutoff 1, and nan where nothing is relevant.
    """
    qrels, run = rows_of(sample)
    run.sort(key=lambda row: (row.query_id, -row.score))
    if not run:
        return
    judged = {qrel.query_id for qrel in qrels if qrel.relevance > 0}
    for theirs, ours in THEIRS.items():
        for cutoff in (None,) if theirs in ("NRBP", "nNRBP", "AP_IA") else (2, 5, 20):
            pair = [getattr(ir_measures, theirs), getattr(div, f"ndeval_{ours}")]
            one, other = (
                {metric.query_id: metric.value for metric in measure.iter_calc(qrels, run)}
                for measure in (pair if cutoff is None else [measure @ cutoff for measure in pair])
            )
            assert one.keys() == other.keys()
            for topic in judged:
                assert other[topic] == pytest.approx(one[topic], abs=1e-9), (topic, theirs, cutoff)


def test_two_levels() -> None:
    """A field `subtopic` beside `iteration` holds the second level."""
    frame = pd.DataFrame(QRELS).assign(subtopic=["1", "2", "1", "1", "1", "1", "1"])
    topics = [
        dm.Topic(t, tuple(dm.Intent(i, 1 / len(ids), children=children) for i in ids))
        for t, ids in (("1", "xy"), ("2", "xyz"))
        for children in [(dm.Intent("1", 0.5), dm.Intent("2", 0.5))]
    ]
    with div.with_topics(topics):
        score = ir_measures.calc_aggregate([div.ERR_IS @ 3], frame, RUN)[div.ERR_IS @ 3]
    assert score == dm.evaluate(frame, [RUN], "ERR-IS@3", topics)["score"].mean() > 0


# What went wrong when ir_measures asked pyndeval.


def test_two_alphas_in_one_call() -> None:
    measures = [div.ndeval_alpha_nDCG(alpha=a) @ 3 for a in (0.0, 0.1, 0.5, 0.9)]
    together = ir_measures.calc_aggregate(measures, QRELS, RUN)
    assert together == {measure: measure.calc_aggregate(QRELS, RUN) for measure in measures}
    assert len(set(together.values())) == 4
    assert min(together.values()) > 0


def test_judged_only() -> None:
    judged = [row for row in RUN if row.doc_id != "u"]
    for measure in (div.ndeval_alpha_nDCG @ 2, div.Dsharp_nDCG @ 2):
        assert measure(judged_only=True).calc_aggregate(QRELS, RUN) == measure.calc_aggregate(QRELS, judged)
        assert measure.calc_aggregate(QRELS, RUN) < measure.calc_aggregate(QRELS, judged)


def test_cutoffs_above_20() -> None:
    filler = [ScoredDoc("1", f"u{i}", 100.0 - i) for i in range(30)]
    assert (div.ndeval_strec @ 20).calc_aggregate(QRELS, filler + RUN) == 0.5  # topic 2 alone
    assert (div.ndeval_strec @ 33).calc_aggregate(QRELS, filler + RUN) == 1


def test_rows_in_any_order() -> None:
    measures = [div.Dsharp_nDCG @ 5, div.ndeval_ERR_IA @ 5]
    grouped = sorted(RUN)
    assert grouped != RUN
    expected = ir_measures.calc_aggregate(measures, QRELS, grouped)
    for run in (RUN, iter(RUN), as_dict(RUN), pd.DataFrame(RUN)):
        assert ir_measures.calc_aggregate(measures, iter(QRELS), run) == expected


def test_beside_measures_of_ir_measures() -> None:
    """Several providers in one call, from iterators that can be gone through once."""
    measures = [div.Dsharp_nDCG @ 5, div.alpha_nDCG @ 5, ir_measures.nDCG @ 5, ir_measures.NumRet]
    ours = dm.evaluate(QRELS, [RUN], ["D#-nDCG@5", "alpha-nDCG@5"]).groupby("metric")["score"].mean()
    scores = ir_measures.calc_aggregate(measures, iter(QRELS), iter(RUN))
    assert (scores[measures[0]], scores[measures[1]]) == (ours["D#-nDCG@5"], ours["alpha-nDCG@5"])
    assert scores[ir_measures.NumRet] == len(RUN)
    assert scores[measures[2]] == (ir_measures.nDCG @ 5).calc_aggregate(QRELS, RUN)


# How judgments and runs are read.


def test_equal_scores_are_ordered_as_in_trec_eval() -> None:
    tied = [ScoredDoc("1", doc, 1.0) for doc in "abc"]
    assert (div.Prec @ 1).calc_aggregate(QRELS, tied) == (ir_measures.P @ 1).calc_aggregate(QRELS, tied)
    measure = div.I_rec @ 1
    first = {metric.query_id: metric.value for metric in measure.iter_calc(QRELS, tied)}
    assert first == {"1": 0.5, "2": 0.0}  # c, which is about y alone; b is about both


def test_topics_that_a_run_does_not_answer_count_0() -> None:
    run = [row for row in RUN if row.query_id == "1"]
    one = {"1": 1.0, "2": 0.0}
    for measure in (div.I_rec @ 3, div.ndeval_strec @ 3):
        assert {metric.query_id: metric.value for metric in measure.iter_calc(QRELS, run)} == one
        assert measure.calc_aggregate(QRELS, run) == 0.5
    every = [measure @ 3 for name, measure in MEASURES.items() if not SQUARE.search(name)]
    nothing = pd.DataFrame([], columns=["query_id", "doc_id", "score"])
    for empty in ([], {}, nothing):
        assert set(ir_measures.calc_aggregate(every, QRELS, empty).values()) == {0.0}


def test_ids_come_back_as_they_were() -> None:
    qrels = pd.DataFrame(QRELS).assign(query_id=lambda frame: "wt09-" + frame["query_id"])
    run = pd.DataFrame(RUN).assign(query_id=lambda frame: "wt09-" + frame["query_id"])
    assert [m.query_id for m in (div.I_rec @ 3).iter_calc(qrels, run)] == ["wt09-1", "wt09-2"]
    numbers, run = (pd.DataFrame(rows).astype({"query_id": int}) for rows in (QRELS, RUN))
    assert [m.query_id for m in (div.I_rec @ 3).iter_calc(numbers, run)] == [1, 2]


def test_rel_and_scale() -> None:
    for options, parameters in (({"relevance_level": 2}, {"rel": 2}), ({"scale": 4}, {"scale": 4})):
        expected = dm.evaluate(QRELS, [RUN], "ERR-IA@5", **options)["score"].mean()
        assert expected != (div.ERR_IA @ 5).calc_aggregate(QRELS, RUN)
        assert (div.ERR_IA(**parameters) @ 5).calc_aggregate(QRELS, RUN) == expected


def test_topics_hold_within_the_block() -> None:
    topics = [
        dm.Topic("1", (dm.Intent("x", 0.9), dm.Intent("y", 0.1))),
        dm.Topic("2", (dm.Intent("x", 0.2), dm.Intent("y", 0.2), dm.Intent("z", 0.6))),
        dm.Topic("3", (dm.Intent("x", 1.0),)),
    ]
    measure = div.ERR_IA @ 5
    plain = measure.calc_aggregate(QRELS, RUN)
    with div.with_topics(topics):
        inside = measure.calc_aggregate(QRELS, RUN)
        evaluator = measure.evaluator(QRELS)
    assert inside == dm.evaluate(QRELS, [RUN], "ERR-IA@5", topics)["score"].mean() != plain
    assert evaluator.calc_aggregate(RUN)[measure] == inside
    assert measure.calc_aggregate(QRELS, RUN) == plain
    with pytest.raises(RuntimeError, match="stop"), div.with_topics(topics):
        raise RuntimeError("stop")
    assert measure.calc_aggregate(QRELS, RUN) == plain


NO_SUBTOPIC = "no judgment names its subtopic (ir_measures calls it iteration, and 0 means none); expected"


@pytest.mark.parametrize(
    "qrels",
    [
        {"1": {"a": 1, "b": 0}},
        pd.DataFrame({"query_id": ["1"], "doc_id": ["a"], "relevance": [1]}),
    ],
    ids=["dict", "frame"],
)
def test_judgments_without_subtopics(qrels: Any) -> None:
    for measure in (div.Dsharp_nDCG @ 5, div.ndeval_strec @ 5):
        with pytest.raises(dm.DivmetricsError, match=re.escape(NO_SUBTOPIC)):
            measure.calc_aggregate(qrels, {"1": {"a": 1.0}})
    assert (div.Prec @ 1).calc_aggregate(qrels, {"1": {"a": 1.0}}) == 1  # it needs none


@pytest.mark.parametrize(
    ("measure", "qrels", "run", "message"),
    [
        (div.P_IA, QRELS, RUN, "P-IA needs a cutoff: write P-IA@10"),
        (div.I_rec, QRELS, [ScoredDoc("9", "a", 1.0)], "run 'run' has no topic in common with the judgments"),
        (div.I_rec, QRELS, [*RUN, RUN[0]], "run, item 7 (from 0): document 'a' stands in the list of"),
        (div.I_rec, [*QRELS, Qrel("1", "a", 2, "x")], RUN, "judgments, item 7 (from 0): topic 1, intent x, "),
        (div.I_rec, QRELS, [ScoredDoc("1", "a", float("nan"))], "run, item 0 (from 0): score nan is not a"),
    ],
)
def test_what_cannot_be_scored(measure: Any, qrels: Any, run: Any, message: str) -> None:
    with pytest.raises(dm.DivmetricsError, match="^" + re.escape(message)):
        measure.calc_aggregate(qrels, run)


# As PyTerrier 1.0 calls it (pyterrier/_evaluation/_execution.py).


@pytest.fixture
def as_pyterrier_has_them() -> tuple[pd.DataFrame, pd.DataFrame]:
    """Judgments and results, renamed back by `pyterrier.model.to_ir_measures`."""
    results = pd.DataFrame(RUN).assign(rank=range(len(RUN)), query="words", docid=5)
    return pd.DataFrame(QRELS).merge(pd.DataFrame({"query_id": ["1", "2"]})), results


def test_the_calls_of_pyterrier(as_pyterrier_has_them: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    qrels, results = as_pyterrier_has_them
    measures = [div.Dsharp_nDCG @ 5, ir_measures.P @ 5]
    assert set(ir_measures.run_inputs(measures)) == {"query_id", "doc_id", "score"}
    assert set(ir_measures.qrel_inputs(measures)) == {"query_id", "doc_id", "relevance", "iteration"}
    whole = {(m.query_id, m.measure): m.value for m in ir_measures.iter_calc(measures, qrels, results)}
    assert whole["1", measures[0]] == dm.evaluate(QRELS, [RUN], "D#-nDCG@5").set_index("topic")["score"]["1"]
    batch = qrels[qrels["query_id"].isin({"2"})]
    later = {m.measure: m.value for m in ir_measures.iter_calc([div.I_rec @ 5], batch, results)}
    assert later == {div.I_rec @ 5: whole_of("2")}
    nobody = qrels[qrels["query_id"].isin({"9"})]
    assert list(ir_measures.iter_calc([div.I_rec @ 5], nobody, results)) == []


def whole_of(topic: str) -> float:
    return dm.evaluate(QRELS, [RUN], "I-rec@5").set_index("topic")["score"][topic]


@pytest.mark.filterwarnings("ignore")  # what PyTerrier warns of is its own
def test_an_experiment_of_pyterrier() -> None:
    """python-terrier brings too much to be installed for this; where it is, its Experiment is asked."""
    pt = pytest.importorskip("pyterrier", reason="python-terrier is not installed")
    names = {"query_id": "qid", "doc_id": "docno", "relevance": "label"}
    qrels, results = (pd.DataFrame(rows).rename(columns=names) for rows in (QRELS, RUN))
    topics = pd.DataFrame({"qid": ["1", "2"], "query": ["one", "two"]})
    transformer = pt.Transformer.from_df(results)
    expected = dm.evaluate(QRELS, [RUN], "D#-nDCG@5")["score"].mean()
    for system, options in ((results, {}), (transformer, {}), (transformer, {"batch_size": 1})):
        measures = [div.Dsharp_nDCG @ 5, "P_5"]
        table = pt.Experiment([system], topics, qrels, measures, names=["a"], **options)
        assert table["Dsharp_nDCG@5"][0] == pytest.approx(expected, abs=1e-12)


def test_files_of_the_examples() -> None:
    """As the README has it."""
    qrels = list(ir_measures.read_trec_qrels(str(ROOT / "examples/harry_potter.qrels")))
    run = ir_measures.read_trec_run(str(ROOT / "examples/mixed.run"))
    scores = ir_measures.calc_aggregate([div.ERR_IA @ 5, div.Dsharp_nDCG @ 5], qrels, run)
    assert [round(scores[m], 4) for m in (div.ERR_IA @ 5, div.Dsharp_nDCG @ 5)] == [0.4323, 0.9344]
