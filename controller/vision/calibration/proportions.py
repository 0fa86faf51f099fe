"""Decides which circle is the outer line: extra circles may have nearly the proportions of the three lines."""

from dataclasses import replace

import numpy as np

from controller.vision.calibration.camera_prior import LensPrior
from controller.vision.calibration.lens import Floats
from controller.vision.calibration.rings import Grey, RingFit, acceptable, circles, fit_board, radii_near
from controller.vision.calibration.settings import PROPORTIONS, RINGS
from hardware.board import Board


def likeliest_board(grey: Grey, fit: RingFit, prior: LensPrior, board: Board) -> RingFit:
    """The fit itself, or one to another triple of circles with more typical proportions."""
    best = fit
    if _oddness(fit.radii) < PROPORTIONS.odd:
        return best
    for radius in _circles_around(grey, fit, board):
        shrink = board.outer_line / radius
        x, y, z = fit.camera.t
        camera = replace(fit.camera, t=(x * shrink, y * shrink, z * shrink))
        other = fit_board(grey, camera, radii_near(grey, camera, board, fit.sign), prior, fit.sign, board)
        if acceptable(other) and _oddness(other.radii) < _oddness(best.radii) - PROPORTIONS.odd:
            best = other
    return best


def _oddness(radii: Floats) -> float:
    """The larger deviation (mm) of the fifteen and ten lines from those of known boards."""
    fifteen = max(PROPORTIONS.fifteens[0] - radii[0], radii[0] - PROPORTIONS.fifteens[1], 0.0)
    return float(max(fifteen, min(abs(radii[1] - ten) for ten in PROPORTIONS.tens)))


def _circles_around(grey: Grey, fit: RingFit, board: Board) -> list[float]:
    """Radii (mm) of other possible outer lines, the clearest first."""
    nearest = board.ten_line * (1 + RINGS.ratio_slack)
    farthest = board.outer_line**2 / board.ten_line * (1 + RINGS.ratio_slack)
    at, depth = circles(grey, fit.camera, fit.sign, nearest, farthest)
    share = np.mean(depth > PROPORTIONS.plain_line, axis=0)
    share[np.abs(at - board.outer_line) < 2 * RINGS.tap_wobble] = 0
    found: list[float] = []
    while len(found) < PROPORTIONS.others and share.max() > RINGS.in_view:
        top = at[share > share.max() - 1e-6]
        radius = float(np.mean(top[top < top[0] + 2 * RINGS.tap_wobble]))  # a dilated peak is a plateau
        found.append(radius)
        share[np.abs(at - radius) < 2 * RINGS.tap_wobble] = 0
    return found
