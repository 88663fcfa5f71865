"""Find two lists of one topic on which two metrics disagree, and explain why each prefers its own."""

from __future__ import annotations

from divmetrics.research.disagreements.disagreement import Agreement, Disagreement, SearchedLists
from divmetrics.research.disagreements.search import disagree

__all__ = ["Agreement", "Disagreement", "SearchedLists", "disagree"]
