"""Detects a bumped camera or board: the rigid shift between two small pictures of the same board.

The board's own edges (rings, pegs, rail) are compared, thousands of points at once, by robust least squares
(Lucas and Kanade, 1981). Discs and hands that differ between the pictures are outliers and do not pull.
"""

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from controller.vision.calibration.camera import Bools
from hardware.devices import Matrix

# Settings for a board's shift, by its edges in the small picture.
POINTS = 1500
"""Strongest edge points that are used; 3000 were no more precise."""
NEIGHBOURHOOD = 31
"""Pixels: edges compete with those this near."""
FAINT_SLOPE = 1.0
"""Grey levels per pixel, squared: wood grain and noise stay below it."""
BLURS = (15, 7, 3)
"""Pixels, coarse to fine: the coarsest sees shifts of up to about 6 pixels."""
STEPS = 8
"""Steps of the search for each blur, at most."""
CLOSE_ENOUGH = 0.01
"""Pixels: a smaller step ends the search."""
IN_PLACE = 0.6
"""Pixels: an edge found within this distance of where it should be is the same edge."""
SAME = 0.8
"""Share of edges in place above which no other shift is searched."""
RIDGE = 1e-7
"""Share of the equations' trace that keeps them solvable if a picture shows nothing."""
FEWEST = 50
"""Edge points; with fewer there is no result."""
FAINTEST = 0.1
"""Share of the edges' former contrast: with less they are invisible."""

Floats = NDArray[np.floating[Any]]
_Level = tuple[int, Floats, Floats, Floats]  # blur; edge points (2, n) from the middle; their grey; their slopes (n, 3)


@dataclass(frozen=True, slots=True)
class Shift:
    """The shift of a picture from the one it is compared with."""

    dx: float  # pixels
    dy: float
    turn: float  # radians
    agreement: float  # share of the edges that this shift explains, 0..1

    def at_radius(self, radius: float) -> float:
        """The largest displacement in pixels of a point that far from the region's middle."""
        return float(np.hypot(self.dx, self.dy) + abs(self.turn) * radius)


class Edges:
    """The edges of one picture within a region, to find in others."""

    def __init__(self, picture: Matrix, region: Bools) -> None:
        rows, columns = np.nonzero(region)
        self.middle = (float(columns.mean()), float(rows.mean()))
        self.radius = float(np.sqrt(len(rows) / np.pi))
        inside = cv2.erode(region.astype(np.uint8), np.ones((3, 3), np.uint8)).astype(bool)
        self._levels = [self._points(picture, inside, blur) for blur in BLURS]

    def _points(self, picture: Matrix, inside: Bools, blur: int) -> _Level:
        smooth = cv2.blur(picture, (blur, blur)).astype(np.float32)
        gx, gy = (cv2.Sobel(smooth, cv2.CV_32F, i, 1 - i, ksize=3, scale=1 / 8) for i in (1, 0))
        strength = gx * gx + gy * gy
        near = (NEIGHBOURHOOD,) * 2
        around = cv2.blur(strength, near)  # so that a highlight does not dominate
        strength = np.where(inside, strength / (around + FAINT_SLOPE), 0).ravel()
        chosen = np.argpartition(strength, -min(POINTS, strength.size))[-POINTS:]
        chosen = chosen[strength[chosen] > 0]
        y, x = np.divmod(chosen.astype(np.float32), np.float32(picture.shape[1]))
        x, y = x - self.middle[0], y - self.middle[1]
        gx, gy = gx.ravel()[chosen], gy.ravel()[chosen]
        slopes = np.stack([gx, gy, (gy * x - gx * y) / self.radius], axis=1)  # the turn in pixels at the radius
        return blur, np.stack([x, y]), smooth.ravel()[chosen], slopes

    def shift_of(self, picture: Matrix) -> Shift:
        """The shift of these edges in another picture of the same size. An unshifted picture needs one fine search, any
        other three, coarse to fine.
        """
        *coarse, fine = self._levels
        shift = Shift(0.0, 0.0, 0.0, 0.0)
        found = self._search(picture, fine, shift)
        if found.agreement >= SAME:
            return found
        for level in (*coarse, fine):
            shift = self._search(picture, level, shift)
        return shift

    def _search(self, picture: Matrix, level: _Level, start: Shift) -> Shift:
        blur, (x, y), value, slopes = level
        if len(value) < FEWEST:
            return start
        smooth = cv2.blur(picture, (blur, blur))
        strength = np.maximum(np.sqrt(slopes[:, 0] ** 2 + slopes[:, 1] ** 2), 1e-3)
        at = np.array([start.dx, start.dy, start.turn * self.radius])
        light: tuple[float, float] | None = None
        agreement = 0.0
        for _ in range(STEPS):
            sine, cosine = np.sin(at[2] / self.radius), np.cos(at[2] / self.radius)
            column = (cosine * x - sine * y + (at[0] + self.middle[0])).astype(np.float32)
            row = (sine * x + cosine * y + (at[1] + self.middle[1])).astype(np.float32)
            grey = cv2.remap(smooth, column, row, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
            seen: Floats = grey.ravel().astype(np.float32)
            gain, offset = light or _resistant_line(value, seen)
            error = seen - gain * value - offset
            in_place = np.abs(error) < IN_PLACE * gain * strength
            agreement = float(np.mean(in_place)) if gain > FAINTEST else 0.0
            step = _robust_step(error, np.column_stack([gain * slopes, -value, -np.ones_like(value)]))
            at -= step[:3]
            light = (gain - step[3], offset - step[4])
            if np.abs(step[:3]).max() < CLOSE_ENOUGH:
                break
        return Shift(float(at[0]), float(at[1]), float(at[2]) / self.radius, agreement)


def _robust_step(error: Floats, slopes: Floats) -> Floats:
    """The least-squares solution of slopes . step = error, without outliers."""
    spread = 1.5 * float(np.median(np.abs(error))) + 0.5  # half a grey level: rounding
    weight = np.square(np.clip(1 - np.square(error / (4.7 * spread)), 0, None))  # Tukey's biweight
    weighted = (slopes * weight[:, None]).T
    normal = weighted @ slopes
    normal += np.eye(len(normal)) * (RIDGE * np.trace(normal) + RIDGE)
    return np.asarray(np.linalg.solve(normal, weighted @ error), dtype=np.float64)


def _resistant_line(x: Floats, y: Floats) -> tuple[float, float]:
    """Gain and offset of y = gain x + offset, by the medians of the lower and upper third (Tukey)."""
    low, high = np.quantile(x, (1 / 3, 2 / 3))
    left, right = x <= low, x >= high
    run = float(np.median(x[right]) - np.median(x[left]))
    gain = float(np.median(y[right]) - np.median(y[left])) / run if run > 0 else 0.0
    return gain, float(np.median(y - gain * x))
