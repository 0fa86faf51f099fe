"""A board, and what a shot did to it. Frozen values; ids are strings, sides "A", "B" (and "C", "D")."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

Pose = Literal["flat", "leaning", "edge"]
POSES: tuple[Pose, ...] = ("flat", "leaning", "edge")


@dataclass(frozen=True, slots=True)
class Disc:
    """A disc on the playing surface: whose it is and where its centre lies, in mm of the board frame.

    `pose` is "leaning" (into the 20 hole) or "edge" (standing on its edge in it) for a disc that is no twenty yet.
    """

    side: str
    x: float
    y: float
    pose: Pose = "flat"


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

    `returned`: it left the surface and bounced back.
    """

    x: float
    y: float
    pose: Pose = "flat"
    returned: bool = False


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
