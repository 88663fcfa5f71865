"""Do metrics agree with people? 500 pairs of IMine result lists, three judges each.

A question that the papers leave open, above all: do intent-square metrics agree better than their flat forms?
"""

from __future__ import annotations

from divmetrics.research.papers.preferences.claims import answer
from divmetrics.research.papers.preferences.data import PreferenceData, judged
from divmetrics.research.papers.preferences.report import PreferenceReport, report
from divmetrics.research.papers.preferences.study import Study, run_study, study

__all__ = ["PreferenceData", "PreferenceReport", "Study", "answer", "judged", "report", "run_study", "study"]
