"""The error of a disc's place: the covariance of its true place about the fitted one, in mm^2.

The least-squares covariance ignores errors that all rays share: a disc thicker than the standard, the light on its
rounded edge, the shadow beside it. Most of them act along the line of sight, where the top rim, the wall and the foot
are side by side. So two power laws, along the line of sight (as seen from above) and across it, convert least-squares
errors to standard errors. Errors have heavier tails than a normal distribution: the laws are fitted by Student's t with
`TAIL` degrees of freedom, and a call is sure from four standard errors. `python -m controller.training` fits them.
"""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from controller.vision.calibration.calibration import Calibration
from controller.vision.calibration.camera import Floats

WEIGHTS = Path(__file__).with_name("place_weights.json")
TAIL = 8.0  # degrees of freedom of Student's t. Of the errors on traced boards 1 % are beyond four standard errors
LEAST_FIT = 0.01  # mm: half of the error that a fit without noise reports


@dataclass(frozen=True)
class Spread:
    """Exponents and logarithms of factors, each along and across the line of sight."""

    exponents: tuple[float, float]
    constants: tuple[float, float]

    def sigmas(self, fitted: Floats) -> Floats:
        """Standard errors (2, K), mm, from the logarithms (2, K) of the least-squares ones."""
        return np.exp((fitted.T * self.exponents + self.constants).T)


def covariances(calibration: Calibration, centres: Floats, fitted: Floats, rivals: Floats) -> Floats:
    """The covariances (K, 2, 2), mm^2, of places (K, 2), given their least-squares covariances `fitted` (K, 2, 2) and
    the spread (K, 2, 2) of other outlines as good. `reader` adds the calibration's error.
    """
    axes = sight(calibration, centres)
    variances = spread().sigmas(figures(axes, fitted)) ** 2
    return np.asarray(np.einsum("dki,dk,dkj->kij", axes, variances, axes) + rivals, np.float64)


def figures(axes: Floats, fitted: Floats) -> Floats:
    """Logarithms (2, K) of the standard errors (mm) of `fitted` (K, 2, 2) along `axes` (2, K, 2)."""
    return np.asarray(np.log(np.sqrt(np.einsum("dki,kij,dkj->dk", axes, fitted, axes)) + LEAST_FIT), np.float64)


def sight(calibration: Calibration, centres: Floats) -> Floats:
    """Unit vectors (2, K, 2) on the board, along the line of sight to each place and across it."""
    away = centres - calibration.camera.centre[:2]
    along = away / np.maximum(np.linalg.norm(away, axis=1, keepdims=True), 1e-9)
    return np.stack([along, np.stack([-along[:, 1], along[:, 0]], axis=-1)])


@cache
def spread() -> Spread:
    """The fitted power laws."""
    return Spread(**json.loads(WEIGHTS.read_text(encoding="utf-8")))
