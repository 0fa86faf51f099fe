"""Conduct calls, with the rules' words and the penalties."""

from dataclasses import dataclass

from controller import rules
from controller.match.parts import ConductCall
from controller.match.state import MatchState
from controller.messages import Message, say
from controller.rules.conduct import Conduct
from controller.views.common import Sentence, SideLetter


@dataclass
class ConductCalled:
    """A conduct call of the running round."""

    id: int  #: The number of its event.
    round: int  #: The number of the round.
    shot: int | None  #: The shot of the round during which it happened; null if there was none.
    after: int  #: The number of shots in the round at that time.
    side: SideLetter  #: The player's side.
    conduct: Conduct  #: The breach, by its name in `rules/1`.
    text: Sentence  #: The text for people, with the penalty by the rules of the match.
    says: str | None  #: The words of the rules' source; null if it does not forbid it.

    @classmethod
    def now(cls, state: MatchState) -> "list[ConductCalled]":
        """The calls of the running round."""
        return [cls.of(one, state) for one in state.conduct if one.round == state.game.round.number]

    @classmethod
    def of(cls, called: ConductCall, state: MatchState) -> "ConductCalled":
        """One call."""
        return cls(
            id=called.id,
            round=called.round,
            shot=called.shot,
            after=called.after,
            side=called.side,
            conduct=called.conduct,
            text=conduct_text(called, state),
            says=rules.forbids(state.game.terms.rules).get(called.conduct),
        )


def conduct_text(called: ConductCall, state: MatchState) -> Message:
    """The text of a call with its penalty by the rules of the match."""
    what, name = rules.conduct_words(called.conduct), _whose(called, state)
    return say("{name} {what}. {cost}", name=name, what=what, cost=_cost(called, state))


def _whose(called: ConductCall, state: MatchState) -> str:
    """The shooter, if the call was during a shot of that side; else the side."""
    if called.shot is not None:
        played = state.game.all_rounds[called.round - 1].shots[called.shot - 1]
        if played.shot.side == called.side:
            return state.player_of(played.seat)
    return state.name_of(called.side)


def _cost(called: ConductCall, state: MatchState) -> Message:
    of_match = state.game.terms.rules
    if called.conduct not in rules.forbids(of_match) and of_match.conduct == "not_said":
        return say("These rules do not cover that: both sides decide.")
    if of_match.conduct == "not_said":
        return say("These rules forbid it and name no penalty: both sides decide.")
    if called.shot is None:
        return say("It was not during their own shot, so nothing is taken off.")
    played = state.game.all_rounds[called.round - 1].shots[called.shot - 1]
    if played.shot.side != called.side:
        return say("It was not during their own shot, so nothing is taken off.")
    if played.judgement.played_as != "conduct_foul":
        return say("Something else was agreed about the shot.")
    return say("The shot is played as a foul.")
