"""What lesson 11 says of judgments that it does not include."""

from __future__ import annotations

from pathlib import Path

import pytest

from divmetrics.research.papers.imine import imine
from divmetrics_widgets.lessons.gamma import ideals_leave_out


@pytest.mark.filterwarnings("ignore::divmetrics.DivmetricsWarning")  # probabilities that the file lacks
def test_ideal_lists_of_imine_that_leave_out_an_intent(research_files: Path) -> None:
    english = imine(research_files / "data" / "imine", "en").with_runs([])
    assert ideals_leave_out(english) == (32, 18)
    assert ideals_leave_out(english.uniform()) == (32, 14)
