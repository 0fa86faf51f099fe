"""Discs in doubt: the zones between which each is in doubt, and why."""

import math

from controller.match import events as ev
from controller.vision.readings import AT_HOLE, Zone
from hardware.board import TOURNAMENT

LOWER: dict[Zone, Zone] = {15: 10, 10: 5, 5: 0}
HIGHER: dict[Zone, Zone] = {10: 15, 5: 10, 0: 5}

AT_LINE = 5.0  # standard errors: a disc farther from its line that is still in doubt is poorly visible
OVER_HOLE = TOURNAMENT.hole_radius + TOURNAMENT.disc.radius  # mm from the centre: nearer, it overlaps the hole


def zones_in_doubt(disc: ev.Measured) -> tuple[Zone, Zone]:
    """The measured zone, and the other possible one:

    | disc | other zone |
    |---|---|
    | leaning into the hole | 20 |
    | in the hole otherwise | 15 |
    | poorly visible | 20 if it overlaps the hole, else 0 |
    | any other | the one across the nearest line; if there is none, the same |
    """
    if disc.pose in AT_HOLE:
        return (15, 20) if disc.pose == "leaning" else (20, 15)
    if unseen(disc):
        return disc.zone, 20 if math.hypot(disc.x, disc.y) < OVER_HOLE else 0
    other = LOWER.get(disc.zone) if disc.clearance > 0 else HIGHER.get(disc.zone)
    return disc.zone, other if other is not None else disc.zone


def unseen(disc: ev.Measured) -> bool:
    """Whether a disc on the surface is in doubt for a reason other than a line, for example because a hand hides it."""
    return disc.pose == "flat" and disc.call == "close" and abs(disc.clearance) > AT_LINE * disc.sigma
