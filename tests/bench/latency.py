"""What the table itself adds between the last disc at rest and the state that phones get: processor and wall time."""

import math
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from controller.table.question_pictures import PictureMaker
from controller.vision.readings import BoardReading
from controller.vision.watching.eye import Eye
from controller.vision.watching.observations import BoardRead
from hardware.simulated.painter import Painter
from hardware.simulated.scene import Scene, SceneDisc
from tests.controller.fed_table import COLOUR, NOTHING, ReadTable, disc

ROUNDS = 4
PLACES = [(r * math.cos(a), r * math.sin(a)) for r in (60, 130, 220) for a in (k * math.pi / 5 + r for k in range(10))]

Figure = tuple[str, float, str]


def run() -> list[Figure]:
    with TemporaryDirectory() as folder:
        return [*_whole_way(Path(folder) / "seen"), *_long_match(Path(folder) / "long")]


def _whole_way(folder: Path) -> list[Figure]:
    """From a full picture to the encoded state, the journal on disk: a round of painted boards."""
    folder.mkdir()
    painter, eye = Painter(seed=7), Eye()
    table = ReadTable(folder, picture_maker=PictureMaker(eye))
    dice, lying = Random(7), []
    taken: list[tuple[float, float]] = []
    for number in range(17):
        picture = painter.full(Scene(2.0 * number, tuple(lying)))
        began, busy = time.perf_counter(), time.process_time()
        reading = eye.read(picture, 2.0 * number, f"{number:06}.jpg")
        _show(table, BoardRead(reading.t, reading, picture))
        taken.append((time.perf_counter() - began, time.process_time() - busy))
        side = table.state.game.round.to_shoot or "A"
        x, y = PLACES[number]
        lying.append(SceneDisc(f"{side}{number}", COLOUR[side], x + dice.uniform(-3, 3), y))
    wall, processor = ([1000 * t[k] for t in taken[2:]] for k in (0, 1))  # the first two calibrate and learn the board
    table.journal.close()
    return [
        ("picture to state, wall, median", statistics.median(wall), "ms"),
        ("picture to state, wall, slowest of a round", max(wall), "ms"),
        ("picture to state, processor, median", statistics.median(processor), "ms"),
    ]


def _long_match(folder: Path) -> list[Figure]:
    """From a reading to the encoded state, at the beginning and at the end of a match of many rounds."""
    folder.mkdir()
    table = ReadTable(folder, format={"kind": "rounds", "rounds": ROUNDS}, discs=12)
    taken: list[float] = []
    for _ in range(ROUNDS):
        lying = {}
        for shot in range(24):
            side = table.state.game.round.to_shoot
            x, y = PLACES[shot]
            lying[f"{side}{shot}"] = disc(side, x, y)
            reading = BoardReading(tuple(lying.values()), False, 0.0, table.t)
            taken.append(_busy(lambda reading=reading: _show(table, BoardRead(table.t, reading, NOTHING))))
        table.see()
    corrected = _busy(lambda: table.do(do="correct_twenties", round=1, side="A", value=2))
    refolded = _busy(lambda: table.do(do="undo"))
    opened = _busy(table.restart)
    events = len(table.engine.history)
    table.journal.close()
    size = (folder / "journal.sqlite").stat().st_size
    return [
        ("reading to state, processor, median of the first round", statistics.median(taken[:24]), "ms"),
        ("reading to state, processor, median of the last round", statistics.median(taken[-24:]), "ms"),
        ("a correction at the end of the match", corrected, "ms"),
        ("an undo, the whole match folded anew", refolded, "ms"),
        ("the match taken up again after a power cut", opened, "ms"),
        ("events of the match", float(events), ""),
        ("journal on disk, without pictures", size / 1000, "kB"),
    ]


def _show(table: ReadTable, observation: BoardRead) -> None:
    table.t += 8.0
    table.engine.observe(observation)
    assert table.engine.snapshot.json


def _busy(work: Callable[[], object]) -> float:
    """Milliseconds of processor time."""
    began = time.process_time()
    work()
    return 1000 * (time.process_time() - began)
