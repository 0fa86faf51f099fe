"""The cost of a camera's place: figures for set-up, compared with a camera straight above."""

from dataclasses import replace

import numpy as np

from controller.vision.calibration.calibration import Calibration

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
