"""Lamps and buttons at the table: the lamps say what the page says, a button does what its command on the page does."""

from controller.match.state import MatchState
from controller.views.state import COLOURS
from hardware.devices import Lamps, Signal

TROUBLE = ("covered", "camera_moved", "light_changed", "no_camera")
"""States that call for a look, while a match is played by the table."""


def signal(state: MatchState | None, word: str) -> tuple[Signal, str | None]:
    """What the lamps show, and the side that it concerns: the shooter of a foul, a twenty's owner, else whose turn.

    First what somebody must do now: discs of a foul to take off, a twenty to lift; then a question or a trouble.
    """
    if state is None or state.over or state.paused or state.manual:
        return "idle", None
    shoots = state.game.round.to_shoot
    off = {disc: why for disc, why in state.to_remove.items() if why != "twenty"}
    if off:
        call = state.last_call
        foul = call is not None and call.judgement is not None and not call.judgement.valid
        return ("foul", call.shot.side) if foul and call is not None and call.shot is not None else ("check", shoots)
    twenties = [disc for disc, why in state.to_remove.items() if why == "twenty"]
    if twenties:
        return "twenty", state.side_of(twenties[0])
    if state.pressing or word in TROUBLE or shoots is None:
        return "check", shoots
    return "turn", shoots


def lights(state: MatchState | None) -> dict[str, tuple[int, int, int]]:
    """Each side's colour as light: red, green, blue, 0 to 255."""
    sides = zip("ABCD", state.started.sides, strict=False) if state else ()
    swatches = {id_: COLOURS[side.colour][1].removeprefix("#") for id_, side in sides if side.colour in COLOURS}
    return {id_: (int(s[0:2], 16), int(s[2:4], 16), int(s[4:6], 16)) for id_, s in swatches.items()}


class Panel:
    """Shows each signal once on all lamps that are there."""

    def __init__(self) -> None:
        self._lamps: list[Lamps] = []
        self._shown: tuple[Signal, str | None] = ("idle", None)

    def add(self, lamps: Lamps) -> None:
        """Lamps that are there now; they show what the others show."""
        self._lamps.append(lamps)
        lamps.show(*self._shown)

    def show(self, state: MatchState | None, word: str) -> None:
        """Show the state, if it is another signal than before."""
        now = signal(state, word)
        if now != self._shown:
            self._shown = now
            for lamps in self._lamps:
                lamps.show(*now)

    def test(self, wanted: Signal | None, side: str | None) -> None:
        """Show a signal until the match has another, to see that its lamp works; None: what the match wants."""
        for lamps in self._lamps:
            lamps.show(*(self._shown if wanted is None else (wanted, side)))
