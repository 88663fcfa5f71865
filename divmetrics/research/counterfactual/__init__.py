"""What flips a metric's preference: the smallest edit, goals that ask for one, another mix of readers."""

from __future__ import annotations

from divmetrics.research.counterfactual.answers import Flip, NoFlip
from divmetrics.research.counterfactual.edits import Move, Regrade
from divmetrics.research.counterfactual.goals import Goal, Progress
from divmetrics.research.counterfactual.mix import reader_mix
from divmetrics.research.counterfactual.mix_spans import Crossing, ReaderMix, Span
from divmetrics.research.counterfactual.search import flip

__all__ = [
    "Crossing", "Flip", "Goal", "Move", "NoFlip", "Progress", "ReaderMix", "Regrade", "Span", "flip",
    "reader_mix",
]  # fmt: skip
