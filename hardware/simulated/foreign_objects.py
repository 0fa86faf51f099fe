"""Paints foreign objects on and beside the board: a phone, glasses, sheets of paper."""

import math
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.board import Board
from hardware.devices import Image
from hardware.simulated.lens import PaintedView
from hardware.simulated.look import Colour, grey
from hardware.simulated.scene import ForeignObject

PHONE = (148.0, 72.0, 8.0)  # mm: length, width, height
BEZEL = 5.0  # mm around the phone's screen
SHEET = (210.0, 148.0)  # mm: A5
GLASS = (31.0, 37.0, 105.0)  # mm: radius at the foot and at the rim, height
CASE: Colour = (34, 30, 28)
SCREEN: Colour = (70, 58, 52)
PAPER: Colour = (228, 236, 238)
INK: Colour = (130, 110, 105)
CLEAR: Colour = (196, 204, 206)
CLEAR_SHARE = 0.3  # of the light that a glass reflects; the rest passes through
FRACTION = 4  # bits of OpenCV's fractional coordinates
TURN = np.linspace(0, 2 * math.pi, 48, endpoint=False)
CIRCLE = np.stack((np.cos(TURN), np.sin(TURN), np.zeros_like(TURN)), axis=-1)
Floats = NDArray[np.floating[Any]]


class ForeignObjects:
    """Paints them into canvases (h, w, 3) or (h, w, 1)."""

    def __init__(self, board: Board, throw: tuple[float, float], shadow: float) -> None:
        """`throw`: how far (dx, dy) a shadow moves per mm of height; `shadow`: the share of light that it removes."""
        self._throw = np.array((*throw, 0.0))
        self._dim = 1 - shadow
        self._rail_top = board.rail_height - board.surface_height
        self._ground = -board.surface_height - 8.0

    def paint(self, canvas: Image, view: PaintedView, thing: ForeignObject) -> None:
        at = np.array((thing.x, thing.y, 0.0))
        if thing.kind == "phone":
            self._phone(canvas, view, at, thing.turn)
        elif thing.kind == "sheet":
            on_rail = np.array((thing.x, thing.y, self._rail_top))
            _fill(canvas, view, on_rail + _box(*SHEET, thing.turn), PAPER)
            for line in np.linspace(-50.0, 50.0, 9):
                _fill(canvas, view, on_rail + _box(170.0, 1.2, thing.turn, aside=float(line)), INK)
        else:
            foot, rim, height = GLASS
            mouth = np.array((thing.x, thing.y, self._ground + height)) + rim * CIRCLE
            body = np.concatenate((np.array((thing.x, thing.y, self._ground)) + foot * CIRCLE, mouth))
            glass = canvas.copy()
            _fill(glass, view, body, CLEAR)
            cv2.addWeighted(glass, CLEAR_SHARE, canvas, 1 - CLEAR_SHARE, 0.0, dst=canvas)
            edge = _pixels(view, mouth)
            cv2.polylines(canvas, [edge], True, _tone(canvas, PAPER), 1, cv2.LINE_AA, FRACTION)

    def _phone(self, canvas: Image, view: PaintedView, at: Floats, turn: float) -> None:
        length, width, height = PHONE
        foot, raised = at + _box(length, width, turn), np.array((0.0, 0.0, height))
        mask = np.zeros(canvas.shape[:2], np.uint8)
        fallen = np.concatenate((foot, foot + self._throw * height))
        cv2.fillConvexPoly(mask, cv2.convexHull(_pixels(view, fallen)), (255,), cv2.LINE_AA, FRACTION)
        canvas[mask > 0] = (canvas[mask > 0] * self._dim).astype(np.uint8)
        _fill(canvas, view, np.concatenate((foot, foot + raised)), CASE)
        screen = at + _box(length - 2 * BEZEL, width - 2 * BEZEL, turn) + raised
        _fill(canvas, view, screen, SCREEN)


def _box(length: float, width: float, turn: float, aside: float = 0.0) -> Floats:
    """(4, 3) the corners of a rectangle, its length along `turn` degrees, its middle `aside` mm to the left."""
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    corners = [(a * length / 2, aside + b * width / 2) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    return np.array([(u * c - v * s, u * s + v * c, 0.0) for u, v in corners])


def _pixels(view: PaintedView, points: Floats) -> NDArray[np.int32]:
    return np.asarray(np.rint(view.pose.project(points) * (1 << FRACTION)), np.int32)


def _tone(canvas: Image, colour: Colour) -> tuple[float, ...]:
    shown = grey(np.array(colour)) if canvas.shape[2] == 1 else np.array(colour)
    return tuple(float(v) for v in shown)


def _fill(canvas: Image, view: PaintedView, points: Floats, colour: Colour) -> None:
    """Fill the hull of points (n, 3)."""
    hull = cv2.convexHull(_pixels(view, points))
    cv2.fillConvexPoly(canvas, hull, _tone(canvas, colour), cv2.LINE_AA, FRACTION)
