"""Films the board from one reading to the next: the camera's part of `controller.vision.film`."""

import math
from collections.abc import Sequence

from controller.vision.calibration.calibration import Calibration
from controller.vision.film.film import Film, KnownDisc
from controller.vision.film.filming import Filming
from controller.vision.film.stage import FilmView, stage
from controller.vision.readings import BoardReading, SeenDisc
from hardware.board import Board
from hardware.devices import Image

ASIDE_MM = 3.0
"""From the starting line: a disc this near to it counts as ready to be shot, as for the referee."""


class Filmer:
    """Starts a film at each reading that shows the whole surface, and ends it at the next one.

    It learns the empty board and the discs' grey levels from the boards read.
    """

    def __init__(self) -> None:
        self._view: FilmView | None = None
        self._calibration: Calibration | None = None  # of the view
        self._wood: Image | None = None  # the board without discs in the view's pictures
        self._greys: dict[str, float] = {}
        self._filming: Filming | None = None

    def see(self, small: Image, t: float, hands: Image | None = None) -> None:
        """Film the next small picture of a board on which something may move, without its `hands` (a mask), if any."""
        if self._filming is not None:
            self._filming.see(small, t, hands)

    def lost(self) -> None:
        """Drop the film: the pictures no longer show the board as it was read, since it moved or its light changed."""
        self._filming = None

    def cut(self, reading: BoardReading, small: Image, calibration: Calibration) -> Film | None:
        """The film up to this reading, whose small picture is `small`; None after `lost`, or if none could start.

        The next film starts with this reading; with a hand over the surface this one goes on instead, since it knows
        the whole board.
        """
        if calibration is not self._calibration or self._view is None:
            self._filming, self._wood = None, None
            self._calibration, self._view = calibration, FilmView(calibration, *small.shape[1::-1])
        film = self._filming.film() if self._filming is not None else None
        if reading.obstructed:
            return film
        if not (reading.discs or reading.hidden):
            self._wood = small
        lying, ready = _known(reading.discs, calibration.board)
        self._filming = Filming(stage(self._view, small, lying, self._greys, self._wood, ready))
        return film


def _known(discs: Sequence[SeenDisc], board: Board) -> tuple[list[KnownDisc], list[KnownDisc]]:
    """The discs flat on the surface, and those ready to be shot, named by their number in the reading."""
    lying: list[KnownDisc] = []
    ready: list[KnownDisc] = []
    for number, disc in enumerate(discs):
        if disc.pose == "flat":
            place = ready if _is_ready(disc, board) else lying
            place.append(KnownDisc(str(number), disc.colour, disc.x, disc.y))
    return lying, ready


def _is_ready(disc: SeenDisc, board: Board) -> bool:
    """Whether the disc touches the starting line or is beyond it."""
    inner = board.inner_edge(board.outer_line) - board.disc.radius
    return math.hypot(disc.x, disc.y) > inner - ASIDE_MM
