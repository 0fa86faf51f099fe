"""The match as a whole: its start, who keeps the score, what the table learnt about its sides, its deletion."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from controller import rules
from controller.errors import Refused
from controller.match.base import (
    At,
    BaseCommand,
    BaseEvent,
    Events,
    HowMany,
    RoundCommand,
    SentEvent,
    SideNames,
    Stamped,
    UndoableEvent,
)
from controller.match.model import LONGEST_NAME, Lab, Number, SideId, key, legible
from controller.match.parts import Choices, MatchChoices
from controller.match.seating import Direction, Seating, clockwise
from controller.match.state import MatchState
from controller.messages import Message, marked, say


class MatchStarted(SentEvent, MatchChoices):
    """A match started, with its choices."""

    webhook = "match_started"
    words = marked("Match started")
    undo_words = marked("the start of this match")


class StartUndone(SentEvent):
    """This match continues, because the start of the later `match` was undone."""

    webhook = "correction"
    words = marked("This match goes on: the start of the next one was undone")
    match: int = Field(ge=1)

    def apply(self, state: MatchState) -> MatchState:
        return state


class MatchDeleted(UndoableEvent):
    """The match was removed from lists and figures, or restored. No data are lost. `resumed`: the number of the earlier
    match that continues, because the start of this one was undone."""

    deleted: bool = True
    resumed: int | None = Field(default=None, ge=1)

    def in_words(self, names: SideNames) -> Message:
        return say("Match deleted") if self.deleted else say("Match brought back")

    def undoing(self, names: SideNames) -> Message:
        return say("the deletion of the match") if self.deleted else say("the last correction")

    def apply(self, state: MatchState) -> MatchState:
        return replace(state, deleted=self.deleted)


def resumed(history: Iterable[Stamped]) -> int | None:
    """The number of the match that continues instead of this one, if this one's start was undone."""
    return next((s.event.resumed for s in history if isinstance(s.event, MatchDeleted) and s.event.resumed), None)


class SeatsLearnt(SentEvent):
    """Each seat's direction in degrees of the calibration's frame, from play or from people."""

    words = marked("The seats are known")
    directions: dict[int, Direction] = Field(min_length=1, max_length=4)

    def apply(self, state: MatchState) -> MatchState:
        """Raises `BadCorrection` if a seat is missing, unknown or at the same side of the board as another."""
        if set(self.directions) != set(dict(state.game.terms.seats)):
            raise rules.BadCorrection(say("Give a direction for each occupied seat, and for no other."), "directions")
        if len(set(self.directions.values())) < len(self.directions):
            raise rules.BadCorrection(say("Two players can't sit at the same side of the board."), "directions")
        questions = state.questions_without(lambda q: q.asked.what == "seats")
        return replace(state, seating=Seating(self.directions, sure=True), questions=questions)


class ColoursLearnt(BaseEvent):
    """The colours of the sides' discs to this camera, CIE L*a*b*; `certified` if set-up learnt them. `instead`: these
    replace all learnt colours, including those of other sides."""

    sides: dict[SideId, Lab]
    certified: bool = False
    instead: bool = False

    def apply(self, state: MatchState) -> MatchState:
        if self.certified:
            return replace(state, certified=self.sides)
        return replace(state, colours=self.sides if self.instead else {**state.colours, **self.sides})


class ScoringModeChanged(SentEvent):
    """The match was handed to the scorer, or back to the table. `recount`: the running round counts by hand from now
    on, not by readings. A match that starts by hand is handed over by the table itself, which nobody can undo."""

    undo_words = marked("the handover")
    manual: bool
    recount: bool = False

    def in_words(self, names: SideNames) -> Message:
        return say("Handed to the scorer") if self.manual else say("Handed back to the table")

    @property
    def undoable(self) -> bool:
        return self.by_people

    def apply(self, state: MatchState) -> MatchState:
        """Either way, discs of the running round that were counted on the board are dropped."""
        if state.game.round.complete:
            return replace(state, manual=self.manual)
        number = state.game.round.number
        left = {k: one for k, one in state.counted.items() if one.round != number or one.points == rules.TWENTY}
        return replace(state, game=state.game.recount(self.recount), counted=left, manual=self.manual)


class Paused(SentEvent):
    """Refereeing was paused or resumed."""

    paused: bool

    def in_words(self, names: SideNames) -> Message:
        return say("Paused") if self.paused else say("Resumed")

    def apply(self, state: MatchState) -> MatchState:
        return replace(state, paused=self.paused)


class ClockSet(BaseEvent):
    """The time of day was set ahead by this many seconds (negative: back): the dates of earlier events are wrong by as
    much, back to the machine's start, `after` the event with this number."""

    ahead: float
    after: int = 0

    def apply(self, state: MatchState) -> MatchState:
        return state


class Start(BaseCommand, Choices):
    """Start a match. A running match ends as it stands. `doubles`: two sides of two partners each; `seats`: the
    players' names by seat; `seat`: the seat that begins. `assignment`: the club's id of the match if it assigned it to
    this table."""

    do: Literal["start"]
    rules: str
    seats: dict[Literal["1", "2", "3", "4"], Annotated[str, Field(min_length=1, max_length=LONGEST_NAME)]] = Field(
        default={}
    )
    manual: bool = False

    @model_validator(mode="after")
    def _colours_differ(self) -> Self:
        if twice := _repeated([side.colour for side in self.sides if side.colour]):
            raise ValueError(
                say("Two sides can't both play {colour}: the table could not tell their discs apart.", colour=twice)
            )
        return self

    @model_validator(mode="after")
    def _names_are_legible_and_differ(self) -> Self:
        names = [side.name.strip() for side in self.sides]
        if not all(map(legible, names)):
            raise ValueError(say("Every side needs a name that can be read."))
        if not self.doubles and (long := next((name for name in names if len(name) > LONGEST_NAME), None)):
            raise ValueError(
                say("The name {name} is too long: at most {most} characters.", name=long, most=LONGEST_NAME)
            )
        if twice := _repeated(names, key):
            raise ValueError(say("Two sides can't both be called {name}: nobody could tell them apart.", name=twice))
        return self

    def at_stake(self, at: At) -> object:
        return at.state.over

    def started(self, own_rules: Mapping[str, Any] | None, before: MatchState | None, *, cleared: bool) -> MatchStarted:
        """The event that starts the match; `before`: the match before it. `own_rules`: the club's own rule set of that
        name, stored whole with the match."""
        return MatchStarted(
            rules=dict(own_rules or {}) or self.rules,
            seats={int(seat): name for seat, name in self.seats.items()},
            directions=dict(before.seating.directions) if before else {},
            cleared=cleared,
            before=before.number if before else None,
            **{name: getattr(self, name) for name in Choices.model_fields},
            **self.sent,
        )


def _repeated(texts: list[str], key: Callable[[str], str] = str) -> str | None:
    keys = [key(text) for text in texts]
    return next((text for text in texts if keys.count(key(text)) > 1), None)


class DeleteMatch(BaseCommand):
    """Remove the match `match` from lists and figures, or restore it; no data are lost."""

    do: Literal["delete_match"]
    match: Number
    deleted: bool = True

    def events(self, at: At) -> Events:
        number, deleted = at.state.number, at.state.deleted
        if self.deleted and deleted:
            raise Refused(say("Match {number} is deleted already.", number=number))
        if not self.deleted and not deleted:
            raise Refused(say("Match {number} is not deleted.", number=number))
        return [MatchDeleted(deleted=self.deleted)]


class TurnSeats(BaseCommand):
    """Turn all seats clockwise, seen from above, by this many quarters, starting from what the page shows."""

    rereads = True
    do: Literal["turn_seats"]
    quarters: Annotated[int, Field(ge=1, le=3)]

    def at_stake(self, at: At) -> object:
        return at.state.seating.directions

    def events(self, at: At) -> Events:
        directions = at.state.seating.directions
        return [SeatsLearnt(directions={seat: clockwise(side, self.quarters) for seat, side in directions.items()})]


class Pause(BaseCommand):
    """Stop refereeing, so that readings change nothing (`pause`), or resume it from the present board (`resume`)."""

    only_running = True
    rereads = True
    do: Literal["pause", "resume"]

    def events(self, at: At) -> Events:
        return [Paused(paused=self.do == "pause")]


class Manual(BaseCommand):
    """Hand the match to the scorer: the table does not referee; rounds are entered by hand."""

    only_running = True
    do: Literal["manual"]

    def events(self, at: At) -> Events:
        return [] if at.state.manual else [ScoringModeChanged(manual=True, recount=True)]


class Automatic(RoundCommand):
    """Hand the match back to the table. `left`: the discs that each side still has to shoot; the present board is then
    adopted."""

    only_running = True
    rereads = True
    do: Literal["automatic"]
    left: dict[SideId, HowMany] | None = None

    def events(self, at: At) -> Events:
        handed = [ScoringModeChanged(manual=False)] if at.state.manual else []
        if self.left is None:
            return handed
        assert at.board is not None  # a match without a camera is never handed to the table
        return [*handed, *at.board.taken_over(self.left)]
