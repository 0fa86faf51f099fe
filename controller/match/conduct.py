"""Calls for conduct."""

from dataclasses import replace
from typing import Any, Literal, Self

from pydantic import model_validator

from controller.errors import Refused
from controller.match.base import SideNames
from controller.match.base_command import At, BaseCommand, Events
from controller.match.model import Number, SideId
from controller.match.parts import ConductCall
from controller.match.shots import CorrectsShot, ShotSeen
from controller.match.state import MatchState
from controller.messages import Message, marked, say
from controller.rules import Conduct, conduct_words


class ConductCalled(CorrectsShot):
    """A player of a side broke a rule of conduct. The match's rules set the penalty. `target` is the `ShotSeen` during
    which it happened; None if it was not during a shot of that side."""

    undo_words = marked("the call for conduct")
    side: SideId
    conduct: Conduct
    target: int | None = None

    def in_words(self, names: SideNames) -> Message:
        return self.filled(marked("Called: {name} {what}"), names, what=conduct_words(self.conduct))

    def changes(self, shot: ShotSeen) -> dict[str, Any]:
        return {"conduct": (*shot.conduct, self.conduct)} if self.side == shot.side else {}

    def apply(self, state: MatchState, id_: int) -> MatchState:
        number, shot = state.place_of(self.target) or (state.game.round.number, None)
        after = len(state.game.all_rounds[number - 1].shots)
        call = ConductCall(id_, number, shot, self.side, self.conduct, after)
        return replace(state, conduct=(*state.conduct, call))


class CallConduct(BaseCommand):
    """Call a player of this side for conduct; with `round` and `shot`: during that shot. The match's rules set the
    penalty; without one, the call is shown but changes no figure."""

    do: Literal["call_conduct"]
    side: SideId
    conduct: Conduct
    round: Number | None = None
    shot: Number | None = None

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if (self.round is None) != (self.shot is None):
            raise ValueError(say("A shot needs its round, and a round its shot."))
        return self

    def at_stake(self, at: At) -> object:
        return [call for call in at.state.conduct if call.side == self.side]

    def events(self, at: At) -> Events:
        at.check_side(self.side)
        if self.shot is None and at.state.over:
            raise Refused(say("The match is over."), "next")
        target = None
        if self.round is not None and self.shot is not None:
            target = at.shot_seen(self.round, self.shot)
        return [ConductCalled(side=self.side, conduct=self.conduct, target=target)]
