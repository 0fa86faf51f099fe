"""What the pads of a board without hardware show: a match in the words of the table's own state."""

from controller.club.hub import documents as doc
from controller.club.hub.matches import Played
from controller.match.state import MatchState
from controller.match.timers import TIMERS, Timer


def pads(played: Played) -> doc.Pads | None:
    """The running round as people count it, and the clocks; None where the match is over or can't be followed."""
    state = played.state
    if state is None or state.over:
        return None
    return {
        "id": played.key.match,
        "over": False,
        "manual": True,
        "format": {"kind": state.game.terms.format.kind},
        "round": {"number": state.game.round.number, "shots": 0},
        "timers": [_timer(state.timers[name]) for name in TIMERS if name in state.timers],
        "sides": [_side(state, side) for side in state.sides],
    }


def _side(state: MatchState, side: str) -> doc.PadSide:
    return {
        "id": side,
        "name": state.name_of(side),
        "discs": state.game.terms.discs,
        "twenties": state.game.round.twenty_counts[side],
        "by_hand": state.by_hand[side],
        "counted": [{"id": one.id, "points": one.points} for one in state.counted_for(side)],
    }


def _timer(timer: Timer) -> doc.PadTimer:
    running = timer.ends is not None
    word = "ended" if timer.ended else "running" if running else "waiting" if timer.waiting else "stopped"
    return {
        "timer": timer.set.timer,
        "seconds": timer.set.seconds,
        "on_first_shot": timer.set.on_first_shot,
        "word": word,
        "left": None if running else 0.0 if timer.ended else round(timer.set.left, 1),
        "ends": None if timer.ends is None else round(timer.ends, 3),
        "text": None,
    }
