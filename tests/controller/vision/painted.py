"""A painted table before a lookout: what the gate says, and where discs are read."""

import time
from collections.abc import Callable
from dataclasses import replace

from controller.vision.watching.eye import Eye
from controller.vision.watching.lookout import Lookout
from controller.vision.watching.observations import BoardRead, GateChanged
from hardware.devices import Frame
from hardware.simulated.painter import Painter
from hardware.simulated.scene import Scene

STEP = 0.1  # s between frames


class PaintedTable:
    """Frames of scenes, ten a second; `words` and `places` (mm, sorted) are what was seen of them."""

    def __init__(self, painter: Painter, eye: Eye) -> None:
        self._painter = painter
        self._lookout = Lookout(eye)
        self._number = 0
        self.words: list[str] = []
        self.places: list[list[tuple[float, float]]] = []
        self.slowest = 0.0  # s of processor time for a frame in which nothing was seen

    def show(self, scene: Scene, seconds: float, moving: Callable[[float], Scene] | None = None) -> None:
        """A scene for some seconds; or what `moving` makes of the time since its begin."""
        for k in range(round(seconds / STEP)):
            t = self._number * STEP
            now = replace(moving(k * STEP) if moving else scene, t=t)
            frame = Frame(t, self._number, self._painter.small(now), lambda now=now: self._painter.full(now))
            began = time.process_time()
            seen = self._lookout.process_frame(frame)
            if not seen:
                self.slowest = max(self.slowest, time.process_time() - began)
            for one in seen:
                if isinstance(one, GateChanged):
                    self.words.append(one.word)
                elif isinstance(one, BoardRead):
                    self.places.append(sorted((disc.x, disc.y) for disc in one.reading.discs))
            self._number += 1

    def forget(self) -> None:
        """What was seen until now."""
        self.words.clear()
        self.places.clear()
