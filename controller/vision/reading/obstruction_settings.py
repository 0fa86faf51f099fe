"""The settings of telling what hides part of the board: each field with its unit and its source."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ObstructionSettings:
    """Telling a hand or a thing that hides part of the board."""

    inwards: float = 35.0
    """mm that the stretch that is looked at begins within the surface's edge. Source not recorded."""
    outwards: float = 45.0
    """mm that it goes on beyond the edge, over ditch and rail. Source not recorded."""
    apart: float = 5.0
    """mm between the radii at which it is looked at."""
    directions: int = 180
    """Directions around the board, two degrees apart."""
    beside: int = 40
    """Directions to either side that tell what is usual. Source not recorded."""
    beside_step: int = 5
    """Every so many of them are asked, and for every so many directions."""
    blur: int = 3
    """Pixels of the view."""
    unusual: float = 6.0
    """Distance of colours from what is usual at the same radius. Source not recorded."""
    mirrored: float = 0.6
    """Least over greatest gain of a primary. Measured: mirrored light 0.8 and more, arms up to 0.5."""
    full: int = 250
    """Grey levels from which a primary may have gained more than it shows."""
    whole: float = 0.85
    """Share of the stretch that the camera must see."""
    crossing: float = 0.6
    """Share of a direction's stretch that is unusual where something crosses it. Source not recorded."""
    narrowest: int = 2
    """Directions, of 11 mm: a thin wrist. Measured: arms 2 and more, boards without at most 1."""
    disc_margin: float = 1.5
    """Radii around each disc that are left out."""
    hiding: float = 1600.0
    """mm2, two discs. Measured: phones 12500, a disc that is not seen with its shadow up to 1300."""
    thin_pixels: int = 5
    """Pixels of the view: what is thinner is an edge of something that moved a little."""
    sharp: float = 20.0
    """Grey levels by which the difference from the empty board grows within `thin_pixels` at a thing's outline.
    Measured: arms and discs 40 to 110; a lamp's highlight 6, the shadows that it makes in the ditch 10 to 15."""
    own_edge: int = 20
    """Grey levels within `thin_pixels` from which the empty board has an edge there, stronger in other light."""
    outline: float = 25.0
    """mm of sharp outline, a quarter of a disc's. Measured: a hand at a dark rail 41, arms 52 and more; a lamp's light
    30."""
    sharp_share: float = 0.03
    """Share of its border that is sharp. Measured: arms and discs 0.06 and more, a lamp's light 0.015."""
    thing_outline: float = 60.0
    """mm of sharp outline of what lies within the rail and hides something. Measured: phones 210, what is left beside
    discs where a lamp was moved 49."""
    pattern: float = 2.0
    """Pixels: the standard deviation of the blur that leaves grain and lines."""
    pattern_pixels: int = 11
    """Pixels each way of the window in which the pattern is compared."""
    grain: float = 1.0
    """Grey levels: a pattern that spreads less is taken for noise of this size."""
    strong_grain: float = 15.0
    """Grey levels at which a pattern is cut, so that one edge does not outweigh the grain beside it."""
    goes_on: float = 0.6
    """Correlation from which the board's pattern goes on. Measured at 2.5 mm a pixel: under a lamp's highlight 0.7 in
    the quarter that shows least of it, hands 0.3 in the quarter that shows most."""
    other_light: float = 0.06
    """Share of the view that has changed without an outline. Measured: a lamp close by 0.25, discs' shadows 0.01."""


OBSTRUCTION = ObstructionSettings()
