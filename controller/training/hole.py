"""Fits the model of the 20 hole: `hole_weights.json`."""

import hashlib
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from controller.training.fitting import Floats, left_out, regression, shares
from controller.training.pictures import TrainingPicture
from controller.vision.calibration.calibration import Calibration
from controller.vision.reading import colours, hole, hole_look
from controller.vision.reading.hole_look import CHANGE, SHAPE, Others
from controller.vision.reading.hole_model import FIGURES, WEIGHTS, Models, chosen, posterior
from controller.vision.reading.regression import Regression

__all__ = ["WEIGHTS", "examples", "fitted", "report"]
POSES = ("empty", "in_hole", "leaning")
STRENGTH = 4.0  # of the regularisation towards 0
OFF_EMPTY, OFF = 0.1, 0.2  # mm: a calibration's error when the empty board is learnt, and later
SAID = (0.5, 0.9, 0.97, 0.99, 1.0)  # limits of the probabilities whose truth is reported


@dataclass(frozen=True, slots=True)
class HoleExample:
    """A picture of a hole with its content."""

    generator: str
    pose: int  # place in POSES
    figures: Floats  # SHAPE, then CHANGE, which is NaN if the empty hole's look is unknown


def examples(picture: TrainingPicture) -> Iterator[HoleExample]:
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
    yield HoleExample(picture.generator, pose, np.concatenate((shape, change)))


def _a_little_off(true: Calibration, random: np.random.Generator, sigma: float) -> Calibration:
    camera = true.camera
    t = np.array(camera.t) + camera.rotation[:, :2] @ random.normal(0, sigma, 2)
    return replace(true, camera=replace(camera, t=(float(t[0]), float(t[1]), float(t[2]))))


def fitted(some: Sequence[HoleExample]) -> Models:
    """All models. Whether a disc is there is fitted with and without the discs elsewhere: they may show nothing."""
    names = np.array(SHAPE + CHANGE)
    alone = [replace(one, figures=np.where(names == "like a disc", np.nan, one.figures)) for one in some]
    sets = {
        "filled": [*some, *alone],
        "changed": [one for one in some if not np.isnan(one.figures[-1])],
        "leans": [one for one in some if one.pose],
    }
    return {
        name: _regression(name, sets[name], POSES.index("leaning" if name == "leans" else "in_hole")) for name in sets
    }


def _regression(name: str, some: Sequence[HoleExample], least: int) -> Regression:
    """The regression `name` of whether the pose is `least` or a later one."""
    figures = chosen(name, np.array([one.figures for one in some]))
    return regression(figures, np.array([float(one.pose >= least) for one in some]), shares(some), STRENGTH)


def report(some: Sequence[HoleExample]) -> Iterator[str]:
    """The scores on each generator of models fitted to the others, and how often each probability is right."""
    for name, own, models in left_out(some, fitted):
        for known in (False, True):
            seen = [one for one in own if not (known and np.isnan(one.figures[-1]))]
            if seen:
                look = "known" if known else "unknown"
                yield f"hole, {name} left out, empty hole {look}: {_scores(seen, models, known)}"


def _scores(some: Sequence[HoleExample], models: Models, known: bool) -> str:
    odds = np.array([_odds(one.figures, models, known) for one in some])
    right, said = odds.argmax(1) == [one.pose for one in some], odds.max(1)
    parts = [f"{right.sum()} of {len(right)} right"]
    for least, most in itertools.pairwise(SAID):
        part = (said > least) & (said <= most)
        parts.append(f"said {least} to {most}: {right[part].sum()} of {part.sum()}")
    return "; ".join(parts)


def _odds(figures: Floats, models: Models, known: bool) -> tuple[float, float, float]:
    odds = posterior(figures[: len(SHAPE)], figures[len(SHAPE) :] if known else None, models)
    return odds.empty, odds.flat, odds.leaning


def to_json(models: Models) -> dict[str, object]:
    """All models as JSON."""
    return {name: models[name].to_json(FIGURES[name]) for name in models}
