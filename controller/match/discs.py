"""The discs on the board as the camera measured them."""

import math
from collections.abc import Container, Mapping
from typing import Self

from controller import rules
from controller.match.model import FrozenModel, SideId
from controller.messages import Message, marked, say
from controller.vision.readings import AT_HOLE, Call, Pose, Zone
from hardware.board import TOURNAMENT

SAME_PLACE = 8.0  # mm: two measured discs this near to each other are the same
LOWER: dict[Zone, Zone] = {15: 10, 10: 5, 5: 0}
HIGHER: dict[Zone, Zone] = {10: 15, 5: 10, 0: 5}
AT_LINE = 5.0  # standard errors: a disc farther from its line that is still in doubt is poorly visible
OVER_HOLE = TOURNAMENT.hole_radius + TOURNAMENT.disc.radius  # mm from the centre: nearer, it overlaps the hole


class Measured(FrozenModel):
    """A disc as the camera measured it: board frame, millimetres. See `controller.vision.readings.SeenDisc`."""

    x: float
    y: float
    pose: Pose
    zone: Zone
    clearance: float
    sigma: float
    call: Call

    @classmethod
    def at(cls, x: float, y: float, zone: Zone | None = None) -> Self:
        """A disc where people say that it lies; its `zone` if they say so too."""
        found, clearance = rules.zone(x, y), rules.nearest_line(x, y)[1]
        zone = found if zone is None else zone
        return cls(x=x, y=y, pose="flat", zone=zone, clearance=clearance, sigma=0.0, call="sure")

    def placed(self, zone: Zone, *, returned: bool = False) -> rules.Placed:
        """Its resting place for the rules, with the zone that the camera or a person decided. A disc that leans into
        the hole is in the 15, and so is one in the hole that is not a twenty."""
        if self.pose == "leaning":
            return rules.Placed(self.x, self.y, "leaning", returned, 15)
        return rules.Placed(self.x, self.y, "flat", returned, 15 if zone == 20 else zone)

    @property
    def poorly_visible(self) -> bool:
        """Whether a disc on the surface is in doubt for a reason other than a line, such as a hand that hides it."""
        return self.pose == "flat" and self.call == "close" and abs(self.clearance) > AT_LINE * self.sigma

    @property
    def zones_in_doubt(self) -> tuple[Zone, Zone]:
        """The measured zone, and the other possible one:

        | disc | other zone |
        |---|---|
        | leaning into the hole | 20 |
        | in the hole otherwise | 15 |
        | poorly visible | 20 if it overlaps the hole, else 0 |
        | any other | the one across the nearest line; if there is none, the same |
        """
        if self.pose in AT_HOLE:
            return (15, 20) if self.pose == "leaning" else (20, 15)
        if self.poorly_visible:
            return self.zone, 20 if math.hypot(self.x, self.y) < OVER_HOLE else 0
        other = LOWER.get(self.zone) if self.clearance > 0 else HIGHER.get(self.zone)
        return self.zone, other if other is not None else self.zone


class Stranger(Measured):
    """A disc on the board that is not part of the match; `side` if it is known."""

    side: SideId | None = None

    @classmethod
    def of(cls, disc: Measured, side: str | None) -> "Stranger":
        return cls(**disc.model_dump(), side=side)


def with_unplayed(
    strangers: tuple[Stranger, ...], measured: Mapping[str, Measured], played: Container[str] = ()
) -> tuple[Stranger, ...]:
    """The strangers, plus the measured discs that are not among those `played`, such as those of annulled shots."""
    for disc, m in measured.items():
        if disc not in played and not any(math.hypot(s.x - m.x, s.y - m.y) < SAME_PLACE for s in strangers):
            strangers = (*strangers, Stranger.of(m, disc[0].upper()))  # a disc's name begins with its side
    return strangers


DISCS = (
    marked("{name}'s first disc"),
    marked("{name}'s second disc"),
    marked("{name}'s third disc"),
    marked("{name}'s fourth disc"),
    marked("{name}'s fifth disc"),
    marked("{name}'s sixth disc"),
    marked("{name}'s seventh disc"),
    marked("{name}'s eighth disc"),
    marked("{name}'s ninth disc"),
    marked("{name}'s tenth disc"),
    marked("{name}'s eleventh disc"),
    marked("{name}'s twelfth disc"),
)
"""The most that a side has in any rule set (NCA doubles); further discs are numbered."""


def disc_name(disc: str, name: str) -> Message:
    """A disc's name, given its side's name. The id ends with its number among the side's shot discs."""
    if not disc[1:].isdigit():
        return Message(disc)
    number = int(disc[1:])
    if 1 <= number <= len(DISCS):
        return say(DISCS[number - 1], name=name)
    return say("{name}'s disc {number}", name=name, number=number)
