"""Decides which circle is the outer line: extra circles may have nearly the proportions of the three lines."""

from dataclasses import replace

import numpy as np

from controller.vision.calibration.camera_prior import LensPrior
from controller.vision.calibration.lens import Floats
from controller.vision.calibration.rings import (
    IN_VIEW,
    RATIO_SLACK,
    TAP_WOBBLE,
    Grey,
    RingFit,
    acceptable,
    circles,
    fit_board,
    radii_near,
)
from hardware.board import INCH, Board

FIFTEENS = (3.8 * INCH, 4.1 * INCH)
"""mm, least and most, if the outer line is at 12 inches: tournament, octagonal and vintage boards."""
TENS = (8.0 * INCH, 8.6 * INCH)  # mm: the two radii of ten lines on those boards
ODD = 2.0  # mm off these: possibly other lines
PLAIN_LINE = 3.0  # grey levels: twice `rings.FAINT`. A circle of such contrast may be a line
OTHERS = 3  # other circles tried as the outer line. Source not recorded


def likeliest_board(grey: Grey, fit: RingFit, prior: LensPrior, board: Board) -> RingFit:
    """The fit itself, or one to another triple of circles with more typical proportions."""
    best = fit
    if _oddness(fit.radii) < ODD:
        return best
    for radius in _circles_around(grey, fit, board):
        shrink = board.outer_line / radius
        x, y, z = fit.camera.t
        camera = replace(fit.camera, t=(x * shrink, y * shrink, z * shrink))
        other = fit_board(grey, camera, radii_near(grey, camera, board, fit.sign), prior, fit.sign, board)
        if acceptable(other) and _oddness(other.radii) < _oddness(best.radii) - ODD:
            best = other
    return best


def _oddness(radii: Floats) -> float:
    """The larger deviation (mm) of the fifteen and ten lines from those of known boards."""
    fifteen = max(FIFTEENS[0] - radii[0], radii[0] - FIFTEENS[1], 0.0)
    return float(max(fifteen, min(abs(radii[1] - ten) for ten in TENS)))


def _circles_around(grey: Grey, fit: RingFit, board: Board) -> list[float]:
    """Radii (mm) of other possible outer lines, the clearest first."""
    nearest = board.ten_line * (1 + RATIO_SLACK)
    farthest = board.outer_line**2 / board.ten_line * (1 + RATIO_SLACK)
    at, depth = circles(grey, fit.camera, fit.sign, nearest, farthest)
    share = np.mean(depth > PLAIN_LINE, axis=0)
    share[np.abs(at - board.outer_line) < 2 * TAP_WOBBLE] = 0
    found: list[float] = []
    while len(found) < OTHERS and share.max() > IN_VIEW:
        top = at[share > share.max() - 1e-6]
        radius = float(np.mean(top[top < top[0] + 2 * TAP_WOBBLE]))  # a dilated peak is a plateau
        found.append(radius)
        share[np.abs(at - radius) < 2 * TAP_WOBBLE] = 0
    return found
