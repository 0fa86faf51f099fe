"""What painting costs: milliseconds of processor time, one core."""

import time
from collections.abc import Callable
from dataclasses import replace
from statistics import median

import cv2

from hardware.devices import Image
from hardware.simulated.painter import Painter
from hardware.simulated.scene import Hand, Scene, SceneDisc

STILL = tuple(
    SceneDisc(f"{side}{k}", colour, 60.0 + 24 * k, 40.0 * k - 120, -12.7 if k > 5 else 0.0)
    for side, colour in (("a", "black"), ("b", "natural"))
    for k in range(8)
)


def cost(paint: Callable[[Scene], Image], scene: Scene, count: int) -> float:
    """Median milliseconds per picture of a scene in which nothing changes but the time."""
    paint(scene)
    spent = []
    for k in range(count):
        now = replace(scene, t=k / 30)
        begin = time.process_time()
        paint(now)
        spent.append(1000 * (time.process_time() - begin))
    return median(spent)


def run() -> list[tuple[str, float, str]]:
    """(name, value, unit) for each figure."""
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        begin = time.process_time()
        painter = Painter()
        painter.small(Scene(0.0))
        first = time.process_time() - begin
        still = Scene(0.0, STILL)
        sliding = replace(still, discs=(*STILL, SceneDisc("m", "black", -100.0, 100.0, vx=20.0)))
        reached = replace(still, hands=(Hand(1, 60.0, -120.0),))
        figures = [("painter: empty board, once", 1000 * first, "ms")]
        for what, scene in (("16 discs at rest", still), ("one disc moving", sliding), ("a hand", reached)):
            figures.append((f"painter: small, {what}", cost(painter.small, scene, 60), "ms"))
            figures.append((f"painter: full, {what}", cost(painter.full, scene, 12), "ms"))
        return figures
    finally:
        cv2.setNumThreads(threads)
