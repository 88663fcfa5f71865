"""ReaderWalk: what it sends to a browser and shows without one are the library's numbers."""

from __future__ import annotations

import math
import re
from base64 import b64decode
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

import divmetrics as dm
from divmetrics import aggregated
from divmetrics.conventions.convention import conventions
from divmetrics.explanations.user_model_texts import describe_users
from divmetrics.render.tables import format_score
from divmetrics_widgets import RankedListLab, ReaderWalk
from divmetrics_widgets.walk_still import thumbnail
from divmetrics_widgets.walking import DEEPEST, walk_to_json
from tests.support.reference import INTENT_SQUARE
from tests.support.strategies import one_list, quick

NAMES = list(conventions()["paper"].rows)


def harry(run: str = "A") -> dm.RankedList:
    return dm.datasets.harry_potter().list(run, "0083")


@pytest.mark.parametrize("levels", [1, 2])
@quick(6)
@given(st.data())
def test_what_a_browser_gets_adds_up(levels: int, data: st.DataObject) -> None:
    sample = data.draw(one_list(levels=levels))
    ranked = sample.collection().list("A", sample.topics[0].id)
    for name in INTENT_SQUARE if levels == 2 else NAMES:
        metric = dm.metric(name) @ 7
        walk = walk_to_json(metric, ranked, {})
        ranks = walk["ranks"]
        score = metric.score(ranked)
        held = [math.fsum(row[k] for row in walk["filled"]) - walk["costs"][k] for k in range(ranks)]
        assert math.fsum(held) == pytest.approx(score)
        assert walk["totals"][-1] == pytest.approx(score)
        texts = [float(text) for text in walk["baskets"]]
        assert texts == pytest.approx(held, abs=0.5e-4 + 1e-9)
        assert len(walk["words"]) == len(walk["running"]) == ranks + 1
        for track in walk["tracks"]:
            groups = len(track["groups"])
            for key in ("here", "interest", "counted", "labels"):
                assert [len(row) for row in track[key]] == [ranks + 1] * groups
            for key in ("earned", "satisfied", "gains"):
                assert [len(row) for row in track[key]] == [ranks] * groups
            assert len(track["state"]) == ranks + 1
            assert all(text for row in track["labels"] for text in row)


def test_a_long_list_is_walked_down_to_the_twentieth_rank() -> None:
    topic = dm.Topic("7", (dm.Intent("t", 1.0),))
    docs = [f"d{k}" for k in range(30)]
    ranked = dm.RankedList(topic, docs, {doc: {"t": 1} for doc in docs})
    view = ReaderWalk("P-IA@30", ranked)
    picture = view._picture
    assert picture["ranks"] == DEEPEST
    assert picture["running"][-1] == "0.6667"
    assert "The 10 ranks below add 0.3333. The baskets add up to P-IA@30 = 1.0000." in picture["words"][-1]


def test_rank_and_metric_can_be_observed_and_set() -> None:
    view = ReaderWalk("ERR-IA@5", harry(), metrics=["D#-nDCG@3"])
    seen = []
    view.observe(lambda change: seen.append(change["new"]), "rank")
    view.rank = 5
    view.metric = "D#-nDCG@3"
    assert seen == [5, 3]  # which has three ranks
    assert view._picture["score"] == f"{dm.metric('D#-nDCG@3').score(harry()):.4f}"
    with pytest.raises(dm.DivmetricsError, match="rank is 4, expected a whole number from 0 to 3"):
        view.rank = 4
    with pytest.raises(dm.DivmetricsError, match="not among the metrics"):
        view.metric = "RBP-IA@5"


def test_bad_input_raises_one_sentence() -> None:
    with pytest.raises(dm.DivmetricsError, match="is empty"):
        ReaderWalk("ERR-IA@5", harry().reordered([]))
    with pytest.raises(dm.DivmetricsError, match="ERR-IX"):
        ReaderWalk("ERR-IX@5", harry())
    with pytest.raises(dm.DivmetricsError, match="expected a RankedList"):
        ReaderWalk("ERR-IA@5", ["d1"])  # type: ignore[arg-type]


def drawing(page: str) -> tuple[ElementTree.Element, str]:
    """The picture of a still form, and the words in its place."""
    match = re.search('<img src="data:image/svg\\+xml;base64,([^"]*)" alt="([^"]*)"', page)
    assert match
    return ElementTree.fromstring(b64decode(match[1])), match[2]


@pytest.mark.parametrize("name", ["ERR-IA@5", "S-recall@5", "D#-nDCG@5", "alpha-nDCG@5", "RBU@9", "ERR-IS@5"])
def test_the_still_form_is_a_picture_and_a_table(name: str) -> None:
    view = ReaderWalk(name, harry("C"))
    page = view.static_html()
    score = f"{dm.metric(name).score(harry('C')):.4f}"
    drawn, still_text = drawing(page)
    assert f"= {score}" in still_text
    texts = [element.text for element in drawn.iter() if element.text]
    assert f"sum {score}" in texts
    assert set(view._picture["baskets"]) <= set(texts)
    assert page.count("<tr>") == view._picture["ranks"] + 2
    text = view.static_text()
    assert score in text
    assert describe_users(dm.metric(name)) in text
    assert all(words in text for words in view._picture["words"])


def test_a_bar_of_the_still_picture_is_as_long_as_its_number_says() -> None:
    view = ReaderWalk("ERR-IA@5", harry("D"))
    drawn, _ = drawing(view.static_html())
    bars = [
        (float(bar.get("x", 0)), float(bar.get("width", 0)), bar.get("y"))
        for bar in drawn.iter("{http://www.w3.org/2000/svg}rect")
    ]
    rows = sorted({y for _, _, y in bars if y}, key=float)
    table = dm.explain("ERR-IA@5", harry("D"), factors=True)
    here = table.groupby("rank")["still reading"].sum()
    lengths = [sum(w for x, w, y in bars if y == row and x < 425) for row in rows[:5]]
    assert lengths == pytest.approx([lengths[0] * here[k] / here[1] for k in range(1, 6)], abs=0.05)
    held = table.groupby("rank")["contribution"].sum()
    baskets = [sum(w for x, w, y in bars if y == row and x >= 425) for row in rows[:5]]
    assert baskets == pytest.approx([baskets[0] * held[k] / held[1] for k in range(1, 6)], abs=0.05)


def test_a_thumbnail_is_the_same_picture_without_its_words() -> None:
    view = ReaderWalk("ERR-IA@5", harry("D"))
    large, _ = drawing(view.static_html())
    small, words = drawing(thumbnail(view._picture))
    assert words == "ERR-IA@5, rank by rank: " + " ".join(view._picture["baskets"]) + "; together 0.4646."
    assert float(small.get("width", 0)) < 250
    texts = {element.text for element in small.iter() if element.text}
    assert {"1", "2", "3", "4", "5"} <= texts
    assert not any(letter.isalpha() for text in texts for letter in text)
    bars = [
        [
            (bar.get("fill"), float(bar.get("width", 0)))
            for bar in drawn.iter("{http://www.w3.org/2000/svg}rect")
        ]
        for drawn in (large, small)
    ]
    of_ranks = [bar for bar in bars[0] if bar[0]][: len(bars[1])]  # those after the last rank come last
    assert [colour for colour, _ in of_ranks] == [colour for colour, _ in bars[1]]


def test_names_are_escaped_in_html() -> None:
    topic = dm.Topic("7", (dm.Intent("<i>t", 1.0),))
    ranked = dm.RankedList(topic, ["<img src=x>"], {"<img src=x>": {"<i>t": 1}})
    page = ReaderWalk("ERR-IA@5", ranked).static_html()
    assert "<img src=x" not in page
    assert "<i>" not in page
    drawn, _ = drawing(page)
    assert {element.tag.partition("}")[2] for element in drawn.iter()} <= {
        "svg",
        "g",
        "rect",
        "text",
        "title",
        "path",
    }


def test_a_page_of_blocks_is_walked_block_by_block() -> None:
    queries = dm.datasets.aggregated_search(2, seed=3)
    for page in dm.datasets.simulated_pages(queries)[:12]:
        for name in ("AS_DCG@10", "AS_RBP(phi=0.6)@4", "AS_ERR"):
            view = ReaderWalk(name, page)
            contributions = aggregated.explain_page(name, page)
            walk = view._picture
            score = aggregated.score_pages([page], [name])["score"][0]
            assert walk["totals"][-1] == pytest.approx(score)
            assert walk["baskets"] == [*map(format_score, contributions["contribution"])]
            assert [effort for _, effort in walk["tracks"][0]["blocks"]] == contributions["effort"].tolist()
            drawn, _ = drawing(view.static_html())
            assert f"sum {score:.4f}" in [element.text for element in drawn.iter()]
    with pytest.raises(dm.DivmetricsError, match="does not weigh gain against effort"):
        ReaderWalk("ERR-IA@5", page)
    with pytest.raises(dm.DivmetricsError, match="has no blocks"):
        ReaderWalk("AS_DCG", page.with_blocks([]))


def test_a_lab_walks_the_list_in_hand() -> None:
    lab = RankedListLab(metrics=["ERR-IA@5"])
    assert "walk" not in lab._results
    lab.set_state({"_walk": "B"})
    lab.b = ["d7", "d1"]
    walk = lab._results["walk"]
    assert (walk["list"], walk["score"]) == ("B", f"{dm.metric('ERR-IA@5').score(lab.b):.4f}")
    assert [doc["id"] for doc in walk["docs"]] == ["d7", "d1"]
    lab.b = []
    assert lab._results["walk"]["ranks"] == 0
    lab.set_state({"_walk": "C"})
    assert "expected one of" in lab._problem
