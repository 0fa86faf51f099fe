"""Calibrations of pictures whose camera is known, and how well they went."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from controller.errors import CalibrationFailed
from controller.vision.calibration.calibration import Calibration, calibrate
from controller.vision.calibration.landmarks import Landmarks
from controller.vision.calibration.lens import Camera
from hardware.board import TOURNAMENT
from hardware.devices import Image
from tests.bench.samples import share
from tests.bench.truth import TruePicture

PROMISED = 0.5  # mm at every line


@dataclass
class Row:
    """How the calibrations of one set went."""

    errors: list[float] = field(default_factory=list)  # mm, worst line of each
    claims: list[float] = field(default_factory=list)  # mm, what each says of itself
    height_scores: list[float] = field(default_factory=list)  # error of the camera's height over its sigma
    seconds: list[float] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)

    @property
    def tried(self) -> int:
        return len(self.errors) + len(self.refused)

    @property
    def within(self) -> int:
        """Calibrations as good as promised."""
        return sum(error < PROMISED for error in self.errors)

    def cells(self) -> list[str]:
        """One row of the table of calibrations."""
        errors = np.array(self.errors or [np.nan])
        honest = sum(error < 3 * claim for error, claim in zip(self.errors, self.claims, strict=True))
        return [
            share(len(self.errors), self.tried),
            share(self.within, self.tried),
            f"{np.median(errors):.2f} / {errors.max():.2f} mm",
            share(honest, len(self.errors)),
            share(sum(abs(score) < 3 for score in self.height_scores), len(self.height_scores)),
            f"{np.median(self.seconds):.2f} / {max(self.seconds):.2f} s",
        ]


class Calibrations:
    """Calibrates pictures and keeps how well that went, by set."""

    def __init__(self) -> None:
        self.rows: dict[str, Row] = {}

    def of(self, which: str, image: Image, picture: TruePicture, taps: bool) -> Calibration | None:
        """The calibration of an image of a picture's board, its seats where the truth has them; None when refused."""
        row = self.rows.setdefault(which, Row())
        landmarks = Landmarks.from_json(picture.landmarks, TOURNAMENT) if taps else None
        began = time.process_time()
        try:
            calibration = calibrate(image, landmarks)
        except CalibrationFailed as error:
            row.refused.append(f"{picture.name}: {error}")
            return None
        finally:
            row.seconds.append(time.process_time() - began)
        board, quality = picture.board, calibration.quality
        lines = (board.fifteen_line, board.ten_line, board.outer_line)
        row.errors.append(line_error(calibration, lines, picture.camera))
        row.claims.append(max(quality.sigma))
        row.height_scores.append((quality.height - float(picture.camera.centre[2])) / quality.height_sigma)
        return turned_as(calibration, picture.camera)


def turned_as(calibration: Calibration, true: Camera) -> Calibration:
    """The calibration with its seats where the true camera has them: lines cannot tell the four apart."""
    x, y = calibration.to_board(true.project(np.array(((200.0, 0.0),))))[0]
    quarters = round(np.degrees(np.arctan2(y, x)) / 90)
    return replace(calibration, camera=calibration.camera.turned(90.0 * quarters))


def line_error(found: Calibration, lines: Sequence[float], true: Camera) -> float:
    """The largest radial error, mm, at which a calibration has the middle of one of the lines."""
    turn = np.radians(np.arange(0.0, 360.0, 3.0))
    measured = (found.board.fifteen_line, found.board.ten_line, found.board.outer_line)
    worst = 0.0
    for line, taken in zip(lines, measured, strict=True):
        seen = found.to_board(true.project(line * np.stack((np.cos(turn), np.sin(turn)), axis=-1)))
        worst = max(worst, float(np.max(np.abs(np.hypot(seen[:, 0], seen[:, 1]) - taken))))
    return worst
