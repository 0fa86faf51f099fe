"""How a simulated table stands in its room: how the camera hangs over it, where the players sit, when the lamps go on.

Places on a simulated table are always in the board frame of its match. There seat 1 is at -y, wherever in the room its
player sits: for players who sit elsewhere, the camera, the lamps and the wood's grain are turned instead.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from hardware.simulated.lens import CameraPose
from hardware.simulated.look import Look

Hung = Literal["random", "straight", "beside"]

QUARTER = 90.0  # degrees
SIDES_OF_PICTURE = ("bottom", "left", "top", "right")  # clockwise
ASKEW = 6.0  # degrees, the most either way: what is left where a camera was turned straight by eye
BESIDE = (38.0, 50.0)  # degrees off the vertical, of a camera on a tripod beside the table
ASTRIDE = 25.0  # degrees, the most either way, by which such a camera stands to the side of a seat
AWAY = 940.0  # mm from the hole to such a camera: all of the board is in its picture
LATE_LAMPS = 1 / 6  # of the matches
LAMPS_ON = (2.0, 12.0)  # s after the table's start
STREAM = 1  # a part of the seed, so that these random numbers are not those of the play


@dataclass(frozen=True, slots=True)
class Arrangement:
    """One table in its room. As it is by default, seat 1 is nearest to the picture's bottom and all lamps are on."""

    camera: int = 0
    """Quarter turns counter-clockwise, seen from above, from the table's near side to where the camera's bottom is."""
    seats: int = 0
    """Quarter turns clockwise, seen from above, from the table's near side to seat 1."""
    empty: int = 4
    """Where nobody sits when three play: counted as the seats are, clockwise from seat 1."""
    askew: float = 0.0
    """Degrees by which the camera is rolled in its clamp."""
    lamps_on: float = 0.0
    """Seconds after the table's start; until then it is dark, and nobody plays."""
    tilt: float = 0.0
    """Degrees off the vertical of a camera beside the table; 0 for one that hangs above."""
    astride: float = 0.0
    """Degrees counter-clockwise, seen from above, from where its bottom is to where such a camera stands."""

    @classmethod
    def of(cls, hung: Hung, seed: int) -> "Arrangement":
        """The arrangement for this seed: always the same, and for "straight" the default whatever the seed.

        "beside" is as "random" but for the camera, which stands on a tripod beside the table.
        """
        if hung == "straight":
            return cls()
        random = np.random.default_rng([seed, STREAM])
        camera, seats = (int(quarter) for quarter in random.integers(0, 4, 2))
        askew, late, lamps_on = random.uniform(-ASKEW, ASKEW), random.random() < LATE_LAMPS, random.uniform(*LAMPS_ON)
        empty = int(random.integers(2, 5))
        hangs = cls(camera, seats, empty, float(askew), float(lamps_on) if late else 0.0)
        if hung == "random":
            return hangs
        return replace(hangs, tilt=float(random.uniform(*BESIDE)), astride=float(random.uniform(-ASTRIDE, ASTRIDE)))

    @property
    def quarter(self) -> int:
        """Quarter turns clockwise in the picture from its bottom to seat 1: what a table has to find out."""
        return (self.camera + self.seats) % 4

    def sits(self, seats: Iterable[int]) -> dict[int, int]:
        """For each seat of the match, the number of the place where its player sits: with three, one place is empty."""
        numbers = sorted(seats)
        if len(numbers) != 3:
            return {seat: seat for seat in numbers}
        return dict(zip(numbers, (seat for seat in (1, 2, 3, 4) if seat != self.empty), strict=True))

    def side_of_picture(self, seat: int) -> str:
        """Where the seat of this number, counted clockwise from seat 1, is seen: bottom, left, top or right."""
        return SIDES_OF_PICTURE[(self.quarter + seat - 1) % 4]

    def pose(self, straight: CameraPose | None = None) -> CameraPose:
        """The pose in the match's board frame of the camera that is `straight` when nothing is turned."""
        pose = straight or (_beside(self.tilt) if self.tilt else CameraPose())
        # A camera turned one way round the board sees what a camera sees whose board was turned the other way.
        return replace(pose, roll=pose.roll + self.askew).after_bump((0.0, 0.0, -QUARTER * self.quarter - self.astride))

    def look(self, look: Look) -> Look:
        """The look in the match's board frame: light and grain are turned. It must lack glare, knots and spares."""
        turn = QUARTER * self.seats
        return replace(look, light_azimuth=look.light_azimuth + turn, grain_angle=look.grain_angle + turn)


def _beside(tilt: float) -> CameraPose:
    """A camera on a tripod at the board's near side, `tilt` degrees off the vertical, that looks at the hole."""
    low, up = math.sin(math.radians(tilt)), math.cos(math.radians(tilt))
    return CameraPose(position=(0.0, -AWAY * low, AWAY * up), look_at=(0.0, 0.0, 0.0))
