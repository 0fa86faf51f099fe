"""A person's taps: the hole, the pegs and the outer line, in pixels; a start where the board is not found by itself."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from controller.errors import BadInput, CalibrationFailed
from controller.vision.calibration.camera_prior import LOG_DISTANCE, LensPrior, expectations, moved, parameters_of
from controller.vision.calibration.least_squares import solve
from controller.vision.calibration.lens import Camera, Floats
from hardware.board import Board
from hardware.files import read_json

MEMBERS = {"hole": 1, "pegs": 8, "outer_line": 8}
TAP_NOISE = 3.0  # pixels: how far a finger on a zoomed picture is off
LEAST_TAP_NOISE = 0.5  # pixels: nobody taps better
TAP_LIMIT = 12.0  # pixels: a tap farther than this from the fitted board was another thing
LEAST_TAPS = 4  # fewer do not fix a plane's eight unknowns


@dataclass(frozen=True, slots=True)
class Landmarks:
    """The taps that there are: board points (n, 2) in mm by name, pixels (n, 2)."""

    names: tuple[str, ...]
    points: tuple[tuple[float, float], ...]
    pixels: tuple[tuple[float, float], ...]

    @classmethod
    def read(cls, path: Path, board: Board) -> "Landmarks":
        """From a file. Raises `BadInput` naming the file and what is wrong in it."""
        try:
            document = read_json(path)
        except OSError as error:
            reason = error.strerror or error
            raise BadInput(f"The landmarks {path} can't be read ({reason}): name the file with the taps.") from error
        except ValueError as error:
            raise BadInput(f"The landmarks {path} are not JSON: {error}.") from error
        try:
            return cls.from_json(document, board)
        except BadInput as error:
            raise BadInput(f"{path}: {error}") from error

    @classmethod
    def from_json(cls, document: Any, board: Board) -> "Landmarks":
        """From `{"hole": [x, y], "pegs": [..8], "outer_line": [..8]}`; missing members and nulls are untapped."""
        if not isinstance(document, Mapping) or not set(document) <= set(MEMBERS):
            raise BadInput(f"landmarks are an object with some of the members {', '.join(MEMBERS)}")
        circle = [
            (board.outer_line * np.cos(a), board.outer_line * np.sin(a)) for a in np.radians(np.arange(0, 360, 45))
        ]
        where = {
            "hole": [(0.0, 0.0)],
            "pegs": list(board.pegs),
            "outer_line": [(float(x), float(y)) for x, y in circle],
        }
        names, points, pixels = [], [], []
        for member, count in MEMBERS.items():
            taps = document.get(member)
            if taps is None:
                continue
            taps = [taps] if member == "hole" else taps
            if not isinstance(taps, Sequence) or len(taps) != count or len(where[member]) != count:
                raise BadInput(f"{member}: {count} places are needed, null for one that was not tapped")
            for index, tap in enumerate(taps):
                if tap is not None:
                    names.append(member if count == 1 else f"{member}[{index}]")
                    points.append(where[member][index])
                    pixels.append(_pixel(tap, names[-1]))
        return cls(tuple(names), tuple(points), tuple(pixels))


def _pixel(tap: Any, name: str) -> tuple[float, float]:
    numbers = isinstance(tap, Sequence) and len(tap) == 2 and all(type(v) in (int, float) for v in tap)
    if not numbers or not all(np.isfinite(v) for v in tap):
        raise BadInput(f"{name}: a place is [x, y] in pixels")
    return float(tap[0]), float(tap[1])


@dataclass(frozen=True, slots=True)
class Tapped:
    """The camera that sees the taps where they are, their scatter in pixels, and the relative doubt of its height."""

    camera: Camera
    scatter: float
    height_doubt: float


def camera_from(landmarks: Landmarks, width: int, height: int, prior: LensPrior) -> Tapped:
    """The camera that sees the taps where they are.

    Raises `CalibrationFailed` when the taps do not fix the board or contradict each other.
    """
    points, pixels = np.array(landmarks.points, np.float64), np.array(landmarks.pixels, np.float64)
    if len(points) < LEAST_TAPS or np.linalg.svd(points - points.mean(axis=0))[1][-1] < 100.0:
        raise CalibrationFailed("these landmarks do not fix the board: tap the hole and four places around it or more")
    view = prior.camera(width, height)
    matrix = np.array([[view.focal, 0, view.cx], [0, view.focal, view.cy], [0, 0, 1]])
    solid = np.column_stack((points, np.zeros(len(points))))
    _, rvec, t = cv2.solvePnP(solid, pixels, matrix, None, flags=cv2.SOLVEPNP_ITERATIVE)
    if not t[2] > 0:  # behind the camera
        raise CalibrationFailed("the landmarks contradict each other, or run the wrong way round: tap them anew")
    start = replace(view, rvec=_three(rvec), t=_three(t))

    def residuals_of(parameters: Floats) -> Floats:
        return (moved(start, parameters).project(points) - pixels).ravel()

    expected = expectations(start, prior)
    solution = solve(residuals_of, parameters_of(start), *expected, TAP_NOISE)
    agree = float(np.median(np.abs(residuals_of(solution.parameters))))
    if agree < TAP_NOISE:  # taps that agree so well tell more of the lens than what is usual does
        solution = solve(residuals_of, solution.parameters, *expected, max(agree, LEAST_TAP_NOISE))
    camera = moved(start, solution.parameters)
    off = np.hypot(*(camera.project(points) - pixels).T)
    if camera.rotation[2, 2] > 0 or camera.t[2] <= 0:
        raise CalibrationFailed("the landmarks run the wrong way round: pegs and outer line go counter-clockwise")
    if np.median(off) > TAP_LIMIT or np.sum(off < TAP_LIMIT) < LEAST_TAPS:
        worst = landmarks.names[int(np.argmax(off))]
        raise CalibrationFailed(
            f"the landmarks contradict each other, {worst} by {off.max():.0f} pixels: tap them anew"
        )
    near = off[off < TAP_LIMIT]
    scatter = float(np.sqrt(np.sum(near**2) / max(2 * len(near) - 6, 1)))
    return Tapped(camera, scatter, float(np.sqrt(solution.covariance[LOG_DISTANCE, LOG_DISTANCE])))


def _three(vector: Any) -> tuple[float, float, float]:
    x, y, z = (float(v) for v in np.asarray(vector).ravel())
    return x, y, z
