"""The settings for detecting what hides part of the board: each field with its unit and its source."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ObstructionSettings:
    """Settings for detecting a hand or an object that hides part of the board."""

    inwards: float = 35.0
    """mm from the surface's edge inwards to the start of the sampled stretch. Source not recorded."""
    far_inwards: float = 290.0
    """mm, the same to find the end of an object if the empty board is not known."""
    arm_rows: int = 3
    """Sampled radii: what is strange at fewer is a line, in 15 mm."""
    outwards: float = 45.0
    """mm from the edge outwards to its end, over ditch and rail. Source not recorded."""
    apart: float = 5.0
    """mm between the sampled radii."""
    directions: int = 180
    """Directions around the board, two degrees apart."""
    beside: int = 40
    """Directions to either side that define the usual colour. Source not recorded."""
    beside_step: int = 5
    """Directions between those that are sampled, and between those for which the usual colour is computed."""
    blur: int = 3
    """Pixels of the view."""
    unusual: float = 6.0
    """Distance of colours from the usual one at the same radius. Source not recorded."""
    mirrored: float = 0.6
    """Least over greatest gain of a primary. Measured: reflections 0.8 and more, arms up to 0.5."""
    mirroring: float = 0.75
    """Share of an object that mirrors light if it is only light. Measured: one lamp's highlight on a black board
    0.89, the hands of one picture up to 0.1."""
    wood_step: int = 4
    """Pixels between samples of the bare board's colour, each way."""
    full: int = 250
    """Grey levels from which a primary may have gained more than it shows."""
    whole: float = 0.85
    """Share of the stretch that the picture must show."""
    crossing: float = 0.6
    """Share of a direction's stretch that is unusual if something crosses it. Source not recorded."""
    narrowest: int = 2
    """Directions, of 11 mm: a thin wrist. Measured: arms 2 and more, boards without at most 1."""
    disc_margin: float = 1.5
    """Radii around each disc that are excluded."""
    hiding: float = 1600.0
    """mm2, two discs. Measured: phones 12500, an unseen disc with its shadow up to 1300."""
    thin_pixels: int = 5
    """Pixels of the view: a thinner area is an edge of something that moved slightly."""
    sharp: float = 20.0
    """Grey levels by which the difference from the empty board grows within `thin_pixels` at an object's outline.
    Measured: arms and discs 40 to 110; a lamp's highlight 6, its shadows in the ditch 10 to 15."""
    own_edge: int = 20
    """Grey levels within `thin_pixels` from which the empty board has an edge there, stronger in other light."""
    outline: float = 25.0
    """mm of sharp outline, a quarter of a disc's. Measured: a hand at a dark rail 41, arms 52 and more; a lamp's light
    30."""
    sharp_share: float = 0.03
    """Share of an object's border that is sharp. Measured: arms and discs 0.06 and more, a lamp's light 0.015."""
    thing_outline: float = 60.0
    """mm of sharp outline of an object within the rail that hides something. Measured: phones 210, changes beside discs
    after a lamp was moved 49."""
    pattern: float = 2.0
    """Pixels: the standard deviation of the blur that leaves grain and lines."""
    pattern_pixels: int = 11
    """Pixels: the side of the window in which the pattern is compared."""
    grain: float = 1.0
    """Grey levels: a pattern with less spread counts as noise of this size."""
    strong_grain: float = 15.0
    """Grey levels at which a pattern is clipped, so that one edge does not outweigh the grain beside it."""
    goes_on: float = 0.6
    """Correlation from which the board's pattern is visible. Measured at 2.5 mm a pixel: under a lamp's highlight 0.7
    in the quarter with the least, under hands 0.3 in the quarter with the most."""
    other_light: float = 0.06
    """Share of the view that has changed without an outline. Measured: a nearby lamp 0.25, discs' shadows 0.01."""


OBSTRUCTION = ObstructionSettings()
