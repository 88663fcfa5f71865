"""Laws: what must hold for every collection, whatever the numbers; each test says its law and its source."""

from __future__ import annotations

import math
import random
import sys
import warnings
from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import divmetrics as dm
from divmetrics.core.batch import Batch, batch_lists, make_batch
from divmetrics.core.metric import Collapsed, Metric
from divmetrics.parts import (
    BlendedRatio,
    Cascade,
    Effort,
    FirstCover,
    Graded,
    Log2,
    Novelty,
    One,
    Part,
    Probability,
    Relevant,
    RelevantSoFar,
    SortedIdeal,
    Uniform,
    Utility,
)
from tests.support.reference import ADHOC, DIVERSITY, GOLD, INTENT_SQUARE, METRICS, NEED_A_CUTOFF, NO_IA
from tests.support.strategies import DOCS, NEVER_JUDGED, Sample, cutoffs, one_list, quick, samples

CLOSE = 1e-9
FIRST_LEVEL = [*DIVERSITY, *ADHOC, *GOLD]
ONCE_PER_INTENT = ["nDCG-IA", "Q-IA", "RBP-IA", "ERR-IA", "EBR-IA", "iRBU-IA", "P-IA", "AP-IA"]


def close(expected):
    return pytest.approx(expected, abs=CLOSE)


def only(sample: Sample) -> dm.RankedList:
    """The one list of a sample made by `one_list`."""
    return sample.collection().list("A", sample.topics[0].id)


def scores(sample: Sample, metrics: list[str]) -> dict[tuple[str, str, str], float]:
    """{(run, topic, metric): score}, through `evaluate` on the whole collection."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", dm.DivmetricsWarning)
        frame = dm.evaluate(sample.collection(), None, metrics)
    return {tuple(row[:3]): row[3] for row in frame.itertuples(index=False)}


def answered(sample: Sample) -> None:
    """`evaluate` refuses a run without any topic of the judgments (tested with the readers)."""
    assume(all(sample.runs.values()))


def with_cutoff(names: list[str], cutoff: int | None) -> list[str]:
    if cutoff is None:
        return [name for name in names if name not in NEED_A_CUTOFF]
    return [f"{name}@{cutoff}" for name in names]


def relabelled(sample: Sample, new: dict[str, str]) -> Sample:
    """Documents under other names."""
    judgments = {t: {new[d]: labels for d, labels in docs.items()} for t, docs in sample.judgments.items()}
    runs = {r: {t: [new[d] for d in docs] for t, docs in lists.items()} for r, lists in sample.runs.items()}
    return sample.changed(judgments=judgments, runs=runs)


# -------------------------------------------------------------------------------- sums and vectorising


def test_labels_of_the_first_level_have_no_score_on_the_second():
    topic = dm.Topic("7", (dm.Intent("film", 1.0, children=(dm.Intent("cast", 1.0),)),))
    ranked = dm.RankedList(topic, ["d1", "d2"], {"d1": {"film": 1}})
    metric = dm.metric("ERR-IA@3")
    assert metric.score(ranked, 1) == 0.5
    with pytest.raises(dm.DivmetricsError, match="topic 7 is judged on the first level only"):
        metric.score(ranked, 2)
    nothing = dm.RankedList(topic, ["d1"], {"d1": {"film": 0}})
    assert metric.score(nothing, 2) == 0


def test_documents_without_judgments_are_no_list():
    with pytest.raises(dm.DivmetricsError, match="the list is 'd1', expected a RankedList"):
        dm.metric("ERR-IA@3").score("d1")


@pytest.mark.parametrize("levels", [1, 2])
@quick(15)
@given(st.data(), cutoffs)
def test_contributions_sum_to_the_score(levels, data, cutoff):
    """T(L) is the sum of f(t_i) w(k) M_i(d_k|L^{k-1}) / N over ranks and intents (Yu et al. 2017, Eq. 3)."""
    sample = data.draw(one_list(levels=levels))
    ranked = only(sample)
    for name in with_cutoff(FIRST_LEVEL if levels == 1 else [*INTENT_SQUARE], cutoff):
        metric = dm.metric(name)
        earned = metric.contributions(batch_lists([ranked]))
        assert earned.shape[:3] == (1, 1, len(ranked.topic.intents))
        assert math.fsum(earned.ravel()) == close(metric.score(ranked)), name


@pytest.mark.parametrize("levels", [1, 2])
@quick(12)
@given(st.data(), st.none() | cutoffs)
def test_vectorised_equals_list_by_list(levels, data, cutoff):
    """Padding to the longest list, the most intents and the largest pool of a collection changes no score."""
    sample = data.draw(samples(levels=levels, most_runs=3))
    answered(sample)
    collection = sample.collection()
    names = with_cutoff(FIRST_LEVEL if levels == 1 else [*INTENT_SQUARE], cutoff)
    together = scores(sample, names)
    for (run, topic, name), score in together.items():
        assert dm.metric(name).score(collection.list(run, topic)) == close(score), (run, topic, name)


@pytest.mark.parametrize("charged", ["documents", "cutoff"])
@pytest.mark.parametrize("f", [Uniform(), One()], ids=repr)
@quick(60)
@given(samples(most_runs=3), cutoffs)
def test_an_own_row_earns_nothing_at_intents_of_other_topics(f, charged, sample, cutoff):
    """Arrays are padded to the most intents of any topic: a topic's score does not depend on its neighbours.

    No shipped row needs this mask: each has an f or an M that is 0 at an intent that a topic lacks.
    """
    answered(sample)
    collection = sample.collection()
    row = Metric("costs", N=One(), f=f, w=One(), M=Relevant() - Effort(0.1, charged), cutoff=cutoff)
    together = row.scores(make_batch(collection))
    for t, topic in enumerate(collection.pools):
        for r, run in enumerate(collection.runs):
            assert together[t, r] == close(row.score(collection.list(run, topic))), (run, topic)


@pytest.mark.parametrize("levels", [1, 2])
@quick(8)
@given(st.data(), st.none() | cutoffs)
def test_chunks_change_nothing(levels, data, cutoff):
    """Work is cut into blocks of topics and groups of runs to bound memory: their size changes nothing."""
    sample = data.draw(samples(levels=levels, most_runs=3))
    answered(sample)
    names = with_cutoff(FIRST_LEVEL if levels == 1 else [*INTENT_SQUARE], cutoff)
    at_once = scores(sample, names)
    for cells in (1, 30):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sys.modules["divmetrics.evaluation"], "CELLS", cells)
            assert scores(sample, names) == pytest.approx(at_once, abs=CLOSE)


@pytest.mark.parametrize("levels", [1, 2])
@quick(10)
@given(st.data(), cutoffs)
def test_tables_and_objects_score_alike(levels, data, cutoff):
    """The same judgments, topics and runs as DataFrames, a row per judgment and per document."""
    import pandas as pd

    sample = data.draw(samples(levels=levels, scale=False))
    answered(sample)
    keep = {
        t: {
            d: {k: g for k, g in labels.items() if levels == 1 or isinstance(k, tuple)}
            for d, labels in docs.items()
        }
        for t, docs in sample.judgments.items()
    }
    sample = sample.changed(judgments=keep)
    judged = [
        (t, *(k if isinstance(k, tuple) else (k,)), d, g)
        for t, docs in keep.items()
        for d, labels in docs.items()
        for k, g in labels.items()
    ]
    listed = [
        (r, t, d, k, -float(k))
        for r, lists in sample.runs.items()
        for t, docs in lists.items()
        for k, d in enumerate(docs, start=1)
    ]
    assume({r for r, *_ in listed} == set(sample.runs))
    columns = ["topic", "intent", *(["subtopic"] if levels == 2 else []), "doc", "grade"]
    names = with_cutoff(
        ["ERR-IA", "alpha-nDCG", "P+Q#", "nDCG"] if levels == 1 else ["ERR-IS", "D#-nDCG"], cutoff
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", dm.DivmetricsWarning)
        frame = dm.evaluate(
            pd.DataFrame(judged, columns=columns),
            pd.DataFrame(listed, columns=["run", "topic", "doc", "rank", "score"]),
            names,
            sample.topics,
        )
    by_key = {tuple(row[:3]): row[3] for row in frame.itertuples(index=False)}
    assert by_key == pytest.approx(scores(sample, names), abs=CLOSE)


@pytest.mark.parametrize(
    "whole", [[], ["alpha-nDCG", "nDCG-IA", "RBU-original", "P+Q"]], ids=["cut", "whole"]
)
@quick(15)
@given(samples(most_runs=3))
def test_one_call_equals_many(whole, sample):
    """Metrics of different depth asked for together share ideal lists and arrays, and nothing else."""
    answered(sample)
    names = [f"{n}@{c}" for n in ("alpha-nDCG", "nDCG-IA", "D-nDCG", "P+Q", "RBU") for c in (1, 3, 12, 5)]
    names += whole
    together = scores(sample, names)
    for name in names:
        for key, score in scores(sample, [name]).items():
            assert together[key] == close(score)


# ----------------------------------------------------------------------------------------- invariances


@pytest.mark.parametrize("levels", [1, 2])
@quick(12)
@given(st.data(), st.none() | cutoffs, st.randoms(use_true_random=False))
def test_order_of_topics_runs_and_intents_changes_nothing(levels, data, cutoff, rng):
    """Topics, runs and intents are sets; a metric may look at their order nowhere."""
    sample = data.draw(samples(levels=levels, most_runs=3))
    answered(sample)
    names = with_cutoff(FIRST_LEVEL if levels == 1 else [*INTENT_SQUARE], cutoff)

    def shuffled(items):
        items = list(items)
        rng.shuffle(items)
        return items

    topics = []
    for topic in shuffled(sample.topics):
        intents = [replace(t, children=tuple(shuffled(t.children))) for t in shuffled(topic.intents)]
        topics.append(replace(topic, intents=tuple(intents)))
    judgments = {
        t: {d: dict(shuffled(sample.judgments[t][d].items())) for d in shuffled(sample.judgments[t])}
        for t in shuffled(sample.judgments)
    }
    runs = {r: sample.runs[r] for r in shuffled(sample.runs)}
    other = sample.changed(topics=tuple(topics), judgments=judgments, runs=runs)
    before, after = scores(sample, names), scores(other, names)
    assert before.keys() == after.keys()
    for key, score in before.items():
        assert after[key] == close(score), key


@pytest.mark.parametrize("levels", [1, 2])
@quick(12)
@given(st.data(), st.none() | cutoffs, st.permutations([f"x{i:02}" for i in range(13)]))
def test_names_of_documents_change_nothing(levels, data, cutoff, fresh):
    """A document's id carries no information, so renaming documents at will keeps every score.

    Greedy ideal lists are the exception, and a documented one: where several documents add equally much, the
    one with the first id is taken, and which one that is can change what the search finds later (there is a
    test of that below). For alpha-nDCG only renaming that keeps the ids' order is free (the next test).
    """
    sample = data.draw(samples(levels=levels))
    answered(sample)
    names = FIRST_LEVEL if levels == 1 else [*INTENT_SQUARE]
    names = with_cutoff([name for name in names if not name.startswith("alpha-nDCG")], cutoff)
    new = dict(zip((*DOCS, *NEVER_JUDGED), fresh, strict=True))
    before, after = scores(sample, names), scores(relabelled(sample, new), names)
    for key, score in before.items():
        assert after[key] == close(score), key


@quick(25)
@given(samples(levels=2), st.none() | cutoffs)
def test_order_preserving_renaming_keeps_alpha_ndcg(sample, cutoff):
    """The greedy ideal's ties are broken by document id: keeping the ids' order keeps it."""
    answered(sample)
    names = with_cutoff(["alpha-nDCG", "alpha-nDCG-IS"], cutoff)
    names += [name.replace("nDCG", "nDCG(ties=descending)", 1) for name in names if "-IS" not in name]
    old = sorted((*DOCS, *NEVER_JUDGED))
    new = {doc: f"clueweb{i:04}-{doc}" for i, doc in enumerate(old)}
    before, after = scores(sample, names), scores(relabelled(sample, new), names)
    for key, score in before.items():
        assert after[key] == close(score), key


@quick(25)
@given(one_list(), cutoffs, st.data())
def test_documents_with_the_same_grades_are_interchangeable(sample, cutoff, data):
    """A metric sees grades, not documents: swapping two documents with the same grades changes no score."""
    ranked = only(sample)
    by_labels: dict[tuple, list[str]] = {}
    for doc in ranked.docs:
        by_labels.setdefault(tuple(sorted(ranked.judgments.labels(doc).items())), []).append(doc)
    twins = [docs for docs in by_labels.values() if len(docs) > 1]
    assume(twins)
    one, other = data.draw(st.sampled_from(twins))[:2]
    swap = {one: other, other: one}
    swapped = ranked.reordered([swap.get(doc, doc) for doc in ranked.docs])
    for name in with_cutoff(FIRST_LEVEL, cutoff):
        assert dm.metric(name).score(swapped) == close(dm.metric(name).score(ranked)), name


@quick(15)
@given(one_list(), cutoffs)
def test_grades_below_zero_are_zero(sample, cutoff):
    """Negative grades (spam in TREC's judgments) are judged and not relevant: the same as 0."""
    ranked = only(sample)
    floored = {
        t: {d: {i: max(g, 0) for i, g in labels.items()} for d, labels in docs.items()}
        for t, docs in sample.judgments.items()
    }
    for name in with_cutoff(FIRST_LEVEL, cutoff):
        assert dm.metric(name).score(only(sample.changed(judgments=floored))) == dm.metric(name).score(
            ranked
        ), name


@quick(20)
@given(one_list(), cutoffs)
def test_adding_an_unjudged_document_at_the_end(sample, cutoff):
    """Not judged is not relevant: one more such document at the end changes no score, efforts apart.

    Only RBU-original charges for it, where the list was shorter than the cutoff; RBU charges every rank
    anyway.
    """
    ranked = only(sample)
    longer = ranked.reordered([*ranked.docs, "never-judged"])
    for name in [*with_cutoff(FIRST_LEVEL, cutoff), *with_cutoff(FIRST_LEVEL, None)]:
        change = dm.metric(name).score(longer) - dm.metric(name).score(ranked)
        if name.startswith("RBU-original") and (name == "RBU-original" or len(ranked) < cutoff):
            k = len(ranked) + 1
            assert change == close(-(1 - 0.99) / 0.99 * 0.01 * 0.99**k)
        else:
            assert change == close(0.0), name


@quick(30)
@given(one_list(), cutoffs)
def test_a_cutoff_beyond_the_end_is_the_whole_list(sample, cutoff):
    """Without l in N, ideal list or cost per rank, ranks that the list does not have count for nothing."""
    ranked = only(sample)
    for name in (
        "S-recall",
        "ERR-IA",
        "RBP-IA",
        "iRBU-IA",
        "EBR-IA",
        "alpha-DCG",
        "NRBP",
        "D-ERR",
        "RR",
        "P+",
    ):
        assert dm.metric(f"{name}@{len(ranked) + cutoff}").score(ranked) == close(
            dm.metric(name).score(ranked)
        )


# ----------------------------------------------------------------------------------- bounds, never nan

# May exceed 1: alpha-DCG is not normalised; alpha-nDCG divides by a greedy list, which may be beaten. RBU may
# be below 0: the effort is charged whether or not something is found.
UNBOUNDED = {"alpha-DCG", "alpha-nDCG", "RBU", "RBU-original"}


@pytest.mark.parametrize("levels", [1, 2])
@quick(30)
@given(st.data(), st.none() | cutoffs)
def test_bounds(levels, data, cutoff):
    """Scores lie in [0, 1], alpha-DCG, alpha-nDCG (greedy) and RBU (effort) apart; none is ever nan or
    infinite.

    Collections include topics without relevant documents, empty lists, and intents of probability 0.
    """
    sample = data.draw(samples(levels=levels))
    seen = make_batch(sample.collection(), leaves=True)
    for name in with_cutoff(FIRST_LEVEL if levels == 1 else [*INTENT_SQUARE], cutoff):
        values = dm.metric(name).scores(seen)
        assert np.isfinite(values).all(), name
        if name.split("@")[0].removesuffix("-IS") not in UNBOUNDED:
            assert ((values >= -CLOSE) & (values <= 1 + CLOSE)).all(), (name, values)


@quick(20)
@given(one_list(levels=2), cutoffs)
def test_nothing_relevant_scores_zero(sample, cutoff):
    """A topic without relevant documents has ideal 0 and scores 0, never nan; RBU charges its effort."""
    judged = sample.judgments[sample.topics[0].id]
    nothing = {doc: dict.fromkeys(labels, 0) for doc, labels in judged.items()}
    ranked = only(sample.changed(judgments={sample.topics[0].id: nothing}))
    for name in with_cutoff([*METRICS], cutoff):
        score = dm.metric(name).score(ranked)
        assert score <= 0 if name.startswith("RBU") else score == 0, name


@pytest.mark.parametrize(
    ("ties", "labels", "run"),
    [
        ("descending", {"a": "34", "b": "01", "c": "2", "d": "23", "e": "13"}, "abd"),
        ("ascending", {"e": "34", "d": "01", "c": "2", "b": "23", "a": "13"}, "edb"),
    ],
)
def test_greedy_alpha_ndcg_may_exceed_one(ties, labels, run):
    """The greedy ideal is not the best list: 1.0853 for a list that beats it, in either direction of ties."""
    topic = dm.Topic("1", tuple(dm.Intent(i, 0.2) for i in "01234"))
    judged = {doc: dict.fromkeys(intents, 1) for doc, intents in labels.items()}
    ranked = dm.RankedList(topic, list(run), judged)
    assert dm.metric(f"alpha-nDCG(ties={ties})@3").score(ranked) == pytest.approx(1.0853, abs=5e-5)
    other = "ascending" if ties == "descending" else "descending"
    assert dm.metric(f"alpha-nDCG(ties={other})@3").score(ranked) < 1.0853 - 1e-3
    assert dm.metric("alpha-nDCG(ideal=exact)@3").score(ranked) <= 1 + CLOSE


@quick(30)
@given(one_list(), cutoffs)
def test_exact_alpha_ndcg_is_at_most_one(sample, cutoff):
    """With the exact ideal no list exceeds 1, and none scores more than with the greedy one."""
    ranked = only(sample)
    exact = dm.metric(f"alpha-nDCG(ideal=exact)@{cutoff}").score(ranked)
    assert exact <= 1 + CLOSE
    assert exact <= dm.metric(f"alpha-nDCG@{cutoff}").score(ranked) + CLOSE


def test_a_list_is_scored_on_its_own_topic():
    """Judgments that come with other weights are read as the list's own topic says, in the ideal, too."""
    topic = dm.Topic("1", (dm.Intent("t", 0.9), dm.Intent("u", 0.1)))
    pool = dm.Judgments.of(topic, {"d": {"t": 1}, "e": {"u": 1}})
    uniform, weighted = (dm.RankedList(each, ["e"], pool) for each in (topic.uniform(), topic))
    assert dm.metric("P-IA@1").score(uniform) == close(0.5)
    assert dm.metric("P-IA@1").score(weighted) == close(0.1)
    assert dm.metric("D-nDCG@1").score(uniform) == close(1.0)
    assert dm.metric("D-nDCG@1").score(weighted) == close(0.1 / 0.9)


def test_a_cutoff_far_beyond_every_list():
    """A cutoff that stands for "everything" is served up to a million, and refused in a sentence above it."""
    topic = dm.Topic("1", (dm.Intent("t", 1.0),))
    ranked = dm.RankedList(topic, ["d"], {"d": {"t": 1}})
    assert dm.metric(f"ERR-IA@{10**6}").score(ranked) == close(0.5)
    assert dm.metric(f"ERR-IA@{'0' * 5000}5") == dm.metric("ERR-IA@5")
    with pytest.raises(dm.DivmetricsError, match=r"is '1000001', expected .*at most 1,000,000"):
        dm.metric(f"ERR-IA@{10**6 + 1}")
    with pytest.raises(dm.DivmetricsError, match="is 10000000000000, expected"):
        dm.metric("ERR-IA") @ 10**13


def test_names_of_documents_may_change_greedy_alpha_ndcg():
    """Why the law above exempts it: reversing the order of ids is the other direction of ties."""
    topic = dm.Topic("1", tuple(dm.Intent(i, 0.2) for i in "01234"))
    labels = {"a": "34", "b": "01", "c": "2", "d": "23", "e": "13"}
    mirrored = dict(zip("abcde", "edcba", strict=True))
    judged = {doc: dict.fromkeys(intents, 1) for doc, intents in labels.items()}
    renamed = {mirrored[doc]: grades for doc, grades in judged.items()}
    metric = dm.metric("alpha-nDCG@3")
    before = metric.score(dm.RankedList(topic, list("abd"), judged))
    after = metric.score(dm.RankedList(topic, [mirrored[d] for d in "abd"], renamed))
    assert after == pytest.approx(1.0853, abs=5e-5)
    assert abs(before - after) > 1e-3


# ----------------------------------------------------------------------------------------- ideal lists


@pytest.mark.parametrize("gain", ["linear", "exponential"])
@quick(30)
@given(one_list(), cutoffs)
def test_the_sorted_ideal_list_scores_one(gain, sample, cutoff):
    """Sorted by global gain D-nDCG is 1, and with one intent nDCG, at any cutoff (Sakai & Song 2011)."""
    ranked = only(sample)
    judged = sample.judgments[sample.topics[0].id]
    weight = {t.id: t.probability for t in ranked.topic.intents}

    def global_gain(doc):
        grades = {i: max(g, 0) for i, g in judged[doc].items()}
        return sum(weight[i] * (g if gain == "linear" else 2**g - 1) for i, g in grades.items())

    assume(any(global_gain(doc) for doc in judged))
    ideal = ranked.reordered(sorted(judged, key=global_gain, reverse=True))
    for name in (f"D-nDCG(gain={gain})@{cutoff}", f"D-nDCG(gain={gain})"):
        assert dm.metric(name).score(ideal) == 1  # exactly, though a sum of rounded quotients need not be
    if len(ranked.topic.intents) == 1:
        for name in ("nDCG", "nDCG-IA", "Q", "Q-IA", "D-Q"):
            assert dm.metric(f"{name}(gain={gain})@{cutoff}").score(ideal) == 1


@pytest.mark.parametrize(
    "M",
    [
        *(Graded(), Relevant(), Cascade(), Novelty(0.5), FirstCover(), RelevantSoFar(), BlendedRatio()),
        *(Cascade() * BlendedRatio(), Graded() - Effort()),
    ],
    ids=repr,
)
@quick(40)
@given(one_list(), cutoffs, st.permutations([f"x{i:02}" for i in range(13)]))
def test_names_of_documents_do_not_change_the_sorted_ideal(M, sample, cutoff, fresh):
    """N is a property of the topic's grades, for any M: which document is called what decides nothing."""
    row = Metric("sorted", N=SortedIdeal("topic"), f=Probability(), w=Log2(), M=M, cutoff=cutoff)
    new = dict(zip((*DOCS, *NEVER_JUDGED), fresh, strict=True))
    before, after = (row.N(batch_lists([only(each)]), row) for each in (sample, relabelled(sample, new)))
    assert after == close(before)


def test_the_sorted_ideal_asks_what_a_document_earns_on_its_own():
    """By hand, ERR-IA's M: alone a and b earn 0.6 * 3/4 each, c 0.4 * 3/4; below a, b earns a quarter."""
    topic = dm.Topic("1", (dm.Intent("t", 0.6), dm.Intent("u", 0.4)))
    ranked = dm.RankedList(topic, ["c"], {"a": {"t": 2}, "b": {"t": 2}, "c": {"u": 2}})
    row = Metric("sorted", N=SortedIdeal("topic"), f=Probability(), w=One(), M=Cascade(), cutoff=2)
    assert row.N(batch_lists([ranked]), row).item() == pytest.approx(0.6 * 3 / 4 * (1 + 1 / 4))


@quick(30)
@given(one_list(most_intents=1), cutoffs)
def test_ideal_list_of_one_intent(sample, cutoff):
    """With one intent the list by decreasing grade is ideal, whatever the metric divides by it."""
    ranked = only(sample)
    judged = sample.judgments[sample.topics[0].id]
    assume(any(g > 0 for labels in judged.values() for g in labels.values()))
    ideal = ranked.reordered(sorted(judged, key=lambda doc: max(judged[doc].values()), reverse=True))
    for name in ("nDCG", "nDCG-IA", "Q", "Q-IA", "AP", "P+", "D-nDCG", "D-Q", "alpha-nDCG", "RR", "S-recall"):
        assert dm.metric(f"{name}@{cutoff}").score(ideal) == 1, name


@quick(30)
@given(one_list(), cutoffs)
def test_no_order_beats_the_sorted_ideal(sample, cutoff):
    """The judged documents in any order score at most what the ideal order scores."""
    ranked = only(sample)
    docs = sorted(ranked.judgments.docs)
    random.Random(len(docs)).shuffle(docs)
    for name in ("D-nDCG", "nDCG-IA", "DIN-nDCG", "Q-IA", "D-Q"):
        assert dm.metric(f"{name}@{cutoff}").score(ranked.reordered(docs)) <= 1


# ------------------------------------------------------------------------- equalities between the rows


@quick(50)
@given(one_list(levels=2), st.none() | cutoffs)
def test_err_is_is_err_ia_over_the_leaves(sample, cutoff):
    """ERR-IS is ERR-IA over the second-level subtopics with weights p(t|q) p(e|t,q) (Yu et al. 2017, 4.3.1).

    ERR-IA is linear in its intents and has no normaliser; so are RBP-IA, iRBU-IA, EBR-IA and Q-IA (whose
    ideals are each leaf's own), but not alpha-nDCG.
    """
    ranked = only(sample)
    leaves = tuple(
        dm.Intent(f"{t.id}/{e.id}", t.probability * e.probability, e.kind)
        for t in ranked.topic.intents
        for e in t.children
    )
    topic = dm.Topic(ranked.topic.id, leaves)
    judged = {
        doc: {"/".join(key): g for key, g in labels.items() if isinstance(key, tuple)}
        for doc, labels in sample.judgments[topic.id].items()
    }
    pool = dm.Judgments.of(topic, judged).with_scale(ranked.judgments.scale, ranked.judgments.adhoc_scale)
    flat = dm.RankedList(topic, ranked.docs, pool)
    at = "" if cutoff is None else f"@{cutoff}"
    for base in ("ERR", "RBP", "iRBU", "EBR", "Q", "nDCG"):
        expected = dm.metric(f"{base}-IA{at}").score(flat)
        assert dm.metric(f"{base}-IS{at}").score(ranked) == close(expected), base


@quick(15)
@given(one_list(levels=2), st.none() | cutoffs)
def test_intent_square_is_the_weighted_mean_over_subtopics(sample, cutoff):
    """T(L) = sum_i p(t_i|q) T_i(L), T_i over the subtopics of t_i alone (Yu et al. 2017, Eq. 12)."""
    ranked = only(sample)
    topic = ranked.topic
    for name in with_cutoff([*INTENT_SQUARE], cutoff):
        if name.startswith(("Prec", "P+-", "RR", *NO_IA)):
            continue
        base = name.replace("-IS", "")
        base = base if base.split("@")[0] in DIVERSITY | GOLD else name.replace("-IS", "-IA")
        total = 0.0
        for t in topic.intents:
            below = dm.Topic(topic.id, t.children)
            judged = {
                doc: {key[1]: g for key, g in labels.items() if isinstance(key, tuple) and key[0] == t.id}
                for doc, labels in sample.judgments[topic.id].items()
            }
            pool = dm.Judgments.of(below, judged).with_scale(
                ranked.judgments.scale, ranked.judgments.adhoc_scale
            )
            total += t.probability * dm.metric(base).score(dm.RankedList(below, ranked.docs, pool))
        assert dm.metric(name).score(ranked) == close(total), name


@quick(60)
@given(one_list(), st.none() | cutoffs)
def test_an_intent_that_is_its_own_subtopic_keeps_its_kind(sample, cutoff):
    """Where no intent has subtopics, leaf=self is the weighted mean over intents as topics of their own.

    Those that tell a navigational intent from an informational one, in f, M or the gains that are merged.
    """
    ranked = only(sample)
    names = ["DIN-nDCG", "DIN-Q", "P+Q", *(["Ef-P"] if cutoff else [])]
    for name in names:
        at = "" if cutoff is None else f"@{cutoff}"
        expected = 0.0
        for intent in ranked.topic.intents:
            alone = dm.Topic(ranked.topic.id, (replace(intent, probability=1.0),))
            judged = {
                doc: {intent.id: labels[intent.id]}
                for doc, labels in sample.judgments[ranked.topic.id].items()
            }
            pool = dm.Judgments.of(alone, judged).with_scale(
                ranked.judgments.scale, ranked.judgments.adhoc_scale
            )
            below = dm.RankedList(alone, ranked.docs, pool)
            expected += intent.probability * dm.metric(f"{name}{at}").score(below)
        assert dm.metric(f"{name}-IS(leaf=self){at}").score(ranked) == close(expected), name


@quick(40)
@given(one_list(most_intents=1), st.none() | cutoffs)
def test_alpha_zero_and_one_intent_is_dcg(sample, cutoff):
    """With alpha = 0 and one intent alpha-DCG is DCG on binary gains (Clarke et al. 2008)."""
    ranked = only(sample)
    at = "" if cutoff is None else f"@{cutoff}"
    flags = [1 if ranked.judgments.labels(doc) else 0 for doc in ranked.docs[:cutoff]]
    dcg = sum(flag / math.log2(k + 1) for k, flag in enumerate(flags, start=1))
    assert dm.metric(f"alpha-DCG(alpha=0){at}").score(ranked) == close(dcg)
    row = Metric(
        "binary nDCG", N=SortedIdeal("intent"), f=Probability(), w=Log2(), M=Relevant(), cutoff=cutoff
    )
    assert dm.metric(f"alpha-nDCG(alpha=0){at}").score(ranked) == close(row.score(ranked))


@quick(40)
@given(one_list(), st.none() | cutoffs)
def test_s_recall_is_alpha_dcg_with_alpha_one_and_no_discount(sample, cutoff):
    """S-recall = alpha-DCG / m with alpha = 1, w = 1, 0^0 = 1: it fits the framework (Yu et al.: not)."""
    ranked = only(sample)
    row = Metric("undiscounted", N=One(), f=One(), w=One(), M=Novelty(alpha=1.0), cutoff=cutoff)
    at = "" if cutoff is None else f"@{cutoff}"
    expected = row.score(ranked) / len(ranked.topic.intents)
    assert dm.metric(f"S-recall{at}").score(ranked) == close(expected)
    assert dm.metric(f"I-rec{at}").score(ranked) == close(expected)


@pytest.mark.parametrize(
    ("sharp", "base"), [(n, n.replace("#", "")) for n in DIVERSITY if "#" in n], ids=lambda name: name
)
@quick(20)
@given(one_list(), cutoffs)
def test_sharp_forms_at_the_ends_of_gamma(sharp, base, sample, cutoff):
    """D#-X = gamma I-rec + (1 - gamma) X (Sakai & Song 2011), at both ends of gamma and between."""
    ranked = only(sample)
    x, recall = dm.metric(f"{base}@{cutoff}").score(ranked), dm.metric(f"I-rec@{cutoff}").score(ranked)
    for gamma in (0, 0.3, 1):
        score = dm.metric(f"{sharp}(gamma={gamma})@{cutoff}").score(ranked)
        assert score == close(gamma * recall + (1 - gamma) * x)


@quick(40)
@given(one_list(navigational=False), st.none() | cutoffs)
def test_din_is_d_without_navigational_intents(sample, cutoff):
    """DIN-measures change nothing but navigational intents (Sakai 2012, Eq. 8); P+Q is then Q-IA (Eq. 12)."""
    ranked = only(sample)
    for name in with_cutoff(["DIN-nDCG", "DIN-Q", "DIN#-nDCG", "DIN#-Q", "P+Q"], cutoff):
        plain = name.replace("DIN", "D").replace("P+Q", "Q-IA")
        assert dm.metric(name).score(ranked) == close(dm.metric(plain).score(ranked)), name


@quick(40)
@given(one_list(), cutoffs)
def test_din_never_exceeds_d(sample, cutoff):
    """Redundant navigational documents count in the ideal only: DIN-X <= D-X (Sakai 2012, 3.1)."""
    ranked = only(sample)
    for x in ("nDCG", "Q"):
        din, d = (dm.metric(f"{base}-{x}@{cutoff}").score(ranked) for base in ("DIN", "D"))
        assert din <= d + CLOSE


@quick(40)
@given(
    samples(most_topics=1, most_runs=3), cutoffs, st.sampled_from([0.5, 0.99]), st.sampled_from([0.01, 0.1])
)
def test_rbu_orders_lists_as_irbu_ia_does(sample, cutoff, phi, e):
    """RBU@l = iRBU-IA@l - e sum_{k<=l} phi^k: the same constant for every list (Sakai & Zeng 2019, Eq. 9)."""
    topic = sample.topics[0].id
    effort = e * sum(phi**k for k in range(1, cutoff + 1))
    for run in sample.runs:
        ranked = sample.collection().list(run, topic)
        without = dm.metric(f"iRBU-IA(phi={phi})@{cutoff}").score(ranked)
        assert dm.metric(f"RBU(phi={phi},e={e})@{cutoff}").score(ranked) == close(without - effort)


@quick(40)
@given(one_list(lowest=0, scale=False), st.sampled_from([0.85, 0.99]))
def test_rbu_original_is_a_multiple_of_rbu(sample, phi):
    """(1 - phi)/phi RBU, where all intents reach the top and the list the cutoff (Amigo et al. 2018)."""
    ranked = only(sample)
    topped = {t.id: 3 for t in ranked.topic.intents}
    judged = {**sample.judgments[ranked.topic.id], "top": topped}
    ranked = dm.RankedList(ranked.topic, [*ranked.docs, "top"], judged)
    for cutoff in range(1, len(ranked) + 1):
        rbu = dm.metric(f"RBU(phi={phi})@{cutoff}").score(ranked)
        assert dm.metric(f"RBU-original(phi={phi})@{cutoff}").score(ranked) == close((1 - phi) / phi * rbu)


@quick(40)
@given(one_list(most_intents=1, scale=False), st.none() | cutoffs)
def test_one_intent_has_one_metric(sample, cutoff):
    """With one intent the global gain is its gain and the sum over intents one term: D-X = X = X-IA."""
    ranked = only(sample)
    at = "" if cutoff is None else f"@{cutoff}"
    for x in ("nDCG", "Q", "ERR", "EBR", "RBP"):
        assert dm.metric(f"D-{x}{at}").score(ranked) == close(dm.metric(f"{x}{at}").score(ranked)), x
        assert dm.metric(f"{x}-IA{at}").score(ranked) == close(dm.metric(f"{x}{at}").score(ranked)), x
    assert dm.metric(f"iRBU-IA{at}").score(ranked) == close(dm.metric(f"iRBU{at}").score(ranked))


@pytest.mark.parametrize("name", ["RBP", "ERR", "EBR", "iRBU"])
def test_one_intent_has_one_metric_on_a_given_scale(name):
    """The same law when the scale is given and higher than the grades: the ad hoc row reads that scale."""
    topic = dm.Topic("1", (dm.Intent("t", 1.0),))
    collection = dm.Collection.of([topic], {"1": {"d": {"t": 2}}}, {"A": {"1": ["d"]}}, scale=4)
    ranked = collection.list("A", "1")
    assert dm.metric(f"{name}@5").score(ranked) == close(dm.metric(f"{name}-IA@5").score(ranked))


@quick(40)
@given(one_list(), st.none() | cutoffs)
def test_intent_aware_metrics_are_weighted_means(sample, cutoff):
    """X-IA = sum_i p(t_i|q) X_i, X_i on intent i alone (Agrawal et al. 2009; Sakai & Zeng 2019, Eq. 8)."""
    ranked = only(sample)
    pool = ranked.judgments
    for name in with_cutoff(ONCE_PER_INTENT, cutoff):
        total = 0.0
        for i, t in enumerate(ranked.topic.intents):
            alone = dm.Topic(ranked.topic.id, (replace(t, probability=1.0),))
            single = replace(pool, topic=alone, grades=pool.grades[i : i + 1])
            total += t.probability * dm.metric(name).score(dm.RankedList(alone, ranked.docs, single))
        assert dm.metric(name).score(ranked) == close(total), name


@quick(40)
@given(one_list(), cutoffs)
def test_no_patience_makes_q_average_precision(sample, cutoff):
    """beta = 0 leaves precision of the blended ratio, and AP of Q (Sakai & Zeng 2019, footnote 1)."""
    ranked = only(sample)
    ap_ia = dm.metric("AP-IA").with_parameters(of="min") @ cutoff
    assert dm.metric(f"Q-IA(beta=0)@{cutoff}").score(ranked) == close(ap_ia.score(ranked))
    assert dm.metric(f"Q(beta=0)@{cutoff}").score(ranked) == close(dm.metric(f"AP@{cutoff}").score(ranked))
    assert dm.metric("Q(beta=0)").score(ranked) == close(dm.metric("AP(of=R)").score(ranked))


@quick(40)
@given(one_list(), cutoffs)
def test_yu_and_usual_average_precision_differ_by_a_factor_per_intent(sample, cutoff):
    """AP-IA divides by l as Yu et al. (2017) print it, the usual AP by R_i: l AP_l = R_i AP_R per intent."""
    ranked = only(sample)
    seen = batch_lists([ranked])
    by_l = dm.metric(f"AP-IA@{cutoff}").contributions(seen).sum(axis=3)[0, 0] * cutoff
    by_r = dm.metric(f"AP-IA(of=R)@{cutoff}").contributions(seen).sum(axis=3)[0, 0]
    assert by_r * (ranked.judgments.grades > 0).sum(axis=1) == close(by_l)


@quick(30)
@given(one_list(), cutoffs)
def test_effortless_rbu_is_irbu_ia(sample, cutoff):
    """e = 0 leaves iRBU-IA of RBU (Sakai & Zeng 2019, Eq. 6 and 9)."""
    ranked = only(sample)
    expected = dm.metric(f"iRBU-IA@{cutoff}").score(ranked)
    assert dm.metric(f"RBU(e=0)@{cutoff}").score(ranked) == close(expected)


@quick(30)
@given(one_list(top=1, lowest=0, scale=False), st.none() | cutoffs)
def test_cascade_of_half_is_alpha_half(sample, cutoff):
    """With binary grades R(1) = 1/2: the cascade is half the novelty for alpha = 1/2 (Clarke et al. 2011)."""
    ranked = only(sample)
    seen = batch_lists([ranked if cutoff is None else ranked.reordered(ranked.docs[:cutoff])])
    assert Cascade()(seen) == close(0.5 * Novelty(alpha=0.5)(seen))


@quick(30)
@given(one_list(), st.none() | cutoffs)
def test_an_improbable_intent_does_not_count(sample, cutoff):
    """An intent of probability 0 adds nothing to a metric that is weighted by p(t|q)."""
    ranked = only(sample)
    wider = dm.Topic(ranked.topic.id, (*ranked.topic.intents, dm.Intent("impossible", 0.0)))
    judged = {
        doc: {**labels, "impossible": 1 + j % 3 if j % 2 else 0}
        for j, (doc, labels) in enumerate(sample.judgments[ranked.topic.id].items())
    }
    scale = max(ranked.judgments.scale, 3)
    one = dm.RankedList(ranked.topic, ranked.docs, replace(ranked.judgments, scale=scale))
    other = dm.RankedList(wider, ranked.docs, dm.Judgments.of(wider, judged, scale))
    # Not D-Q and its like: there the improbable intent makes documents relevant (J = 1) that were not.
    for name in with_cutoff([*ONCE_PER_INTENT, "RBU", "D-nDCG", "DIN-nDCG", "D-ERR", "D-RBP", "P+Q"], cutoff):
        assert dm.metric(name).score(other) == close(dm.metric(name).score(one)), name


# ---------------------------------------------------------------------------------------- monotonicity

MAY_FALL = {"P+", "P+Q", "P+Q#", "RBU-original"}
GROWING = ["AP-IA(of=R)", *(name for name in FIRST_LEVEL if name not in MAY_FALL)]


@quick(25)
@given(one_list(), cutoffs, st.data())
def test_one_more_document_at_the_end_never_lowers(sample, cutoff, data):
    """With a fixed cutoff every M is at least 0, so whatever is added at the end cannot lower the sum.

    P+ and what is made of it may fall: a later document of a higher grade moves the preferred rank down to
    it. RBU-original charges for every document.
    """
    ranked = only(sample)
    left = sorted(set(ranked.judgments.docs) - set(ranked.docs))
    assume(left)
    longer = ranked.reordered([*ranked.docs, data.draw(st.sampled_from(left))])
    for name in GROWING:
        metric = dm.metric(name) @ cutoff
        assert metric.score(longer) >= metric.score(ranked) - CLOSE, name


def test_p_plus_may_fall():
    """Why it is exempt above: the preferred rank moves down to a better document (Sakai 2012, Eq. 4)."""
    topic = dm.Topic("1", (dm.Intent("t", 1.0, "navigational"),))
    judged = {"a": {"t": 1}, "b": {"t": 2}}
    short = dm.RankedList(topic, ["a"], judged)
    assert dm.metric("P+@5").score(short) == close(2 / 3)
    assert dm.metric("P+@5").score(short.reordered(["a", "x", "x2", "b"])) == close((2 / 3 + 5 / 7) / 2)
    long = short.reordered(["a", *(f"x{i}" for i in range(20)), "b"])
    assert dm.metric("P+@30").score(long) < dm.metric("P+@30").score(short)


@quick(40)
@given(one_list(), st.data())
def test_a_relevant_document_earns_more_higher_up(sample, data):
    """Exchanging a document relevant to nothing for a later one that is relevant never lowers these."""
    ranked = only(sample)
    dull = [k for k, doc in enumerate(ranked.docs) if not ranked.judgments.labels(doc)]
    good = [k for k, doc in enumerate(ranked.docs) if ranked.judgments.labels(doc)]
    pairs = [(i, j) for i in dull for j in good if i < j]
    assume(pairs)
    i, j = data.draw(st.sampled_from(pairs))
    docs = list(ranked.docs)
    docs[i], docs[j] = docs[j], docs[i]
    better = ranked.reordered(docs)
    for name in [
        "ERR-IA",
        "iRBU-IA",
        "RBP-IA",
        "nDCG-IA",
        "alpha-DCG",
        "alpha-nDCG",
        "NRBP",
        "D-nDCG",
        "D-ERR",
        "D-RBP",
        "RR",
        "AP",
    ]:
        assert dm.metric(name).score(better) >= dm.metric(name).score(ranked) - CLOSE, name


# ----------------------------------------------------------------------- the global gain, shared again


@quick(40)
@given(one_list(), cutoffs)
def test_shares_of_the_global_gain_sum_to_what_was_earned(sample, cutoff):
    """A D-measure's contribution at a rank is shared among intents: no share is negative, all sum to it."""
    seen = batch_lists([only(sample)])
    for name in ("D-Q", "D-ERR", "D-EBR", "D-RBP", "DIN-Q", "Ef-P", *ADHOC):
        metric = dm.metric(f"{name}@{cutoff}")
        assert isinstance(metric, Collapsed)
        earned = metric.row.contributions(metric.merged(seen))[:, :, 0, :]
        shared = metric.contributions(seen)
        assert (shared >= 0).all()
        assert shared.sum(axis=2) == close(earned), name


@pytest.mark.parametrize("gain", ["linear", "exponential"])
@quick(40)
@given(one_list(), cutoffs)
def test_shares_are_in_proportion_to_the_weighted_gains(gain, sample, cutoff):
    """An intent's share of a D- or DIN-measure's contribution is p_i gain_i / GG, by the metric's own gains.

    A DIN-measure gives a navigational intent nothing for documents after its first.
    """
    ranked = only(sample)
    seen = batch_lists([ranked])
    for name in (
        f"D-Q(gain={gain})@{cutoff}",
        f"D-RBP(gain={gain})@{cutoff}",
        f"DIN-Q(gain={gain})@{cutoff}",
    ):
        shared = dm.metric(name).contributions(seen)[0, 0]
        satisfied = set()
        for k, doc in enumerate(ranked.docs[:cutoff]):
            grades = {t: g for t, g in ranked.judgments.labels(doc).items() if t not in satisfied}
            if name.startswith("DIN"):
                satisfied |= {
                    t.id for t in ranked.topic.intents if t.kind == "navigational" and t.id in grades
                }
            parts = [
                t.probability * (lambda g: g if gain == "linear" else 2**g - 1)(grades.get(t.id, 0))
                for t in ranked.topic.intents
            ]
            if sum(parts):
                expected = [part / sum(parts) * shared[:, k].sum() for part in parts]
                assert shared[:, k].tolist() == close(expected), (name, doc)


# --------------------------------------------------------------------------------- M never looks ahead


def broken_rows() -> dict[str, Metric]:
    """Metrics that break a rule on purpose, by the rule."""

    @dataclass(frozen=True)
    class RestOfTheList(Utility):
        """What stands below: what M must not look at."""

        def factors(self, view: Batch):
            return {"below": view.relevant * np.flip(np.cumsum(np.flip(view.relevant, -1), -1), -1)}

    @dataclass(frozen=True)
    class NotANumber(Utility):
        def factors(self, view: Batch):
            return {"nan": np.where(view.relevant, np.nan, 0.0)}

    @dataclass(frozen=True)
    class WrongShape(Utility):
        def factors(self, view: Batch):
            return {"one rank too many": np.ones((*view.linear.shape[:3], view.depth + 1))}

    @dataclass(frozen=True)
    class Nothing(Part):
        def __call__(self, view: Batch, row: Metric):
            return np.zeros((1, 1, 1, 1))

    @dataclass(frozen=True)
    class Negative(Part):
        def __call__(self, view: Batch):
            return -np.ones((1, 1, 1, 1))

    plain = Metric("gain", N=One(), f=One(), w=One(), M=Graded())
    return {
        "looks ahead": replace(plain, M=RestOfTheList()),
        "finite": replace(plain, M=NotANumber()),
        "shape": replace(plain, M=WrongShape()),
        "normaliser": replace(plain, N=Nothing()),
        "negative weight": replace(plain, f=Negative()),
        "weights f sum to 2": replace(plain, M=Graded() - Effort(charged="documents")),
        "sorts the ideal list": replace(plain, N=SortedIdeal("topic"), M=Novelty()),
    }


@pytest.mark.parametrize(
    "rule",
    list(broken_rows()),
)
def test_check_finds_what_is_wrong(rule):
    """A look-ahead, a nan, a wrong shape, an N of zero and a negative weight are each said in words."""
    topic = dm.Topic("1", (dm.Intent("t", 0.5), dm.Intent("u", 0.5)))
    ranked = dm.RankedList(topic, ["a", "b", "c"], {"a": {"t": 1}, "b": {"u": 2}, "c": {"t": 1}})
    problems = dm.check(broken_rows()[rule], ranked)
    assert any(rule in sentence for sentence in problems), problems


@pytest.mark.parametrize("column", ["f", "w"])
def test_check_finds_grades_outside_of_m(column):
    """f may look at the topic's intents only, w at the rank only (Yu et al. 2017, Eq. 2-3)."""

    @dataclass(frozen=True)
    class LooksDown(Part):
        def __call__(self, view: Batch):
            return 1.0 * np.flip(view.relevant, -1)

    topic = dm.Topic("1", (dm.Intent("t", 0.5), dm.Intent("u", 0.5)))
    ranked = dm.RankedList(topic, ["a", "b", "c"], {"a": {"t": 1}, "c": {"u": 1}})
    parts = {"N": One(), "f": One(), "w": One(), "M": Graded()} | {column: LooksDown()}
    assert dm.check(Metric("gain", **parts), ranked)


@pytest.mark.parametrize("levels", [1, 2])
@quick(6)
@given(st.data(), st.none() | cutoffs)
def test_check_finds_nothing_wrong_with_any_metric(levels, data, cutoff):
    """Every metric of the tables keeps the rules of the framework (Yu et al. 2017, section 3)."""
    sample = data.draw(samples(levels=levels))
    seen = make_batch(sample.collection(), leaves=True)
    for name in with_cutoff(FIRST_LEVEL if levels == 1 else [*INTENT_SQUARE], cutoff):
        assert dm.check(dm.metric(name), seen) == [], name


@quick(20)
@given(one_list(), cutoffs, st.data())
def test_documents_below_change_no_contribution_above(sample, cutoff, data):
    """M_i(d_k|L^{k-1}) may not depend on what follows: with another tail, the ranks above it earn the same.

    Said of contributions, which is more than M: no weight, discount or normaliser sees the tail either. P+
    and P+Q are left out here, since their N and their cutoff (rp) are the list's own; `check` tests their M.
    """
    ranked = only(sample)
    keep = data.draw(st.integers(0, len(ranked)))
    others = sorted({*ranked.judgments.docs, "unheard-of", *ranked.docs[keep:]} - set(ranked.docs[:keep]))
    tail = data.draw(st.lists(st.sampled_from(others), unique=True)) if others else []
    other = ranked.reordered([*ranked.docs[:keep], *tail])
    for name in [*with_cutoff(FIRST_LEVEL, cutoff), *with_cutoff(FIRST_LEVEL, None)]:
        if name.startswith("P+"):
            continue
        metric = dm.metric(name)
        one, two = (metric.contributions(batch_lists([x]))[..., :keep] for x in (ranked, other))
        assert one == close(two), name


def test_kinds_of_intents_are_changed_by_name():
    """With every intent informational DIN-nDCG is D-nDCG and P+Q is Q-IA; the unnamed keep their kind."""
    potter = dm.datasets.harry_potter()
    navigational = potter.with_kinds({"0083": {"film": "navigational", "games": "navigational"}})
    kinds = {t.id: t.kind for t in navigational.topics[0].intents}
    assert {t for t, kind in kinds.items() if kind == "navigational"} == {"film", "games", "themepark"}
    informational = navigational.with_kinds({"0083": dict.fromkeys(kinds, "informational")})
    for name, plain in (("DIN-nDCG@5", "D-nDCG@5"), ("P+Q@5", "Q-IA@5")):
        for changed in navigational.lists("0083"):
            same = informational.list(changed.run, "0083")
            assert dm.metric(name).score(same) == close(dm.metric(plain).score(same))
        assert dm.metric(name).score(navigational.list("A", "0083")) != close(
            dm.metric(name).score(potter.list("A", "0083"))
        )
    assert [t.kind for t in potter.topics[0].intents].count("navigational") == 1
    with pytest.raises(dm.DivmetricsError, match=r"topic 0083: 'flim' is not an intent .*'film'"):
        potter.with_kinds({"0083": {"flim": "navigational"}})
    with pytest.raises(dm.DivmetricsError, match="topic '83' has no judgments"):
        potter.with_kinds({"83": {"film": "navigational"}})
    with pytest.raises(dm.DivmetricsError, match="kind is 'nav'"):
        potter.with_kinds({"0083": {"film": "nav"}})
