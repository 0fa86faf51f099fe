"""Does a hand, or anything else that reaches in over the rail, hide part of the board?

Whatever reaches in crosses the edge of the playing surface, the ditch and the rail along one direction, and there it
is not what the board shows in the directions beside it. Light that is mirrored adds the same to all three primaries;
arms, sleeves and their shadows do not.
"""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from controller.vision import colours, discs
from controller.vision.calibration import Calibration
from controller.vision.discs import View
from hardware.devices import Image

INWARDS, OUTWARDS = 35.0, 45.0  # mm from the surface's edge: the stretch that is looked at
APART = 5.0  # mm between radii
DIRECTIONS = 180
BESIDE = 40  # directions to either side that tell what is usual
BESIDE_STEP = 5
BLUR = 3  # pixels of the view
UNUSUAL = 6.0  # in `colours.distance`
MIRRORED = 0.6  # least over greatest gain of a primary; measured: mirrored light 0.8 and more, arms up to 0.5
CROSSING = 0.6  # share of the stretch
NARROWEST = 2  # directions, of 11 mm: a thin wrist; measured: arms 2 and more, boards without at most 1
LIGHT_OF = colours.linear(np.arange(256.0))
DISC_MARGIN = 1.5  # radii around each disc that are left out


def something_reaches_in(view: View, calibration: Calibration, seen: Sequence[tuple[float, float]]) -> bool:
    """True when something crosses the board's edge; `seen` are the discs' centres (x, y)."""
    edge = calibration.board.surface_radius
    radii = np.arange(edge - INWARDS, edge + OUTWARDS, APART)
    angles = np.arange(DIRECTIONS) * (2 * np.pi / DIRECTIONS)
    places = np.stack([radii[:, None] * np.cos(angles), radii[:, None] * np.sin(angles)], axis=-1)
    soft = np.asarray(cv2.blur(view.image, (BLUR, BLUR)), np.uint8)
    x, y = np.moveaxis(view.pixel(places), -1, 0).astype(np.float32)
    bgr = discs.sample(soft, x, y)
    strange = _strange(bgr) & _in_picture(places, calibration)
    for x, y in seen:
        strange &= np.hypot(places[..., 0] - x, places[..., 1] - y) > DISC_MARGIN * calibration.disc.radius
    return _longest_run(strange.mean(0) > CROSSING) >= NARROWEST


def _in_picture(places: NDArray[np.float64], calibration: Calibration) -> NDArray[np.bool_]:
    """Which places (.., 2) of the view the camera sees at all."""
    height = np.full((*places.shape[:-1], 1), calibration.disc.thickness)
    x, y = np.moveaxis(calibration.project(np.concatenate([places, height], axis=-1)), -1, 0)
    return np.asarray((x >= 0) & (y >= 0) & (x < calibration.width) & (y < calibration.height), np.bool_)


def _strange(bgr: Image) -> NDArray[np.bool_]:
    """Where colours (radii, directions, 3) differ from the same radius in the directions beside."""
    around = np.arange(-BESIDE, BESIDE + 1, BESIDE_STEP)
    columns = (np.arange(0, bgr.shape[1], BESIDE_STEP)[:, None] + around) % bgr.shape[1]
    middle = len(around) // 2
    planes = np.ascontiguousarray(np.moveaxis(bgr[:, columns], -1, 1))
    usual = np.partition(planes, middle, axis=-1)[..., middle].transpose(0, 2, 1).repeat(BESIDE_STEP, axis=1)
    away = colours.distance(colours.lab_of(bgr.astype(np.float64)), colours.lab_of(usual.astype(np.float64)))
    gain = LIGHT_OF[bgr] - LIGHT_OF[usual]
    mirrored = gain.min(-1) > MIRRORED * np.abs(gain).max(-1)
    return np.asarray((away > UNUSUAL) & ~mirrored, np.bool_)


def _longest_run(flags: NDArray[np.bool_]) -> int:
    """The longest run of True around the circle."""
    gaps = np.flatnonzero(~flags)
    if not len(gaps):
        return len(flags)
    return int(np.diff(np.append(gaps, gaps[0] + len(flags))).max()) - 1
