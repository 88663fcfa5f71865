"""The widgets of divmetrics: editable ranked lists, judgments and metrics."""

from __future__ import annotations

from divmetrics import __version__
from divmetrics.optional import import_optional

for package in ("anywidget", "ipywidgets"):
    import_optional(package, "divmetrics_widgets")

# isort: split
from divmetrics_widgets.check import Check
from divmetrics_widgets.composer import MetricComposer
from divmetrics_widgets.contributions import ContributionsView
from divmetrics_widgets.finder import DisagreementFinder
from divmetrics_widgets.handing_in import hand_in
from divmetrics_widgets.hierarchy import HierarchyLab
from divmetrics_widgets.judge import PreferenceJudge
from divmetrics_widgets.lab import RankedListLab
from divmetrics_widgets.predict import Predict
from divmetrics_widgets.solution import Solution
from divmetrics_widgets.walk import ReaderWalk

__all__ = [
    "Check", "ContributionsView", "DisagreementFinder", "HierarchyLab", "MetricComposer", "Predict",
    "PreferenceJudge", "RankedListLab", "ReaderWalk", "Solution", "__version__", "hand_in",
]  # fmt: skip
