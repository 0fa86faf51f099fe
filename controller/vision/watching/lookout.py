"""The lookout joins eye and watcher: the gate learns where the board is, and a board that moved is followed."""

import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from controller.errors import BadInput
from controller.vision.calibration.calibration import Calibration
from controller.vision.calibration.lens import Bools
from controller.vision.reading.light import borne
from controller.vision.readings import BoardReading
from controller.vision.watching.changes import surface_reach
from controller.vision.watching.exposure import Exposure
from controller.vision.watching.eye import Eye
from controller.vision.watching.gate import Gate, board_region
from controller.vision.watching.watcher import BoardRead, DiscRolled, GateChanged, Observation, Watcher
from hardware.devices import BoardCamera, Frame, Image

FOLLOW_EVERY = 1.0  # s between attempts to find a moved board again: hands may still be at it
STUCK_SECONDS = 15.0  # what hides a part of a moved board for so long is no hand
RAIL_MARGIN = 40.0  # mm beyond a round rail that an octagonal one reaches in its corners


class Lookout:
    """Sees every frame; see `see`. Not for several threads. `timer` only measures how long things take.

    Pictures that are `live` may begin in the middle of a shot; else the first counts as still. `exposure`
    says what the light does to them.
    """

    def __init__(self, eye: Eye, timer: Callable[[], float] = time.perf_counter, *, live: bool = False) -> None:
        self.eye = eye
        self._live = live
        self.exposure = Exposure()
        self.watcher = Watcher(self._read, Gate(live=live), timer, live=live)
        self._calibration: Calibration | None = None
        self._surface: Bools | None = None
        self._room: Bools | None = None
        self._read_once = False
        self._word = "still"
        self._tried = -np.inf
        self._since: float | None = None  # since when a moved board waits to be seen without hands

    def steer(self, camera: BoardCamera) -> None:
        """Lock and free this camera as the light wants it, while its pictures are live."""
        if self._live:
            self.exposure.steer(camera)

    def see(self, frame: Frame) -> list[Observation]:
        """What the next frame shows: changes of the gate's word, and a reading whenever the board has settled."""
        found = self._heed_light(frame)
        observations = [self._with_arms(seen, frame.small) for seen in self.watcher.see(frame)]
        for observation in observations:
            if isinstance(observation, GateChanged):
                self._word = observation.word
            self._read_once |= isinstance(observation, BoardRead)
        if found and (self._word == "camera_moved" or self._since is not None):
            self._follow(frame)
        if self._word == "still" and not observations:
            self.eye.tend()
        self._take_calibration(frame)
        self.exposure.saw(frame, observations, self._surface, self._room)
        return observations

    def _take_calibration(self, frame: Frame) -> None:
        """Give a new calibration to a gate of its own, unless a moved board still waits to be seen without hands."""
        calibration = self.eye.calibration
        if calibration is None or calibration is self._calibration or self._since is not None:
            return
        self._calibration = calibration
        board, self._surface = region(calibration, frame.small), surface(calibration, frame.small)
        self._room = ~board
        self.watcher.gate = Gate(board, calibration.board, self._surface)
        self.watcher.gate.see(frame.small, frame.t)  # the picture that was read is home, whatever comes next

    def _heed_light(self, frame: Frame) -> bool:
        """Let pictures be read or wait as their light wants it, and say whether it is known where the board lies."""
        found = self.eye.calibration is not None
        waits = self.exposure.waits(frame, self.watcher.gate.state)
        if self.watcher.waits and not waits and not self._read_once:
            # Until now the gate saw how the camera adapted: no picture of that is the board at its place.
            self._calibration, self.watcher.gate = None, Gate(live=self._live)
        self.watcher.waits = waits
        if self.exposure.again(frame.t, found=found):
            self.watcher.read_again()
        return found

    def _with_arms(self, seen: Observation, small: Image) -> Observation:
        """What rolled, with the directions of the arms that were there; none before the board has been found."""
        if not isinstance(seen, DiscRolled) or self._calibration is None:
            return seen
        scale = np.array((self._calibration.width, self._calibration.height)) / small.shape[1::-1]
        pixels = (np.array(self.watcher.gate.arms).reshape(-1, 2) + 0.5) * scale - 0.5
        x, y = self._calibration.to_board(pixels).T
        return replace(seen, arms=tuple(round(float(angle), 1) for angle in np.degrees(np.arctan2(y, x))))

    def _read(self, picture: Image, t: float, name: str) -> BoardReading:
        state = self.watcher.gate.state
        reading = self.eye.read(picture, t, name, hand=state is not None and state.word != "still")
        strange = self.exposure.short and not borne(reading.light)
        return reading.doubted() if self.exposure.doubtful or strange else reading

    def _follow(self, frame: Frame) -> None:
        """Find the moved board again; with hands in the picture it is not yet what the gate may call home."""
        if frame.t - self._tried < FOLLOW_EVERY:
            return
        self._tried, picture = frame.t, frame.full()
        self._since = frame.t if self._since is None else self._since
        try:
            self.eye.follow(picture)
            seen = self.eye.read(picture, frame.t, frame.name, hand=True)
        except BadInput:
            return  # the gate keeps saying that the camera moved, and the page with it
        if not (seen.hidden or seen.obstructed) or frame.t - self._since >= STUCK_SECONDS:
            self._since = None


def region(calibration: Calibration, small: Image) -> Bools:
    """The part of the small picture (h, w) that shows the board out to its rail."""
    board = calibration.board
    out = board.rail_radius + board.rail_width + RAIL_MARGIN
    return _around(calibration, small, out, board.rail_height - board.surface_height)


def surface(calibration: Calibration, small: Image) -> Bools:
    """The part of the small picture (h, w) in which discs count."""
    return _around(calibration, small, surface_reach(calibration.board), 0.0)


def _around(calibration: Calibration, small: Image, radius: float, z: float) -> Bools:
    """The small picture's part within a circle around the hole, at a height over the surface, both in mm."""
    turn = np.linspace(0, 2 * np.pi, 72, endpoint=False)
    outline = calibration.project(np.stack([radius * np.cos(turn), radius * np.sin(turn), np.full_like(turn, z)], -1))
    height, width = small.shape
    return board_region(outline, (calibration.width, calibration.height), (width, height))
