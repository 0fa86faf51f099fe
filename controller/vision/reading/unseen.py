"""Finds the parts of surface and ditch that a picture does not show: outside it, or overexposed.

A place counts as overexposed if a whole disc there would be invisible, since all of it is saturated. A smaller patch
hides no disc, since the rest of its outline is visible.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from controller.vision.calibration.calibration import Calibration
from controller.vision.calibration.camera import Bools
from controller.vision.calibration.image_quality import BLOWN
from controller.vision.reading.discs import VIEW_STEP, TopView, circle, playing_area
from controller.vision.reading.obstruction import ditch_middle
from controller.vision.readings import Outline, as_outline

LEAST = 100.0  # mm2, an eighth of a disc: less is the edge of something visible

Mask = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Unseen:
    """The unseen parts of one picture."""

    parts: tuple[Outline, ...]  # of surface and ditch
    share: float  # unseen share of the surface within the outer line, where discs count
    within: Bools  # (n, n) of the view: what is within the picture


@dataclass(frozen=True, slots=True)
class _Ends:
    """The parts outside a camera's pictures, in the view from above (n, n)."""

    beyond: Mask
    board: Mask  # the seen surface and ditch: the possible centres of discs
    surface: Mask  # within the outer line
    without_glare: Unseen


def unseen_in(view: TopView, calibration: Calibration) -> Unseen:
    """The unseen parts of the board in this picture."""
    ends = _ends(calibration)
    blown = _blown_out(view, calibration.disc.radius)
    if blown is None:
        return ends.without_glare
    share = _share(np.asarray(cv2.bitwise_or(blown, ends.beyond), np.uint8), ends.surface)
    glare = np.asarray(cv2.bitwise_and(blown, ends.board), np.uint8)
    return Unseen((*ends.without_glare.parts, *_outlines(glare)), share, ends.without_glare.within)


def _share(unseen: Mask, surface: Mask) -> float:
    """The unseen share of the surface; a tiny one is 0."""
    area = cv2.countNonZero(cv2.bitwise_and(unseen, surface))
    return area / cv2.countNonZero(surface) if area * VIEW_STEP**2 > LEAST else 0.0


def _blown_out(view: TopView, disc: float) -> Mask | None:
    """The mask (n, n) of places where a disc of this radius (mm) would be on saturated pixels only. None if these are
    too few."""
    blue, green, red = view.planes
    full = cv2.inRange(cv2.min(cv2.min(blue, green), red), (BLOWN,), (255.0,))
    size = 2 * round(disc / VIEW_STEP) + 1
    shape = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
    if cv2.countNonZero(full) < cv2.countNonZero(shape):
        return None
    return np.asarray(cv2.morphologyEx(full, cv2.MORPH_OPEN, shape), np.uint8)


@lru_cache(maxsize=4)
def _ends(calibration: Calibration) -> _Ends:
    mapping, board = playing_area(calibration), calibration.board
    n = len(mapping.whole)
    across = np.arange(n) * VIEW_STEP - mapping.reach
    x, y = np.meshgrid(across, across)
    pixels = calibration.project(np.stack([x, y, np.full_like(x, calibration.disc.thickness)], axis=-1))
    last = np.array((calibration.width, calibration.height)) - 0.5
    whole, surface = circle(n, ditch_middle(board)), circle(n, board.outer_line)
    sides = [
        np.asarray(np.where(off, 255, 0), np.uint8)
        for axis in (0, 1)
        for off in (pixels[..., axis] < -0.5, pixels[..., axis] > last[axis])
    ]
    outlines = tuple(part for side in sides for part in _outlines(np.asarray(cv2.bitwise_and(side, whole), np.uint8)))
    beyond = np.asarray(np.max(sides, axis=0), np.uint8)
    alone = Unseen(outlines, _share(beyond, surface), beyond == 0)
    return _Ends(beyond, np.where(beyond == 0, whole, np.uint8(0)), surface, alone)


def _outlines(mask: Mask) -> Iterator[Outline]:
    """The convex outlines, mm, of a mask's pieces (n, n)."""
    middle = len(mask) // 2
    pieces, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    for piece in pieces:
        if cv2.contourArea(piece) * VIEW_STEP**2 > LEAST:
            hull = cv2.approxPolyDP(cv2.convexHull(piece), 1.0, True)[:, 0].astype(np.float64)
            yield as_outline((hull - middle) * VIEW_STEP)
