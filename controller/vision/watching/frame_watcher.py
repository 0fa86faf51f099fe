"""Watches a camera's frames: frames in, observations out.

The gate sees every small picture; the background model reads a full one whenever the board has settled. A new
calibration gets a new gate, and a moved board is found again. No threads and no clock: the camera's owner calls
`process_frame` for each frame, and time is the frame's.
"""

import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from controller.errors import BadInput
from controller.messages import Message
from controller.vision.calibration.calibration import Calibration
from controller.vision.calibration.camera import Bools, Floats
from controller.vision.reading.light import within_tolerance
from controller.vision.readings import BoardReading
from controller.vision.watching.background_model import BackgroundModel
from controller.vision.watching.changes import surface_reach
from controller.vision.watching.exposure import Exposure, State
from controller.vision.watching.filmer import Filmer
from controller.vision.watching.gate import ROUNDING, STUCK_SECONDS, Gate, GateConfidence, GateState, Word
from controller.vision.watching.observations import (
    BoardRead,
    FrameCount,
    GateChanged,
    Observation,
    ReadingFailed,
    WatchFigures,
)
from hardware.devices import BoardCamera, Frame, Image

# When full pictures are read, and which part of the small picture is used.
BETWEEN_READINGS = 0.4
"""Seconds at least: a slow computer must still see every frame's small picture."""
FROZEN_SECONDS = 0.5
"""Of the same picture: shots may have been missed."""
FOLLOW_SECONDS = 1.0
"""Between two attempts to find a moved board again: hands may still be at it."""
LEFT_SECONDS = 15.0
"""For which a part of a moved board must be hidden to be no hand: longer than anybody aims."""
RAIL_MARGIN = 40.0
"""mm beyond a round rail that an octagonal one reaches in its corners."""


class FrameWatcher:
    """Watches one camera over one board. Not thread-safe.

    `live` pictures may begin in the middle of a shot; otherwise the first counts as still. `report` gets a notice about
    the light, or None. `film`: whether shots are filmed. `timer` only measures durations.
    """

    def __init__(
        self,
        model: BackgroundModel,
        report: Callable[[Message | None], None] = lambda _: None,
        *,
        timer: Callable[[], float] = time.perf_counter,
        live: bool = False,
        film: bool = True,
    ) -> None:
        self.figures = WatchFigures()
        self._model = model
        self._timer = timer
        self._live = live
        self._exposure = Exposure(report)
        self._gate = Gate(live=live)
        self._frames = FrameCount(self.figures, live=live)
        self._confidence = GateConfidence()
        self._filmer = Filmer() if film else None
        self._word: Word | None = None  # the last one reported
        self._read_since: float | None = None  # start of the still period that was read
        self._read_once = False
        self._waits = False  # nothing is read: the camera has not settled, or is locked to another light
        self._calibration: Calibration | None = None  # the gate's
        self._surface: Bools | None = None
        self._room: Bools | None = None
        self._measured_at = -np.inf  # when the board's place was last measured
        self._followed_at = -np.inf  # when a moved board was last looked for
        self._under_shadows: BoardReading | None = None  # the last reading of a board on which shadows never rest
        self._moved_since: float | None = None  # since when a moved board must still be seen without hands

    @property
    def calibration(self) -> Calibration | None:
        """The board's calibration; None before it was found."""
        return self._model.calibration

    @property
    def camera_state(self) -> State:
        """The state of the camera's lock."""
        return self._exposure.state

    def steer(self, camera: BoardCamera) -> None:
        """Lock and unlock this camera according to the light, if its pictures are live."""
        if self._live:
            self._exposure.steer(camera)

    def process_frame(self, frame: Frame) -> list[Observation]:
        """Process the next frame. Returns changes of the gate's word, and a reading whenever the board has settled. The
        full picture is fetched only for a reading, once in each still period. A board is also read while a hand stays
        beside it: the reading contains what that hides.
        """
        found = self._update_exposure(frame)
        observations = self._watch(frame)
        self._read_once |= any(isinstance(seen, BoardRead) for seen in observations)
        if found and (self._word == "camera_moved" or self._moved_since is not None):
            self._follow(frame)
        if self._word == "still" and not observations:
            self._model.tend()
        self._take_calibration(frame)
        self._exposure.update(frame, observations, self._surface, self._room)
        return observations

    def _update_exposure(self, frame: Frame) -> bool:
        """Decide by the light whether to read or wait. Returns whether the board's place is known."""
        found = self._model.calibration is not None
        waits = self._exposure.waits(frame, self._gate.state)
        if self._waits and not waits and not self._read_once:
            # The gate has only seen the camera adapt: none of those pictures shows the board in place.
            self._calibration, self._gate = None, Gate(live=self._live)
        self._waits = waits
        if self._exposure.wants_reading(frame.t, found=found):
            self._read_since = None
        return found

    def _watch(self, frame: Frame) -> list[Observation]:
        """The gate's word if it is new, and the board if it is to be read."""
        dropped = self._frames.add(frame)
        if self._frames.stuck:
            return self._frozen(frame.t)
        began = self._timer()
        state = self._gate.see(frame.small, frame.t, dropped)
        self.figures.gate_seconds += self._timer() - began
        if self._gate.displaced and self._calibration is not None:
            state = self._in_place(frame, state)
        observations: list[Observation] = []
        word = self._confidence.word(state, frame.t)
        if word != self._word:
            self._word = word
            observations.append(GateChanged(state.since if word == state.word else frame.t, word))
        self._film(frame, state)
        if self._waits:
            return observations
        return observations + [self._with_film(seen, frame) for seen in self._look(frame, state)]

    def _in_place(self, frame: Frame, state: GateState) -> GateState:
        """The gate's state, corrected if a full picture shows the board in place."""
        if frame.t - self._measured_at < FOLLOW_SECONDS:
            return state
        self._measured_at = frame.t
        return self._gate.stay(frame.t) if self._model.in_place(frame.full()) else state

    def _film(self, frame: Frame, state: GateState) -> None:
        """Film while something may move, until the board at rest is read."""
        if self._filmer is None or (state.word == "still" and state.since == self._read_since):
            return
        began = self._timer()
        if state.word in ("camera_moved", "light_changed"):
            self._filmer.lost()
        else:
            self._filmer.see(self._gate.evened(frame.small), frame.t, self._gate.hand_mask)
        self.figures.film_seconds += self._timer() - began

    def _with_film(self, seen: Observation, frame: Frame) -> Observation:
        """A reading with the film up to it."""
        if self._filmer is None or self._model.calibration is None or not isinstance(seen, BoardRead):
            return seen
        began = self._timer()
        film = self._filmer.cut(seen.reading, frame.small, self._model.calibration)
        self.figures.film_seconds += self._timer() - began
        return replace(seen, film=film)

    def _frozen(self, t: float) -> list[Observation]:
        """Report a camera that repeats one picture as covered: it does not show that the discs have come to rest."""
        if self.figures.frozen_seconds < FROZEN_SECONDS or self._word == "covered":
            return []
        self._word = "covered"
        return [GateChanged(t, "covered")]

    def _look(self, frame: Frame, state: GateState) -> list[Observation]:
        """The reading of a board that has come to rest since the last reading, or about which the gate may be wrong."""
        due = frame.t - self._confidence.read_at >= BETWEEN_READINGS - ROUNDING
        since = self._rests_since(frame.t, state, due)
        if since is not None:
            self._read_since = since
            self._confidence.at_rest()
            self._confidence.read_at = frame.t
            return self._at_rest(frame, state)
        if state.word in ("hand", "covered") and self._confidence.may_be_wrong(frame.t, state.calm):
            self._confidence.read_at = frame.t
            return self._look_anyway(frame, state)
        if state.word in ("hand", "covered") and self._confidence.may_be_light(frame.t, state.calm):
            self._confidence.light_at = frame.t
            return self._look_anyway(frame, state, light=True)
        if state.word == "moving" and self._gate.restless and due:
            self._confidence.read_at = frame.t
            return self._look_under_shadows(frame, state)
        return []

    def _rests_since(self, t: float, state: GateState, due: bool) -> float | None:
        """Since when the board, which has to be read, has been at rest; None if it need not be read."""
        since = state.since if state.word == "still" else state.resting_beside
        if due and since != self._read_since:
            return since
        return since if state.word == "still" and self._confidence.lies_still(t, state.since) else None

    def _at_rest(self, frame: Frame, state: GateState) -> list[Observation]:
        """The reading of a board that has come to rest, perhaps beside a hand."""
        seen = self._read(frame, state)
        if not isinstance(seen, BoardRead):
            return [seen]
        if state.word == "still":
            self._confidence.doubted = seen.reading.obstructed
        elif self._only_light(seen.reading, frame.small):
            return self._accepted(seen, light=True)
        return [seen]

    def _look_under_shadows(self, frame: Frame, state: GateState) -> list[Observation]:
        """The reading of a board on which shadows never rest, if the reading before found the same discs."""
        seen, before = self._read(frame, state), self._under_shadows
        if not isinstance(seen, BoardRead) or seen.reading.obstructed:
            self._under_shadows = None
            return []
        self._under_shadows = seen.reading
        return self._accepted(seen, light=True) if before is not None and before.same_discs(seen.reading) else []

    def _look_anyway(self, frame: Frame, state: GateState, *, light: bool = False) -> list[Observation]:
        """The reading if the gate was wrong about an obstacle, else nothing. It was wrong if the reading finds nothing
        hidden, or only rail and ditch hidden while nothing has moved for longer than a hand keeps still. With `light`,
        it must also have seen only light, through which the board's pattern is visible.
        """
        stuck = frame.t - state.calm >= STUCK_SECONDS
        seen = self._read(frame, state)
        if (
            not isinstance(seen, BoardRead)
            or seen.reading.obstructed
            or (seen.reading.hidden and not stuck)
            or (light and not self._only_light(seen.reading, frame.small))
        ):
            self._confidence.in_vain = True
            return [] if light else self._beside_what_lay_there(seen)
        return self._accepted(seen, light=light)

    def _beside_what_lay_there(self, seen: BoardRead | ReadingFailed) -> list[Observation]:
        """The reading of a board that was last read with something on it too, if the picture shows where that ends."""
        return [seen] if isinstance(seen, BoardRead) and seen.reading.hidden and self._confidence.doubted else []

    def _accepted(self, seen: BoardRead, *, light: bool) -> list[Observation]:
        """The reading of a board about which the gate was wrong."""
        accepted = self._gate.accept(seen.t, light=light)
        self._word, self._read_since = accepted.word, accepted.since
        return [GateChanged(accepted.since, accepted.word), seen]

    def _only_light(self, reading: BoardReading, small: Image) -> bool:
        """Whether the gate's hand or cover is only light, according to the full picture read."""
        if self._calibration is None:
            return False
        return self._model.only_light(reading, _on_board(self._calibration, self._gate.hidden_places, small))

    def _read(self, frame: Frame, state: GateState) -> BoardRead | ReadingFailed:
        began = self._timer()
        picture = frame.full()
        try:
            return BoardRead(frame.t, self._reading(picture, frame, state), picture)
        except BadInput as error:
            return ReadingFailed(frame.t, str(error), picture)
        finally:
            self.figures.readings += 1
            self.figures.read_seconds += self._timer() - began

    def _reading(self, picture: Image, frame: Frame, state: GateState) -> BoardReading:
        """The reading of the picture; in doubt everywhere if errors are unknown in its light."""
        hand, lies_still = state.word != "still", frame.t - state.calm >= STUCK_SECONDS - ROUNDING
        reading = self._model.read(picture, frame.t, frame.name, hand=hand, lies_still=lies_still)
        strange = self._exposure.short and not within_tolerance(reading.light)
        return reading.doubted() if self._exposure.doubtful or strange else reading

    def _follow(self, frame: Frame) -> None:
        """Find the moved board again; a picture with hands is not yet the gate's reference."""
        if frame.t - self._followed_at < FOLLOW_SECONDS:
            return
        self._followed_at, picture = frame.t, frame.full()
        self._moved_since = frame.t if self._moved_since is None else self._moved_since
        try:
            self._model.follow(picture)
            seen = self._model.read(picture, frame.t, frame.name, hand=True)
        except BadInput:
            return  # the gate, and with it the page, still reports a moved camera
        if not (seen.hidden or seen.obstructed) or frame.t - self._moved_since >= LEFT_SECONDS:
            self._moved_since = None

    def _take_calibration(self, frame: Frame) -> None:
        """Create a gate for a new calibration, unless a moved board must still be seen without hands."""
        calibration = self._model.calibration
        if calibration is None or calibration is self._calibration or self._moved_since is not None:
            return
        self._calibration = calibration
        board, self._surface = region(calibration, frame.small), surface(calibration, frame.small)
        self._room = ~board
        self._gate = Gate(board, calibration.board, self._surface)
        self._gate.see(frame.small, frame.t)  # the picture read is the new gate's reference


def _on_board(calibration: Calibration, places: Floats, small: Image) -> Floats:
    """Places (K, 2) in pixels of the small picture (h, w), in mm in the board frame."""
    scale = np.array((calibration.width, calibration.height)) / small.shape[1::-1]
    return calibration.to_board((places + 0.5) * scale - 0.5)


def region(calibration: Calibration, small: Image) -> Bools:
    """The part of the small picture (h, w) that shows the board out to its rail."""
    board = calibration.board
    out = board.rail_radius + board.rail_width + RAIL_MARGIN
    return calibration.scaled(*small.shape[1::-1]).within(out, board.rail_height - board.surface_height) > 0


def surface(calibration: Calibration, small: Image) -> Bools:
    """The part of the small picture (h, w) in which discs count."""
    return calibration.scaled(*small.shape[1::-1]).within(surface_reach(calibration.board)) > 0
