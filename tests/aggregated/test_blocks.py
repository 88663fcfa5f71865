"""Pages of blocks: a case by hand, the definitions in plain Python, what the rows reduce to, and laws."""

from __future__ import annotations

import itertools
import math
import random
import re
import warnings
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import divmetrics as dm
from divmetrics import aggregated, parts
from divmetrics.aggregated import Block, BlockPage, Item, PageLayout, Query, Vertical
from divmetrics.conventions.convention import conventions
from divmetrics.core.metric import Metric
from divmetrics.explanations.references import REFERENCES
from divmetrics.parts import One
from tests.support.strategies import quick

ROWS = conventions()["paper"].page_rows
AS = list(ROWS)
SMALL = PageLayout(web=2, verticals=1, items=2)


def close(expected):
    return pytest.approx(expected, abs=1e-12)


def score(metric, page: BlockPage) -> float:
    return aggregated.score_pages([page], metric)["score"][0]


# -------------------------------------------------------------------------------------- a case by hand

YOGA = Query(
    "yoga poses",
    (
        Vertical("web", 1.0, [Item("w1", 2), Item("w2", 0), Item("w3", 1)]),
        Vertical("image", 0.8, [Item("i1", 2, 0.5), Item("i2", 1, 0.5), Item("i3", 0, 0.5)]),
        Vertical("news", 0.5, [Item("n1", 2), Item("n2", 2)]),
    ),
    SMALL,
)
EXAMPLE = BlockPage(YOGA, [("web", "w1"), ("image", ["i1", "i2"]), ("web", "w2")])
# Gains: 2; 0.8 (2 + 1) = 2.4; 0. Efforts: 1; 0.5 + 0.5; 1. The ideal page leaves news out, which no majority
# wants, and has the images (2.4 for each unit of effort), w1 (2), w3 (1).


def test_as_dcg_by_hand():
    second, third = 1 / math.log2(3), 1 / 2
    page = (2 + second * 2.4) / (1 + second + third)
    ideal = (2.4 + second * 2 + third * 1) / (1 + second + third)
    assert score("AS_DCG", EXAMPLE) == close(page / ideal)


def test_as_rbp_by_hand():
    page = (2 + 0.8 * 2.4) / (1 + 0.8 + 0.64)
    ideal = (2.4 + 0.8 * 2 + 0.64 * 1) / (1 + 0.8 + 0.64)
    assert score("AS_RBP", EXAMPLE) == close(page / ideal)


def test_as_err_by_hand():
    # R(2) = 3/4 and R(1) = 1/4. The images stop 0.8 (1 - 1/4 * 3/4) = 0.65 of the readers, w1 stops 0.75.
    page = (2 + 0.25 / 2 * 2.4) / (1 + 0.25 / 2 + 0.25 * 0.35 / 3)
    ideal = (2.4 + 0.35 / 2 * 2 + 0.35 * 0.25 / 3 * 1) / (1 + 0.35 / 2 + 0.35 * 0.25 / 3)
    assert score("AS_ERR", EXAMPLE) == close(page / ideal)


def test_the_ideal_page_by_hand():
    page = aggregated.ideal_page(YOGA)
    assert [(b.vertical, b.items) for b in page.blocks] == [
        ("image", ("i1", "i2")),
        ("web", ("w1",)),
        ("web", ("w3",)),
    ]


def test_an_explanation_by_hand():
    table = aggregated.explain_page("AS_ERR", EXAMPLE)
    assert table["block"].tolist() == [1, 2, 3]
    assert table["vertical"].tolist() == ["web", "image", "web"]
    assert table["items"].tolist() == ["w1", "i1 i2", "w2"]
    assert table["gain"].tolist() == close([2, 2.4, 0])
    assert table["effort"].tolist() == [1, 1, 1]
    assert table["examined"].tolist() == close([1, 0.25 / 2, 0.25 * 0.35 / 3])
    assert table["contribution"].sum() == close(score("AS_ERR", EXAMPLE))


def test_gold_standards_by_hand():
    page = BlockPage(YOGA, [("web", "w2"), ("news", ["n1", "n2"]), ("image", ["i1", "i3"]), ("web", "w1")])
    assert score("prec_v", page) == 1 / 2  # images are wanted by a majority, news by half of the readers
    assert score("rec_v", page) == 1
    assert score("mean-prec", page) == close((1 / 2 + 2 / 2 + 1 / 2) / 3)
    assert score("mean-prec", EXAMPLE) == close((1 / 2 + 2 / 2) / 2)  # whatever grade above 0
    # In perfect order: w1 (2), i1 i3 (1.6), n1 n2 (1), w2 (0). Here places 4, 3, 2, 1: reversed.
    assert score("corr", page) == close(-1)
    assert score("corr", aggregated.perfect_order(page)) == close(1)
    # One swap of neighbours among four: 1 - 6 (1 + 1) / (4 (16 - 1)).
    first, second, *rest = aggregated.perfect_order(page).blocks
    assert score("corr", page.with_blocks([second, first, *rest])) == close(1 - 12 / 60)


def test_blocks_that_are_equal_but_for_rounding_stand_by_orientation():
    blog = Vertical("blog", 0.2, [Item("b1", 1), Item("b2", 2), Item("b3", 2)])
    image = Vertical("image", 0.5, [Item("i1", 1, 0.5), Item("i2", 0, 0.5), Item("i3", 0, 0.5)])
    query = Query("yoga", (Vertical("web", 1, [Item("w1", 0)]), blog, image))
    page = BlockPage(query, [("image", ["i1", "i2", "i3"]), ("blog", ["b1", "b2", "b3"])])
    assert 0.2 * (5 / 3) > 0.5 * (1 / 1.5)  # a third of a grade for each unit of effort, both
    assert aggregated.perfect_order(page).blocks == page.blocks
    assert score("corr", page) == close(1)


TIED = [(0, 1), (1, 1), (3, 3), (2, 1)]  # of the best three, two gain 1 for each unit of effort


def test_the_ideal_page_breaks_ties_as_the_metrics_do():
    """In whichever order the query names them; of equals the one that is named first stands first."""
    for named in permutations(TIED):
        web = [Item(f"w{i}", grade, float(effort)) for i, (grade, effort) in enumerate(named)]
        ideal = aggregated.ideal_page(Query("q", (Vertical("web", 1.0, web),), PageLayout(3, 0, 1), scale=4))
        items = [(item.grade, item.effort) for block in ideal.blocks for item in ideal.items(block)]
        assert items == [(2, 1), *(each for each in named if each[0] in (1, 3))]
        for metric in AS:
            assert score(metric, ideal) == close(1), (metric, named)


def test_gold_standards_where_nothing_is_shown_or_wanted():
    nobody = replace(YOGA, verticals=(YOGA.vertical["web"], Vertical("image", 0.4, [Item("i1", 2)])))
    web, both = [("web", "w1")], [("web", "w1"), ("image", "i1")]
    assert [score(gold, BlockPage(YOGA, web)) for gold in ("prec_v", "rec_v", "corr")] == [0, 0, 1]
    assert [score(gold, BlockPage(nobody, web)) for gold in ("prec_v", "rec_v")] == [1, 1]
    assert [score(gold, BlockPage(nobody, both)) for gold in ("prec_v", "rec_v")] == [0, 1]
    assert [score(gold, BlockPage(YOGA, [])) for gold in ("mean-prec", "corr")] == [0, 1]
    assert score("corr", BlockPage(YOGA, [("web", "w3"), ("web", "w1")])) == close(-1)


def test_ad_hoc_metrics_read_items_by_hand():
    """w1 (2), i1 (2), i2 (1), w2 (0); the ideal list begins with four items of grade 2."""
    dcg = 2 + 2 / math.log2(3) + 1 / 2
    assert score("nDCG@3", EXAMPLE) == close(dcg / (2 + 2 / math.log2(3) + 2 / 2))
    assert score("Prec@4", EXAMPLE) == close(3 / 4)


def test_queries_scored_together_share_one_scale():
    """As in a collection of ranked lists, Y is the highest of all."""
    other = Query("other", (Vertical("web", 1.0, [Item("w1", 3)]),))
    together = aggregated.score_pages([EXAMPLE, BlockPage(other, [("web", "w1")])], ["AS_ERR", "ERR-IA"])
    alone = aggregated.score_pages([BlockPage(replace(YOGA, scale=3), EXAMPLE.blocks)], ["AS_ERR", "ERR-IA"])
    assert together.loc[together["topic"] == YOGA.id, "score"].tolist() == close(alone["score"].tolist())
    assert score("ERR-IA", EXAMPLE) != close(alone["score"][1])


# --------------------------------------------------------------------- the definitions in plain Python


@st.composite
def queries(draw, most_items: int = 5, layout: PageLayout | None = None) -> Query:
    """A query of 1 to 4 verticals; grades 0 to 3, efforts 0.5 to 3."""
    dice = random.Random(draw(st.integers(0, 2**32)))
    verticals = []
    for name in ("web", "image", "video", "news")[: draw(st.integers(1, 4))]:
        items = [
            Item(f"{name}{i}", dice.choice((0, 0, 1, 2, 3)), dice.choice((0.5, 1.0, 3.0)))
            for i in range(dice.randint(1, most_items))
        ]
        verticals.append(Vertical(name, 1.0 if name == "web" else dice.randint(0, 10) / 10, items))
    room = layout or PageLayout(dice.randint(1, 4), dice.randint(0, 3), dice.randint(1, 3))
    return Query(f"q{dice.randint(0, 99)}", verticals, room, scale=dice.choice((3, 4)))


@st.composite
def pages(draw, **options) -> BlockPage:
    """A page of some of a query's items, in blocks of 1 to 3 items, in any order."""
    query = draw(queries(**options))
    dice = random.Random(draw(st.integers(0, 2**32)))
    made = []
    for vertical in query.verticals:
        items = [item.id for item in vertical.items]
        dice.shuffle(items)
        items = items[: dice.randint(0, len(items))]
        while items:
            size = dice.randint(1, 3)
            made.append(Block(vertical.id, items[:size]))
            items = items[size:]
    dice.shuffle(made)
    return BlockPage(query, made)


def naive_rate(page: BlockPage, metric: str) -> float:
    """Discounted gain by discounted effort, from the definitions, with loops only."""
    gained = spent = 0.0
    still_there = 1.0
    for b, block in enumerate(page.blocks, start=1):
        orientation = page.query.vertical[block.vertical].orientation
        gain, effort, unsatisfied = 0.0, 0.0, 1.0
        for item in page.items(block):
            gain += orientation * item.grade
            effort += item.effort
            unsatisfied *= 1 - (2**item.grade - 1) / 2**page.query.scale
        exam = {"AS_DCG": 1 / math.log2(b + 1), "AS_RBP": 0.8 ** (b - 1), "AS_ERR": still_there / b}[metric]
        gained += exam * gain
        spent += exam * effort
        still_there *= 1 - orientation * (1 - unsatisfied)
    return gained / spent if spent else 0.0


def naive_ideal(query: Query) -> BlockPage:
    """Wanted by a majority, best items, by gain for each unit of effort; ties as the documentation says."""

    def best(vertical):
        return sorted(vertical.items, key=lambda item: -item.grade)

    wanted = [v for v in query.verticals if v.id != "web" and v.orientation > 0.5]
    wanted = [v for v in wanted if max(item.grade for item in v.items) > 0]
    wanted = sorted(wanted, key=lambda v: -v.orientation)[: query.layout.verticals]
    made = [("web", [item], 1.0) for item in best(query.verticals[0])[: query.layout.web]]
    made += [(v.id, best(v)[: query.layout.items], v.orientation) for v in wanted]
    named = [*query.items]

    def first(block):
        _, items, orientation = block
        share = Fraction(str(orientation))
        gain_per_effort = share * sum(i.grade for i in items) / Fraction(sum(i.effort for i in items))
        return -gain_per_effort, -share, named.index(items[0].id)

    made.sort(key=first)
    return BlockPage(query, [(name, [item.id for item in items]) for name, items, _ in made])


@pytest.mark.parametrize("metric", AS)
@quick(60)
@given(page=pages())
def test_scores_are_the_definitions(metric, page):
    ideal = naive_rate(naive_ideal(page.query), metric)
    row = ROWS[metric]
    score = row.scores(aggregated.batch_pages([page]))[0, 0]
    assert score == close(naive_rate(page, metric) / ideal if ideal else 0.0)


@pytest.mark.parametrize("metric", AS)
@quick(30)
@given(page=pages(), cutoff=st.integers(1, 4))
def test_a_cutoff_cuts_the_page_and_the_ideal_page(metric, page, cutoff):
    ideal = naive_ideal(page.query)
    expected = naive_rate(ideal.with_blocks(ideal.blocks[:cutoff]), metric)
    score = (ROWS[metric] @ cutoff).scores(aggregated.batch_pages([page]))[0, 0]
    cut = naive_rate(page.with_blocks(page.blocks[:cutoff]), metric)
    assert score == close(cut / expected if expected else 0.0)


# ------------------------------------------------------------------------------- what the rows reduce to


@st.composite
def plain_pages(draw) -> BlockPage:
    """Every block has one item of effort 1, of a vertical that everybody wants; as many as the ideal has.

    The ideal page has the image whatever is left on the web, so the image is no worse than that.
    """
    dice = random.Random(draw(st.integers(0, 2**32)))
    web = [Item(f"w{i}", dice.randint(0, 3)) for i in range(6)]
    image = [Item("i0", dice.randint(max(1, min(item.grade for item in web)), 3))]
    query = Query(
        "q", (Vertical("web", 1.0, web), Vertical("image", 1.0, image)), PageLayout(5, 1, 1), scale=3
    )
    made = [("web", item.id) for item in dice.sample(web, 5)] + [("image", "i0")]
    dice.shuffle(made)
    return BlockPage(query, made)


@quick(40)
@given(page=plain_pages())
def test_plain_pages_have_the_scores_of_ranked_lists(page):
    """One item per block, effort 1, orientation 1: AS_DCG is nDCG, AS_RBP is RBP over that of the ideal list.

    AS_ERR's gain alone, with exponential gains, is 2^Y ERR.
    """
    length, ideal = len(page.blocks), aggregated.ideal_page(page.query)

    def ad_hoc(name: str, of: BlockPage) -> float:
        return dm.metric(name).score(aggregated.as_collection([of]).list(of.run, "q"))

    assert score("AS_DCG", page) == close(ad_hoc(f"nDCG@{length}", page))
    rbp = f"RBP(phi=0.8)@{length}"
    assert score("AS_RBP", page) == close(ad_hoc(rbp, page) / ad_hoc(rbp, ideal))
    gain = replace(ROWS["AS_ERR"], N=One()).with_parameters(gain="exponential")
    assert score(gain, page) == close(2**3 * ad_hoc("ERR", page))


@quick(40)
@given(page=pages(most_items=4, layout=PageLayout(web=4, items=4)), cutoff=st.integers(1, 6))
def test_verticals_are_intents(page, cutoff):
    """One item per block: diversity metrics have the scores of a list judged for the verticals as intents."""
    page = page.with_blocks(Block(b.vertical, item) for b in page.blocks for item in b.items)
    total = sum(v.orientation for v in page.query.verticals)
    topic = dm.Topic("q", tuple(dm.Intent(v.id, v.orientation / total) for v in page.query.verticals))
    judgments = {item.id: {v: item.grade} for item, v in page.query.items.values()}
    docs = [item for block in page.blocks for item in block.items]
    ranked = dm.RankedList(topic, docs, dm.Judgments.of(topic, judgments, page.query.scale))
    for name in ("I-rec", "ERR-IA", "alpha-DCG", "RBP-IA", "P-IA", "NRBP", "iRBU-IA"):
        metric = dm.metric(name) @ cutoff
        assert score(metric, page) == close(metric.score(ranked)), name


@quick(30)
@given(page=pages())
def test_normalised_diversity_metrics_stay_within_their_ideal(page):
    """The best block that every vertical can give: I-rec finds all there is, D-nDCG's own order scores 1."""
    everything = BlockPage(page.query, aggregated.page_batch.best_blocks(page.query))
    weight = {v.id: v.orientation for v in page.query.verticals}
    ordered = sorted(
        everything.blocks,
        key=lambda block: -weight[block.vertical] * sum(item.grade for item in page.items(block)),
    )
    gains = any(item.grade for block in ordered for item in page.items(block) if weight[block.vertical])
    assert score("D-nDCG", page.with_blocks(ordered)) == close(float(gains))
    for name in ("D-nDCG", "alpha-nDCG(ideal=exact)", "nDCG-IA"):
        assert score(name, everything) <= 1 + 1e-9, name
    assert score("I-rec", everything) == close(
        sum(any(i.grade for i in v.items) for v in page.query.verticals) / len(page.query.verticals)
    )


# ------------------------------------------------------------------------------------------------- laws


@pytest.mark.parametrize("metric", AS)
@quick(40)
@given(page=pages(), cutoff=st.none() | st.integers(1, 6))
def test_the_ideal_page_scores_one(metric, page, cutoff):
    ideal = aggregated.ideal_page(page.query)
    row = ROWS[metric] @ cutoff if cutoff else ROWS[metric]
    gains = any(page.query.items[item][0].grade for block in ideal.blocks for item in block.items)
    assert row.scores(aggregated.batch_pages([ideal]))[0, 0] == close(float(gains))


@pytest.mark.parametrize("metric", AS)
@quick(30)
@given(page=pages(), factor=st.sampled_from((0.25, 2.0, 10.0)))
def test_scores_do_not_depend_on_the_unit_of_effort(metric, page, factor):
    query = replace(
        page.query,
        verticals=tuple(
            Vertical(v.id, v.orientation, [replace(i, effort=i.effort * factor) for i in v.items])
            for v in page.query.verticals
        ),
    )
    row = ROWS[metric]
    one, other = (row.scores(aggregated.batch_pages([p])) for p in (page, BlockPage(query, page.blocks)))
    assert one == close(other)


@pytest.mark.parametrize("metric", AS)
@quick(30)
@given(page=pages())
def test_names_and_order_within_a_block_change_no_score(metric, page):
    new = {v.id: "web" if v.id == "web" else f"x-{v.id}" for v in page.query.verticals}
    query = replace(
        page.query,
        verticals=tuple(
            Vertical(new[v.id], v.orientation, [replace(i, id=f"z{i.id}") for i in v.items])
            for v in page.query.verticals
        ),
    )
    renamed = BlockPage(
        query, [Block(new[b.vertical], [f"z{i}" for i in reversed(b.items)]) for b in page.blocks]
    )
    row = ROWS[metric]
    assert row.scores(aggregated.batch_pages([page])) == close(row.scores(aggregated.batch_pages([renamed])))


@pytest.mark.parametrize("metric", [*AS, "AS_DCG@2", "AS_ERR@3"])
@quick(30)
@given(page=pages())
def test_contributions_sum_to_the_score(metric, page):
    name, _, cutoff = metric.partition("@")
    row = ROWS[name] @ int(cutoff) if cutoff else ROWS[name]
    table = aggregated.explain_page(row, page)
    assert len(table) == min(len(page.blocks), int(cutoff or 99))
    assert table["contribution"].sum() == close(row.scores(aggregated.batch_pages([page]))[0, 0])
    total = row.N.effort(row.truncate(aggregated.batch_pages([page])), row).sum()
    assert (table["effort"] * table["examined"]).sum() == close(total)


@quick(20)
@given(st.lists(pages(), min_size=2, max_size=4, unique_by=lambda page: page.query.id))
def test_pages_together_score_as_one_by_one(several):
    """Padding to the most verticals and blocks changes nothing, on one scale."""
    several = [BlockPage(replace(p.query, scale=4), p.blocks) for p in several]
    for metric in (
        *ROWS.values(),
        dm.metric("alpha-nDCG@3"),
        dm.metric("D#-nDCG@3"),
    ):
        whole = aggregated.batch_pages(several), aggregated.batch_as_intents(several)
        alone = [(aggregated.batch_pages([p]), aggregated.batch_as_intents([p])) for p in several]
        for kind in (0, 1) if metric.name in AS else (1,):
            scores = metric.scores(whole[kind])[:, 0]
            assert scores.tolist() == close([metric.scores(one[kind])[0, 0] for one in alone]), metric


@st.composite
def equally_long_blocks(draw) -> BlockPage:
    """A page of 2 to 5 blocks of any verticals; reading one of them takes as long as reading another.

    The link that is not on it only sees to it that there is something to gain.
    """
    dice = random.Random(draw(st.integers(0, 2**32)))
    verticals, made = [Vertical("web", 1.0, [Item("w", 1)])], []
    for b in range(draw(st.integers(2, 5))):
        n = dice.randint(1, 3)
        items = [Item(f"{b}-{i}", dice.choice((0, 0, 1, 2, 3)), 6 / n) for i in range(n)]
        verticals.append(Vertical(f"v{b}", dice.randint(0, 10) / 10, items))
        made.append(Block(f"v{b}", [item.id for item in items]))
    return BlockPage(Query("q", tuple(verticals), scale=3), made)


def in_every_order(page: BlockPage) -> list[BlockPage]:
    """The same blocks, a run for each order; the first is the perfect one."""
    perfect = aggregated.perfect_order(page)
    return [page.with_blocks(made, f"{n}") for n, made in enumerate(permutations(perfect.blocks))]


@pytest.mark.parametrize("metric", ["AS_DCG", "AS_RBP"])
@quick(30)
@given(page=equally_long_blocks(), cutoff=st.none() | st.integers(1, 5))
def test_no_order_of_blocks_of_equal_effort_beats_the_perfect_one(metric, page, cutoff):
    """Gain is in order and effort the same everywhere: the rearrangement inequality. Not so for AS_ERR."""
    row = replace(ROWS[metric], cutoff=cutoff)
    perfect, *others = row.scores(aggregated.batch_pages(in_every_order(page)))[0]
    assert perfect >= max(others) - 1e-12


@pytest.mark.parametrize(
    ("metrics", "verticals"),
    [
        # The news gain hardly less, and those whom they satisfy do not pay for what is below.
        (["AS_ERR"], {"web": (1.0, 3, 1.0), "image": (0.8, 2, 1.0), "news": (0.52, 3, 1.0)}),
        # What gains nothing, but is read at once, costs less above the slow video than the video above it.
        (AS, {"web": (1.0, 3, 0.5), "video": (1.0, 1, 3.0), "news": (1.0, 0, 0.5)}),
    ],
    ids=["satisfied readers leave", "slow items"],
)
def test_where_another_order_beats_the_perfect_one(metrics, verticals):
    made = [
        Vertical(name, orientation, [Item(name, grade, effort)])
        for name, (orientation, grade, effort) in verticals.items()
    ]
    page = BlockPage(Query("q", tuple(made), scale=3), [(name, name) for name in verticals])
    assert aggregated.perfect_order(page).blocks == page.blocks
    first, second, third = page.blocks
    for metric in AS:
        other = score(metric, page.with_blocks([first, third, second]))
        if metric in metrics:
            assert other > score(metric, page) + 1e-3, metric
        else:
            assert other < score(metric, page), metric


def every_page(query: Query) -> Iterator[BlockPage]:
    """All pages that fill the layout: sequences of as many of its possible blocks as there is room for."""
    room, number = query.layout, itertools.count()
    links = min(room.web, len(query.vertical["web"].items))
    possible = [Block("web", item.id) for item in query.vertical["web"].items]
    for v in query.verticals[1:]:
        together = itertools.combinations([item.id for item in v.items], min(room.items, len(v.items)))
        possible += [Block(v.id, items) for items in together]
    for length in range(links, links + room.verticals + 1):
        for made in permutations(possible, length):
            others = [block.vertical for block in made if block.vertical != "web"]
            if len(others) == length - links and len(set(others)) == len(others):
                yield BlockPage(query, made, f"{next(number)}")


@pytest.mark.parametrize("metric", AS)
@quick(15)
@given(query=queries(most_items=3, layout=PageLayout(web=2, verticals=1, items=2)))
def test_no_page_of_the_layout_beats_the_best_page(metric, query):
    row, every = ROWS[metric], [*every_page(query)]
    assert len(every) == aggregated.count_pages(query)
    scores = row.scores(aggregated.batch_pages(every))[0]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", dm.DivmetricsWarning)  # where there is nothing to gain all score 0
        best = aggregated.best_page(query, row)
    assert row.scores(aggregated.batch_pages([best]))[0, 0] == close(scores.max())
    ideal = aggregated.ideal_page(query)
    assert scores.max() >= row.scores(aggregated.batch_pages([ideal]))[0, 0] - 1e-12  # it is one of them


@st.composite
def links(draw) -> Query:
    """Web items of one effort, 0 to 3 more than the page has room for."""
    grades = draw(st.lists(st.integers(0, 4), min_size=1, max_size=6))
    effort = draw(st.sampled_from((0.5, 1.0, 3.0)))
    web = [Item(f"w{i}", grade, effort) for i, grade in enumerate(grades)]
    room = draw(st.integers(max(1, len(grades) - 3), len(grades)))
    return Query("q", (Vertical("web", 1.0, web),), PageLayout(room, 0, 1), scale=draw(st.integers(4, 6)))


@pytest.mark.parametrize("metric", AS)
@quick(25)
@given(query=links())
def test_no_page_of_links_of_equal_effort_beats_the_ideal_page(metric, query):
    """The greedy choice is the best one under all three, on pages as small as these (see below)."""
    scores = ROWS[metric].scores(aggregated.batch_pages(every_page(query)))[0]
    assert scores.max() == close(float(any(item.grade for item in query.vertical["web"].items)))


def most_above(rate: float, grades: dict[int, int], length: int, scale: int) -> float:
    """The most that `length` links gain above `rate` under AS_ERR, of all choices and orders.

    Links take an effort of 1; `grades` says how many there are of each. A page beats another whose rate this
    is if it gains more than that for its effort: sum_b exam(b) (gain(B_b) - rate) > 0.
    """
    kinds = [(grade, 1 - (2**grade - 1) / 2**scale) for grade in grades]

    @cache
    def below(left: tuple[int, ...], b: int) -> float:
        """What the blocks from b on add for each reader who gets there: only which are left counts."""
        if b > length:
            return 0.0
        return max(
            (grade - rate) / b + read_on * below((*left[:i], left[i] - 1, *left[i + 1 :]), b + 1)
            for i, (grade, read_on) in enumerate(kinds)
            if left[i]
        )

    return below(tuple(grades.values()), 1)


def err_rate(grades: list[int], scale: int) -> float:
    web = [Item(f"w{i}", grade) for i, grade in enumerate(grades)]
    query = Query("q", (Vertical("web", 1.0, web),), PageLayout(len(grades), 0, 1), scale)
    return naive_rate(naive_ideal(query), "AS_ERR")


@pytest.mark.slow
def test_as_err_of_ten_links_is_never_above_the_ideal_page():
    """Every choice of grades up to 4, with as many spare links as could be used: all were tried."""
    tried = 0
    for scale in (1, 2, 3, 4):
        for length in range(1, 11):
            for grades in combinations_with_replacement(range(scale + 1), length):
                # A link that is left out has no higher grade than any that the ideal page takes.
                spare = dict.fromkeys(range(grades[0] + 1), length)
                there = spare | {g: grades.count(g) + spare.get(g, 0) for g in grades}
                assert most_above(err_rate([*grades], scale), there, length, scale) <= 1e-12, grades
                tried += 1
    assert tried == sum(math.comb(length + scale, scale) for scale in (1, 2, 3, 4) for length in range(1, 11))


def test_as_err_of_very_many_links_may_be_above_the_ideal_page():
    """Why that is no law of all pages: with the 10 between them, more readers get to the second 11."""
    grades = [11, 11, 10] + [0] * 147
    assert most_above(err_rate(grades, 13), {11: 2, 10: 1, 0: 147}, 150, 13) > 1e-4


def test_a_page_can_beat_the_greedy_ideal():
    """A vertical that a majority wants, but whose items take long: the best page leaves it out."""
    video = Vertical("video", 0.6, [Item("v1", 1, 3.0)])
    query = Query("q", (Vertical("web", 1.0, [Item("w1", 2)]), video), PageLayout(1, 1, 1))
    ideal, best = (
        aggregated.ideal_page(query),
        aggregated.best_page(query, ROWS["AS_DCG"]),
    )
    assert [b.vertical for b in ideal.blocks] == ["web", "video"]
    assert [b.vertical for b in best.blocks] == ["web"]
    second = 1 / math.log2(3)
    assert score("AS_DCG", best) == close(2 / ((2 + second * 0.6) / (1 + second * 3)))


@pytest.mark.parametrize("row", ROWS.values(), ids=str)
def test_rows_keep_the_rules_of_the_framework(row):
    assert dm.check(row, aggregated.batch_pages([EXAMPLE])) == []
    assert eval(repr(row), vars(parts) | {"Metric": Metric}) == row
    assert row.source in REFERENCES
    assert row.with_parameters(a=0.5).parameters()["a"] == 0.5


def test_names_take_parameters_and_cutoffs_and_print_back():
    metric = dm.metric("AS_RBP(phi=0.5)@2")
    assert str(metric) == "AS_RBP(phi=0.5)@2"
    assert metric == ROWS["AS_RBP"].with_parameters(phi=0.5) @ 2
    assert dm.metric("ndeval:ERR-IA@3") == dm.metric("ndeval:ERR-IA@3")


def test_the_best_page_of_a_diversity_metric():
    best = aggregated.best_page(YOGA, "I-rec")
    assert score("I-rec", best) == close(2 / 3)  # general web and one of the two other verticals


def test_exponent_0_weighs_verticals_equally():
    """a = 0: orient^a is 1 for all, in the gain and in the chance to stop."""
    everybody = replace(
        YOGA, verticals=tuple(Vertical(v.id, float(v.orientation > 0.5), v.items) for v in YOGA.verticals)
    )
    for row in ROWS.values():
        assert score(row.with_parameters(a=0), EXAMPLE) == close(
            score(row, BlockPage(everybody, EXAMPLE.blocks))
        )


# ------------------------------------------------------------------------------------------- the picture


def test_a_picture_shows_every_block_and_the_score():
    ideal = aggregated.ideal_page(YOGA)
    figure = dm.charts.pages("AS_ERR", [EXAMPLE, ideal])
    assert f"Page A, score {score('AS_ERR', EXAMPLE):.4f}: web (2)" in figure.description
    assert "Page ideal, score 1.0000: image (2 1)" in figure.description
    drawn = [text.strip() for text in re.findall(r">([^<>]+)</text>", figure.svg)]
    for page in (EXAMPLE, ideal):
        for contribution in aggregated.explain_page("AS_ERR", page)["contribution"]:
            assert (f"{contribution:.4f}" if contribution else "0") in drawn
        for block in page.blocks:
            assert all(f"{item.id}: {item.grade}" in drawn for item in page.items(block))


def test_narrow_chart_omits_names():
    figure = dm.charts.pages("AS_DCG", [EXAMPLE] * 4)
    drawn = [text.strip() for text in re.findall(r">([^<>]+)</text>", figure.svg)]
    grades = [str(item.grade) for block in EXAMPLE.blocks for item in EXAMPLE.items(block)]
    for grade in ("1", "2"):  # a 0 may also be what a block adds
        assert drawn.count(grade) == 4 * grades.count(grade)
    assert not any("…" in text for text in drawn)


def test_a_picture_ends_at_the_cutoff():
    figure = dm.charts.pages(ROWS["AS_DCG"] @ 1, EXAMPLE)
    assert "web (2)" in figure.description
    assert "image" not in figure.description


# --------------------------------------------------------------------------------- the simulated systems


@pytest.fixture(scope="module")
def simulated():
    collection = dm.datasets.aggregated_search(30, seed=1)
    return collection, dm.datasets.simulated_pages(collection, seed=1)


def test_thirty_six_systems_of_the_papers_layout(simulated):
    queries_, pages_ = simulated
    assert len({page.run for page in pages_}) == 36
    assert len(pages_) == 36 * len(queries_)
    for page in pages_:
        web = [b for b in page.blocks if b.vertical == "web"]
        others = [b for b in page.blocks if b.vertical != "web"]
        assert [len(b.items) for b in web] == [1] * 10
        assert len(others) <= 3
        assert all(len(b.items) == 3 for b in others)


def test_the_collection_is_what_its_description_says():
    queries_ = dm.datasets.aggregated_search(200, seed=3)
    assert np.mean([len(query.relevant) for query in queries_]) == pytest.approx(2, abs=0.4)
    for query in queries_:
        assert [len(v.items) for v in query.verticals] == [30] + [10] * 8
        assert all((v.orientation * 20).is_integer() for v in query.verticals)
        assert {item.grade for item, _ in query.items.values()} <= {0, 1, 2}
        efforts = {v.id: {item.effort for item in v.items} for v in query.verticals}
        assert efforts.pop("image") == {0.5}
        assert efforts.pop("video") == {2.0}
        assert all(effort == {1.0} for effort in efforts.values())


def test_presentations_have_the_same_blocks_in_another_order(simulated):
    _, pages_ = simulated
    by_components = {(p.query.id, *p.run.split("-")): p.blocks for p in pages_}
    for (query, selection, items, order), systems in by_components.items():
        perfect = by_components[query, selection, items, "perfect"]
        assert set(systems) == set(perfect)
        if order == "bad":
            assert systems == perfect[::-1]
        if order == "random":  # the web blocks keep their order
            assert [b for b in systems if b.vertical == "web"] == [b for b in perfect if b.vertical == "web"]


def test_the_same_seed_gives_the_same_pages(simulated):
    queries_, pages_ = simulated
    again = dm.datasets.aggregated_search(30, seed=1)
    assert again == queries_
    assert [p.blocks for p in dm.datasets.simulated_pages(again, seed=1)] == [p.blocks for p in pages_]
    assert [p.blocks for p in dm.datasets.simulated_pages(again, seed=2)] != [p.blocks for p in pages_]


def test_all_blocks_may_be_shuffled(simulated):
    """Only the random pages change: the same blocks, of which web blocks need not keep their order."""
    queries_, pages_ = simulated
    moved = 0
    for page, other in zip(
        pages_, dm.datasets.simulated_pages(queries_, seed=1, shuffled="all blocks"), strict=True
    ):
        if not page.run.endswith("-random"):
            assert other.blocks == page.blocks
        else:
            assert set(other.blocks) == set(page.blocks)
            web = [[b for b in each.blocks if b.vertical == "web"] for each in (page, other)]
            moved += web[0] != web[1]
    assert moved > len(pages_) / 4


def test_selections_are_named_by_their_noise(simulated):
    queries_, _ = simulated
    pages_ = dm.datasets.simulated_pages(
        queries_, vertical_selection={"sure": 0.0}, item_selection={"a": 0.0, "b": 0.0}
    )
    assert {page.run.rsplit("-", 1)[0] for page in pages_} == {"sure-a", "sure-b"}
    for page in pages_:
        wanted = [v.id for v in page.query.relevant[:3]]
        assert {b.vertical for b in page.blocks} - {"web"} == set(wanted)
    by_run = {(p.query.id, p.run): p.blocks for p in pages_}
    assert all(by_run[q.id, "sure-a-bad"] == by_run[q.id, "sure-b-bad"] for q in queries_)


def test_better_components_score_higher_on_average(simulated):
    """Each gold standard sees its own component; the AS_ metrics see all three."""
    _, pages_ = simulated
    scores = aggregated.score_pages(pages_, [*AS, "prec_v", "rec_v", "mean-prec", "corr"])
    scores[["VS", "IS", "RP"]] = scores["run"].str.split("-", expand=True).to_numpy()

    def means(metric: str, component: str) -> dict[str, float]:
        return scores[scores["metric"] == metric].groupby(component)["score"].mean().to_dict()

    for metric in AS:
        selection, items, order = (means(metric, component) for component in ("VS", "IS", "RP"))
        assert selection["perfect"] > selection["poor"] > selection["random"]
        assert items["perfect"] > items["good"] > items["poor"]
        assert order["perfect"] > order["random"] > order["bad"]
    assert means("prec_v", "VS")["perfect"] == 1
    assert means("mean-prec", "IS")["perfect"] > means("mean-prec", "IS")["poor"]
    assert means("corr", "RP")["bad"] == close(-1)
    assert means("corr", "RP")["perfect"] == close(1)


def test_the_perfect_system_shows_the_ideal_page(simulated):
    queries_, pages_ = simulated
    perfect_pages = {page.query.id: page for page in pages_ if page.run == "perfect-perfect-perfect"}
    useful = [q for q in queries_ if all(any(item.grade for item in v.items) for v in q.relevant)]
    assert len(useful) > len(queries_) / 2
    for query in useful:
        assert perfect_pages[query.id].blocks == aggregated.ideal_page(query).blocks


# --------------------------------------------------------------------------------------------- bad input

WEB = Vertical("web", 1.0, [Item("w1", 1)])
ONE = Query("1", (WEB,))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Item("a", -1), "item 'a': grade is -1, expected a whole number of at least 0"),
        (lambda: Item("a", 1.5), "grade is 1.5"),
        (lambda: Item("a", 1, 0.0), "effort is 0.0, expected a number above 0"),
        (lambda: Item("a", 1, math.nan), "effort is nan"),
        (lambda: Vertical("image", 1.2, []), "orientation is 1.2, expected a number from 0 to 1"),
        (lambda: Vertical("web", 0.5, []), "vertical 'web': orientation is 0.5, expected 1"),
        (lambda: PageLayout(items=0), "items is 0, expected a whole number of at least 1"),
        (lambda: PageLayout(web=2.5), "web is 2.5"),
        (lambda: Query("1", (Vertical("image", 0.5, []),)), "query 1: there is no vertical 'web'"),
        (lambda: Query("1", (WEB, WEB)), "query 1: vertical 'web' is given twice"),
        (lambda: Query("1", (WEB, Vertical("news", 0.5, [Item("w1")]))), "item 'w1' is given twice"),
        (lambda: replace(YOGA, scale=1), "scale is 1, expected a whole number of at least 2, the highest"),
        (lambda: replace(YOGA, scale="2"), "scale is '2', expected a whole number"),
        (lambda: Block("web", []), "a block of 'web' has no items"),
        (
            lambda: BlockPage(ONE, [("wbe", "w1")]),
            r"block 1: there is no vertical 'wbe' \(did you mean 'web'\?\)",
        ),
        (lambda: BlockPage(ONE, [("web", "w9")]), r"'w9' is not an item of 'web' \(nobody judged it\)"),
        (lambda: BlockPage(YOGA, [("web", "i1")]), r"'i1' is not an item of 'web' \(it is one of 'image'\)"),
        (
            lambda: BlockPage(ONE, [("web", "w1"), ("web", "w1")]),
            "block 2: item 'w1' stands on the page already",
        ),
        (lambda: aggregated.score_pages([], "AS_DCG"), "no pages were given"),
        (lambda: aggregated.score_pages([EXAMPLE], []), "no metric was asked for"),
        (
            lambda: aggregated.score_pages([EXAMPLE], "AS_DGC"),
            r"no metric 'AS_DGC' .* \(did you mean 'AS_DCG'\?\)",
        ),
        (
            lambda: aggregated.score_pages([EXAMPLE], "ndeval:AS_DCG"),
            "no metric 'AS_DCG' in convention 'ndeval'",
        ),
        (lambda: aggregated.score_pages([EXAMPLE], "ERR-IAA"), "did you mean 'ERR-IA'"),
        (
            lambda: aggregated.score_pages([EXAMPLE, EXAMPLE], "AS_DCG"),
            "run 'A' has two pages for query yoga poses",
        ),
        (
            lambda: aggregated.score_pages([EXAMPLE, BlockPage(ONE, [], "B")], "AS_DCG"),
            "run 'B' has no page for query yoga poses; give it one",
        ),
        (
            lambda: aggregated.score_pages([EXAMPLE, BlockPage(replace(YOGA, scale=3), [], "B")], "AS_DCG"),
            "two different queries have the id 'yoga poses'",
        ),
        (lambda: aggregated.explain_page("D-nDCG", EXAMPLE), "D-nDCG does not weigh gain against effort"),
        (
            lambda: aggregated.best_page(YOGA, ROWS["AS_DCG"], most=10),
            "query yoga poses has 78 pages that fill its layout, more than the 10 that are tried",
        ),
        (lambda: parts.Orientation(-1), "a is -1"),
        (
            lambda: ROWS["AS_DCG"].score(aggregated.as_collection([EXAMPLE]).list("A", "yoga poses")),
            "these are ranked lists, which do not say what reading costs",
        ),
        (lambda: dm.datasets.aggregated_search(seed=-1), "seed is -1"),
        (lambda: dm.datasets.aggregated_search(0), "topics is 0, expected a whole number of at least 1"),
        (lambda: dm.datasets.simulated_pages([YOGA], seed=0.5), "seed is 0.5"),
        (
            lambda: dm.datasets.simulated_pages([YOGA], vertical_selection={"bad": 1.5}),
            "noise of 'bad' is 1.5, expected a number from 0 to 1",
        ),
        (
            lambda: dm.datasets.simulated_pages([YOGA], item_selection={"bad": -0.5}),
            "noise of 'bad' is -0.5",
        ),
        (
            lambda: dm.datasets.simulated_pages([YOGA], shuffled="web"),
            "shuffled is 'web', expected one of vertical blocks, all blocks",
        ),
        (lambda: dm.charts.pages("AS_DCG", []), "there is no block to show"),
        (lambda: dm.charts.pages("AS_DCG", [EXAMPLE] * 5), "5 pages do not fit side by side"),
        (
            lambda: dm.charts.pages("AS_DCG", [EXAMPLE, BlockPage(ONE, [("web", "w1")], "B")]),
            "page B is of query 1",
        ),
    ],
)
def test_bad_input_raises_one_sentence(call, message):
    with pytest.raises(dm.DivmetricsError, match=message) as caught:
        call()
    assert "\n" not in str(caught.value)


def test_queries_whose_ideal_page_gains_nothing_are_named():
    nothing = Query("9", (Vertical("web", 1.0, [Item("w1")]),))
    with pytest.warns(dm.DivmetricsWarning, match=r"ideal page of 1 query\(ies\) gains nothing, .* \(9\)"):
        scores = aggregated.score_pages([BlockPage(nothing, [("web", "w1")])], AS)
    assert scores["score"].tolist() == [0, 0, 0]
