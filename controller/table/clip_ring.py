"""Buffers the last seconds of small pictures with motion, as JPEG. For the camera's thread.

Pictures are encoded as they arrive, and only while the gate reports motion. On one core of a Xeon at 2.5 GHz that takes
0.06 ms per frame of 320x240 at 30 frames a second, 0.04 ms at 50, since not every frame is kept, and 0.001 ms while the
board rests. Four seconds take 450 kB."""

from collections import deque
from collections.abc import Sequence

import cv2
import numpy as np

from controller.journal.media import Clip
from controller.vision.calibration.calibration import Calibration
from controller.vision.calibration.camera import Bools
from controller.vision.watching.background_model import BackgroundModel
from controller.vision.watching.frame_watcher import region
from controller.vision.watching.observations import BoardRead, GateChanged, Observation
from hardware.devices import Frame, Image
from hardware.pictures import encode

LONGEST = 4.0
"""s of a clip: a hard shot takes 2 s from flick to rest (simulated table); the remainder shows how the disc was
placed."""
APART = 0.045  # minimum s between pictures: some 20 a second, enough for slow motion. Chosen.
QUALITY = 60  # JPEG: 7 kB for a picture of a painted board, with a disc's edge still sharp


class ClipRing:
    """Receives every frame, and returns a clip of the motion before each reading. Everything beyond the rail is painted
    grey and cropped, for privacy."""

    def __init__(self, model: BackgroundModel) -> None:
        """`model`: has the board's present calibration."""
        self._model = model
        self._pictures: deque[tuple[float, bytes]] = deque()
        self._moving = False
        self._calibration: Calibration | None = None
        self._board: Bools | None = None  # (h, w)
        self._box = (slice(0), slice(0))

    def add(self, frame: Frame, observations: Sequence[Observation]) -> Clip | None:
        """Add a frame with its observations. Returns a clip if the board was read in it after motion."""
        calibration = self._model.calibration
        for seen in observations:
            if isinstance(seen, GateChanged):
                self._moving = seen.word != "still"
        if calibration is None:
            return None
        if calibration is not self._calibration or self._board is None or self._board.shape != frame.small.shape:
            self._calibrated(calibration, frame.small)
        if self._moving:
            self._take(frame)
        if any(isinstance(seen, BoardRead) for seen in observations):
            return self._cut(frame)
        return None

    def _calibrated(self, calibration: Calibration, small: Image) -> None:
        self._calibration, self._board = calibration, region(calibration, small)
        self._pictures.clear()  # they show the board at another place
        rows, columns = np.flatnonzero(self._board.any(axis=1)), np.flatnonzero(self._board.any(axis=0))
        self._box = slice(int(rows[0]), int(rows[-1]) + 1), slice(int(columns[0]), int(columns[-1]) + 1)

    def _take(self, frame: Frame) -> None:
        while self._pictures and frame.t - self._pictures[0][0] > LONGEST:
            self._pictures.popleft()
        if not self._pictures or frame.t - self._pictures[-1][0] >= APART:
            self._pictures.append((frame.t, encode(self._masked(frame.small), QUALITY)))

    def _cut(self, frame: Frame) -> Clip | None:
        """The clip of the motion, ending with the board at rest."""
        self._take(frame)
        pictures = [*self._pictures]
        if not self._moving:
            self._pictures.clear()
        if len(pictures) < 2:
            return None
        height, width = (part.stop - part.start for part in self._box)
        begin = pictures[0][0]
        return Clip(width, height, tuple(round(t - begin, 3) for t, _ in pictures), tuple(jpeg for _, jpeg in pictures))

    def _masked(self, small: Image) -> Image:
        assert self._board is not None
        hidden = np.full_like(small[self._box], 128)
        cv2.copyTo(small[self._box], self._board[self._box].astype(np.uint8), hidden)
        return hidden
