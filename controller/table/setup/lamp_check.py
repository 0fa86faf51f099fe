"""Finds out whether the camera sees the lamps on the playing surface, by pictures of each signal."""

from collections.abc import Callable, Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from controller.config import LampsSection
from controller.errors import Refused
from controller.journal import Journal
from controller.messages import Message, say
from controller.vision.calibration.camera import Bools
from hardware.devices import Frame, Signal

SHOWN: tuple[tuple[Signal, str | None], ...] = (
    ("idle", None),
    ("turn", None),
    ("twenty", "A"),
    ("foul", "B"),
    ("check", None),
    ("idle", None),
)
"""Every lamp on a pin is in one of them, and every lamp of a ring is white in the second."""
SETTLES = 0.4  # s until the lamps show a signal and the camera delivers its picture
AVERAGED = 1.0  # s: the slowest pattern comes and goes once
CHANGED = 3.0  # grey levels that a pixel changes at least; the mean of a second is known to less than one
FACT = "lamps"
Floats = NDArray[np.float32]
Ask = Callable[[Callable[[Frame], Floats | None]], Any]
Light = Callable[[Signal | None, str | None], None]


def change(one: Floats, other: Floats, surface: Bools) -> float:
    """The largest change between two grey pictures (h, w) on the playing surface, in grey levels."""
    return float(np.abs(cv2.GaussianBlur(one - other, (0, 0), 1.0))[surface].max())


def seen(pictures: Sequence[Floats], surface: Bools) -> bool:
    """Whether the camera sees any of the signals. `pictures`: (h, w), grey, one for each of `SHOWN`. Raises
    `Refused` if something else has changed."""
    dark, *lit, again = pictures
    if change(dark, again, surface) >= CHANGED:
        raise Refused(
            say("Something moved, or the light changed. Take your hands away from the board, and compare again.")
        )
    return any(change(dark, one, surface) >= CHANGED for one in lit)


class LampCheck:
    """The last comparison, for the lamps as they are wired now."""

    def __init__(self, journal: Journal, wired: LampsSection, unseen: Callable[[bool], None]) -> None:
        """`unseen` is called with whether it is known that the camera does not see them: now, and after each check."""
        self._journal = journal
        self._wired = wired.model_dump_json()
        self._unseen = unseen
        unseen(self._seen() is False)

    def compare(self, ask: Ask, light: Light, check: Callable[[], None], surface: Bools) -> None:
        """Show each signal by `light`, with pictures by `ask`. Raises `Refused`; then nothing has changed. So does
        `check` while the lamps can't be lit."""
        check()
        try:
            pictures = [_mean(ask, light, signal, side) for signal, side in SHOWN]
        finally:
            light(None, None)
        check()
        self.keep(seen=seen(pictures, surface))

    def keep(self, *, seen: bool) -> None:
        self._journal.facts.keep(FACT, f"{'seen' if seen else 'unseen'} {self._wired}")
        self._unseen(not seen)

    def words(self) -> tuple[Message, bool]:
        """What is known, and whether the lamps show the match."""
        match self._seen():
            case None:
                return say(
                    "They stay dark while the camera watches a match, since it may take them for discs or hands. Take "
                    "your hands away from the board, and compare pictures."
                ), False
            case True:
                return say(
                    "The camera sees them on the playing surface, and may take them for discs or hands: they stay dark "
                    "while it watches a match. Move them to the rail or beyond it, and compare pictures again."
                ), False
        return say("The camera does not see them on the playing surface: they show the match."), True

    def _seen(self) -> bool | None:
        """Whether the camera sees them; None if these lamps were not compared."""
        answers = {f"seen {self._wired}": True, f"unseen {self._wired}": False}
        return answers.get(self._journal.facts.get(FACT) or "")


def _mean(ask: Ask, light: Light, signal: Signal, side: str | None) -> Floats:
    """The mean picture (h, w), grey, while the lamps show a signal."""
    light(signal, side)
    began: list[float] = []
    pictures: list[Floats] = []

    def work(frame: Frame) -> Floats | None:
        began.append(frame.t)
        if frame.t - began[0] >= SETTLES:
            pictures.append(frame.small.astype(np.float32))
        return np.mean(pictures, axis=0) if frame.t - began[0] >= SETTLES + AVERAGED else None

    return np.asarray(ask(work), np.float32)
