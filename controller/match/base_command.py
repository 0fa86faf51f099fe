"""The base of all commands, and what they are carried out on."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, Protocol, get_args

from pydantic import Field

from controller.errors import Refused
from controller.match.base import BaseEvent, By, Sender, SentEvent, Stamped
from controller.match.discs import Measured
from controller.match.model import Number, SideId
from controller.match.state import MatchState
from controller.messages import say

Totals = dict[SideId, Annotated[int, Field(ge=0, le=480, multiple_of=5)]]
HowMany = Annotated[int, Field(ge=0, le=24)]  # discs


@dataclass(frozen=True, slots=True)
class BootClock:
    """A monotonic clock in seconds that restarts with each `boot`."""

    steady: Callable[[], float]
    boot: str = ""


class BoardSource(Protocol):
    """The board as the camera sees it."""

    def disc_at(self, x: float, y: float) -> Measured:
        """The disc at a place in mm of the calibration's frame that people tapped."""

    def taken_over(self, left: Mapping[SideId, int]) -> Sequence[BaseEvent]:
        """The events that take over the present board; `left`: the discs that each side still has to shoot. Raises
        `Refused`."""


@dataclass(frozen=True, slots=True)
class At:
    """What a command is carried out on: a match with all its events. `board`: None at a board without a camera."""

    history: Sequence[Stamped]
    state: MatchState
    clock: BootClock = BootClock(lambda: 0.0)
    board: BoardSource | None = None

    def check_running(self, number: int | None = None) -> None:
        """Raise `Refused` unless this round is running; by default, unless any is."""
        running = self.state.game.round.number
        number = running if number is None else number
        if self.state.over:
            raise Refused(say("The match is over."), "next")
        if number <= self.state.confirmed:
            raise Refused(say("Round {number} has ended already.", number=number), "round")
        if number != running:
            raise Refused(say("There is no round {number} yet.", number=number), "undo")

    def check_side(self, side: str) -> None:
        """Raise `Refused` if the match has no such side."""
        if side not in self.state.sides:
            raise Refused(say("side: there are {sides}.", sides=", ".join(self.state.sides)))

    def shot_seen(self, number: int, shot: int) -> int:
        """The `ShotSeen` of a shot in a round, both from 1. Raises `Refused`."""
        target = self.state.shots.get((number, shot))
        if target is None:
            count = max((k for n, k in self.state.shots if n == number), default=0)
            raise Refused(
                say("Round {number} has no shot {shot}; the table saw {count}.", number=number, shot=shot, count=count),
                "shot",
            )
        return target


Events = Sequence[BaseEvent]
COMMAND_TYPES: dict[str, type["BaseCommand"]] = {}
"""The types of commands by their names on the wire."""


class BaseCommand(Sender):
    """The base of all commands: its members, the events that carry it out, and what it would overwrite. A type
    overrides what differs from these defaults. A command that is sent again because its answer was lost has the same
    `key`, and is not carried out twice."""

    only_running: ClassVar[bool] = False  # whether it applies only to the match that is being played
    rereads: ClassVar[bool] = False
    """Whether the referee examines the newest reading again after it. Not after a correction: the reading contradicts
    what people have just said."""

    seen: int | None = None  # id of the state that the person saw
    match: Number | None = None  # an earlier match; by default the present one
    by: By = "program"

    @classmethod
    def __pydantic_init_subclass__(cls, **_: object) -> None:
        if "do" in cls.model_fields:
            COMMAND_TYPES.update(dict.fromkeys(get_args(cls.model_fields["do"].annotation), cls))

    def events(self, at: At) -> Events:
        """The events that carry it out, without their sender. Raises `Refused` if the match does not allow it."""
        raise NotImplementedError

    def at_stake(self, at: At) -> object:
        """The part of the state that it would overwrite or continue; None if it can't conflict."""
        return None

    def caused(self, event: BaseEvent) -> bool:
        """Whether its sender caused this event by an earlier command of the same kind, so that it is no conflict."""
        return False

    def was_carried_out(self, history: Iterable[Stamped]) -> bool:
        """Whether the match has its events already, so that it was sent again because its answer was lost."""
        return bool(self.key) and any(isinstance(s.event, SentEvent) and s.event.key == self.key for s in history)

    def carry_out(self, at: At) -> list[BaseEvent]:
        """The events that carry it out, with their sender; none if it was carried out before. Raises `Refused`."""
        events = () if self.was_carried_out(at.history) else self.events(at)
        return [event.model_copy(update=self.sent) if isinstance(event, SentEvent) else event for event in events]


class RoundCommand(BaseCommand):
    """A command about the running round."""

    def at_stake(self, at: At) -> object:
        state, running = at.state, at.state.game.round
        figures = (running.totals, running.twenty_counts, state.by_hand, len(running.shots))
        return (running.number, state.confirmed, state.paused, state.uncleared, *figures)
