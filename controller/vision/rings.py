"""The board's three lines, measured to a fraction of a pixel, and the camera that sees them as circles."""

from dataclasses import dataclass
from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray

from controller.vision.lens import Camera, Floats
from controller.vision.solving import Solution, solve
from controller.vision.view import COUNT, LensPrior, moved, parameters_of

Grey = NDArray[np.float32]

BEARINGS = 360  # places at which each line is looked for
SIDE = 2.2  # pixels from a line's middle to the bare wood beside it, for the widest blur that is accepted
STEP = 0.5  # pixels between the samples of a profile
WEAK = 0.3  # of the line's usual contrast: less is a scratch, glare or grain
FAINT = 1.5  # grey levels: a line of less contrast is not seen at all
NEAR = 3.0  # times the fit's noise: points within belong to the line
FIT_NOISE = 0.3  # mm: twice what a clean line scatters in pictures of 1.1 px/mm; beyond it the fit lets go
MADE_TO = 0.3  # mm: how true a maker's lines are to the board's drawing
UNLIKE = 4 * MADE_TO  # a line farther than this from its drawing: another kind of board
ANY_BOARD = 6.0  # mm: the lines of boards that follow no drawing
SECTORS = 12


@dataclass(frozen=True, slots=True)
class LinePoints:
    """Middles of one line: pixels (n, 2), the bearing (n,) of each (0 .. BEARINGS - 1), and how many were in view."""

    pixels: Floats
    bearings: NDArray[np.intp]
    contrast: float
    in_view: float  # share of the bearings


@dataclass(frozen=True, slots=True)
class RingFit:
    """The camera that the lines give, their middles' radii (3,) in mm, and how well they agree."""

    camera: Camera
    radii: Floats
    solution: Solution
    lines: tuple[LinePoints, ...]
    rms: float  # mm, of the points near the lines
    seen: tuple[float, float, float]  # share of each line that was found where the fit says
    worst: float  # mm, the largest mean deviation of a twelfth of a line
    sign: int


def straighten(grey: Grey, camera: Camera, radii: Floats, bearings: Floats) -> Grey:
    """The picture in polar board coordinates: (bearings, radii); NaN outside the picture. Bearings in radians."""
    points = np.empty((len(bearings), len(radii), 2))
    points[..., 0] = np.cos(bearings)[:, None] * radii
    points[..., 1] = np.sin(bearings)[:, None] * radii
    across, down = np.moveaxis(camera.project(points).astype(np.float32), -1, 0)
    nowhere = (np.nan,) * 4
    straight = cv2.remap(grey, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=nowhere)
    return np.asarray(straight, np.float32)


def line_points(grey: Grey, camera: Camera, radius: float, reach: float, sign: int) -> LinePoints:
    """Where the line of about `radius` mm runs, looked for within `reach` mm; `sign` is 1 for dark lines, -1 for light.

    A line is darker (lighter) than the wood on *both* sides, which the rim of a disc or a shadow is not.
    """
    bearings = np.linspace(0, 2 * np.pi, BEARINGS, endpoint=False)
    step = STEP / camera.px_per_mm
    side = round(SIDE / STEP)
    count = int(np.ceil(reach / step)) + side
    offsets = np.arange(-count, count + 1, dtype=np.float64) * step
    profiles = straighten(grey, camera, radius + offsets, bearings) * np.float32(sign)
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
    both = (inner[rows[:, None], best[:, None] + (-1, 0, 1)] + outer[rows[:, None], best[:, None] + (-1, 0, 1)]) / 2
    left, top, right = (both - middle[rows[:, None], best[:, None] + (-1, 0, 1)]).T.astype(np.float64)
    curve = np.minimum(left - 2 * top + right, -1e-6)
    shift = np.clip((left - right) / (2 * curve), -1, 1)
    at = radius + (best + shift + side - count) * step
    pixels = camera.project(np.stack((np.cos(bearings[rows]) * at, np.sin(bearings[rows]) * at), axis=-1))
    return LinePoints(pixels, rows, usual, float(np.mean(in_view)))


def fit_rings(
    grey: Grey, camera: Camera, radii: Floats, prior: LensPrior, sign: int, reaches: tuple[float, ...], spread: float
) -> RingFit:
    """Find the lines near where `camera` and `radii` (3,) expect them and fit both, in passes of `reaches` mm.

    The outer line's radius gives the scale and stays; `spread` is the prior of the two others, mm.
    """
    spreads = np.append(prior.spreads(camera.width, camera.height), (spread, spread))
    spreads[2] = 1e-6  # rings tell nothing of the turn about the hole
    expected = radii.copy()
    for index, reach in enumerate(reaches):
        lines = tuple(line_points(grey, camera, float(radius), reach, sign) for radius in radii)
        pixels = np.concatenate([line.pixels for line in lines])
        which = np.repeat(np.arange(3), [len(line.pixels) for line in lines])
        start = np.append(parameters_of(camera), radii[:2])
        centre = np.concatenate(([0] * 6, [np.log(prior.focal), 0.0, (camera.width - 1) / 2, (camera.height - 1) / 2]))
        centre = np.append(np.where(np.arange(COUNT) < 6, start[:COUNT], centre), expected[:2])
        residuals_of = partial(_off_circles, camera, pixels, which, expected[2])
        noise = max(FIT_NOISE, reach / 6) if index < len(reaches) - 1 else FIT_NOISE
        solution = solve(residuals_of, start, centre, spreads, noise)
        camera, radii = moved(camera, solution.parameters[:COUNT]), np.append(solution.parameters[COUNT:], expected[2])
    return _judged(camera, radii, solution, lines, which, sign)


def _off_circles(camera: Camera, pixels: Floats, which: NDArray[np.intp], outer: float, parameters: Floats) -> Floats:
    """(n,) how far outside its circle each point lies, mm."""
    circles = np.append(parameters[COUNT:], outer)
    seen = moved(camera, parameters[:COUNT]).to_board(pixels)
    return np.asarray(np.hypot(seen[:, 0], seen[:, 1]) - circles[which], np.float64)


def _judged(
    camera: Camera, radii: Floats, solution: Solution, lines: tuple[LinePoints, ...], which: NDArray[np.intp], sign: int
) -> RingFit:
    near = np.abs(solution.residuals) < NEAR * FIT_NOISE
    seen, worst = [], 0.0
    for ring, line in enumerate(lines):
        mine = which == ring
        close = solution.residuals[mine][near[mine]]
        seen.append(float(np.count_nonzero(near[mine]) / BEARINGS))
        sector = line.bearings[near[mine]] * SECTORS // BEARINGS
        counts = np.bincount(sector, minlength=SECTORS)
        means = np.bincount(sector, close, SECTORS)[counts > 4] / counts[counts > 4]
        worst = max(worst, float(np.max(np.abs(means), initial=0.0)))
    rms = float(np.sqrt(np.mean(solution.residuals[near] ** 2))) if near.any() else np.inf
    return RingFit(camera, radii, solution, lines, rms, (seen[0], seen[1], seen[2]), worst, sign)
