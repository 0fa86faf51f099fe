"""The bases of all events and commands of a match, and what commands are carried out on."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal, Protocol, get_args

from pydantic import BeforeValidator, Field, PlainSerializer

from controller.errors import Refused
from controller.match.discs import Measured
from controller.match.model import FrozenModel, Number, SideId
from controller.match.state import MatchState
from controller.messages import PLACEHOLDERS, Message, marked, say

SCHEMA_VERSION = 14  # the form of the stored events: a journal of another form is refused
By = Literal["phone", "screen", "button", "program", "table"]
"""The sender: a scorer's phone, the table's screen or button, a program, or the table itself."""
WHO = 40  # characters of a scorer's phone's name
KEY = r"[A-Za-z0-9]{1,32}\.[0-9]{1,9}"  # the key of a command: the sender's own word, a dot, and the command's number
Happening = Literal["match_started", "shot", "round_ended", "question", "correction", "time_up", "match_over"]
"""What webhooks report. `match_over` follows from the state, the others from events."""


SideNames = Mapping[str, str]  # the sides' names, by their ids


@dataclass(frozen=True, slots=True)
class Entry:
    """One event as stored in the journal."""

    id: int
    match: int
    at: float
    kind: str
    body: dict[str, Any]


EVENT_TYPES: dict[str, type["BaseEvent"]] = {}
"""The types of events by their kinds: every subclass of `BaseEvent` that has no subclass itself."""


class BaseEvent(FrozenModel):
    """The base of all events: effect on the state, words, undo, and webhook. An event type overrides what differs from
    these defaults."""

    kind: ClassVar[str]  # the type's name in the journal, `round_ended` for `RoundEnded`
    words: ClassVar[str] = ""  # what it did, with its members
    undo_words: ClassVar[str] = marked("the last correction")  # what an undo takes back
    webhook: ClassVar[Happening | None] = None
    revises: ClassVar[bool] = False  # whether every event of this type `reorders`

    @classmethod
    def __pydantic_init_subclass__(cls, **_: object) -> None:
        for one in cls.__mro__:
            EVENT_TYPES.pop(getattr(one, "kind", ""), None)
        cls.kind = re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()
        EVENT_TYPES[cls.kind] = cls

    def apply(self, state: MatchState) -> MatchState:
        """The state after this event; `state.last_id` is its number already. Raises `ValueError` if it can't occur in a
        match."""
        raise ValueError(f"{type(self).__name__} can't occur within a match")

    def in_words(self, names: SideNames) -> Message:
        """What it did; `names`: the sides' names, by their ids."""
        return self.filled(self.words or self.kind, names)

    def undoing(self, names: SideNames) -> Message:
        """What an undo of it would take back."""
        return self.filled(self.undo_words, names)

    def filled(self, text: str, names: SideNames, **more: Any) -> Message:
        """A text with the event's members, and `more` values; `name` is that of its side."""
        values: dict[str, Any] = {**dict(self), **more}
        if "side" in values:
            values["name"] = names.get(values["side"], values["side"])
        found = {name: values[name] for name in PLACEHOLDERS.findall(text)}
        return Message(text, {k: _figures(v, names) if isinstance(v, dict) else v for k, v in found.items()})

    @property
    def by_people(self) -> bool:
        """Whether people brought it about, not the table."""
        return False

    @property
    def undoable(self) -> bool:
        """Whether an undo can take it back, as one step."""
        return False

    @property
    def reserved(self) -> int:
        """How many event numbers just before its own are reserved for it."""
        return 0

    @property
    def corrects(self) -> int | None:
        """The number of the earlier event that this one corrects, at whose place it takes effect."""
        return None

    @property
    def reorders(self) -> bool:
        """Whether it changes the effect of earlier events, so that the whole match must be folded again."""
        return self.revises or self.corrects is not None


def _figures(by_side: Mapping[str, int], names: SideNames) -> tuple[Message, ...]:
    return tuple(
        say("{side} {value}", side=names.get(side, side), value=value) for side, value in sorted(by_side.items())
    )


def body(event: BaseEvent) -> dict[str, Any]:
    """An event's body for the journal, without its kind: JSON, without members at their defaults."""
    return event.model_dump(mode="json", exclude_defaults=True)


def read_event(kind: str, body: Mapping[str, Any]) -> BaseEvent:
    """The event of this kind with this body. Raises `ValueError`."""
    if kind not in EVENT_TYPES:
        raise ValueError(f"there is no event of the kind {kind!r}")
    return EVENT_TYPES[kind].model_validate(body)


def _read_inner(value: Any) -> Any:
    if not isinstance(value, Mapping):
        return value
    return read_event(value.get("kind", ""), {name: one for name, one in value.items() if name != "kind"})


def _write_inner(event: BaseEvent) -> dict[str, Any]:
    return {"kind": event.kind, **body(event)}


WITH_KIND = BeforeValidator(_read_inner), PlainSerializer(_write_inner)
InnerEvent = Annotated[BaseEvent, *WITH_KIND]
"""An event within another one, stored with its kind."""


@dataclass(frozen=True, slots=True)
class Stamped:
    """An event with its number and time in the journal."""

    id: int
    at: float
    event: BaseEvent


class Sender(FrozenModel):
    """Who sent a command: `by`, and `who`, the name of a scorer's phone. `key`, such as `page7.12`: the sender's name
    and its number of this command; empty if it has none."""

    by: By
    who: str = Field(default="", max_length=WHO)
    key: str = Field(default="", pattern=f"^({KEY})?$")

    @property
    def sender(self) -> str:
        """The key's first part, which names the sender; empty without a key."""
        return self.key.partition(".")[0]

    @property
    def sent(self) -> dict[str, Any]:
        """The members that a command's events take over."""
        return {name: getattr(self, name) for name in Sender.model_fields}


class SentEvent(BaseEvent, Sender):
    """An event with its sender."""

    by: By = "table"

    @property
    def by_people(self) -> bool:
        return self.by != "table"


class UndoableEvent(SentEvent):
    """An event that can be undone."""

    webhook: ClassVar[Happening | None] = "correction"

    @property
    def undoable(self) -> bool:
        return True


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
