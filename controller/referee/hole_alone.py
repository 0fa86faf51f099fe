"""The hole's sensor without a camera: each twenty is counted when it is lifted.

Without a colour sensor people say whose it is.
"""

from collections.abc import Iterable, Sequence
from itertools import takewhile

from controller.match import events as ev
from controller.match.state import MatchState
from controller.referee.settings import HOLE


def twenty_alone(state: MatchState) -> list[ev.Event]:
    """The event for a disc that was just lifted from the hole, where only the sensor knows of it.

    A disc that lay there long enough for a twenty is counted for its owner if the unit saw its colour; else people are
    asked whose it was.
    """
    if state.paused or state.over or state.game.round.complete or not state.hole or state.hole[-1].occupied:
        return []
    spans = dwells(state.hole)
    if not spans or spans[-1] < HOLE.seated_seconds:
        return []
    number = state.game.round.number
    stay = takewhile(lambda change: change.occupied, reversed(state.hole[:-1]))
    side = next((change.side for change in stay if change.side is not None), None)
    if side is not None:
        return [ev.TwentyCounted(round=number, side=side)]
    return [_whose(state.sides, number)]


def _whose(sides: Sequence[str], number: int) -> ev.QuestionAsked:
    answers = [
        {"id": side, "does": [ev.TwentyCounted.model_validate({"round": number, "side": side})]} for side in sides
    ]
    return ev.QuestionAsked.model_validate(
        {"what": "twenty", "case": "whose_unseen", "round": number, "answers": [*answers, {"id": "nobody"}]}
    )


def dwells(changes: Iterable[ev.HoleChanged]) -> list[float]:
    """How long each disc lay in the hole that came and is out of it again, in seconds.

    A gap shorter than `HOLE.seated_seconds` is chatter of the contact: the same disc lies there.
    """
    stays: list[tuple[float | None, float | None]] = []  # on and off; None: before the first change, after the last
    for change in changes:
        on, off = stays[-1] if stays else (None, None)
        if not change.occupied:
            if not stays:
                stays.append((None, change.t))
            elif off is None:
                stays[-1] = (on, change.t)
        elif not stays or (off is not None and change.t - off >= HOLE.seated_seconds):
            stays.append((change.t, None))
        else:
            stays[-1] = (on, None)
    return [off - on for on, off in stays if on is not None and off is not None]
