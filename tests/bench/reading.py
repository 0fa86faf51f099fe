"""What a reading costs: milliseconds of processor time, one core, 1280x960."""

import time
from statistics import median

import cv2
import numpy as np

from controller.vision.calibration.calibration import calibrate
from controller.vision.reading.background import Background
from controller.vision.reading.reader import read_board
from hardware.board import TOURNAMENT
from hardware.simulated.painter import Painter
from hardware.simulated.scene import Scene
from tests.bench.painted import lay

READINGS = 15


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
        figures = []
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
        return figures
    finally:
        cv2.setNumThreads(threads)
