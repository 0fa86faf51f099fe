"""The probabilities of the 20 hole's content: empty, a flat disc, a leaning disc.

Three logistic regressions over the figures of `hole_look`: whether a disc is there, for an unknown and for a known look
of the empty hole, and whether that disc leans. `python -m controller.training` fits them and reports how often each
probability is right on other kinds of pictures.
"""

import json
from functools import cache
from pathlib import Path

import numpy as np

from controller.vision.calibration.camera import Floats
from controller.vision.reading.hole_look import CHANGE, SHAPE
from controller.vision.reading.regression import Regression
from controller.vision.readings import HoleOdds

USUALLY_EMPTY = 2.0
"""Prior odds of an empty hole: a twenty is lifted off before the next shot. An assumption, not measured."""


WEIGHTS = Path(__file__).with_name("hole_weights.json")
FIGURES = {
    "filled": ("flat support", "edge off", "lopsided", "gap", "like a disc"),
    "changed": (*CHANGE, "like a disc"),
    "leans": ("flat out", "flat misfit", "flat support", "tilted out", "leans", "lopsided"),
}
"""What each regression is of: a disc in a hole of unknown and of known empty look, and a disc that leans."""

Models = dict[str, Regression]  # as `FIGURES`


def posterior(shape: Floats, change: Floats | None, models: Models | None = None) -> HoleOdds:
    """The probabilities of empty, flat and leaning, from the figures `SHAPE` and, if known, `CHANGE`."""
    known, models = change is not None, models or fitted()
    figures = shape if change is None else np.append(shape, change)
    disc, leans = (
        float(models[name].probability(chosen(name, figures))) for name in ("changed" if known else "filled", "leans")
    )
    return HoleOdds(1 - disc, disc * (1 - leans), disc * leans).likelier_empty(USUALLY_EMPTY)


def chosen(name: str, figures: Floats) -> Floats:
    """The figures (.., F) of one regression, among `SHAPE` and then `CHANGE` (.., S)."""
    return figures[..., [(SHAPE + CHANGE).index(figure) for figure in FIGURES[name]]]


@cache
def fitted() -> Models:
    """The fitted regressions."""
    document = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    return {name: Regression.from_json(document[name]) for name in FIGURES}
