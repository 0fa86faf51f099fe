"""Whether the camera still sees as sharply as when it began: the lens of a Camera Module 3 drifts with heat.

Measured on the full picture of a board at rest, since a few pixels of blur do not show in the small one. Fine contrast
is divided by all contrast, so that dimmed light does not count as blur.
"""

import statistics
from collections import deque

import cv2
import numpy as np

from controller.messages import Message, say
from controller.vision.calibration.image_quality import sharpness
from hardware.devices import Image

MEASURED = 5
"""Boards at rest whose median counts: one with a hand near it, or a sleeve, says nothing."""

SMOOTHED = 1.2
"""Pixels: the noise of the sensor, which no lens blurs, is smoothed away first. Measured on three photographs with 0 to
4 grey levels of noise added: it changes the shares below by 0.01; without smoothing by 0.4."""

LOST = 0.72
"""Share of the first sharpness below which it is told. Measured on painted boards and the photographs: 0.61 to 0.69
when the lens makes a disc of 2 pixels of each point, 0.76 to 0.82 with one pixel, 0.99 to 1.15 with other discs or
light."""

FOUND = 0.85
"""Share from which it is well again."""


class FocusWatch:
    """For the camera's thread. One for each camera that was opened."""

    def __init__(self) -> None:
        self._first: list[float] = []
        self._newest: deque[float] = deque(maxlen=MEASURED)
        self._told = False

    def see(self, picture: Image) -> Message | None:
        """Take the full picture of a board at rest (H, W, 3); what people are told, if anything."""
        grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
        smooth = np.asarray(cv2.GaussianBlur(grey, (0, 0), SMOOTHED), np.uint8)
        measured = sharpness(smooth) / max(1.0, float(np.std(grey)))
        if len(self._first) < MEASURED:
            self._first.append(measured)
            return None
        self._newest.append(measured)
        if len(self._newest) < MEASURED:
            return None
        share = statistics.median(self._newest) / max(1e-6, statistics.median(self._first))
        self._told = share < (FOUND if self._told else LOST)
        if not self._told:
            return None
        return say(
            "The camera sees less sharply than when it began ({percent} %). Heat moves the lens of a Camera Module 3, "
            "and a touch blurs any. Wipe it, or have it focus again: switch the table off and on.",
            percent=round(100 * share),
        )
