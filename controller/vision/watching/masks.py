"""Small steps on small pictures and their masks."""

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from controller.vision.calibration.camera import Bools
from hardware.devices import Image, Matrix

MOTION_MM2 = 40.0
"""mm2, a twentieth of a disc: smaller changes are single pixels."""
LIGHT_ROUNDING = 0.004
"""Share of the light: half a grey level of 128."""


def scaled(picture: Matrix, by: float) -> Image:
    """The picture multiplied by this factor; the picture itself if that changes it by less than rounding."""
    return np.asarray(picture if abs(by - 1) < LIGHT_ROUNDING else cv2.convertScaleAbs(picture, alpha=by), np.uint8)


def middle_of(region: Bools, radius: float) -> Bools:
    """The part within this many pixels of the region's centre."""
    rows, columns = np.nonzero(region)
    y, x = np.ogrid[: region.shape[0], : region.shape[1]]
    return np.asarray(np.hypot(y - rows.mean(), x - columns.mean()) < radius, np.bool_)


def grey(mask: Bools) -> NDArray[np.uint8]:
    """The mask as 0 and 255."""
    return np.where(mask, np.uint8(255), np.uint8(0))


def shrunk(mask: Matrix, by: int) -> Matrix:
    """The mask shrunk by this many pixels."""
    element = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * by + 1,) * 2)
    return cv2.erode(mask, element, borderType=cv2.BORDER_CONSTANT, borderValue=0)


def median(values: NDArray[np.floating[Any]]) -> float:
    """The median; the upper one of two middle values."""
    middle = len(values) // 2
    return float(np.partition(values, middle)[middle])  # takes a sixth of np.median's time


def halved(picture: Matrix) -> Matrix:
    """Every second pixel."""
    return np.ascontiguousarray(picture[::2, ::2])


def much(difference: Matrix, least: float, within: Matrix, mm2: float) -> bool:
    """Whether more than the least area of a motion differs by more than `least`; a pixel is `mm2`."""
    _, changed = cv2.threshold(difference, least, 255, cv2.THRESH_BINARY)
    return bool(cv2.countNonZero(cv2.bitwise_and(changed, within)) * mm2 > MOTION_MM2)


def sigma(samples: Matrix) -> float:
    """The noise of differences, mostly at still places: from the mean of a normal distribution's lower four fifths."""
    most = len(samples) * 4 // 5
    return 1.79 * float(np.partition(samples, most)[:most].mean())
