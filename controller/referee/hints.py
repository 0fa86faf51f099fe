"""Hints about visible placing faults. Only people call a fault.

The player whose turn it is places the disc so that it touches the starting line, with at most half of it over the
quadrant line. Every source of the rules has at least one of these three conditions.
"""

import math
from collections.abc import Iterable

from controller.match.parts import Hint
from controller.match.state import MatchState
from controller.referee.whose_disc import side_of
from controller.vision.readings import BoardReading, SeenDisc
from hardware.board import TOURNAMENT

SURE = 1.0
"""mm over the limit before a hint: four standard errors of a place at the starting line."""
ELSEWHERE = 2 * TOURNAMENT.disc.radius
"""mm over the quadrant line, a disc's diameter: a seated player places no disc that far off. Judged."""


def hint(state: MatchState, placed: Iterable[SeenDisc]) -> Hint | None:
    """The hint about wrongly placed discs, if any."""
    current = state.game.round
    for disc in placed:
        side = str(disc.side)
        if side != current.to_shoot:
            return Hint("not_in_turn", side)
        if not _touches_line(disc, SURE):
            return Hint("off_the_line", side)
        if state.seating.sure and current.seat_to_shoot is not None:
            over = _over_quadrant_line(disc, state.seating.directions[current.seat_to_shoot])
            if over > ELSEWHERE:
                return Hint("at_another_seat", side)
            if over > SURE:
                return Hint("over_quadrant_line", side)
    return None


def unknown_owner(state: MatchState, reading: BoardReading) -> Hint | None:
    """A hint that the owner of some discs is unknown; None if every disc's side is known."""
    if all(d.pose == "ditch" or side_of(d, state) is not None for d in reading.discs):
        return None
    return Hint("whose_unknown")


def _over_quadrant_line(disc: SeenDisc, direction: float) -> float:
    """The distance (mm) of the disc's centre beyond the quadrant in this direction (degrees)."""
    bearing = math.atan2(disc.y, disc.x) - math.radians(direction)
    off = abs((bearing + math.pi) % (2 * math.pi) - math.pi) - math.pi / 4
    return math.hypot(disc.x, disc.y) * math.sin(min(max(off, 0.0), math.pi / 2))


def _touches_line(disc: SeenDisc, slack: float) -> bool:
    """Whether a disc touches the starting line, or misses it by at most this many mm."""
    away = abs(math.hypot(disc.x, disc.y) - TOURNAMENT.outer_line)
    return away <= TOURNAMENT.disc.radius + TOURNAMENT.line_width / 2 + slack
