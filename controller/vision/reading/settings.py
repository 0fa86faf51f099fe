"""The settings of reading a picture: one object for each step, each field with its unit and its source.

A source is where a figure was measured, the thing whose size it is, or the reason for it. "The view" is the board as
seen from straight above, `DiscSettings.step` a pixel. Colours are compared by `colours.distance`.
"""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class DiscSettings:
    """Settings for finding circles of the discs' size in the view from above."""

    step: float = 2.5  # mm per pixel of the view: a disc is 13 pixels wide. Measured: at 3 the first discs are lost


@dataclass(frozen=True, slots=True)
class BackgroundSettings:
    """Settings for detecting changes from the empty board, independent of the light."""

    blown_out: int = 240  # grey levels: reflections, which move with the lamps and hide what is under them
    patch: float = 30.0  # mm: light is compared in patches of this size, a whole number of the view's pixels
    patches_around: int = 7  # a patch's gain is the median of this many per direction: discs cover the smaller part
    noise: float = 4.0  # grey levels: camera noise after compression
    circle_pixels: int = 5
    """Pixels of the view within which a circle of the empty board is searched: its roundest place shifts with noise."""
    offset: np.float32 = np.float32(4)  # noqa: RUF009 - an immutable number
    """Grey levels added before a ratio, which would otherwise be noise in the dark."""
    jitter: float = 0.35  # pixels of the view by which an edge may have moved


DISCS = DiscSettings()
BACKGROUND = BackgroundSettings()
