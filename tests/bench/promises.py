"""What the table promises: how often it is silently wrong at most, with which confidence, and how much it decides.

Counted by boards, since the discs of one board share its camera, its light and its calibration: they are not
independent. Only boards that nothing was fitted to, and by which nothing was chosen, count here.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from controller.errors import BadInput, CalibrationFailed
from controller.views.history.accuracy import highest
from controller.vision.calibration.calibration import calibrate
from controller.vision.reading.background import Background
from controller.vision.reading.reader import read_board
from controller.vision.readings import SeenDisc
from tests.bench import hard
from tests.bench.calibrating import turned_as
from tests.bench.samples import TAIL
from tests.bench.tally import Tally
from tests.bench.truth import TrueDisc

TRACED_EACH = 3  # boards of each kind, of the half that nothing was chosen by
CLUB, TOURNAMENT = 0.05, 0.01
"""The shares of boards that may be silently wrong for each use, at the confidence of the bounds."""


@dataclass(frozen=True)
class Board:
    """What became of one board, in all its pictures."""

    wrong: bool  # something was shown as sure and false: a ring, or a total though nothing was asked
    asked: bool
    sure: int  # discs
    discs: int

    def __add__(self, other: "Board") -> "Board":
        return Board(
            self.wrong or other.wrong, self.asked or other.asked, self.sure + other.sure, self.discs + other.discs
        )


REFUSED = Board(wrong=False, asked=True, sure=0, discs=0)
"""No board was found in the picture: nothing is shown as sure."""


def board_of(truth: Sequence[TrueDisc], seen: Sequence[SeenDisc], asks: bool) -> Board:
    """What one picture makes of its board."""
    tally = Tally()
    tally.add(truth, seen, (0.0,), asks)
    rings = any(disc is not None and disc.zone != true.zone and disc.call == "sure" for true, disc in tally.pairs)
    sure = sum(disc is not None and disc.call == "sure" for _, disc in tally.pairs)
    return Board(rings or tally.totals["wrong"] > 0, tally.totals["asked"] > 0, sure, len(tally.pairs))


@dataclass(frozen=True)
class Promise:
    """The boards of one source."""

    source: str
    boards: Sequence[Board]

    @property
    def wrong(self) -> int:
        """Boards on which something was silently wrong."""
        return sum(board.wrong for board in self.boards)

    @property
    def most(self) -> float:
        """The share of boards of which this is so, at most."""
        return highest(self.wrong, len(self.boards), TAIL) if self.boards else 1.0

    @property
    def cells(self) -> list[str]:
        """The promise as a row of a table."""
        count = len(self.boards)
        decided = sum(not board.asked for board in self.boards)
        sure, discs = sum(board.sure for board in self.boards), sum(board.discs for board in self.boards)
        return [
            self.source,
            f"{self.wrong} of {count} boards",
            f"{100 * self.most:.1f} %",
            f"{100 * decided / count:.0f} %" if count else "-",
            f"{100 * sure / discs:.0f} % of {discs}" if discs else "-",
        ]


def traced() -> Promise:
    """The hard boards of the half that nothing was chosen by, of every kind, the empty board known."""
    boards = []
    for kind in hard.KINDS:
        for pictures in hard.boards(kind, hard.HELD, TRACED_EACH):
            boards.append(_traced(pictures))
    return Promise(f"traced boards of {len(hard.KINDS)} kinds that are hard to read", boards)


def _traced(pictures: Sequence[hard.Hard]) -> Board:
    try:
        calibration = turned_as(calibrate(pictures[0].empty), pictures[0].camera)
    except CalibrationFailed:
        return REFUSED
    background, found = Background.from_empty(pictures[0].empty, calibration), Board(False, False, 0, 0)
    for one in pictures:
        try:
            reading = read_board(one.image, calibration, empty=background)
        except BadInput:
            found += REFUSED
            continue
        asks = reading.partial or reading.hole_unclear
        found += board_of(one.discs, reading.discs, asks)
    return found


def lines(promises: Sequence[Promise]) -> Iterator[str]:
    """The section of docs/accuracy.md."""
    every = Promise("**all of them**", [board for one in promises for board in one.boards])
    yield (
        f"*At most* holds with {100 * (1 - TAIL):.0f} % confidence, for boards like those of its row. It is counted by "
        "boards, since the discs of a board share camera, light and calibration. Nothing was fitted to these boards, "
        "and nothing was chosen by them. The last two columns are the coverage: what the table decides without asking. "
        "A third of the simulated discs lie within 1.5 mm of touching a line, so it asks far more than in play."
    )
    yield ""
    yield "| over | silently wrong | at most | boards with nothing asked | discs shown as sure |"
    yield "| --- | --- | --- | --- | --- |"
    for one in (*promises, every):
        yield f"| {' | '.join(one.cells)} |"
    yield ""
    yield "| use | needs at most | bound | what the table may decide, and what people should look at |"
    yield "| --- | --- | --- | --- |"
    for use, limit, words in (
        ("club", CLUB, "It may decide what it shows as sure; people answer what it asks, and correct what they see."),
        ("tournament", TOURNAMENT,
         "The same, once its spot checks are below this."),
    ):  # fmt: skip
        met = "reached" if every.most <= limit else "**not shown by this sample**: people look at the board each round"
        yield f"| {use} | {100 * limit:.0f} % of boards | {100 * every.most:.1f} %, {met} | {words} |"
