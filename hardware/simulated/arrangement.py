"""A simulated table's room: how the camera hangs, where the players sit, when the lamps go on.

All places are in the match's board frame, where seat 1 is at -y. If its player sits elsewhere in the room, the camera,
the lamps and the wood's grain are turned instead."""

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
ASKEW = 6.0  # degrees, at most either way, left by somebody who turned the camera straight by eye
BESIDE = (38.0, 50.0)  # degrees off the vertical, of a camera on a tripod beside the table
ASTRIDE = 25.0  # degrees, at most either way, from a seat's middle to such a camera
AWAY = 940.0  # mm from the hole to such a camera: its picture shows the whole board
LATE_LAMPS = 1 / 6  # of the matches
LAMPS_ON = (2.0, 12.0)  # s after the table's start
STREAM = 1  # part of the seed: keeps these random numbers apart from the play's


@dataclass(frozen=True, slots=True)
class Arrangement:
    """One table in its room. By default seat 1 is at the picture's bottom and all lamps are on."""

    camera: int = 0
    """Quarter turns counter-clockwise, seen from above, from the table's near side to the camera's bottom."""
    seats: int = 0  # quarter turns clockwise, seen from above, from the table's near side to seat 1
    empty: int = 4  # the empty seat when three play, clockwise from seat 1
    askew: float = 0.0  # degrees by which the camera is rolled in its clamp
    lamps_on: float = 0.0  # seconds after the table's start; until then it is dark, and nobody plays
    tilt: float = 0.0  # degrees off the vertical of a camera beside the table; 0 for one that hangs above
    astride: float = 0.0  # degrees counter-clockwise, seen from above, from the picture's bottom to the camera's tripod

    @classmethod
    def of(cls, hung: Hung, seed: int) -> "Arrangement":
        """The arrangement for this seed; "straight" is always the default. "beside" equals "random" except that the
        camera stands on a tripod beside the table."""
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
        """Quarter turns clockwise in the picture from its bottom to seat 1, which a table has to find out."""
        return (self.camera + self.seats) % 4

    def sits(self, seats: Iterable[int]) -> dict[int, int]:
        """The place at the table by seat of the match: with three players, one place is empty."""
        numbers = sorted(seats)
        if len(numbers) != 3:
            return {seat: seat for seat in numbers}
        return dict(zip(numbers, (seat for seat in (1, 2, 3, 4) if seat != self.empty), strict=True))

    def side_of_picture(self, seat: int) -> str:
        """The side of the picture that shows this seat: bottom, left, top or right."""
        return SIDES_OF_PICTURE[(self.quarter + seat - 1) % 4]

    def pose(self, straight: CameraPose | None = None) -> CameraPose:
        """The camera's pose in the match's board frame, turned from `straight`."""
        pose = straight or (_beside(self.tilt) if self.tilt else CameraPose())
        # Turning the camera round the board equals turning the board the other way.
        return replace(pose, roll=pose.roll + self.askew).after_bump((0.0, 0.0, -QUARTER * self.quarter - self.astride))

    def look(self, look: Look) -> Look:
        """Turn a look's light and grain into the match's board frame. It must not have glare, knots or spares."""
        turn = QUARTER * self.seats
        return replace(look, light_azimuth=look.light_azimuth + turn, grain_angle=look.grain_angle + turn)


def _beside(tilt: float) -> CameraPose:
    """A camera on a tripod at the near side, `tilt` degrees off the vertical, aimed at the hole."""
    low, up = math.sin(math.radians(tilt)), math.cos(math.radians(tilt))
    return CameraPose(position=(0.0, -AWAY * low, AWAY * up), look_at=(0.0, 0.0, 0.0))
