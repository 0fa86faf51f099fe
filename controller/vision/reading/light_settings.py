"""The settings of judging the light, each field with its unit and its source as in `settings`."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LightSettings:
    """How much more or less light readings bear; measured as the table in `light` says."""

    least_borne: float = 0.7
    """Of the light in which the camera was locked: with less, discs are lost."""
    most_borne: float = 1.15
    """The same: with more, discs are lost, and others come that are none."""
    usable: tuple[int, int] = (16, 215)
    """Grey levels, least and most, of which neither noise nor the scale's end hides a change of light of a fifth."""
    enough: int = 200
    """Samples: they tell the light to 1 %."""
    sampled: int = 4
    """Every so many pixels of a small picture."""
    brightest: float = 99.0
    """Per cent: the lines of a dark board are 1.5 % of the picture, and lighter."""
    black: int = 16
    """Grey levels: video's black, below which a camera's noise is cut off."""


LIGHT = LightSettings()
