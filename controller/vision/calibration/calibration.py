"""The calibration: how this camera sees this board, with its errors in millimetres. File format: calibration/1."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal

import cv2
import numpy as np
from pydantic import TypeAdapter, ValidationError

from controller.errors import BadInput, CalibrationFailed
from controller.vision.calibration.camera import LOG_DISTANCE, Camera, Floats, LensPrior
from controller.vision.calibration.finding import candidates, likeliest_board
from controller.vision.calibration.image_quality import badly_lit, spoilt, trouble_with
from controller.vision.calibration.landmarks import TAP_NOISE, Landmarks, Tapped, camera_from
from controller.vision.calibration.orientation import CLEAR_PEAK, peg_turn, quadrant_turn, seated
from controller.vision.calibration.rings import (
    Grey,
    RingFit,
    acceptable,
    fit_board,
    likelier_signs,
    lines_as_drawn,
    radii_near,
)
from hardware.board import TOURNAMENT, Board, DiscSize
from hardware.devices import Image, Lens
from hardware.files import read_json

MOST_TURNED = 8.0  # degrees: the largest turn by taps and bumps. A line farther off is not one

SMOOTHING = 0.7  # pixels: the blur before sampling. It takes half of the noise and none of a line's place
PLAINLY_SEEN = 0.6  # share of every line that ends the search for candidates. Source not recorded
BLOOM = 2.2  # pixels by which light lines may look wider than they are: up to 1.9 was measured
WIDTH_DOUBT = 0.05  # mm: a line's inner edge, by its width, on a board that follows the drawing, one sigma
OTHER_WIDTH_DOUBT = 0.2
"""The same on any other board, whose lines are 1.2 to 2.4 mm wide: the picture's blur hides the width. Measured on
60 painted boards: errors of clearances are 1.25 standard errors with it, 1.56 with 0.1; as drawn 0.89 with 0.05."""
LEAST_PICTURE = 200  # pixels of a picture's shorter side. In a smaller one a line is not a pixel wide
SLANTS = (0.3, 0.65, 0.95)
"""Tangents of the angle off the vertical at which `TOP_SHARES` are given."""
TOP_SHARES = (0.5, 0.75, 0.9)
"""Share of a shift of the disc's top that affects its fitted place, since the outline of top and bottom is fitted:
more the more of the wall is visible. Measured on 40 boards traced at 25 to 50 degrees, with discs 9 to 10 mm
thick."""
THICKNESS_DOUBT = 0.3  # mm: the discs' thickness, one sigma. Makers name 9.5 and 10 mm, with rounded edges


SCHEMA = "calibration/1"


@dataclass(frozen=True, slots=True)
class Quality:
    """The quality of a calibration, for people and for `sigma`. In mm unless noted."""

    method: Literal["rings", "landmarks"]  # landmarks: only taps, since the picture did not show the lines
    rms: float  # scatter of the lines' points about the fit
    worst_line: float  # the largest mean deviation of a twelfth of a line: what the model does not explain
    sigma: tuple[float, float, float]  # standard error of the fifteen, ten and outer line's place
    seen: tuple[float, float, float]  # share of each line that was found where the fit expects it
    height: float  # of the camera above the surface
    height_sigma: float
    tilt: float  # degrees
    px_per_mm: float  # at the hole
    contrast: float  # grey levels between lines and wood
    turn_sure: bool  # the quadrant lines or pegs were seen; the numbering of seats remains a convention

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
    (-y) is the side nearest the picture's bottom unless landmarks set it: the lines do not distinguish the four seats.
    """

    camera: Camera
    board: Board
    line_widths: tuple[float, float, float]  # mm, of the fifteen, ten and outer line
    sign: int  # 1: dark lines, -1: light lines
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
        """The discs of this board."""
        return self.board.disc

    def project(self, points: Floats) -> Floats:
        """Pixels (.., 2) of board points (.., 3) in mm, or (.., 2) on the surface."""
        return self.camera.project(points)

    def to_board(self, pixels: Floats, z: float = 0.0) -> Floats:
        """Board points (.., 2) in mm, at height `z` above the surface, of pixels (.., 2)."""
        return self.camera.to_board(pixels, z)

    def within(self, radius: float, z: float = 0.0) -> Image:
        """Mask (height, width), 0 or 255, of a circle around the hole at height `z` above the surface, both in mm."""
        turn = np.linspace(0, 2 * np.pi, 72, endpoint=False)
        outline = self.project(np.stack((radius * np.cos(turn), radius * np.sin(turn), np.full_like(turn, z)), -1))
        mask = np.zeros((self.height, self.width), np.uint8)
        return np.asarray(cv2.fillPoly(mask, [np.round(outline).astype(np.int32)], (255,)), np.uint8)

    def sigma_parallax(self, x: Floats, y: Floats) -> Floats:
        """The part of `sigma_radial` along the line of sight, mm. It comes from the parallax of the disc's top, slant *
        thickness: neither the camera's height nor the disc's thickness is known well. A share of it, `top_shares`,
        shifts the fitted outline's centre.
        """
        eye, thick = self.camera.centre, self.disc.thickness
        height = eye[2] - thick
        slant = np.hypot(x - eye[0], y - eye[1]) / height
        share = np.interp(slant, SLANTS, TOP_SHARES)
        doubt = np.hypot(self.quality.height_sigma / height, THICKNESS_DOUBT / thick)
        return np.asarray(share * slant * thick * doubt, np.float64)

    def sigma_radial(self, x: Floats | float, y: Floats | float) -> Floats:
        """The calibration's contribution to the standard error of a flat disc's distance from the hole, mm: the lines'
        error, and the radial part of `sigma_parallax`.
        """
        x, y = np.asarray(x, np.float64), np.asarray(y, np.float64)
        radius = np.maximum(np.hypot(x, y), 1e-9)
        eye = self.camera.centre
        away = np.maximum(np.hypot(x - eye[0], y - eye[1]), 1e-9)
        radial = ((x - eye[0]) * x + (y - eye[1]) * y) / (radius * away)
        parallax = radial * self.sigma_parallax(x, y)
        lines = np.interp(radius, (self.fifteen, self.ten, self.outer), self.quality.sigma)
        return np.asarray(np.hypot(lines, parallax), np.float64)

    def scaled(self, width: int, height: int) -> "Calibration":
        """The calibration for the same picture in another size, such as the small stream's. Raises `BadInput` for
        another aspect ratio.
        """
        camera = self.camera.scaled(width, height)
        return replace(self, camera=camera, quality=replace(self.quality, px_per_mm=camera.px_per_mm))

    def require(self, width: int, height: int) -> None:
        """Raise `BadInput` unless this calibration is for pictures of this size."""
        if (width, height) != (self.width, self.height):
            raise BadInput(
                f"the calibration belongs to pictures of {self.width}x{self.height}, this one has {width}x{height}: "
                "calibrate again with this camera, or set the camera to the calibration's size"
            )

    def to_json(self) -> dict[str, Any]:
        """The calibration as JSON, in full precision."""
        return {"schema": SCHEMA, **asdict(self)}

    @classmethod
    def from_json(cls, document: Any, width: int | None = None, height: int | None = None) -> "Calibration":
        """The inverse of `to_json`. With `width` and `height`, only for pictures of that size. Raises `BadInput`."""
        if not isinstance(document, Mapping) or document.get("schema") != SCHEMA:
            raise BadInput(f"this is no calibration of the schema {SCHEMA}: calibrate the camera again")
        try:
            calibration = TypeAdapter(cls).validate_python({k: v for k, v in document.items() if k != "schema"})
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(step) for step in first["loc"])
            raise BadInput(f"a broken calibration, {where}: {first['msg']}; calibrate the camera again") from error
        if width is not None and height is not None:
            calibration.require(width, height)
        return calibration

    def save(self, path: Path) -> None:
        """Write the calibration to a file."""
        path.write_text(json.dumps(self.to_json(), indent=1) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, path: Path, width: int | None = None, height: int | None = None) -> "Calibration":
        """Read a file that `save` wrote. Raises `BadFile` or `BadInput`, which name the file."""
        document = read_json(path)
        try:
            return cls.from_json(document, width, height)
        except BadInput as error:
            raise BadInput(f"{path}: {error}") from error


def calibrate(
    image: Image,
    landmarks: Landmarks | None = None,
    *,
    lens: Lens | None = None,
    above: float | None = None,
    board: Board = TOURNAMENT,
) -> Calibration:
    """Find the board in a picture (height, width, 3) or (height, width) and fit camera and lines to it.

    `board`: the expected drawing of the lines; boards of other proportions are recognised and measured, scaled by the
    outer line. `above`: the camera's measured height over the surface in mm, which lines seen from straight above do
    not determine. Raises `CalibrationFailed` with the problem and its remedy, and `BadInput` for lens data or a height
    that contradict the picture.
    """
    grey = light_of(image)
    height, width = grey.shape
    prior = LensPrior.of(width, height, lens, above)
    if landmarks is not None:
        found = _from_landmarks(grey, landmarks, prior, board)
        _require_fit(grey, found.camera, prior, board)
        return found
    best: RingFit | None = None
    for candidate in candidates(grey, prior, board):
        fit = fit_board(grey, candidate.camera, candidate.radii, prior, candidate.sign, board)
        if best is None or fit.goodness > best.goodness:
            best = fit
        if acceptable(best) and min(best.seen) > PLAINLY_SEEN:
            break
    if best is None or not acceptable(best):
        raise CalibrationFailed(trouble_with(grey, best))
    best = likeliest_board(grey, best, prior, board)
    _require_fit(grey, best.camera, prior, board)
    turn, clear = quadrant_turn(grey, best.camera, _as_measured(board, best), best.sign)
    camera = seated(best.camera.turned(turn if clear > CLEAR_PEAK else 0.0), board)
    return measured(grey, replace(best, camera=camera), board, clear > CLEAR_PEAK)


def _require_fit(grey: Grey, camera: Camera, prior: LensPrior, board: Board) -> None:
    """Raise `BadInput` if the fit contradicts the measurements, or discs would be invisible."""
    prior.require(camera)
    words = badly_lit(grey, camera, board)
    if words is not None:
        raise CalibrationFailed(words)


def _from_landmarks(grey: Grey, landmarks: Landmarks, prior: LensPrior, board: Board) -> Calibration:
    """Calibrate from taps, refined by the lines; from taps alone if the lines are not visible, as the quality then
    states."""
    tapped = camera_from(landmarks, grey.shape[1], grey.shape[0], prior)
    fits: list[RingFit] = []
    for sign in likelier_signs(grey, tapped.camera, board):
        radii = radii_near(grey, tapped.camera, board, sign)
        fits.append(fit_board(grey, tapped.camera, radii, prior, sign, board))
        if acceptable(fits[-1]) and min(fits[-1].seen) > PLAINLY_SEEN:
            break
    best = max(fits, key=lambda fit: fit.goodness)
    if not acceptable(best):
        words = spoilt(grey)
        if words is not None:
            raise CalibrationFailed(words)
        return _by_taps_alone(tapped, board)
    turn, clear = quadrant_turn(grey, best.camera, _as_measured(board, best), best.sign)
    sure = clear > CLEAR_PEAK and abs(turn) < MOST_TURNED
    return measured(grey, replace(best, camera=best.camera.turned(turn if sure else 0.0)), board, True)


def light_of(image: Image) -> Grey:
    """The picture's luminance, smoothed slightly so that it can be interpolated."""
    if image.dtype != np.uint8 or image.ndim not in (2, 3) or min(image.shape[:2]) < LEAST_PICTURE:
        raise BadInput(f"a picture of at least {LEAST_PICTURE} pixels with 8 bits a colour is needed")
    light = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY) if image.ndim == 3 else image
    return np.asarray(cv2.GaussianBlur(light.astype(np.float32), (0, 0), SMOOTHING), np.float32)


def _as_measured(board: Board, fit: RingFit) -> Board:
    fifteen, ten, outer = (float(radius) for radius in fit.radii)
    pegs = fifteen if board.peg_circle == board.fifteen_line else board.peg_circle  # the pegs stand on their line
    return replace(board, fifteen_line=fifteen, ten_line=ten, outer_line=outer, peg_circle=pegs)


def measured(grey: Grey, fit: RingFit, board: Board, turn_sure: bool) -> Calibration:
    """The calibration of a fit: `board` with its lines and pegs as measured."""
    drawn, bloom = board.line_width, BLOOM / fit.camera.px_per_mm
    fifteen, ten, outer = (look if look > drawn + bloom else drawn for look in fit.looks)
    own = replace(_as_measured(board, fit), line_width=(fifteen + ten + outer) / 3)
    pegs = peg_turn(grey, fit.camera, own)
    own = replace(own, peg_angles=tuple(angle + pegs for angle in board.peg_angles))
    return Calibration(fit.camera, own, (fifteen, ten, outer), fit.sign, quality_of(fit, turn_sure))


def quality_of(fit: RingFit, turn_sure: bool) -> Quality:
    """The quality of a fit."""
    height = float(fit.camera.centre[2])
    as_drawn = lines_as_drawn(fit.radii, TOURNAMENT)
    width = WIDTH_DOUBT if as_drawn else OTHER_WIDTH_DOUBT
    sigma = float(np.hypot(width, fit.worst / 2))
    return Quality(
        method="rings",
        rms=fit.rms,
        worst_line=fit.worst,
        sigma=(sigma, sigma, sigma),
        seen=fit.seen,
        height=height,
        height_sigma=height * float(np.sqrt(fit.solution.covariance[LOG_DISTANCE, LOG_DISTANCE])),
        tilt=fit.camera.tilt,
        px_per_mm=fit.camera.px_per_mm,
        contrast=float(np.mean([line.contrast for line in fit.lines])),
        turn_sure=turn_sure,
    )


def _by_taps_alone(tapped: Tapped, board: Board) -> Calibration:
    """A calibration from taps alone, only as good as fingers are."""
    camera = tapped.camera
    height = float(camera.centre[2])
    sigma = max(tapped.scatter, TAP_NOISE) / camera.px_per_mm
    return Calibration(
        camera,
        board,
        (board.line_width,) * 3,
        1,
        Quality(
            method="landmarks",
            rms=sigma,
            worst_line=sigma,
            sigma=(sigma, sigma, sigma),
            seen=(0.0, 0.0, 0.0),
            height=height,
            height_sigma=height * tapped.height_doubt,
            tilt=camera.tilt,
            px_per_mm=camera.px_per_mm,
            contrast=0.0,
            turn_sure=True,
        ),
    )


# The cost of a camera's place: figures for set-up, compared with a camera straight above.

BEARINGS = 180  # directions around the board, two degrees apart: a disc is 5 degrees wide at the rail


def place_doubt(calibration: Calibration) -> float:
    """The calibration's largest contribution to the standard error of a disc at the outer line, mm."""
    turn = np.arange(BEARINGS) * (2 * np.pi / BEARINGS)
    line = calibration.board.outer_line
    return float(calibration.sigma_radial(line * np.cos(turn), line * np.sin(turn)).max())


def from_above(calibration: Calibration) -> Calibration:
    """The same camera at the same distance, straight above the hole."""
    away = float(np.linalg.norm(calibration.camera.centre))
    camera = replace(calibration.camera, rvec=(np.pi, 0.0, 0.0), t=(0.0, 0.0, away))
    return replace(calibration, camera=camera)


def ditch_in_view(calibration: Calibration) -> float:
    """The share of the ditch where the camera sees the centre of a disc's top; elsewhere the near rail hides it, or it
    is outside the picture.
    """
    board = calibration.board
    turn = np.arange(BEARINGS) * (2 * np.pi / BEARINGS)
    out = board.surface_radius + board.ditch_width / 2
    top = calibration.disc.thickness - board.surface_height
    discs = np.stack([out * np.cos(turn), out * np.sin(turn), np.full_like(turn, top)], axis=-1)
    rail = board.rail_height - board.surface_height
    crossing = calibration.camera.along_sight(discs[:, :2], top, rail)
    pixels = calibration.project(discs)
    inside = ((pixels >= 0) & (pixels < (calibration.width, calibration.height))).all(1)
    return float(np.mean(inside & (np.hypot(*crossing.T) < board.rail_radius)))
