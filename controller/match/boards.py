"""The events about discs on the board: a shot, a board without a shot, a corrected disc."""

from typing import Literal

from controller.match.cases import Doubt
from controller.match.event_base import FrozenModel, SentEvent, SideId
from controller.match.filmed import FilmOfShot
from controller.rules import Conduct
from controller.vision.readings import Call, Pose, Zone


class Measured(FrozenModel):
    """A disc as the camera measured it: board frame, millimetres. See `controller.vision.readings.SeenDisc`."""

    x: float
    y: float
    pose: Pose
    zone: Zone
    clearance: float
    sigma: float
    call: Call


class Stranger(Measured):
    """A disc on the board that is not part of the match; `side` if it is known."""

    side: SideId | None = None


class ShotSeen(SentEvent):
    """One shot: the referee's explanation of a change on the board, or a shot that only people saw."""

    kind: Literal["shot_seen"] = "shot_seen"
    side: SideId
    disc: str
    contacts: tuple[tuple[str, str], ...] = ()
    rest: dict[str, Literal["surface", "hole", "ditch"]]  # where each moved disc came to rest
    measured: dict[str, Measured]  # every disc on the surface or in the hole afterwards
    doubt: Doubt | None = None
    t: float = 0.0
    frame: str = ""
    valid: bool | None = None  # the verdict as people corrected it
    agreed: bool | None = None  # people agreed to play it as valid or as a foul
    conduct: tuple[Conduct, ...] = ()  # conduct calls against its player
    annulled: bool = False  # by people: it took its turn but does not count
    picture: str | None = None  # the name of the picture after it
    returned: tuple[str, ...] = ()  # discs that people said left the surface and bounced back
    film: FilmOfShot | None = None  # None if the shot was not filmed


class BoardSeen(FrozenModel):
    """A reading without a shot: discs were taken off or moved slightly.

    `strangers`: other discs on the board, which no shot explains; they never score.
    """

    kind: Literal["board_seen"] = "board_seen"
    measured: dict[str, Measured]
    strangers: tuple[Stranger, ...] = ()


class DiscCorrected(SentEvent):
    """A disc's corrected zone (None: off the board) or place `at` (x, y in mm).

    `after`: the event (a shot or a question) after which the disc was there; without it, it is there now. `by` is the
    table if it saw people take off a disc that did not have to come off: what people do decides.
    """

    kind: Literal["disc_corrected"] = "disc_corrected"
    disc: str
    zone: Zone | None
    at: tuple[float, float] | None = None
    after: int | None = None
