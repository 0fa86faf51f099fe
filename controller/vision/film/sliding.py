"""Predicts discs from one picture to the next: straight paths with friction, bounces off discs and pegs. Units: mm,
seconds.

What is seen corrects a prediction. Friction and bounces are a usual board's.
"""

import math
from dataclasses import dataclass

import numpy as np

from controller.vision.calibration.camera import Floats
from controller.vision.film.body import TOUCHING_MM, Body
from hardware.board import Board

FRICTION = 1080.0
"""mm/s2 by which a sliding disc slows down: 0.11 of gravity, a waxed board."""

DISC_BOUNCE = 0.85
"""Restitution of two wooden discs."""
PEG_BOUNCE = 0.65
"""Restitution of a disc and a peg with a rubber sleeve."""
STILL = 20.0
"""mm/s: a disc this slow slides a fifth of a millimetre."""
MOST_EVENTS = 12
"""The most collisions between two pictures."""


@dataclass(frozen=True, slots=True)
class Bump:
    """Two discs meet, or a disc and a peg (`other` is None)."""

    t: float  # from the start
    disc: int
    other: int | None
    closing: float  # mm/s along the line of centres
    normal: tuple[float, float]  # from the first to the second


class Sliding:
    """Slides discs over one board."""

    def __init__(self, board: Board) -> None:
        self._pegs = np.array(board.pegs)
        self._two_radii = 2 * board.disc.radius
        self._to_peg = board.disc.radius + board.peg_radius

    def free(self, places: Floats, speeds: Floats, seconds: float) -> tuple[Floats, Floats]:
        """Places and speeds (n, 2) after this many seconds without collisions."""
        mean, slowed = _slowed(speeds, seconds)
        return places + mean * seconds, slowed

    def slide(self, places: Floats, speeds: Floats, seconds: float) -> tuple[Floats, Floats, list[Bump]]:
        """Places and speeds (n, 2) after this many seconds, and the collisions in between."""
        p, v, bumps, t = places.copy(), speeds.copy(), list[Bump](), 0.0
        reach = np.full(len(p) + len(self._pegs), self._two_radii)
        reach[len(p) :] = self._to_peg
        while True:
            left = seconds - t
            mean, slowed = _slowed(v, left)
            bump = self._next(p, mean, reach, left) if len(bumps) < MOST_EVENTS else None
            if bump is None:
                return p + mean * left, slowed, bumps
            p += mean * bump.t
            _, v = _slowed(v, bump.t)
            t += bump.t
            bumps.append(Bump(t, bump.disc, bump.other, _bounce(v, bump), bump.normal))

    def _next(self, p: Floats, v: Floats, reach: Floats, seconds: float) -> Bump | None:
        """The first collision within this many seconds, at constant speeds."""
        movers = np.flatnonzero((v * v).sum(axis=1) > STILL**2)
        everything, speeds = np.vstack((p, self._pegs)), np.vstack((v, np.zeros_like(self._pegs)))
        first: tuple[float, int, int] | None = None
        for i in movers.tolist():
            when = _meet(everything - p[i], speeds - v[i], reach)
            when[i] = math.inf
            j = int(np.argmin(when))
            if when[j] < seconds and (first is None or when[j] < first[0]):
                first = float(when[j]), i, j
        if first is None:
            return None
        t, i, j = first
        apart = everything[j] + speeds[j] * t - (p[i] + v[i] * t)
        x, y = (float(k) for k in apart / max(math.hypot(*apart), 1e-9))
        return Bump(t, i, j if j < len(p) else None, 0.0, (x, y))


def _bounce(v: Floats, bump: Bump) -> float:
    """Change the speeds (n, 2) by a collision, and return the closing speed."""
    n = np.array(bump.normal)
    if bump.other is None:
        closing = float(v[bump.disc] @ n)
        v[bump.disc] -= (1 + PEG_BOUNCE) * max(closing, 0.0) * n
        return closing
    closing = float((v[bump.disc] - v[bump.other]) @ n)
    push = (1 + DISC_BOUNCE) / 2 * max(closing, 0.0) * n
    v[bump.disc] -= push
    v[bump.other] += push
    return closing


def _slowed(v: Floats, seconds: float) -> tuple[Floats, Floats]:
    """The mean speed over this many seconds, and the final speed."""
    speed = np.hypot(v[:, 0], v[:, 1])
    lasts = np.minimum(speed / FRICTION, seconds)
    way = speed * lasts - FRICTION * lasts**2 / 2
    unit = v / np.maximum(speed, 1e-9)[:, None]
    return unit * (way / max(seconds, 1e-9))[:, None], unit * (speed - FRICTION * lasts)[:, None]


def _meet(apart: Floats, relative: Floats, distance: Floats) -> Floats:
    """The times when discs `apart` (n, 2) with `relative` speeds come this near; infinite if never."""
    a = (relative * relative).sum(axis=-1)
    b = (apart * relative).sum(axis=-1)
    c = (apart * apart).sum(axis=-1) - distance**2
    root = b * b - a * c
    nearing = (b < -1e-9) & (root > 0)
    t = (-b - np.sqrt(np.maximum(root, 0.0))) / np.maximum(a, 1e-12)
    return np.where(nearing, np.maximum(t, 0.0), np.inf)


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
