"""What a lecturer may write into course.toml."""

from __future__ import annotations

from pathlib import Path

import pytest

import divmetrics as dm
from course.grading.course_files import HOME, settings

RIGHT = (HOME / "course.toml").read_text(encoding="utf-8")


def test_the_settings_that_are_there_can_be_used() -> None:
    assert settings(HOME / "course.toml")["assignments"] == ["ps0", "ps1", "ps2", "ps3", "ps4"]


@pytest.mark.parametrize(
    ("line", "instead", "says"),
    [
        ('term = "2026-winter"', "term = 2026-winter", "line 4.* between quotes"),
        ('term = "2026-winter"', "term = 2026-10-01", "term is 2026-10-01; expected a text"),
        ('term = "2026-winter"', "", "term is missing; expected a text"),
        ('course = "diversity"', 'course = " "', "course is  ; expected a text"),
        ("draws = 400", 'draws = "many"', "draws is 'many'; expected a whole number"),
        ("draws = 400", "draws = 0", "draws is 0; expected a whole number from 1"),
        ('"ps4"]', '"ps5"]', "'ps5'.*; expected names among ps0, ps1, ps2, ps3, ps4"),
        ('["ps0", "ps1", "ps2", "ps3", "ps4"]', '"ps1"', "assignments is 'ps1'; expected names"),
    ],
)
def test_unusable_settings_raise_one_line(tmp_path: Path, line: str, instead: str, says: str) -> None:
    assert line in RIGHT
    (tmp_path / "course.toml").write_text(RIGHT.replace(line, instead), encoding="utf-8")
    with pytest.raises(dm.DivmetricsError, match=says):
        settings(tmp_path / "course.toml")
