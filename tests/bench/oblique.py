"""Boards seen from beside the table, traced by `tracing`, with truth: seeded, and split into halves as `hard` is.

Cameras stand 25 to 50 degrees off the vertical, with lenses from a webcam's to a phone's. Half of the discs are put
where a camera so low sees another disc or a peg before them.
"""

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from controller.errors import CalibrationFailed
from controller.vision.calibration.calibration import calibrate
from controller.vision.calibration.lens import Camera
from controller.vision.reading.background import Background
from controller.vision.reading.reader import read_board
from hardware.board import Board
from tests.bench import hard
from tests.bench.calibrating import PROMISED, line_error, turned_as
from tests.bench.figures import SEEABLE, Figures
from tests.bench.hard import Hard, Place
from tests.bench.sensing import Sensor
from tests.bench.tally import Tally

TILTS = (25.0, 35.0, 40.0, 45.0, 50.0)  # degrees
FIELDS = (40.0, 55.0, 70.0)  # degrees that the picture is wide
SIZES = ((1280, 960), (1920, 1080))
ALIKE = {  # surfaces, and the discs that are not played with there: `hard.faint` tells of these
    "maple": "natural", "birch": "natural", "oak": "tan", "cherry": "", "walnut": "brown", "black": "black",
    "white": "white",
}  # fmt: skip
MOST_DISCS = 16
BOARDS = 40
IN_DITCH = 0.4  # of the boards have a disc there


def boards(half: int, count: int) -> Iterator[Hard]:
    """So many pictures of as many boards; a fifth of them at each tilt."""
    for k in range(count):
        yield traced(half, k)


def traced(half: int, number: int) -> Hard:
    """The picture of this number, from 0."""
    tilt = TILTS[number % len(TILTS)]
    return _picture(f"oblique-{tilt:.0f}-{'th'[half]}{number:03}", tilt, np.random.default_rng((91, half, number)))


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


def measure(pictures: Iterable[Hard], known: bool) -> dict[float, tuple[int, Tally]]:
    """By tilt: how many boards were found, each line to `PROMISED`, in the picture of them empty; and what was read."""
    views = {tilt: (0, Tally()) for tilt in TILTS}
    for picture in pictures:
        tilt, board = min(TILTS, key=lambda tilt: abs(tilt - picture.camera.tilt)), picture.board
        within, tally = views[tilt]
        try:
            found = calibrate(picture.empty)
        except CalibrationFailed:
            tally.refused += 1
            continue
        lines = (board.fifteen_line, board.ten_line, board.outer_line)
        views[tilt] = within + (line_error(found, lines, picture.camera) < PROMISED), tally
        found = turned_as(found, picture.camera)
        reading = read_board(picture.image, found, empty=Background.from_empty(picture.empty, found) if known else None)
        tally.add(picture.discs, reading.discs, [board.inner_edge(line) for line in lines], reading.obstructed)
    return views


def run() -> list[tuple[str, float, str]]:
    """(name, value, unit) for each figure, of the half that nothing was chosen by."""
    found: list[tuple[str, float, str]] = []
    pictures = list(boards(hard.HELD, BOARDS))
    for known, words in ((True, "empty board known"), (False, "unknown")):
        for tilt, (within, tally) in measure(pictures, known).items():
            name, figures = f"{tilt:.0f} degrees, {words}", Figures(tally)
            flat = [seen for true, seen in tally.pairs if true.status == "flat" and true.occluded < SEEABLE]
            read = [seen for seen in flat if seen is not None]
            found += [
                (f"{name}: boards found to {PROMISED} mm", 100 * within / (BOARDS / len(TILTS)), "%"),
                (f"{name}: flat discs found", 100 * len(read) / len(flat), f"% of {len(flat)}"),
                (f"{name}: silently wrong", figures.silent, "discs"),
                (f"{name}: sure ghosts", sum(ghost.call == "sure" for ghost in tally.ghosts), "discs"),
                (f"{name}: called close", 100 * sum(seen.call == "close" for seen in read) / len(flat), "%"),
                (f"{name}: errors over sigma", float(np.sqrt(np.mean(np.square(tally.scores)))), "RMS"),
            ]
    return found
