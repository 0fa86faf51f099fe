"""How far a disc may lie from where it was fitted: a covariance, in mm^2.

A fit's own least squares know nothing of what errs in all rays together: a disc that is thicker than the standard, the
light on its rounded edge, the shadow beside it. Most of that acts along the line of sight, since there the top rim, the
wall and the foot lie side by side. So there are two regressions, along the line of sight as seen from above and across
it: the logarithm of the standard error over the figures below. `python -m tests.bench.fit_place` fits them anew.
"""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from controller.vision.calibration.calibration import Calibration

Floats = NDArray[np.float64]

WEIGHTS = Path(__file__).with_name("place_weights.json")
FIGURES = ("fit", "slant", "plainness")
LEAST_FIT = 0.01
"""mm: half of what a fit in a picture without noise says of itself."""


@dataclass(frozen=True)
class Spread:
    """Weights (2, F) and constants (2,) for F figures, along and across the line of sight."""

    weights: Floats
    constants: Floats

    def sigmas(self, figures: Floats) -> Floats:
        """Standard errors (2, K), mm, of figures (2, K, F)."""
        return np.asarray(np.exp(np.einsum("dkf,df->dk", figures, self.weights) + self.constants[:, None]), np.float64)

    def to_json(self) -> dict[str, Any]:
        """A JSON document that says which figure weighs what, along and across."""
        columns = {name: [round(float(part), 5) for part in self.weights[:, k]] for k, name in enumerate(FIGURES)}
        return {"constants": [round(float(part), 5) for part in self.constants], "figures": columns}

    @classmethod
    def from_json(cls, document: Any) -> "Spread":
        """From `to_json`."""
        weights = np.array([document["figures"][name] for name in FIGURES], np.float64).T
        return cls(weights, np.array(document["constants"], np.float64))


def covariances(calibration: Calibration, centres: Floats, fitted: Floats, plainness: Floats) -> Floats:
    """The covariances (K, 2, 2), mm^2, of places (K, 2), of which the least squares say `fitted` (K, 2, 2).

    `plainness` (K,) is how much the outlines speak for discs that lie there. The calibration's own error is not in it.
    """
    axes = sight(calibration, centres)
    variances = sigmas(calibration, centres, fitted, plainness) ** 2
    return np.asarray(np.einsum("dki,dk,dkj->kij", axes, variances, axes), np.float64)


def sigmas(calibration: Calibration, centres: Floats, fitted: Floats, plainness: Floats) -> Floats:
    """The same as standard errors (2, K), mm, along the line of sight and across it."""
    return spread().sigmas(figures(calibration, centres, fitted, plainness))


def figures(calibration: Calibration, centres: Floats, fitted: Floats, plainness: Floats) -> Floats:
    """What the regressions are given (2, K, F), in the order of `FIGURES`."""
    axes = sight(calibration, centres)
    said = np.log(np.sqrt(np.einsum("dki,kij,dkj->dk", axes, fitted, axes)) + LEAST_FIT)
    slant = np.linalg.norm(_from_eye(calibration, centres), axis=1) / calibration.camera.centre[2]
    return np.stack([said, *(np.broadcast_to(part, said.shape) for part in (slant, plainness))], axis=-1)


def sight(calibration: Calibration, centres: Floats) -> Floats:
    """Unit vectors (2, K, 2) on the board, along the line of sight to each place and across it."""
    away = _from_eye(calibration, centres)
    along = away / np.maximum(np.linalg.norm(away, axis=1, keepdims=True), 1e-9)
    return np.stack([along, np.stack([-along[:, 1], along[:, 0]], axis=-1)])


def _from_eye(calibration: Calibration, centres: Floats) -> Floats:
    return np.asarray(centres - np.asarray(calibration.camera.centre[:2], np.float64), np.float64)


@cache
def spread() -> Spread:
    """The regressions."""
    return Spread.from_json(json.loads(WEIGHTS.read_text(encoding="utf-8")))
