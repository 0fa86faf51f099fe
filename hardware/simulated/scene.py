"""What stands on the simulated table at one moment, and what its players are told. Units: mm, seconds, degrees.

The physics makes scenes, the painter paints them; neither knows the other. Nothing here knows rules: what a shot was
worth and which discs must come off, the players are told by an `Umpire` that whoever composes the table brings.
"""

from dataclasses import dataclass
from typing import Literal, Protocol


@dataclass(frozen=True, slots=True)
class SceneDisc:
    """One disc. `z` is the height of its bottom's centre: 0 on the surface, negative in the hole or the ditch."""

    id: str
    colour: str
    x: float
    y: float
    z: float = 0.0
    tilt: float = 0.0  # from lying flat
    tilt_towards: float = 0.0  # direction of its lowest point, counter-clockwise from +x
    vx: float = 0.0  # mm/s, for motion blur
    vy: float = 0.0


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand whose forearm comes from a seat; (x, y) is where the fingertips are."""

    seat: int
    x: float
    y: float
    gesture: Literal["place", "flick", "lift", "sweep"] = "place"


@dataclass(frozen=True, slots=True)
class Thing:
    """Something that is no part of the game: a phone on the board, a glass or a sheet of paper beside it."""

    kind: Literal["phone", "glass", "sheet"]
    x: float
    y: float
    turn: float = 0.0  # degrees counter-clockwise, of its length from +x


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything that a camera above the board could see."""

    t: float
    discs: tuple[SceneDisc, ...] = ()
    hands: tuple[Hand, ...] = ()
    light: float = 1.0  # 1 as at calibration, 0 dark
    warmth: float = 0.0  # -1 bluish .. 1 reddish
    board_shift: tuple[float, float, float] = (0.0, 0.0, 0.0)  # dx, dy, turn: the board was bumped
    covered: bool = False  # by a jacket
    things: tuple[Thing, ...] = ()
    camera_nudge: tuple[float, float, float] = (0.0, 0.0, 0.0)  # two tilts and a roll of the camera, degrees


Rest = tuple[float, float] | Literal["hole", "ditch"]
"""Where a disc came to rest: on the surface, flat in the hole, or off the surface."""


@dataclass(frozen=True, slots=True)
class RestingDisc:
    """How one disc ended."""

    at: Rest
    pose: Literal["flat", "leaning", "edge"] = "flat"
    returned: bool = False  # left the surface and bounced back


@dataclass(frozen=True, slots=True)
class TrueShot:
    """What really happened in one shot: for the umpire, and for comparing afterwards. Never for the pipeline."""

    t: float  # when everything had come to rest
    side: str
    disc: str
    contacts: tuple[tuple[str, str], ...]  # pairs of discs in order of time, pegs left out
    rest: dict[str, RestingDisc]  # every disc that the shot moved


@dataclass(frozen=True, slots=True)
class Turn:
    """Who shoots next."""

    round: int  # from 1; when it rises, the players sweep the board first
    side: str
    seat: int
    disc: str  # the id that the disc gets


@dataclass(frozen=True, slots=True)
class Aftermath:
    """What the players must do after a shot."""

    to_ditch: tuple[str, ...] = ()
    bank: tuple[str, ...] = ()


Place = tuple[str, float, float]
"""Where a disc lies on the surface: its side, x and y."""


class Umpire(Protocol):
    """Tells the simulated players what the rules ask. Composed from outside with the same rules as the real engine."""

    @property
    def seats(self) -> tuple[int, ...]:
        """Where somebody sits."""
        ...

    def turn(self) -> Turn | None:
        """Whose turn it is; None when the match is over."""
        ...

    def judge(self, shot: TrueShot) -> Aftermath:
        """What must come off after this shot. The umpire's board follows."""
        ...

    def moved(self, disc: str, x: float, y: float) -> None:
        """Somebody pushed the disc, or put it back: it lies here now."""
        ...

    def opponents_on_board(self, side: str) -> tuple[str, ...]:
        """Ids of the discs that a valid shot of `side` may have to hit."""
        ...


@dataclass(frozen=True, slots=True)
class Told:
    """How people say that the match stands, whatever was played.

    `discs`: the round's discs by id; None for one that is off the surface. `stay`: discs that are not moved while they
    lie on the surface, since people only said what they count for. `sweep`: the board has to be cleared.
    """

    umpire: Umpire
    discs: dict[str, Place | None]
    stay: frozenset[str] = frozenset()
    sweep: bool = False
