"""The probabilities of the 20 hole: empty, a disc flat in it, a disc that leans on its rim.

Multinomial logistic regressions over figures of `hole_look`, one for where the empty hole's look is known and one for
where it is not. Others of the picture were tried: how visible the hole's edge is, how like the wood the hole, how like
a disc the wood beyond its edge. They made the models worse on pictures of a kind that they were not fitted to. The
three are held equally likely beforehand. `python -m controller.training` fits them, and says how much too sure they are
of pictures of another kind.
"""

import json
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from controller.vision.reading.hole_look import Figures
from controller.vision.reading.regression import Regression
from controller.vision.readings import HoleOdds

Floats = NDArray[np.float64]

WEIGHTS = Path(__file__).with_name("hole_weights.json")


UNKNOWN = (
    "edge scatter", "edge too small", "flat excess", "tilted visible", "tilted scatter", "tilted out", "like a disc",
)  # fmt: skip
KNOWN = (
    "edge too small", "flat misfit", "flat support", "tilted misfit", "tilted out", "tilted less flat", "like a disc",
    "changed in the middle", "changed beyond the edge",
)  # fmt: skip


def posterior(figures: Figures, *, known: bool) -> HoleOdds:
    """The probabilities of empty, flat and leaning, where the empty hole's look is known or not."""
    names, model = (KNOWN, fitted()[1]) if known else (UNKNOWN, fitted()[0])
    empty, flat, leaning = model.probabilities(chosen(figures, names)).tolist()
    return HoleOdds(empty, flat, leaning)


def chosen(figures: Figures, names: tuple[str, ...]) -> Floats:
    """The figures of these names."""
    return np.array([figures[name] for name in names], np.float64)


@cache
def fitted() -> tuple[Regression, Regression]:
    """The regressions for an empty hole whose look is unknown, and for one that is known."""
    document = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    return Regression.from_json(document["unknown"]), Regression.from_json(document["known"])
