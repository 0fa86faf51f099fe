"""How well a calibration agrees with the camera that the truth has."""

from dataclasses import replace

import numpy as np


def turned_as(calibration, true):
    """The calibration with its seats where the true camera has them: lines cannot tell the four apart."""
    x, y = calibration.to_board(true.project(np.array(((200.0, 0.0),))))[0]
    quarters = round(np.degrees(np.arctan2(y, x)) / 90)
    return replace(calibration, camera=calibration.camera.turned(90.0 * quarters))


def line_error(found, lines, true):
    """The largest radial error, mm, at which a calibration has the middle of one of the lines."""
    turn = np.radians(np.arange(0.0, 360.0, 3.0))
    measured = (found.board.fifteen_line, found.board.ten_line, found.board.outer_line)
    worst = 0.0
    for line, taken in zip(lines, measured, strict=True):
        seen = found.to_board(true.project(line * np.stack((np.cos(turn), np.sin(turn)), axis=-1)))
        worst = max(worst, float(np.max(np.abs(np.hypot(seen[:, 0], seen[:, 1]) - taken))))
    return worst
