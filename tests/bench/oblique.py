"""Boards seen from beside the table, traced by `tracing`, with truth: seeded, and split into halves as `hard` is.

Cameras stand 25 to 50 degrees off the vertical, with lenses from a webcam's to a phone's. Half of the discs are put
where a camera so low sees another disc or a peg before them.
"""

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from controller.vision.calibration.lens import Camera
from hardware.board import Board
from tests.bench import hard
from tests.bench.hard import Hard, Place
from tests.bench.sensing import Sensor

TILTS = (25.0, 35.0, 40.0, 45.0, 50.0)  # degrees
FIELDS = (40.0, 55.0, 70.0)  # degrees that the picture is wide
SIZES = ((1280, 960), (1920, 1080))
ALIKE = {  # surfaces, and the discs that are not played with there: `hard.faint` tells of these
    "maple": "natural", "birch": "natural", "oak": "tan", "cherry": "", "walnut": "brown", "black": "black",
    "white": "white",
}  # fmt: skip
MOST_DISCS = 16
IN_DITCH = 0.4  # of the boards have a disc there


def boards(half: int, count: int) -> Iterator[Hard]:
    """So many pictures of as many boards; a fifth of them at each tilt."""
    for k in range(count):
        random = np.random.default_rng((91, half, k))
        tilt = TILTS[k % len(TILTS)]
        yield _picture(f"oblique-{tilt:.0f}-{'th'[half]}{k:03}", tilt, random)


def _picture(name: str, tilt: float, random: np.random.Generator) -> Hard:
    surface = str(random.choice(list(ALIKE)))
    usual = hard.holes(random)
    while ALIKE[surface] in usual.colours:
        usual = hard.holes(random)
    setting = replace(
        usual,
        surface=surface,
        tilt=(tilt, tilt),
        field=float(random.choice(FIELDS)),
        size=SIZES[int(random.integers(len(SIZES)))],
        sensor=Sensor(noise=float(random.uniform(0.004, 0.01))),
        white=float(random.uniform(0.45, 0.75)),
    )

    def layouts(board: Board, camera: Camera) -> Iterator[tuple[str, list[Place]]]:
        eye = float(camera.centre[0]), float(camera.centre[1])
        yield "", _laid(random, board, setting.colours, int(random.integers(MOST_DISCS + 1)), eye)

    return hard.traced("oblique", name, setting, random, layouts)[0]


def _laid(
    random: np.random.Generator, board: Board, colours: tuple[str, ...], count: int, eye: tuple[float, float]
) -> list[Place]:
    """Discs, half of them behind another disc or a peg as seen from over `eye`, and at times one in the ditch."""
    spots: list[tuple[float, float]] = []
    while len(spots) < count:
        out, turn = math.sqrt(random.uniform(40.0**2, hard.RIM**2)), random.uniform(0, 2 * math.pi)
        spot = (out * math.cos(turn), out * math.sin(turn))
        if len(spots) % 2:
            hiding = [*spots, *board.pegs][int(random.integers(len(spots) + len(board.pegs)))]
            least = hard.LEAST_APART if hiding in spots else hard.PEG_ROOM
            away = math.atan2(hiding[1] - eye[1], hiding[0] - eye[0]) + random.uniform(-0.6, 0.6)
            apart = random.uniform(least, least + 14)
            spot = (hiding[0] + apart * math.cos(away), hiding[1] + apart * math.sin(away))
        if 40.0 < math.hypot(*spot) < hard.RIM and hard.is_free(board, spots, spot):
            spots.append(spot)
    discs = [hard.disc_at(spot, colours[k % len(colours)]) for k, spot in enumerate(spots)]
    if random.random() < IN_DITCH:
        out, turn = board.surface_radius + board.ditch_width / 2, random.uniform(0, 2 * math.pi)
        place = (out * math.cos(turn), out * math.sin(turn))
        discs.append(hard.disc_at(place, colours[int(random.integers(2))], -board.surface_height, "ditch"))
    return discs
