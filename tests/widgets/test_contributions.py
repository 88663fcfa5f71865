"""ContributionsView: its cells are the library's and add up, and its words say their numbers."""

from __future__ import annotations

import math
import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import divmetrics as dm
from divmetrics_widgets import ContributionsView
from tests.support.reference import ADHOC, DIVERSITY, GOLD, INTENT_SQUARE
from tests.support.strategies import one_list, quick

NAMES = [*DIVERSITY, *ADHOC, *GOLD]


def harry(run="A"):
    return dm.datasets.harry_potter().list(run, "0083")


def words(view, intent, rank):
    row = next(row for row in view._picture["rows"] if row["id"] == intent)
    return row["words"][rank - 1]


@pytest.mark.parametrize("levels", [1, 2])
@quick(4)
@given(st.data())
def test_cells_are_those_of_explain_and_everything_adds_up(levels, data):
    sample = data.draw(one_list(levels=levels))
    ranked = sample.collection().list("A", sample.topics[0].id)
    assume(len(ranked))
    for name in INTENT_SQUARE if levels == 2 else NAMES:
        metric = dm.metric(name) @ 7
        picture = ContributionsView(metric, ranked)._picture
        table = dm.explain(metric, ranked)
        key = table["intent"] + ("/" + table["subtopic"] if levels == 2 else "")
        for row in picture["rows"]:
            mine = table[key == row["id"]]
            inside = mine[mine["rank"] <= len(picture["docs"])]["contribution"]
            assert row["cells"] == pytest.approx(inside.tolist())
            assert row["sum"] == pytest.approx(math.fsum(mine["contribution"]))
            assert math.fsum([*row["cells"], row["rest"]]) == pytest.approx(row["sum"])
            assert all(text for text in row["words"])
        total = math.fsum([*picture["totals"], picture["rest"]])
        assert total == pytest.approx(metric.score(ranked))
        assert picture["score"] == f"{metric.score(ranked):.4f}"


def test_a_sum_of_metrics_that_are_cut_at_different_ranks():
    """It has no cutoff of its own: ranks are shown down to the deeper one."""
    metric, ranked = dm.metric("ERR-IA@2") + dm.metric("D-nDCG@3"), harry()
    assert len(ranked) > 3
    picture = ContributionsView(metric, ranked)._picture
    assert picture["docs"] == list(ranked.docs[:3])
    assert sum(picture["totals"]) == pytest.approx(metric.score(ranked))


def test_the_second_film_page_by_hand():
    """ERR-IA of two film pages of grade 1 out of 1: 1/2 at the top, then 1/2 x 1/2 x 1/2."""
    topic = dm.Topic("7", (dm.Intent("film", 1.0),))
    ranked = dm.RankedList(topic, ["d1", "d2"], {"d1": {"film": 1}, "d2": {"film": 1}})
    view = ContributionsView("ERR-IA@5", ranked, about={"d2": "a film page"})
    assert view._picture["rows"][0]["cells"] == [0.5, 0.125]
    text = words(view, "film", 2)
    assert text.startswith("Rank 2, film: d2 (a film page) has grade 1 and is the second film document")
    assert "earns 0.1250: a quarter of what it would have earned at the top" in text
    assert "half of what it would earn here with nothing relevant above it" in text
    assert "discount 0.5 x chance to satisfy 0.5 x readers still unsatisfied 0.5" in text


@pytest.mark.parametrize("name", ["D#-nDCG@5", "P+Q@5", "ERR-IS@5", "D#-nDCG-IS@5", "RBU@15"])
def test_products_in_the_words_come_out_at_what_the_cell_earns(name):
    view = ContributionsView(name, harry())
    checked = 0
    for row in view._picture["rows"]:
        for k, value in enumerate(row["cells"]):
            sentence = words(view, row["id"], k + 1)
            if abs(value) < 1e-9:
                assert sentence.endswith("earns nothing here.")
            else:
                products = [float(text) for text in re.findall(r"(-?\d\.\d{4}) = ", sentence)]
                assert sum(products) == pytest.approx(value, abs=1.1e-4), sentence
                checked += 1
    assert checked


@pytest.mark.parametrize("name", ["D-Q@5", "D#-Q@5"])
def test_what_all_intents_share_and_their_own_come_out_at_what_the_document_earns(name):
    """The product that is shared is told with each intent that has a part of it."""
    view = ContributionsView(name, harry())
    rows = view._picture["rows"]
    checked = 0
    for k in range(len(view._picture["docs"])):
        texts = [words(view, row["id"], k + 1) for row in rows]
        shares = {text for each in texts for text in re.findall(r"share (\d\.\d{4}) = ", each)}
        if not shares:
            assert sum(row["cells"][k] for row in rows) == 0
            continue
        (share,) = shares
        own = [float(text) for each in texts for text in re.findall(r": (\d\.\d{4}) = ", each)]
        earned = sum(row["cells"][k] for row in rows)
        assert float(share) + sum(own) == pytest.approx(earned, abs=5e-5 * (1 + len(own))), texts
        checked += 1
    assert checked


def test_effort_below_the_end_has_its_own_column():
    view = ContributionsView("RBU@15", harry())
    assert view._picture["after"] == "below the end"
    assert view._picture["rest"] < 0
    assert "below the end" in view.static_html()


def test_selected_and_metric_can_be_observed_and_set():
    view = ContributionsView("ERR-IA@5", harry(), metrics=["D#-nDCG@5", "ERR-IS@5"])
    seen = []
    view.observe(lambda change: seen.append(change["new"]), "selected")
    view.selected = ["film", 3]
    assert seen == [["film", 3]]
    view.metric = "D#-nDCG@5"
    assert view.selected == ["film", 3]
    assert view._picture["score"] == f"{dm.metric('D#-nDCG@5').score(harry()):.4f}"
    view.metric = "ERR-IS@5"
    assert view.selected[0].startswith("film/")
    assert f"{dm.metric('ERR-IS@5').score(harry()):.4f}" in view.static_html()


def test_bad_input_raises_one_sentence():
    topic = dm.Topic("7", (dm.Intent("t", 1.0),))
    flat = dm.RankedList(topic, ["d1"], {"d1": {"t": 1}})
    view = ContributionsView("ERR-IA@5", flat, metrics=["ERR-IS@5"])
    with pytest.raises(dm.DivmetricsError, match="second-level"):
        view.metric = "ERR-IS@5"
    assert (str(view.metric), view._picture["metric"]) == ("ERR-IA@5", "ERR-IA@5")
    with pytest.raises(dm.DivmetricsError, match="not among the metrics"):
        view.metric = "RBP-IA@5"
    with pytest.raises(dm.DivmetricsError, match="expected one of the intents t and a rank from 1 to 1"):
        view.selected = ["t", 2]
    with pytest.raises(dm.DivmetricsError, match="is empty"):
        ContributionsView("ERR-IA@5", flat.reordered([]))
    with pytest.raises(dm.DivmetricsError, match="ERR-IX"):
        ContributionsView("ERR-IX@5", flat)
    with pytest.raises(dm.DivmetricsError, match="expected a RankedList"):
        ContributionsView("ERR-IA@5", ["d1"])


def test_names_are_escaped_in_html():
    topic = dm.Topic("7", (dm.Intent("<i>t", 1.0),))
    ranked = dm.RankedList(topic, ["<img src=x>"], {"<img src=x>": {"<i>t": 1}})
    page = ContributionsView("ERR-IA@5", ranked).static_html()
    assert "<img" not in page
    assert "<i>" not in page
