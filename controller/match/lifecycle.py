"""The match as a whole: its start, who keeps the score, what the table learnt about its sides, its deletion."""

from dataclasses import replace

from pydantic import Field

from controller import rules
from controller.match.base import BaseEvent, SentEvent, UndoableEvent
from controller.match.model import Lab, SideId
from controller.match.parts import MatchChoices
from controller.match.seating import Direction, Seating
from controller.match.state import MatchState
from controller.messages import marked, say


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

    def apply(self, state: MatchState, id_: int) -> MatchState:
        return state


class MatchDeleted(UndoableEvent):
    """The match was removed from lists and figures, or restored. No data are lost. `resumed`: the number of the earlier
    match that continues, because the start of this one was undone."""

    undo_words = marked("the deletion of the match")
    deleted: bool = True
    resumed: int | None = Field(default=None, ge=1)

    def apply(self, state: MatchState, id_: int) -> MatchState:
        return replace(state, deleted=self.deleted)


class SeatsLearnt(SentEvent):
    """Each seat's direction in degrees of the calibration's frame, from play or from people."""

    words = marked("The seats are known")
    directions: dict[int, Direction] = Field(min_length=1, max_length=4)

    def apply(self, state: MatchState, id_: int) -> MatchState:
        """Raises `BadCorrection` if a seat is missing, unknown or at the same side of the board as another."""
        if set(self.directions) != set(dict(state.game.terms.seats)):
            raise rules.BadCorrection(say("Give a direction for each occupied seat, and for no other."), "directions")
        if len(set(self.directions.values())) < len(self.directions):
            raise rules.BadCorrection(say("Two players can't sit at the same side of the board."), "directions")
        questions = {q.id: q for q in state.questions.values() if q.asked.what != "seats"}
        return replace(state, seating=Seating(self.directions, sure=True), questions=questions)


class ColoursLearnt(BaseEvent):
    """The colours of the sides' discs to this camera, CIE L*a*b*; `certified` if set-up learnt them. `instead`: these
    replace all learnt colours, including those of other sides."""

    sides: dict[SideId, Lab]
    certified: bool = False
    instead: bool = False

    def apply(self, state: MatchState, id_: int) -> MatchState:
        learnt = dict[str, Lab](self.sides.items())
        if self.certified:
            return replace(state, certified=learnt)
        return replace(state, colours=learnt if self.instead else {**state.colours, **learnt})


class Handed(SentEvent):
    """The match was handed to the scorer, or back to the table. `recount`: the running round counts by hand from now
    on, not by readings. A match that starts by hand is handed over by the table itself, which nobody can undo."""

    undo_words = marked("the handover")
    manual: bool
    recount: bool = False

    @property
    def undoable(self) -> bool:
        return self.by != "table"

    def apply(self, state: MatchState, id_: int) -> MatchState:
        """Either way, discs of the running round that were counted on the board are dropped."""
        if state.game.round.complete:
            return replace(state, manual=self.manual)
        number = state.game.round.number
        left = tuple(one for one in state.counted if one.round != number or one.points == rules.TWENTY)
        return replace(state, game=state.game.recount(self.recount), counted=left, manual=self.manual)


class Paused(SentEvent):
    """Refereeing was paused or resumed."""

    paused: bool

    def apply(self, state: MatchState, id_: int) -> MatchState:
        return replace(state, paused=self.paused)


class ClockSet(BaseEvent):
    """The time of day was set ahead by this many seconds (negative: back): the dates of earlier events are wrong by as
    much, back to the machine's start, `after` the event with this number."""

    ahead: float
    after: int = 0

    def apply(self, state: MatchState, id_: int) -> MatchState:
        return state
