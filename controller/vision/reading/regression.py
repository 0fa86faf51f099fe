"""Logistic regression. `python -m controller.training` fits the weights and writes them beside this module."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Regression:
    """Weights (C, F) and constants (C,) for F figures; `usual` (F,): the origin of each figure."""

    usual: Floats
    weights: Floats
    constants: Floats

    def log_odds(self, figures: Floats) -> Floats:
        """(.., C) of figures (.., F). A NaN figure is ignored."""
        return np.asarray(np.nan_to_num(figures - self.usual) @ self.weights.T + self.constants, np.float64)

    def probabilities(self, figures: Floats) -> Floats:
        """(.., C) of figures (.., F), with sum 1."""
        odds = self.log_odds(figures)
        shares = np.exp(odds - odds.max(-1, keepdims=True))
        return np.asarray(shares / shares.sum(-1, keepdims=True), np.float64)

    def to_json(self, names: tuple[str, ...]) -> dict[str, Any]:
        """The weights as JSON, by figure."""
        columns = np.column_stack((self.usual, self.weights.T)).round(5).tolist()
        return {"constants": self.constants.round(5).tolist(), "figures": dict(zip(names, columns, strict=True))}

    @classmethod
    def from_json(cls, document: Any) -> "Regression":
        """The inverse of `to_json`."""
        columns = np.array(list(document["figures"].values()), np.float64)
        return cls(columns[:, 0], columns[:, 1:].T.copy(), np.array(document["constants"], np.float64))
