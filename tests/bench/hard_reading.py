"""How hard boards are read: the traced ones of `hard`, kind by kind, with the empty board known and unknown."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np

from controller.errors import BadInput, CalibrationFailed
from controller.vision.calibration.calibration import Calibration, calibrate
from controller.vision.reading.background import Background
from controller.vision.reading.reader import read_board
from controller.vision.readings import AT_HOLE, BoardReading, SeenDisc
from tests.bench import hard
from tests.bench.calibrating import PROMISED, line_error
from tests.bench.hard import Hard
from tests.bench.tally import Tally
from tests.bench.truth import TrueDisc
from tests.controller.vision.reading_pictures import calibration_of

BOARDS = 12  # of each kind, of the half that nothing was chosen by
HALF_HIDDEN = 0.5


@dataclass
class AtHole:
    """What became of discs in the hole, flat or leaning, and of empty holes."""

    there: int = 0
    found: int = 0  # read as what they are
    sure: int = 0  # of these
    wrong: int = 0  # sure of another pose, or sure that it is empty
    doubted: int = 0


@dataclass
class Kind:
    """What became of one kind's pictures."""

    poses: dict[str, AtHole] = field(default_factory=lambda: {p: AtHole() for p in ("", "in_hole", "leaning")})
    discs: int = 0
    found: int = 0
    silent: int = 0  # a wrong ring, surely
    close: int = 0
    ghosts: int = 0
    sure_ghosts: int = 0
    named: int = 0
    side_right: int = 0
    boards: int = 0
    boards_right: int = 0
    side_doubted: int = 0
    refused: int = 0
    scores: list[float] = field(default_factory=list)  # errors of the distance from the hole, over sigma
    beyond: int = 0  # discs whose middle lies beyond the picture's end
    unsaid: int = 0  # discs that were not read and lie where the reading says that it sees the board
    tried: int = 0
    located: int = 0  # boards found without landmarks, every line to within `PROMISED`

    def take(self, picture: Hard, reading: BoardReading) -> None:
        """Hold one reading against the truth."""
        self._hole(picture, reading)
        tally = Tally()
        out = [disc for disc in picture.discs if not _in_picture(picture, disc)]
        flat = [d for d in picture.discs if d.status == "flat" and d.occluded < HALF_HIDDEN and d not in out]
        others = [disc for disc in picture.discs if disc not in flat]
        self.beyond += len(out)
        tally.add([*flat, *others], reading.discs, [reading_line(picture)], False)
        pairs = tally.pairs[: len(flat)]
        self.discs += len(flat)
        self.found += sum(seen is not None for _, seen in pairs)
        missed = [true for true, seen in tally.pairs if seen is None and (true in flat or true in out)]
        self.unsaid += sum(reading.shows(true.x, true.y) for true in missed)
        self.silent += sum(seen is not None and seen.zone != true.zone and seen.call == "sure" for true, seen in pairs)
        self.close += sum(seen is not None and seen.call == "close" for _, seen in pairs)
        self.scores += [(math.hypot(seen.x, seen.y) - true.from_hole) / seen.sigma for true, seen in pairs if seen]
        ghosts = [ghost for ghost in tally.ghosts if ghost.pose not in AT_HOLE]
        self.ghosts += len(ghosts)
        self.sure_ghosts += sum(ghost.call == "sure" for ghost in ghosts)
        right = _sides_right([(true, seen) for true, seen in tally.pairs if seen is not None])
        self.named += len(right)
        self.side_doubted += sum(disc.colour_call == "close" for disc in reading.discs)
        self.side_right += sum(right)
        self.boards += 1
        self.boards_right += all(right)

    def _hole(self, picture: Hard, reading: BoardReading) -> None:
        true = next((d for d in picture.discs if d.status in AT_HOLE), None)
        seen = next((d for d in reading.discs if d.pose in AT_HOLE), None)
        status = "" if true is None else true.status
        of = self.poses[status]
        of.there += 1
        said = "" if seen is None else seen.pose
        doubted = reading.hole_unclear if seen is None else seen.call == "close"
        of.found += said == status
        of.sure += said == status and not doubted
        of.doubted += doubted
        of.wrong += said != status and not doubted


def reading_line(picture: Hard) -> float:
    """A line for `Tally`, whose figures by line are not used here."""
    return picture.board.inner_edge(picture.board.outer_line)


def _sides_right(pairs: list[tuple[TrueDisc, SeenDisc]]) -> list[bool]:
    """Whether each disc has its side: a side's name is the one that most of its discs have, and no other side's."""
    votes: dict[str, list[str]] = {}
    for true, seen in pairs:
        votes.setdefault(seen.colour, []).append(true.side)
    name_of: dict[str, str] = {}
    for name, sides in sorted(votes.items(), key=lambda vote: len(vote[1])):  # the commonest name has the last word
        name_of[max("AB", key=sides.count)] = name
    return [name_of.get(true.side) == seen.colour for true, seen in pairs]


def _in_picture(picture: Hard, disc: TrueDisc) -> bool:
    """Whether the middle of a disc's top lies within the picture."""
    x, y = picture.camera.project(np.array((disc.x, disc.y, picture.board.disc.thickness)))
    return bool(0 <= x < picture.camera.width and 0 <= y < picture.camera.height)


def _located(picture: Hard) -> bool:
    """Whether the board is found in a picture without landmarks, every line to within what is promised."""
    board = picture.board
    try:
        found = calibrate(picture.image)
    except CalibrationFailed:
        return False
    return line_error(found, (board.fifteen_line, board.ten_line, board.outer_line), picture.camera) < PROMISED


def calibrated(picture: Hard) -> Calibration:
    """The true camera; of the board only what every standard board has."""
    return calibration_of(picture.camera)


def measure(boards: Iterable[list[Hard]], known: bool) -> Kind:
    """Read all pictures of boards of one kind."""
    kind = Kind()
    for pictures in boards:
        calibration = calibrated(pictures[0])
        empty = Background.from_empty(pictures[0].empty, calibration) if known else None
        if not known:  # as a camera at a table that nobody has set up
            kind.tried += 1
            kind.located += _located(pictures[0])
        for picture in pictures:
            try:
                kind.take(picture, read_board(picture.image, calibration, empty=empty))
            except BadInput:
                kind.refused += 1
    return kind


def _figures(name: str, kind: Kind) -> Iterator[tuple[str, float, str]]:
    yield f"{name}: flat discs found", 100 * kind.found / max(kind.discs, 1), "%"
    yield f"{name}: silently wrong, and sure ghosts", kind.silent + kind.sure_ghosts, "discs"
    yield f"{name}: ghosts", kind.ghosts, "discs"
    yield f"{name}: error over sigma, root mean square", float(np.sqrt(np.mean(np.square(kind.scores)))), ""
    yield f"{name}: error over sigma beyond 3", 100 * float(np.mean(np.abs(kind.scores) > 3)), "%"
    yield f"{name}: side right", 100 * kind.side_right / max(kind.named, 1), "%"
    yield f"{name}: whole boards' sides right", 100 * kind.boards_right / max(kind.boards, 1), "%"
    yield f"{name}: discs whose side is in doubt", kind.side_doubted, "discs"
    yield f"{name}: pictures refused", kind.refused, "pictures"
    yield f"{name}: discs beyond the picture's end", kind.beyond, "discs"
    yield f"{name}: missed, and not said to be unseen", kind.unsaid, "discs"
    if kind.tried:
        yield f"{name}: boards found without landmarks", 100 * kind.located / kind.tried, "%"
    for pose, words in (("", "empty"), ("in_hole", "flat in the hole"), ("leaning", "leaning")):
        of = kind.poses[pose]
        yield f"{name}: {words}, read so", 100 * of.found / max(of.there, 1), "%"
        yield f"{name}: {words}, read so and sure", 100 * of.sure / max(of.there, 1), "%"
        yield f"{name}: {words}, silently something else", of.wrong, f"of {of.there}"


def run() -> list[tuple[str, float, str]]:
    """(name, value, unit) for each figure, of the half that nothing was chosen by."""
    figures: list[tuple[str, float, str]] = []
    for kind in hard.KINDS:
        boards = list(hard.boards(kind, hard.HELD, BOARDS))
        for known, words in ((True, "empty board known"), (False, "unknown")):
            figures += _figures(f"{kind}, {words}", measure(boards, known))
    return figures
