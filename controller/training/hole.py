"""Fits the model of the 20 hole: `hole_weights.json`."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from controller.training.generators import left_out, regression, shares
from controller.training.pictures import Picture
from controller.vision.calibration.calibration import Calibration
from controller.vision.reading import colours, hole, hole_look
from controller.vision.reading.hole_look import Figures, Others
from controller.vision.reading.hole_model import KNOWN, UNKNOWN, WEIGHTS, chosen
from controller.vision.reading.regression import Regression

__all__ = ["WEIGHTS", "examples", "fitted", "report"]

POSES = ("empty", "in_hole", "leaning")
STRENGTH = 2.0  # of the pull of the weights towards 0: with 1, more was surely wrong; with 3, less was sure
OFF_EMPTY, OFF = 0.1, 0.2  # mm: how far a calibration is off where the empty board is learnt, and later on
OVERCONFIDENCE = (1.0, 1.5, 2.0, 3.0, 4.0)  # times by which log-odds may be too large


@dataclass(frozen=True, slots=True)
class Example:
    """A picture of a hole with what lies in it."""

    generator: str
    pose: int  # place in POSES
    figures: Figures
    known: bool  # whether the empty hole's look is


Models = dict[str, Regression]  # by "unknown" and "known", as the empty hole's look is


def examples(picture: Picture) -> Iterator[Example]:
    """What a picture shows of its hole, with the camera a little off as a calibration is; seeded by its name."""
    seed = hashlib.sha256(f"{picture.generator}/{picture.name}".encode()).digest()
    random = np.random.default_rng(int.from_bytes(seed[:8], "big"))
    calibration = _a_little_off(picture.calibration, random, OFF)
    places = np.array([(disc.x, disc.y) for disc in picture.discs if disc.status == "flat"]).reshape(-1, 2)
    others = Others(places, colours.tops(picture.image, picture.calibration, places, np.zeros(len(places))))
    figures = hole.shape_of(picture.image, calibration, others).figures
    if picture.empty is not None:
        then = hole_look.patch(picture.empty, _a_little_off(picture.calibration, random, OFF_EMPTY))
        here = hole_look.patch(picture.image, calibration)
        figures = figures | hole_look.change(calibration, here, then, others)[0]
    pose = next((POSES.index(disc.status) for disc in picture.discs if disc.status in POSES), 0)
    yield Example(picture.generator, pose, figures, picture.empty is not None)


def _a_little_off(true: Calibration, random: np.random.Generator, sigma: float) -> Calibration:
    camera = true.camera
    t = np.array(camera.t) + camera.rotation[:, :2] @ random.normal(0, sigma, 2)
    return replace(true, camera=replace(camera, t=(float(t[0]), float(t[1]), float(t[2]))))


def fitted(some: Sequence[Example]) -> Models:
    """Both models."""
    return {"unknown": _regression(some, UNKNOWN), "known": _regression([one for one in some if one.known], KNOWN)}


def _regression(some: Sequence[Example], names: tuple[str, ...]) -> Regression:
    """The regression of poses on the figures of these names."""
    figures, truth = np.array([chosen(one.figures, names) for one in some]), np.eye(3)[[one.pose for one in some]]
    return regression(figures, truth, shares(some), STRENGTH)


def report(some: Sequence[Example]) -> Iterator[str]:
    """What the models are worth on each generator that were fitted to the others, and how overconfident they are."""
    for name, every, models in left_out(some, fitted):
        for which, names in (("unknown", UNKNOWN), ("known", KNOWN)):
            own = [one for one in every if one.known or which == "unknown"]
            if not own:
                continue
            poses, figures = np.array([one.pose for one in own]), np.array([chosen(one.figures, names) for one in own])
            cost = {}
            for times in OVERCONFIDENCE:
                full = models[which]
                less = Regression(full.usual, full.weights / times, full.constants / times)
                said = less.probabilities(figures)
                cost[times] = -np.log(said[np.arange(len(said)), poses] + 1e-12).mean()
            best = min(cost, key=lambda times: cost[times])
            right = models[which].probabilities(figures).argmax(1) == poses
            yield (
                f"hole, {name} left out, empty hole {which}: {np.sum(right)} of {len(right)} right; "
                f"log-odds {best} times too large"
            )


def to_json(models: Models) -> dict[str, object]:
    """The document of both."""
    return {"unknown": models["unknown"].to_json(UNKNOWN), "known": models["known"].to_json(KNOWN)}
