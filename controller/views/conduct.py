"""Conduct calls, with the rules' words and the penalties."""

from dataclasses import dataclass

from controller import rules
from controller.match.parts import ConductCall
from controller.match.state import MatchState
from controller.messages import Message, say
from controller.rules.conduct import Conduct
from controller.rules.rounds import JudgedShot
from controller.views.common import Sentence, SideId


@dataclass
class CalledConduct:
    """A conduct call of the running round."""

    id: int  #: The number of its event.
    round: int  #: The number of the round.
    shot: int | None  #: The shot of the round during which it happened; null if there was none.
    after: int  #: The number of shots in the round at that time.
    side: SideId  #: The player's side.
    conduct: Conduct  #: The breach, by its name in `rules/1`.
    text: Sentence  #: The text for people, with the penalty by the rules of the match.
    says: str | None  #: The words of the rules' source; null if it does not forbid it.

    @classmethod
    def now(cls, state: MatchState) -> "list[CalledConduct]":
        """The calls of the running round."""
        return [cls.of(one, state) for one in state.conduct if one.round == state.game.round.number]

    @classmethod
    def of(cls, called: ConductCall, state: MatchState) -> "CalledConduct":
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
    own = _own_shot(called, state)
    name = state.player_of(own.seat) if own else state.name_of(called.side)
    cost = _cost(called.conduct, own, state.game.terms.rules)
    return say("{name} {what}. {cost}", name=name, what=rules.conduct_words(called.conduct), cost=cost)


def _own_shot(called: ConductCall, state: MatchState) -> JudgedShot | None:
    """The shot of that side during which the call was; None if it was during none."""
    if called.shot is None:
        return None
    played = state.game.all_rounds[called.round - 1].shots[called.shot - 1]
    return played if played.shot.side == called.side else None


def _cost(conduct: Conduct, own: JudgedShot | None, of_match: rules.RuleSet) -> Message:
    if conduct not in rules.forbids(of_match) and of_match.conduct == "not_said":
        return say("These rules do not cover that: both sides decide.")
    if of_match.conduct == "not_said":
        return say("These rules forbid it and name no penalty: both sides decide.")
    if own is None:
        return say("It was not during their own shot, so nothing is taken off.")
    if own.judgement.played_as != "conduct_foul":
        return say("Something else was agreed about the shot.")
    return say("The shot is played as a foul.")
