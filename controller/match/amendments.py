"""Events that change which earlier events count: undo, redo, and the table's amendments. The table amends its own
account of shots when a later board fits another explanation better."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field, field_serializer

from controller.match.base import SentEvent, UndoableEvent
from controller.match.boards import BoardSeen, DiscCorrected, Measured, Stranger
from controller.match.cases import FrozenModel
from controller.match.questions import body
from controller.match.shots import ShotSeen
from controller.messages import marked

if TYPE_CHECKING:
    from controller.match.state import MatchState


class Undone(SentEvent):
    """An earlier event no longer counts. After an undone shot the discs are still where it left them: `measured` are
    those of the match, `strangers` the others, which do not score until they are lifted."""

    webhook = "correction"
    words = marked("Undone")
    revises = True
    kind: Literal["undone"] = "undone"
    target: int
    round_end: bool = False  # the target had ended a round
    measured: dict[str, Measured] | None = None
    strangers: tuple[Stranger, ...] = ()

    def apply(self, state: "MatchState", id_: int) -> "MatchState":
        if self.measured is None:  # a round's end or a correction: the fold without it is enough
            return replace(state, end_undone=state.end_undone or self.round_end, undone=id_)
        known = {disc: m for disc, m in self.measured.items() if disc in state.measured}
        return replace(state, measured=known, strangers=self.strangers, last_call=None, undone=id_)


class Redone(SentEvent):
    """An `Undone` no longer counts."""

    webhook = "correction"
    words = marked("Redone")
    revises = True
    kind: Literal["redone"] = "redone"
    target: int

    def apply(self, state: "MatchState", id_: int) -> "MatchState":
        return state


ObservedEvent = ShotSeen | BoardSeen | DiscCorrected  # the events that describe what happened between two boards
Change = Literal["valid", "foul", "twenty", "no_twenty", "added", "dropped", "otherwise"]
"""What changed about a shot: its verdict, its twenties, its existence, or something else."""
Why = Literal["taken_off", "left_lying", "lifted", "seen_again", "gone", "turn", "later_board", "colours"]


class RevisedEvent(FrozenModel):
    """A revised event: it takes effect after event `after`, for the board read at `t`. A revised shot keeps its
    `number`, so that questions, answers and corrections still refer to it."""

    after: int
    t: float
    event: Annotated[ObservedEvent, Field(discriminator="kind")]
    number: int | None = None

    @field_serializer("event")
    def _with_kind(self, event: ObservedEvent) -> dict[str, Any]:
        return {"kind": event.kind, **body(event)}


class ChangedShot(FrozenModel):
    """What changed about a shot, by its number in the round."""

    shot: int
    change: Change


class Amended(UndoableEvent):
    """The table revises its account from one board on: the one read at `t`, after the event `after`.

    Its own events about that board and later ones no longer count; those in `anew` replace them. An amendment never
    reaches back beyond a person's event, except for answers, with which it agrees. New shots in `anew` get the event
    numbers just before the amendment's own, which are reserved for them.

    | `why` | what a later board showed |
    | --- | --- |
    | `taken_off` | people took `disc` off, which had counted as in play |
    | `left_lying` | people left `disc` on the board, which was to come off |
    | `lifted` | people lifted `disc` out of the hole, where it had seemed to lean |
    | `seen_again` | `disc` is on the board, but had counted as off |
    | `gone` | `disc` is gone, but had counted as untouched |
    | `turn` | by the earlier account, somebody shot out of turn |
    | `later_board` | it fits the revised account better |
    | `colours` | the sides play other colours than assumed, as seen or as people said |
    """

    undo_words = marked("the table's revision")
    revises = True
    kind: Literal["amended"] = "amended"
    round: int
    after: int
    t: float
    anew: tuple[RevisedEvent, ...] = ()
    shots: tuple[ChangedShot, ...] = ()
    why: Why
    disc: str | None = None

    @property
    def reserved(self) -> int:
        """One for each new shot."""
        return sum(isinstance(one.event, ShotSeen) and one.number is None for one in self.anew)

    def apply(self, state: "MatchState", id_: int) -> "MatchState":
        made = Amendment(id_, len(state.game.round.shots), self)
        return replace(state, amendments=(*state.amendments, made))


@dataclass(frozen=True, slots=True)
class Amendment:
    """An amendment by the table; `after`: the number of shots in its round at that time."""

    id: int
    after: int
    event: Amended
