"""The table's amendments: it amends its own account of shots when a later board fits another explanation better."""

from dataclasses import replace
from typing import Annotated

from controller.match.base import WITH_KIND, UndoableEvent
from controller.match.boards import BoardSeen, DiscCorrected
from controller.match.model import FrozenModel
from controller.match.parts import Amendment, Revision
from controller.match.shots import ShotSeen
from controller.match.state import MatchState
from controller.messages import marked


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
