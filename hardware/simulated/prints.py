"""Marks on the surface besides the lines: numerals, decorative circles, knots, screws."""

import math
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.board import Board
from hardware.simulated.grain import Plane
from hardware.simulated.look import Colour, Look

TEXEL = 0.4  # mm
FINER = 4  # bits of OpenCV's fractional coordinates
NUMERAL = 26.0  # mm high
KNOT_DARK = 0.5  # brightness at a knot's centre
SCREW: Colour = (150, 156, 160)
SCREW_RADIUS = 3.4  # mm
SCREWS_AT = 318.0  # mm from the hole: outside the starting line, where boards are screwed down
Picture = NDArray[np.floating[Any]]


class Prints:
    """Paints the marks over a surface (h, w, 3) at board coordinates `x`, `y` (h, w), mm."""

    def __init__(self, board: Board, look: Look) -> None:
        self._look = look
        self._reach = board.surface_radius
        self._ink = self._draw(board) if look.numerals or look.circles else None

    def paint(self, surface: Picture, x: Plane, y: Plane) -> Picture:
        for kx, ky, radius in self._look.knots:
            near = np.clip(1.0 - np.hypot(x - kx, (y - ky) * 0.7) / radius, 0.0, 1.0)
            rings = 0.75 + 0.25 * np.cos(18.0 * near)
            surface = surface * (1.0 - (1.0 - KNOT_DARK) * np.sqrt(near) * rings)[..., None]
        if self._ink is not None:
            middle = (self._ink.shape[0] - 1) / 2
            across, down = (np.asarray(v / TEXEL + middle, np.float32) for v in (x, y))
            share = cv2.remap(self._ink, across, down, cv2.INTER_LINEAR)[..., None] / np.float32(255)
            surface = surface * (1 - share) + np.array(self._look.print_colour, np.float32) * share
        for k in range(self._look.screws):
            angle = 2 * math.pi * (k + 0.5) / self._look.screws
            dx, dy = x - SCREWS_AT * math.cos(angle), y - SCREWS_AT * math.sin(angle)
            head = np.clip((SCREW_RADIUS - np.hypot(dx, dy)) / 0.8 + 0.5, 0.0, 1.0)
            slot = np.clip((0.6 - np.abs(dx * math.cos(k) + dy * math.sin(k))) / 0.8 + 0.5, 0.0, 1.0)
            metal = np.array(SCREW, np.float32) * (1 - 0.6 * slot[..., None])
            surface = surface * (1 - head[..., None]) + metal * head[..., None]
        return surface

    def _draw(self, board: Board) -> NDArray[np.uint8]:
        """(n, n) share of ink, 0 to 255; columns are x and rows are y."""
        size = 2 * math.ceil(self._reach / TEXEL) + 1
        ink = np.zeros((size, size), np.uint8)
        middle = round((size - 1) / 2 * (1 << FINER))
        for radius, width in self._look.circles:
            outer, inner = (round((radius + half) / TEXEL * (1 << FINER)) for half in (width / 2, -width / 2))
            ring = np.zeros_like(ink)
            cv2.circle(ring, (middle, middle), outer, (255,), cv2.FILLED, cv2.LINE_AA, FINER)
            cv2.circle(ring, (middle, middle), inner, (0,), cv2.FILLED, cv2.LINE_AA, FINER)
            ink = np.maximum(ink, ring)
        if self._look.numerals:
            edges = (board.hole_radius, board.fifteen_line, board.ten_line, board.outer_line)
            for text, inside, outside in zip(("15", "10", "5"), edges[:-1], edges[1:], strict=True):
                for quarter in range(4):
                    _write(ink, text, (inside + outside) / 2, 90.0 * quarter)
        return ink


def _write(ink: NDArray[np.uint8], text: str, radius: float, degrees: float) -> None:
    """Print a numeral that faces the seat at this angle."""
    font, height = cv2.FONT_HERSHEY_TRIPLEX, NUMERAL / TEXEL
    (width, _), _ = cv2.getTextSize(text, font, 1.0, 1)
    scale = height / 22.0  # the font's capitals are 22 px high at scale 1
    patch = np.zeros((round(1.6 * height), round(width * scale + height)), np.uint8)
    cv2.putText(patch, text, (round(height / 2), round(1.3 * height)), font, scale, (255,), 3, cv2.LINE_AA)
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    middle = (ink.shape[0] - 1) / 2
    turn = np.array([[-s, c], [c, s]])  # its foot points outwards; the ink's rows are y, which is up on the board
    at = np.array((middle + radius * c / TEXEL, middle + radius * s / TEXEL))
    shift = at - turn @ np.array(((patch.shape[1] - 1) / 2, (patch.shape[0] - 1) / 2))
    matrix = np.concatenate((turn, shift[:, None]), axis=1)
    printed = cv2.warpAffine(patch, matrix, (ink.shape[1], ink.shape[0]), flags=cv2.INTER_LINEAR)
    np.maximum(ink, np.asarray(printed, np.uint8), out=ink)
