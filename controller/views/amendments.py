"""Texts of the table's revisions and their reasons."""

from collections.abc import Callable, Mapping

from controller.match import events as ev
from controller.match.amendments import Amendment, Change, Why
from controller.match.state import MatchState
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
    "otherwise": lambda shot: say("shot {shot}: revised", shot=shot),
}

_WHY: Mapping[Why, Callable[[Message], Message]] = {
    "taken_off": lambda disc: say("{disc} was taken off.", disc=disc),
    "left_lying": lambda disc: say("{disc} was left lying.", disc=disc),
    "lifted": lambda disc: say("{disc} was lifted out of the hole.", disc=disc),
    "seen_again": lambda disc: say("{disc} was there all the time.", disc=disc),
    "gone": lambda disc: say("{disc} is not there any more.", disc=disc),
    "turn": lambda _: say("The next disc shows it."),
    "later_board": lambda _: say("What was seen later shows it."),
    "colours": lambda _: say("The sides play other colours than assumed."),
}


def amendment_text(amended: ev.Amended, names: Mapping[str, str]) -> Message:
    """The text of a revision with its reason; `names`: the sides' names."""
    side = (amended.disc or "?")[0].upper()
    why = _WHY[amended.why](disc_name(amended.disc or "", names.get(side, side)))
    if not amended.shots:
        return say("Round {round} was revised. {why}", round=amended.round, why=why)
    shots = tuple(_CHANGES[one.change](one.shot) for one in amended.shots)
    return say("Round {round}, {shots}. {why}", round=amended.round, shots=shots, why=why)


def amendments_now(state: MatchState) -> list[sc.Amendment]:
    """The revisions of the running round."""
    return [_view(one, state) for one in state.amendments if one.event.round == state.game.round.number]


def amendments_of(state: MatchState, round_: int, shot: int) -> list[Message]:
    """The texts of a shot's revisions, by its number in its round."""
    return [
        amendment_text(one.event, state.names)
        for one in state.amendments
        if one.event.round == round_ and shot in (changed.shot for changed in one.event.shots)
    ]


def _view(amendment: Amendment, state: MatchState) -> sc.Amendment:
    return {
        "id": amendment.id,
        "round": amendment.event.round,
        "after": amendment.after,
        "shots": [one.shot for one in amendment.event.shots],
        "text": amendment_text(amendment.event, state.names),
    }
