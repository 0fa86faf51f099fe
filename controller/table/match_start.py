"""What a match begins with."""

from collections.abc import Mapping
from typing import Any

from controller.match import commands as cm
from controller.match import events as ev
from controller.match.state import MatchState
from controller.referee.read_board import lying_on
from controller.vision.readings import BoardReading


def match_started(
    command: cm.Start, own_rules: Mapping[str, Any] | None, before: MatchState | None, *, cleared: bool
) -> ev.MatchStarted:
    """The event that begins the match that people want; `before` is the match before.

    `own_rules` are the club's own of that name, which are kept whole with the match.
    """
    return ev.MatchStarted(
        rules=dict(own_rules or {}) or command.rules,
        format=command.format,
        sides=command.sides,
        starter=command.starter,
        discs=command.discs,
        doubles=command.doubles,
        seats={int(seat): name for seat, name in command.seats.items()},
        seat=command.seat,
        directions=dict(before.seating.directions) if before else {},
        cleared=cleared,
        assignment=command.assignment,
        by=command.by,
        who=command.who,
    )


def known_empty(before: MatchState | None, reading: BoardReading | None, *, camera_lost: bool, still: bool) -> bool:
    """Whether nothing of the match before lies on the board, as far as the table can know."""
    if before is None:
        return True
    if reading is None:
        return camera_lost or not (before.measured or before.strangers)
    return still and not reading.obstructed and not lying_on(reading)
