"""The settings of finding and measuring a board: one object for each step, each field with its unit and its source.

A source is where a figure was measured, the thing whose size it is, or the reason for it. "Drawing" is the board's own,
`hardware.board`.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FollowingSettings:
    """Settings for updating a calibration: after a bump, at a start, and when the board is seen empty."""

    moved_pixels: float = 0.3  # pixels at the outer line: less is scatter between pictures


@dataclass(frozen=True, slots=True)
class ImageQualitySettings:
    """Settings for whether a picture can be measured or read."""

    dark: float = 40.0  # grey levels: a picture whose brightest tenth is below is too dark
    blown: float = 250.0  # grey levels from which a pixel is blown out
    partly: float = 1.2  # of the three lines: a board is there, but not enough of it. Chance alone reaches 1
    sharp: float = 0.7  # grey levels of fine contrast. Measured: 2 to 12 in focus, 0.4 blurred by 4 pixels


FOLLOWING = FollowingSettings()
IMAGE_QUALITY = ImageQualitySettings()
