"""Discs that the camera is not sure of: between which zones each of them is in doubt, and why."""

import math

from controller.match import events as ev
from controller.vision.readings import AT_HOLE, Zone
from hardware.board import TOURNAMENT

LOWER: dict[Zone, Zone] = {15: 10, 10: 5, 5: 0}
HIGHER: dict[Zone, Zone] = {10: 15, 5: 10, 0: 5}

AT_LINE = 5.0  # standard errors: a disc that is in doubt though it lies farther from its line is not seen well
OVER_HOLE = TOURNAMENT.hole_radius + TOURNAMENT.disc.radius  # mm from the board's middle: nearer, it covers some hole


def zones_in_doubt(disc: ev.Measured) -> tuple[Zone, Zone]:
    """The zone as measured, and the other one that it may be:

    | disc | other zone |
    |---|---|
    | leaning into the hole | 20 |
    | in the hole otherwise | 15 |
    | not seen well | 20 where it reaches over the hole, else 0 |
    | any other | the one across the line that decides; where there is none, the same |
    """
    if disc.pose in AT_HOLE:
        return (15, 20) if disc.pose == "leaning" else (20, 15)
    if unseen(disc):
        return disc.zone, 20 if math.hypot(disc.x, disc.y) < OVER_HOLE else 0
    other = LOWER.get(disc.zone) if disc.clearance > 0 else HIGHER.get(disc.zone)
    return disc.zone, other if other is not None else disc.zone


def unseen(disc: ev.Measured) -> bool:
    """Whether a disc on the surface is in doubt for another reason than a line: a hand hides most of it, say."""
    return disc.pose == "flat" and disc.call == "close" and abs(disc.clearance) > AT_LINE * disc.sigma
