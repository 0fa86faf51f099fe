"""Lines and zones: where a disc lies, and by how much. Millimetres in the board frame.

A disc that touches a line belongs to the zone outside it. Whether it touches is decided by its `clearance`: the
line's inner edge less the disc's outermost point.

>>> zone(0.0, 84.0)
15
>>> zone(0.0, 85.0)
10
>>> round(clearance(0.0, 85.0, "fifteen"), 2)
-0.09
"""

import math
from typing import Literal

from hardware.board import TOURNAMENT
from hardware.board import Board as Geometry

Line = Literal["fifteen", "ten", "outer"]
Zone = Literal[15, 10, 5, 0]

LINES: tuple[Line, ...] = ("fifteen", "ten", "outer")
JUST_INSIDE = 0.1  # mm: how far `nearest_in_zone` stays off a line; below anything a camera or an eye tells apart


def line_radius(line: Line, geometry: Geometry = TOURNAMENT) -> float:
    """The radius of a line's middle."""
    if line == "fifteen":
        return geometry.fifteen_line
    return geometry.ten_line if line == "ten" else geometry.outer_line


def clearance(x: float, y: float, line: Line, geometry: Geometry = TOURNAMENT) -> float:
    """The line's inner edge less the outermost point of a disc at (x, y).

    Above 0 the disc is clear inside the line; at or below 0 it touches it or lies beyond.
    """
    return geometry.inner_edge(line_radius(line, geometry)) - (math.hypot(x, y) + geometry.disc.radius)


def nearest_line(x: float, y: float, geometry: Geometry = TOURNAMENT) -> tuple[Line, float]:
    """The line that decides a disc's zone most closely, and the disc's clearance to it.

    >>> line, gap = nearest_line(0.0, 180.0)
    >>> line, round(gap, 2)
    ('ten', 6.51)
    """
    gaps = [(line, clearance(x, y, line, geometry)) for line in LINES]
    return min(gaps, key=lambda pair: abs(pair[1]))


def zone(x: float, y: float, geometry: Geometry = TOURNAMENT) -> Zone:
    """What a disc at (x, y) scores: 15, 10, 5, or 0 when it touches the outer line or lies beyond.

    A disc that touches a ring line scores the lower ring (every source). Leaning into the hole, or standing on its
    edge in it, a disc scores where it lies, which is 15; a twenty is no zone of the surface.
    """
    if clearance(x, y, "fifteen", geometry) > 0:
        return 15
    if clearance(x, y, "ten", geometry) > 0:
        return 10
    return 5 if clearance(x, y, "outer", geometry) > 0 else 0


def reaches_fifteen(x: float, y: float, geometry: Geometry = TOURNAMENT) -> bool:
    """Whether a disc at (x, y) lies in the 15 or touches its line from outside: enough for an open board, though it
    may score 10 (NCA rule 3).

    >>> zone(0.0, 118.0), reaches_fifteen(0.0, 118.0), reaches_fifteen(0.0, 119.0)
    (10, True, False)
    """
    innermost = math.hypot(x, y) - geometry.disc.radius
    return innermost <= geometry.fifteen_line + geometry.line_width / 2


def nearest_in_zone(x: float, y: float, wanted: Zone, geometry: Geometry = TOURNAMENT) -> tuple[float, float]:
    """The place nearest to (x, y), on the same ray from the hole, where a disc has the `wanted` zone.

    For a person's ruling on a close call: the disc is put on the side of the line that was ruled.

    >>> x, y = nearest_in_zone(0.0, 85.0, 15)
    >>> zone(x, y), round(y, 2)
    (15, 84.81)
    """
    if zone(x, y, geometry) == wanted:
        return x, y
    distance = math.hypot(x, y)
    direction = (x / distance, y / distance) if distance else (0.0, 1.0)

    def limit(line: Line) -> float:
        return distance + clearance(x, y, line, geometry)

    clear_of: dict[int, Line] = {15: "fifteen", 10: "ten", 5: "outer"}
    touching: dict[int, Line] = {10: "fifteen", 5: "ten", 0: "outer"}
    if wanted in clear_of and distance >= limit(clear_of[wanted]):
        target = limit(clear_of[wanted]) - JUST_INSIDE
    else:
        target = limit(touching[wanted]) + JUST_INSIDE
    return direction[0] * target, direction[1] * target
