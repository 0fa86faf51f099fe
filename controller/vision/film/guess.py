"""Predicts each disc's place in the next picture, with and without collisions."""

import math

import numpy as np

from controller.vision.calibration.lens import Floats
from controller.vision.film.body import TOUCHING_MM, Body
from controller.vision.film.sliding import Bump, Sliding

BOUNCED = 0.25
"""Share of the closing speed by which the speeds afterwards are uncertain: the line of centres is known to 3 mm."""
UNSEEN_WAY_MM = 8.0
"""The farthest that a struck disc has moved while its place may still look unchanged."""


class Guess:
    """The expected places and speeds (n, 2) of `bodies` after `dt` seconds, mm and mm/s."""

    def __init__(self, sliding: Sliding, bodies: list[Body], dt: float) -> None:
        self.bodies = bodies
        self.dt = dt
        self.free = np.array([body.place for body in bodies]).reshape(-1, 2)
        self.free_speeds = np.array([body.speed for body in bodies]).reshape(-1, 2)
        self.bounced, self.speeds = self.free, self.free_speeds
        self.bumps: list[Bump] = []
        self.bumped: dict[int, float] = {}  # the closing speed of what met the disc
        self.off: dict[int, float] = {}  # how much better a bounce explains its seen place, squared standard errors
        here = [k for k, body in enumerate(bodies) if body.state in ("resting", "sliding")]
        if any(bodies[k].state == "sliding" for k in here):
            self._slide(sliding, here)

    def _slide(self, sliding: Sliding, here: list[int]) -> None:
        places, speeds = self.free[here], self.free_speeds[here]
        self.bounced, self.speeds = self.free.copy(), self.free_speeds.copy()
        self.free[here], self.free_speeds[here] = sliding.free(places, speeds, self.dt)
        self.bounced[here], self.speeds[here], bumps = sliding.slide(places, speeds, self.dt)
        for bump in bumps:
            first, second = here[bump.disc], None if bump.other is None else here[bump.other]
            self.bumps.append(Bump(bump.t, first, second, bump.closing, bump.normal))
            for k in (first, second):
                if k is not None:
                    self.bumped[k] = max(self.bumped.get(k, 0.0), bump.closing)

    def shaken(self, row: int) -> float:
        """A collision's contribution to the speed's standard deviation, mm/s."""
        return BOUNCED * self.bumped.get(row, 0.0)

    def sigma(self, row: int, *, free: bool = False) -> float:
        """Standard deviation of the disc's predicted place, mm."""
        body, dt = self.bodies[row], self.dt
        shaken = 0.0 if free else self.shaken(row)
        var = body.place_var + 2 * dt * body.both_var + dt * dt * (body.speed_var + shaken**2)
        return math.sqrt(max(var, 0.0) + TOUCHING_MM**2)

    def follow(self, row: int, *, free: bool = False, shaken: float | None = None) -> None:
        """Adopt the prediction as the disc's place and speed."""
        places, speeds = (self.free, self.free_speeds) if free else (self.bounced, self.speeds)
        more = shaken if shaken is not None else 0.0 if free else self.shaken(row)
        self.bodies[row].later(places[row].copy(), speeds[row].copy(), self.dt, more)

    def just_struck(self, row: int) -> bool:
        """Whether a disc was seen to bounce off this resting one, so recently that this one has hardly moved yet."""
        if far(self.bounced[row], self.free[row]) > UNSEEN_WAY_MM:
            return False
        return any(bump.disc in self.off for bump in self.bumps if bump.other == row)


def far(a: Floats, b: Floats) -> float:
    """The distance of two points (2,)."""
    return math.hypot(float(a[0]) - float(b[0]), float(a[1]) - float(b[1]))
