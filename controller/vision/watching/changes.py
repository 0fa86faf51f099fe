"""Compares small grey pictures of one board for the gate, without any notion of time.

Each picture is compared with two others: the one at which the present calm began (has anything moved since?) and the
last settled board (is there anything but discs?). The light's change is divided out first: for the whole picture, and
if there seems to be a hand, for each part of it. Uneven light adds no outlines to a board.
"""

from dataclasses import dataclass, replace
from typing import Literal

import cv2
import numpy as np

from controller.errors import BadInput
from controller.vision.calibration.camera import Bools, Floats
from controller.vision.light_field import MOVING_CELL_MM, LightField
from controller.vision.watching.image_shift import Edges
from controller.vision.watching.masks import (
    grey,
    halved,
    median,
    middle_of,
    much,
    scaled,
    shrunk,
    sigma,
)
from hardware.board import Board
from hardware.devices import Image, Matrix

# What counts as a change between small pictures, and as a hand.
NOISE_SIGMAS = 8.0
"""Standard errors of a quiet picture beyond which a pixel has changed."""
LEAST_CHANGE = 4.0
"""Grey levels: more than rounding and JPEG artefacts."""
HAND_CONTRAST = 0.12
"""Share of the board's grey: a hand differs by more, people's soft shadows by less."""
HAND_MM2 = 1500.0
"""mm2, two discs: a finger and the knuckles that follow it over the rail are more."""
REACH_MM2 = 300.0
"""mm2 of the rail under a hand: 25 mm of its 13 mm width. A disc against the rail stays off it."""
BESIDE_MM2 = 1000.0
"""mm2 of a hand beside the board that may seem to lie over its middle: a disc that its outline runs into."""
CLEAR_SHARE = 0.15
"""Share of a hand that differs by `HAND_CONTRAST`; the rest is its soft shadow. Measured: 0.16 where an arm shades
a lamp that shines on the board; a shadow alone hardly has any, and a light field explains it."""
EXPLAINED_SHARE = 0.5
"""Share of the difference from the board that may remain in another light: a hand leaves more, since it has an
outline."""
LEFT_SHARE = 0.1
"""Share of a former hand's place that may differ from the board: noise, and discs that have moved."""
COVERED_SHARE = 0.5
"""Share of the board from which it is covered. Source not recorded."""
DARKEST = 12.0
"""Grey levels, median: a darker picture shows nothing."""
LIGHT_STEP = 0.08
"""Share of the light; slower changes are followed."""
LEARNING = 0.02
"""Weight of one picture in the noise: a second at 50 pictures a second."""
FOLLOWED = 0.3
"""Share of a slow change that each update takes over. Source not recorded."""
MOVED_MM = 1.0
"""mm at the outer line: two to three standard errors of a reading."""
SAME_SHARE = 0.5
"""Share of the board's edges that must be found again in a picture of the same board."""

Obstacle = Literal["hand", "covered", "light_changed"]
Place = Literal["home", "moved", "lost"]


LINE = np.ones((2, 2), np.uint8)  # half-size pixels: a thinner area is an edge of a bumped board
GAP = np.ones((5, 5), np.uint8)  # half-size pixels: areas no farther apart belong together
ARM = np.ones((5, 5), np.uint8)  # 35 mm: a rail's shadow that another lamp moves is 25 mm wide, a wrist 50

Unlike = tuple[Matrix, Matrix]
"""Two half-size masks: where a picture differs visibly from a board, and where it differs clearly."""

Found = tuple[Obstacle | None, bool]
"""The obstacle, and whether it is only a hand beside the playing surface."""


@dataclass(frozen=True, slots=True)
class Difference:
    """The difference of one picture from the earlier ones."""

    moved: bool  # something changed since the calm began, hands included; then this picture begins another calm
    stirred: bool  # something but a hand beside the playing surface changed
    over_surface: bool  # something changed on the playing surface
    quiet: bool  # nothing changed since the calm began, light included
    obstacle: Obstacle | None = None
    is_beside: bool = False  # the obstacle is a hand that hides rail, ditch and the surface's edge at most


class Changes:
    """The pictures that new ones are compared with.

    `region`: the board out to the rail's outer edge; by default the whole picture, with the rail filling its height.
    `surface`: the part of it in which discs count, out to `surface_reach`; by default a circle around the region's
    centre. The first picture counts as a settled board in place.
    """

    def __init__(self, small: Image, region: Bools | None, board: Board, surface: Bools | None = None) -> None:
        rail = board.rail_radius + board.rail_width
        mm = 2 * rail / small.shape[0]
        if region is None:
            region = np.ones(small.shape, np.bool_)
        elif surface is None:
            mm = rail * float(np.sqrt(np.pi / np.count_nonzero(region)))
        else:
            mm = surface_reach(board) * float(np.sqrt(np.pi / np.count_nonzero(surface)))
        self.mm = mm  # per pixel
        if small.shape != region.shape:
            (h, w), (rows, columns) = small.shape[:2], region.shape
            raise BadInput(
                f"The camera's small picture is {w}x{h}, the calibration's {columns}x{rows}: calibrate again."
            )
        self._shape = small.shape
        if surface is None:
            surface = middle_of(region, surface_reach(board) / mm)
        self._far = board.outer_line / self.mm
        rows_in, columns_in = np.nonzero(region)
        self._box = np.s_[rows_in.min() : rows_in.max() + 1, columns_in.min() : columns_in.max() + 1]
        self._corner = np.array([columns_in.min(), rows_in.min()], np.float64)
        inside = region[self._box]
        self._region = inside
        self._mask = grey(inside)
        self._half = halved(self._mask)
        self._surface = halved(grey(surface[self._box]))
        width = max(1, round(board.rail_width / (2 * self.mm)))
        self._rim = (self._half > 0) & (shrunk(self._half, width) == 0)
        band = round((surface_reach(board) - board.outer_line + 2 * board.disc.radius) / (2 * self.mm))
        self._core = shrunk(self._surface, band)
        step = max(1, round(np.sqrt(np.count_nonzero(inside) / 1200)))  # 1200 samples measure the light to 0.1 %
        numbered = np.arange(inside.size).reshape(inside.shape)
        self._samples = numbered[::step, ::step][inside[::step, ::step]]

        self._light = 1.0  # of this picture relative to the first
        self._usual_light = 1.0
        self._field: LightField | None = None  # from the settled board's light to this one, if uneven
        self._noise = 0.0  # standard deviation of the difference of two quiet pictures, grey levels
        self._picture: Matrix = self._smooth(small)
        self._now = self._picture
        self._now_half = self._settled_half = self._before_half = self._unhidden = halved(self._now)
        self._hands: Matrix | None = None  # half-size mask of the hands in the newest picture, if there are any
        self.moved_mm = 0.0
        self.settle(home=True)

    def look(self, small: Image, *, light_moves: bool = False) -> Difference:
        """Compare a new picture with those before it. With `light_moves`, soft shadows that move are no motion."""
        if small.shape != self._shape:
            (h, w), (rows, columns) = small.shape[:2], self._shape
            raise BadInput(f"The small picture became {w}x{h} after {columns}x{rows}: start the camera again.")
        picture = self._smooth(small)
        light = median(picture.ravel()[self._samples] / self._settled_samples)
        if light * self._settled_grey < DARKEST:
            self._now, self._now_half, self._hands = picture, halved(picture), None
            return replace(self._motion(light_moves=light_moves)[0], obstacle="covered")
        self._light = light
        self._picture = picture
        self._even_out(None)
        unlike = self._unlike(self._settled_half)
        obstacle, beside = self._obstacle(unlike)
        if obstacle is not None:
            obstacle, beside = self._in_uneven_light(unlike, (obstacle, beside))
        motion, difference = self._motion(light_moves=light_moves)
        if obstacle is None and not motion.moved:
            self._noise += LEARNING * (sigma(difference.ravel()[self._samples]) - self._noise)
        if obstacle is None and (self._field or abs(light / self._usual_light - 1) > LIGHT_STEP):
            obstacle = "light_changed"
        return replace(motion, obstacle=obstacle, is_beside=beside)

    def hand_has_left(self) -> bool:
        """Whether the apparent hand is the former place of something that had been settled as part of the board: of a
        hand that kept still over a rail as bright as itself, or of an accepted object. On that board the place looks
        like a hand, but it is unchanged on the board settled before.
        """
        if self._hands is None:
            return False
        place = cv2.countNonZero(cv2.bitwise_and(self._half, self._hands))
        most = min(LEFT_SHARE * place, HAND_MM2 / (2 * self.mm) ** 2)
        for board in (self._before_half, self._unhidden):
            if cv2.countNonZero(cv2.bitwise_and(self._unlike(board)[0], self._hands)) <= most:
                self._hands = None
                return True
        return False

    def evened(self, small: Image) -> Image:
        """The newest small picture (h, w) in the light of the settled board."""
        light = self._light / self._usual_light
        if self._field is None:
            return scaled(small, 1 / light)
        picture = small.copy()
        picture[self._box] = scaled(self._field.evened(small[self._box]), 1 / light)
        return picture

    def settle(self, home: bool = False) -> None:
        """Make the present picture the settled board. With `home`, the board is in place."""
        self._keep_light()
        self._before_half = self._settled_half
        self._settled = self._calm = self._now
        self._disc_calm, self._calm_hands = self._now_half, self._hands
        self._usual_light = self._light
        self._remember()
        if home:
            self.stay()

    def settle_beside_hands(self) -> None:
        """Make the present picture the settled board, except under its hands, where the previous one is kept."""
        self._keep_light()
        before, without_hands = self._settled, self._settled_half
        self.settle()
        self._before_half = without_hands
        if self._hands is not None:
            self._settled = self._now.copy()
            cv2.copyTo(before, self._over_box(self._hands), self._settled)
            self._remember()

    def accept(self, *, light: bool) -> None:
        """Accept an obstacle as part of the board. Unless it is `light`, the board without it is kept: it may leave."""
        if not light:
            self._unhidden = self._settled_half
        self.settle(home=True)

    def follow(self) -> None:
        """Adapt to slow changes of light, after a while without any event."""
        if self._field is not None:
            self.settle()
            return
        self._settled = cv2.addWeighted(self._settled, 1 - FOLLOWED, self._now, FOLLOWED, 0)
        self._calm = self._settled
        self._usual_light = self._light
        self._remember()
        self._disc_calm, self._calm_hands = self._settled_half, self._hands

    def place(self) -> Place:
        """The board's place in the present picture. This takes some milliseconds."""
        shift = self._edges.shift_of(self._now)
        if shift.agreement < SAME_SHARE:
            return "lost"
        self.moved_mm = shift.at_radius(self._far) * self.mm
        return "moved" if self.moved_mm > MOVED_MM else "home"

    def stay(self) -> None:
        """Note that the present picture shows the board in place, in any light; keep its edges outside any hands."""
        beside = self._region
        if self._hands is not None:
            beside = beside & (self._over_box(self._hands) == 0)
        self._edges, self.moved_mm = Edges(self._now, beside), 0.0

    def hidden_places(self) -> Floats:
        """The places (N, 2) of a hand or cover, x and y in pixels of the small picture."""
        return 2.0 * np.argwhere(self._half if self._hands is None else self._hands)[:, ::-1] + self._corner

    def hand_mask(self) -> Image | None:
        """The small picture's pixels (h, w) that hands hide, 0 or 255; None if there are none."""
        if self._hands is None:
            return None
        mask = np.zeros(self._shape, np.uint8)
        mask[self._box] = self._over_box(self._hands)
        return mask

    def _over_box(self, half: Matrix) -> Matrix:
        """A half-size mask, enlarged to the compared picture."""
        return cv2.resize(half, self._now.shape[1::-1], interpolation=cv2.INTER_NEAREST)

    def _even_out(self, field: LightField | None) -> None:
        """Convert the present picture to the light of the first one, and with `field` to even light."""
        self._field, light = field, self._light
        self._now = scaled(self._picture, 1 / light)
        if field is not None:
            self._now = field.evened(self._now)
        self._now_half = halved(self._now)

    def _in_uneven_light(self, unlike: Unlike, found: Found) -> Found:
        """What is still found without uneven light, if that explains most of the difference from the settled board and
        leaves no other obstacle than was `found`; else `found`. The shadows of rail and lines move with the light too:
        anything narrower than an arm is then no hand.
        """
        hands, flat = self._hands, self._now_half
        field = LightField.between(self._settled_half, flat, 2 * self.mm)
        self._now_half = field.evened(flat)
        left = self._unlike(self._settled_half)
        if cv2.countNonZero(left[1]) <= EXPLAINED_SHARE * cv2.countNonZero(unlike[1]):
            wide = cv2.morphologyEx(left[1], cv2.MORPH_OPEN, ARM)
            still = self._obstacle((wide, wide))
            if still[0] in (None, found[0]):
                self._even_out(field)
                return still
        self._now_half, self._hands = flat, hands
        return found

    def _keep_light(self) -> None:
        """Convert the stored boards to the present light, if that is uneven, and store later ones in it."""
        if self._field is None:
            return
        gain = self._field.gain(self._picture.shape) * np.float32(self._light)
        half = halved(gain)
        self._settled = cv2.multiply(self._settled, gain, dtype=cv2.CV_8U)
        self._before_half, self._unhidden, self._settled_half = (
            cv2.multiply(picture, half, dtype=cv2.CV_8U)
            for picture in (self._before_half, self._unhidden, self._settled_half)
        )
        self._light = 1.0
        self._even_out(None)
        self.stay()  # the edges of highlights and shadows have moved

    def _smooth(self, small: Image) -> Matrix:
        return cv2.blur(small[self._box], (3, 3))

    def _remember(self) -> None:
        self._settled_samples = np.maximum(self._settled.ravel()[self._samples].astype(np.float32), 1)
        self._settled_grey = median(self._settled_samples)
        self._settled_half = halved(self._settled)

    @property
    def _least_change(self) -> float:
        return max(LEAST_CHANGE, NOISE_SIGMAS * self._noise) / min(self._light, 1.0)

    def _motion(self, *, light_moves: bool) -> tuple[Difference, Matrix]:
        """The motion in the newest picture, and the difference since the calm began."""
        least, mm2 = self._least_change, (2 * self.mm) ** 2
        difference = cv2.absdiff(self._now, self._calm)
        moved = much(difference, least, self._mask, self.mm**2)
        if moved and light_moves:
            difference = _evened_difference(self._calm, self._now, self.mm)
            moved = much(difference, least, self._mask, self.mm**2)
        if moved:
            self._calm = self._now
        since = cv2.absdiff(self._now_half, self._disc_calm)
        quiet = not much(since, least, self._half, mm2)
        if not quiet and light_moves:
            since = _evened_difference(self._disc_calm, self._now_half, 2 * self.mm)
        without = self._half
        for hands in (mask for mask in (self._hands, self._calm_hands) if mask is not None):
            without = cv2.subtract(without, hands)
        stirred = not quiet and much(since, least, cv2.bitwise_or(without, self._surface), mm2)
        over_surface = stirred and much(since, least, self._surface, mm2)
        if stirred:
            self._disc_calm, self._calm_hands = self._now_half, self._hands
        return Difference(moved, stirred, over_surface, quiet), difference

    def _obstacle(self, unlike: Unlike) -> Found:
        """Find something that hides most of the board, or reaches in over the rail; and whether it is only a hand
        beside the playing surface.
        """
        self._hands = None
        faint, clear = unlike
        mm2 = (2 * self.mm) ** 2
        if cv2.countNonZero(clear) * mm2 < HAND_MM2:
            return None, False
        clear = cv2.morphologyEx(clear, cv2.MORPH_OPEN, LINE)
        if cv2.countNonZero(clear) > COVERED_SHARE * cv2.countNonZero(self._half):
            return "covered", False
        faint = cv2.morphologyEx(faint, cv2.MORPH_OPEN, LINE)
        _, pieces, stats, _ = cv2.connectedComponentsWithStats(cv2.dilate(faint, GAP), connectivity=8, ltype=cv2.CV_16U)
        rim = self._rim.view(np.uint8)
        hands, over_core = np.zeros_like(self._half), 0.0
        for k in np.flatnonzero(stats[1:, cv2.CC_STAT_AREA] * mm2 > HAND_MM2) + 1:
            left, top, width, height, _ = stats[k]
            box = np.s_[top : top + height, left : left + width]
            piece = grey(pieces[box] == k)
            seen, in_full = cv2.bitwise_and(faint[box], piece), cv2.bitwise_and(clear[box], piece)
            whole, reach = (cv2.countNonZero(of) * mm2 for of in (seen, cv2.bitwise_and(seen, rim[box])))
            area = cv2.countNonZero(in_full) * mm2
            if area > HAND_MM2 and area > CLEAR_SHARE * whole and reach > REACH_MM2:
                hands[box] = cv2.bitwise_or(hands[box], piece)
                over_core += cv2.countNonZero(cv2.bitwise_and(in_full, self._core[box])) * mm2
        if not hands.any():
            return None, False
        self._hands = cv2.dilate(hands, GAP)  # parts of it are as grey as the board
        return "hand", over_core < BESIDE_MM2

    def _unlike(self, board: Matrix) -> Unlike:
        """The difference of the picture from `board` (half-size)."""
        difference = cv2.bitwise_and(cv2.absdiff(self._now_half, board), self._half)
        _, faint = cv2.threshold(difference, self._least_change, 255, cv2.THRESH_BINARY)
        limit = cv2.convertScaleAbs(board, alpha=HAND_CONTRAST, beta=self._least_change)
        return faint, cv2.compare(difference, limit, cv2.CMP_GT)


def surface_reach(board: Board) -> float:
    """mm from the hole: each disc in play is at least partly within."""
    return board.outer_line + board.disc.radius


def _evened_difference(then: Matrix, now: Matrix, mm: float) -> Matrix:
    """The difference of two pictures with pixels `mm` wide, without that of their light."""
    return cv2.absdiff(LightField.between(then, now, mm, MOVING_CELL_MM).evened(now), then)
