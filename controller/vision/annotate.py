"""What was seen, drawn into the picture: the lines as measured, every disc's bottom, clearances with their doubt."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from controller.vision.calibration import Calibration
from controller.vision.readings import BoardReading, SeenDisc
from hardware.devices import Image

Colour = tuple[int, int, int]

LINE: Colour = (255, 170, 60)
SURE: Colour = (90, 220, 90)
CLOSE: Colour = (40, 170, 255)
NO_PLAY: Colour = (190, 190, 190)  # in the ditch
SHADOW: Colour = (0, 0, 0)
SUB_PIXEL = 4  # bits
CROP = 3.2  # radii of a disc from the middle of a close call's picture to its border
CROP_SIZE = 480  # pixels
TEXT = 0.42
OVERVIEW = 640  # pixels: a shot's picture, some 60 kB in the journal


def annotate(image: Image, calibration: Calibration, reading: BoardReading) -> Image:
    """A copy of the picture (H, W, 3) with the lines' inner edges and every disc's bottom edge drawn in.

    The bottom edge is what counts, and it lies where the eye does not see it: the top hides it on the far side.
    """
    picture = image.copy()
    _draw_lines(picture, calibration, np.eye(3))
    for disc in reading.discs:
        _draw_disc(picture, calibration, disc, np.eye(3))
        colour = _colour(disc)
        middle = calibration.project(np.array([disc.x, disc.y, 0.0]))
        words = "20" if disc.zone == 20 else f"{disc.clearance:+.1f} +-{disc.sigma:.1f}"
        if disc.pose != "ditch":
            _write(picture, words, (int(middle[0]) - 24, int(middle[1]) + 4), colour)
    return picture


def annotate_calibration(image: Image, calibration: Calibration) -> Image:
    """A copy of the picture (H, W, 3) with the board as measured: lines, hole, pegs, quadrants, seat 1, the quality."""
    picture, board = image.copy(), calibration.board
    _draw_lines(picture, calibration, np.eye(3))
    _circle(picture, calibration, (0.0, 0.0), board.hole_radius, 0.0, np.eye(3), LINE)
    for peg in board.pegs:
        _circle(picture, calibration, peg, board.peg_radius, 0.0, np.eye(3), LINE)
    for angle in np.radians(board.quadrant_angles):
        reach = np.array([[board.ten_line], [board.outer_line]])
        _polyline(picture, calibration.project(reach * (np.cos(angle), np.sin(angle))), False, LINE)
    seat = calibration.project(np.array([0.0, -(board.outer_line + board.surface_radius) / 2]))
    _write(picture, "seat 1", (int(seat[0]) - 24, int(seat[1]) + 4), SURE)
    for k, words in enumerate(calibration.quality.words().split(", ")):
        _write(picture, words, (12, 24 + 22 * k), SURE, 1.3 * TEXT)
    return picture


def overview(image: Image, calibration: Calibration, discs: Sequence[SeenDisc]) -> Image:
    """The whole picture made `OVERVIEW` pixels wide, with the lines and the discs' bottom edges as measured."""
    scale = OVERVIEW / calibration.width
    size = (OVERVIEW, round(scale * calibration.height))
    picture = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
    matrix = np.diag([scale, scale, 1.0])
    _draw_lines(picture, calibration, matrix)
    for disc in discs:
        _draw_disc(picture, calibration, disc, matrix)
    return picture


def crop(image: Image, calibration: Calibration, discs: Sequence[SeenDisc]) -> Image:
    """The picture (CROP_SIZE, CROP_SIZE, 3) of a question about discs: enlarged, with lines and bottom edges.

    The figure is written in where it is one disc; where it is none the whole board is shown.
    """
    places = np.array([(d.x, d.y) for d in discs] or [(0.0, 0.0)])
    centre = (places.min(axis=0) + places.max(axis=0)) / 2
    reach = CROP * calibration.disc.radius + float(np.max(np.hypot(*(places - centre).T)))
    reach = reach if discs else calibration.board.rail_radius
    middle = calibration.project(np.array([*centre, 0.0]))
    edge = calibration.project(np.array([centre[0] + reach, centre[1], 0.0]))
    scale = CROP_SIZE / (2 * float(np.hypot(*(edge - middle))))
    place = np.array([[scale, 0, CROP_SIZE / 2 - scale * middle[0]], [0, scale, CROP_SIZE / 2 - scale * middle[1]]])
    picture = np.asarray(cv2.warpAffine(image, place, (CROP_SIZE, CROP_SIZE), flags=cv2.INTER_CUBIC), np.uint8)
    matrix = np.vstack([place, [0, 0, 1]])
    _draw_lines(picture, calibration, matrix)
    for disc in discs:
        _draw_disc(picture, calibration, disc, matrix)
    if len(discs) == 1:
        figure = f"{discs[0].clearance:+.2f} mm +- {discs[0].sigma:.2f}"
        _write(picture, figure, (12, CROP_SIZE - 14), _colour(discs[0]), 2 * TEXT)
    return picture


def _colour(disc: SeenDisc) -> Colour:
    if disc.pose == "ditch":
        return NO_PLAY
    return SURE if disc.call == "sure" else CLOSE


def _draw_lines(picture: Image, calibration: Calibration, matrix: NDArray[np.float64]) -> None:
    for radius in (calibration.fifteen, calibration.ten, calibration.outer):
        _circle(picture, calibration, (0.0, 0.0), radius, 0.0, matrix, LINE)


def _draw_disc(picture: Image, calibration: Calibration, disc: SeenDisc, matrix: NDArray[np.float64]) -> None:
    z = {"ditch": -calibration.board.surface_height, "in_hole": -calibration.board.hole_depth}.get(disc.pose, 0.0)
    _circle(picture, calibration, (disc.x, disc.y), calibration.disc.radius, z, matrix, _colour(disc))


def _circle(
    picture: Image,
    calibration: Calibration,
    centre: tuple[float, float],
    radius: float,
    z: float,
    matrix: NDArray[np.float64],
    colour: Colour,
) -> None:
    angles = np.linspace(0, 2 * np.pi, 181)
    points = np.stack(
        [centre[0] + radius * np.cos(angles), centre[1] + radius * np.sin(angles), np.full_like(angles, z)], axis=-1
    )
    _polyline(picture, calibration.project(points) @ matrix[:2, :2].T + matrix[:2, 2], True, colour)


def _polyline(picture: Image, pixels: NDArray[np.float64], closed: bool, colour: Colour) -> None:
    steps = np.rint(pixels * 2**SUB_PIXEL).astype(np.int32)
    cv2.polylines(picture, [steps], closed, colour, 1, cv2.LINE_AA, SUB_PIXEL)


def _write(picture: Image, words: str, at: tuple[int, int], colour: Colour, size: float = TEXT) -> None:
    for dx, dy, ink in ((-1, 0, SHADOW), (1, 0, SHADOW), (0, -1, SHADOW), (0, 1, SHADOW), (0, 0, colour)):
        cv2.putText(picture, words, (at[0] + dx, at[1] + dy), cv2.FONT_HERSHEY_SIMPLEX, size, ink, 1, cv2.LINE_AA)
