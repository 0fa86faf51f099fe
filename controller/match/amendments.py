"""Events that change which earlier events count: undo, redo, and the table's amendments. The table amends its own
account of shots when a later board fits another explanation better."""

from dataclasses import replace
from typing import Annotated

from controller.match.base import WITH_KIND, SentEvent, UndoableEvent
from controller.match.boards import BoardSeen, DiscCorrected
from controller.match.discs import Measured, Stranger
from controller.match.model import FrozenModel
from controller.match.parts import Amendment, Revision
from controller.match.shots import ShotSeen
from controller.match.state import MatchState
from controller.messages import marked


class Undone(SentEvent):
    """An earlier event no longer counts. After an undone shot the discs are still where it left them: `measured` are
    those of the match, `strangers` the others, which do not score until they are lifted."""

    webhook = "correction"
    words = marked("Undone")
    revises = True
    target: int
    round_end: bool = False  # the target had ended a round
    measured: dict[str, Measured] | None = None
    strangers: tuple[Stranger, ...] = ()

    def apply(self, state: MatchState, id_: int) -> MatchState:
        if self.measured is None:  # a round's end or a correction: the fold without it is enough
            return replace(state, end_undone=state.end_undone or self.round_end, undone=id_)
        known = {disc: m for disc, m in self.measured.items() if disc in state.measured}
        return replace(state, measured=known, strangers=self.strangers, last_call=None, undone=id_)


class Redone(SentEvent):
    """An `Undone` no longer counts."""

    webhook = "correction"
    words = marked("Redone")
    revises = True
    target: int

    def apply(self, state: MatchState, id_: int) -> MatchState:
        return state


class RevisedEvent(FrozenModel):
    """A revised event: it takes effect after event `after`, for the board read at `t`. A revised shot keeps its
    `number`, so that questions, answers and corrections still refer to it."""

    after: int
    t: float
    event: Annotated[ShotSeen | BoardSeen | DiscCorrected, *WITH_KIND]  # what happened between two boards
    number: int | None = None


class Amended(UndoableEvent, Revision):
    """The table revises its account from one board on: the one read at `t`, after the event `after`.

    Its own events about that board and later ones no longer count; those in `anew` replace them. An amendment never
    reaches back beyond a person's event, except for answers, with which it agrees. New shots in `anew` get the event
    numbers just before the amendment's own, which are reserved for them. See `Revision`."""

    undo_words = marked("the table's revision")
    revises = True
    after: int
    t: float
    anew: tuple[RevisedEvent, ...] = ()

    @property
    def reserved(self) -> int:
        """One for each new shot."""
        return sum(isinstance(one.event, ShotSeen) and one.number is None for one in self.anew)

    def apply(self, state: MatchState, id_: int) -> MatchState:
        made = Amendment(id_, len(state.game.round.shots), self)
        return replace(state, amendments=(*state.amendments, made))
