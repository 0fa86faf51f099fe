"""What the table told otherwise by itself, and why, in words."""

from collections.abc import Callable, Mapping

from controller.match import events as ev
from controller.match.amendments import Change, Why
from controller.match.state import Amendment, MatchState
from controller.messages import Message, say
from controller.views.phrases import disc_name
from controller.views.schema import table_state as sc

_CHANGES: Mapping[Change, Callable[[int], Message]] = {
    "valid": lambda shot: say("shot {shot}: not a foul after all", shot=shot),
    "foul": lambda shot: say("shot {shot}: a foul after all", shot=shot),
    "twenty": lambda shot: say("shot {shot}: a twenty after all", shot=shot),
    "no_twenty": lambda shot: say("shot {shot}: no twenty after all", shot=shot),
    "added": lambda shot: say("shot {shot}: was missed at first", shot=shot),
    "dropped": lambda shot: say("shot {shot}: there was none", shot=shot),
    "otherwise": lambda shot: say("shot {shot}: told otherwise", shot=shot),
}

_WHY: Mapping[Why, Callable[[Message], Message]] = {
    "taken_off": lambda disc: say("{disc} was taken off.", disc=disc),
    "left_lying": lambda disc: say("{disc} was left lying.", disc=disc),
    "lifted": lambda disc: say("{disc} was lifted out of the hole.", disc=disc),
    "seen_again": lambda disc: say("{disc} was there all the time.", disc=disc),
    "gone": lambda disc: say("{disc} is not there any more.", disc=disc),
    "turn": lambda _: say("It shows by whose disc came next."),
    "later_board": lambda _: say("It shows by what was seen later."),
}


def amendment_text(told: ev.Amended, names: Mapping[str, str]) -> Message:
    """What is told otherwise, and why; `names` are those of the sides."""
    side = (told.disc or "?")[0].upper()
    why = _WHY[told.why](disc_name(told.disc or "", names.get(side, side)))
    if not told.shots:
        return say("Round {round} told anew. {why}", round=told.round, why=why)
    shots = tuple(_CHANGES[one.change](one.shot) for one in told.shots)
    return say("Round {round}, {shots}. {why}", round=told.round, shots=shots, why=why)


def amendments_now(state: MatchState) -> list[sc.Amendment]:
    """What was told otherwise in the running round."""
    return [_view(one, state) for one in state.amendments if one.told.round == state.game.round.number]


def amendments_of(state: MatchState, round_: int, shot: int) -> list[Message]:
    """What was told otherwise of one shot, by its number in its round."""
    return [
        amendment_text(one.told, _names(state))
        for one in state.amendments
        if one.told.round == round_ and shot in (changed.shot for changed in one.told.shots)
    ]


def _view(amendment: Amendment, state: MatchState) -> sc.Amendment:
    return {
        "id": amendment.id,
        "round": amendment.told.round,
        "after": amendment.after,
        "shots": [one.shot for one in amendment.told.shots],
        "text": amendment_text(amendment.told, _names(state)),
    }


def _names(state: MatchState) -> dict[str, str]:
    return {side: state.name_of(side) for side in state.sides}
