"""What differs between small grey pictures of one board: the gate's eye, without any notion of time.

Each picture is compared with two others: the one at which the present calm began (has anything moved since?) and the
last settled board (is something there that is no disc?). What the light does to the whole picture is divided out first.
"""

from dataclasses import dataclass
from typing import Any, Literal

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray

from controller.errors import BadInput
from controller.vision.bump import Edges
from hardware.board import Board
from hardware.devices import Image

Obstacle = Literal["hand", "covered", "light_changed"]
Place = Literal["home", "moved", "lost"]

NOISE_SIGMAS = 8.0  # a pixel has changed when it differs by this many standard errors of a quiet picture
LEAST_CHANGE = 4.0  # grey levels: rounding and a JPEG's ripples stay below it
HAND_CONTRAST = 0.12  # of the board's own grey: a hand differs by more, people's soft shadows by less
MOTION_MM2 = 40.0  # a twentieth of a disc: smaller changes are single pixels
HAND_MM2 = 1500.0  # two discs: a finger and the knuckles that follow it over the rail are more
REACH_MM2 = 300.0  # of the rail under a hand: 25 mm of its 13 mm width; a disc against the rail stays off it
CLEAR_SHARE = 0.25  # of a hand differs by HAND_CONTRAST, the rest just visibly; a shadow hardly anywhere
COVERED_SHARE = 0.5  # of the board
DARKEST = 12.0  # grey levels, median: nothing can be seen below it
LIGHT_STEP = 0.08  # relative; a change that comes more slowly is followed
LIGHT_ROUNDING = 0.004  # relative: half a grey level of 128
LEARNING = 0.02  # weight of one picture in the noise: a second at 50 pictures a second
FOLLOWED = 0.3  # of a slow change, each time it is followed
MOVED_MM = 1.0  # at the outer line: two to three standard errors of a reading
SAME_SHARE = 0.5  # of the board's edges must be found again in a picture of the same board

LINE = np.ones((2, 2), np.uint8)  # half-size pixels: what is thinner is an edge of a bumped board
GAP = np.ones((5, 5), np.uint8)  # half-size pixels: pieces of a hand that are no farther apart belong together

Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Seen:
    """What one picture shows against those before it."""

    moved: bool  # something changed since the calm began; this picture begins a new one
    obstacle: Obstacle | None


class Changes:
    """The pictures that new ones are compared with.

    `region` is the board out to the rail's outer edge; without it the whole picture counts and the rail is taken to
    fill its height. The first picture is taken for a settled board at its place.
    """

    def __init__(self, small: Image, region: Bools | None, board: Board) -> None:
        rail = board.rail_radius + board.rail_width
        if region is None:
            region = np.ones(small.shape, np.bool_)
            self.mm = 2 * rail / small.shape[0]
        else:
            self.mm = float(np.sqrt(np.pi * rail**2 / np.count_nonzero(region)))  # mm per pixel
        if small.shape != region.shape:
            (h, w), (rows, columns) = small.shape[:2], region.shape
            raise BadInput(
                f"The camera's small picture is {w}x{h}, the calibration's {columns}x{rows}: calibrate again."
            )
        self._shape = small.shape
        self._far = board.outer_line / self.mm
        rows_in, columns_in = np.nonzero(region)
        self._box = np.s_[rows_in.min() : rows_in.max() + 1, columns_in.min() : columns_in.max() + 1]
        inside = region[self._box]
        self._region = inside
        self._mask = np.where(inside, np.uint8(255), np.uint8(0))
        self._half = np.ascontiguousarray(self._mask[::2, ::2])
        width = max(1, round(board.rail_width / (2 * self.mm)))
        middle = cv2.erode(self._half, np.ones((2 * width + 1,) * 2), borderType=cv2.BORDER_CONSTANT, borderValue=0)
        self._rim = (self._half > 0) & (middle == 0)
        step = max(1, round(np.sqrt(np.count_nonzero(inside) / 1200)))  # 1200 samples tell the light to 0.1 %
        numbered = np.arange(inside.size).reshape(inside.shape)
        self._samples = numbered[::step, ::step][inside[::step, ::step]]

        self._light = 1.0  # of this picture relative to the first
        self._usual_light = 1.0
        self._noise = 0.0  # standard deviation of the difference of two quiet pictures, grey levels
        self._now: MatLike = self._smooth(small)
        self.moved_mm = 0.0
        self._unhidden: MatLike | None = None  # half-size, the board before an obstacle was accepted as part of it
        self.settle(home=True)

    def look(self, small: Image) -> Seen:
        """Compare a new picture with those before it."""
        if small.shape != self._shape:
            (h, w), (rows, columns) = small.shape[:2], self._shape
            raise BadInput(f"The small picture became {w}x{h} after {columns}x{rows}: start the camera again.")
        picture = self._smooth(small)
        light = _median(picture.ravel()[self._samples] / self._settled_samples)
        if light * self._settled_grey < DARKEST:
            self._now = picture
            return Seen(self._moved(cv2.absdiff(picture, self._calm)), "covered")
        self._light = light
        self._now = cv2.convertScaleAbs(picture, alpha=1 / light) if abs(light - 1) > LIGHT_ROUNDING else picture
        difference = cv2.absdiff(self._now, self._calm)
        moved = self._moved(difference)
        obstacle = self._obstacle()
        if obstacle is None and not moved:
            self._learn_noise(difference)
        if obstacle is None and abs(light / self._usual_light - 1) > LIGHT_STEP:
            obstacle = "light_changed"
        return Seen(moved, obstacle)

    def settle(self, home: bool = False) -> None:
        """The present picture is the settled board; with `home`, also the place where the board belongs."""
        self._settled = self._calm = self._now
        self._usual_light = self._light
        self._remember()
        if home:
            self._edges = Edges(self._settled, self._region)
            self.moved_mm = 0.0

    def accept(self) -> None:
        """The present picture is the board, with what was taken for an obstacle. That may leave again."""
        self._unhidden = self._settled_half
        self.settle(home=True)

    def follow(self) -> None:
        """Nothing has happened for a while: what changed slowly is the light."""
        self._settled = self._calm = cv2.addWeighted(self._settled, 1 - FOLLOWED, self._now, FOLLOWED, 0.5)
        self._usual_light = self._light
        self._remember()

    def place(self) -> Place:
        """Where the board lies in the present picture; some milliseconds."""
        shift = self._edges.shift_of(self._now)
        if shift.agreement < SAME_SHARE:
            return "lost"
        self.moved_mm = shift.at_radius(self._far) * self.mm
        return "moved" if self.moved_mm > MOVED_MM else "home"

    def _smooth(self, small: Image) -> MatLike:
        return cv2.blur(small[self._box], (3, 3))

    def _remember(self) -> None:
        self._settled_samples = np.maximum(self._settled.ravel()[self._samples].astype(np.float32), 1)
        self._settled_grey = _median(self._settled_samples)
        self._settled_half = np.ascontiguousarray(self._settled[::2, ::2])

    @property
    def _least_change(self) -> float:
        return max(LEAST_CHANGE, NOISE_SIGMAS * self._noise) / min(self._light, 1.0)

    def _moved(self, difference: MatLike) -> bool:
        _, changed = cv2.threshold(difference, self._least_change, 255, cv2.THRESH_BINARY)
        moved: bool = cv2.countNonZero(cv2.bitwise_and(changed, self._mask)) * self.mm**2 > MOTION_MM2
        if moved:
            self._calm = self._now
        return moved

    def _learn_noise(self, difference: MatLike) -> None:
        samples = difference.ravel()[self._samples]
        most = len(samples) * 4 // 5
        sigma = 1.79 * float(np.partition(samples, most)[:most].mean())  # the mean of a normal's lower four fifths
        self._noise += LEARNING * (sigma - self._noise)

    def _obstacle(self) -> Obstacle | None:
        obstacle = self._obstacle_on(self._settled_half)
        if obstacle == "hand" and self._unhidden is not None:
            return self._obstacle_on(self._unhidden)  # what was accepted and has left is no hand either
        return obstacle

    def _obstacle_on(self, board: MatLike) -> Obstacle | None:
        """Something that is no disc: it hides most of the board, or reaches in over the rail."""
        now = np.ascontiguousarray(self._now[::2, ::2])
        difference = cv2.bitwise_and(cv2.absdiff(now, board), self._half)
        limit = cv2.convertScaleAbs(board, alpha=HAND_CONTRAST, beta=self._least_change)
        clear = cv2.compare(difference, limit, cv2.CMP_GT)
        mm2 = (2 * self.mm) ** 2
        if cv2.countNonZero(clear) * mm2 < HAND_MM2:
            return None
        clear = cv2.morphologyEx(clear, cv2.MORPH_OPEN, LINE)
        if cv2.countNonZero(clear) > COVERED_SHARE * cv2.countNonZero(self._half):
            return "covered"
        _, faint = cv2.threshold(difference, self._least_change, 255, cv2.THRESH_BINARY)
        faint = cv2.morphologyEx(faint, cv2.MORPH_OPEN, LINE)
        count, pieces = cv2.connectedComponents(cv2.dilate(faint, GAP), connectivity=8, ltype=cv2.CV_16U)

        def area(of: Bools) -> NDArray[np.float64]:
            return np.asarray(np.bincount(pieces[of], minlength=count)[1:] * mm2, np.float64)

        whole, in_full = area(faint > 0), area(clear > 0)
        reach = area((faint > 0) & self._rim)
        hands = (in_full > HAND_MM2) & (in_full > CLEAR_SHARE * whole) & (reach > REACH_MM2)
        return "hand" if np.any(hands) else None


def _median(values: NDArray[np.floating[Any]]) -> float:
    middle = len(values) // 2
    return float(np.partition(values, middle)[middle])  # a sixth of the time of np.median
