"""The terms of a match: its rules, format, sides and seats."""

from dataclasses import dataclass

from controller.rules.choices import RuleSet
from controller.rules.formats import Format
from hardware.board import TOURNAMENT
from hardware.board import Board as Geometry


@dataclass(frozen=True, slots=True)
class Side:
    """A side of the match: a player, or two partners."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of all rounds of a match. `seats` are (seat, side) pairs clockwise; `discs` is the number per side."""

    rules: RuleSet
    format: Format
    sides: tuple[Side, ...]
    seats: tuple[tuple[int, str], ...]
    discs: int
    geometry: Geometry = TOURNAMENT

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the sides."""
        return tuple(side.id for side in self.sides)

    @property
    def doubles(self) -> bool:
        """Whether each side has two seats."""
        return len(self.seats) > len(self.sides)

    @property
    def discs_a_seat(self) -> int:
        """The number of discs that each seat shoots."""
        return self.discs * len(self.sides) // len(self.seats)

    def clockwise_from(self, seat: int) -> tuple[tuple[int, str], ...]:
        """The (seat, side) pairs in the order of play from a seat."""
        k = next(k for k, (number, _) in enumerate(self.seats) if number == seat)
        return self.seats[k:] + self.seats[:k]

    def after(self, seat: int) -> tuple[int, str]:
        """The (seat, side) to the left of a seat."""
        return self.clockwise_from(seat)[1 % len(self.seats)]
