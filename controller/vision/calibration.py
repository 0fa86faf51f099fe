"""The calibration: how this camera sees this board, with its own doubts in millimetres. File format: calibration/1."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal

import cv2
import numpy as np
from pydantic import TypeAdapter, ValidationError

from controller.errors import BadInput, CalibrationFailed
from controller.vision.landmarks import Landmarks, camera_from
from controller.vision.lens import Camera, Floats
from controller.vision.rings import MADE_TO, Grey, RingFit, fit_rings
from controller.vision.view import LensPrior
from hardware.board import TOURNAMENT, Board, DiscSize
from hardware.devices import Image, Lens

SCHEMA = "calibration/1"
SMOOTHING = 0.7  # pixels: takes half of the noise and none of a line's place
TAPPED_REACHES = (6.0, 3.0, 3.0)  # mm: taps are off by some pixels
TOP_SHARE = 0.5  # of a shift of the disc's top that reaches its place, when the outline of top and bottom is fitted


@dataclass(frozen=True, slots=True)
class Quality:
    """How good a calibration is, for people and for `sigma`. Millimetres where nothing else is said."""

    method: Literal["rings", "landmarks"]  # landmarks: the picture did not show the lines, the taps alone speak
    rms: float  # scatter of the lines' points about the fit
    worst_line: float  # the largest mean deviation of a twelfth of a line: what the model does not explain
    sigma: tuple[float, float, float]  # standard error of the fifteen, ten and outer line's place
    seen: tuple[float, float, float]  # share of each line that was seen where the fit says
    height: float  # of the camera above the surface
    height_sigma: float
    tilt: float  # degrees
    px_per_mm: float  # at the hole
    contrast: float  # grey levels between lines and wood
    turn_sure: bool  # the quadrant lines or pegs were seen; which seat is which remains a convention

    def words(self) -> str:
        """One line for people."""
        return (
            f"lines to {max(self.worst_line, *self.sigma):.2f} mm, scatter {self.rms:.2f} mm, camera "
            f"{self.height:.0f} +- {self.height_sigma:.0f} mm above the board, tilted {self.tilt:.0f} degrees, "
            f"{self.px_per_mm:.2f} px/mm"
        )


@dataclass(frozen=True, slots=True)
class Calibration:
    """One camera before one board.

    `board` is the board as measured: the middles of its lines, their mean width, the pegs' angles, the hole. Seat 1
    (-y) is the side nearest the picture's bottom unless landmarks said otherwise: lines cannot tell the four seats
    apart.
    """

    camera: Camera
    board: Board
    line_widths: tuple[float, float, float]  # mm, of the fifteen, ten and outer line
    quality: Quality

    @property
    def width(self) -> int:
        """Of the picture that this belongs to, pixels."""
        return self.camera.width

    @property
    def height(self) -> int:
        """Of the picture that this belongs to, pixels."""
        return self.camera.height

    @property
    def fifteen(self) -> float:
        """Inner edge of the fifteen line, mm from the hole's centre."""
        return self.board.fifteen_line - self.line_widths[0] / 2

    @property
    def ten(self) -> float:
        """Inner edge of the ten line, mm."""
        return self.board.ten_line - self.line_widths[1] / 2

    @property
    def outer(self) -> float:
        """Inner edge of the outer line, mm."""
        return self.board.outer_line - self.line_widths[2] / 2

    @property
    def hole_radius(self) -> float:
        """Of the 20 hole, mm."""
        return self.board.hole_radius

    @property
    def disc(self) -> DiscSize:
        """The discs that are played with on this board."""
        return self.board.disc

    def project(self, points: Floats) -> Floats:
        """Pixels (.., 2) of board points (.., 3) in mm; of (.., 2) on the surface."""
        return self.camera.project(points)

    def to_board(self, pixels: Floats, z: float = 0.0) -> Floats:
        """Board points (.., 2) in mm, at height `z` above the surface, of pixels (.., 2)."""
        return self.camera.to_board(pixels, z)

    def sigma_radial(self, x: Floats | float, y: Floats | float) -> Floats:
        """What the calibration itself adds to the standard error of a flat disc's distance from the hole, mm.

        The lines' own error, and the camera's height: the disc's top is shifted away from the point under the camera
        by distance * thickness / (height - thickness), of which half reaches the centre of the fitted outline.
        """
        x, y = np.asarray(x, np.float64), np.asarray(y, np.float64)
        radius = np.maximum(np.hypot(x, y), 1e-9)
        eye = self.camera.centre
        away = ((x - eye[0]) * x + (y - eye[1]) * y) / radius  # radial part of the way from under the camera
        thick = self.disc.thickness
        doubt = self.quality.height_sigma / (eye[2] - thick)
        parallax = TOP_SHARE * away * thick / (eye[2] - thick) * doubt
        lines = np.interp(radius, (self.fifteen, self.ten, self.outer), self.quality.sigma)
        return np.asarray(np.hypot(lines, parallax), np.float64)

    def scaled(self, width: int, height: int) -> "Calibration":
        """For the same picture in another size, such as the small stream.

        Raises `BadInput` when the sizes can't be of one picture.
        """
        camera = self.camera.scaled(width, height)
        return replace(self, camera=camera, quality=replace(self.quality, px_per_mm=camera.px_per_mm))

    def require(self, width: int, height: int) -> None:
        """Raise `BadInput` unless this calibration belongs to pictures of this size."""
        if (width, height) != (self.width, self.height):
            raise BadInput(
                f"the calibration belongs to pictures of {self.width}x{self.height}, this one has {width}x{height}: "
                "calibrate again with this camera, or set the camera to the calibration's size"
            )

    def to_json(self) -> dict[str, Any]:
        """A JSON document; every number in full, so that nothing is lost on the way."""
        return {"schema": SCHEMA, **asdict(self)}

    @classmethod
    def from_json(cls, document: Any, width: int | None = None, height: int | None = None) -> "Calibration":
        """From `to_json`. With `width` and `height`, only for pictures of that size. Raises `BadInput`."""
        if not isinstance(document, Mapping) or document.get("schema") != SCHEMA:
            raise BadInput(f"this is no calibration of the schema {SCHEMA}: calibrate the camera anew")
        try:
            calibration = TypeAdapter(cls).validate_python({k: v for k, v in document.items() if k != "schema"})
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(step) for step in first["loc"])
            raise BadInput(f"a broken calibration, {where}: {first['msg']}; calibrate the camera anew") from error
        if width is not None and height is not None:
            calibration.require(width, height)
        return calibration

    def save(self, path: Path) -> None:
        """Write the document to a file."""
        path.write_text(json.dumps(self.to_json(), indent=1) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, path: Path, width: int | None = None, height: int | None = None) -> "Calibration":
        """Read a file that `save` wrote. Raises `BadInput` naming the file."""
        try:
            return cls.from_json(json.loads(path.read_text(encoding="utf-8")), width, height)
        except OSError as error:
            raise BadInput(f"{path}: {error.strerror or error}") from error
        except ValueError as error:  # not JSON, or BadInput
            raise BadInput(f"{path}: {error}") from error


def calibrate(
    image: Image, landmarks: Landmarks | None = None, *, lens: Lens | None = None, board: Board = TOURNAMENT
) -> Calibration:
    """Find the board in a picture (height, width, 3) or (height, width) and fit camera and lines to it.

    Raises `CalibrationFailed` naming the trouble and what helps.
    """
    grey = _grey(image)
    height, width = grey.shape
    prior = LensPrior.of(width, height, lens)
    if landmarks is None:
        raise CalibrationFailed("no board was found in the picture: tap the landmarks")
    camera, _ = camera_from(landmarks, width, height, prior)
    fits = [fit_rings(grey, camera, _radii(board), prior, sign, TAPPED_REACHES, MADE_TO) for sign in (1, -1)]
    return _calibration(max(fits, key=lambda fit: sum(fit.seen)), board)


def _grey(image: Image) -> Grey:
    """The picture's light, slightly smoothed: what lies between two samples is then well defined."""
    light = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY) if image.ndim == 3 else image
    return cv2.GaussianBlur(light.astype(np.float32), (0, 0), SMOOTHING)  # type: ignore[return-value]


def _radii(board: Board) -> Floats:
    return np.array((board.fifteen_line, board.ten_line, board.outer_line))


def _calibration(fit: RingFit, board: Board) -> Calibration:
    fifteen, ten, outer = (float(radius) for radius in fit.radii)
    camera, spread = fit.camera, np.sqrt(np.diag(fit.solution.covariance))
    height = float(camera.centre[2])
    quality = Quality(
        method="rings",
        rms=fit.rms,
        worst_line=fit.worst,
        sigma=(0.1, 0.1, 0.1),
        seen=fit.seen,
        height=height,
        height_sigma=height * float(spread[6]),
        tilt=camera.tilt,
        px_per_mm=camera.px_per_mm,
        contrast=float(np.mean([line.contrast for line in fit.lines])),
        turn_sure=False,
    )
    measured = replace(board, fifteen_line=fifteen, ten_line=ten, outer_line=outer)
    return Calibration(camera, measured, (board.line_width,) * 3, quality)
