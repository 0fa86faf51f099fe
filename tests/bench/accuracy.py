"""How accurate and how fast calibrating and reading are, on pictures with truth; writes docs/accuracy.md.

Counted by boards, since the discs of one board share camera, light and calibration. Nothing was fitted to these boards,
and nothing was chosen by them."""

import platform
import time
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from controller.errors import BadInput, CalibrationFailed
from controller.views.history.accuracy import highest
from controller.vision.calibration.calibration import calibrate
from controller.vision.reading.background import Background
from controller.vision.reading.reader import read_board
from tests.bench import gating, hard, painted, photographs, truth
from tests.bench.calibrating import turned_as
from tests.bench.tally import Tally, apart
from tests.checkout import CHECKOUT

DOCUMENT = CHECKOUT / "docs" / "accuracy.md"
BEGIN, END = "<!-- figures -->", "<!-- end of the figures -->"
PAINTED_BOARDS, SEED = 60, 1
TRACED_EACH = 3  # boards of each kind
TAIL = 0.05  # one-sided: the bounds hold with 95 %


@dataclass
class Set:
    """The boards of one source, and the milliseconds of processor time that they took."""

    source: str
    boards: list[Tally] = field(default_factory=list)
    reading: list[float] = field(default_factory=list)
    finding: list[float] = field(default_factory=list)

    @property
    def wrong(self):
        return sum(board.wrong for board in self.boards)

    @property
    def most(self):
        """The share of boards that are silently wrong, at most."""
        return highest(self.wrong, len(self.boards), TAIL) if self.boards else 1.0

    @property
    def discs(self):
        return sum(len(board.pairs) for board in self.boards)

    @property
    def errors(self):
        """mm, of flat discs whose place is known."""
        pairs = (pair for board in self.boards for pair in board.pairs)
        return [apart(t, d) for t, d in pairs if d is not None and t.status == "flat" and t.clearance is not None]

    @property
    def cells(self):
        """Its row in the document."""
        sure, asked = (sum(getattr(board, what) for board in self.boards) for what in ("sure", "asked"))
        ghosts = sum(ghost.call == "sure" for board in self.boards for ghost in board.ghosts)
        return [
            self.source,
            f"{self.wrong} of {len(self.boards)}",
            f"{100 * self.most:.1f} %",
            f"{100 * asked / len(self.boards):.0f} %",
            f"{100 * sure / self.discs:.0f} % of {self.discs}",
            str(ghosts),
            f"{_rms(self.errors):.2f} mm" if self.errors else "not known",
        ]

    def find(self, image):
        """The board in this picture. None if it is not found: then the table asks, and shows nothing."""
        try:
            return _timed(self.finding, lambda: calibrate(image))
        except CalibrationFailed:
            self.boards.append(Tally(asked=True))
            return None

    def read(self, image, calibration, empty):
        """The second reading, as at a table where the camera stays; None where the picture can't be read."""
        try:
            read_board(image, calibration, empty=empty)
            return _timed(self.reading, lambda: read_board(image, calibration, empty=empty))
        except BadInput:
            return None

    def add(self, pictures, empty):
        """The pictures of one board, which is found in the picture of it empty."""
        found = self.find(empty)
        if found is None:
            return
        found, board = turned_as(found, pictures[0].camera), Tally()
        background = Background.from_empty(empty, found)
        for picture in pictures:
            reading = self.read(picture.image, found, background)
            if reading is None:
                board.asked = True
            else:
                board.add(picture.discs, reading.discs, reading.partial or reading.hole_unclear)
        self.boards.append(board)


def _timed(spent, work):
    began = time.process_time()
    result = work()
    spent.append(1000 * (time.process_time() - began))
    return result


def _painted():
    found = Set("painted tables: any wood, light, lens and place of the camera")
    for picture in painted.boards(PAINTED_BOARDS, SEED):
        found.add([picture], picture.empty)
    return found


def _traced():
    found = Set(f"ray-traced boards of {len(hard.KINDS)} kinds that are hard to read, three pictures each")
    for kind in hard.KINDS:
        for pictures in hard.boards(kind, hard.HELD, TRACED_EACH):
            found.add(pictures, pictures[0].empty)
    return found


def _photographed():
    found = Set("real photographs, without a picture of the empty board")
    for photograph in truth.photographs():
        calibration = found.find(photograph.image) if photograph.kept_aside else None
        reading = calibration and found.read(photograph.image, calibration, None)
        if calibration is None or reading is None:
            continue
        asks = reading.obstructed or reading.hole_unclear
        found.boards.append(photographs.board_of(photograph.labels, calibration, reading.discs, asks))
    return found


def run():
    """Measure, write the document, and yield (name, value, unit)."""
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        sets = [one for one in (_painted(), _traced(), _photographed()) if one.boards]
        gate = gating.milliseconds()
    finally:
        cv2.setNumThreads(threads)
    for one in sets:
        yield one.source[:40], one.wrong, f"silently wrong of {len(one.boards)} boards"
    yield "a reading, median", float(np.median(sets[0].reading)), "ms"
    before, _, after = DOCUMENT.read_text("utf-8").partition(BEGIN)
    figures = "\n".join(lines(sets, gate))
    DOCUMENT.write_text(f"{before}{BEGIN}\n\n{figures}\n\n{END}{after.partition(END)[2]}", "utf-8")


def lines(sets, gate):
    """The tables of the document."""
    yield "| boards | silently wrong | at most | asked about | discs shown as sure | sure ghosts | place, RMS |"
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    every = Set("**all of them**", [board for one in sets for board in one.boards])
    for one in (*sets, every):
        yield f"| {' | '.join(one.cells)} |"
    reading, finding = ([ms for one in sets[:2] for ms in getattr(one, what)] for what in ("reading", "finding"))
    yield ""
    yield f"| one core of an {_processor()}, OpenCV {cv2.__version__}, processor time | median | 95 % within |"
    yield "| --- | --- | --- |"
    for what, spent in (
        ("finding the board in a picture", finding),
        ("reading a board at rest", reading),
        ("the gate, for each small picture of a game", gate),
    ):
        median, most = (float(f"{np.quantile(spent, share):.2g}") for share in (0.5, 0.95))
        yield f"| {what} | {median:g} ms | {most:g} ms |"


def _rms(values):
    return float(np.sqrt(np.mean(np.square(values))))


def _processor():
    with Path("/proc/cpuinfo").open() as file:
        named = (line.partition(":")[2].strip() for line in file if line.startswith("model name"))
        return " ".join(next(named, platform.machine()).split()[:2])
