"""The probabilities of the 20 hole: empty, a disc flat in it, a disc that leans on its rim.

Multinomial logistic regressions over the figures of `hole_look`, one for where the empty hole's look is known and one
for where it is not. The three are held equally likely beforehand. `python -m controller.training` fits them, and says
how much too sure they are of pictures of another kind.
"""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from controller.vision.readings import HoleOdds

Floats = NDArray[np.float64]

WEIGHTS = Path(__file__).with_name("hole_weights.json")


@dataclass(frozen=True)
class Regression:
    """Weights (3, F) and constants (3,) for F figures; `usual` (F,) is what a figure counts from."""

    usual: Floats
    weights: Floats
    constants: Floats

    def probabilities(self, figures: Floats) -> Floats:
        """(.., 3) of figures (.., F). One that is NaN says nothing."""
        odds = np.nan_to_num(figures - self.usual) @ self.weights.T + self.constants
        shares = np.exp(odds - odds.max(-1, keepdims=True))
        return np.asarray(shares / shares.sum(-1, keepdims=True), np.float64)

    def to_json(self, names: tuple[str, ...]) -> dict[str, Any]:
        """A JSON document that says which figure weighs what."""
        columns = {
            name: [round(float(part), 5) for part in (self.usual[k], *self.weights[:, k])]
            for k, name in enumerate(names)
        }
        return {"constants": [round(float(part), 5) for part in self.constants], "figures": columns}

    @classmethod
    def from_json(cls, document: Any) -> "Regression":
        """From `to_json`."""
        columns = np.array(list(document["figures"].values()), np.float64)
        return cls(columns[:, 0], columns[:, 1:].T.copy(), np.array(document["constants"], np.float64))


def posterior(shape: Floats, change: Floats | None) -> HoleOdds:
    """The probabilities of empty, flat and leaning, by the figures `SHAPE` and, where it is known, `CHANGE`."""
    unknown, known = fitted()
    if change is None:
        empty, flat, leaning = unknown.probabilities(shape).tolist()
    else:
        empty, flat, leaning = known.probabilities(np.concatenate((shape, change))).tolist()
    return HoleOdds(empty, flat, leaning)


@cache
def fitted() -> tuple[Regression, Regression]:
    """The regressions for an empty hole whose look is unknown, and for one that is known."""
    document = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    return Regression.from_json(document["unknown"]), Regression.from_json(document["known"])
