"""How true calibration and reading are, beside two baselines, on every picture with truth; writes docs/accuracy.md."""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from controller.errors import CalibrationFailed
from controller.vision.calibration.calibration import Calibration, calibrate
from controller.vision.reading.background import Background
from controller.vision.reading.reader import read_board
from controller.vision.readings import SeenDisc
from hardware.devices import Image
from hardware.simulated.look import Look
from hardware.simulated.painter import Painter
from hardware.simulated.scene import Scene
from tests.bench import baselines, gating, painted, promises, truth
from tests.bench.calibrating import Calibrations
from tests.bench.photographs import Photographed
from tests.bench.report import Section, write
from tests.bench.tally import Tally
from tests.bench.truth import TruePicture
from tests.shared import VISION

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "accuracy.md"
PAINTED_BOARDS, SEED = 60, 1
AT_HOLE = 8  # pictures for each of LOOKS
LOOKS = (  # surface and the disc's colour
    ("maple", "black"), ("maple", "natural"), ("oak", "black"), ("cherry", "natural"), ("birch", "black"),
    ("maple", "red"), ("dark_stain", "natural"),
)  # fmt: skip

Read = Callable[[Image, Calibration, Image | None], tuple[list[SeenDisc], bool]]


@dataclass
class Contestant:
    """One way to read, and what became of the discs under it."""

    name: str
    read: Read
    unaided: bool = False  # finds the board without landmarks
    tally: Tally = field(default_factory=Tally)
    spent: list[float] = field(default_factory=list)  # ms of processor time
    boards: list[promises.Board] = field(default_factory=list)  # one for each picture

    def take(self, picture: TruePicture, calibration: Calibration | None) -> None:
        """Read one picture. The second reading is timed, as at a table where the camera stays where it is."""
        if calibration is None:
            self.tally.refused += 1
            self.boards.append(promises.REFUSED)
            return
        self.read(picture.image, calibration, picture.empty)
        began = time.process_time()
        seen, asks = self.read(picture.image, calibration, picture.empty)
        self.spent.append(1000 * (time.process_time() - began))
        board = picture.board
        lines = [board.inner_edge(line) for line in (board.fifteen_line, board.ten_line, board.outer_line)]
        self.tally.add(picture.discs, seen, lines, asks)
        self.boards.append(promises.board_of(picture.discs, seen, asks))


class Own:
    """This project's reading, which learns the empty board once for each calibration."""

    def __init__(self, knows_empty: bool) -> None:
        self._knows_empty = knows_empty
        self._learnt: tuple[Calibration, Image, Background] | None = None

    def __call__(self, image: Image, calibration: Calibration, empty: Image | None) -> tuple[list[SeenDisc], bool]:
        reading = read_board(image, calibration, empty=self._background(calibration, empty))
        return list(reading.discs), reading.obstructed or reading.hole_unclear

    def _background(self, calibration: Calibration, empty: Image | None) -> Background | None:
        if not self._knows_empty or empty is None:
            return None
        if self._learnt is None or self._learnt[0] is not calibration or self._learnt[1] is not empty:
            self._learnt = (calibration, empty, Background.from_empty(empty, calibration))
        return self._learnt[2]


def _baseline(find: Callable[[Image, Calibration, Image | None], list[SeenDisc]]) -> Read:
    return lambda image, calibration, empty: (find(image, calibration, empty), False)


def contestants(knows_empty: bool, unaided: bool) -> list[Contestant]:
    """This project in its ways, and the baselines."""
    own = [Contestant("this project", Own(knows_empty))]
    if unaided:
        own.append(Contestant("the same, no landmarks", Own(knows_empty), unaided=True))
    if knows_empty:
        own.append(Contestant("the same, empty board unknown", Own(False)))
    return [
        *own,
        Contestant("HoughCircles", _baseline(baselines.hough_circles)),
        Contestant("difference and blobs", _baseline(baselines.difference_blobs)),
    ]


def _stills(found: Calibrations) -> Section:
    ways = contestants(knows_empty=False, unaided=True)
    pictures = list(truth.stills())
    for picture in pictures:
        aided = found.of("ray-traced stills, landmarks", picture.image, picture, True)
        alone = found.of("ray-traced stills", picture.image, picture, False)
        for way in ways:
            way.take(picture, alone if way.unaided else aided)
    return Section("Ray-traced stills", f"{len(pictures)} boards, one picture each; nobody knows the empty board", ways)


def _with_empty(found: Calibrations, title: str, about: str, pictures: Iterable[TruePicture]) -> Section:
    """Sets with a picture of the empty board, from which the board is found without landmarks."""
    ways = contestants(knows_empty=True, unaided=False)
    of, known, calibration, count = title.lower(), None, None, 0
    for picture in pictures:
        count += 1
        if picture.empty is not None and picture.empty is not known:
            known, calibration = picture.empty, found.of(of, picture.empty, picture, False)
        if calibration is None:
            calibration = found.of(f"{of}, landmarks", picture.image, picture, True)
        for way in ways:
            way.take(picture, calibration)
    return Section(title, f"{count} pictures, {about}", ways)


def _hole() -> Tally:
    """Discs in the hole and leaning on its rim, painted on boards whose empty look is known."""
    random, tally = np.random.default_rng(20), Tally()
    for k, (surface, colour) in enumerate(LOOKS):
        painter = Painter(look=Look(surface=surface), seed=k)
        empty = painter.full(Scene(0.0))
        calibration = calibrate(empty)
        background = Background.from_empty(empty, calibration)
        for n in range(AT_HOLE):
            image, disc = painted.picture_of_hole(random, painter, colour, 1.0 + n)
            reading = read_board(image, calibration, empty=background)
            tally.add([disc], reading.discs, [calibration.fifteen], reading.obstructed)
    return tally


def _photographs() -> dict[str, list[Photographed]]:
    """The real photographs, read without landmarks by every way: those that were chosen by, and those kept aside."""
    halves = {
        words: [Photographed(way.name, way.read) for way in contestants(knows_empty=False, unaided=False)]
        for words in ("the half that nothing was chosen by", "the half that settings were chosen by")
    }
    aside, chosen_by = halves.values()
    for photograph in truth.photographs():
        seen = aside if photograph.kept_aside else chosen_by
        try:
            calibration = calibrate(photograph.image)
        except CalibrationFailed as error:
            for way in seen:
                way.refused.append(f"{photograph.name}: {error}")
                way.boards.append(promises.REFUSED)
            continue
        for way in seen:
            way.take(photograph, calibration)
    return halves


def run() -> list[tuple[str, float, str]]:
    """Measure, write the document, and return (name, value, unit) for what one looks at first."""
    if not VISION.is_dir():
        return []
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        found = Calibrations()
        stills = _stills(found)
        rounds = _with_empty(found, "Ray-traced rounds", "the empty board first", truth.rounds())
        about = "each of another painted table, the empty board known"
        random = painted.boards(PAINTED_BOARDS, SEED)
        tables = _with_empty(found, "Painted tables of any kind", about, random)
        sections, photographs = [stills, rounds, tables], _photographs()
        promised = [
            promises.Promise("painted tables of any kind", tables.ways[0].boards),
            promises.traced(),
            promises.Promise("real photographs", next(iter(photographs.values()))[0].boards),
        ]
        write(DOCUMENT, sections, found.rows, photographs, _hole(), gating.milliseconds(), promised)
        return [figure for section in sections for figure in section.figures()]
    finally:
        cv2.setNumThreads(threads)
