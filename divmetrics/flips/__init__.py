"""The smallest edit of two lists that turns what a metric prefers, and goals that ask for one."""

from __future__ import annotations

from divmetrics.flips.answers import Flip, NoFlip
from divmetrics.flips.edits import Move, Regrade
from divmetrics.flips.goals import Goal, Progress
from divmetrics.flips.search import flip

__all__ = ["Flip", "Goal", "Move", "NoFlip", "Progress", "Regrade", "flip"]
