"""Counts a camera's lost frames, and detects a camera that repeats one picture."""

import numpy as np

from controller.vision.reading.light import noisy
from controller.vision.watching.observations import WatchFigures
from hardware.devices import Frame, Image


class FrameCount:
    """Counts the frames into `figures`.

    Two `live` pictures that show anything differ at least by noise; if they are equal, the camera is stuck.
    """

    def __init__(self, figures: WatchFigures, *, live: bool) -> None:
        self._figures = figures
        self._live = live
        self._small: Image | None = None
        self._number = 0
        self._changed = 0.0  # when the small picture last differed from the one before
        self._repeated = 0  # equal pictures since then

    @property
    def stuck(self) -> bool:
        """Whether a live camera's newest frame equals the one before it."""
        return self._live and self._figures.frozen_seconds > 0

    def add(self, frame: Frame) -> int:
        """Update the figures, and return how many exposures before this one were lost, repeated ones included."""
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
