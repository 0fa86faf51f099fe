"""Where sliding discs will be: straight ways with friction, bounces off discs and pegs. Units: mm, seconds.

Only a guess from one picture to the next, which what is seen corrects: friction and bounces are those of a usual board.
"""

import math
from dataclasses import dataclass

import numpy as np

from controller.vision.calibration.lens import Floats
from controller.vision.film.settings import SLIDING
from hardware.board import Board


@dataclass(frozen=True, slots=True)
class Bump:
    """Two discs meet, or a disc and a peg (`other` is None)."""

    t: float  # after the begin
    disc: int
    other: int | None
    closing: float  # mm/s along the line of their middles
    normal: tuple[float, float]  # from the first to the second


class Sliding:
    """Slides discs over one board."""

    def __init__(self, board: Board) -> None:
        self._pegs = np.array(board.pegs)
        self._two_radii = 2 * board.disc.radius
        self._to_peg = board.disc.radius + board.peg_radius

    def slide(self, places: Floats, speeds: Floats, seconds: float, *, bounce: bool = True) -> tuple[Floats, Floats, list[Bump]]:
        """Places and speeds (n, 2) after so many seconds, and what met what meanwhile."""
        p, v, bumps, t = places.copy(), speeds.copy(), [], 0.0
        for _ in range(SLIDING.most_events):
            left = seconds - t
            mean, slowed = _slowed(v, left)
            bump = self._next(p, mean, left) if bounce else None
            if bump is None:
                return p + mean * left, slowed, bumps
            p += mean * bump.t
            _, v = _slowed(v, bump.t)
            n = np.array(bump.normal)
            if bump.other is None:
                v[bump.disc] -= (1 + SLIDING.peg_bounce) * max(float(v[bump.disc] @ n), 0.0) * n
                closing = bump.closing
            else:
                closing = float((v[bump.disc] - v[bump.other]) @ n)
                push = (1 + SLIDING.disc_bounce) / 2 * max(closing, 0.0) * n
                v[bump.disc] -= push
                v[bump.other] += push
            t += bump.t
            bumps.append(Bump(t, bump.disc, bump.other, closing, bump.normal))
        mean, slowed = _slowed(v, seconds - t)
        return p + mean * (seconds - t), slowed, bumps

    def _next(self, p: Floats, v: Floats, seconds: float) -> Bump | None:
        """The first collision within so many seconds, with constant speeds."""
        movers = np.flatnonzero((v * v).sum(axis=1) > SLIDING.still**2)
        if not len(movers):
            return None
        best: tuple[float, int, int | None] | None = None
        for i in movers:
            ts = _meet(p - p[i], v - v[i], self._two_radii)
            ts[i] = math.inf
            j = int(np.argmin(ts))
            if ts[j] < seconds and (best is None or ts[j] < best[0]):
                best = float(ts[j]), int(i), j
            ts = _meet(self._pegs - p[i], -v[i], self._to_peg)
            j = int(np.argmin(ts))
            if ts[j] < seconds and (best is None or ts[j] < best[0]):
                best = float(ts[j]), int(i), -1 - j
        if best is None:
            return None
        t, i, other = best
        assert other is not None
        peg = other < 0
        to = self._pegs[-1 - other] if peg else p[other] + v[other] * t
        apart = to - (p[i] + v[i] * t)
        normal = apart / max(float(np.hypot(*apart)), 1e-9)
        closing = float((v[i] - (0.0 if peg else v[other])) @ normal)
        return Bump(t, i, None if peg else other, closing, (float(normal[0]), float(normal[1])))


def _slowed(v: Floats, seconds: float) -> tuple[Floats, Floats]:
    """The mean speed over so many seconds, and the speed after them."""
    speed = np.hypot(v[:, 0], v[:, 1])
    lasts = np.minimum(speed / SLIDING.friction, seconds)
    way = speed * lasts - SLIDING.friction * lasts**2 / 2
    unit = v / np.maximum(speed, 1e-9)[:, None]
    return unit * (way / max(seconds, 1e-9))[:, None], unit * (speed - SLIDING.friction * lasts)[:, None]


def _meet(apart: Floats, relative: Floats, distance: float) -> Floats:
    """When what is `apart` (n, 2) and moves with `relative` speed comes so near; infinite where it does not."""
    a = (relative * relative).sum(axis=-1)
    b = (apart * relative).sum(axis=-1)
    c = (apart * apart).sum(axis=-1) - distance**2
    root = b * b - a * c
    nearing = (b < -1e-9) & (root > 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(nearing, (-b - np.sqrt(np.maximum(root, 0.0))) / np.maximum(a, 1e-12), np.inf)
    return np.where(nearing, np.maximum(t, 0.0), np.inf)
