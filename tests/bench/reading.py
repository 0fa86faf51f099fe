"""What a reading costs: milliseconds of processor time, one core, 1280x960."""

import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from statistics import median

import cv2
import numpy as np

from controller.vision.calibration.calibration import Calibration, calibrate
from controller.vision.reading.background import Background
from controller.vision.reading.candidates import Memory
from controller.vision.reading.reader import read_board
from hardware.board import TOURNAMENT
from hardware.simulated.painter import Painter
from hardware.simulated.scene import Scene, SceneDisc
from tests.bench.painted import lay

READINGS = 15
ROUNDS = 6


def run() -> list[tuple[str, float, str]]:
    """(name, value, unit) for each figure."""
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        painter = Painter()
        bare = painter.full(Scene(0.0))
        calibration = calibrate(bare)
        background = Background.from_empty(bare, calibration)
        random = np.random.default_rng(3)
        figures: list[tuple[str, float, str]] = []
        for count in (10, 20):
            image = painter.full(
                Scene(1.0, tuple(disc for disc, _ in lay(random, TOURNAMENT, ("black", "natural"), count)))
            )
            for what, empty in (("unknown", None), ("known", background)):
                spent = []
                for _ in range(READINGS):
                    begin = time.process_time()
                    read_board(image, calibration, empty=empty)
                    spent.append(1000 * (time.process_time() - begin))
                figures.append((f"reading: {count} discs, empty board {what}", median(spent), "ms"))
        for what, boards in (("one disc after the other comes", _coming()), ("each shot changes two discs", _shot())):
            spent = _in_play(painter, calibration, background, boards)
            figures.append((f"reading: in play, {what}", median(spent), "ms"))
            figures.append((f"reading: in play, {what}, 99 %", float(np.quantile(spent, 0.99)), "ms"))
        return figures
    finally:
        cv2.setNumThreads(threads)


def _coming() -> Iterator[list[SceneDisc]]:
    """Boards on each of which one more disc lies than before."""
    random = np.random.default_rng(4)
    for _ in range(ROUNDS):
        laid = [disc for disc, _ in lay(random, TOURNAMENT, ("black", "natural"), 16)]
        yield from (laid[:count] for count in range(len(laid)))


def _shot() -> Iterator[list[SceneDisc]]:
    """Boards of twelve discs, on each of which one has come in another's place, and one was pushed."""
    random = np.random.default_rng(9)
    for _ in range(ROUNDS):
        laid = [disc for disc, _ in lay(random, TOURNAMENT, ("black", "natural"), 28)]
        lying, coming = laid[:12], laid[12:]
        for disc in coming:
            gone, pushed = random.choice(12, 2, replace=False)
            lying[gone] = disc
            lying[pushed] = replace(lying[pushed], x=lying[pushed].x + 6.0, y=lying[pushed].y - 4.0)
            yield list(lying)


def _in_play(
    painter: Painter, calibration: Calibration, empty: Background, boards: Iterable[list[SceneDisc]]
) -> list[float]:
    """Milliseconds of each reading of these boards, one after the other."""
    memory, spent = Memory(), []
    for number, lying in enumerate(boards):
        image = painter.full(Scene(float(number), tuple(lying)))
        begin = time.process_time()
        read_board(image, calibration, empty=empty, memory=memory)
        spent.append(1000 * (time.process_time() - begin))
    return spent
