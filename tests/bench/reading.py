"""What a reading costs: milliseconds of processor time, one core, 1280x960."""

import time
from statistics import median

import cv2
import numpy as np

from controller.vision.calibration.calibration import Calibration, calibrate
from controller.vision.reading.background import Background
from controller.vision.reading.candidates import Memory
from controller.vision.reading.reader import read_board
from hardware.board import TOURNAMENT
from hardware.simulated.painter import Painter
from hardware.simulated.scene import Scene
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
        spent = _in_play(painter, calibration, background)
        figures.append(("reading: in play, one disc after the other comes", median(spent), "ms"))
        figures.append(("reading: in play, 99 %", float(np.quantile(spent, 0.99)), "ms"))
        return figures
    finally:
        cv2.setNumThreads(threads)


def _in_play(painter: Painter, calibration: Calibration, empty: Background) -> list[float]:
    """Milliseconds of each reading of boards on which one more disc lies than before."""
    random, memory = np.random.default_rng(4), Memory()
    spent: list[float] = []
    for number in range(ROUNDS):
        laid = [disc for disc, _ in lay(random, TOURNAMENT, ("black", "natural"), 16)]
        for count in range(len(laid)):
            image = painter.full(Scene(20.0 * number + count, tuple(laid[:count])))
            begin = time.process_time()
            read_board(image, calibration, empty=empty, memory=memory)
            spent.append(1000 * (time.process_time() - begin))
    return spent
