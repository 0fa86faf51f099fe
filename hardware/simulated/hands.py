"""Paths of hands over the table and of the discs that they carry. Units: mm, seconds."""

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from hardware.board import seat_angle
from hardware.simulated.fall import DiscPose
from hardware.simulated.physics import MotionSample
from hardware.simulated.scene import Hand

HOME = 560.0  # distance of a resting hand from the hole: outside every camera's view of the board
CARRY_HEIGHT = 14.0  # above the surface: clears a disc
PICK_UP = 0.12  # s to lift the disc to the carrying height, and to lower it
Point = tuple[float, float]
Gesture = Literal["place", "flick", "lift", "sweep"]


def polar(radius: float, degrees: float) -> Point:
    """The point at a distance from the hole in a direction."""
    return radius * math.cos(math.radians(degrees)), radius * math.sin(math.radians(degrees))


def home(seat: int, sideways: float = 0.0) -> Point:
    """Where a hand of this seat rests, `sideways` degrees counter-clockwise from the seat's middle."""
    return polar(HOME, seat_angle(seat) + sideways)


def smooth(share: float) -> float:
    """Progress of a movement after `share` of its time, with a gentle start and end."""
    s = min(max(share, 0.0), 1.0)
    return s * s * (3 - 2 * s)


@dataclass(frozen=True, slots=True)
class Reach:
    """One hand's movement: (time, place of the fingertips), smooth in between."""

    seat: int
    gesture: Gesture
    keys: tuple[tuple[float, Point], ...]

    @property
    def begin(self) -> float:
        return self.keys[0][0]

    @property
    def end(self) -> float:
        return self.keys[-1][0]

    def at(self, t: float) -> Point:
        for (t0, (x0, y0)), (t1, (x1, y1)) in pairwise(self.keys):
            if t <= t1:
                s = smooth((t - t0) / (t1 - t0)) if t1 > t0 else 1.0
                return x0 + (x1 - x0) * s, y0 + (y1 - y0) * s
        return self.keys[-1][1]

    def hand(self, t: float) -> Hand | None:
        """The hand at `t`, or None when it is not over the table."""
        if not self.begin <= t < self.end:
            return None
        x, y = self.at(t)
        return Hand(self.seat, x, y, self.gesture)


@dataclass(frozen=True, slots=True)
class Carry:
    """A disc in a hand from `begin` to `end`; without a goal it leaves the table."""

    disc: str
    reach: Reach
    begin: float
    end: float
    source: DiscPose | None  # None: it comes from beside the table
    goal: DiscPose | None
    offset: Point = (0.0, 0.0)  # from the fingertips, once picked up
    height: float = CARRY_HEIGHT  # above the surface; 0 if it is slid

    def at(self, t: float) -> MotionSample:
        x, y = self._place(t)
        before, after = self._place(t - 0.005), self._place(t + 0.005)
        lift = smooth((t - self.begin) / PICK_UP) if self.source else 1.0
        low = self.source.z if self.source else 0.0
        if self.goal and t > self.end - PICK_UP:
            lift, low = smooth((self.end - t) / PICK_UP), self.goal.z
        z = low + (self.height - low) * lift
        return MotionSample(t, DiscPose("surface", x, y, z), (after[0] - before[0]) * 100, (after[1] - before[1]) * 100)

    def _place(self, t: float) -> Point:
        t = min(max(t, self.begin), self.end)
        x, y = self.reach.at(t)
        held = smooth((t - self.begin) / PICK_UP)
        if self.goal:
            held = min(held, smooth((self.end - t) / PICK_UP))
        return x + self.offset[0] * held, y + self.offset[1] * held
