"""Converts a reading's discs into the journal's form."""

import math
from dataclasses import replace
from typing import Protocol

from controller.match import events as ev
from controller.match.state import MatchState
from controller.vision.readings import AT_HOLE, BoardReading, SeenDisc

SAME_STRANGER = 8.0
"""mm: a disc within this distance of a stranger's place is that stranger. Judged."""
SURE_ODDS = 6.0
"""Log-odds that mean a disc in any light: twice those of the reader. Judged."""
SEEN = 0.5
"""Share of a disc's outline below which its place is unknown. Judged."""
FAR = 5.0
"""mm from the line that decides a disc's zone. Of 348 discs in unknown lights, in 94 simulated matches, the largest
error was 0.45 mm; real boards are allowed ten times as much."""


class Located(Protocol):
    """Anything with a place on the board, in mm."""

    @property
    def x(self) -> float: ...
    @property
    def y(self) -> float: ...


def distance(a: Located, b: Located) -> float:
    """The distance between two centres, in mm."""
    return math.hypot(a.x - b.x, a.y - b.y)


def with_sensor(disc: SeenDisc, level: bool | None, stayed: bool) -> SeenDisc:
    """A disc at the hole according to camera and sensor, by the first matching row.

    `level`: whether the sensor reports a disc; None if it has not reported.

    | sensor | camera | pose | call |
    | --- | --- | --- | --- |
    | none | any | the camera's | the camera's |
    | any | not sure, and the disc `stayed` | in the hole | close |
    | differs | not sure | the sensor's | close |
    | agrees | any | the camera's | sure |
    | differs | sure | the camera's | close |

    A disc that `stayed` while people played on is in doubt although the sensor reports it: people leave leaning discs,
    and a leaning disc may reach the sensor too.
    """
    if level is None or disc.pose not in AT_HOLE:
        return disc
    if disc.call == "close" and stayed:
        return replace(disc, pose="in_hole", zone=20)
    if disc.call == "close" and (disc.pose == "in_hole") != level:
        return replace(disc, pose="in_hole", zone=20) if level else replace(disc, pose="leaning", zone=15)
    return replace(disc, call="sure" if (disc.pose == "in_hole") == level else "close")


def measure(disc: SeenDisc) -> ev.Measured:
    """A seen disc in the journal's form."""
    plain = _plainly_in_zone(disc)
    return ev.Measured(
        x=round(disc.x, 3),
        y=round(disc.y, 3),
        pose=disc.pose,
        zone=disc.zone,
        clearance=round(disc.clearance, 3),
        sigma=round(disc.sigma, 3),
        call="sure" if plain else disc.call,
    )


def _plainly_in_zone(disc: SeenDisc) -> bool:
    """Whether a disc's zone is beyond doubt: it is certainly a disc, mostly visible, and far from its line. In an
    unknown light a reading calls every disc close, although only its exact place is in doubt.
    """
    is_disc = disc.log_odds is not None and disc.log_odds > SURE_ODDS and disc.visible > SEEN
    return disc.pose == "flat" and is_disc and abs(disc.clearance) > FAR


def stranger(disc: SeenDisc) -> ev.Stranger:
    """A seen disc as a stranger."""
    return ev.Stranger.of(measure(disc), disc.side)


def lying_on(reading: BoardReading) -> tuple[ev.Stranger, ...]:
    """Every disc on the surface and in the hole, as strangers."""
    return tuple(stranger(d) for d in reading.discs if d.pose != "ditch")


def until_cleared(state: MatchState, reading: BoardReading) -> ev.BoardSeen | None:
    """The event that makes all discs strangers until the board is seen empty, since no shot of the new match brought
    them. None while a hand is in the way, and while the strangers are unchanged.
    """
    lying = lying_on(reading)
    as_known = len(lying) == len(state.strangers) and all(
        any(distance(d, s) < SAME_STRANGER for s in state.strangers) for d in lying
    )
    if reading.obstructed or (lying and as_known):
        return None
    return ev.BoardSeen(measured={}, strangers=lying)
