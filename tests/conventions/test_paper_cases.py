"""The papers' own cases through the library: every number and preference that they print about them."""

from __future__ import annotations

import itertools
import json
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import divmetrics as dm
from divmetrics import datasets
from divmetrics.parts import Graded, Log2, One, Probability

D_DCG = dm.Metric("D-DCG", N=One(), f=Probability(), w=Log2(), M=Graded()) @ 10
RANKS = st.integers(1, 10)


def score(metric: str | dm.Metric, collection: dm.Collection, run: str, topic: str) -> float:
    chosen = dm.metric(metric) if isinstance(metric, str) else metric
    return chosen.score(collection.list(run, topic))


def lead(metric: str | dm.Metric, collection: dm.Collection, topic: str) -> float:
    """How far MSDiv2 is ahead of MSRAACSF."""
    return score(metric, collection, "MSDiv2", topic) - score(metric, collection, "MSRAACSF", topic)


# ------------------------------------------------------------------ Yu et al. 2017, Tables 3 and 4


def matches(**parameters: str) -> dict[tuple[str, str, int], bool]:
    """Which of the 30 numbers of Table 4 come out, to the four printed decimals."""
    table = datasets.yu2017_table4()
    metrics = {
        f"{row.metric}@{row.cutoff}": dm.metric(f"{row.metric}@{row.cutoff}") for row in table.itertuples()
    }
    chosen = [
        m.with_parameters(**parameters) if parameters.keys() <= m.parameters().keys() else m
        for m in metrics.values()
    ]
    names = dict(zip((str(m) for m in chosen), metrics, strict=True))
    scores = dm.evaluate(datasets.yu2017(), None, chosen)
    scores_by_name = {(row.topic, names[row.metric]): row.score for row in scores.itertuples()}
    return {
        (row.query, row.metric, row.cutoff): abs(
            scores_by_name[row.query, f"{row.metric}@{row.cutoff}"] - row.printed
        )
        < 5e-5
        for row in table.itertuples()
    }


def test_all_30_numbers_of_table_4_are_reproduced() -> None:
    result = matches()
    assert len(result) == 30
    assert all(result.values())


def test_printed_R_reproduces_only_the_18_numbers_without_R() -> None:
    result = matches(over="2^Y-1")
    assert sum(result.values()) == 18
    assert {metric for (_, metric, _), same in result.items() if not same} == {"ERR-IA", "ERR-IS"}


def test_table_4_has_every_query_metric_and_cutoff_once() -> None:
    table = datasets.yu2017_table4()
    assert list(table.columns) == ["query", "metric", "cutoff", "printed"]
    expected = set(itertools.product(("0078", "0053", "0080"), set(table["metric"]), (5, 20)))
    assert set(zip(table["query"], table["metric"], table["cutoff"], strict=True)) == expected
    assert table["metric"].nunique() == 5


def test_the_lists_of_table_3_have_relevant_documents_where_it_says() -> None:
    collection = datasets.yu2017()
    assert collection.scale == 2
    for query, ranks in (
        ("0078", {1, 2, 3, 4, 6, 7, 9}),
        ("0053", {1, 2, 3, 4, 5, 6, 7, 8, 9, 15}),
        ("0080", {1, 2, 3, 4, 5, 6, 7, 8, 9}),
    ):
        ranked = collection.list("Sem13-D-E-1A", query)
        assert len(ranked) == 20
        for rank, doc in enumerate(ranked.docs, 1):
            assert bool(ranked.judgments.labels(doc)) == (rank in ranks)
            assert doc == (f"d{rank}" if rank in ranks else f"nonrelevant{rank}")


def test_the_papers_remark_on_0053_and_0080_does_not_hold() -> None:
    # Section 5.2.3 has their SRecall-IS as an example of a tie; Table 4 has 0.725 and 0.5417.
    collection = datasets.yu2017()
    scores = [score("S-recall-IS@20", collection, "Sem13-D-E-1A", query) for query in ("0053", "0080")]
    assert scores == pytest.approx([0.725, 13 / 24])


def test_figure_1_is_the_organisers_query_0083(research_files: Path) -> None:
    topics = json.loads((research_files / "data/imine/topics.json").read_text(encoding="utf-8"))
    (official,) = (t for t in topics if t["id"] == "0083" and t["language"].startswith("en"))
    (topic,) = datasets.harry_potter().topics
    assert len(topic.intents) == len(official["fls"])
    for intent, theirs in zip(topic.intents, official["fls"], strict=True):
        assert intent.probability == pytest.approx(theirs["probability"], abs=1e-9)
        total = math.fsum(e["probability"] for e in theirs["sls"])
        expected = [e["probability"] / total for e in theirs["sls"]]
        assert [child.probability for child in intent.children] == pytest.approx(expected, abs=1e-9)


# ------------------------------------------------------------------ Sakai et al. 2010, section 4.3


@pytest.mark.parametrize(("topic", "n"), [("21", 5), ("28", 5), ("38", 3)])
def test_sakai_2010_probabilities(topic: str, n: int) -> None:
    intents = datasets.sakai2010().pools[topic].topic.intents
    total = {5: 62, 3: 14}[n]
    assert [intent.probability for intent in intents] == [2**j / total for j in range(n, 0, -1)]


def test_sakai_2010_numbers_of_topic_38() -> None:
    collection = datasets.sakai2010()
    for metric, msdiv2, msraacsf in (
        ("alpha-DCG@10", 1.529609, 1.536955),
        (D_DCG, 1.888381, 1.184834),
        ("I-rec@10", 1 / 3, 2 / 3),
    ):
        assert score(metric, collection, "MSDiv2", "38") == pytest.approx(msdiv2, abs=5e-7)
        assert score(metric, collection, "MSRAACSF", "38") == pytest.approx(msraacsf, abs=5e-7)


@pytest.mark.parametrize(
    ("topic", "prefers_msdiv2"),
    [
        ("21", {"D#-nDCG@10": True, "nDCG-IA@10": True, "alpha-nDCG@10": False}),
        ("28", {"D#-nDCG@10": True, "nDCG-IA@10": False, "alpha-nDCG@10": False}),
        ("38", {"D#-nDCG@10": False, "nDCG-IA@10": True, "alpha-nDCG@10": False}),
    ],
)
def test_sakai_2010_preferences(topic: str, prefers_msdiv2: dict[str, bool]) -> None:
    collection = datasets.sakai2010()
    leads = {metric: lead(metric, collection, topic) for metric in prefers_msdiv2}
    assert {metric: ahead > 0 for metric, ahead in leads.items()} == prefers_msdiv2
    assert all(ahead != 0 for ahead in leads.values())


def test_sakai_2010_narrow_and_undecided_cases() -> None:
    collection = datasets.sakai2010()
    assert -0.003 < lead("alpha-nDCG@10", collection, "38") < 0
    assert -0.0001 < lead("nDCG-IA@10", collection, "28") < 0


def test_sakai_2010_labels_and_shared_documents() -> None:
    collection = datasets.sakai2010()
    for topic, run, labels in (
        ("21", "MSDiv2", ["i1"]),
        ("21", "MSRAACSF", ["i5", "i5"]),
        ("28", "MSDiv2", ["i4", "i4", "i5", "i2"]),
        ("28", "MSRAACSF", ["i4", "i4", "i2", "i4"]),
        ("38", "MSDiv2", ["i1"] * 6),
        ("38", "MSRAACSF", ["i1", "i1 i3", "i1", "i1"]),
    ):
        ranked = collection.list(run, topic)
        assert len(ranked) == 10
        intents = [" ".join(ranked.judgments.labels(doc)) for doc in ranked.docs]
        assert [text for text in intents if text] == labels
    for topic, shared in (("21", []), ("28", [(1, 3), (2, 2), (4, 5)]), ("38", [(1, 2)])):
        first, second = (collection.list(run, topic).docs for run in ("MSDiv2", "MSRAACSF"))
        assert [(first.index(d) + 1, second.index(d) + 1) for d in first if d in second] == shared


@pytest.mark.slow
@given(
    i1=RANKS,
    i5=st.tuples(RANKS, RANKS).filter(lambda pair: pair[0] < pair[1]),
    more=st.tuples(st.integers(0, 12), st.integers(0, 12)),
)
def test_topic_21_at_every_rank_and_with_every_pool(
    i1: int, i5: tuple[int, int], more: tuple[int, int]
) -> None:
    collection = datasets.sakai2010_topic21(i1, i5, {"i1": more[0], "i5": more[1]})
    assert lead("D#-nDCG@10", collection, "21") > 0
    assert lead("nDCG-IA@10", collection, "21") > 0
    msraacsf = 1 / math.log2(i5[0] + 1) + 0.5 / math.log2(i5[1] + 1)
    assert (lead("alpha-nDCG@10", collection, "21") < 0) == (msraacsf > 1 / math.log2(i1 + 1))


def test_topic_21_alpha_ndcg_prefers_msraacsf_at_387_of_450_placements() -> None:
    one = {
        r: score("alpha-DCG@10", datasets.sakai2010_topic21(r, (1, 2)), "MSDiv2", "21") for r in range(1, 11)
    }
    two = [
        score("alpha-DCG@10", datasets.sakai2010_topic21(1, pair), "MSRAACSF", "21")
        for pair in itertools.combinations(range(1, 11), 2)
    ]
    assert len(one) * len(two) == 450
    assert sum(b > a for a in one.values() for b in two) == 387


@pytest.mark.parametrize(("i1", "i5"), [(0, (1, 2)), (1, (2, 11)), (3, (4, 4))])
def test_topic_21_refuses_ranks_that_it_cannot_have(i1: int, i5: tuple[int, int]) -> None:
    with pytest.raises(dm.DivmetricsError, match="topic 21"):
        datasets.sakai2010_topic21(i1, i5)


def test_topic_38_has_the_unbroken_blocks_that_come_nearest_to_a_tie() -> None:
    (topic,) = (t for t in datasets.sakai2010().topics if t.id == "38")
    leads = {}
    for a, b in itertools.product(range(1, 6), range(1, 8)):
        # Rank 1 of MSDiv2 is rank 2 of MSRAACSF: relevant to i1 in both, or in neither.
        if (a == 1) != (2 in {b, b + 2, b + 3}):
            continue
        labels = {f"x{k}": {"i1": 1} for k in range(a, a + 6)}
        labels |= {f"y{k}": {"i1": 1} for k in range(b, b + 4)}
        labels[f"y{b + 1}"] = {"i1": 1, "i3": 1}
        lists = [dm.RankedList(topic, [f"{run}{k}" for k in range(1, 11)], labels) for run in "xy"]
        first, second = (dm.metric("alpha-DCG@10").score(ranked) for ranked in lists)
        leads[a, b] = second - first
    assert min((x, blocks) for blocks, x in leads.items() if x > 0)[1] == (1, 2)


# ------------------------------------------------------------------ Sakai 2012, Figure 1


def test_figure_1_effective_precision_is_three_fifths() -> None:
    # The paper prints "3/5 = 0.8".
    assert score("Ef-P@5", datasets.sakai2012(), "Figure 1", "figure1") == pytest.approx(3 / 5)


def test_figure_1_the_navigational_reader_stops_at_rank_4() -> None:
    table = dm.explain("P+Q@5", datasets.sakai2012().list("Figure 1", "figure1"))
    earning = table[table["contribution"] > 0]
    assert list(earning.loc[earning["intent"] == "j", "rank"]) == [2, 4]
    assert list(earning.loc[earning["intent"] == "i", "rank"]) == [1, 2, 5]


def test_figure_1_din_ndcg_ignores_rank_4_for_j() -> None:
    table = dm.explain("DIN-nDCG@5", datasets.sakai2012().list("Figure 1", "figure1"))
    assert list(table.loc[(table["contribution"] > 0) & (table["intent"] == "j"), "rank"]) == [2]
    plain = dm.explain("D-nDCG@5", datasets.sakai2012().list("Figure 1", "figure1"))
    assert list(plain.loc[(plain["contribution"] > 0) & (plain["intent"] == "j"), "rank"]) == [2, 4]


def test_figure_1_p_plus_q_equals_q_ia_until_rank_2_is_highly_relevant() -> None:
    def difference(collection: dm.Collection) -> float:
        p_plus_q, q_ia = (score(m, collection, "Figure 1", "figure1") for m in ("P+Q@5", "Q-IA@5"))
        return p_plus_q - q_ia

    assert difference(datasets.sakai2012()) == pytest.approx(0, abs=1e-12)
    assert difference(datasets.sakai2012(j_at_rank_2=3)) < -0.05
    table = dm.explain("P+Q@5", datasets.sakai2012(j_at_rank_2=3).list("Figure 1", "figure1"))
    assert list(table.loc[(table["contribution"] > 0) & (table["intent"] == "j"), "rank"]) == [2]


@pytest.mark.parametrize(("over", "expected"), [("2^Y", 0.6 * 3 / 4), ("2^Y-1", 0.6)])
def test_an_intent_without_relevant_documents_adds_0_where_each_intent_has_its_own_top(
    over, expected
) -> None:
    metric = f"ERR-IA(over={over},top=intent)@1"
    score_of_one = dm.score(metric, ["d1"], {"d1": {"film": 2}}, {"film": 0.6, "book": 0.4})
    assert score_of_one == pytest.approx(expected, abs=1e-12)
