"""`doctor --speed`: the cost of gate, film and reading on this machine, and the frame rate that it can sustain.

The pictures are painted in a camera's size. All times are processor time of one core, so that other load on the machine
does not change them."""

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from controller.tools.findings import Healthy, Mend, documents
from controller.vision.calibration.calibration import Calibration, calibrate
from controller.vision.reading.background import Background
from controller.vision.reading.candidates import ReadingMemory
from controller.vision.reading.reader import read_board
from controller.vision.watching.filmer import Filmer
from controller.vision.watching.frame_watcher import region
from controller.vision.watching.gate import Gate
from hardware.simulated.painter import Painter
from hardware.simulated.scene import Scene, SceneDisc

RATE = 30.0  # frames a second of the small pictures
QUIET, SLIDING = 30, 60  # small pictures of a still board, and of one with a sliding disc
SPEED = 500.0  # mm/s, of that disc
READINGS = 16  # full pictures
SHARE = 0.5  # of one core for gate and film; the rest is for the camera's copies and everything else
MIN_RATE = 15.0  # frames a second: at this rate a disc at 2 m/s is seen every 13 cm
MAX_READING = 250.0  # ms: a longer reading is noticeable after the half second for which a board must be still
PERCENTILE = 95

DISCS = tuple(
    SceneDisc(f"{side}{k}", colour, out * math.cos(turn + 1.2566 * k), out * math.sin(turn + 1.2566 * k))
    for side, colour, turn in (("A", "black", 0.0), ("B", "natural", 0.6))
    for k, out in enumerate((70.0, 130.0, 165.0, 220.0, 260.0))
)
"""Ten discs, as in the middle of a round."""


def examine_speed() -> Iterator[dict[str, Any]]:
    """The findings on readings and frames, in the form of `doctor`."""
    painter = Painter()
    calibration = calibrate(painter.full(Scene(0.0)))
    yield from documents(
        [("readings", lambda: _readings(painter, calibration)), ("frames", lambda: _frames(painter, calibration))]
    )


def _readings(painter: Painter, calibration: Calibration) -> Healthy:
    """The cost of reading the whole board, and of a reading in play, in which one disc has moved."""
    empty, memory = Background.from_empty(painter.full(Scene(0.0)), calibration), ReadingMemory()
    whole, in_play = [], []
    for number in range(READINGS):
        moved = replace(DISCS[number % 10], x=DISCS[number % 10].x + 20.0)
        lying = tuple(moved if disc.id == moved.id else disc for disc in DISCS)
        picture = painter.full(Scene(float(number), lying))
        whole.append(_cpu_time(partial(read_board, picture, calibration)))
        in_play.append(_cpu_time(partial(read_board, picture, calibration, empty=empty, memory=memory)))
    figures = {
        "in_play_ms": _median(in_play),
        "in_play_often_ms": _high_percentile(in_play),
        "whole_ms": _median(whole),
    }
    text = f"a reading takes {figures['in_play_ms']} ms in play, and {figures['whole_ms']} ms of a board not yet known"
    if figures["in_play_often_ms"] > MAX_READING:
        raise Mend(f"{text}: too long after each shot. Stop what else runs here, or use a faster computer.", figures)
    return Healthy(text, figures)


def _frames(painter: Painter, calibration: Calibration) -> Healthy:
    """The gate's cost for a still board, and the gate's and film's while a disc slides."""
    still = painter.small(Scene(0.0, DISCS))
    gate, filmer = Gate(region(calibration, still)), Filmer()
    filmer.cut(read_board(painter.full(Scene(0.0, DISCS)), calibration), still, calibration)
    quiet: list[float] = []
    gates: list[float] = []
    films: list[float] = []
    for number in range(QUIET + SLIDING):
        t = number / RATE
        way = SPEED * max(0, number - QUIET) / RATE
        sliding = replace(DISCS[-1], id="B9", x=-280.0 + way / 2, y=-60.0, vx=SPEED / 2)
        small = painter.small(Scene(t, DISCS if number < QUIET else (*DISCS, sliding)))
        (quiet if number < QUIET else gates).append(_cpu_time(partial(gate.see, small, t)))
        if number >= QUIET:
            films.append(_cpu_time(partial(filmer.see, small, t, gate.hand_mask)))
    both = _high_percentile([one + other for one, other in zip(gates, films, strict=True)])
    rate = SHARE * 1000 / both
    figures = {
        "gate_still_ms": _median(quiet),
        "gate_moving_ms": _median(gates),
        "film_ms": _median(films),
        "frames_per_second": round(rate),
    }
    text = (
        f"gate {figures['gate_still_ms']} ms a frame of a still board, gate and film {figures['gate_moving_ms']} and "
        f"{figures['film_ms']} ms of a moving one: {rate:.0f} frames a second with half of one core"
    )
    if rate < MIN_RATE:
        raise Mend(f"{text}. Set film = false under [camera], stop what else runs, or use a faster computer.", figures)
    return Healthy(text, figures)


def _cpu_time(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return 1000 * (time.process_time() - began)


def _median(spent: list[float]) -> float:
    return round(float(np.median(spent)), 2)


def _high_percentile(spent: list[float]) -> float:
    return round(float(np.percentile(spent, PERCENTILE)), 2)
