"""A shot that people saw and the table did not."""

import math

from controller import rules
from controller.errors import Refused
from controller.match import commands as cm
from controller.match import events as ev
from controller.match.state import MatchState
from controller.messages import say
from controller.referee.read_board import measure
from controller.referee.whose_disc import new_id
from controller.vision.readings import BoardReading

TAPPED = 25.0  # mm: a disc that the camera sees this near to people's tap is the one they mean
SAME = 8.0  # mm: a seen disc this near to a known one is the known one, not the missed one


def added_shot(command: cm.AddShot, state: MatchState, reading: BoardReading | None) -> ev.ShotSeen:
    """The shot as if it had been seen; valid if there was an opposing disc that it can have hit.

    Raises `Refused` if the match is over or no shot is due; the rules check the turn.
    """
    current = state.game.round
    if state.over or current.complete:
        raise Refused(say("Every disc of this round was shot: undo its end, or correct a disc instead."))
    disc = new_id(state, command.side)
    where, measured = command.at, dict(state.measured)
    if not isinstance(where, str):
        measured[disc] = _measured(state.seating.measured(*where), state, reading)
    return ev.ShotSeen(
        side=command.side,
        disc=disc,
        rest={disc: where if isinstance(where, str) else "surface"},
        measured=measured,
        valid=True if current.board.opponents_of(command.side) and where != "ditch" else None,
    )


def _measured(at: tuple[float, float], state: MatchState, reading: BoardReading | None) -> ev.Measured:
    """The disc as the camera measured it; if it sees none, as people tapped it."""
    known = [(m.x, m.y) for m in state.measured.values()]
    seen = [
        d
        for d in (reading.discs if reading else ())
        if math.dist((d.x, d.y), at) < TAPPED and all(math.dist((d.x, d.y), k) > SAME for k in known)
    ]
    if seen:
        return measure(min(seen, key=lambda d: math.dist((d.x, d.y), at)))
    x, y = at
    return ev.Measured(
        x=x, y=y, pose="flat", zone=rules.zone(x, y), clearance=rules.nearest_line(x, y)[1], sigma=0.0, call="sure"
    )
