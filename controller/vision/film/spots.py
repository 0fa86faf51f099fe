"""Finds discs in one small picture that differ from the settled board.

The picture is compared with two others: with the settled board, to find changes, and with the bare wood, on which every
disc stands out, even in the place of another disc of its colour. A disc's coverage of a pixel is the share by which the
pixel changed from the wood's grey to the disc's. Its sum is the disc's area, however far the disc moved during the
exposure, and its centroid the disc's centre at half the exposure.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from controller.vision.calibration.camera import Bools, Field
from hardware.devices import Image, Matrix

LEAST_CHANGE = 8.0
"""Grey levels by which a changed pixel differs from the settled board: twice JPEG artefacts and rounding."""
CHANGE_SHARE = 0.3
"""Share of the weakest disc's contrast with the wood that counts as a change: discs' soft shadows stay below it."""
LEAST_CONTRAST = 14.0
"""Grey levels between a disc and the wood: the film does not see discs with less, and reports that."""
LEAST_PIXELS = 6
"""Pixels of the smallest changed area that is searched: a tenth of a disc at 3.5 mm a pixel."""
MOST_DISCS = 30.0
"""Areas of a disc in the largest changed area that is searched: more is light or an object, and takes long."""
GAP_PIXELS = 3
"""Pixels: changed areas nearer than this are searched together."""
MARGIN_PIXELS = 6
"""Pixels around a changed area: a disc's radius and its soft edge."""
ONE_DISC = 1.35
"""Areas of a disc that one disc with its shadow covers at most."""
AROUND_PIXELS = 1.5
"""Pixels beyond a disc's radius that count for its centre."""
APART = 3.0
"""Radii between the centres of discs from which their streaks are separate."""
SAME_DISC = 0.8
"""Radii between the centres of two spots below which they are one disc's."""
LEAST_SHARE = 0.6
"""Share of a disc's area that must be seen."""
CORE_SHARE = 0.4
"""Share of a disc's place that must look like a disc: a streak as long as a disc has 0.6."""
LEAST_COVER = 0.3
"""Share of a pixel that a disc covers: less is noise, grain or shadow."""
MOST_SPOTS = 9
"""The most in one changed area and tone."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A disc in one picture. Pixels of the small picture."""

    x: float
    y: float
    colour: str
    touches: bool  # whether it touches another disc, or nearly


@dataclass(frozen=True, slots=True)
class Glimpse:
    """The changes in one picture."""

    spots: Sequence[Spot]
    changed: Image  # (h, w) 0 or 255, the changes from the settled board
    hands: Image | None = None  # (h, w) 0 or 255, what hands hide, if anything


class Tone:
    """The coverage of pixels by discs that are darker than the wood, or by those that are lighter."""

    def __init__(self, wood: Field, greys: Mapping[str, float], sign: int) -> None:
        self.greys = greys
        nearest = min(greys.values(), key=lambda grey: sign * grey)
        contrast = np.maximum(sign * (nearest - wood), LEAST_CONTRAST).astype(np.float32)
        self.gain: Field = sign / contrast

    def cover(self, difference: Field, box: tuple[slice, slice]) -> Field:
        """(h, w) 0 to 1."""
        _, cover = cv2.threshold(difference * self.gain[box], LEAST_COVER, 0.0, cv2.THRESH_TOZERO)
        return np.minimum(cover, 1.0)


class Spotter:
    """Finds discs that moved. Pixels are the small picture's, colours are plain names.

    `board` and `wood` are small grey pictures (h, w) of the settled board and of the same without discs; `region` and
    `surface` masks (h, w), 0 or 255, of where discs are followed and of the wood. `greys` is each colour's grey level,
    `radius` a disc's in pixels at the hole.
    """

    def __init__(
        self,
        board: Image,
        wood: Image,
        region: Image,
        surface: Image,
        greys: Mapping[str, float],
        radius: float,
    ) -> None:
        self._board = board
        self._wood = wood.astype(np.float32)
        self._region = region
        self._radius = radius
        self._area = math.pi * radius**2
        self._tones, contrasts = _tones(self._wood, surface > 0, greys)
        self._limit = max(LEAST_CHANGE, CHANGE_SHARE * min(contrasts, default=0.0))
        self._gap = np.ones((GAP_PIXELS,) * 2, np.uint8)
        self._disc = _disc(radius)

    @property
    def colours(self) -> set[str]:
        """The colours that stand out from the wood."""
        return {colour for tone in self._tones for colour in tone.greys}

    def look(self, small: Image, hands: Image | None = None) -> Glimpse | None:
        """The discs that moved from their places on the settled board; None if nothing changed.

        `hands` is the mask (h, w), 0 or 255, of what is no disc.
        """
        difference = cv2.absdiff(small, self._board)
        _, changed = cv2.threshold(difference, self._limit, 255, cv2.THRESH_BINARY)
        changed = cv2.bitwise_and(changed, self._region)
        if hands is None and cv2.countNonZero(changed) < LEAST_PIXELS:
            return None
        seen = changed if hands is None else cv2.subtract(changed, hands)
        # Every second pixel of what was widened by one each way: no piece is lost, and a quarter of the work is left.
        half = np.ascontiguousarray(cv2.dilate(seen, self._gap)[::2, ::2])
        count, _, stats, middles = cv2.connectedComponentsWithStats(half, connectivity=8, ltype=cv2.CV_16U)
        spots: list[Spot] = []
        most = MOST_DISCS * self._area / 4
        for k in range(1, count):
            middle = int(2 * middles[k, 1]), int(2 * middles[k, 0])
            if LEAST_PIXELS <= stats[k, cv2.CC_STAT_AREA] <= most and self._region[middle]:
                beside = self._within(small, *(2 * int(v) for v in stats[k, :4]))
                spots += [spot for spot in beside if not self._known(spot, spots)]
        return Glimpse(spots, np.asarray(changed, np.uint8), hands)

    def _known(self, spot: Spot, spots: Sequence[Spot]) -> bool:
        """Whether a disc between two pieces was already found with the other one."""
        near = SAME_DISC * self._radius
        return any(math.hypot(spot.x - other.x, spot.y - other.y) < near for other in spots)

    def around(self, x: float, y: float) -> list[Spot]:
        """The discs of the settled board around a pixel of the small picture."""
        reach = math.ceil(self._radius)
        return self._within(self._board, round(x) - reach, round(y) - reach, 2 * reach + 1, 2 * reach + 1)

    def _within(self, picture: Matrix, left: int, top: int, width: int, height: int) -> list[Spot]:
        """The discs in one area, and those beside it."""
        y0, x0 = max(0, top - MARGIN_PIXELS), max(0, left - MARGIN_PIXELS)
        box = np.s_[y0 : top + height + MARGIN_PIXELS, x0 : left + width + MARGIN_PIXELS]
        difference = picture[box] - self._wood[box]
        spots: list[Spot] = []
        for tone in self._tones:
            cover = tone.cover(difference, box)
            for x, y, touches in self._in_cover(cover):
                colour = _colour(tone, difference, self._wood[box], x, y, self._radius)
                spots.append(Spot(x + x0, y + y0, colour, touches))
        return spots

    def _in_cover(self, cover: Field) -> list[tuple[float, float, bool]]:
        """(x, y, touches) of each disc in the coverage of a tone."""
        if cv2.sumElems(cover)[0] < LEAST_SHARE * self._area:
            return []
        peaks: list[tuple[float, float]] = []
        left, alone = cover, cv2.sumElems(cover)[0] < ONE_DISC * self._area
        while len(peaks) < MOST_SPOTS:
            response = cv2.filter2D(left, -1, self._disc, borderType=cv2.BORDER_CONSTANT)
            _, best, _, (x, y) = cv2.minMaxLoc(response)
            if best < CORE_SHARE:
                break
            peaks.append((float(x), float(y)))
            if alone:
                break
            left = np.maximum(left - self._drawn(left.shape, x, y, self._radius), 0.0)
            if cv2.sumElems(left)[0] < LEAST_SHARE * self._area:
                break
        return self._refined(cover, peaks)

    def _drawn(self, shape: tuple[int, ...], x: float, y: float, radius: float) -> Field:
        """(h, w) the coverage of a disc."""
        rows = (np.arange(shape[0], dtype=np.float32) - np.float32(y))[:, None]
        columns = np.arange(shape[1], dtype=np.float32) - np.float32(x)
        inside = radius + 0.5 - np.sqrt(rows * rows + columns * columns)
        return np.asarray(np.clip(inside, 0.0, 1.0), np.float32)

    def _refined(self, cover: Field, peaks: list[tuple[float, float]]) -> list[tuple[float, float, bool]]:
        """The discs, each moved to the centre of the coverage that the others leave around it."""
        drawn = [self._drawn(cover.shape, x, y, self._radius) for x, y in peaks] if len(peaks) > 1 else []
        refined = []
        for k, (x, y) in enumerate(peaks):
            own = cover
            for other in (*drawn[:k], *drawn[k + 1 :]):
                own = np.maximum(own - other, 0.0)
            x0, y0, own = self._near(own, x, y)
            moments = cv2.moments(own * self._drawn(own.shape, x - x0, y - y0, self._radius + AROUND_PIXELS))
            if moments["m00"] < LEAST_SHARE * self._area:
                continue
            others = peaks[:k] + peaks[k + 1 :]
            touched = any(math.dist((x, y), other) < APART * self._radius for other in others)
            middle_x, middle_y = (moments[name] / moments["m00"] for name in ("m10", "m01"))
            refined.append((x0 + middle_x, y0 + middle_y, touched))
        return refined

    def _near(self, cover: Field, x: float, y: float) -> tuple[int, int, Field]:
        """The part of `cover` around a pixel, and its origin."""
        reach = math.ceil(self._radius + AROUND_PIXELS) + 1
        x0, y0 = max(0, round(x) - reach), max(0, round(y) - reach)
        return x0, y0, np.ascontiguousarray(cover[y0 : round(y) + reach + 1, x0 : round(x) + reach + 1])


def _tones(wood: Field, surface: Bools, greys: Mapping[str, float]) -> tuple[list[Tone], list[float]]:
    """The tones of discs that stand out from the wood, and their contrasts."""
    middle = float(np.median(wood[surface]))
    tones, contrasts = [], []
    for sign in (-1, 1):
        group = {colour: grey for colour, grey in greys.items() if sign * (grey - middle) >= LEAST_CONTRAST}
        if group:
            tones.append(Tone(wood, group, sign))
            contrasts += [abs(grey - middle) for grey in group.values()]
    return tones, contrasts


def _disc(radius: float) -> Field:
    """A disc's shape, normalised to sum 1."""
    reach = math.ceil(radius)
    rows, columns = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    kernel = np.clip(radius + 0.5 - np.hypot(rows, columns), 0.0, 1.0)
    return np.asarray(kernel / kernel.sum(), np.float32)


def _colour(tone: Tone, difference: Field, wood: Field, x: float, y: float, radius: float) -> str:
    """The tone's colour nearest to that of the disc's centre."""
    if len(tone.greys) == 1:
        return next(iter(tone.greys))
    r = max(1, round(radius / 2))
    box = np.s_[max(0, round(y) - r) : round(y) + r + 1, max(0, round(x) - r) : round(x) + r + 1]
    grey = float(np.mean(difference[box] + wood[box]))
    return min(tone.greys, key=lambda colour: abs(tone.greys[colour] - grey))
