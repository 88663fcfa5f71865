"""A column of numbers is read as each of them is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from divmetrics.io.number_parsing import integer, integers, number, numbers
from divmetrics.io.string_column import StringColumn

DIGITS = st.text("0123456789", max_size=18)
ENDS = st.sampled_from(["", "", "e-3", "E400"])
SIGNS = st.sampled_from(["", "-", "+"])
WRITTEN = st.tuples(
    SIGNS, DIGITS, st.sampled_from(["", "."]), DIGITS, st.sampled_from(["", "", "e-3", "E400"])
)
FLOATS = st.floats(allow_nan=False, allow_infinity=False)
ROUNDED = st.tuples(FLOATS, st.integers(0, 12)).map(lambda pair: f"{pair[0] % 1000:.{pair[1]}f}")
ODD = st.sampled_from(
    ["nan", "1_0", "0x10", "--1", "1-", ".", "-", "1.2.3", "/5", ":5", "1 2", "\u0663", "9" * 400]
)
NUMERALS = st.one_of(WRITTEN.map("".join), ROUNDED, FLOATS.map(repr), ODD).filter(bool)


@pytest.mark.parametrize(("together", "alone"), [(numbers, number), (integers, integer)])
def test_together_as_alone(
    together: Callable[[StringColumn], np.ndarray], alone: Callable[[bytes], Any]
) -> None:
    @given(st.lists(NUMERALS, max_size=6), st.integers(1, 3))
    def compared(written: list[str], times: int) -> None:
        column = StringColumn.of(written * times)
        try:
            expected = [alone(text.encode()) for text in written * times]
        except ValueError:
            with pytest.raises(ValueError):  # noqa: PT011 - it says nothing; what is told follows later
                together(column)
            return
        parsed = together(column)
        assert parsed.tobytes() == np.array(expected, dtype=parsed.dtype).tobytes()  # the sign of -0.0, too

    compared()


def test_what_files_hold_is_read_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise nothing would fail if all were read one by one."""
    monkeypatch.setattr("divmetrics.io.number_parsing.number", None)
    monkeypatch.setattr("divmetrics.io.number_parsing.integer", None)
    scores = ["999.612056", "-7.5", "3", ".25", "-0.00001234567890", "1234567.12345678"]
    assert numbers(StringColumn.of(scores)).tolist() == list(map(float, scores))
    assert integers(StringColumn.of(["0", "007", "1234567890123456"])).tolist() == [0, 7, 1234567890123456]
