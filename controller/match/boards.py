"""What the table tells of the board: a shot, a board without one, and where a disc counts."""

from typing import Literal

from controller.match.cases import Doubt
from controller.match.event_base import Closed, Said, SideId
from controller.match.filmed import FilmOfShot
from controller.rules import Conduct
from controller.vision.readings import Call, Pose, Zone


class Measured(Closed):
    """A disc as the camera measured it: board frame, millimetres. See `controller.vision.readings.SeenDisc`."""

    x: float
    y: float
    pose: Pose
    zone: Zone
    clearance: float
    sigma: float
    call: Call


class Stranger(Measured):
    """A disc that lies there but is not the match's; `side` where the match knew whose it is."""

    side: SideId | None = None


class ShotSeen(Said):
    """The referee's explanation of a change on the board: one shot. Or one that people saw and the table did not."""

    kind: Literal["shot_seen"] = "shot_seen"
    side: SideId
    disc: str
    contacts: tuple[tuple[str, str], ...] = ()
    rest: dict[str, Literal["surface", "hole", "ditch"]]  # where each disc that it moved came to rest
    measured: dict[str, Measured]  # every disc that lies on the surface or in the hole afterwards
    doubt: Doubt | None = None
    t: float = 0.0
    frame: str = ""
    valid: bool | None = None  # people's word, where they corrected the verdict
    agreed: bool | None = None  # whether people agreed to play it as valid, whatever the verdict
    conduct: tuple[Conduct, ...] = ()  # what people called its player for
    annulled: bool = False  # by people: it had its turn and counts for nothing
    picture: str | None = None  # the name of the board's picture after it
    returned: tuple[str, ...] = ()  # discs that had left the surface and bounced back, as people showed
    film: FilmOfShot | None = None  # None where the shot was not filmed


class BoardSeen(Closed):
    """The board was read and no shot happened: discs were taken off, or lie a little differently.

    `strangers` lie there too, but no shot explains them; they are left out of every score.
    """

    kind: Literal["board_seen"] = "board_seen"
    measured: dict[str, Measured]
    strangers: tuple[Stranger, ...] = ()


class DiscCorrected(Said):
    """Where a disc counts, as people see it; `zone` None takes it off, `at` (x, y in mm) is where it lies.

    `after` is the event after which the disc lay there (a shot, a question); without it the disc lies there now.
    It is by the table where that saw people take off a disc that it had not asked for: what people do decides.
    """

    kind: Literal["disc_corrected"] = "disc_corrected"
    disc: str
    zone: Zone | None
    at: tuple[float, float] | None = None
    after: int | None = None
