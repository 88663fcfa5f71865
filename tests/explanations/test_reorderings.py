"""Tables that follow every order of a list: against the library, on small random topics."""

from __future__ import annotations

import random
from itertools import permutations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import divmetrics as dm
from divmetrics.errors import DivmetricsError
from divmetrics.explanations.contributions import Contributions
from divmetrics.notebook.offline.permutation_tables import ListPermutations, reorderings
from tests.support.strategies import one_list, quick

HISTORIES = (  # one for each way in which what stands above can count
    *("S-recall@4", "ERR-IA@4", "alpha-nDCG@5", "nDCG-IA@4", "AP-IA@4", "Q-IA@4", "EBR-IA@3", "RBU@5"),
    *("P+Q@4", "P+@3", "Ef-P@3", "DIN-nDCG@4", "D#-nDCG@4", "D-Q@4", "D-ERR@4", "D-EBR@3"),
    *("ERR-IS(leaf=self)@4", "alpha-nDCG-IS(leaf=self)@3", "Prec@4", "ERR@4", "NRBP"),
)
DOCS = [f"d{n}" for n in range(1, 7)]


def topic(*shares: float) -> dm.Topic:
    return dm.Topic("7", tuple(dm.Intent(f"t{n}", share) for n, share in enumerate(shares)))


@pytest.mark.parametrize("name", HISTORIES)
@quick(4)
@given(data=st.data())
def test_every_order_earns_what_the_library_says(name, data):
    sample = data.draw(one_list(levels=2, lowest=0))
    ranked = sample.collection().list("A", sample.topics[0].id)
    ranked = ranked.reordered(ranked.docs[:6])
    assume(len(ranked) > 0)
    metric = dm.metric(name)
    try:
        tables = reorderings(metric, ListPermutations(ranked.judgments, [ranked.docs]))
    except DivmetricsError as error:  # the metric cannot be measured there, and says so
        with pytest.raises(
            DivmetricsError, match="^" + str(error)[:20].replace("(", r"\(").replace("+", r"\+")
        ):
            metric.score(ranked)
        return
    assert tables is not None
    for seed in range(12):
        docs = random.Random(seed).sample(ranked.docs, len(ranked))
        expected = Contributions.of_list(metric, ranked.reordered(docs)).by_intent
        earned = tables.contributions(0, docs)
        assert earned[:, : expected.shape[1]] == pytest.approx(expected, abs=1e-12)
        assert not earned[:, expected.shape[1] :].any()


def test_a_document_below_all_others_of_its_merged_grade_earns_what_the_library_says():
    """Random orders seldom hold it there, and the first history of that state holds it itself."""
    alike, others = [f"a{n}" for n in range(4)], [f"z{n}" for n in range(4)]
    judged = {"b": {"t1": 1}, **{doc: {"t0": 1} for doc in alike}}
    ranked = dm.RankedList(topic(0.5, 0.5), ["b", *alike, *others], judged, "A")
    metric = dm.metric("D-Q@8")
    tables = reorderings(metric, ListPermutations(ranked.judgments, [ranked.docs]))
    docs = [*alike, "b", *others]
    expected = Contributions.of_list(metric, ranked.reordered(docs)).by_intent
    assert expected[1, 4] > 0
    assert tables.contributions(0, docs)[:, : expected.shape[1]] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("name", ["ERR-IA@4", "RBU-original@4", "P+Q@3", "D#-nDCG@4", "S-recall@2", "Q-IA@3"])
@pytest.mark.parametrize("length", [1, 2, 4])
def test_every_list_of_some_of_the_documents_earns_what_the_library_says(name, length):
    """However many ranks the metric reads: more than the list has, or fewer."""
    ranked, metric = next(iter(dm.datasets.harry_potter().lists("0083"))), dm.metric(name)
    docs = ranked.judgments.docs
    tables = reorderings(metric, ListPermutations(ranked.judgments, [docs], length=length))
    assert tables is not None
    for seed in range(20):
        chosen = random.Random(seed).sample(docs, length)
        earned = tables.contributions(0, chosen).sum()
        assert earned == pytest.approx(metric.score(ranked.reordered(chosen)), abs=1e-12)


@pytest.mark.parametrize("name", ["P+Q@4", "P+@4", "Q-IA@4", "DIN-nDCG@4"])
def test_a_list_may_lack_the_preferred_page(name):
    """The best page, wherever it is, decides how far P+ reads: lists without it are not like the others."""
    both = dm.Intent("film", 0.5), dm.Intent("park", 0.5, "navigational")
    grades = {"home": {"park": 2}, "mirror": {"park": 2}, "blog": {"park": 1}}
    grades |= {"cinema": {"film": 2}, "trailer": {"film": 2}, "bowls": {}}
    ranked, metric = dm.RankedList(dm.Topic("7", both), list(grades), grades), dm.metric(name)
    tables = reorderings(metric, ListPermutations(ranked.judgments, [ranked.docs], length=4))
    assert tables is not None
    for chosen in permutations(grades, 4):
        earned = tables.contributions(0, chosen).sum()
        assert earned == pytest.approx(metric.score(ranked.reordered(chosen)), abs=1e-12), chosen


@pytest.mark.parametrize("name", ["ERR-IS@5", "alpha-nDCG-IS@3", "D#-nDCG-IS@4", "Q-IS@4", "S-recall-IS@3"])
def test_what_is_below_an_intent_is_followed_too(name):
    """Row by row as `explain` has it: every second-level subtopic of an intent-square metric."""
    ranked = next(iter(dm.datasets.harry_potter().lists("0083")))
    metric = dm.metric(name)
    tables = reorderings(metric, ListPermutations(ranked.judgments, [ranked.docs]), two_levels=True)
    assert tables is not None
    for seed in range(20):
        docs = random.Random(seed).sample(ranked.docs, len(ranked))
        expected = Contributions.of_list(metric, ranked.reordered(docs)).values
        assert tables.contributions(0, docs)[:, : expected.shape[1]] == pytest.approx(expected, abs=1e-12)


def test_two_lists_share_the_tables():
    """Each has its own documents and its own length; both are measured beside the other."""
    judged = {"d1": {"t0": 2}, "d2": {"t0": 1, "t1": 1}, "d3": {"t1": 2}, "d4": {"t0": 1}}
    a = dm.RankedList(topic(0.7, 0.3), ["d1", "d2", "d3"], judged)
    b = a.reordered(["d4", "d2"])
    tables = reorderings(dm.metric("D#-nDCG@3"), ListPermutations(a.judgments, [a.docs, b.docs]))
    assert tables is not None
    for which, ranked in enumerate((a, b)):
        turned = ranked.reordered(ranked.docs[::-1])
        expected = Contributions.of_list(dm.metric("D#-nDCG@3"), turned).by_intent
        assert tables.contributions(which, turned.docs)[:, : expected.shape[1]] == pytest.approx(expected)


def test_what_is_charged_below_the_end_is_there():
    """RBU charges its effort at every rank down to the cutoff."""
    ranked = dm.RankedList(topic(1.0), ["d1", "d2"], {"d1": {"t0": 1}})
    tables = reorderings(dm.metric("RBU@5"), ListPermutations(ranked.judgments, [ranked.docs]))
    assert tables is not None
    assert tables.contributions(0, ["d2", "d1"]).shape == (1, 5)
    assert (tables.below[0] < 0).all()


def test_a_cascade_counts_documents_of_a_grade_and_not_their_order():
    """So its automaton is small: of six documents with three grades no more states than counts of grades."""
    judged = {doc: {"t0": n % 3} for n, doc in enumerate(DOCS)}
    ranked = dm.RankedList(topic(1.0), DOCS, judged)
    tables = reorderings(dm.metric("ERR-IA@6"), ListPermutations(ranked.judgments, [DOCS]))
    assert tables is not None
    (automaton,) = tables.parts[0]
    assert not automaton.whole
    assert len(automaton.next) <= 3**3
    assert len(np.unique(automaton.kinds)) == 3


def test_a_table_that_would_be_too_large_is_not_made():
    """D-Q sums gains; twenty documents that all have another gain make a million sums."""
    docs = [f"d{n}" for n in range(20)]
    judged = {doc: {f"t{i}": n >> i & 1 for i in range(5)} for n, doc in enumerate(docs)}
    ranked = dm.RankedList(topic(0.4, 0.3, 0.15, 0.1, 0.05), docs, judged)
    assert reorderings(dm.metric("D-Q@10"), ListPermutations(ranked.judgments, [docs])) is None
    assert reorderings(dm.metric("D-nDCG@10"), ListPermutations(ranked.judgments, [docs])) is not None
