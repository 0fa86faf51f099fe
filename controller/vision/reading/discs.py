"""Finds possible discs: circles of the discs' size in a view from straight above.

The picture is resampled to the plane of the discs' tops, where every disc is a circle of one radius whatever the
camera's tilt and lens. A point's score measures how radial the slopes on a circle around it are: +1 if every slope
points to or from the point, about 0 on wood grain, lines and soft shadows, whose slopes share one direction. Colour and
brightness do not matter: dark, light and wooden discs score the same, and touching discs have separate peaks.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from controller.vision.calibration.calibration import Calibration
from controller.vision.calibration.camera import Bools, Field, Floats, Indices
from hardware.devices import Image, Matrix

VIEW_STEP = 2.5  # mm per pixel of the view: a disc is 13 pixels wide. Measured: at 3 the first discs are lost
BEYOND_RAIL = 20.0  # mm: discs in the ditch lean on the rail, and seem farther out at the tops' height

FINEST = 1.2  # pixels of the shrunken picture per pixel of the view, at least: fewer would blur
KNOT = 15.0  # mm between projected points; linear in between, with errors below 0.05 px
RING = 0.6  # pixels of the view: half-width of the circle searched, like the parallax between rim and foot
TEXTURE_GAIN = 2.5  # a slope counts half if it is 1.6 times the board's median slope in its direction
CALM = 3.0  # times the median: slopes beyond it are lines and discs, not grain
KEPT = 0.8  # share of the slopes that counts as grain
STRIP = 46  # rows computed together: all of their planes stay in the processor's cache
SAMPLED = 7  # pixels between the samples of this board's usual slopes
LEAST_SLOPE = 0.6  # grey levels over two pixels: less is camera noise
PARTS = (120, 180, 240)
"""Pixels of the view: sides of the squares searched if only a part has changed, with fast transforms."""
TINY = 1e-6  # squared slopes: for pictures without any
APART = 0.4  # radii: closer peaks are one disc
LEAST_SHADOW = 6.5  # mm from a disc to its shadow, least: its thickness, lamps 40 degrees off the vertical
MOST_SHADOW = 14.0  # the same, most: under lamps 60 degrees off the vertical

_Slopes = tuple[Field, Field, Field]
_Part = tuple[tuple[slice, slice], int]
"""Rows and columns of a view, and the size of the transform for the search there."""


@dataclass(frozen=True, slots=True)
class Grain:
    """The usual slopes of a board: grain is strong in brightness and across its fibres, weak in hue and along them."""

    decorrelating: Field  # (3, 3), equalises the calmer slopes of all channels
    usual: float  # the median of squared slopes
    along: float  # the anisotropy of slopes over their sum, by twice their angle
    across: float


@dataclass(frozen=True)
class TopView:
    """The board from straight above, at the height of the discs' tops."""

    image: Image  # (n, n, 3)
    reach: float  # mm from the hole to the view's border

    @cached_property
    def planes(self) -> Matrix:
        """The channels (3, n, n)."""
        return np.array(cv2.split(self.image))

    @cached_property
    def grain(self) -> Grain:
        """The usual slopes in the view."""
        return _grain(self.planes)

    def pixel(self, points: Floats) -> Floats:
        """Board points (..., 2), mm, to pixels of the view."""
        return (points + self.reach) / VIEW_STEP

    def within(self, radius: float) -> Image:
        """The largest square (m, m, 3) within a circle of `radius` mm around the hole."""
        middle, half = len(self.image) // 2, int(radius / 2**0.5 / VIEW_STEP)
        return self.image[middle - half : middle + half, middle - half : middle + half]

    def unlike(self, other: Image) -> Field:
        """The difference (n, n) of another picture (n, n, 3) in grey levels: the mean of 3 x 3, of the largest
        channel."""
        blue, green, red = cv2.split(cv2.absdiff(self.image, other))
        return np.asarray(cv2.boxFilter(cv2.max(cv2.max(blue, green), red), cv2.CV_32F, (3, 3)), np.float32)


@dataclass(frozen=True, slots=True)
class Mapping:
    """The place of each pixel of a view in the shrunken picture, in OpenCV's fixed-point form."""

    part: tuple[slice, slice]  # the needed rows and columns of the picture
    shrink: int  # a whole factor
    whole: NDArray[np.int16]  # (n, n, 2)
    parts: NDArray[np.uint16]  # (n, n)
    reach: float

    def view(self, image: Image) -> TopView:
        """Resample `image` (H, W, 3)."""
        part: Matrix = image[self.part]
        if self.shrink > 1:
            rows, columns = (size // self.shrink for size in part.shape[:2])
            part = cv2.resize(part, (columns, rows), interpolation=cv2.INTER_AREA)
        seen = cv2.remap(part, self.whole, self.parts, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return TopView(np.asarray(seen, np.uint8), self.reach)


@lru_cache(maxsize=4)
def playing_area(calibration: Calibration) -> Mapping:
    """The mapping of the board with its ditch, at the height of the tops of discs on the surface; cached per
    calibration."""
    board = calibration.board
    reach = board.rail_radius + BEYOND_RAIL
    n = round(2 * reach / VIEW_STEP) + 1
    shrink = max(1, int(calibration.camera.px_per_mm * VIEW_STEP / FINEST))
    knots = np.arange(-reach - KNOT, reach + 2 * KNOT, KNOT)
    x, y = np.meshgrid(knots, knots)
    pixels = calibration.project(np.stack([x, y, np.full_like(x, board.disc.thickness)], axis=-1))
    part = tuple(
        _needed(pixels[..., axis], size, shrink) for axis, size in enumerate((calibration.width, calibration.height))
    )
    shrunken = ((pixels - [begin.start for begin in part] + 0.5) / shrink - 0.5).astype(np.float32)
    matrix = np.array([[VIEW_STEP / KNOT, 0, 1.0], [0, VIEW_STEP / KNOT, 1.0]])
    places = cv2.warpAffine(shrunken, matrix, (n, n), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
    x, y = cv2.split(places)
    whole, parts = cv2.convertMaps(x, y, cv2.CV_16SC2)
    return Mapping((part[1], part[0]), shrink, np.asarray(whole, np.int16), np.asarray(parts, np.uint16), reach)


@lru_cache(maxsize=16)
def circle(size: int, radius: float) -> NDArray[np.uint8]:
    """The mask of a view (size, size), 0 or 255, up to `radius` mm from the hole; read-only."""
    mask = np.zeros((size, size), np.uint8)
    cv2.circle(mask, (size // 2, size // 2), round(radius / VIEW_STEP), (255,), cv2.FILLED)
    mask.flags.writeable = False
    return mask


def _needed(pixels: Floats, size: int, shrink: int) -> slice:
    """The range along one side of a picture that contains `pixels`, a multiple of `shrink` long."""
    begin = int(np.clip(pixels.min(), 0, size - shrink)) // shrink * shrink
    end = int(np.clip(pixels.max() + shrink + 1, begin + shrink, size))
    return slice(begin, begin + (end - begin) // shrink * shrink)


def playing_view(image: Image, calibration: Calibration) -> TopView:
    """The view of the board with its ditch in this picture."""
    return playing_area(calibration).view(image)


def sample(image: Image, x: Field, y: Field) -> Image:
    """The picture's colours (n, m, 3) at pixels (n, m), linear in between."""
    whole, parts = cv2.convertMaps(x, y, cv2.CV_16SC2)  # accurate to 1/32 pixel, like a fixed-point mapping
    return np.asarray(cv2.remap(image, whole, parts, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def roundness(view: TopView, radius: float, touched: Bools | None = None, grain: Grain | None = None) -> Field:
    """The score (-1..1) of each place of a view (n, n) as the centre of a circle of `radius` mm. Slopes are relative to
    the board's usual ones, so that a disc of similar wood still stands out. With `touched` (n, n) only those places,
    and some around them, are computed; others are 0. `grain`: the view's, if known.
    """
    n, pixels = len(view.image), radius / VIEW_STEP
    reach = _half(pixels) + 1
    score, usual = np.zeros((n, n), np.float32), grain or view.grain
    for part, size in [_whole(n, reach)] if touched is None else _parts(touched, reach):
        there = _round(_squared(view.planes[:, *part], usual.decorrelating), usual, pixels, size)
        # Slopes are missing within a circle's reach of a part's border, except at the view's own.
        rows, columns = (
            slice(reach if cut.start else 0, cut.stop - cut.start - (reach if cut.stop < n else 0)) for cut in part
        )
        score[part][rows, columns] = there[rows, columns]
    return score


def _parts(touched: Bools, reach: int) -> list[_Part]:
    """The parts of a view to compute for the touched places (n, n): one for all, or one for each connected piece,
    whichever is less."""
    mask, n = touched.view(np.uint8), len(touched)
    together = [_part(cv2.boundingRect(mask), reach, n)]
    if together[0][1] == PARTS[0]:
        return together
    _, _, pieces, _ = cv2.connectedComponentsWithStats(mask, ltype=cv2.CV_16U)
    apart = [_part(box, reach, n) for box in pieces[1:, :4].tolist()]
    return min(together, apart, key=lambda parts: sum(size**2 for _, size in parts))


def _part(box: Sequence[int], reach: int, n: int) -> _Part:
    """The smallest part of a view (n, n) for a box (x, y, width, height)."""
    x, y, width, height = box
    size = next((size for size in PARTS if max(width, height) + 3 * reach <= size), n)
    if size >= n:
        return _whole(n, reach)
    return (_about(y, height, size - reach, n), _about(x, width, size - reach, n)), size


def _whole(n: int, reach: int) -> _Part:
    return (slice(0, n), slice(0, n)), int(cv2.getOptimalDFTSize(n + reach))


def _about(begin: int, count: int, size: int, n: int) -> slice:
    """A range of this length within n, with the `count` from `begin` in its middle if possible."""
    first = int(np.clip(begin + (count - size) // 2, 0, n - size))
    return slice(first, first + size)


def _grain(planes: Matrix) -> Grain:
    slopes = _slopes(planes)
    decorrelating = _decorrelating(slopes)
    x, y = (decorrelating @ slopes).reshape(3, 2, -1).swapaxes(0, 1)
    xx, yy, xy = ((one * other).sum(0) for one, other in ((x, x), (y, y), (x, y)))
    total = xx + yy
    usual = float(np.median(total)) + TINY
    calm = total < CALM * usual
    grain = float(total[calm].mean()) + TINY
    return Grain(decorrelating, usual, float((xx - yy)[calm].mean()) / grain, float(2 * xy[calm].mean()) / grain)


def _squared(planes: Matrix, decorrelating: Field) -> _Slopes:
    """The joint slopes (n, n) of the channels (3, n, n): squares by twice their angle, and the sum of squares."""
    n = planes.shape[-1]
    along, across, total = np.zeros((3, n, n), np.float32)
    for begin in range(1, n - 1, STRIP):
        end = min(begin + STRIP, n - 1)
        strip = planes[:, begin - 1 : end + 1].astype(np.float32).reshape(3, -1)
        plain = (decorrelating @ strip).reshape(3, -1, n)
        dx, dy = np.empty((2, 3, end - begin, n), np.float32)
        np.subtract(plain[:, 1:-1, 2:], plain[:, 1:-1, :-2], out=dx[..., 1:-1])
        np.subtract(plain[:, 2:], plain[:, :-2], out=dy)
        dx[..., 0] = dx[..., -1] = 0
        xx, yy, xy = np.zeros((3, end - begin, n), np.float32)
        for x, y in zip(dx, dy, strict=True):
            cv2.accumulateSquare(x, xx)
            cv2.accumulateSquare(y, yy)
            cv2.accumulateProduct(x, y, xy)
        np.subtract(xx, yy, out=along[begin:end])
        np.add(xy, xy, out=across[begin:end])
        np.add(xx, yy, out=total[begin:end])
    return along, across, total


def _round(slopes: _Slopes, grain: Grain, radius: float, size: int) -> Field:
    """How radial the slopes (n, n) are on average on a circle of `radius` pixels: (n, n). Opposite sides of the picture
    are neighbours if `size` leaves no room between them.
    """
    along, across, total = slopes
    n, counts_half = len(along), TEXTURE_GAIN * grain.usual  # the slope that counts half, without anisotropy
    total += 1e-3 * grain.usual
    weights = counts_half * grain.along, counts_half * grain.across
    scale = np.asarray(cv2.addWeighted(along, weights[0], across, weights[1], 0.0), np.float32)
    scale /= total
    np.maximum(scale, -0.7 * counts_half, out=scale)
    scale += counts_half
    scale += total
    shares = np.zeros((size, size, 2), np.float32)
    np.divide(along, scale, out=shares[:n, :n, 0])
    np.divide(across, scale, out=shares[:n, :n, 1])
    spectrum = cv2.dft(shares, dst=shares)
    cv2.mulSpectrums(spectrum, _ring_spectrum(radius, size), 0, spectrum)
    score = cv2.dft(spectrum, dst=spectrum, flags=cv2.DFT_INVERSE | cv2.DFT_SCALE)
    return np.ascontiguousarray(score[:n, :n, 0], np.float32)


def _slopes(planes: Matrix) -> Field:
    """Differences (3, 2 N) over two pixels of the channels (3, n, n) at N places of the board: horizontal, then
    vertical."""
    n = planes.shape[-1]
    low, middle, high = (slice(n // 8 + shift, n - n // 8 + shift, SAMPLED) for shift in (-1, 0, 1))
    across, down = ((middle, high), (middle, low)), ((high, middle), (low, middle))
    both = [np.subtract(planes[:, *to], planes[:, *since], dtype=np.float32) for to, since in (across, down)]
    return np.stack(both, axis=1).reshape(3, -1)


def _decorrelating(slopes: Field) -> Field:
    """The matrix (3, 3) that equalises the calmer slopes (3, N) of the board in all channels."""
    kept, count = slopes, slopes.shape[1]
    least = np.eye(3, dtype=np.float32) * LEAST_SLOPE**2
    most = int(KEPT * (count - 1))
    for _ in range(2):
        size = ((np.linalg.inv(kept @ kept.T / max(count, 1) + least) @ slopes) * slopes).sum(0)
        calmer = size <= np.partition(size, most)[most]
        kept, count = slopes * calmer, int(np.count_nonzero(calmer))
    values, vectors = np.linalg.eigh(kept @ kept.T / max(count, 1) + least)
    return np.asarray((vectors / np.sqrt(values)) @ vectors.T, np.float32)


def _half(radius: float) -> int:
    return int(np.ceil(radius + 3 * RING))


@lru_cache(maxsize=8)
def _ring_spectrum(radius: float, size: int) -> Field:
    """The transform (size, size, 2) of a ring whose values are exp(-2i angle): it turns radial slopes into numbers."""
    half = _half(radius)
    y, x = np.mgrid[-half : half + 1, -half : half + 1].astype(np.float32)
    ring = np.exp(-0.5 * ((np.hypot(x, y) - radius) / RING) ** 2)
    twice = 2 * np.arctan2(y, x)
    kernel = np.zeros((size, size, 2), np.float32)
    kernel[: 2 * half + 1, : 2 * half + 1] = (
        np.stack([ring * np.cos(twice), -ring * np.sin(twice)], axis=-1) / ring.sum()
    )
    return np.asarray(cv2.dft(np.roll(kernel, (-half, -half), (0, 1))), np.float32)


def peaks(score: Field, reach: float, radius: float, least: float, most: int) -> tuple[Floats, Floats]:
    """Places (K, 2), mm, and values (K,) of at most `most` maxima of `roundness` above `least`, the best first."""
    size = int(APART * radius / VIEW_STEP) * 2 + 1
    enough = score > least
    x, y, width, height = cv2.boundingRect(enough.view(np.uint8))  # small if only a part of the view was computed
    if not width:
        return np.zeros((0, 2)), np.zeros(0)
    part = np.s_[y : y + height, x : x + width]
    around = cv2.dilate(score[part], np.ones((size, size), np.uint8))
    row, column = np.divmod(np.flatnonzero(enough[part] & (score[part] >= around)), width)
    top = (row + y) * len(score) + column + x
    heights = score.take(top).astype(np.float64)
    at = np.stack([column + x, row + y], axis=-1) + _summits(score, top)
    places = at * VIEW_STEP - reach
    inside = np.hypot(places[:, 0], places[:, 1]) < reach - radius / 2
    places, heights = places[inside], heights[inside]
    best = np.argsort(-heights)[:most]
    return places[best], heights[best]


def beside(score: Field, reach: float, places: Floats) -> Floats:
    """Places (2, K, 2), mm, with the highest `roundness` beside each of these (K, 2): nearby, and farther away. A disc
    like the wood and its shadow form one ridge, in which the disc need not be a maximum. If the disc is farther away,
    the highest nearby place is the ridge's shoulder.
    """
    steps = np.arange(-int(MOST_SHADOW / VIEW_STEP), int(MOST_SHADOW / VIEW_STEP) + 1)
    around = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    away = np.hypot(*around.T) * VIEW_STEP
    found = []
    for least, most in pairwise(np.linspace(LEAST_SHADOW, MOST_SHADOW, 3)):
        ring = around[(away >= least) & (away <= most)]
        at = np.rint((places[:, None] + reach) / VIEW_STEP).astype(np.intp) + ring
        column, row = np.moveaxis(np.clip(at, 0, len(score) - 1), -1, 0)
        found.append(places + ring[score[row, column].argmax(1)] * VIEW_STEP)
    return np.asarray(found, np.float64)


def _summits(score: Field, top: Indices) -> Floats:
    """Subpixel places (K, 2), column and row, of the maxima at the flat indices `top`. Invalid on the view's border."""
    height, shifts = score.take(top), []
    for step in (1, len(score)):
        low, high = (score.take(top + way, mode="clip") for way in (-step, step))
        bend = np.maximum(2 * height - low - high, 1e-6)
        shifts.append(np.clip(0.5 * (high - low) / bend, -0.5, 0.5))
    return np.stack(shifts, axis=-1)
