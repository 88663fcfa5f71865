"""Find what flips a metric's preference: the smallest edit of two lists, or another mix of users."""

from __future__ import annotations

from divmetrics.research.counterfactual.edits import Move, Regrade
from divmetrics.research.counterfactual.flip_result import Flip, NoFlip
from divmetrics.research.counterfactual.goals import Goal, Progress
from divmetrics.research.counterfactual.search import flip
from divmetrics.research.counterfactual.user_mix import reader_mix
from divmetrics.research.counterfactual.user_mix_result import Crossing, ReaderMix, Span

__all__ = [
    "Crossing", "Flip", "Goal", "Move", "NoFlip", "Progress", "ReaderMix", "Regrade", "Span", "flip",
    "reader_mix",
]  # fmt: skip
