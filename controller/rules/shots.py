"""Positions and shots: immutable values. Ids are strings; sides are "A", "B" (and "C", "D")."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import ClassVar, Literal

from controller.rules.geometry import Zone, zone

Pose = Literal["flat", "leaning", "edge"]
POSES: tuple[Pose, ...] = ("flat", "leaning", "edge")


@dataclass(frozen=True, slots=True)
class Disc:
    """A disc on the playing surface: its side, and its centre in mm of the board frame. `pose` is "leaning" (into the
    20 hole) or "edge" (standing on its edge in it) for a disc that is not a twenty. `zone`: see `zone_of`."""

    side: str
    x: float
    y: float
    pose: Pose = "flat"
    zone: Zone | None = None


@dataclass(frozen=True, slots=True)
class Position:
    """The discs on the playing surface, by id; `Position()` is empty. Those banked or in the ditch are not included.

    >>> board = Position({"a1": Disc("A", 0.0, 84.0), "b1": Disc("B", 30.0, 150.0)})
    >>> board.of("A")
    ('a1',)
    >>> "b1" in board, len(board)
    (True, 2)
    """

    discs: Mapping[str, Disc] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "discs", MappingProxyType(dict(self.discs)))

    def of(self, side: str) -> tuple[str, ...]:
        return tuple(id for id, disc in self.discs.items() if disc.side == side)

    def opponents_of(self, side: str) -> tuple[str, ...]:
        """The ids of all other sides' discs: if there are any, a valid shot of `side` must hit one."""
        return tuple(id for id, disc in self.discs.items() if disc.side != side)

    def __contains__(self, id: object) -> bool:
        return id in self.discs

    def __len__(self) -> int:
        return len(self.discs)


@dataclass(frozen=True, slots=True)
class Placed:
    """At rest on the surface (or leaning into the hole, or standing in it), with its centre at (x, y) mm. `returned`:
    it left the surface and bounced back. `zone`: see `zone_of`."""

    x: float
    y: float
    pose: Pose = "flat"
    returned: bool = False
    zone: Zone | None = None


def zone_of(disc: Disc | Placed) -> Zone:
    """What a disc scores: its stored zone, as the camera or a person decided, or else by the board's lines.

    >>> zone_of(Placed(0.0, 85.0)), zone_of(Placed(0.0, 85.0, zone=15))
    (10, 15)
    """
    return disc.zone if disc.zone is not None else zone(disc.x, disc.y)


def is_exact(disc: Disc | Placed) -> bool:
    """Whether a disc's coordinates agree with its zone. If not, a person has overruled the measurement, or the board's
    lines differ from the drawing. The coordinates are then no proof that the disc can't be there."""
    return zone_of(disc) == zone(disc.x, disc.y)


@dataclass(frozen=True, slots=True)
class Hole:
    """Flat in the 20 hole. `returned`: it left the surface and bounced back into the hole."""

    word: ClassVar[str] = "hole"  # its name in a record
    returned: bool = False


@dataclass(frozen=True, slots=True)
class Ditch:
    """Off the surface. `returned`: it bounced back in between."""

    word: ClassVar[str] = "ditch"
    returned: bool = False


Rest = Placed | Hole | Ditch  # where a disc came to rest
HOLE = Hole()
DITCH = Ditch()


def with_zones(rests: Mapping[str, Rest]) -> dict[str, Rest]:
    """Add the zone to each rest on the surface."""
    return {id: replace(rest, zone=zone_of(rest)) if isinstance(rest, Placed) else rest for id, rest in rests.items()}


@dataclass(frozen=True, slots=True)
class Shot:
    """One shot as it happened.

    `contacts`: the pairs of discs that touched, in order of time, without pegs. `rest`: where each disc that the shot
    moved came to rest; it always contains the shot disc.

    >>> shot = Shot("B", "b1", (("b1", "a1"),), {"b1": Placed(30.0, 150.0), "a1": DITCH})
    """

    side: str
    disc: str
    contacts: tuple[tuple[str, str], ...]
    rest: Mapping[str, Rest]

    def __post_init__(self) -> None:
        object.__setattr__(self, "rest", MappingProxyType(dict(self.rest)))
