"""A board, and what a shot did to it. Frozen values; ids are strings, sides "A", "B" (and "C", "D")."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Literal

from controller.rules.geometry import Zone, zone
from hardware.board import Board as Geometry

Pose = Literal["flat", "leaning", "edge"]
POSES: tuple[Pose, ...] = ("flat", "leaning", "edge")


@dataclass(frozen=True, slots=True)
class Disc:
    """A disc on the playing surface: whose it is and where its centre lies, in mm of the board frame.

    `pose` is "leaning" (into the 20 hole) or "edge" (standing on its edge in it) for a disc that is no twenty yet.
    `zone`: what it scores there, see `zone_of`.
    """

    side: str
    x: float
    y: float
    pose: Pose = "flat"
    zone: Zone | None = None


@dataclass(frozen=True, slots=True)
class Board:
    """The discs on the playing surface, by id; `Board()` is empty. What is banked or in the ditch is not on it.

    >>> board = Board({"a1": Disc("A", 0.0, 84.0), "b1": Disc("B", 30.0, 150.0)})
    >>> board.of("A")
    ('a1',)
    >>> "b1" in board, len(board)
    (True, 2)
    """

    discs: Mapping[str, Disc] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "discs", MappingProxyType(dict(self.discs)))

    def of(self, side: str) -> tuple[str, ...]:
        """The ids of a side's discs."""
        return tuple(id for id, disc in self.discs.items() if disc.side == side)

    def opponents_of(self, side: str) -> tuple[str, ...]:
        """The ids of all other sides' discs: those that a valid shot of `side` has to hit, when there are any."""
        return tuple(id for id, disc in self.discs.items() if disc.side != side)

    def __contains__(self, id: object) -> bool:
        return id in self.discs

    def __len__(self) -> int:
        return len(self.discs)


@dataclass(frozen=True, slots=True)
class Placed:
    """At rest on the surface (or leaning into the hole, or standing in it), its centre at (x, y) mm.

    `returned`: it left the surface and bounced back. `zone`: what it scores there, see `zone_of`.
    """

    x: float
    y: float
    pose: Pose = "flat"
    returned: bool = False
    zone: Zone | None = None


def zone_of(lying: Disc | Placed, geometry: Geometry) -> Zone:
    """What a disc scores where it lies: as whoever saw it decided, a camera or a person; else by the geometry's lines.

    >>> from hardware.board import TOURNAMENT
    >>> zone_of(Placed(0.0, 85.0), TOURNAMENT), zone_of(Placed(0.0, 85.0, zone=15), TOURNAMENT)
    (10, 15)
    """
    return lying.zone if lying.zone is not None else zone(lying.x, lying.y, geometry)


def is_exact(lying: Disc | Placed, geometry: Geometry) -> bool:
    """Whether the position says the zone that the disc has.

    Where it says another, a person has overruled what was measured, or the board has other lines than the geometry:
    then the position does not tell that the disc can't lie there.
    """
    return zone_of(lying, geometry) == zone(lying.x, lying.y, geometry)


@dataclass(frozen=True, slots=True)
class Hole:
    """Lying flat in the 20 hole. `returned`: it left the surface and bounced back into it."""

    returned: bool = False

    @property
    def word(self) -> str:
        """What a record calls it."""
        return "hole"


@dataclass(frozen=True, slots=True)
class Ditch:
    """Off the surface. `returned`: it had bounced back in between."""

    returned: bool = False

    @property
    def word(self) -> str:
        """What a record calls it."""
        return "ditch"


Rest = Placed | Hole | Ditch
"""Where a disc came to rest."""

HOLE = Hole()
DITCH = Ditch()


def zoned(rests: Mapping[str, Rest], geometry: Geometry) -> dict[str, Rest]:
    """The same rests, each of them on the surface with its zone."""
    return {
        id: replace(rest, zone=zone_of(rest, geometry)) if isinstance(rest, Placed) else rest
        for id, rest in rests.items()
    }


@dataclass(frozen=True, slots=True)
class Shot:
    """One shot as it happened.

    `contacts` are the pairs of discs that touched, in order of time, pegs left out; `rest` has every disc that the
    shot moved, the shot disc always among them, and where it came to rest.

    >>> shot = Shot("B", "b1", (("b1", "a1"),), {"b1": Placed(30.0, 150.0), "a1": DITCH})
    """

    side: str
    disc: str
    contacts: tuple[tuple[str, str], ...]
    rest: Mapping[str, Rest]

    def __post_init__(self) -> None:
        object.__setattr__(self, "rest", MappingProxyType(dict(self.rest)))
