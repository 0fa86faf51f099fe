"""Lamps and buttons at the table: lamps show the page's state, and buttons send the page's commands."""

from controller.match.state import MatchState
from controller.views.phrases import COLOURS
from hardware.devices import Lamps, Signal

TROUBLE = ("covered", "camera_moved", "light_changed", "no_camera")
"""States that need attention while the table referees a match."""


def signal(state: MatchState | None, word: str) -> tuple[Signal, str | None]:
    """The signal for the lamps, and its side. The first matching row decides:

    | condition                                                | signal | side                      |
    | -------------------------------------------------------- | ------ | ------------------------- |
    | no match, or it is over, paused or scored by hand        | idle   | none                      |
    | discs have to come off, and the last shot was a foul     | foul   | who shot                  |
    | discs have to come off for another reason                | check  | whose turn it is          |
    | a twenty has to be lifted out of the hole                | twenty | whose disc it is          |
    | a question is pressing, or the camera is in `TROUBLE`    | check  | whose turn it is          |
    | it is nobody's turn                                      | check  | none                      |
    | otherwise                                                | turn   | whose turn it is          |
    """
    if state is None or state.over or state.paused or state.manual:
        return "idle", None
    shoots = state.game.round.to_shoot
    if any(why != "twenty" for why in state.to_remove.values()):
        fouled = _side_of_foul(state)
        return ("check", shoots) if fouled is None else ("foul", fouled)
    if state.to_remove:
        return "twenty", state.side_of(next(iter(state.to_remove)))
    if state.pressing or word in TROUBLE or shoots is None:
        return "check", shoots
    return "turn", shoots


def _side_of_foul(state: MatchState) -> str | None:
    call = state.last_call
    return None if call is None or call.played.judgement.counted_valid else call.played.shot.side


def lights(state: MatchState | None) -> dict[str, tuple[int, int, int]]:
    """Each side's colour as light: red, green, blue, 0 to 255."""
    sides = state.started.by_id.items() if state else ()
    swatches = {id_: bytes.fromhex(COLOURS[side.colour][1][1:]) for id_, side in sides if side.colour in COLOURS}
    return {id_: (red, green, blue) for id_, (red, green, blue) in swatches.items()}


class Panel:
    """Shows each new signal on all available lamps. Lamps that the camera may see are dark while it watches a match: as
    they change, they look like discs, hands and motion."""

    def __init__(self) -> None:
        self.watched = False  # whether the camera watches a match
        self._lamps: list[Lamps] = []
        self._signal: tuple[Signal, str | None] = ("idle", None)
        self._unseen = False  # whether it is known that the camera does not see the lamps

    def add(self, lamps: Lamps) -> None:
        self._lamps.append(lamps)
        lamps.show(*self._signal, lit=self._lit)

    def show(self, state: MatchState | None, word: str) -> None:
        now = signal(state, word)
        watched = now[0] != "idle" and word != "no_camera"
        if (now, watched) != (self._signal, self.watched):
            self._signal, self.watched = now, watched
            self.test(None, None)

    def set_unseen(self, unseen: bool) -> None:
        """Set whether it is known that the camera does not see the lamps."""
        self._unseen = unseen
        self.test(None, None)

    def test(self, wanted: Signal | None, side: str | None) -> None:
        """Test a lamp: show a signal until the match's changes. None shows the match's signal again."""
        for lamps in self._lamps:
            lamps.show(*(self._signal if wanted is None else (wanted, side)), lit=self._lit)

    @property
    def _lit(self) -> bool:
        return self._unseen or not self.watched
