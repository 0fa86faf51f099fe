"""Two readers that somebody in a hurry would write, given this project's calibration: what they get is the yardstick.

Both look at the board straightened from above at half the discs' height, which suits them best: neither tilt nor lens
nor height is against them. Neither knows doubt: every call of theirs is `sure`. Their thresholds were tried on the
very pictures that they are measured on.
"""

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from controller.vision.calibration.calibration import Calibration
from controller.vision.calibration.lens import Floats
from controller.vision.readings import SeenDisc, Zone
from hardware.devices import Image

SCALE = 1.5  # pixels of the straightened picture per mm
REACH = 335.0  # mm from the hole: the playing surface
IN_HOLE = 4.0  # mm: a disc's middle that near to the hole's is in it

CANNY = 60.0  # grey levels; 100 finds fewer
VOTES = 20.0  # of HoughCircles' accumulator; 12 to 30 tried
RADIUS_SLACK = 0.12

DIFFERENCE = 36  # grey levels in any channel; 14 to 36 tried
LEAST_AREA, MOST_AREA = 0.55, 1.5  # of a disc


def hough_circles(image: Image, calibration: Calibration, empty: Image | None) -> list[SeenDisc]:
    """OpenCV's HoughCircles at the discs' size, and the circles' distances from the hole."""
    flat = _straightened(image, calibration)
    grey = cv2.medianBlur(cv2.cvtColor(flat, cv2.COLOR_BGR2GRAY), 3)
    radius = calibration.disc.radius * SCALE
    circles = cv2.HoughCircles(
        grey,
        cv2.HOUGH_GRADIENT,
        dp=1,
        minDist=1.8 * radius,
        param1=CANNY,
        param2=VOTES,
        minRadius=round(radius * (1 - RADIUS_SLACK)),
        maxRadius=round(radius * (1 + RADIUS_SLACK)),
    )
    found = np.empty((0, 2)) if circles is None else circles.reshape(-1, circles.shape[-1])[:, :2]
    return _discs(found.astype(np.float64), flat, calibration)


def difference_blobs(image: Image, calibration: Calibration, empty: Image | None) -> list[SeenDisc]:
    """What differs from the empty board, in blobs of a disc's size. Without an empty picture: from the median wood."""
    flat = _straightened(image, calibration)
    if empty is not None:
        other = _straightened(empty, calibration)
    else:
        other = np.broadcast_to(np.median(flat.reshape(-1, 3), axis=0).astype(np.uint8), flat.shape)
    changed = (cv2.absdiff(flat, np.ascontiguousarray(other)).max(axis=2) > DIFFERENCE).astype(np.uint8)
    changed = cv2.morphologyEx(changed, cv2.MORPH_OPEN, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (7, 7)))
    count, _, stats, centres = cv2.connectedComponentsWithStats(changed)
    area = np.pi * (calibration.disc.radius * SCALE) ** 2
    of_size = [
        centres[k]
        for k in range(1, count)
        if LEAST_AREA * area < stats[k, cv2.CC_STAT_AREA] < MOST_AREA * area
        and max(stats[k, cv2.CC_STAT_WIDTH], stats[k, cv2.CC_STAT_HEIGHT]) < 2.9 * calibration.disc.radius * SCALE
    ]
    return _discs(np.array(of_size, np.float64).reshape(-1, 2), flat, calibration)


def _straightened(image: Image, calibration: Calibration) -> Image:
    across, down = _pixels(calibration)
    return np.asarray(cv2.remap(image, across, down, cv2.INTER_LINEAR), np.uint8)


@lru_cache(maxsize=1)
def _pixels(calibration: Calibration) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Where the straightened picture's pixels are in the camera's, at half the discs' height."""
    steps = np.arange(-REACH, REACH, 1 / SCALE)
    x, y = np.meshgrid(steps, -steps)
    points = np.stack((x, y, np.full_like(x, calibration.disc.thickness / 2)), axis=-1)
    across, down = np.moveaxis(calibration.project(points).astype(np.float32), -1, 0)
    return np.ascontiguousarray(across), np.ascontiguousarray(down)


def _discs(pixels: Floats, flat: Image, calibration: Calibration) -> list[SeenDisc]:
    places = np.stack((pixels[:, 0] / SCALE - REACH, REACH - pixels[:, 1] / SCALE), axis=-1)
    on_board = np.hypot(places[:, 0], places[:, 1]) < REACH
    pixels, places = pixels[on_board], places[on_board]
    labels = _two_groups(pixels, flat, calibration)
    return [_disc(x, y, label, calibration) for (x, y), label in zip(places, labels, strict=True)]


def _disc(x: float, y: float, label: int, calibration: Calibration) -> SeenDisc:
    """The lower-ring rule on the distance from the hole."""
    from_hole = float(np.hypot(x, y))
    gaps = [
        line - calibration.disc.radius - from_hole for line in (calibration.fifteen, calibration.ten, calibration.outer)
    ]
    zones: tuple[Zone, ...] = (15, 10, 5)
    zone: Zone = next((zone for zone, gap in zip(zones, gaps, strict=True) if gap > 0), 0)
    in_hole = from_hole < IN_HOLE
    return SeenDisc(
        x=float(x),
        y=float(y),
        colour=f"group {label}",
        lab=(0.0, 0.0, 0.0),
        pose="in_hole" if in_hole else "flat",
        zone=20 if in_hole else zone,
        clearance=min(gaps, key=abs),
        sigma=float("nan"),
        call="sure",
    )


def _two_groups(pixels: Floats, flat: Image, calibration: Calibration) -> list[int]:
    """The two sides, by two means of the discs' colours (CIE L*a*b*)."""
    if len(pixels) < 2:
        return [0] * len(pixels)
    lab = cv2.cvtColor(cv2.blur(flat, (round(calibration.disc.radius * SCALE),) * 2), cv2.COLOR_BGR2LAB)
    columns, rows = np.clip(np.rint(pixels).astype(int), 0, len(flat) - 1).T
    colours = lab[rows, columns].astype(np.float32)
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 20, 0.1)
    cv2.setRNGSeed(1)
    _, labels, _ = cv2.kmeans(colours, 2, None, stop, 3, cv2.KMEANS_PP_CENTERS)
    return [int(label) for label in labels.ravel()]
