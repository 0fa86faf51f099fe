"""Keeps a calibration up to date: checked by a picture, followed after a bump, measured again on the empty board."""

from collections.abc import Generator
from dataclasses import dataclass, replace

import numpy as np

from controller.errors import CalibrationFailed
from controller.vision.calibration.calibration import MOST_TURNED, Calibration, light_of, measured, quality_of
from controller.vision.calibration.camera import FIXED, Camera, Floats, LensPrior
from controller.vision.calibration.image_quality import PARTLY, badly_lit, spoilt
from controller.vision.calibration.least_squares import finish
from controller.vision.calibration.orientation import CLEAR_PEAK, quadrant_turn
from controller.vision.calibration.rings import (
    BEARINGS,
    FIT_NOISE,
    MADE_TO,
    NEAR,
    RingFit,
    acceptable,
    line_points,
    ring_fitting,
)
from hardware.board import Board
from hardware.devices import Image

MOVED_PIXELS = 0.3  # pixels at the outer line: less is scatter between pictures
BUMPED_REACHES = (12.0, 5.0, 3.0)
"""mm around the expected line searched in each pass after a bump. Source not recorded."""
IN_PLACE_REACHES = (5.0, 3.0)  # the same for an unmoved board
BORNE_OUT_REACHES = (3.0,)  # the same for a board too hidden for a fit
OTHER_CAMERA = 1.8  # times the lines' scatter. Measured: a bump leaves it at 1.0, another lens made it 2.4
PLAIN_LINES = 15.0  # times the scatter: clear lines determine the turn. Measured: boards 31 to 737, grain 3
GOES_ON = NEAR * FIT_NOISE  # mm between the points of two bearings, 2 degrees apart, that may be one line's
BETTER = 0.8  # share of a calibration's sigma: a smaller gain changes nothing


@dataclass(frozen=True, slots=True)
class Refit:
    """An updated calibration, and the board's largest movement in pixels."""

    calibration: Calibration
    moved: float


def refit(image: Image, calibration: Calibration) -> Refit | None:
    """Follow a board that was bumped by up to some centimetres, with the same lens and radii of lines. None if the
    lines are not seen well enough, for example under hands.
    """
    grey = light_of(image)
    calibration.require(grey.shape[1], grey.shape[0])
    prior, board, old = LensPrior.fixed(calibration.camera), calibration.board, calibration.camera
    fit = finish(ring_fitting(grey, old, _radii(board), prior, calibration.sign, BUMPED_REACHES, FIXED))
    if not acceptable(fit):
        return None
    turn, clear = quadrant_turn(grey, fit.camera, board, calibration.sign)
    believed = clear > (CLEAR_PEAK if abs(turn) < MOST_TURNED else PLAIN_LINES)
    camera = fit.camera.turned(turn) if believed else fit.camera
    quality = replace(quality_of(replace(fit, camera=camera), True), height_sigma=calibration.quality.height_sigma)
    return Refit(replace(calibration, camera=camera, quality=quality), _way(old, camera, board))


def lines_in_place(image: Image, calibration: Calibration) -> float:
    """The share of the three lines that the picture shows in place, in any light. Any cloth has something like a line
    everywhere; only on a line does it go on to the next bearing.
    """
    grey, camera, shown = light_of(image), calibration.camera, 0
    for radius in _radii(calibration.board).tolist():
        line = line_points(grey, camera, radius, IN_PLACE_REACHES[0], calibration.sign)
        at = np.full(BEARINGS, np.nan)
        at[line.bearings] = np.hypot(*camera.to_board(line.pixels).T)
        shown += int(np.count_nonzero(np.abs(at - np.roll(at, 1)) < GOES_ON))
    return shown / (3 * BEARINGS)


def borne_out(image: Image, calibration: Calibration) -> Calibration:
    """The calibration for this picture: the same, or followed to the moved board. Raises `CalibrationFailed` if the
    picture shows no board at the calibration's place.
    """
    grey = light_of(image)
    calibration.require(grey.shape[1], grey.shape[0])
    words = badly_lit(grey, calibration.camera, calibration.board)
    if words is not None:
        raise CalibrationFailed(words)
    found = refit(image, calibration)
    if found is not None and found.calibration.quality.rms > OTHER_CAMERA * calibration.quality.rms:
        raise CalibrationFailed("the calibration belongs to another camera: calibrate again with this one")
    if found is not None:
        return found.calibration if found.moved > MOVED_PIXELS else calibration
    camera, board = calibration.camera, calibration.board
    reaches, prior = BORNE_OUT_REACHES, LensPrior.fixed(camera)
    fit = finish(ring_fitting(grey, camera, _radii(board), prior, calibration.sign, reaches, FIXED))
    if fit.goodness < PARTLY or _way(camera, fit.camera, board) > MOVED_PIXELS:
        raise CalibrationFailed(
            spoilt(grey)
            or "the board is not where the calibration has it, or too much of it is hidden: clear the board of hands, "
            "and calibrate again if the camera or the board has moved, or if this is another camera's calibration"
        )
    return calibration


def renewal(image: Image, old: Calibration, prior: LensPrior) -> Generator[None, None, Calibration | None]:
    """The calibration measured again from a picture of the empty board: camera, lens, lines and pegs. None if the old
    one is as good. A generator that pauses every few milliseconds, so that no frame is lost.
    """
    grey = light_of(image)
    old.require(grey.shape[1], grey.shape[0])
    yield
    fit: RingFit = yield from ring_fitting(
        grey, old.camera, _radii(old.board), prior, old.sign, IN_PLACE_REACHES, MADE_TO
    )
    if not acceptable(fit):
        return None
    yield
    turn, clear = quadrant_turn(grey, fit.camera, old.board, old.sign)
    if clear > CLEAR_PEAK and abs(turn) < MOST_TURNED:
        fit = replace(fit, camera=fit.camera.turned(turn))
    yield
    board = replace(old.board, line_width=min(old.line_widths))
    found = measured(grey, fit, board, old.quality.turn_sure)
    moved = _way(old.camera, found.camera, board) > MOVED_PIXELS
    better = max(found.quality.sigma) < BETTER * max(old.quality.sigma)
    better = better or found.quality.height_sigma < BETTER * old.quality.height_sigma
    return found if moved or better else None


def _radii(board: Board) -> Floats:
    return np.array((board.fifteen_line, board.ten_line, board.outer_line))


def _way(old: Camera, new: Camera, board: Board) -> float:
    """The largest movement of the outer line in pixels."""
    around = np.array([(board.outer_line * x, board.outer_line * y) for x, y in ((1, 0), (0, 1), (-1, 0), (0, -1))])
    way = new.project(around) - old.project(around)
    return float(np.max(np.hypot(way[:, 0], way[:, 1])))
