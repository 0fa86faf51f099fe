"""A person's taps on the hole, pegs and outer line, in pixels: a start if the board is not found automatically."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from controller.errors import BadInput, CalibrationFailed
from controller.vision.calibration.camera import (
    LOG_DISTANCE,
    Camera,
    Floats,
    LensPrior,
    expectations,
    moved,
    parameters_of,
)
from controller.vision.calibration.least_squares import finish, solving
from hardware.board import Board
from hardware.files import read_json

TAP_NOISE = 3.0  # pixels: the error of a finger on a zoomed picture, one sigma

LEAST_TAP_NOISE = 0.5  # pixels: nobody taps better
TAP_LIMIT = 12.0  # pixels: a tap farther from the fitted board hit something else
LEAST_TAPS = 4  # fewer do not determine a plane's eight unknowns


MEMBERS = {"hole": 1, "pegs": 8, "outer_line": 8}


@dataclass(frozen=True, slots=True)
class Landmarks:
    """The taps: board points (n, 2) in mm by name, pixels (n, 2)."""

    names: tuple[str, ...]
    points: tuple[tuple[float, float], ...]
    pixels: tuple[tuple[float, float], ...]

    @classmethod
    def read(cls, path: Path, board: Board) -> "Landmarks":
        """Read a file. Raises `BadFile` or `BadInput`, which name the file and the problem."""
        document = read_json(path)
        try:
            return cls.from_json(document, board)
        except BadInput as error:
            raise BadInput(f"{path}: {error}") from error

    @classmethod
    def from_json(cls, document: Any, board: Board) -> "Landmarks":
        """From `{"hole": [x, y], "pegs": [..8], "outer_line": [..8]}`; missing members and nulls are untapped."""
        if not isinstance(document, Mapping) or not set(document) <= set(MEMBERS):
            raise BadInput(f"landmarks are an object with some of the members {', '.join(MEMBERS)}")
        names, points, pixels = [], [], []
        for member, places in _places(board).items():
            for index, tap in enumerate(_taps(document, member, len(places))):
                if tap is not None:
                    names.append(member if MEMBERS[member] == 1 else f"{member}[{index}]")
                    points.append(places[index])
                    pixels.append(_pixel(tap, names[-1]))
        return cls(tuple(names), tuple(points), tuple(pixels))


def _places(board: Board) -> dict[str, list[tuple[float, float]]]:
    """The places of each member's landmarks on the board, mm."""
    around = np.radians(np.arange(0, 360, 45))
    circle = [(float(board.outer_line * np.cos(a)), float(board.outer_line * np.sin(a))) for a in around]
    return {"hole": [(0.0, 0.0)], "pegs": list(board.pegs), "outer_line": circle}


def _taps(document: Mapping[str, Any], member: str, places: int) -> Sequence[Any]:
    """The taps of one member, None for each that was not tapped; empty if the member is missing."""
    taps, count = document.get(member), MEMBERS[member]
    if taps is None:
        return ()
    taps = [taps] if member == "hole" else taps
    if not isinstance(taps, Sequence) or len(taps) != count or places != count:
        raise BadInput(f"{member}: {count} places are needed, null for one that was not tapped")
    return taps


def _pixel(tap: Any, name: str) -> tuple[float, float]:
    numbers = isinstance(tap, Sequence) and len(tap) == 2 and all(type(v) in (int, float) for v in tap)
    if not numbers or not all(np.isfinite(v) for v in tap):
        raise BadInput(f"{name}: a place is [x, y] in pixels")
    return float(tap[0]), float(tap[1])


@dataclass(frozen=True, slots=True)
class Tapped:
    """The camera fitted to the taps, their scatter in pixels, and the relative error of its height."""

    camera: Camera
    scatter: float
    height_doubt: float


def camera_from(landmarks: Landmarks, width: int, height: int, prior: LensPrior) -> Tapped:
    """Fit a camera to the taps. Raises `CalibrationFailed` if they do not fix the board or are contradictory."""
    points, pixels = np.array(landmarks.points, np.float64), np.array(landmarks.pixels, np.float64)
    if len(points) < LEAST_TAPS or np.linalg.svd(points - points.mean(axis=0))[1][-1] < 100.0:
        raise CalibrationFailed("these landmarks do not fix the board: tap the hole and four places around it or more")
    view = prior.camera(width, height)
    matrix = np.array([[view.focal, 0, view.cx], [0, view.focal, view.cy], [0, 0, 1]])
    solid = np.column_stack((points, np.zeros(len(points))))
    _, rvec, t = cv2.solvePnP(solid, pixels, matrix, None, flags=cv2.SOLVEPNP_ITERATIVE)
    if not t[2] > 0:  # behind the camera
        raise CalibrationFailed("the landmarks contradict each other, or run the wrong way round: tap them again")
    start = replace(view, rvec=_three(rvec), t=_three(t))

    def residuals_of(parameters: Floats) -> Floats:
        return (moved(start, parameters).project(points) - pixels).ravel()

    expected = expectations(start, prior)
    solution = finish(solving(residuals_of, parameters_of(start), *expected, TAP_NOISE))
    agree = float(np.median(np.abs(residuals_of(solution.parameters))))
    if agree < TAP_NOISE:  # taps that agree this well determine the lens better than the prior
        solution = finish(solving(residuals_of, solution.parameters, *expected, max(agree, LEAST_TAP_NOISE)))
    camera = moved(start, solution.parameters)
    off = np.hypot(*(camera.project(points) - pixels).T)
    if camera.rotation[2, 2] > 0 or camera.t[2] <= 0:
        raise CalibrationFailed("the landmarks run the wrong way round: pegs and outer line go counter-clockwise")
    if np.median(off) > TAP_LIMIT or np.sum(off < TAP_LIMIT) < LEAST_TAPS:
        worst = landmarks.names[int(np.argmax(off))]
        raise CalibrationFailed(
            f"the landmarks contradict each other, {worst} by {off.max():.0f} pixels: tap them again"
        )
    near = off[off < TAP_LIMIT]
    scatter = float(np.sqrt(np.sum(near**2) / max(2 * len(near) - 6, 1)))
    return Tapped(camera, scatter, float(np.sqrt(solution.covariance[LOG_DISTANCE, LOG_DISTANCE])))


def _three(vector: Any) -> tuple[float, float, float]:
    x, y, z = (float(v) for v in np.asarray(vector).ravel())
    return x, y, z
