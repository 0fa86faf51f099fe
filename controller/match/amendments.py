"""The table's amendments: it amends its own account of shots when a later board fits another explanation better."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated

from controller.match.base import WITH_KIND, SideNames, UndoableEvent
from controller.match.boards import BoardSeen, DiscCorrected
from controller.match.discs import disc_name
from controller.match.model import FrozenModel
from controller.match.parts import Amendment, Change, Revision, Why
from controller.match.shots import ShotSeen
from controller.match.state import MatchState
from controller.messages import Message, marked, say

_CHANGES: Mapping[Change, str] = {
    "valid": marked("shot {shot}: not a foul after all"),
    "foul": marked("shot {shot}: a foul after all"),
    "twenty": marked("shot {shot}: a twenty after all"),
    "no_twenty": marked("shot {shot}: no twenty after all"),
    "added": marked("shot {shot}: was missed at first"),
    "dropped": marked("shot {shot}: there was none"),
    "otherwise": marked("shot {shot}: revised"),
}

_WHY: Mapping[Why, str] = {
    "taken_off": marked("{disc} was taken off."),
    "left_lying": marked("{disc} was left lying."),
    "lifted": marked("{disc} was lifted out of the hole."),
    "seen_again": marked("{disc} was there all the time."),
    "gone": marked("{disc} is not there any more."),
    "turn": marked("The next disc shows it."),
    "later_board": marked("What was seen later shows it."),
    "colours": marked("The sides play other colours than assumed."),
    "nothing": marked("What was seen later shows it."),
}


def amendment_text(amended: Revision, names: SideNames) -> Message:
    """The text of a revision with its reason; `names`: the sides' names."""
    side = (amended.disc or "?")[0].upper()
    disc, text = disc_name(amended.disc or "", names.get(side, side)), _WHY[amended.why]
    why = Message(text, {"disc": disc} if "{disc}" in text else {})
    if not amended.shots:
        return say("Round {round} was revised. {why}", round=amended.round, why=why)
    shots = tuple(Message(_CHANGES[one.change], {"shot": one.shot}) for one in amended.shots)
    return say("Round {round}, {shots}. {why}", round=amended.round, shots=shots, why=why)


class RevisedEvent(FrozenModel):
    """A revised event: it takes effect after event `after`, for the board read at `t`. A revised shot keeps its
    `number`, so that questions, answers and corrections still refer to it."""

    after: int
    t: float
    event: Annotated[ShotSeen | BoardSeen | DiscCorrected, *WITH_KIND]  # what happened between two boards
    number: int | None = None


class Amended(UndoableEvent, Revision):
    """The table revises its account from one board on: the one read at `t`, after the event `after`.

    Its own events about that board and later ones no longer count; those in `revised` replace them. An amendment never
    reaches back beyond a person's event, except for answers, with which it agrees. New shots in `revised` get the event
    numbers just before the amendment's own, which are reserved for them. See `Revision`."""

    undo_words = marked("the table's revision")
    revises = True
    after: int
    t: float
    revised: tuple[RevisedEvent, ...] = ()

    def in_words(self, names: SideNames) -> Message:
        return amendment_text(self, names)

    @property
    def reserved(self) -> int:
        """One for each new shot."""
        return sum(isinstance(one.event, ShotSeen) and one.number is None for one in self.revised)

    def apply(self, state: MatchState) -> MatchState:
        if self.why == "nothing":
            return state
        made = Amendment(state.last_id, len(state.game.round.shots), self)
        return replace(state, amendments=(*state.amendments, made))
