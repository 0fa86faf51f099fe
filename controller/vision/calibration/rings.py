"""The board's three lines, measured to a fraction of a pixel, and the camera that sees them as circles."""

from collections.abc import Generator
from dataclasses import dataclass
from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray

from controller.vision.calibration.camera import (
    COUNT,
    DISTORTION_SPREAD,
    FIXED,
    Camera,
    Floats,
    Indices,
    LensPrior,
    expectations,
    moved,
    parameters_of,
)
from controller.vision.calibration.least_squares import Solution, finish, solving
from hardware.board import Board

TAP_WOBBLE = 4.0  # mm by which a line may seem to leave its circle if the camera is known from taps
IN_VIEW = 0.6  # share of the outer line that the picture must show: half a board is not enough
RATIO_SLACK = 0.12  # share by which radii differ from the drawing's: 3.8 to 4.1, 8 to 8.6 of 12 inches
MADE_TO = 0.3  # mm: makers' deviations from the drawing, one sigma

BEARINGS = 360  # places at which each line is searched
AROUND = np.arange(BEARINGS, dtype=np.float64) * (2 * np.pi / BEARINGS)  # their bearings, radians
SIDE = 3.0  # pixels from a line's middle to bare wood, until its width is known
BLUR = 1.2  # pixels beyond half a line's apparent width where the wood is bare
NARROWEST = 2.2  # pixels: the least distance from a line's middle to the wood. Source not recorded
WIDEST = 7.0  # pixels: the largest distance. Source not recorded
STEP = 0.5  # pixels between the samples of a profile
WEAK = 0.3  # share of the line's usual contrast: less is a scratch, glare or grain
FAINT = 1.5  # grey levels: a line of less contrast is invisible
NEAR = 3.0  # times `FIT_NOISE`: points within belong to the line
FOUND_REACHES = (10.0, 5.0, 3.0)
"""mm around the expected line searched in each pass: the errors of taps, or of the search in the reduced
picture."""
HOPELESS = 0.3  # share of a line within a sixth of the reach: reached by chance
LEAST_TOGETHER = 1.65  # the least sum of the shares of the three lines found. Source not recorded
LEAST_SEEN = 0.4  # the least share of each line found: less may be something else
MOST_SCATTER = 0.5  # mm: the largest root mean square of the points about the fit. Source not recorded
MOST_UNLIKE = 2.0  # mm: a line that deviates by more is not a circle on a flat board
FIT_NOISE = 0.3  # mm: twice the scatter of a clean line at 1.1 px/mm. Larger residuals are discounted
LESS_SCATTER = 0.8  # share of the other fit's. Measured: 0.5, 0.6 on other boards, 1.0 as drawn
AS_GOOD = 0.1  # of the sum of the shares of the lines found: a chance difference
ANY_BOARD = 6.0  # mm: deviations from the drawing on other boards, one sigma
SECTORS = 12  # parts of a line whose mean deviations are compared, 30 degrees each
UNLIKE_SIGMAS = 4.0  # times `made_to`: a line farther from the drawing means another kind of board
STRAINED_SIGMAS = 1.5
"""Times `camera.DISTORTION_SPREAD`: a fit with more distortion may have bent other lines into the
drawing's."""

Grey = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class LinePoints:
    """Points on the middle of one line: pixels (n, 2), the index (n,) of each one's bearing, and the share of bearings
    in view."""

    pixels: Floats
    bearings: Indices
    contrast: float
    in_view: float  # share of the bearings


@dataclass(frozen=True, slots=True)
class RingFit:
    """The camera fitted to the lines, the radii (3,) of their middles in mm, and the fit's quality."""

    camera: Camera
    radii: Floats
    solution: Solution
    lines: tuple[LinePoints, ...]
    rms: float  # mm, of the points near the lines
    seen: tuple[float, float, float]  # share of each line found where the fit expects it
    worst: float  # mm, the largest mean deviation of a twelfth of a line
    looks: tuple[float, float, float]  # mm, the lines' apparent widths
    sign: int

    @property
    def goodness(self) -> float:
        """The sum of the shares of the lines found, 0 to 3."""
        return sum(self.seen)


def straighten(grey: Grey, camera: Camera, radii: Floats, bearings: Floats) -> Grey:
    """The picture in polar board coordinates: (bearings, radii); NaN outside the picture. Bearings in radians."""
    points = np.empty((len(bearings), len(radii), 2))
    points[..., 0] = np.cos(bearings)[:, None] * radii
    points[..., 1] = np.sin(bearings)[:, None] * radii
    across, down = np.moveaxis(camera.project(points).astype(np.float32), -1, 0)
    nowhere = (np.nan,) * 4
    straight = cv2.remap(grey, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=nowhere)
    return np.asarray(straight, np.float32)


def line_points(grey: Grey, camera: Camera, radius: float, reach: float, sign: int, beside: float = SIDE) -> LinePoints:
    """The points of the line of about `radius` mm, searched within `reach` mm; `sign`: 1 for dark lines, -1 for light.
    `beside`: pixels from the line's middle to bare wood. A line is darker (lighter) than the wood on *both* sides,
    unlike the rim of a disc or a shadow.
    """
    step = STEP / camera.px_per_mm
    side = round(beside / STEP)
    count = int(np.ceil(reach / step)) + side
    offsets = np.arange(-count, count + 1, dtype=np.float64) * step
    profiles = straighten(grey, camera, radius + offsets, AROUND) * np.float32(sign)
    middle, inner, outer = profiles[:, side:-side], profiles[:, : -2 * side], profiles[:, 2 * side :]
    depth = np.minimum(inner, outer) - middle
    in_view = ~np.isnan(depth).any(axis=1)
    depth = np.where(in_view[:, None], depth, -np.inf)
    best = np.clip(np.argmax(depth, axis=1), 1, depth.shape[1] - 2)
    rows = np.arange(BEARINGS)
    height = depth[rows, best]
    usual = float(np.median(height[in_view])) if in_view.any() else 0.0
    good = in_view & (height > max(FAINT, WEAK * usual))
    rows, best = rows[good], best[good]
    around = rows[:, None], best[:, None] + (-1, 0, 1)
    left, top, right = ((inner[around] + outer[around]) / 2 - middle[around]).T.astype(np.float64)
    curve = np.minimum(left - 2 * top + right, -1e-6)
    shift = np.clip((left - right) / (2 * curve), -1, 1)
    at = radius + (best + shift + side - count) * step
    pixels = camera.project(np.stack((np.cos(AROUND[rows]) * at, np.sin(AROUND[rows]) * at), axis=-1))
    return LinePoints(pixels, rows, usual, float(np.mean(in_view)))


def apparent_width(grey: Grey, camera: Camera, radius: float, sign: int) -> float:
    """The apparent width (mm) of the line at `radius` mm: its mean profile's width at half depth, blur and bloom
    included."""
    step = 0.1
    offsets = np.arange(-60.0, 61.0) * step
    profiles = straighten(grey, camera, radius + offsets, AROUND)
    profiles = profiles[~np.isnan(profiles).any(axis=1)] * np.float32(-sign)
    bare = (np.median(profiles[:, :10], axis=1) + np.median(profiles[:, -10:], axis=1)) / 2
    depth = profiles[:, 58:63].mean(axis=1) - bare
    usual = np.median(depth) if len(depth) else 0.0
    line = (depth > usual / 2) & (depth < usual * 2)
    if not line.any():
        return 0.0
    profile = np.median((profiles - bare[:, None])[line], axis=0)
    half = profile > profile[60] / 2
    left, right = np.argmin(half[60::-1]), np.argmin(half[60:])
    return float((left + right - 1) * step)


def ring_fitting(
    grey: Grey, camera: Camera, radii: Floats, prior: LensPrior, sign: int, reaches: tuple[float, ...], spread: float
) -> Generator[None, None, RingFit]:
    """Find the lines near where `camera` and `radii` (3,) expect them and fit both, in passes of `reaches` mm.

    The outer line's radius sets the scale and is fixed; `spread`: the standard deviation of the two others, mm. A
    generator that pauses between steps for the caller's other work.
    """
    drawn = radii[:2]
    beside = [SIDE] * 3
    for reach in reaches:
        found: list[LinePoints] = []
        for radius, bare in zip(radii, beside, strict=True):
            found.append(line_points(grey, camera, float(radius), reach, sign, bare))
            yield
        lines = tuple(found)
        pixels = np.concatenate([line.pixels for line in lines])
        which = np.repeat(np.arange(3), [len(line.pixels) for line in lines])
        expected, spreads = expectations(camera, prior)
        spreads[2] = FIXED  # rings do not determine the turn around the hole
        solution = yield from solving(
            partial(_off_circles, camera, pixels, which, radii[2]),
            np.append(parameters_of(camera), radii[:2]),
            np.append(expected, drawn),
            np.append(spreads, (spread, spread)),
            max(FIT_NOISE, reach / 6) if reach > reaches[-1] else FIT_NOISE,
        )
        camera, radii = moved(camera, solution.parameters[:COUNT]), np.append(solution.parameters[COUNT:], radii[2])
        if _shares(solution.residuals, which, max(FIT_NOISE, reach / 6)).min() < HOPELESS:
            break
        yield
        if reach > reaches[-1]:
            looks = [apparent_width(grey, camera, float(r), sign) * camera.px_per_mm / 2 + BLUR for r in radii]
            beside = [float(np.clip(look, NARROWEST, WIDEST)) for look in looks]
            yield
    return _judged(grey, camera, radii, solution, lines, which, sign)


def fit_board(grey: Grey, camera: Camera, radii: Floats, prior: LensPrior, sign: int, board: Board) -> RingFit:
    """Fit the lines as drawn on `board`, or if they are not there, lines of any board near `radii` (3,) mm."""
    drawn = np.array((board.fifteen_line, board.ten_line, board.outer_line))
    fit = finish(ring_fitting(grey, camera, drawn, prior, sign, FOUND_REACHES, MADE_TO))
    as_drawn = min(fit.seen) > LEAST_SEEN and lines_as_drawn(fit.radii, board)
    if as_drawn and abs(fit.camera.k1) < STRAINED_SIGMAS * DISTORTION_SPREAD:
        return fit
    other = finish(ring_fitting(grey, camera, radii, prior.mild(), sign, FOUND_REACHES, ANY_BOARD))
    as_good = other.goodness > fit.goodness - AS_GOOD
    return other if as_good and (not as_drawn or other.rms < LESS_SCATTER * fit.rms) else fit


def lines_as_drawn(radii: Floats, board: Board) -> bool:
    """Whether the radii (3,), mm, are those of the drawing, within makers' tolerances."""
    drawn = (board.fifteen_line, board.ten_line, board.outer_line)
    return bool(np.max(np.abs(radii - drawn)) < UNLIKE_SIGMAS * MADE_TO)


def likelier_signs(grey: Grey, camera: Camera, board: Board) -> tuple[int, int]:
    """Dark (1) and light (-1) lines, first the kind that stands out more at the outer line's expected place."""
    reach = FOUND_REACHES[0]
    dark, light = (line_points(grey, camera, board.outer_line, reach, sign).contrast for sign in (1, -1))
    return (1, -1) if dark >= light else (-1, 1)


def circles(grey: Grey, camera: Camera, sign: int, least: float, most: float) -> tuple[Floats, Grey]:
    """Radii (n,) from `least` to `most` mm, and the depth (bearings, n) of a line's valley near each, grey levels. The
    deepest valley within `tap_wobble` of a radius counts, so that circles need not be round under this camera.
    """
    step = STEP / camera.px_per_mm
    radii = np.arange(least, most, step)
    picture = straighten(grey, camera, radii, AROUND) * np.float32(sign)
    side, pool = round(SIDE / STEP), 2 * round(TAP_WOBBLE / step / 2) + 1
    depth = np.minimum(picture[:, : -2 * side], picture[:, 2 * side :]) - picture[:, side:-side]
    depth = cv2.dilate(np.nan_to_num(depth, nan=-1e3), np.ones((1, pool), np.uint8))
    return radii[side:-side], np.asarray(depth, np.float32)


def radii_near(grey: Grey, camera: Camera, board: Board, sign: int) -> Floats:
    """(3,) radii (mm) of lines near those of the drawing, within `ratio_slack`. The outer line is fixed."""
    at, depth = circles(grey, camera, sign, board.fifteen_line * (1 - 2 * RATIO_SLACK), board.outer_line)
    usual = np.median(depth, axis=0)
    found = []
    for drawn in (board.fifteen_line, board.ten_line):
        likely = usual * (1 - np.abs(at / drawn - 1)) * (np.abs(at / drawn - 1) < RATIO_SLACK)
        found.append(float(np.mean(at[likely > likely.max() - 1e-3])))  # a dilated peak is a plateau
    return np.array((*found, board.outer_line))


def acceptable(fit: RingFit) -> bool:
    """Whether all three lines were seen and fit one flat board."""
    enough = min(fit.seen) > LEAST_SEEN and fit.goodness > LEAST_TOGETHER and fit.lines[2].in_view > IN_VIEW
    return enough and fit.rms < MOST_SCATTER and fit.worst < MOST_UNLIKE


def _off_circles(camera: Camera, pixels: Floats, which: Indices, outer: float, parameters: Floats) -> Floats:
    """(n,) each point's distance outside its circle, mm."""
    circles = np.append(parameters[COUNT:], outer)
    seen = moved(camera, parameters[:COUNT]).to_board(pixels)
    return np.asarray(np.hypot(seen[:, 0], seen[:, 1]) - circles[which], np.float64)


def _shares(residuals: Floats, which: Indices, limit: float) -> Floats:
    """(3,) the share of each line found within `limit` mm."""
    near = np.abs(residuals) < limit
    return np.bincount(which[near], minlength=3) / BEARINGS


def _judged(
    grey: Grey,
    camera: Camera,
    radii: Floats,
    solution: Solution,
    lines: tuple[LinePoints, ...],
    which: Indices,
    sign: int,
) -> RingFit:
    near = np.abs(solution.residuals) < NEAR * FIT_NOISE
    seen, worst = _shares(solution.residuals, which, NEAR * FIT_NOISE), 0.0
    for ring, line in enumerate(lines):
        mine = which == ring
        close = solution.residuals[mine][near[mine]]
        sector = line.bearings[near[mine]] * SECTORS // BEARINGS
        counts = np.bincount(sector, minlength=SECTORS)
        means = np.bincount(sector, close, SECTORS)[counts > 4] / counts[counts > 4]
        worst = max(worst, float(np.max(np.abs(means), initial=0.0)))
    rms = float(np.sqrt(np.mean(solution.residuals[near] ** 2))) if near.any() else np.inf
    fifteen, ten, outer = (apparent_width(grey, camera, float(radius), sign) for radius in radii)
    return RingFit(
        camera,
        radii,
        solution,
        lines,
        rms,
        (float(seen[0]), float(seen[1]), float(seen[2])),
        worst,
        (fifteen, ten, outer),
        sign,
    )
