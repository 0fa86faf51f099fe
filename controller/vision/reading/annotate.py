"""Draws a reading into its picture: the measured lines, every disc's bottom edge, clearances with their errors."""

import math
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from controller.vision.calibration.calibration import Calibration
from controller.vision.reading import discs
from controller.vision.readings import BoardReading, SeenDisc
from hardware.devices import Image

# Colours are blue, green, red, 0..255.
LINE = (255, 170, 60)  # the board's lines
SURE = (90, 220, 90)  # a disc whose zone is sure
CLOSE = (40, 170, 255)  # a disc whose zone is a close call
UNSEEN = (60, 60, 235)  # around parts that hands hide or the picture does not show
NO_PLAY = (190, 190, 190)  # a disc in the ditch
SHADOW = (0, 0, 0)  # around letters and arrows
SUB_PIXEL = 4  # bits of a drawn point's place below the pixel
FEWEST_CORNERS = 48  # corners of a drawn circle, at least
CORNER = 2.0  # mm of a circle's radius for each of its corners: within a quarter of a pixel
CROP = 3.2  # radii of a disc from the middle of a close call's picture to its border
CROP_SIZE = 480  # pixels of such a picture's side
TEXT = 0.42  # size of letters, times OpenCV's own
ARROW = 6  # pixels of an arrow's width
OVERVIEW = 640  # pixels of a shot's picture at most
OVERVIEW_QUALITY = 75
"""JPEG: 30 to 50 kB in the journal, measured on painted and ray-traced boards; at 95 twice as much."""

Colour = tuple[int, int, int]


def annotate(image: Image, calibration: Calibration, reading: BoardReading) -> Image:
    """A copy of the picture (H, W, 3) with the lines' inner edges, every disc's bottom edge and what is hidden.

    The bottom edge counts, although the top hides it on the far side.
    """
    picture = image.copy()
    _draw_lines(picture, calibration, np.eye(3))
    _draw_discs(picture, calibration, reading.discs, np.eye(3))
    for outline in (*reading.hidden, *reading.unseen):
        _polyline(picture, calibration.project(np.array(outline)), True, UNSEEN)
    for disc in reading.discs:
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
    _circle(picture, calibration, (0.0, 0.0), board.hole_radius, np.eye(3), LINE)
    for peg in board.pegs:
        _circle(picture, calibration, peg, board.peg_radius, np.eye(3), LINE)
    for angle in np.radians(board.quadrant_angles):
        reach = np.array([[board.ten_line], [board.outer_line]])
        _polyline(picture, calibration.project(reach * (np.cos(angle), np.sin(angle))), False, LINE)
    seat = calibration.project(np.array([0.0, -(board.outer_line + board.surface_radius) / 2]))
    _write(picture, "seat 1", (int(seat[0]) - 24, int(seat[1]) + 4), SURE)
    for k, words in enumerate(calibration.quality.words().split(", ")):
        _write(picture, words, (12, 24 + 22 * k), SURE, 1.3 * TEXT)
    return picture


def overview(image: Image, calibration: Calibration, seen: Sequence[SeenDisc]) -> Image:
    """The board with its ditch, at most `overview` pixels wide and high, with lines and bottom edges as measured.

    It is shrunk by a whole factor, which costs a tenth of any other.
    """
    rows, columns = discs.playing_area(calibration).part
    part = image[rows, columns]
    shrink = math.ceil(max(part.shape[:2]) / OVERVIEW)
    height, width = (size // shrink for size in part.shape[:2])
    part = part[: height * shrink, : width * shrink]
    picture = np.asarray(cv2.resize(part, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
    x, y = ((0.5 - begin) / shrink - 0.5 for begin in (columns.start, rows.start))  # centres are at whole numbers
    matrix = np.array([[1 / shrink, 0, x], [0, 1 / shrink, y], [0, 0, 1]])
    _draw_lines(picture, calibration, matrix)
    _draw_discs(picture, calibration, seen, matrix)
    return picture


def crop(image: Image, calibration: Calibration, seen: Sequence[SeenDisc], toward: int | None = None) -> Image:
    """The picture (crop_size, crop_size, 3) of a question about discs: enlarged, with lines and bottom edges.

    With one disc, its figure is written in; without discs the whole board is shown, with an arrow `toward` a side of it
    (degrees) if the question is about one.
    """
    places = np.array([(d.x, d.y) for d in seen] or [(0.0, 0.0)])
    centre = (places.min(axis=0) + places.max(axis=0)) / 2
    reach = CROP * calibration.disc.radius + float(np.max(np.hypot(*(places - centre).T)))
    reach = reach if seen else calibration.board.rail_radius
    middle = calibration.project(np.array([*centre, 0.0]))
    edge = calibration.project(np.array([centre[0] + reach, centre[1], 0.0]))
    size = CROP_SIZE
    scale = size / (2 * float(np.hypot(*(edge - middle))))
    place = np.array([[scale, 0, size / 2 - scale * middle[0]], [0, scale, size / 2 - scale * middle[1]]])
    picture = np.asarray(cv2.warpAffine(image, place, (size, size), flags=cv2.INTER_CUBIC), np.uint8)
    matrix = np.vstack([place, [0, 0, 1]])
    _draw_lines(picture, calibration, matrix)
    _draw_discs(picture, calibration, seen, matrix)
    if toward is not None:
        _draw_arrow(picture, calibration, math.radians(toward), matrix)
    if len(seen) == 1:
        figure = f"{seen[0].clearance:+.2f} mm +- {seen[0].sigma:.2f}"
        _write(picture, figure, (12, size - 14), _colour(seen[0]), 2 * TEXT)
    return picture


def _colour(disc: SeenDisc) -> Colour:
    if disc.pose == "ditch":
        return NO_PLAY
    return SURE if disc.call == "sure" else CLOSE


def _draw_lines(picture: Image, calibration: Calibration, matrix: NDArray[np.float64]) -> None:
    for radius in (calibration.fifteen, calibration.ten, calibration.outer):
        _circle(picture, calibration, (0.0, 0.0), radius, matrix, LINE)


def _draw_discs(
    picture: Image, calibration: Calibration, seen: Sequence[SeenDisc], matrix: NDArray[np.float64]
) -> None:
    heights = {"ditch": -calibration.board.surface_height, "in_hole": -calibration.board.hole_depth}
    middles = np.array([(disc.x, disc.y, heights.get(disc.pose, 0.0)) for disc in seen]).reshape(-1, 1, 3)
    edges = calibration.project(middles + _ring(calibration.disc.radius)) @ matrix[:2, :2].T + matrix[:2, 2]
    for disc, edge in zip(seen, edges, strict=True):
        _polyline(picture, edge, True, _colour(disc))


def _draw_arrow(picture: Image, calibration: Calibration, angle: float, matrix: NDArray[np.float64]) -> None:
    """Draw an arrow from the ring of ten to the rail at a player's side."""
    board = calibration.board
    reach = np.array([[(board.fifteen_line + board.ten_line) / 2], [board.surface_radius]])
    ends = calibration.project(reach * (np.cos(angle), np.sin(angle))) @ matrix[:2, :2].T + matrix[:2, 2]
    tail, tip = (tuple(int(c) for c in end) for end in np.rint(ends))
    for ink, width in ((SHADOW, ARROW + 4), (CLOSE, ARROW)):
        cv2.arrowedLine(picture, tail, tip, ink, width, cv2.LINE_AA, tipLength=0.35)


def _circle(
    picture: Image,
    calibration: Calibration,
    centre: tuple[float, float],
    radius: float,
    matrix: NDArray[np.float64],
    colour: Colour,
) -> None:
    points = _ring(radius) + np.array([*centre, 0.0])
    _polyline(picture, calibration.project(points) @ matrix[:2, :2].T + matrix[:2, 2], True, colour)


def _ring(radius: float) -> NDArray[np.float64]:
    """Corners (n, 3) of a level circle about the origin."""
    angles = np.linspace(0, 2 * np.pi, max(FEWEST_CORNERS, int(radius / CORNER)), endpoint=False)
    return radius * np.stack([np.cos(angles), np.sin(angles), np.zeros_like(angles)], axis=-1)


def _polyline(picture: Image, pixels: NDArray[np.float64], closed: bool, colour: Colour) -> None:
    steps = np.rint(pixels * 2**SUB_PIXEL).astype(np.int32)
    cv2.polylines(picture, [steps], closed, colour, 1, cv2.LINE_AA, SUB_PIXEL)


def _write(picture: Image, words: str, at: tuple[int, int], colour: Colour, size: float = TEXT) -> None:
    around = [(dx, dy, SHADOW) for dx, dy in ((-1, 0), (1, 0), (0, -1), (0, 1))]
    for dx, dy, ink in (*around, (0, 0, colour)):
        cv2.putText(picture, words, (at[0] + dx, at[1] + dy), cv2.FONT_HERSHEY_SIMPLEX, size, ink, 1, cv2.LINE_AA)
