"""With pyarrow and without, the same texts, scores and sentences."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import divmetrics as dm
from divmetrics.core import held_texts
from divmetrics.core.plain_texts import PlainTexts
from divmetrics.core.texts import Coded
from tests.support.places import ROOT

TEXTS = st.lists(st.text(st.characters(codec="utf-8"), max_size=3), max_size=8)
QRELS, RUN = ROOT / "examples" / "harry_potter.qrels", ROOT / "examples" / "mixed.run"


@pytest.fixture
def without_pyarrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(held_texts, "has_pyarrow", lambda: False)
    monkeypatch.setattr("divmetrics.readers.lines.has_pyarrow", lambda: False)


def shown(coded: list[Coded]) -> list[tuple[list[str], list[int]]]:
    return [(part.distinct.tolist(), part.codes.tolist()) for part in coded]


@given(TEXTS, TEXTS, st.lists(st.integers(0, 7), max_size=9))
def test_both_kinds_do_the_same(first: list[str], second: list[str], places: list[int]) -> None:
    from divmetrics.core.arrow_texts import ArrowTexts

    one, other = (PlainTexts.of(texts) for texts in (first, second))
    like_one, like_other = (ArrowTexts.of(texts) for texts in (first, second))
    assert one.tolist() == like_one.tolist() == first
    assert len(one) == len(like_one) == len(first)
    assert shown(one.encoded_with([other])) == shown(like_one.encoded_with([like_other]))
    known, like_known = other.encoded().distinct, like_other.encoded().distinct
    assert one.places(known).tolist() == like_one.places(like_known).tolist()
    assert one.begin_with(other) == like_one.begin_with(like_other) == (first[: len(second)] == second)
    if first:
        assert one.all_equal() == like_one.all_equal() == (len(set(first)) == 1)
    rows = np.array([place for place in places if place < len(first)], dtype=np.int64)
    assert one.take(rows).tolist() == like_one.take(rows).tolist() == [first[row] for row in rows]
    assert pickle.loads(pickle.dumps(one)).tolist() == first
    for texts in (one, like_one):
        with pytest.raises(IndexError):
            texts.take(np.array([-1]))


def test_half_a_character_is_refused_by_both() -> None:
    from divmetrics.core.arrow_texts import ArrowTexts

    for kind in (PlainTexts, ArrowTexts):
        with pytest.raises(UnicodeEncodeError):
            kind.of(["a", "\ud800"])


METRICS = ["ERR-IA@5", "D#-nDCG@5", "alpha-nDCG"]


def test_scores_do_not_need_pyarrow(monkeypatch: pytest.MonkeyPatch, without_pyarrow: None) -> None:
    scores, run, qrels = dm.evaluate(QRELS, RUN, METRICS), dm.read_run(RUN), dm.read_qrels(QRELS)
    (loaded,) = dm.load_runs([RUN], "score")
    assert isinstance(loaded.docs, Coded)
    assert isinstance(loaded.docs.distinct, PlainTexts)
    in_memory = dm.evaluate(qrels, run, METRICS)
    monkeypatch.undo()
    for found in (scores, in_memory):
        assert found.equals(dm.evaluate(QRELS, RUN, METRICS))
    assert run.equals(dm.read_run(RUN))
    assert qrels.equals(dm.read_qrels(QRELS))


@pytest.mark.parametrize(
    "text", ["1 Q0 d1 1 x tag\n", "1 Q0 d1 1 2.5\n", "1 Q0 d 1 2 t\n1 Q0 d 2 1 t\n", "\x80 Q0 d 1 2 t\n"]
)
def test_sentences_do_not_need_pyarrow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, without_pyarrow: None, text: str
) -> None:
    path = tmp_path / "run"
    path.write_text(text, encoding="latin-1")
    with pytest.raises(dm.DivmetricsError) as without:
        dm.read_run(path)
    monkeypatch.undo()
    with pytest.raises(dm.DivmetricsError) as with_it:
        dm.read_run(path)
    assert str(without.value) == str(with_it.value)
