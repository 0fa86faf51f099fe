"""Faults of placing that can be seen, as hints: people call them, the table never does.

A disc is placed so that it touches the starting line, at most half of it over the quadrant line, when it is one's turn
(every source has one or more of these).
"""

import math
from collections.abc import Iterable

from controller.match import MatchState
from controller.referee.colours import side_of
from controller.referee.stories import touches_line
from controller.vision.readings import BoardReading, SeenDisc
from controller.words import Words, say
from hardware.board import seat_angle

SURE = 1.0  # mm over the limit before a fault is hinted at: four standard errors of a place out there


def hint(state: MatchState, placed: Iterable[SeenDisc]) -> Words | None:
    """What is wrong with how discs were placed; None when nothing is, or nothing is placed."""
    current = state.game.round
    names = {side: info.name for side, info in zip(state.game.terms.ids, state.started.sides, strict=False)}
    for disc in placed:
        name = names[str(disc.side)]
        if disc.side != current.to_shoot:
            return say("{name}'s disc lies ready, but it is not {name}'s turn.", name=name)
        if not touches_line(disc, SURE):
            return say("{name}'s disc does not touch the starting line.", name=name)
        if current.seat_to_shoot is not None and _over_quadrant_line(disc, current.seat_to_shoot):
            return say("{name}'s disc lies more than half over the quadrant line.", name=name)
    return None


def whose(state: MatchState, reading: BoardReading) -> Words | None:
    """That nobody could tell whose discs lie there; None while every disc's side is known."""
    if all(d.pose == "ditch" or side_of(d, state) is not None for d in reading.discs):
        return None
    return say("The table can't tell whose discs lie there: take all off but one side's, for a moment.")


def _over_quadrant_line(disc: SeenDisc, seat: int) -> bool:
    """How far the disc's middle lies over either of its quadrant's lines."""
    bearing = math.atan2(disc.y, disc.x) - math.radians(seat_angle(seat))
    off = abs((bearing + math.pi) % (2 * math.pi) - math.pi) - math.pi / 4
    return off > 0 and math.hypot(disc.x, disc.y) * math.sin(min(off, math.pi / 2)) > SURE
