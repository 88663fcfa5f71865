"""Files of people's preferences between runs: what separates their columns."""

from __future__ import annotations

from pathlib import Path

import pytest

from divmetrics.errors import DivmetricsError
from divmetrics.io.run_preferences import read_preferences
from tests.support.refused_files import refused, written

pytestmark = pytest.mark.filterwarnings("ignore:.*non-breaking spaces between columns")

LINES = "left right topic judge1 judge2 {}\nA B 1 2 -1 ok\nB C 1 0 1 ok\n"


@pytest.mark.parametrize("separator", ["\t", ";", ",", "|", "\u00a0", "  "])
def test_one_sign_separates_all_columns(tmp_path: Path, separator: str) -> None:
    path = written(tmp_path, LINES.format("status").replace(" ", separator))
    answers = read_preferences(path)
    assert answers["preference"].tolist() == [2, 0, -1, 1]
    assert answers["status"].tolist() == ["ok"] * 4


@pytest.mark.parametrize("name", ["a;b", "a,b", "a|b", "&amp;", "a\u00a0b"])
def test_a_name_may_hold_a_sign_that_separates_elsewhere(tmp_path: Path, name: str) -> None:
    answers = read_preferences(written(tmp_path, LINES.format(name)))
    assert answers[name].tolist() == ["ok"] * 4


def test_a_heading_without_a_needed_column(tmp_path: Path) -> None:
    path = written(tmp_path, LINES.format("status").replace("left", "lift").replace(" ", ";"))
    sentence = refused(read_preferences, path)
    assert sentence.startswith(":1: the heading has no column 'left' (did you mean 'lift'?)")
    with pytest.raises(DivmetricsError, match="names 'judge1' twice"):
        read_preferences(written(tmp_path, LINES.format("judge1")))
