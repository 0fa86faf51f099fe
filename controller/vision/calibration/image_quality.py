"""Explains why no board was found, with the remedy."""

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from controller.vision.calibration.camera import Camera
from controller.vision.calibration.rings import IN_VIEW, Grey, RingFit, straighten
from hardware.board import Board
from hardware.devices import Image

DARK = 40.0  # grey levels: a picture whose brightest tenth is below is too dark
BLOWN = 250.0  # grey levels from which a pixel is blown out
PARTLY = 1.2  # of the three lines: a board is there, but not enough of it. Chance alone reaches 1
SHARP = 0.7  # grey levels of fine contrast. Measured: 2 to 12 in focus, 0.4 blurred by 4 pixels
MOST_BLOWN = 0.33  # share of the pixels: more is named as the cause if nothing is found
BRIGHTEST_OF_PICTURE = 90.0  # per cent: the percentile of a whole picture that `dark` is compared with
BRIGHTEST_OF_SURFACE = 98.0  # per cent, the same of a playing surface: light lines are 3 % of it
PLAIN = 3.0  # grey levels of scatter: less is a covered lens or a wall
SHARP_SURFACE = 4.0
"""The same of a surface from above at 2.5 mm a pixel. Measured: 11 to 60 in focus, 8 in half of the light, 3 to
7 blurred by 4 pixels of the picture, when a sixth of the discs is not found any more."""
SAMPLED = 4  # pixels between the samples of the surface's light


TOO_DARK = "the picture is too dark: give the board more light or the camera a longer exposure"
BLOWN_OUT = "the picture is blown out: shorten the exposure, or keep lamps from shining into the camera"

NOTHING = "the picture shows nothing: take the cover off the lens and look whether the camera sees the board"
BLURRED = "the picture is blurred: focus the lens, wipe it, and see that nothing shakes the camera"


def spoilt(grey: Grey) -> str | None:
    """The likely problem of a picture without a board, independent of its content; None if there is none."""
    if _much_blown(grey):
        return BLOWN_OUT
    return _darkness(grey, BRIGHTEST_OF_PICTURE) or _contrast(grey, grey, SHARP)


def badly_lit(grey: Grey, camera: Camera, board: Board) -> str | None:
    """The problem of a playing surface that is too dark for discs to stand out; None if it is not."""
    bearings = np.linspace(0, 2 * np.pi, 72, endpoint=False)
    surface = straighten(grey, camera, np.linspace(0.1, 1.0, 40) * board.outer_line, bearings)
    return _darkness(surface, BRIGHTEST_OF_SURFACE)  # a dark board's light lines are enough


def unreadable(surface: Image) -> str | None:
    """Why discs can't be seen on this playing surface, seen from above (m, m, 3); None if they can.

    An overexposed part hides only itself, see `controller.vision.reading.unseen`: a white board's lines and dark discs
    may be sharp although all of its wood is overexposed.
    """
    grey = np.asarray(cv2.cvtColor(surface, cv2.COLOR_BGR2GRAY), np.uint8)
    some = grey[::SAMPLED, ::SAMPLED]
    words = _darkness(some, BRIGHTEST_OF_SURFACE) or _contrast(some, grey, SHARP_SURFACE)
    return BLOWN_OUT if words is not None and _much_blown(some) else words


def washed_out(surface: Image) -> bool:
    """Whether so much of a surface seen from above (m, m, 3) is overexposed that its look means nothing."""
    some = surface[::SAMPLED, ::SAMPLED]
    return _much_blown(cv2.cvtColor(some, cv2.COLOR_BGR2GRAY))


def _much_blown(levels: NDArray[Any]) -> bool:
    """Whether overexposure explains why nothing can be measured in a picture."""
    return bool(np.mean(levels > BLOWN) > MOST_BLOWN)


def _darkness(levels: NDArray[Any], brightest: float) -> str | None:
    """The problem if these grey levels, NaN where nothing is seen, are too dark; else None."""
    light, seen = (np.count_nonzero(where) for where in (levels >= DARK, np.isfinite(levels)))
    return TOO_DARK if light < (1 - brightest / 100) * seen else None


def _contrast(some: NDArray[Any], grey: Grey | Image, sharp: float) -> str | None:
    """The problem if `some` of the pixels have no contrast, or the whole picture `grey` is not sharp; else None."""
    if some.std() < PLAIN:
        return NOTHING
    return BLURRED if sharpness(grey) < sharp else None


def trouble_with(grey: Grey, best: RingFit | None) -> str:
    """The likeliest problem of a picture in which no board could be measured."""
    words = spoilt(grey)
    if words is not None:
        return words
    if best is not None and best.goodness > PARTLY and best.lines[2].in_view < IN_VIEW:
        return "only a part of the board is in the picture: move the camera until the whole outer line is in view"
    if best is not None and best.goodness > PARTLY:
        return "too much of the lines is hidden: clear the board, keep hands and glare away, and try again"
    return (
        "no crokinole board was found: the three ring lines must be in view, seen from above (tilted by less than "
        "about 50 degrees), most of them free of hands and glare; or tap the landmarks"
    )


def sharpness(grey: Grey | Image) -> float:
    """The picture's fine contrast."""
    _, deviation = cv2.meanStdDev(cv2.Laplacian(grey, cv2.CV_32F))
    return float(deviation[0, 0])
