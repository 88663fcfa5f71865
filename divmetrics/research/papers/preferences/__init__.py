"""Test whether metrics agree with people: 500 pairs of IMine result lists, three judges each.

The papers leave this open, above all whether intent-square metrics agree better than their flat forms.
"""

from __future__ import annotations

from divmetrics.research.papers.preferences.claims import answer
from divmetrics.research.papers.preferences.data import PreferenceData, load_preference_data
from divmetrics.research.papers.preferences.report import PreferenceReport, report
from divmetrics.research.papers.preferences.study import Study, run_study, study

__all__ = [
    "PreferenceData",
    "PreferenceReport",
    "Study",
    "answer",
    "load_preference_data",
    "report",
    "run_study",
    "study",
]
