"""The probabilities of the 20 hole's content: empty, a flat disc, a leaning disc.

Multinomial logistic regressions over the figures of `hole_look`, one for a known and one for an unknown look of the
empty hole. The three are equally likely a priori. `python -m controller.training` fits them and reports their
overconfidence on other kinds of pictures.
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
    """The probabilities of empty, flat and leaning, from the figures `SHAPE` and, if known, `CHANGE`."""
    unknown, known = fitted()
    if change is None:
        empty, flat, leaning = unknown.probabilities(shape).tolist()
    else:
        empty, flat, leaning = known.probabilities(np.concatenate((shape, change))).tolist()
    return HoleOdds(empty, flat, leaning)


@cache
def fitted() -> tuple[Regression, Regression]:
    """The regressions for an unknown and a known look of the empty hole."""
    document = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    return Regression.from_json(document["unknown"]), Regression.from_json(document["known"])
