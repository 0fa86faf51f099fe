"""The match as a whole: its start, who keeps the score, what the table learnt about its sides, its deletion."""

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field

from controller import rules
from controller.match.base import LONGEST_SIDE, BaseEvent, SentEvent, SideId, UndoableEvent
from controller.match.cases import FrozenModel
from controller.match.seating import Direction, Seating
from controller.messages import marked, say

if TYPE_CHECKING:
    from controller.match.state import MatchState

Lab = tuple[float, float, float]


class Side(FrozenModel):
    """One side of a match: its name and the colour of its discs."""

    name: Annotated[str, Field(min_length=1, max_length=LONGEST_SIDE)]
    colour: str = Field(default="", max_length=20)


class MatchStarted(SentEvent):
    """The start of a match, with its choices: later changes of the rules do not re-score it.

    `doubles`: two sides of two partners each; `seats`: names by seat; `seat`: the one that begins; `directions`: where
    the seats were in the match before, see `SeatsLearnt`. `assignment`: the club's id of the match if it assigned it to
    this table. `before`: the match that was on the table until then, which continues when this start is undone."""

    webhook = "match_started"
    words = marked("Match started")
    undo_words = marked("the start of this match")
    kind: Literal["match_started"] = "match_started"
    cleared: bool = True  # whether the board was known to be empty; if not, it must be seen empty before the first shot
    rules: str | dict[str, Any]  # a rule set's id, or a club's own in full
    format: dict[str, Any] | None = None
    sides: tuple[Side, ...] = Field(min_length=1, max_length=4)
    starter: SideId = "A"
    discs: int | None = None
    doubles: bool = False
    seats: dict[int, str] = Field(default={})
    seat: int | None = None
    directions: dict[int, Direction] = Field(default={})
    assignment: str | None = Field(default=None, max_length=64)
    before: int | None = Field(default=None, ge=1)

    @property
    def by_id(self) -> dict[str, Side]:
        """The sides by id: A, B and so on, in the order in which they were named."""
        return dict(zip("ABCD", self.sides, strict=False))


class StartUndone(SentEvent):
    """This match continues, because the start of the later `match` was undone."""

    webhook = "correction"
    words = marked("This match goes on: the start of the next one was undone")
    kind: Literal["start_undone"] = "start_undone"
    match: int = Field(ge=1)

    def apply(self, state: "MatchState", id_: int) -> "MatchState":
        return state


class MatchDeleted(UndoableEvent):
    """The match was removed from lists and figures, or restored. No data are lost. `resumed`: the number of the earlier
    match that continues, because the start of this one was undone."""

    undo_words = marked("the deletion of the match")
    kind: Literal["match_deleted"] = "match_deleted"
    deleted: bool = True
    resumed: int | None = Field(default=None, ge=1)

    def apply(self, state: "MatchState", id_: int) -> "MatchState":
        return replace(state, deleted=self.deleted)


class SeatsLearnt(SentEvent):
    """Each seat's direction in degrees of the calibration's frame, from play or from people."""

    words = marked("The seats are known")
    kind: Literal["seats_learnt"] = "seats_learnt"
    directions: dict[int, Direction] = Field(min_length=1, max_length=4)

    def apply(self, state: "MatchState", id_: int) -> "MatchState":
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

    kind: Literal["colours_learnt"] = "colours_learnt"
    sides: dict[SideId, Lab]
    certified: bool = False
    instead: bool = False

    def apply(self, state: "MatchState", id_: int) -> "MatchState":
        learnt = dict[str, Lab](self.sides.items())
        if self.certified:
            return replace(state, certified=learnt)
        return replace(state, colours=learnt if self.instead else {**state.colours, **learnt})


class Handed(SentEvent):
    """The match was handed to the scorer, or back to the table. `recount`: the running round counts by hand from now
    on, not by readings. A match that starts by hand is handed over by the table itself, which nobody can undo."""

    undo_words = marked("the handover")
    kind: Literal["handed"] = "handed"
    manual: bool
    recount: bool = False

    @property
    def undoable(self) -> bool:
        return self.by != "table"

    def apply(self, state: "MatchState", id_: int) -> "MatchState":
        """Either way, discs of the running round that were counted on the board are dropped."""
        if state.game.round.complete:
            return replace(state, manual=self.manual)
        number = state.game.round.number
        left = tuple(one for one in state.counted if one.round != number or one.points == rules.TWENTY)
        return replace(state, game=state.game.recount(self.recount), counted=left, manual=self.manual)


class Paused(SentEvent):
    """Refereeing was paused or resumed."""

    kind: Literal["paused"] = "paused"
    paused: bool

    def apply(self, state: "MatchState", id_: int) -> "MatchState":
        return replace(state, paused=self.paused)


class ClockSet(BaseEvent):
    """The time of day was set ahead by this many seconds (negative: back): the dates of earlier events are wrong by as
    much, back to the machine's start, `after` the event with this number."""

    kind: Literal["clock_set"] = "clock_set"
    ahead: float
    after: int = 0

    def apply(self, state: "MatchState", id_: int) -> "MatchState":
        return state
