"""Place names beside points without overlaps, as far as there is room."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from divmetrics.notebook.charts.contours import Point
from divmetrics.notebook.charts.text_width import text_width

Candidate = tuple[float, "Box", list["Box"]]  # distance, box of the name, boxes along its leader line

# In order of preference; (-1, 0, 1) for left/middle/right and up/middle/down.
DIRECTIONS = ((1, 0), (-1, 0), (1, -1), (1, 1), (-1, -1), (-1, 1), (0, -1), (0, 1))
DISTANCES = (3, 12, 22)  # pixels from a point's edge; beyond the first, a name gets a leader line
AMBIGUOUS = 14  # pixels: nearer than this to another point, a name could be taken for that point's


@dataclass(frozen=True)
class Box:
    """A rectangle in pixels, y downwards."""

    left: float
    top: float
    right: float
    bottom: float

    @classmethod
    def around(cls, point: Point, radius: float) -> Box:
        """Return the square around a point."""
        return cls(point[0] - radius, point[1] - radius, point[0] + radius, point[1] + radius)

    def grown(self, by: float) -> Box:
        """Return the box with a margin of `by` on every side."""
        return Box(self.left - by, self.top - by, self.right + by, self.bottom + by)

    def overlaps(self, other: Box) -> bool:
        """Return whether the two boxes share any area."""
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )

    def within(self, width: float, height: float) -> bool:
        """Return whether the box lies inside a frame of this size."""
        return self.left >= 0 and self.top >= 0 and self.right <= width and self.bottom <= height

    def nearest(self, point: Point) -> Point:
        """Return the point of the box that is nearest to another point."""
        return (min(max(point[0], self.left), self.right), min(max(point[1], self.top), self.bottom))


def apart(heights: Sequence[float], gap: float, top: float, bottom: float) -> list[float]:
    """Move heights, in pixels, at least `gap` apart, each as little as possible.

    The heights keep their order, and stay between `top` and `bottom` if there is room for all of them.
    """
    groups: list[list[int]] = []
    for n in sorted(range(len(heights)), key=lambda n: heights[n]):
        groups.append([n])
        # A group too near to the one above joins it; a group is centred on its mean.
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
    """Return the height of the uppermost label of a group of labels, given as indices in `heights`."""
    high = gap * (len(group) - 1)
    mean = sum(heights[n] for n in group) / len(group)
    return max(min(mean - high / 2, bottom - high), top)


def _last(group: Sequence[int], heights: Sequence[float], gap: float, top: float, bottom: float) -> float:
    """Return the height of the lowest label of a group of labels, given as indices in `heights`."""
    return _first(group, heights, gap, top, bottom) + gap * (len(group) - 1)


def place_labels(
    names: Sequence[str],
    points: Sequence[Point],
    frame: tuple[float, float],
    radius: float,
    font: float,
    taken: Sequence[Box] = (),
) -> list[Box | None]:
    """Return a box for each name beside its point, or None if there is no room.

    All lengths are in pixels: `radius` of a drawn point, `font` the size of the letters. Boxes lie in the
    frame (width, height) and overlap no point, no other box and no box in `taken`. The most crowded points
    choose first; each takes the nearest free box, and among these the one with the fewest points around it.
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
    """Yield boxes around a point, each with its distance and its leader line as a chain of small boxes."""
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
