"""Where the seats are.

A board is the same after a quarter turn, so a calibration cannot know where seat 1 is: it takes the side nearest the
picture's bottom. Who really sits where is learnt from play, or told by people. Measurements keep the calibration's own
frame; whoever shows or takes a place turns it by the seating.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from hardware.board import seat_angle

Point = tuple[float, float]
Direction = Literal[0, 90, 180, 270]
"""From the hole to a side of the board, in degrees of the calibration's frame."""
Directions = Mapping[int, Direction]
"""Of each seat that is taken, where it is."""
SIDES_OF_THE_BOARD: tuple[Direction, ...] = (270, 180, 90, 0)
"""Clockwise seen from above, beginning where a calibration supposes seat 1."""


@dataclass(frozen=True, slots=True)
class Seating:
    """Who sits where, as far as it is known. `sure`: play or people have told; else it is only supposed."""

    directions: Directions
    sure: bool = False

    def shown(self, x: float, y: float) -> Point:
        """A place of the calibration's frame in the board frame of people and programs: seat 1 at -y. mm."""
        return _turned(x, y, self._quarters)

    def measured(self, x: float, y: float) -> Point:
        """A place of people's board frame in the calibration's frame. mm."""
        return _turned(x, y, -self._quarters)

    @property
    def _quarters(self) -> int:
        """By how many quarters, counter-clockwise, the calibration's frame is turned to have seat 1 at -y."""
        return round((seat_angle(1) - self.directions[1]) / 90) % 4


def supposed(seats: Mapping[int, str], before: Seating | None = None) -> Seating:
    """The seating until play tells: that of the match before, as far as it fits these seats (number to side)."""
    if before is not None and set(before.directions) == set(seats):
        return Seating(before.directions)
    first = SIDES_OF_THE_BOARD[0] if before is None else before.directions[1]
    return Seating({seat: clockwise(first, seat - 1) for seat in seats})


def clockwise(side: Direction, steps: int) -> Direction:
    """The side of the board that lies so many steps clockwise of another."""
    return SIDES_OF_THE_BOARD[(SIDES_OF_THE_BOARD.index(side) + steps) % len(SIDES_OF_THE_BOARD)]


def ways_to_sit(seats: Mapping[int, str]) -> tuple[Directions, ...]:
    """Every way in which so many players can sit round the board.

    | players | ways | |
    | --- | --- | --- |
    | two, two pairs, four | 4 | partners and single opponents face each other; the order is clockwise |
    | three | 12 | clockwise too, and any side of the table may be the empty one |
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
