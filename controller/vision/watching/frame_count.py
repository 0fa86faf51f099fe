"""Which of a camera's frames never arrived, and since when it has repeated one picture."""

import numpy as np

from controller.vision.reading.light import noisy
from controller.vision.watching.observations import Figures
from hardware.devices import Frame, Image


class FrameCount:
    """Counts the frames into `figures`.

    No two `live` pictures in which anything can be seen are the same, if only by their noise: where they are, the
    camera is stuck.
    """

    def __init__(self, figures: Figures, *, live: bool) -> None:
        self._figures = figures
        self._live = live
        self._small: Image | None = None
        self._number = 0
        self._changed = 0.0  # when the small picture last differed from the one before
        self._repeated = 0  # pictures since then that were the same

    @property
    def stuck(self) -> bool:
        """Whether the newest frame is a live camera's, and shows the same picture as the one before it."""
        return self._live and self._figures.frozen_seconds > 0

    def add(self, frame: Frame) -> int:
        """Keep the figures, and say how many exposures before this one never arrived, repeated ones among them."""
        figures = self._figures
        figures.frames += 1
        dropped = max(0, frame.number - self._number - 1) if self._small is not None else 0
        figures.dropped += dropped
        if self._small is None or not np.array_equal(self._small, frame.small):
            dropped, self._repeated = dropped + self._repeated, 0
            self._changed = frame.t
        elif not noisy(frame.small):
            self._changed = frame.t
        elif self._live:
            self._repeated += 1
        figures.frozen_seconds = frame.t - self._changed
        self._small, self._number = frame.small, frame.number
        return dropped
