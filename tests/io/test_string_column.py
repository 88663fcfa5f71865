"""A column of texts does what a list of strings does."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from divmetrics.io import string_column
from divmetrics.io.shared_ids import in_one_dictionary
from divmetrics.io.string_column import StringColumn

LONG = st.text(st.characters(codec="utf-8"), max_size=12).map(lambda text: text * 9)
TEXTS = st.lists(st.text("a\0é", max_size=3) | st.text(st.characters(codec="utf-8")) | LONG, max_size=8)


@pytest.fixture(params=["as they are", "all the same"])
def fingerprints(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """StringColumn are compared, whatever their fingerprints."""
    if request.param == "all the same":
        same = property(lambda column: np.zeros(len(column), dtype=np.uint64))
        monkeypatch.setattr(StringColumn, "fingerprints", same)


@pytest.mark.usefixtures("fingerprints")
def test_texts_are_found_among_others() -> None:
    @given(TEXTS, TEXTS)
    def searched(first: list[str], second: list[str]) -> None:
        one, other = StringColumn.of(first), StringColumn.of(second)
        assert one.tolist() == first
        coded = in_one_dictionary([one.encode(), other.encode()])
        distinct = list(dict.fromkeys(first + second))
        assert [part.distinct.tolist() for part in coded] == [distinct] * 2
        assert [list(part) for part in coded] == [first, second]
        values = other.encode().distinct
        assert values.tolist() == list(dict.fromkeys(second))
        places = [values.tolist().index(text) if text in second else -1 for text in first]
        assert one.positions_in(values).tolist() == [*places, -1]
        assert one.encode_as(values).codes.tolist() == places

    searched()


@given(TEXTS.filter(bool), st.data())
def test_rows_can_be_taken(held: list[str], data: st.DataObject) -> None:
    column = StringColumn.of(held)
    rows = data.draw(st.lists(st.integers(0, len(held) - 1)))
    taken = column.take(np.array(rows, dtype=np.int64))
    for part in (taken, taken.with_own_buffer(), pickle.loads(pickle.dumps(taken))):
        assert part.tolist() == [held[row] for row in rows]
        assert (len(set(part.tolist())) == 1) == (len(part) > 0 and part.all_equal())
        assert part.fingerprints.tolist() == [column.fingerprints[row] for row in rows]
        alone = [StringColumn.of([text]).fingerprints[0] for text in part.tolist()]
        assert alone == part.fingerprints.tolist()
    pairs = [(a, b) for a in range(len(held)) for b in range(len(held))]
    sides = (column.take(np.array(side)) for side in zip(*pairs, strict=True))
    assert next(sides).equal(next(sides)).tolist() == [held[a] == held[b] for a, b in pairs]
    with pytest.raises(IndexError):
        column.take(np.array([-1]))


def test_own_bytes_are_copied_in_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(string_column, "BATCH", 2)
    taken = StringColumn.of(["one", "", "two", "three", "four"]).take(np.array([4, 1, 3, 3, 0]))
    assert taken.with_own_buffer().tolist() == ["four", "", "three", "three", "one"]


def test_other_texts_have_other_fingerprints() -> None:
    """Else every list would be looked through twice."""
    starts = ("", "d", "clueweb12-0000tw-13-", "msmarco_v2.1_doc_", "a" * 100)
    ids = [f"{start}{i}{end}" for start in starts for i in range(3000) for end in ("", "b" * 70)]
    assert len(set(StringColumn.of(ids).fingerprints.tolist())) == len(ids)


def test_half_a_character_is_refused() -> None:
    with pytest.raises(UnicodeEncodeError):
        StringColumn.of(["a", "\ud800"])


@given(TEXTS)
def test_texts_sort_as_strings_do(texts: list[str]) -> None:
    order = StringColumn.of(texts).alphabetical().tolist()
    assert order == sorted(range(len(texts)), key=texts.__getitem__)
