"""The terms of a match: its rules, format, sides and seats; and checks of figures that people enter for its sides."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from controller.messages import Message, say
from controller.rules.choices import RuleSet
from controller.rules.errors import BadCorrection
from controller.rules.formats import Format


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

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(side.id for side in self.sides)

    @property
    def doubles(self) -> bool:
        return len(self.seats) > len(self.sides)

    @property
    def discs_a_seat(self) -> int:
        return self.discs * len(self.sides) // len(self.seats)

    def clockwise_from(self, seat: int) -> tuple[tuple[int, str], ...]:
        """The (seat, side) pairs in the order of play from a seat."""
        k = next(k for k, (number, _) in enumerate(self.seats) if number == seat)
        return self.seats[k:] + self.seats[:k]

    def seats_after(self, seat: int) -> tuple[tuple[int, str], ...]:
        """The (seat, side) pairs in the order of play from the seat to the left of this one, which is the last."""
        first, *others = self.clockwise_from(seat)
        return (*others, first)


def check_known(side: str, sides: Sequence[str], place: str) -> None:
    """Raise `BadCorrection` unless the match has this side."""
    if side not in sides:
        raise BadCorrection(f"there is no side {side!r}; there are {', '.join(sides)}", place)


def check_all_sides(figures: Mapping[str, int], sides: Sequence[str], place: str) -> Mapping[str, int]:
    """Return the figures. Raises `BadCorrection` unless there is exactly one for each side."""
    for side in figures:
        check_known(side, sides, place)
    missing = [side for side in sides if side not in figures]
    if missing:
        raise BadCorrection(say("Every side needs a figure: {sides} is missing.", sides=tuple(missing)), place)
    return figures


def check_figure(value: object, low: int, high: int | None, step: int, place: str) -> None:
    """Raise `BadCorrection` unless this is a whole number from `low` to `high` (None: any), a multiple of `step`."""
    whole = isinstance(value, int) and not isinstance(value, bool)
    if not whole or value < low or (high is not None and value > high) or value % step:  # type: ignore[operator]
        raise BadCorrection(_expected(repr(value), low, high, step), place)


def _expected(value: str, low: int, high: int | None, step: int) -> Message:
    if high is None:
        return say("{value} is not possible: a whole number from {low} on is needed.", value=value, low=low)
    if step > 1:
        steps = {"low": low, "high": high, "step": step}
        return say(
            "{value} is not possible: a multiple of {step} from {low} to {high} is needed.", value=value, **steps
        )
    return say(
        "{value} is not possible: a whole number from {low} to {high} is needed.", value=value, low=low, high=high
    )
