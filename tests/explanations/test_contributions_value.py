"""The value that every explanation shows: its rows, what they sum to, and what it leaves out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import divmetrics as dm
from divmetrics.core.batch import batch_lists
from divmetrics.explanations.contributions import Contributions
from divmetrics.notebook.magics.explain_magic import Explanation
from tests.support.strategies import one_list, quick

FILM = dm.Intent(
    "film", 0.6, children=(dm.Intent("watch", 0.5, label="where to see it"), dm.Intent("cast", 0.5))
)
BOOK = dm.Intent("book", 0.4, label="the novel")
JUDGED = {"d1": {("film", "cast"): 2, "book": 1}, "d2": {("film", "watch"): 1}, "d3": {"book": 2}}
RANKED = dm.RankedList(dm.Topic("7", (FILM, BOOK)), ["d3", "d1", "d2"], JUDGED)


def test_rows_are_what_earns():
    """Intents, or second-level subtopics; an intent without any stands for itself."""
    flat = Contributions.of_list(dm.metric("ERR-IA@3"), RANKED)
    assert [(row.name, row.subtopic, row.label) for row in flat.rows] == [
        ("film", "", ""),
        ("book", "", "the novel"),
    ]
    square = Contributions.of_list(dm.metric("ERR-IS(leaf=self)@3"), RANKED)
    assert [(row.name, row.subtopic, row.label) for row in square.rows] == [
        ("film/watch", "watch", "where to see it"),
        ("film/cast", "cast", ""),
        ("book", "book", "the novel"),
    ]
    assert square.grades.tolist() == [[0, 0, 1], [0, 2, 0], [2, 1, 0]]
    assert square.by_intent == pytest.approx(np.array([square.values[:2].sum(axis=0), square.values[2]]))


def test_subtopic_with_the_id_of_its_intent_is_distinguished():
    """As in the IMine files, where the first subtopic of intent 1 is called 1, too."""
    one = dm.Intent("1", 1.0, children=(dm.Intent("1", 0.5), dm.Intent("2", 0.5)))
    ranked = dm.RankedList(dm.Topic("7", (one,)), ["d1"], {"d1": {("1", "1"): 1}})
    lines = repr(Explanation.of(dm.metric("ERR-IS@3"), "A", ranked)).splitlines()
    assert [line.split()[1] for line in lines if line.startswith("●")] == ["1/1", "1/2"]


@pytest.mark.parametrize(
    "name", ["ERR-IA@3", "RBU@7", "D#-nDCG@2", "ERR-IS(leaf=self)@3", "RBU-IS(leaf=self)@7"]
)
@quick(8)
@given(data=st.data())
def test_cells_sum_to_the_score(name, data):
    """Whatever way they are added up, and in as few columns as one likes."""
    metric, sample = dm.metric(name), data.draw(one_list(levels=2))
    ranked = sample.collection().list("A", sample.topics[0].id)
    earned = Contributions.of_list(metric, ranked)
    assert earned.score == metric.score(ranked)
    assert earned.values.shape == earned.grades.shape == (len(earned.rows), earned.values.shape[1])
    for most in (1, 2, 20):
        folded = earned.fold_values(most)
        assert folded.shape[1] == min(most, earned.values.shape[1])
        assert folded.sum() == pytest.approx(earned.score, abs=1e-12)
    of_intents = metric.contributions(batch_lists([ranked]))[0, 0]
    assert np.array_equal(earned.by_intent, of_intents[:, : earned.values.shape[1]])


def test_lists_of_one_view_end_where_they_end():
    """A shorter list has fewer ranks; a cost below its end is kept, with no document and grade 0."""
    other = RANKED.reordered(["d3"])
    view = batch_lists([RANKED, other])
    lists = [RANKED.docs, other.docs]
    _, short = Contributions.of(dm.metric("ERR-IA@3"), view, RANKED.topic, lists)
    assert short.values.shape == (2, 1)
    _, charged = Contributions.of(dm.metric("RBU@4"), view, RANKED.topic, lists)
    assert charged.values.shape == (2, 4)
    assert (charged.values[:, 1:] < 0).all()
    assert charged.grades.tolist() == [[0, 0, 0, 0], [2, 0, 0, 0]]
    assert [charged.doc(k) for k in range(4)] == ["d3", "", "", ""]


def test_views_do_not_share_caches():
    """What was worked out on one View is not another's, however it was made from it."""
    view = batch_lists([RANKED])
    assert view.memoize("sum", lambda: float(view.probability.sum())) == 1.0
    for other in (
        replace(view, probability=2 * view.probability),
        view.map_gains(np.copy, probability=2 * view.probability),
    ):
        assert other.memoize("sum", lambda other=other: float(other.probability.sum())) == 2.0
