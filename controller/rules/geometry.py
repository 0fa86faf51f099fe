"""Lines and zones: which zone a disc is in, and its distance from the lines. Millimetres in the board frame.

A disc that touches a line belongs to the zone outside it. Its `clearance` decides that: the radius of the line's inner
edge minus that of the disc's outermost point.

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

Line = Literal["fifteen", "ten", "outer"]
Zone = Literal[15, 10, 5, 0]
LINES: tuple[Line, ...] = ("fifteen", "ten", "outer")


def reach(line: Line) -> float:
    """The distance of a disc's centre from the hole when it just touches a line's inner edge.

    >>> round(reach("outer"), 2)
    288.11
    """
    radius = {"fifteen": TOURNAMENT.fifteen_line, "ten": TOURNAMENT.ten_line, "outer": TOURNAMENT.outer_line}[line]
    return TOURNAMENT.inner_edge(radius) - TOURNAMENT.disc.radius


def clearance(x: float, y: float, line: Line) -> float:
    """The gap between a disc at (x, y) and a line's inner edge. Above 0 the disc is clear inside the line; at or below
    0 it touches the line or is beyond it."""
    return reach(line) - math.hypot(x, y)


def nearest_line(x: float, y: float) -> tuple[Line, float]:
    """The line nearest to a disc's edge, and the disc's clearance to it.

    >>> line, gap = nearest_line(0.0, 180.0)
    >>> line, round(gap, 2)
    ('ten', 6.51)
    """
    gaps = [(line, clearance(x, y, line)) for line in LINES]
    return min(gaps, key=lambda pair: abs(pair[1]))


def zone(x: float, y: float) -> Zone:
    """What a disc at (x, y) scores: 15, 10, 5, or 0 if it touches the outer line or is beyond it. A disc that touches a
    ring line scores the lower ring (every source). A disc that leans into the hole, or stands on its edge in it, scores
    15; a twenty is not a zone of the surface."""
    if clearance(x, y, "fifteen") > 0:
        return 15
    if clearance(x, y, "ten") > 0:
        return 10
    return 5 if clearance(x, y, "outer") > 0 else 0
