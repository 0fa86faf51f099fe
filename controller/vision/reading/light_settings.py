"""The settings for judging the light, each field with its unit and its source as in `settings`."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LightSettings:
    """The range of light that readings tolerate, measured by the table in `light`."""

    least_borne: float = 0.7
    """Share of the light in which the camera was locked: with less, discs are lost."""
    most_borne: float = 1.15
    """The same: with more, discs are lost, and false ones appear."""
    usable: tuple[int, int] = (16, 215)
    """Grey levels, least and most: between them neither noise nor saturation hides a change of light by a fifth."""
    enough: int = 200
    """Samples: enough to measure the light to 1 %."""
    sampled: int = 4
    """Pixels between the samples of a small picture."""
    brightest: float = 99.0
    """Per cent: the lines of a dark board are 1.5 % of the picture, and lighter."""
    black: int = 16
    """Grey levels: video's black, below which a camera's noise is cut off."""


LIGHT = LightSettings()
