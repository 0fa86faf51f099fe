"""Paints a moving disc into the small picture, by filled outlines rather than traced rays, to save time."""

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.simulated.lens import Tile, View
from hardware.simulated.solids import Cylinder

Layer = tuple[Tile, NDArray[np.float32], NDArray[np.float32]]
"""A painted solid: tile, colour times coverage (h, w, channels), and 1 - coverage (h, w, 1)."""

STREAK_STEP = 1.5  # px between the places over which a moving disc is averaged
FINER = 4  # times as many pixels each way: the edge is exact to an eighth of a pixel
FRACTION = 4  # bits of OpenCV's fractional coordinates
TURN = np.linspace(0, 2 * math.pi, 24, endpoint=False)
CIRCLE = np.stack((np.cos(TURN), np.sin(TURN), np.zeros_like(TURN)), axis=-1) * (math.pi / 24 / math.sin(math.pi / 24))


def smear(view: View, start: Cylinder, end: Cylinder, top: float, side: float) -> Layer | None:
    """Paint a flat grey disc that moves from `start` to `end`; None if it is out of view."""
    rims = [
        CIRCLE * solid.radius + (solid.x, solid.y, solid.z + h) for solid in (start, end) for h in (0.0, solid.height)
    ]
    pixels = view.pose.project(np.stack(rims))  # (4, n, 2): bottom and top at the start, then at the end
    (left, upper), (right, lower) = np.floor(pixels.min(axis=(0, 1))), np.ceil(pixels.max(axis=(0, 1))) + 1
    left, upper = max(int(left), 0), max(int(upper), 0)
    right, lower = min(int(right), view.pose.width), min(int(lower), view.pose.height)
    width, height = right - left, lower - upper
    if width < 2 or height < 2:
        return None
    way = math.dist(pixels[0].mean(axis=0), pixels[2].mean(axis=0))
    steps = max(1, math.ceil(way / STREAK_STEP))
    body, face = np.zeros((height, width), np.float32), np.zeros((height, width), np.float32)
    finer = ((pixels - (left, upper) + 0.5) * FINER - 0.5) * (1 << FRACTION)
    for k in range(steps):
        share = (k + 0.5) / steps
        outlines = np.rint(finer[:2] + (finer[2:] - finer[:2]) * share).astype(np.int32)
        body += _filled(np.asarray(cv2.convexHull(outlines.reshape(-1, 2)), np.int32), width, height)
        face += _filled(outlines[1], width, height)
    tile = slice(upper, lower), slice(left, right)
    colour = (side * body + (top - side) * face) / (255 * steps) + 0.5
    return tile, np.asarray(colour[..., None], np.float32), np.asarray(1 - body / (255 * steps), np.float32)[..., None]


def _filled(outline: NDArray[np.int32], width: int, height: int) -> NDArray[np.uint8]:
    """(height, width) coverage of each pixel, 0 to 255."""
    mask = np.zeros((height * FINER, width * FINER), np.uint8)
    cv2.fillConvexPoly(mask, outline, (255,), cv2.LINE_8, FRACTION)
    return np.asarray(cv2.resize(mask, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
