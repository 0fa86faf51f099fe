"""Draws a reading into its picture: the measured lines, every disc's bottom edge, clearances with their errors."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from controller.vision.calibration.calibration import Calibration
from controller.vision.calibration.camera import Floats
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
    drawing = _Drawing(image.copy(), calibration)
    drawing.reading_of(reading.discs)
    for outline in (*reading.hidden, *reading.unseen):
        drawing.line(np.array(outline), UNSEEN)
    for disc in reading.discs:
        words = "20" if disc.zone == 20 else f"{disc.clearance:+.1f} +-{disc.sigma:.1f}"
        if disc.pose != "ditch":
            drawing.write_at(words, (disc.x, disc.y), _colour(disc))
    return drawing.picture


def annotate_calibration(image: Image, calibration: Calibration) -> Image:
    """A copy of the picture (H, W, 3) with the board as measured: lines, hole, pegs, quadrants, seat 1, the quality."""
    drawing, board = _Drawing(image.copy(), calibration), calibration.board
    drawing.reading_of(())
    drawing.circle((0.0, 0.0), board.hole_radius)
    for peg in board.pegs:
        drawing.circle(peg, board.peg_radius)
    for angle in np.radians(board.quadrant_angles):
        reach = np.array([[board.ten_line], [board.outer_line]])
        drawing.line(reach * (np.cos(angle), np.sin(angle)), LINE, closed=False)
    drawing.write_at("seat 1", (0.0, -(board.outer_line + board.surface_radius) / 2), SURE)
    for k, words in enumerate(calibration.quality.words().split(", ")):
        _write(drawing.picture, words, (12, 24 + 22 * k), SURE, 1.3 * TEXT)
    return drawing.picture


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
    begin = np.array((columns.start, rows.start))
    drawing = _Drawing(picture, calibration, 1 / shrink, (0.5 - begin) / shrink - 0.5)  # centres are at whole numbers
    drawing.reading_of(seen)
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
    middle, edge = calibration.project(np.array([centre, (centre[0] + reach, centre[1])]))
    size = CROP_SIZE
    scale = size / (2 * float(np.hypot(*(edge - middle))))
    shift = size / 2 - scale * middle
    place = np.column_stack((scale * np.eye(2), shift))
    picture = np.asarray(cv2.warpAffine(image, place, (size, size), flags=cv2.INTER_CUBIC), np.uint8)
    drawing = _Drawing(picture, calibration, scale, shift)
    drawing.reading_of(seen)
    if toward is not None:
        drawing.arrow(math.radians(toward))
    if len(seen) == 1:
        figure = f"{seen[0].clearance:+.2f} mm +- {seen[0].sigma:.2f}"
        _write(picture, figure, (12, size - 14), _colour(seen[0]), 2 * TEXT)
    return picture


def _colour(disc: SeenDisc) -> Colour:
    if disc.pose == "ditch":
        return NO_PLAY
    return SURE if disc.call == "sure" else CLOSE


@dataclass(frozen=True, slots=True)
class _Drawing:
    """A picture to draw in, of the camera's picture scaled and then shifted by pixels (2,)."""

    picture: Image
    calibration: Calibration
    scale: float = 1.0
    shift: Floats | float = 0.0

    def pixels(self, points: Floats) -> Floats:
        """(.., 2) of board points (.., 3) in mm, or (.., 2) on the surface."""
        return np.asarray(self.scale * self.calibration.project(points) + self.shift, np.float64)

    def reading_of(self, seen: Sequence[SeenDisc]) -> None:
        """Draw the inner edges of the lines, and the discs' bottom edges."""
        for radius in (self.calibration.fifteen, self.calibration.ten, self.calibration.outer):
            self.circle((0.0, 0.0), radius)
        board = self.calibration.board
        heights = {"ditch": -board.surface_height, "in_hole": -board.hole_depth}
        for disc in seen:
            centre = (disc.x, disc.y, heights.get(disc.pose, 0.0))
            self.circle(centre, board.disc.radius, _colour(disc))

    def circle(self, centre: Sequence[float], radius: float, colour: Colour = LINE) -> None:
        """Draw a level circle around a board point, mm."""
        angles = np.linspace(0, 2 * np.pi, max(FEWEST_CORNERS, int(radius / CORNER)), endpoint=False)
        around = np.stack([np.cos(angles), np.sin(angles), np.zeros_like(angles)][: len(centre)], axis=-1)
        self.line(np.array(centre) + radius * around, colour)

    def line(self, points: Floats, colour: Colour, *, closed: bool = True) -> None:
        """Draw a line through board points."""
        steps = np.rint(self.pixels(points) * 2**SUB_PIXEL).astype(np.int32)
        cv2.polylines(self.picture, [steps], closed, colour, 1, cv2.LINE_AA, SUB_PIXEL)

    def arrow(self, angle: float) -> None:
        """Draw an arrow from the ring of ten to the rail at a player's side."""
        board = self.calibration.board
        reach = np.array([[(board.fifteen_line + board.ten_line) / 2], [board.surface_radius]])
        tail, tip = np.rint(self.pixels(reach * (np.cos(angle), np.sin(angle)))).astype(int).tolist()
        for ink, width in ((SHADOW, ARROW + 4), (CLOSE, ARROW)):
            cv2.arrowedLine(self.picture, tail, tip, ink, width, cv2.LINE_AA, tipLength=0.35)

    def write_at(self, words: str, place: tuple[float, float], colour: Colour) -> None:
        """Write at a board point."""
        column, row = self.pixels(np.array(place))
        _write(self.picture, words, (int(column) - 24, int(row) + 4), colour)


def _write(picture: Image, words: str, at: tuple[int, int], colour: Colour, size: float = TEXT) -> None:
    around = [(dx, dy, SHADOW) for dx, dy in ((-1, 0), (1, 0), (0, -1), (0, 1))]
    for dx, dy, ink in (*around, (0, 0, colour)):
        cv2.putText(picture, words, (at[0] + dx, at[1] + dy), cv2.FONT_HERSHEY_SIMPLEX, size, ink, 1, cv2.LINE_AA)
