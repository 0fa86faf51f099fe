"""The simulated table's data: scenes, shots, and what its players need to know. Units: mm, seconds, degrees.

The physics makes scenes and the painter paints them; neither knows the other. The simulated table knows no rules: an
`Umpire`, which its creator provides, tells the players what a shot was worth and which discs must come off."""

from dataclasses import dataclass
from typing import Literal, Protocol

RGB = tuple[int, int, int]  # a lamp's red, green and blue, 0 to 255


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
    """A hand with its forearm from a seat; (x, y) are the fingertips."""

    seat: int
    x: float
    y: float
    gesture: Literal["place", "flick", "lift", "sweep"] = "place"


@dataclass(frozen=True, slots=True)
class ForeignObject:
    """A foreign object: a phone on the board, a glass or a sheet of paper beside it."""

    kind: Literal["phone", "glass", "sheet"]
    x: float
    y: float
    turn: float = 0.0  # degrees counter-clockwise from +x to its long side


@dataclass(frozen=True, slots=True)
class Glow:
    """Light that differs on one part of the table: a near lamp, or the shadow of a body."""

    x: float  # mm, its middle
    y: float
    reach: float  # mm from the middle to 0.6 of its effect
    gain: float  # of the light in the middle: above 1 for a lamp, below for a shadow
    mirrored: float = 0.0  # grey levels that a glossy surface mirrors of a lamp, halfway to the hole


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything in view of a camera above the board."""

    t: float
    discs: tuple[SceneDisc, ...] = ()
    hands: tuple[Hand, ...] = ()
    light: float = 1.0  # 1 as at calibration, 0 dark
    warmth: float = 0.0  # -1 bluish .. 1 reddish
    board_shift: tuple[float, float, float] = (0.0, 0.0, 0.0)  # dx, dy, turn: the board was bumped
    covered: bool = False  # by a jacket
    things: tuple[ForeignObject, ...] = ()
    camera_nudge: tuple[float, float, float] = (0.0, 0.0, 0.0)  # two tilts and a roll of the camera, degrees
    glows: tuple[Glow, ...] = ()
    ring: tuple[RGB, ...] = ()  # the lamps of a ring round the hole, counter-clockwise from +x


Rest = tuple[float, float] | Literal["hole", "ditch"]  # where a disc came to rest; "ditch" is off the surface


@dataclass(frozen=True, slots=True)
class RestingDisc:
    """Where and how one disc came to rest."""

    at: Rest
    pose: Literal["flat", "leaning", "edge"] = "flat"
    returned: bool = False  # left the surface and bounced back


@dataclass(frozen=True, slots=True)
class TrueShot:
    """What really happened in one shot: for the umpire and for comparisons, never for the pipeline."""

    t: float  # when everything had come to rest
    side: str
    disc: str
    contacts: tuple[tuple[str, str], ...]  # pairs of discs in order of time, without pegs
    rest: dict[str, RestingDisc]  # every disc that the shot moved


@dataclass(frozen=True, slots=True)
class Turn:
    """Who shoots next."""

    round: int  # from 1; when it rises, the players sweep the board first
    side: str
    seat: int
    disc: str  # the disc's id


@dataclass(frozen=True, slots=True)
class Aftermath:
    """The discs that the players must take off after a shot."""

    to_ditch: tuple[str, ...] = ()
    bank: tuple[str, ...] = ()


Place = tuple[str, float, float]  # a disc on the surface: its side, x and y


class Umpire(Protocol):
    """Tells the simulated players what the rules demand. Its implementation uses the real engine's rules."""

    @property
    def seats(self) -> tuple[int, ...]:
        """The occupied seats."""

    def turn(self) -> Turn | None:
        """The next turn; None if the match is over."""

    def judge(self, shot: TrueShot) -> Aftermath:
        """Judge a shot and update the umpire's board. Returns the discs to take off."""

    def moved(self, disc: str, x: float, y: float) -> None:
        """Somebody moved the disc to this place."""

    def opponents_on_board(self, side: str) -> tuple[str, ...]:
        """Ids of the discs that a valid shot of `side` may have to hit."""


@dataclass(frozen=True, slots=True)
class CorrectedMatch:
    """The match as people corrected it. `discs`: the round's discs by id; None for one off the surface. `stay`: discs
    that stay where they are on the surface, since people corrected only their value. `sweep`: the board has to be
    cleared."""

    umpire: Umpire
    discs: dict[str, Place | None]
    stay: frozenset[str] = frozenset()
    sweep: bool = False
