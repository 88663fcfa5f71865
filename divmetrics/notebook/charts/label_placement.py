"""Names beside points without overlaps, as far as there is room."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from divmetrics.notebook.charts.contours import Point
from divmetrics.notebook.charts.text_width import text_width

Candidate = tuple[float, "Box", list["Box"]]  # distance, place, the line that leads there

# Right of the point first, then where eyes look next; (-1, 0, 1) for left/middle/right and up/middle/down.
DIRECTIONS = ((1, 0), (-1, 0), (1, -1), (1, 1), (-1, -1), (-1, 1), (0, -1), (0, 1))
DISTANCES = (3, 12, 22)  # from a point's rim, in pixels; a name further than the first gets a line
AMBIGUOUS = 14  # pixels between a name and another point that make one wonder whose name it is


@dataclass(frozen=True)
class Box:
    """A rectangle in pixels, y downwards."""

    left: float
    top: float
    right: float
    bottom: float

    @classmethod
    def around(cls, point: Point, radius: float) -> Box:
        """The square around a point."""
        return cls(point[0] - radius, point[1] - radius, point[0] + radius, point[1] + radius)

    def grown(self, by: float) -> Box:
        """The same with a margin."""
        return Box(self.left - by, self.top - by, self.right + by, self.bottom + by)

    def overlaps(self, other: Box) -> bool:
        """Do the two share any area?"""
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )

    def within(self, width: float, height: float) -> bool:
        """Is it inside a frame of this size?"""
        return self.left >= 0 and self.top >= 0 and self.right <= width and self.bottom <= height

    def nearest(self, point: Point) -> Point:
        """The point of the box that is nearest to another."""
        return (min(max(point[0], self.left), self.right), min(max(point[1], self.top), self.bottom))


def apart(heights: Sequence[float], gap: float, top: float, bottom: float) -> list[float]:
    """The heights, in pixels, with at least this gap between them, moved no further than it takes.

    They keep their order, and stay between top and bottom where there is room for all.
    """
    groups: list[list[int]] = []
    for n in sorted(range(len(heights)), key=lambda n: heights[n]):
        groups.append([n])
        # Who stands too near to the group above joins it; a group stands around its mean.
        while len(groups) > 1 and _first(groups[-1], heights, gap, top, bottom) < gap + _last(
            groups[-2], heights, gap, top, bottom
        ):
            below = groups.pop()
            groups[-1] += below
    placed = {
        n: _first(group, heights, gap, top, bottom) + gap * place
        for group in groups
        for place, n in enumerate(group)
    }
    return [placed[n] for n in range(len(heights))]


def _first(group: Sequence[int], heights: Sequence[float], gap: float, top: float, bottom: float) -> float:
    """How high the uppermost of a group stands."""
    high = gap * (len(group) - 1)
    mean = sum(heights[n] for n in group) / len(group)
    return max(min(mean - high / 2, bottom - high), top)


def _last(group: Sequence[int], heights: Sequence[float], gap: float, top: float, bottom: float) -> float:
    return _first(group, heights, gap, top, bottom) + gap * (len(group) - 1)


def place_labels(
    names: Sequence[str],
    points: Sequence[Point],
    frame: tuple[float, float],
    radius: float,
    font: float,
    taken: Sequence[Box] = (),
) -> list[Box | None]:
    """A box for each name beside its point, or None where there is no room.

    Boxes lie in the frame (width, height) and overlap neither points nor each other nor what is `taken`. The
    most crowded points choose first: the nearest free places, of these the one with fewest points around it.
    """
    dots = [Box.around(point, radius) for point in points]
    occupied = list(taken)
    placed: list[Box | None] = [None] * len(names)
    crowd = [sum(math.dist(point, other) < 60 for other in points) for point in points]
    for n in sorted(range(len(names)), key=lambda n: (-crowd[n], points[n], names[n])):
        others = [dot for m, dot in enumerate(dots) if m != n]
        free = [
            (distance, sum(box.grown(AMBIGUOUS).overlaps(dot) for dot in others), box, wire)
            for distance, box, wire in _candidates(points[n], text_width(names[n], font), font, radius)
            if box.within(*frame)
            and not any(part.overlaps(other) for part in (box, *wire) for other in (*others, *occupied))
        ]
        if free:
            _, _, box, wire = min(free, key=lambda candidate: candidate[:2])
            placed[n] = box
            occupied += [box, *wire]
    return placed


def _candidates(point: Point, width: float, height: float, radius: float) -> Iterator[Candidate]:
    """Boxes around a point, each with its distance and its line as a string of small boxes."""
    for distance in DISTANCES:
        for across, down in DIRECTIONS:
            reach = (radius + distance) * (0.75 if across and down else 1)
            left = point[0] + across * reach - (0 if across > 0 else width if across < 0 else width / 2)
            middle = point[1] + down * (reach + height / 2)
            box = Box(left, middle - height / 2, left + width, middle + height / 2)
            wire = []
            if distance > DISTANCES[0]:
                tip = box.nearest(point)
                for step in range(1, 6):
                    share = step / 6
                    on_line = (point[0] + (tip[0] - point[0]) * share, point[1] + (tip[1] - point[1]) * share)
                    wire.append(Box.around(on_line, 1))
            yield distance, box, wire
