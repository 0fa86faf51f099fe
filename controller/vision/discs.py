"""Where discs could be: circles of the discs' own size in a view from straight above.

The picture is resampled to the plane of the discs' tops, where every disc is a circle of one radius whatever the
camera's tilt and lens. A point's score says how radial the slopes on a circle around it are: +1 when every slope on it
points to or from the point, about 0 on wood grain, lines and soft shadows, whose slopes agree in one direction. Neither
colour nor brightness is asked, so dark, light and wooden discs score alike, and discs that touch keep their own peaks.
"""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from controller.vision.calibration import Calibration
from hardware.devices import Image

Floats = NDArray[np.float64]

STEP = 1.5  # mm per pixel of the view: a disc is 21 pixels wide
COARSE = 2  # pixels of the view per pixel of the score
KNOT = 15.0  # mm between projected points; in between the mapping is bent less than 0.05 px
BEYOND_RAIL = 20.0  # mm: discs in the ditch lean on the rail, and seen at the tops' height they lie farther out
BLUR = 0.7  # pixels of the view
RING = 1.3  # pixels of the view: half-width of the circle that is asked, as wide as the parallax between rim and foot
TEXTURE_GAIN = 2.5  # a slope counts half when it is 1.6 times the board's median slope in its direction
CALM = 3.0  # times the median: slopes beyond it are lines and discs, not grain
KEPT = 0.8  # share of the slopes taken for grain
LEAST_SLOPE = 0.3  # grey levels per pixel: less is the camera's noise
TINY = 1e-6  # squared slopes: for pictures without any
APART = 0.8  # radii: closer peaks are one disc


@dataclass(frozen=True, slots=True)
class View:
    """The board from straight above, at the height of the discs' tops."""

    image: Image  # (n, n, 3)
    reach: float  # mm from the hole to the view's border

    def pixel(self, points: Floats) -> Floats:
        """Board points (..., 2), mm, to pixels of the view."""
        return (points + self.reach) / STEP


@lru_cache(maxsize=4)
def grid(calibration: Calibration, reach: float, z: float) -> NDArray[np.float32]:
    """Where in the picture each pixel (n, n, 2) of a view at height `z` is."""
    n = round(2 * reach / STEP) + 1
    knots = np.arange(-reach - KNOT, reach + 2 * KNOT, KNOT)
    x, y = np.meshgrid(knots, knots)
    places = calibration.project(np.stack([x, y, np.full_like(x, z)], axis=-1)).astype(np.float32)
    matrix = np.array([[STEP / KNOT, 0, 1.0], [0, STEP / KNOT, 1.0]])
    return np.asarray(
        cv2.warpAffine(places, matrix, (n, n), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP), dtype=np.float32
    )


def sample(image: Image, places: NDArray[np.float32]) -> Image:
    """The picture's colours (n, m, 3) at pixels (n, m, 2), linear in between."""
    rows, columns = places[..., 0], places[..., 1]
    return np.asarray(cv2.remap(image, rows, columns, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def view_from_above(image: Image, calibration: Calibration, reach: float, z: float) -> View:
    """Resample `image` (H, W, 3)."""
    places = grid(calibration, reach, z)
    return View(sample(image, places), reach)


def playing_view(image: Image, calibration: Calibration) -> View:
    """The board with its ditch, at the height of the tops of discs on the surface."""
    board = calibration.board
    return view_from_above(image, calibration, board.rail_radius + BEYOND_RAIL, board.disc.thickness)


def roundness(picture: Image, radius: float) -> NDArray[np.float32]:
    """How much each place of a view (n, n, 3) is the centre of a circle of `radius` mm, -1..1.

    One score for every COARSE x COARSE pixels. Slopes count in units of the board's own: grain is strong in brightness
    and across its fibres, weak in hue and along them, and so a disc of much the same wood still stands out.
    """
    soft = cv2.GaussianBlur(picture, (0, 0), BLUR)
    dx = np.asarray(cv2.Sobel(soft, cv2.CV_32F, 1, 0, ksize=1, scale=0.5), np.float32)
    dy = np.asarray(cv2.Sobel(soft, cv2.CV_32F, 0, 1, ksize=1, scale=0.5), np.float32)
    middle = _middle(len(soft))
    mixing = _decorrelating(np.concatenate([slope[middle, middle].reshape(-1, 3) for slope in (dx, dy)]))
    dx, dy = (np.asarray(cv2.transform(slope, mixing), np.float32) for slope in (dx, dy))
    ones = np.ones((1, 3), np.float32)
    xx, yy, xy = (cv2.transform(cv2.multiply(*pair), ones) for pair in ((dx, dx), (dy, dy), (dx, dy)))
    total, along, across = (np.asarray(part, np.float32) for part in (xx + yy, xx - yy, 2 * xy))
    sample = [part[middle, middle] for part in (total, along, across)]
    usual = float(np.median(sample[0])) + TINY
    calm = sample[0] < CALM * usual
    mean, mean_along, mean_across = (float(part[calm].mean()) for part in sample)
    mean += TINY
    lean = np.asarray(cv2.addWeighted(along, mean_along / mean, across, mean_across / mean, 0.0), np.float32)
    lean /= total + 1e-3 * usual
    scale = np.maximum(lean, -0.7, out=lean)
    scale += 1
    scale *= TEXTURE_GAIN * usual
    scale += total
    along /= scale
    across /= scale
    return _round(_coarse(along), _coarse(across), radius / (STEP * COARSE))


def _coarse(field: NDArray[np.float32]) -> NDArray[np.float32]:
    """The mean over blocks of COARSE x COARSE; a last odd row and column are dropped."""
    n = len(field) // COARSE
    even = field[: n * COARSE, : n * COARSE]
    return np.asarray(cv2.resize(even, (n, n), interpolation=cv2.INTER_AREA), np.float32)


def _round(along: NDArray[np.float32], across: NDArray[np.float32], radius: float) -> NDArray[np.float32]:
    """The mean over a circle of `radius` pixels of how radial slopes (n, n) are, given by twice their angle."""
    n = len(along)
    half = _half(radius)
    size = cv2.getOptimalDFTSize(n + 2 * half)
    padded = cv2.copyMakeBorder(cv2.merge((along, across)), 0, size - n, 0, size - n, cv2.BORDER_CONSTANT)
    product = cv2.mulSpectrums(cv2.dft(padded), _ring_spectrum(radius, size), 0)
    score = cv2.dft(product, flags=cv2.DFT_INVERSE | cv2.DFT_SCALE)
    return np.asarray(score[half : half + n, half : half + n, 0], np.float32)


def _middle(n: int) -> slice:
    return slice(n // 8, n - n // 8, 5)


def _decorrelating(slopes: NDArray[np.float32]) -> NDArray[np.float32]:
    """The matrix (3, 3) that makes the calmer slopes (N, 3) of the board alike in all channels."""
    kept = slopes
    for _ in range(2):
        moment = kept.T @ kept / max(len(kept), 1) + np.eye(3, dtype=np.float32) * LEAST_SLOPE**2
        size = ((slopes @ np.linalg.inv(moment)) * slopes).sum(1)
        kept = slopes[size < np.quantile(size, KEPT)]
    moment = kept.T @ kept / max(len(kept), 1) + np.eye(3, dtype=np.float32) * LEAST_SLOPE**2
    values, vectors = np.linalg.eigh(moment)
    return np.asarray((vectors / np.sqrt(values)) @ vectors.T, np.float32)


def _half(radius: float) -> int:
    return int(np.ceil(radius + 3 * RING / COARSE))


@lru_cache(maxsize=4)
def _ring_spectrum(radius: float, size: int) -> NDArray[np.float32]:
    """The transform (size, size, 2) of a ring whose values are exp(-2i angle): it turns radial slopes into numbers."""
    half = _half(radius)
    y, x = np.mgrid[-half : half + 1, -half : half + 1].astype(np.float32)
    ring = np.exp(-0.5 * ((np.hypot(x, y) - radius) / (RING / COARSE)) ** 2)
    twice = 2 * np.arctan2(y, x)
    kernel = np.zeros((size, size, 2), np.float32)
    kernel[: 2 * half + 1, : 2 * half + 1] = (
        np.stack([ring * np.cos(twice), -ring * np.sin(twice)], axis=-1) / ring.sum()
    )
    return np.asarray(cv2.dft(kernel), np.float32)


def peaks(score: NDArray[np.float32], reach: float, radius: float, least: float, most: int) -> tuple[Floats, Floats]:
    """Places (K, 2), mm, and heights (K,) of at most `most` maxima of a `roundness` above `least`, the best first."""
    pixel = STEP * COARSE
    size = int(APART * radius / pixel) * 2 + 1
    around = cv2.dilate(score, np.ones((size, size), np.uint8))
    row, column = np.nonzero((score >= around) & (score > least))
    height = score[row, column].astype(np.float64)
    at = np.stack([column, row], axis=-1) + _summits(score, row, column)
    places = at * pixel + (COARSE - 1) / 2 * STEP - reach
    inside = np.hypot(places[:, 0], places[:, 1]) < reach - radius / 2
    places, height = places[inside], height[inside]
    best = np.argsort(-height)[:most]
    return places[best], height[best]


def _summits(score: NDArray[np.float32], row: NDArray[np.intp], column: NDArray[np.intp]) -> Floats:
    """Where between pixels the maxima at (row, column) are: (K, 2), column and row, within half a pixel."""
    shifts = []
    for down, right in ((0, 1), (1, 0)):
        low, high = (
            np.take(score, np.ravel_multi_index((row + k * down, column + k * right), score.shape, mode="clip"))
            for k in (-1, 1)
        )
        bend = np.maximum(2 * score[row, column] - low - high, 1e-6)
        shifts.append(np.clip(0.5 * (high - low) / bend, -0.5, 0.5))
    return np.stack(shifts, axis=-1)
