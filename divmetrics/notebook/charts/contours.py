"""Compute contours of gamma x + (1 - gamma) y inside a window of the plane."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5, 1.0)
MOST_LINES = 8
NARROWEST = 0.1  # the narrowest window, so that a difference of 0.001 looks small

Interval = tuple[float, float]
Point = tuple[float, float]


@dataclass(frozen=True)
class Window:
    """The part of the plane in a plot, and the plot's size in pixels."""

    across: Interval
    up: Interval
    width: int
    height: int

    @classmethod
    def around(cls, points: Sequence[Point], width: int, height: int) -> Window:
        """Return a window with a margin around the points, whose axes end at round numbers."""
        across, up = (round_interval([point[axis] for point in points]) for axis in (0, 1))
        return cls(across, up, width, height)

    def pixel(self, point: Point) -> Point:
        """Return the pixel of a point, y downwards."""
        (left, right), (bottom, top) = self.across, self.up
        return (
            (point[0] - left) / (right - left) * self.width,
            (top - point[1]) / (top - bottom) * self.height,
        )

    def point(self, pixel: Point) -> Point:
        """Return the point drawn at a pixel."""
        (left, right), (bottom, top) = self.across, self.up
        return left + pixel[0] / self.width * (right - left), top - pixel[1] / self.height * (top - bottom)


@dataclass(frozen=True)
class Contour:
    """The part of a contour inside the window, from its upper left to its lower right end.

    Both ends are points (x, y) of the plane, not pixels.
    """

    gamma: float
    value: float
    start: Point
    end: Point


def contours(gamma: float, window: Window) -> list[Contour]:
    """Return the contours of gamma x + (1 - gamma) y at most eight round values, lowest first.

    `gamma` is from 0 to 1. If the values in the window span more than 8, there is one contour at most.
    """
    low = gamma * window.across[0] + (1 - gamma) * window.up[0]
    high = gamma * window.across[1] + (1 - gamma) * window.up[1]
    step = next((s for s in STEPS if (high - low) / s <= MOST_LINES), high - low)
    first = math.floor(low / step) + 1
    lines = []
    for n in range(first, first + MOST_LINES + 1):
        value = round(n * step, 6)
        ends = _ends(gamma, value, window)
        if low < value < high and ends is not None:
            lines.append(Contour(gamma, value, *ends))
    return lines


def _ends(gamma: float, value: float, window: Window) -> tuple[Point, Point] | None:
    """Return the points where gamma x + (1 - gamma) y = value enters and leaves the window, or None."""
    (x0, x1), (y0, y1) = window.across, window.up
    if gamma == 0:
        return (x0, value), (x1, value)
    if gamma == 1:
        return (value, y1), (value, y0)
    left = max(x0, (value - (1 - gamma) * y1) / gamma)
    right = min(x1, (value - (1 - gamma) * y0) / gamma)
    if left >= right:
        return None
    # With gamma close to 1 the division amplifies rounding errors.
    start, end = (min(max((value - gamma * x) / (1 - gamma), y0), y1) for x in (left, right))
    return (left, start), (right, end)


def round_interval(values: Sequence[float]) -> Interval:
    """Return a round interval around the values with a margin, within 0..1 if the values are."""
    low, high = min(values), max(values)
    room = max(0.08 * (high - low), (NARROWEST - (high - low)) / 2)
    step = next((s for s in STEPS if (high - low + 2 * room) / s <= 10), 1.0)
    floor = math.floor((low - room) / step) * step
    ceiling = math.ceil((high + room) / step) * step
    if low >= 0:
        floor = max(floor, 0.0)
    if high <= 1:
        ceiling = min(ceiling, 1.0)
    return round(floor, 6), round(ceiling, 6)
