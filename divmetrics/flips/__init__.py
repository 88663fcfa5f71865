"""What flips a metric's preference: the smallest edit, goals that ask for one, another mix of readers."""

from __future__ import annotations

from divmetrics.flips.answers import Flip, NoFlip
from divmetrics.flips.edits import Move, Regrade
from divmetrics.flips.goals import Goal, Progress
from divmetrics.flips.mix import reader_mix
from divmetrics.flips.mix_spans import Crossing, ReaderMix, Span
from divmetrics.flips.search import flip

__all__ = [
    "Crossing", "Flip", "Goal", "Move", "NoFlip", "Progress", "ReaderMix", "Regrade", "Span", "flip",
    "reader_mix",
]  # fmt: skip
