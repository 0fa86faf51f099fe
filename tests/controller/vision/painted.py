"""A painted table before a frame watcher: what the gate says, and where discs are read."""

import time
from dataclasses import replace
from functools import cache

from controller.vision.calibration.calibration import calibrate
from controller.vision.reading.background import Background
from controller.vision.watching.frame_watcher import FrameWatcher
from controller.vision.watching.observations import BoardRead, GateChanged
from hardware.devices import Frame
from hardware.simulated.lens import CameraPose
from hardware.simulated.look import Look
from hardware.simulated.painter import Painter
from hardware.simulated.scene import Scene

STEP, FRAME = 0.1, 1 / 30  # s between frames, where little happens and where a camera films
VARIANTS = 8  # pictures of a scene at rest, which differ by their noise


@cache
def known_table(look=Look(), pose=CameraPose()):  # noqa: B008
    """A painter whose board is found, and known empty."""
    painter = Painter(look=look, pose=pose)
    bare = painter.full(Scene(0.0))
    calibration = calibrate(bare)
    return painter, calibration, Background.from_empty(bare, calibration)


class PaintedTable:
    """Frames of scenes; `seen` is all that was seen of them, its `words` and `places` (mm, sorted) apart."""

    def __init__(self, painter, model, step=STEP, *, film=True):
        self._painter = painter
        self.watcher = FrameWatcher(model, film=film)
        self._step = step
        self.number = 0
        self.seen = []
        self.words = []
        self.places = []
        self.slowest = 0.0  # s of processor time for a frame in which nothing was seen

    def show(self, scene, seconds, moving=None):
        """A scene for some seconds; or what `moving` makes of the time since its begin."""
        painted = []
        for k in range(round(seconds / self._step)):
            t = self.number * self._step
            now = replace(moving(k * self._step) if moving else scene, t=t)
            if moving or len(painted) < VARIANTS:
                painted.append(self._painter.small(now))
            frame = Frame(
                t, self.number, painted[k if moving else k % VARIANTS], lambda now=now: self._painter.full(now)
            )
            began = time.process_time()
            seen = self.watcher.process_frame(frame)
            if not seen:
                self.slowest = max(self.slowest, time.process_time() - began)
            self.seen += seen
            for one in seen:
                if isinstance(one, GateChanged):
                    self.words.append(one.word)
                elif isinstance(one, BoardRead):
                    self.places.append(sorted((disc.x, disc.y) for disc in one.reading.discs))
            self.number += 1

    def forget(self):
        """What was seen until now."""
        self.seen.clear()
        self.words.clear()
        self.places.clear()
