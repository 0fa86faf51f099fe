"""The hole's sensor without a camera: twenties are counted live, and people say whose where no colour sensor does."""

from itertools import takewhile

from controller.match import events as ev
from controller.match.state import MatchState
from controller.messages import say
from controller.referee.hole import SEATED, dwells


def twenty_alone(state: MatchState) -> list[ev.Event]:
    """What a disc that was just lifted from the hole means where the sensor alone knows of it.

    It lay there long enough for a twenty: its owner's, if the unit saw its colour, else a question whose it was.
    """
    if state.paused or state.over or state.game.round.complete or not state.hole or state.hole[-1].occupied:
        return []
    spans = dwells(state.hole)
    if not spans or spans[-1] < SEATED:
        return []
    number = state.game.round.number
    stay = takewhile(lambda change: change.occupied, reversed(state.hole[:-1]))
    side = next((change.side for change in stay if change.side is not None), None)
    if side is not None:
        return [ev.TwentyCounted(round=number, side=side)]
    return [_whose(state, number)]


def _whose(state: MatchState, number: int) -> ev.QuestionAsked:
    totals = state.game.round.totals
    answers = [
        ev.Answer.model_validate(
            {
                "id": side,
                "text": say("{name}'s", name=info.name),
                "effect": say(
                    "{name} {total} in round {round}.", name=info.name, total=totals[side] + 20, round=number
                ),
                "does": [ev.TwentyCounted.model_validate({"round": number, "side": side})],
            }
        )
        for side, info in zip(state.sides, state.started.sides, strict=True)
    ]
    nobody = ev.Answer(id="nobody", text=say("No twenty"), effect=say("Nothing changes."))
    return ev.QuestionAsked(
        what="twenty", text=say("A disc lay in the hole. Whose twenty is it?"), round=number, answers=(*answers, nobody)
    )
