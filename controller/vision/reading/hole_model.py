"""The probabilities of the 20 hole: empty, a disc flat in it, a disc that leans on its rim.

Multinomial logistic regressions over the figures of `hole_look`, one for where the empty hole's look is known and one
for where it is not. The three are held equally likely beforehand. `python -m controller.training` fits them, and says
how much too sure they are of pictures of another kind.
"""

import json
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from controller.vision.reading.regression import Regression
from controller.vision.readings import HoleOdds

Floats = NDArray[np.float64]

WEIGHTS = Path(__file__).with_name("hole_weights.json")


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
