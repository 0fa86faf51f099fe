"""Decides when the camera adapts to the light, and when its exposure, gain, white balance and focus are locked.

While they change, a disc looks different from one reading to the next. So the camera adapts until it has settled and
the board was read well; then it is locked. When the light leaves the tolerated range, nothing is read; as soon as
nobody shoots, the camera is unlocked, settles, and is locked again.
"""

import logging
from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np

from controller.messages import Message, say
from controller.vision.calibration.camera import Bools
from controller.vision.reading.light import LEARNT, SurfaceLight, too_dark, within_tolerance
from controller.vision.watching.gate import GateState
from controller.vision.watching.observations import BoardRead, Observation, ReadingFailed
from hardware.devices import BoardCamera, Frame

# When the camera adapts to the light, and when it is locked. Seconds unless noted.
CHECK_SECONDS = 0.1
"""Between two checks of the light: less than the rest before a reading."""
LASTING_SECONDS = 1.0
"""Of another light: a flash, or somebody who bends over the board, is shorter."""
CALM_SECONDS = 0.5
"""Without motion: nobody shoots."""
BUSY_SECONDS = 15.0
"""Of another light without such a pause, more than a shot takes: the camera is unlocked anyway."""
PATIENCE_SECONDS = 10.0
"""A Pi's camera needs two to three seconds for exposure and white balance, and some frames for a lock. One that has
not settled by then is read as it is, in doubt."""
AGAIN_SECONDS = 5.0
"""Between two readings of a still board, until the camera could be locked."""
SEARCH_SECONDS = 20.0
"""The same if the board was never found: a search takes a Pi seconds."""
FLASH_SECONDS = 0.5
"""Of darkness before people are notified."""
LOCK_CHANGE = (0.8, 1.25)
"""Ratio of the light, least and most, by the lock itself: some USB cameras lock another exposure than they had."""
REFUSALS = 3
"""Locks that change the light by more, until the camera stays unlocked."""

log = logging.getLogger(__name__)


ADAPTING = say("The light has changed: the camera adapts to it.")
DARK = say("It is too dark to see the board: switch the lamps on.")

State = Literal["free", "locking", "locked", "refused"]


class Exposure:
    """Controls one camera, on that camera's thread. `report` gets a notice about the light, or None."""

    def __init__(self, report: Callable[[Message | None], None] = lambda _: None) -> None:
        self._report = report
        self.doubtful = False
        """Whether the newest frame was taken before the camera had settled."""
        self.short = False
        """Whether the picture is outside the tolerated light of the first lock, although the camera adapted."""
        self.state: State = "free"
        self._camera: BoardCamera | None = None
        self._since: float | None = None  # the start of this state
        self._reference: SurfaceLight | None = None  # the light of the lock
        self._room: SurfaceLight | None = None  # the same for the surroundings of the board
        self._first: SurfaceLight | None = None  # the light of the first lock
        self._refusals = 0
        self._read_at = self._checked = self._settled_at = -np.inf
        self._other: float | None = None  # since when the light differs
        self._dark: float | None = None  # since when it is too dark
        self._reported: Message | None = None

    def steer(self, camera: BoardCamera) -> None:
        """Control this camera from now on; a reopened one keeps its state."""
        if camera is not self._camera:
            self._camera = camera
            self.state, self._since = "free", None

    def waits(self, frame: Frame, gate: GateState | None) -> bool:
        """Whether this frame must not be read."""
        if self._camera is None:
            return False
        if self._since is None:
            self._since = frame.t
        settled = self._camera.settled
        if settled:
            self._settled_at = frame.t
        patient = frame.t - max(self._since, self._settled_at) < PATIENCE_SECONDS
        if self.state == "locking" and (settled or not patient):
            self._lock_took_effect(frame)
        if frame.t - self._checked >= CHECK_SECONDS:
            self._checked = frame.t
            self._check(frame, gate)
        adapting = self.state in ("free", "locking")
        self.doubtful = adapting and not settled
        return self._dark is not None or self._other is not None or (self.doubtful and patient)

    def wants_reading(self, t: float, *, found: bool) -> bool:
        """Whether to read a still board again so that the camera can be locked. `found`: whether the board's place is
        known.
        """
        if self._camera is None or self.state != "free" or self._dark is not None or not self._camera.settled:
            return False
        return t - self._read_at >= (AGAIN_SECONDS if found else SEARCH_SECONDS)

    def update(
        self, frame: Frame, observations: Sequence[Observation], surface: Bools | None, room: Bools | None = None
    ) -> None:
        """Handle the observations of a frame; masks of the small picture (h, w): `surface`, where discs count, and
        `room`, outside the board. A good reading by a settled camera locks it.
        """
        if self._camera is None:
            return
        for seen in observations:
            if isinstance(seen, BoardRead | ReadingFailed):
                self._read_at = frame.t
            well = isinstance(seen, BoardRead) and not seen.reading.obstructed
            if well and self.state == "free" and self._camera.settled:
                self._reference = SurfaceLight(frame.small, surface)
                self._room = SurfaceLight(frame.small, room)
                self._camera.lock()
                self._become("locking", frame.t)

    def _become(self, state: State, t: float) -> None:
        if state != self.state:
            log.info("camera %s", state)
        self.state, self._since, self._other = state, t, None

    def _lock_took_effect(self, frame: Frame) -> None:
        """Check by the light before and after whether the camera kept its settings."""
        assert self._reference is not None
        assert self._room is not None
        assert self._camera is not None
        least, most = LOCK_CHANGE
        if least <= self._reference.ratio(frame.small) <= most:
            self._refusals = 0
            self._reference, self._room = self._reference.measured_in(frame.small), self._room.measured_in(frame.small)
            self._first = self._first or self._reference
            self.short = not within_tolerance(self._first.ratio(frame.small))
            self._become("locked", frame.t)
            return
        self._refusals += 1
        self._camera.unlock()
        self._become("refused" if self._refusals >= REFUSALS else "free", frame.t)
        if self.state == "refused":
            log.warning("The camera changes its picture when it is locked: it stays free")

    def _check(self, frame: Frame, gate: GateState | None) -> None:
        """Check the light; unlock the camera if it has left the tolerated range."""
        dark = too_dark(frame.small)
        if dark != (self._dark is not None):
            self._dark = frame.t if dark else None
        if self.state == "locked":
            if self._same_light(frame, gate):
                self._other = None
            elif self._other is None:
                self._other = frame.t
        if self._other is not None and self._may_free(frame.t - self._other, frame.t, gate):
            assert self._camera is not None
            self._camera.unlock()
            self._become("free", frame.t)
            self._read_at = -np.inf
            self._notify(ADAPTING)
        self._report_light(frame.t)

    def _report_light(self, t: float) -> None:
        """Report darkness that lasts, then adapting, then nothing."""
        if self._dark is not None:
            if t - self._dark >= FLASH_SECONDS:
                self._notify(DARK)
            return
        if self._reported is DARK:
            self._notify(ADAPTING)
        if self.state in ("locked", "refused") and self._other is None:
            self._notify(None)

    def _same_light(self, frame: Frame, gate: GateState | None) -> bool:
        """Whether the light is still that of the lock: a jacket over the board is no other light."""
        assert self._reference is not None
        assert self._room is not None
        hidden = gate is not None and gate.word in ("covered", "camera_moved")
        if hidden and within_tolerance(self._room.ratio(frame.small), LEARNT):
            return True
        return within_tolerance(self._reference.ratio(frame.small))

    @staticmethod
    def _may_free(lasting: float, t: float, gate: GateState | None) -> bool:
        calm = gate is None or t - gate.calm >= CALM_SECONDS
        return lasting >= BUSY_SECONDS or (lasting >= LASTING_SECONDS and calm)

    def _notify(self, words: Message | None) -> None:
        if words != self._reported:
            self._reported = words
            self._report(words)
