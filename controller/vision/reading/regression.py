"""Logistic regression. `python -m controller.training` fits the weights and writes them beside this module."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from controller.vision.calibration.camera import Floats


@dataclass(frozen=True)
class Regression:
    """Weights (F,) of F figures, and a constant; `usual` (F,): the origin of each figure."""

    usual: Floats
    weights: Floats
    constant: float

    def log_odds(self, figures: Floats) -> Floats:
        """(..) of figures (.., F). A NaN figure is ignored."""
        return np.asarray(np.nan_to_num(figures - self.usual) @ self.weights + self.constant, np.float64)

    def probability(self, figures: Floats) -> Floats:
        """(..) of figures (.., F)."""
        return np.asarray(1 / (1 + np.exp(-self.log_odds(figures))), np.float64)

    def to_json(self, names: tuple[str, ...]) -> dict[str, Any]:
        """The weights as JSON, by figure."""
        columns = np.column_stack((self.usual, self.weights)).round(5).tolist()
        return {"constants": [round(self.constant, 5)], "figures": dict(zip(names, columns, strict=True))}

    @classmethod
    def from_json(cls, document: Any) -> "Regression":
        """The inverse of `to_json`."""
        usual, weights = np.array(list(document["figures"].values()), np.float64).T
        return cls(usual, weights, float(document["constants"][0]))
