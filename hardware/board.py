"""The board's and the discs' dimensions: the NCA tournament standard, and other boards as data.

All lengths are millimetres. The board frame has its origin at the centre of the 20 hole, x to the right and y away
from seat 1, z up, the playing surface at z = 0; angles run counter-clockwise from +x. A line's radius is that of its
middle: it is drawn half its width to either side."""

import math
from dataclasses import dataclass

INCH = 25.4


@dataclass(frozen=True, slots=True)
class DiscSize:
    """A set of discs. Sources: 1 1/4 inch tournament discs, 31.75 to 32 mm; 5.6 g is 135 g per 24."""

    radius: float = 15.9
    thickness: float = 9.5
    mass: float = 0.0056  # kilograms


@dataclass(frozen=True, slots=True)
class Board:
    """One kind of board. The defaults are the NCA's Season 17 standard; what it leaves open is the usual value. A real
    board may differ by millimetres: these are only the values to begin with, a calibration measures its lines."""

    name: str = "tournament"
    hole_radius: float = 1.375 * INCH / 2
    hole_depth: float = 6.0  # 6 +- 1 in the standard: a disc of 9.5 mm stays 2.5 to 4.5 mm proud
    fifteen_line: float = 4 * INCH
    ten_line: float = 8 * INCH
    outer_line: float = 12 * INCH
    line_width: float = INCH / 16
    surface_radius: float = 13 * INCH
    surface_height: float = INCH / 2  # above the ditch's floor
    ditch_width: float = 2 * INCH
    rail_height: float = 1.5 * INCH  # above the ditch's floor
    rail_width: float = INCH / 2
    peg_circle: float = 4 * INCH
    peg_radius: float = 4.75
    peg_height: float = INCH / 2
    peg_angles: tuple[float, ...] = tuple(22.5 + 45 * k for k in range(8))  # degrees
    quadrant_angles: tuple[float, ...] = (45.0, 135.0, 225.0, 315.0)  # degrees
    disc: DiscSize = DiscSize()

    @property
    def pegs(self) -> tuple[tuple[float, float], ...]:
        """Each peg's axis as (x, y), counter-clockwise."""
        return tuple(
            (self.peg_circle * math.cos(math.radians(a)), self.peg_circle * math.sin(math.radians(a)))
            for a in self.peg_angles
        )

    @property
    def rail_radius(self) -> float:
        return self.surface_radius + self.ditch_width

    def inner_edge(self, line_radius: float) -> float:
        """The radius at which the drawn line begins, seen from the hole: a disc reaching it touches the line."""
        return line_radius - self.line_width / 2


TOURNAMENT = Board()


def seat_angle(seat: int) -> float:
    """The direction of a seat from the hole, in degrees: seat 1 at -y, then clockwise seen from above."""
    return {1: 270.0, 2: 180.0, 3: 90.0, 4: 0.0}[seat]
