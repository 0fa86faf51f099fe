"""Watches the camera's focus: the lens of a Camera Module 3 drifts with heat.

Sharpness is measured on the full picture of a board at rest, since a few pixels of blur do not show in the small one.
It is the share of fine contrast in all contrast, so that dimmed light does not count as blur.
"""

import statistics
from collections import deque

import cv2
import numpy as np

from controller.messages import Message, say
from controller.vision.calibration.image_quality import sharpness
from hardware.devices import Image

MEASURED = 5  # the number of boards at rest in a median, since a single one may show a hand or sleeve

SMOOTHED = 1.2
"""Pixels by which the picture is smoothed first, to remove sensor noise, which no lens blurs. Measured on three
photographs: 0 to 4 grey levels of added noise change the shares below by 0.01; without smoothing by 0.4."""

LOST = 0.72
"""Share of the initial sharpness below which a warning is shown. Measured on painted boards and the photographs: 0.61
to 0.69 if the lens blurs each point to 2 pixels, 0.76 to 0.82 with one pixel, 0.99 to 1.15 with other discs or
light."""

FOUND = 0.85  # share above which the warning ends


class FocusWatch:
    """Watches one opened camera, on the camera's thread."""

    def __init__(self) -> None:
        self._first: list[float] = []
        self._newest: deque[float] = deque(maxlen=MEASURED)
        self._blurred = False

    def check(self, picture: Image) -> Message | None:
        """Check the full picture of a board at rest (H, W, 3). Returns the warning, if any."""
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
        self._blurred = share < (FOUND if self._blurred else LOST)
        if not self._blurred:
            return None
        return say(
            "The camera sees less sharply than when it began ({percent} %). Heat moves the lens of a Camera Module 3, "
            "and a touch blurs any. Wipe it, or have it focus again: switch the table off and on.",
            percent=round(100 * share),
        )
