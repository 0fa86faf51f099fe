"""The directions of the seats. A board looks the same after a quarter turn, so a calibration can't know where seat 1 is
and assumes the side nearest to the picture's bottom. The real seats are learnt from play or entered by people.
Measurements stay in the calibration's frame; places are turned by the seating where they are shown or entered."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from hardware.board import seat_angle

Point = tuple[float, float]
Direction = Literal[0, 90, 180, 270]  # from the hole to a side of the board, in degrees of the calibration's frame
Directions = Mapping[int, Direction]  # the direction of each occupied seat
SIDES_OF_THE_BOARD: tuple[Direction, ...] = (270, 180, 90, 0)
"""Clockwise seen from above, from where a calibration assumes seat 1."""


@dataclass(frozen=True, slots=True)
class Seating:
    """The directions of the seats. `sure`: known from play or from people; otherwise assumed."""

    directions: Directions
    sure: bool = False

    def shown(self, x: float, y: float) -> Point:
        """Convert a place in mm from the calibration's frame to the players' board frame, with seat 1 at -y."""
        return _turned(x, y, self._quarters)

    def measured(self, x: float, y: float) -> Point:
        """Convert a place in mm from the players' board frame to the calibration's frame."""
        return _turned(x, y, -self._quarters)

    @property
    def _quarters(self) -> int:
        """Quarter turns, counter-clockwise, from the calibration's frame to the one with seat 1 at -y."""
        return round((seat_angle(1) - self.directions[1]) / 90) % 4


def assumed_seating(seats: Mapping[int, str], before: Directions) -> Seating:
    """The assumed seating until play shows it: that of the last match if it fits these seats (number to side)."""
    if set(before) == set(seats):
        return Seating(before)
    first = before.get(1, SIDES_OF_THE_BOARD[0])
    return Seating({seat: clockwise(first, seat - 1) for seat in seats})


def clockwise(side: Direction, steps: int) -> Direction:
    """The side of the board a number of steps clockwise from another."""
    return SIDES_OF_THE_BOARD[(SIDES_OF_THE_BOARD.index(side) + steps) % len(SIDES_OF_THE_BOARD)]


def ways_to_sit(seats: Mapping[int, str]) -> tuple[Directions, ...]:
    """All possible seatings of these players round the board.

    | players | ways | |
    | --- | --- | --- |
    | two, two pairs, four | 4 | partners and single opponents face each other; the order is clockwise |
    | three | 12 | the order is clockwise; any side of the table may be empty |
    """
    numbers = sorted(seats)
    if len(numbers) == 3:
        places: list[tuple[int, ...]] = [(0, *steps) for steps in combinations(range(1, len(SIDES_OF_THE_BOARD)), 2)]
    else:
        places = [tuple(seat - numbers[0] for seat in numbers)]
    return tuple(
        {seat: clockwise(first, step) for seat, step in zip(numbers, steps, strict=True)}
        for first in SIDES_OF_THE_BOARD
        for steps in places
    )


def _turned(x: float, y: float, quarters: int) -> Point:
    for _ in range(quarters % 4):
        x, y = -y, x
    return x, y
