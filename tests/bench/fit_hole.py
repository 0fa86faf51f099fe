"""Fits the model of the 20 hole anew: `python -m tests.bench.fit_hole [--boards 60]` writes `hole_weights.json`.

Fitted to boards of two generators, which draw discs and light differently: the traced ones of `hard`, of the half that
is there to choose by, and the simulated table's painter. The camera is a little off on each picture, as a calibration
is. Says by cross-validation over boards what the probabilities are worth.
"""

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np

from controller.vision.calibration.calibration import Calibration
from controller.vision.reading import colours, hole, hole_look
from controller.vision.reading.hole_look import CHANGE, SHAPE, Others
from controller.vision.reading.hole_model import WEIGHTS, Floats, Regression
from controller.vision.reading.hole_settings import HOLE
from hardware.board import TOURNAMENT
from hardware.devices import Image
from hardware.simulated.lens import random_pose
from hardware.simulated.look import DISC_COLOURS, random_look
from hardware.simulated.painter import Painter
from hardware.simulated.scene import Scene
from tests.bench import hard, painted
from tests.bench.truth import TrueDisc
from tests.controller.vision.reading_pictures import calibration_of

POSES = ("", "in_hole", "leaning")
STRENGTH = 2.0  # of the pull of the weights towards 0: with 1, more was surely wrong; with 3, less was sure
OFF_EMPTY, OFF = 0.1, 0.2  # mm: how far a calibration is off where the empty board is learnt, and later on
FOLDS = 8
ROUNDS = 60  # of Newton's method; it ends when no weight changes any more


@dataclass(frozen=True)
class Example:
    """A picture of a hole with what lies in it."""

    board: str
    pose: int  # place in POSES
    figures: Floats  # SHAPE and then CHANGE


def examples(boards: int, half: int) -> Iterator[Example]:
    """From so many boards of each generator."""
    random = np.random.default_rng((half, 4))
    for pictures in hard.boards("holes", half, boards):
        yield from traced(pictures, random)
    for k in range(boards):
        yield from _painted(f"painted {k}", np.random.default_rng((half, k, 9)), k)


def traced(pictures: list[hard.Hard], random: np.random.Generator) -> Iterator[Example]:
    """From the pictures of a traced board."""
    true = calibration_of(pictures[0].camera)
    for picture in pictures:
        yield _example(picture.name[:10], picture.image, picture.empty, picture.discs, true, random)


def _painted(name: str, random: np.random.Generator, seed: int) -> Iterator[Example]:
    painter = Painter(TOURNAMENT, random_look(random), random_pose(random), seed=seed)
    sides = [str(c) for c in random.choice(list(DISC_COLOURS), 2, replace=False)]
    true, empty = calibration_of(painted.camera_of(painter.pose)), painter.full(Scene(0.0))
    for pose in POSES:
        laid = painted.lay(random, TOURNAMENT, (sides[0], sides[1]), int(random.integers(5, 11)))
        while pose and laid[-1][1] != pose:
            laid = [one for one in laid if one[1] == "flat"]
            laid.append(painted.at_the_hole(random, TOURNAMENT, sides[int(random.integers(2))]))
        image = painter.full(Scene(1.0, tuple(disc for disc, _ in laid)))
        discs = tuple(painted.truth_of(disc, status, TOURNAMENT, sides) for disc, status in laid)
        yield _example(name, image, empty, discs, true, random)


def _example(
    board: str, image: Image, empty: Image, discs: tuple[TrueDisc, ...], true: Calibration, random: np.random.Generator
) -> Example:
    pose = next((POSES.index(disc.status) for disc in discs if disc.status in POSES), 0)
    places = np.array([(disc.x, disc.y) for disc in discs if disc.status == "flat"]).reshape(-1, 2)
    calibration = _a_little_off(true, random, OFF)
    then = hole_look.patch(empty, _a_little_off(true, random, OFF_EMPTY))
    others = Others(places, colours.tops(image, calibration, places, np.zeros(len(places))))
    return Example(board, pose, figures(image, calibration, others, then))


def figures(image: Image, calibration: Calibration, others: Others, then: hole_look.Patch) -> Floats:
    """What the model is given of a picture."""
    here = hole_look.patch(image, calibration)
    shape = hole.shape_of(image, calibration, others, here).figures
    return np.concatenate((shape, hole_look.change(calibration, here, then, others)))


def _a_little_off(true: Calibration, random: np.random.Generator, sigma: float) -> Calibration:
    camera = true.camera
    t = np.array(camera.t) + camera.rotation[:, :2] @ random.normal(0, sigma, 2)
    return replace(true, camera=replace(camera, t=(float(t[0]), float(t[1]), float(t[2]))))


def fitted(figures: Floats, poses: Floats) -> Regression:
    """The regression (Newton's method) of poses (N,) on figures (N, F), its weights pulled towards 0."""
    usual, scale = np.nanmean(figures, 0), np.nanstd(figures, 0) + 1e-6
    unit = np.column_stack((np.nan_to_num((figures - usual) / scale), np.ones(len(figures))))
    count = unit.shape[1]
    weights, truth = np.zeros((3, count)), np.eye(3)[poses.astype(int)]
    pull = np.append(np.full(count - 1, STRENGTH), 1e-3)
    for _ in range(ROUNDS):
        odds = unit @ weights.T
        shares = np.exp(odds - odds.max(1, keepdims=True))
        shares /= shares.sum(1, keepdims=True)
        slope = (shares - truth).T @ unit + weights * pull
        bend = np.kron(np.eye(3), np.diag(pull))
        for a in range(3):
            for b in range(3):
                weight = shares[:, a] * ((a == b) - shares[:, b])
                bend[a * count : (a + 1) * count, b * count : (b + 1) * count] += unit.T @ (weight[:, None] * unit)
        step = np.linalg.solve(bend, slope.ravel()).reshape(3, count)
        weights -= step
        if np.abs(step).max() < 1e-6:
            break
    return Regression(usual, weights[:, :-1] / scale, weights[:, -1])


def cross_validated(figures: Floats, poses: Floats, boards: list[str]) -> Floats:
    """The probabilities (N, 3) of each example by a model that saw nothing of its board."""
    names = sorted(set(boards))
    fold = np.array([names.index(board) % FOLDS for board in boards])
    shares = np.zeros((len(poses), 3))
    for k in range(FOLDS):
        shares[fold == k] = fitted(figures[fold != k], poses[fold != k]).probabilities(figures[fold == k])
    return shares


def told(shares: Floats, poses: Floats, enough: float) -> Iterator[str]:
    """What probabilities (N, 3) are worth, a line for each pose; from `enough` a pose is sure."""
    for pose, words in enumerate(("empty", "flat", "leaning")):
        own = shares[poses == pose]
        best, sure = own.argmax(1), own.max(1) > enough
        silent = int(np.sum((best != pose) & sure)) + (int(np.sum(own[:, 0] > HOLE.surely_empty)) if pose else 0)
        yield (
            f"  {words:8} {len(own)}: said so {np.mean(best == pose):.3f}, "
            f"surely {np.mean((best == pose) & sure):.3f}, surely something else {silent}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=int, default=60, help="boards of each generator")
    cv2.setNumThreads(1)
    write(list(examples(parser.parse_args().boards, hard.TUNE)))


def write(rows: list[Example]) -> None:
    """Fit both models to the examples, say what they are worth, and write them."""
    every = np.array([row.figures for row in rows])
    poses = np.array([row.pose for row in rows])
    document = {}
    for words, names, enough in (
        ("unknown", SHAPE, HOLE.sure_unknown),
        ("known", SHAPE + CHANGE, HOLE.sure_known),
    ):
        used = every[:, : len(names)]
        print(f"empty board {words}:")
        print("\n".join(told(cross_validated(used, poses, [row.board for row in rows]), poses, enough)))
        document[words] = fitted(used, poses).to_json(names)
    WEIGHTS.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
