"""Fits the model of the 20 hole: `hole_weights.json`."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from controller.training.generators import Floats, left_out, regression, shares
from controller.training.pictures import Picture
from controller.vision.calibration.calibration import Calibration
from controller.vision.reading import colours, hole, hole_look
from controller.vision.reading.hole_look import CHANGE, SHAPE, Others
from controller.vision.reading.hole_model import WEIGHTS
from controller.vision.reading.regression import Regression

__all__ = ["WEIGHTS", "examples", "fitted", "report"]
POSES = ("empty", "in_hole", "leaning")
STRENGTH = 2.0  # of the regularisation towards 0: with 1 more sure answers were wrong; with 3 fewer were sure
OFF_EMPTY, OFF = 0.1, 0.2  # mm: a calibration's error when the empty board is learnt, and later
OVERCONFIDENCE = (1.0, 1.5, 2.0, 3.0, 4.0)  # factors by which log-odds may be too large


@dataclass(frozen=True, slots=True)
class Example:
    """A picture of a hole with its content."""

    generator: str
    pose: int  # place in POSES
    figures: Floats  # SHAPE, then CHANGE, which is NaN if the empty hole's look is unknown


Models = dict[str, Regression]  # by "unknown" and "known", as the empty hole's look is


def examples(picture: Picture) -> Iterator[Example]:
    """The hole's figures in a picture, with a camera slightly off, as calibrations are; seeded by the picture's
    name."""
    seed = hashlib.sha256(f"{picture.generator}/{picture.name}".encode()).digest()
    random = np.random.default_rng(int.from_bytes(seed[:8], "big"))
    calibration = _a_little_off(picture.calibration, random, OFF)
    places = np.array([(disc.x, disc.y) for disc in picture.discs if disc.status == "flat"]).reshape(-1, 2)
    others = Others(places, colours.tops(picture.image, picture.calibration, places, np.zeros(len(places))))
    here = hole_look.patch(picture.image, calibration)
    shape = hole.shape_of(picture.image, calibration, others, here).figures
    change = np.full(len(CHANGE), np.nan)
    if picture.empty is not None:
        then = hole_look.patch(picture.empty, _a_little_off(picture.calibration, random, OFF_EMPTY))
        change = hole_look.change(calibration, here, then, others)
    pose = next((POSES.index(disc.status) for disc in picture.discs if disc.status in POSES), 0)
    yield Example(picture.generator, pose, np.concatenate((shape, change)))


def _a_little_off(true: Calibration, random: np.random.Generator, sigma: float) -> Calibration:
    camera = true.camera
    t = np.array(camera.t) + camera.rotation[:, :2] @ random.normal(0, sigma, 2)
    return replace(true, camera=replace(camera, t=(float(t[0]), float(t[1]), float(t[2]))))


def fitted(some: Sequence[Example]) -> Models:
    """Both models."""
    with_empty = [one for one in some if not np.isnan(one.figures[-1])]
    return {"unknown": _regression(some, len(SHAPE)), "known": _regression(with_empty, len(SHAPE + CHANGE))}


def _regression(some: Sequence[Example], used: int) -> Regression:
    """The regression of poses on the first `used` figures."""
    figures, truth = np.array([one.figures[:used] for one in some]), np.eye(3)[[one.pose for one in some]]
    return regression(figures, truth, shares(some), STRENGTH)


def report(some: Sequence[Example]) -> Iterator[str]:
    """The scores on each generator of models fitted to the others, and their overconfidence."""
    for name, own, models in left_out(some, fitted):
        poses = np.array([one.pose for one in own])
        for which, used in (("unknown", len(SHAPE)), ("known", len(SHAPE + CHANGE))):
            figures = np.array([one.figures[:used] for one in own])
            seen = ~np.isnan(figures[:, -1]) if which == "known" else np.ones(len(own), np.bool_)
            if not seen.any():
                continue
            cost = {}
            for times in OVERCONFIDENCE:
                full = models[which]
                less = Regression(full.usual, full.weights / times, full.constants / times)
                said = less.probabilities(figures[seen])
                cost[times] = -np.log(said[np.arange(len(said)), poses[seen]] + 1e-12).mean()
            best = min(cost, key=lambda times: cost[times])
            right = models[which].probabilities(figures[seen]).argmax(1) == poses[seen]
            yield (
                f"hole, {name} left out, empty hole {which}: {np.sum(right)} of {len(right)} right; "
                f"log-odds {best} times too large"
            )


def to_json(models: Models) -> dict[str, object]:
    """Both models as JSON."""
    return {"unknown": models["unknown"].to_json(SHAPE), "known": models["known"].to_json(SHAPE + CHANGE)}
