"""Which mark stands for which intent: its own, or that of its place, and no two alike."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import divmetrics as dm
from divmetrics.core.judgments import Judgments
from divmetrics.core.runs import RankedList
from divmetrics.core.topics import Intent, Topic
from divmetrics.notebook.textformat.cell_parsers import read_intents
from divmetrics.notebook.textformat.marks import SHAPES, assign_marks, own_marks


def intents(*marks: str | None) -> list[Intent]:
    return [Intent(f"i{place}", 1 / len(marks), mark=mark) for place, mark in enumerate(marks)]


given_marks = st.integers(1, 14).flatmap(
    lambda count: st.tuples(
        st.permutations([*SHAPES, *[None] * count]).map(lambda marks: marks[:count]), st.just(count)
    )
)


@given(given_marks)
def test_no_two_intents_look_alike(drawn: tuple[list[str | None], int]) -> None:
    marks, count = drawn
    marks_by_intent = assign_marks(intents(*marks))
    assert len(set(marks_by_intent.values())) == count
    for place, mark in enumerate(marks):
        if mark is not None:
            assert SHAPES[marks_by_intent[f"i{place}"]] == mark
        elif place >= len(SHAPES) or SHAPES[place] not in marks:
            assert marks_by_intent[f"i{place}"] == place
    # What is kept of it gives the same marks again, and names none that needs no name.
    declared = own_marks(intents(*marks))
    assert assign_marks(intents(*declared)) == marks_by_intent
    assert not any(mark == own for mark, own in zip(declared, SHAPES, strict=False))


def test_across_topics_the_same_id_has_the_same_mark() -> None:
    one = [Intent("film", 0.5), Intent("book", 0.5)]
    other = [Intent("book", 0.5), Intent("games", 0.5, mark="circle")]
    marks_by_topic = assign_marks([*one, *other])
    assert marks_by_topic == {
        "film": 2,
        "book": 1,
        "games": 0,
    }  # games was given the circle, film takes what is free


def test_marks_are_checked_in_one_sentence() -> None:
    with pytest.raises(
        dm.DivmetricsError, match=r"mark is 'sqare' \(did you mean 'square'\?\); expected None"
    ):
        assign_marks([Intent("film", 1.0, mark="sqare")])
    with pytest.raises(
        dm.DivmetricsError, match="the mark 'star' stands for 'i0' and 'i2'; give each its own"
    ):
        Topic("t", tuple(intents("star", None, "star")))


def test_marks_do_not_affect_equality_and_are_copied() -> None:
    plain, marked = (Topic("t", tuple(intents(*marks))) for marks in ([None, None], ["plus", "star"]))
    assert plain == marked
    pool = Judgments.of(plain, {"d": {"i0": 1}})
    assert pool.with_topic(plain) is pool
    for topic in (RankedList(marked, ["d"], pool).judgments.topic, marked.uniform()):
        assert [t.mark for t in topic.intents] == ["plus", "star"]


def test_a_cell_of_intents_may_name_marks() -> None:
    intents_read = read_intents('film .5 nav star "the film"\nbook .3 cross\nstar .2').intents
    assert [(t.id, t.kind, t.mark) for t in intents_read] == [
        ("film", "navigational", "star"), ("book", "informational", "cross"), ("star", "informational", None),
    ]  # fmt: skip
    with pytest.raises(dm.DivmetricsError, match=r"'scross' is not expected \(did you mean 'cross'\?\)"):
        read_intents("film .5 scross\nbook .5")
    with pytest.raises(dm.DivmetricsError, match="a second-level subtopic has no kind and no mark"):
        read_intents("film 1\n  cast 1 star")
