"""Pages of blocks and judgments by vertical in files: scores by an independent reading, and bad input."""

from __future__ import annotations

import gzip
import json
import math
import random
import warnings
from collections.abc import Iterable
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import divmetrics as dm
from divmetrics.aggregated import Block, BlockPage, Item, PageLayout, Query, Vertical, ideal_page, score_pages
from divmetrics.cli import main
from tests.support.strategies import quick

AS = ("AS_DCG", "AS_RBP", "AS_ERR")
YOGA = {
    "topic": "7",
    "title": "yoga poses",
    "layout": {"web": 2, "verticals": 1, "items": 2},
    "verticals": [
        {"vertical": "web", "items": {"w1": 2, "w2": 0, "w3": 1}},
        {"vertical": "image", "orientation": 0.8, "effort": 0.5, "items": {"i1": 2, "i2": 1, "i3": 0}},
        {"vertical": "news", "orientation": 0.5, "items": {"n1": 2, "n2": 2}},
    ],
}
BLOCKS = [
    {"vertical": "web", "items": ["w1"]},
    {"vertical": "image", "items": ["i1", "i2"]},
    {"vertical": "web", "items": ["w2"]},
]
PAGE = {"topic": "7", "run": "A", "blocks": BLOCKS}


def close(expected):
    return pytest.approx(expected, abs=1e-12)


def saved(folder: Path, name: str, *objects: object) -> str:
    """Write JSON lines, or a text as it is; return the path."""
    lines = (thing if isinstance(thing, str) else json.dumps(thing) for thing in objects)
    (folder / name).write_text("\n".join(lines) + "\n")
    return str(folder / name)


def quietly(function, *arguments):
    """Call a function whose warnings another test checks."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", dm.DivmetricsWarning)
        return function(*arguments)


def blocks(*page: tuple[str, list[str]]) -> list[dict[str, object]]:
    return [{"vertical": vertical, "items": items} for vertical, items in page]


# ------------------------------------------------------------ the definition, in loops over plain data


def naive_rate(page, orientation, effort_of, scale: int, metric: str) -> float:
    """Gain by effort of a page [(vertical, [(content, item, grade)])]; a content counts once."""
    gained = spent = 0.0
    still_there, seen = 1.0, set()
    for b, (vertical, items) in enumerate(page, start=1):
        gain, effort, unsatisfied = 0.0, 0.0, 1.0
        for content, item, grade in items:
            effort += effort_of(item)
            if content not in seen:
                gain += orientation[vertical] * grade
                unsatisfied *= 1 - (2**grade - 1) / 2**scale
            seen.add(content)
        exam = {"AS_DCG": 1 / math.log2(b + 1), "AS_RBP": 0.8 ** (b - 1), "AS_ERR": still_there / b}[metric]
        gained += exam * gain
        spent += exam * effort
        still_there *= 1 - orientation[vertical] * (1 - unsatisfied)
    return gained / spent if spent else 0.0


def naive_ideal(judged, orientation, web: int, most: int, size: int):
    """The ideal page of {vertical: [(content, item, grade)]}, every item of effort 1."""
    taken = set()

    def best(vertical, number):
        chosen = []
        for content, item, grade in sorted(judged[vertical], key=lambda triple: -triple[2]):
            if len(chosen) < number and content not in taken:
                chosen.append((content, item, grade))
                taken.add(content)
        return chosen

    made = [("web", [each]) for each in best("web", web)]
    wanted = [v for v in judged if v != "web" and orientation[v] > 0.5 and any(g for *_, g in judged[v])]
    for vertical in sorted(wanted, key=lambda v: -orientation[v])[:most]:
        made.append((vertical, best(vertical, size)))
    place = {item: n for n, (_, item, _) in enumerate(each for listed in judged.values() for each in listed)}
    return sorted(
        (block for block in made if block[1]),
        key=lambda block: (
            -round(orientation[block[0]] * sum(g for *_, g in block[1]) / len(block[1]), 12),
            -orientation[block[0]],
            place[block[1][0][1]],
        ),
    )


def raw_fedweb(folder: Path):
    """{topic: {vertical: [(content, item, level)]}} and {topic: {vertical: orientation}}, by line."""
    weight = {0: 0.0, 1: 0.158, 3: 0.546, 7: 1.0}
    category = {}
    for line in (folder / "official-resources-FW13-categorization.tsv").read_text().splitlines():
        engine, *_, verticals = line.split("\t")
        category[engine] = verticals.split(",")[0].replace("General", "web")
    content = {}
    with gzip.open(folder / "duplicates.txt.gz", "rt") as file:
        for line in file:
            _, *items = line.split()
            content |= dict.fromkeys(items, items[0])
    judged, precision = {}, {}
    with gzip.open(folder / "FW13-QRELS-RM.txt.gz", "rt") as file:
        for line in file:
            topic, _, item, gain = line.split()
            engine = item.split("-")[1]
            by_vertical = judged.setdefault(topic, {"web": []})
            level = round(math.log2(int(gain) + 1))
            by_vertical.setdefault(category[engine], []).append((content.get(item, item), item, level))
            key = topic, engine
            precision[key] = precision.get(key, 0.0) + weight[int(gain)] / 10
    orientation = {topic: {"web": 1.0} for topic in judged}
    for (topic, engine), value in precision.items():
        if category[engine] != "web":
            own = orientation[topic]
            own[category[engine]] = max(own.get(category[engine], 0.0), value)
    return judged, orientation


@pytest.fixture
def fedweb(research_files: Path) -> Path:
    return research_files / "data" / "fedweb-2013"


def random_page(judged, dice: random.Random):
    """Some blocks of random verticals and items, duplicates among them."""
    made = [("web", [each]) for each in dice.sample(judged["web"], dice.randint(0, 8))]
    for vertical in dice.sample(list(judged), min(3, len(judged))):
        left = [each for each in judged[vertical] if all(each not in items for _, items in made)]
        if left:
            made.append((vertical, dice.sample(left, min(3, len(left)))))
    dice.shuffle(made)
    return made


def test_fedweb_pages_have_the_scores_of_plain_loops(fedweb, tmp_path):
    judged, orientation = raw_fedweb(fedweb)
    dice, blocks_by_query = random.Random(0), {}
    for topic, by_vertical in judged.items():
        for run in "AB":
            blocks_by_query[run, topic] = random_page(by_vertical, dice)
    path = saved(
        tmp_path,
        "pages.jsonl",
        *(
            {
                "topic": topic,
                "run": run,
                "blocks": blocks(*((v, [i for _, i, _ in items]) for v, items in page)),
            }
            for (run, topic), page in blocks_by_query.items()
        ),
    )
    with pytest.warns(dm.DivmetricsWarning) as caught:
        scores = dm.evaluate(str(fedweb), path, AS)
    message = " ".join(str(warning.message) for warning in caught)
    assert "12 engine(s) have several categories" in message
    assert "graded precision" in message
    assert len(scores) == 3 * len(blocks_by_query)
    assert any(
        len({c for _, items in p for c, *_ in items}) < sum(len(i) for _, i in p)
        for p in blocks_by_query.values()
    )
    for row in scores.itertuples():
        own = orientation[row.topic]
        ideal = naive_ideal(judged[row.topic], own, 10, 3, 3)
        expected = [
            naive_rate(p, own, lambda _: 1, 3, row.metric)
            for p in (blocks_by_query[row.run, row.topic], ideal)
        ]
        assert row.score == close(expected[0] / expected[1])


def test_fedweb_queries_have_titles_levels_and_the_verticals_of_engines(fedweb):
    queries = quietly(dm.read_queries, str(fedweb))
    judged, orientation = raw_fedweb(fedweb)
    assert [query.id for query in queries] == list(judged)
    assert queries[0].title == "LHC collision publications"
    for query in queries:
        assert query.scale == 3
        assert {v.id: v.orientation for v in query.verticals} == close(orientation[query.id])
        of_file = {item: (level, v, c) for v, of in judged[query.id].items() for c, item, level in of}
        items = {item.id: (item.grade, v, item.content) for item, v in query.items.values()}
        assert items == of_file


# ------------------------------------------------------------ files and doors


def test_scores_of_files_are_those_of_the_page(tmp_path):
    """By hand: gains 2; 0.8 (2 + 1) = 2.4; 0, each block of effort 1; ideally 2.4, 2, 1."""
    judgments, pages = saved(tmp_path, "q.json", YOGA), saved(tmp_path, "p.json", PAGE)
    scores = dm.evaluate(judgments, pages, "AS_RBP")
    assert scores.values.tolist() == [
        ["A", "7", "AS_RBP", close(0.8 * 0 + (2 + 0.8 * 2.4) / (2.4 + 1.6 + 0.64))]
    ]
    queries = dm.read_queries(judgments)
    several = [*AS, "AS_ERR@2", "prec_v", "rec_v", "mean-prec", "nDCG@3", "D#-nDCG@3"]
    expected = score_pages(dm.read_pages(pages, queries), several)
    scores = dm.evaluate(judgments, pages, several)
    assert dict(zip(scores.metric, scores.score, strict=True)) == close(
        dict(zip(expected.metric, expected.score, strict=True))
    )


@pytest.mark.parametrize("form", ["json", "list", "gz", "lines", "frame", "mapping"])
def test_judgments_by_vertical_in_every_form_give_the_same_scores(tmp_path, form):
    rows = [("7", v["vertical"], i, g) for v in YOGA["verticals"] for i, g in v["items"].items()]
    shares = {"7": {"image": 0.8, "news": 0.5}}
    plain = [{k: x for k, x in v.items() if k != "effort"} for v in YOGA["verticals"]]
    whole = {"topic": "7", "verticals": plain}
    topics: object = saved(tmp_path, "shares", "7 image 0.8", "7 news 0.5")
    if form == "json":
        judgments, topics = saved(tmp_path, "q.json", whole), None
    elif form == "list":
        judgments, topics = saved(tmp_path, "q.json", [whole]), shares
    elif form == "gz":
        judgments, topics = str(tmp_path / "q.json.gz"), None
        Path(judgments).write_bytes(gzip.compress(json.dumps(whole).encode()))
    elif form == "lines":
        judgments = saved(tmp_path, "qrels", *(" ".join(map(str, row)) for row in rows))
    elif form == "frame":
        judgments, topics = pd.DataFrame(rows, columns=["topic", "intent", "doc", "grade"]), shares
    else:
        judgments = {"7": {item: {vertical: grade} for _, vertical, item, grade in rows}}
    pages = saved(tmp_path, "p.json", [PAGE])
    # The layout of Zhou et al. has room for all web results and three images: w1 (2 for an effort of 1), w3
    # (1 for 1), the images (0.8 (2 + 1) for 3), w2 (0 for 1).
    second, fourth = 1 / math.log2(3), 1 / math.log2(5)
    page = (2 + second * 2.4) / (1 + second * 2 + 1 / 2)
    ideal = (2 + second * 1 + 2.4 / 2) / (1 + second * 1 + 3 / 2 + fourth * 1)
    assert dm.evaluate(judgments, pages, "AS_DCG", topics)["score"].tolist() == [close(page / ideal)]


def test_runs_are_named_by_the_file_the_page_or_the_caller(tmp_path):
    unnamed = {key: value for key, value in PAGE.items() if key != "run"}
    judgments = saved(tmp_path, "q.json", YOGA)
    paths = [saved(tmp_path, f"{name}.jsonl", page) for name, page in (("one", unnamed), ("two", PAGE))]
    assert dm.evaluate(judgments, paths, "AS_DCG")["run"].tolist() == ["one", "A"]
    assert dm.evaluate(judgments, {"mine": paths[0]}, "AS_DCG")["run"].tolist() == ["mine"]


def test_unanswered_topics_score_0_or_are_left_out_and_strange_topics_are_counted(tmp_path):
    judgments = saved(tmp_path, "q.json", YOGA, {**YOGA, "topic": "8"})
    pages = saved(tmp_path, "p.json", PAGE, {**PAGE, "topic": "9"})
    with pytest.warns(dm.DivmetricsWarning) as caught:
        scores = dm.evaluate(judgments, pages, ["AS_DCG", "corr"])
    messages = [str(warning.message) for warning in caught]
    assert any("does not answer 1 judged topic(s), which score 0" in text for text in messages)
    assert any("answers 1 topic(s) without judgments, which are left out" in text for text in messages)
    assert scores[scores["topic"] == "8"]["score"].tolist() == [0, 0]
    with pytest.warns(dm.DivmetricsWarning, match="which are left out"):
        assert dm.evaluate(judgments, pages, "AS_DCG", mean_over="both")["topic"].tolist() == ["7"]


def test_an_empty_page_scores_0_and_is_counted(tmp_path):
    judgments, pages = saved(tmp_path, "q.json", YOGA), saved(tmp_path, "p.json", {**PAGE, "blocks": []})
    with pytest.warns(dm.DivmetricsWarning, match=r"run 'A' has 1 page\(s\) without blocks"):
        assert dm.evaluate(judgments, pages, AS)["score"].tolist() == [0, 0, 0]


def test_options_change_the_judgments(tmp_path):
    judgments, pages = saved(tmp_path, "q.json", YOGA), saved(tmp_path, "p.json", PAGE)

    def of(**options) -> float:
        return dm.evaluate(judgments, pages, "AS_ERR", **options)["score"][0]

    lowered = [
        {**v, "items": {i: g if g > 1 else 0 for i, g in v["items"].items()}} for v in YOGA["verticals"]
    ]
    low = saved(tmp_path, "low.json", {**YOGA, "verticals": lowered})
    wide = saved(tmp_path, "wide.json", {**YOGA, "scale": 4})
    scores = {path: dm.evaluate(path, pages, "AS_ERR")["score"][0] for path in (judgments, low, wide)}
    assert len(set(scores.values())) == 3
    assert of(relevance_level=2) == scores[low]
    assert of(scale=4) == scores[wide]
    assert of(gain="exponential") == dm.evaluate(judgments, pages, "AS_ERR(gain=exponential)")["score"][0]


def test_the_command_scores_explains_and_lists(tmp_path, capsys):
    judgments, pages = saved(tmp_path, "q.json", YOGA), saved(tmp_path, "p.json", PAGE)
    assert main(["evaluate", judgments, pages, "-m", "as-rbp", "-m", "prec_v", "--mean"]) == 0
    expected = (2 + 0.8 * 2.4) / (2.4 + 1.6 + 0.64)
    lines = [line.split(",") for line in capsys.readouterr().out.splitlines()]
    assert [line[:3] for line in lines[1:3]] == [["A", "7", "as-rbp"], ["A", "7", "prec_v"]]
    assert float(lines[1][3]) == close(expected)
    assert lines[3][1] == "all"
    assert main(["explain", judgments, pages, "-m", "AS_RBP", "--topic", "7"]) == 0
    head, titles, *rows = capsys.readouterr().out.splitlines()
    assert head == f"AS_RBP of run A, topic 7: {expected:.4f}"
    assert titles.split() == ["block", "vertical", "items", "gain", "effort", "examined", "contribution"]
    assert sum(float(row.split()[-1]) for row in rows) == pytest.approx(expected, abs=2e-4)
    assert main(["metrics"]) == 0
    out = capsys.readouterr().out
    assert all(f"\n{name} " in out for name in AS)
    assert main(["metrics", "as_dcg"]) == 0
    assert "Zhou" in capsys.readouterr().out
    assert dm.metrics()[-3:] == dm.metrics(of="pages") == AS
    assert dm.metric("as-dcg@5") == dm.metric("AS_DCG@5")
    with pytest.raises(dm.DivmetricsError, match="of is 'page', expected one of lists, pages"):
        dm.metrics(of="page")


# ------------------------------------------------------------ duplicates and gold standards


@st.composite
def pages_with_duplicates(draw) -> BlockPage:
    dice = random.Random(draw(st.integers(0, 2**32)))
    verticals = []
    for name in ("web", "image", "news"):
        items = [
            Item(f"{name}{i}", dice.randint(0, 3), content=dice.choice(("", "", "same", "other")))
            for i in range(dice.randint(1, 4))
        ]
        verticals.append(Vertical(name, 1.0 if name == "web" else dice.randint(0, 10) / 10, items))
    query = Query("q", tuple(verticals), PageLayout(2, 2, 2), scale=3)
    page_blocks = [Block(v.id, item.id) for v in verticals for item in v.items if dice.random() < 0.7]
    dice.shuffle(page_blocks)
    return BlockPage(query, page_blocks)


@quick(60)
@given(page=pages_with_duplicates())
def test_a_duplicate_counts_as_an_item_of_grade_0(page):
    """On a page whose later duplicates are judged 0 and are no duplicates, every metric is the same.

    Its ideal page is that of the query in which the best choice of each content is the only one.
    """
    seen: set[str] = set()
    for block in page.blocks:
        for item, of_query in zip(page.items(block), block.items, strict=True):
            content = page.query.items[of_query][0].content
            assert item.grade == (0 if content in seen else page.query.items[of_query][0].grade)
            seen.add(content)
    ideal = ideal_page(page.query)
    ids = [page.query.items[item][0].content for block in ideal.blocks for item in block.items]
    assert len(ids) == len(set(ids))
    own = {v.id: v.orientation for v in page.query.verticals}
    judged = {v.id: [(i.content, i.id, i.grade) for i in v.items] for v in page.query.verticals}

    def plain(of: BlockPage):
        every = {item: each for listed in judged.values() for each in listed for item in [each[1]]}
        return [(block.vertical, [every[item] for item in block.items]) for block in of.blocks]

    best = naive_ideal(judged, own, 2, 2, 2)
    for metric in AS:
        rates = [naive_rate(ids, own, lambda _: 1, 3, metric) for ids in (plain(page), best)]
        expected = rates[0] / rates[1] if rates[1] else 0.0
        assert quietly(score_pages, [page], metric)["score"][0] == close(expected)


@quick(40)
@given(page=pages_with_duplicates())
def test_ad_hoc_metrics_count_a_content_once(page):
    docs = [item for block in page.blocks for item in block.items]
    seen: set[str] = set()
    grades = []
    for doc in docs:
        item = page.query.items[doc][0]
        grades.append(0 if item.content in seen else item.grade)
        seen.add(item.content)
    best: dict[str, int] = {}
    for item, _ in page.query.items.values():
        best[item.content] = max(best.get(item.content, 0), item.grade)

    def dcg(listed: Iterable[int]) -> float:
        return sum(grade / math.log2(rank + 1) for rank, grade in enumerate([*listed][:5], 1))

    ideal = dcg(sorted(best.values(), reverse=True))
    assert score_pages([page], "nDCG@5")["score"][0] == close(dcg(grades) / ideal if ideal else 0.0)


def eval_vs(relevant: dict[str, set[str]], run: dict[str, set[str]]) -> dict[str, tuple[float, float]]:
    """Precision and recall by topic, as TREC FedWeb 2014's evalVS.pl computes them."""
    printed = {}
    for topic, rel in relevant.items():
        if not rel:
            continue
        returned = run.get(topic, set())
        hits = sum(vertical in rel for vertical in returned)
        printed[topic] = (hits / len(returned) if returned else 0.0, hits / len(rel))
    return printed


def test_topics_without_relevant_verticals_may_be_skipped_as_trec_does():
    queries = dm.datasets.aggregated_search(40, seed=5)
    pages = [page for page in dm.datasets.simulated_pages(queries, seed=5) if page.run == "poor-good-random"]
    relevant = {q.id: {v.id for v in q.verticals if v.id != "web" and v.orientation > 0.5} for q in queries}
    run = {p.query.id: {b.vertical for b in p.blocks} - {"web"} for p in pages}
    expected = eval_vs(relevant, run)
    assert 0 < len(expected) < len(queries)
    skipped = score_pages(pages, ["prec_v", "rec_v", "AS_DCG"], no_relevant_vertical="skip")
    by_metric = {name: dict(zip(t.topic, t.score, strict=True)) for name, t in skipped.groupby("metric")}
    assert by_metric["prec_v"] == {topic: close(precision) for topic, (precision, _) in expected.items()}
    assert by_metric["rec_v"] == {topic: close(recall) for topic, (_, recall) in expected.items()}
    assert len(by_metric["AS_DCG"]) == len(queries)
    counted = score_pages(pages, ["prec_v"])
    for topic, score in zip(counted.topic, counted.score, strict=True):
        assert score == (close(expected[topic][0]) if topic in expected else float(not run[topic]))


def test_simulated_pages_depend_on_the_share_of_the_top_grade():
    """Twice the grades on twice the scale are the same judgments."""
    queries = dm.datasets.aggregated_search(5, seed=2)
    doubled = [
        Query(
            q.id,
            tuple(
                Vertical(v.id, v.orientation, [Item(i.id, 2 * i.grade, i.effort) for i in v.items])
                for v in q.verticals
            ),
            q.layout,
            scale=4,
        )
        for q in queries
    ]
    once, twice = (dm.datasets.simulated_pages(each, seed=1) for each in (queries, doubled))
    for one, two in zip(once, twice, strict=True):
        if one.run.endswith("-random") or "poor" in one.run:
            items = [sorted(item for block in page.blocks for item in block.items) for page in (one, two)]
            assert items[0] == items[1]


# ------------------------------------------------------------ bad input

WITHOUT_ORIENTATION = {"vertical": "image", "items": {"i1": 1}}


def changed(**fields) -> dict[str, object]:
    return {**YOGA, **fields}


def vertical(**fields) -> dict[str, object]:
    return changed(verticals=[YOGA["verticals"][0], {**YOGA["verticals"][1], **fields}])


BAD_JUDGMENTS = {
    "orientation above 1": (vertical(orientation=1.2), ["q.json:1", "'image': orientation is 1.2"]),
    "no orientation": (
        changed(verticals=[WITHOUT_ORIENTATION]),
        ["q.json:1", "vertical 1 has no orientation"],
    ),
    "web wanted by few": (
        changed(verticals=[{"vertical": "web", "orientation": 0.5, "items": {}}]),
        ["expected 1"],
    ),
    "no web": (changed(verticals=[YOGA["verticals"][1]]), ["query 7: there is no vertical 'web'"]),
    "a vertical twice": (changed(verticals=[YOGA["verticals"][0]] * 2), ["vertical 'web' is given twice"]),
    "an item in two verticals": (vertical(items={"w1": 2}), ["item 'w1' is given twice"]),
    "a grade that is no number": (vertical(items={"i1": "2"}), ["gives 'i1' the grade '2'", "whole number"]),
    "a grade with decimals": (vertical(items={"i1": 1.5}), ["gives 'i1' the grade 1.5"]),
    "a grade above the scale": (changed(scale=1), ["scale is 1, expected a whole number of at least 2"]),
    "effort 0": (vertical(effort=0), ["item 'i1': effort is 0.0, expected a number above 0"]),
    "a misspelt field": (vertical(efort=2), ["has a field 'efort'", "did you mean 'effort'"]),
    "a misspelt layout": (changed(layout={"webs": 2}), ["layout has a field 'webs'", "did you mean 'web'"]),
    "a layout of 0 items": (changed(layout={"items": 0}), ["items is 0"]),
    "items as a list": (vertical(items=["i1"]), ["vertical 2 has ['i1'] as items, which is not an object"]),
    "items left out": (vertical(items=None), ["vertical 2 has None as items"]),
    "verticals as an object": (changed(verticals={"web": {}}), ["as verticals, which is not a list"]),
    "no topic": (changed(topic=None), ["q.json:1", "has no topic"]),
    "a duplicate of nothing": (changed(duplicates=[["w1", "x"]]), ["'x' among the duplicates"]),
    "an item among the duplicates twice": (changed(duplicates=[["w1"], ["w1"]]), ["names 'w1' twice"]),
}
BAD_PAGES = {
    "unknown vertical": (
        {**PAGE, "blocks": blocks(("imgae", ["i1"]))},
        ["p.json:1", "'imgae'", "did you mean 'image'"],
    ),
    "item without judgment": (
        {**PAGE, "blocks": blocks(("image", ["i9"]))},
        ["block 1: 'i9'", "nobody judged it"],
    ),
    "item of another vertical": ({**PAGE, "blocks": blocks(("web", ["i1"]))}, ["it is one of 'image'"]),
    "block without items": ({**PAGE, "blocks": blocks(("image", []))}, ["p.json:1: block 1 has no items"]),
    "the same item twice": (
        {**PAGE, "blocks": blocks(("web", ["w1"]), ("web", ["w1"]))},
        ["block 2: item 'w1'"],
    ),
    "blocks as an object": ({**PAGE, "blocks": {"web": ["w1"]}}, ["as blocks, which is not a list"]),
    "items as a text": ({**PAGE, "blocks": [{"vertical": "web", "items": "w1"}]}, ["'w1' as items"]),
    "a block as a list": ({**PAGE, "blocks": [["web", "w1"]]}, ["as block 1, which is not an object"]),
    "a misspelt field": (
        {**PAGE, "system": "A"},
        ["has a field 'system'", "the fields are topic, run, blocks"],
    ),
    "only topics without judgments": (
        {**PAGE, "topic": "9"},
        ["run 'A' has no page for a judged topic", "'9'"],
    ),
}


def refusal(judgments: object, pages: object, metric: object = "AS_DCG", **options) -> str:
    with pytest.raises(dm.DivmetricsError) as caught:
        dm.evaluate(judgments, pages, metric, **options)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(("judgments", "facts"), BAD_JUDGMENTS.values(), ids=BAD_JUDGMENTS)
def test_bad_judgments_by_vertical_are_refused(tmp_path, judgments, facts):
    sentence = refusal(saved(tmp_path, "q.json", judgments), saved(tmp_path, "p.json", PAGE))
    assert all(fact in sentence for fact in facts), sentence


@pytest.mark.parametrize(("page", "facts"), BAD_PAGES.values(), ids=BAD_PAGES)
def test_bad_pages_are_refused(tmp_path, page, facts):
    sentence = refusal(saved(tmp_path, "q.json", YOGA), saved(tmp_path, "p.json", page))
    assert all(fact in sentence for fact in facts), sentence


def test_files_that_do_not_belong_together_are_refused(tmp_path):
    judgments, pages = saved(tmp_path, "q.json", YOGA), saved(tmp_path, "p.json", PAGE)
    run = saved(tmp_path, "run", "7 Q0 w1 1 0.5 A")
    qrels = saved(tmp_path, "qrels", "7 web w1 1", "7 image i1 1", "7 image i2 1")
    other = saved(tmp_path, "other", "7 web w1 1", "7 image w1 1")
    ad_hoc = saved(tmp_path, "ad_hoc", "7 0 w1 1")
    for twice in ([PAGE, PAGE], [[PAGE, PAGE]]):  # on two lines, and on one
        sentence = refusal(judgments, saved(tmp_path, "p.json", *twice))
        assert "is another page of run 'A' for topic 7" in sentence
    saved(tmp_path, "p.json", PAGE)
    assert "run does not; score pages and ranked lists one after the other" in refusal(
        judgments, [pages, run]
    )
    assert "q.json: holds judgments by vertical" in refusal(judgments, run)
    with pytest.raises(dm.DivmetricsError, match=r"p\.json: holds pages of blocks; expected a TREC run"):
        dm.read_run(pages)
    assert "do not say how many users want a vertical" in refusal(qrels, pages)
    assert "do not name the vertical of an item" in refusal(ad_hoc, pages)
    assert "'w1' of topic 7 is judged for the verticals 'web' and 'image'" in refusal(
        other, pages, topics={"7": {"image": 1.0}}
    )
    assert "orientation for vertical 'imgae'" in refusal(qrels, pages, topics={"7": {"imgae": 0.5}})
    assert "qrels:1: has 4 columns" in refusal(qrels, pages, topics=qrels)
    assert "no orientations for topic '7'" in refusal(qrels, pages, topics={"8": {"image": 0.5}})
    for_another = refusal(saved(tmp_path, "q.json", YOGA), pages, topics={"8": {"image": 0.5}})
    assert "q.json:1: there are no orientations for topic '7'" in for_another
    little_web = refusal(saved(tmp_path, "q.json", YOGA), pages, topics={"7": {"web": 0.5}})
    assert "q.json:1: " in little_web
    assert "0.5" in little_web
    assert "the orientations are 3, expected" in refusal(qrels, pages, topics=3)
    shares = saved(tmp_path, "shares", "7 image 0.5", "7 image 0.6")
    assert "shares:2: vertical 'image' of topic 7 has a second orientation" in refusal(
        qrels, pages, topics=shares
    )
    shares = saved(tmp_path, "shares", "7 image 80")
    assert "shares:1: vertical 'image' has the orientation 80" in refusal(qrels, pages, topics=shares)
    for twice in ([YOGA, YOGA], [[YOGA, YOGA]]):
        assert "judges topic 7 again" in refusal(saved(tmp_path, "q.json", *twice), pages)
    saved(tmp_path, "q.json", YOGA)
    assert "order is for ranked lists" in refusal(judgments, pages, order="rank")
    assert "'prec_v' is asked for twice" in refusal(judgments, pages, ["prec_v", "prec_v"])
    assert "these are ranked lists, which do not say what reading costs" in refusal(
        {"7": {"w1": {"a": 1}}}, {"A": {"7": ["w1"]}}
    )


# ------------------------------------------------------------ a folder of TREC FedWeb

JUDGED = ("7001 0 FW13-e001-7001-01 7", "7001 0 FW13-e002-7001-01 3", "7001 0 FW13-e002-7001-02 -2")
ENGINES_2013 = ("e001\tBigWeb\tno_url\tGeneral", "e002\tTube\thttp://x\tVideo,Kids")


def folder_2013(tmp_path: Path, judged=JUDGED, engines=ENGINES_2013, duplicates=(), **more: str) -> str:
    folder = tmp_path / "fw13"
    folder.mkdir(exist_ok=True)
    saved(folder, "QRELS-RM.txt", *judged)
    if engines:
        saved(folder, "engines.tsv", *engines)
    saved(folder, "duplicates.txt", *(duplicates or ("0\tFW13-e001-7001-01\tFW13-e002-7001-01",)))
    saved(folder, "topics.txt", "7001:a film", "7002:a book")
    for name, text in more.items():
        saved(folder, name, text)
    return str(folder)


def test_a_small_folder_of_2013(tmp_path):
    """Video: (.546 + 0) / 10; the first video is the web page, so that after it, it is worth nothing."""
    folder = folder_2013(tmp_path, README="nothing")
    (query,) = quietly(dm.read_queries, folder)
    assert (query.id, query.title, query.scale) == ("7001", "a film", 3)
    assert {v.id: v.orientation for v in query.verticals} == close({"web": 1.0, "Video": 0.0546})
    assert [item.grade for item, _ in query.items.values()] == [3, 2, 0]
    page = BlockPage(query, [("web", "FW13-e001-7001-01"), ("Video", "FW13-e002-7001-01")])
    assert [item.grade for block in page.blocks for item in page.items(block)] == [3, 0]
    turned = page.with_blocks(page.blocks[::-1])
    assert [item.grade for block in turned.blocks for item in turned.items(block)] == [2, 0]


def test_a_small_folder_of_2014_with_orientations(tmp_path):
    folder = tmp_path / "fw14"
    folder.mkdir()
    saved(folder, "merging-qrels.txt", "7001 0 FW14-e001-7001-01 1", "7001 0 FW14-e002-7001-01 7")
    saved(
        folder,
        "resources.txt",
        "resourceID\tname\tverticalID",
        "FW14-e001\tA\tFW14-v001",
        "FW14-e002\tB\tFW14-v007",
    )
    saved(folder, "merging-duplicates.txt", "FW14-e001-7001-01\tFW14-e002-7001-01")
    shares = saved(tmp_path, "shares", "7001 FW14-v007 0.75")
    (query,) = dm.read_queries(str(folder), shares)
    assert {v.id: v.orientation for v in query.verticals} == {"web": 1.0, "FW14-v007": 0.75}
    with pytest.raises(dm.DivmetricsError, match=r"merging-qrels\.txt: there are no orientations for topic"):
        dm.read_queries(str(folder), {"7002": {}})
    assert {item.content for item, _ in query.items.values()} == {"FW14-e001-7001-01"}


@pytest.mark.parametrize(
    ("changes", "facts"),
    [
        (
            {"judged": ("7001 0 FW13-e001-7001-01 1", "7001 0 FW13-e009-7001-01 1")},
            ["QRELS-RM.txt:2", "engine e009"],
        ),
        ({"judged": ("7001 0 FW13-e001-7001-01 5",)}, ["QRELS-RM.txt:1", "has the grade 5", "0, 1, 3, 7"]),
        (
            {"judged": ("7001 0 FW13-e001-7001-01 1", "7001 0 doc 1")},
            ["QRELS-RM.txt:2", "'doc' is not the id"],
        ),
        ({"judged": ("7001 0 FW13-e001-7001-01 1", "7001 0 x")}, ["QRELS-RM.txt:2", "has 3 columns"]),
        ({"engines": ()}, ["fw13: has no file of engines"]),
        ({"engines": ("e001\tA\tx\tGeneral", "e002")}, ["engines.tsv:2", "no engine or no vertical"]),
        (
            {"engines": (*ENGINES_2013, "e001\tA\tx\tNews")},
            ["engines.tsv:3", "e001 into 'News', after 'web'"],
        ),
        (
            {
                "duplicates": (
                    "0\tFW13-e001-7001-01\tFW13-e002-7001-01",
                    "0\tFW13-e001-7001-01\tFW13-e002-7001-02",
                )
            },
            ["duplicates.txt:2", "'FW13-e001-7001-01' is in two sets"],
        ),
        (
            {"duplicates": ("0\tFW13-e001-7001-01\tFW13-e002-7001-01", "0\tx")},
            ["duplicates.txt:2", "'x' is not the id"],
        ),
        ({"copy": "7001 0 FW13-e001-7001-01 1"}, ["looks like judgments, as", "take one of them out"]),
    ],
)
def test_bad_folders_of_fedweb_are_refused(tmp_path, changes, facts):
    folder = folder_2013(tmp_path, **changes)
    sentence = quietly(refusal, folder, saved(tmp_path, "p.json", {**PAGE, "topic": "7001"}))
    assert all(fact in sentence for fact in facts), sentence


def test_a_ranked_run_is_not_scored_on_a_folder_of_fedweb(tmp_path):
    run = saved(tmp_path, "run", "7001 Q0 FW13-e001-7001-01 1 0.5 A")
    assert "fw13: holds judgments by vertical" in refusal(folder_2013(tmp_path), run)
