"""The same numbers as pyndeval's on random collections with binary judgments, where the definitions coincide.

What has to be converted, and nothing else is:

* ndeval counts an intent only if some document is relevant to it, and weights all of those equally; so the
  topics given to the library have just these intents, with probability 1/m.
* Its ERR-IA and alpha-DCG are divided by the "ideal ideal", a document relevant to all intents at every
  rank; pyndeval divides from the second rank on, so that at cutoff 1 they are plain sums (a known defect).
* Its ERR-IA stops with probability alpha, a constant and not a function of the grade. With alpha = 1/2 and
  binary grades that is R(1) = (2^1 - 1)/2^1 = 1/2. It leaves the first factor alpha out, hence the 2 below.
* Its MAP-IA is AP-IA over R_i and the whole list; NRBP reads the whole list too.
* It orders a run by score; the scores here fall with the rank, so that its treatment of ties is never asked
  for. Its cutoffs end at 20.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import divmetrics as dm
from tests.support.strategies import Sample, quick, samples

pyndeval = pytest.importorskip("pyndeval", reason="pyndeval, the oracle of this test, is not installed")

CLOSE = 1e-9
CUTOFFS = (1, 2, 3, 4, 5, 8, 13, 20)
Convert = Callable[[float, int, int], float]

binary = samples(top=1, scale=False, navigational=False, most_intents=5, most_runs=3)


def as_it_is(score: float, m: int, cutoff: int) -> float:
    """No conversion."""
    return score


def ndeval(
    sample: Sample, metrics: list[str], **parameters: float
) -> dict[tuple[str, str], dict[str, float]]:
    """{(run, topic): {metric: score}} by pyndeval."""
    qrels = [
        (topic, intent, doc, grade)
        for topic, docs in sample.judgments.items()
        for doc, labels in docs.items()
        for intent, grade in labels.items()
    ]
    evaluator = pyndeval.RelevanceEvaluator(qrels, metrics, **parameters)
    by_metric = {}
    for run, lists in sample.runs.items():
        rows = [(topic, doc, -float(k)) for topic, docs in lists.items() for k, doc in enumerate(docs)]
        for topic, scores in evaluator.evaluate(rows).items():
            by_metric[run, topic] = scores
    return by_metric


def counted(sample: Sample) -> dm.Collection:
    """The library's collection of the intents that ndeval counts; topics without any are left out."""
    topics, judgments = [], {}
    for topic in sample.topics:
        docs = sample.judgments[topic.id]
        covered = [t.id for t in topic.intents if any(labels[t.id] > 0 for labels in docs.values())]
        if covered:
            topics.append(dm.Topic(topic.id, tuple(dm.Intent(t, 1 / len(covered)) for t in covered)))
            judgments[topic.id] = {doc: {t: labels[t] for t in covered} for doc, labels in docs.items()}
    return dm.Collection.of(topics, judgments, sample.runs)


def compare(sample: Sample, theirs: str, ours: str, convert: Convert = as_it_is, **parameters: float) -> None:
    """pyndeval's score is `convert(our score, number of counted intents, cutoff)`, for every list."""
    cutoffs = CUTOFFS if "@" in theirs else [0]
    names = {theirs.replace("@l", f"@{cutoff}"): cutoff for cutoff in cutoffs}
    tool_scores = ndeval(sample, list(names), **parameters)
    collection = counted(sample)
    assume(tool_scores and collection.pools)
    for (run, topic), scores in tool_scores.items():
        for name, cutoff in names.items():
            if topic not in collection.pools:
                assert scores[name] == 0
                continue
            ranked = collection.list(run, topic)
            mine = dm.metric(ours.replace("@l", f"@{cutoff}")).score(ranked)
            converted = convert(mine, len(ranked.topic.intents), cutoff)
            assert scores[name] == pytest.approx(converted, abs=CLOSE), (run, topic, name)


@quick(40)
@given(binary)
def test_s_recall(sample):
    """strec is S-recall over the counted intents."""
    compare(sample, "strec@l", "S-recall@l")


@quick(40)
@given(binary)
def test_p_ia(sample):
    """P-IA coincides: mean over the counted intents, divided by the cutoff also where the list is shorter."""
    compare(sample, "P-IA@l", "P-IA@l")


@quick(60)
@given(binary)
def test_map_ia(sample):
    """MAP-IA is AP-IA as usual, over R_i, not over l as Yu et al. (2017) print it."""
    compare(sample, "MAP-IA", "AP-IA(of=R)")


@quick(40)
@given(binary)
def test_err_ia(sample):
    """ERR-IA: 2 (mean over intents) over the ideal ideal's sum; at cutoff 1 the plain sum over intents."""

    def convert(score: float, m: int, cutoff: int) -> float:
        total_over_intents = 2 * m * score
        if cutoff == 1:
            return total_over_intents
        return total_over_intents / sum(m * 0.5 ** (k - 1) / k for k in range(1, cutoff + 1))

    compare(sample, "ERR-IA@l", "ERR-IA@l", convert)


@pytest.mark.parametrize("alpha", [0.0, 0.3, 0.5, 1.0])
@quick(20)
@given(binary)
def test_alpha_dcg(alpha, sample):
    """alpha-DCG: the same sum, divided by the ideal ideal's; at cutoff 1 undivided."""

    def convert(score: float, m: int, cutoff: int) -> float:
        if cutoff == 1:
            return score
        return score / sum(m * (1 - alpha) ** (k - 1) / math.log2(k + 1) for k in range(1, cutoff + 1))

    compare(sample, "alpha-DCG@l", f"alpha-DCG(alpha={alpha})@l", convert, alpha=alpha)


@quick(40)
@given(binary)
def test_alpha_ndcg(sample):
    """alpha-nDCG: the ideal ideal cancels out; ties of the greedy ideal go to the last document id."""
    compare(sample, "alpha-nDCG@l", "alpha-nDCG(ties=descending)@l")


@quick(60)
@given(binary, st.sampled_from([0.2, 0.5, 1.0]), st.sampled_from([0.3, 0.5, 0.8]))
def test_nrbp(sample, alpha, beta):
    """NRBP is normalised by its ideal ideal at full depth in both (Clarke et al. 2009)."""
    compare(sample, "NRBP", f"NRBP(alpha={alpha},beta={beta})", alpha=alpha, beta=beta)


NAMES = ("ERR-IA", "nERR-IA", "alpha-DCG", "alpha-nDCG", "P-IA", "strec", "NRBP", "nNRBP", "MAP-IA")


@pytest.mark.filterwarnings("ignore::divmetrics.errors.DivmetricsWarning")
@quick(60)
@given(
    samples(top=2, scale=False, navigational=False, most_intents=5, most_runs=3),
    st.sampled_from([0.0, 0.25, 0.3, 0.5, 0.9, 1.0]),
    st.sampled_from([0.3, 0.5, 0.8]),
)
def test_convention_ndeval(sample, alpha, beta):
    """The convention `ndeval` needs no conversion, on graded judgments either, at every cutoff from 1 to 20.

    Two of pyndeval's faults are not copied: the missing division at cutoff 1, and nan as nNRBP where
    nothing is relevant.
    """
    whole = [name for name in NAMES if name in pyndeval.NOCUTOFF_MEASURES]
    labels = whole + [f"{name}@{k}" for name in NAMES if name not in whole for k in range(1, 21)]
    collection = sample.collection()
    theirs = ndeval(sample, labels, alpha=alpha, beta=beta)
    runs = [run for run in collection.runs.values() if run.spans]
    assume(runs)
    ours = dm.evaluate(collection.with_runs(runs), None, labels, convention="ndeval", alpha=alpha, beta=beta)
    for run, topic, label, mine in ours.itertuples(index=False, name=None):
        if (run, topic) not in theirs:
            assert collection.list(run, topic).docs == ()
            assert mine == 0
            continue
        if label in ("ERR-IA@1", "alpha-DCG@1"):
            mine *= int((collection.pools[topic].grades > 0).any(axis=1).sum())
        score = theirs[run, topic][label]
        assert (0.0 if math.isnan(score) else score) == pytest.approx(mine, abs=CLOSE), (run, topic, label)


@pytest.mark.filterwarnings("ignore::divmetrics.errors.DivmetricsWarning")
@quick(30)
@given(samples(top=1, scale=False, navigational=False, most_intents=3, most_runs=1))
def test_subtopic_0_is_an_intent_like_any_other(sample):
    """As ndeval reads judgments: where a document is relevant to it."""
    judgments = {
        topic: {
            doc: {intent.removeprefix("t"): g for intent, g in labels.items()} for doc, labels in docs.items()
        }
        for topic, docs in sample.judgments.items()
    }
    sample = sample.changed(judgments=judgments)
    assume(any(sample.runs["A"].values()))
    theirs = ndeval(sample, ["strec@3", "P-IA@3", "alpha-nDCG@3"])
    run = {topic: {doc: -k for k, doc in enumerate(docs)} for topic, docs in sample.runs["A"].items() if docs}
    ours = dm.evaluate(judgments, run, ["strec@3", "P-IA@3", "alpha-nDCG@3"], convention="ndeval")
    for _, topic, label, mine in ours.itertuples(index=False, name=None):
        expected = theirs["A", topic][label] if topic in run else 0
        assert mine == pytest.approx(expected, abs=CLOSE), (topic, label)
