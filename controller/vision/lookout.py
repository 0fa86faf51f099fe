"""The lookout joins eye and watcher: the gate learns where the board is, and a board that moved is followed."""

import time
from collections.abc import Callable

import numpy as np

from controller.errors import CalibrationFailed
from controller.vision.calibration import Calibration
from controller.vision.eye import Eye
from controller.vision.gate import Gate, board_region
from controller.vision.watcher import GateChanged, Observation, Watcher
from hardware.devices import Frame, Image

FOLLOW_EVERY = 1.0  # s between attempts to find a moved board again: hands may still be at it
RAIL_MARGIN = 40.0  # mm beyond a round rail that an octagonal one reaches in its corners


class Lookout:
    """Sees every frame; see `see`. Not for several threads. `timer` only measures how long things take."""

    def __init__(self, eye: Eye, timer: Callable[[], float] = time.perf_counter) -> None:
        self.eye = eye
        self.watcher = Watcher(eye.read, timer=timer)
        self._calibration: Calibration | None = None
        self._word = "still"
        self._tried = -np.inf

    def see(self, frame: Frame) -> list[Observation]:
        """What the next frame shows: changes of the gate's word, and a reading whenever the board has settled."""
        observations = self.watcher.see(frame)
        for observation in observations:
            if isinstance(observation, GateChanged):
                self._word = observation.word
        if self._word == "camera_moved" and frame.t - self._tried >= FOLLOW_EVERY:
            self._tried = frame.t
            self._follow(frame.full())
        if self._word == "still" and not observations:
            self.eye.tend()
        calibration = self.eye.calibration
        if calibration is not None and calibration is not self._calibration:
            self._calibration = calibration
            self.watcher.gate = Gate(region(calibration, frame.small), calibration.board)
            self.watcher.gate.see(frame.small, frame.t)  # the picture that was read is home, whatever comes next
        return observations

    def _follow(self, picture: Image) -> None:
        try:
            self.eye.follow(picture)
        except CalibrationFailed:
            return  # the gate keeps saying that the camera moved, and the page with it


def region(calibration: Calibration, small: Image) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """The part of the small picture (h, w) that shows the board out to its rail."""
    board = calibration.board
    turn = np.linspace(0, 2 * np.pi, 72, endpoint=False)
    out = board.rail_radius + board.rail_width + RAIL_MARGIN
    top = np.full_like(turn, board.rail_height - board.surface_height)
    outline = calibration.project(np.stack([out * np.cos(turn), out * np.sin(turn), top], axis=-1))
    height, width = small.shape
    return board_region(outline, (calibration.width, calibration.height), (width, height))
