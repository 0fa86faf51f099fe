"""The settings of reading the 20 hole. As in `settings`: each field with its unit and its source."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class HoleSettings:
    """Settings for distinguishing a disc in the 20 hole from the hole. Merit: visible share minus scatter in mm.
    Probabilities are those of `hole_model`; `python -m controller.training` reports their calibration.
    """

    depths: tuple[float, ...] = (1.0, 1.25, 1.6)  # times the nominal depth, which matters for an oblique camera
    tilt: float = 12.0  # degrees: a disc between floor and rim is tilted by 9 to 15
    leans_towards: int = 12  # directions that are tried
    lean_out: float = 4.5  # mm from the hole's axis: the centre of leaning discs' range
    lean_span: float = 2.4  # mm: half of leaning discs' range, with the fit's error
    lean_beside: float = 1.0  # mm sideways: leaning discs are opposite to their lowest point
    amiss_weight: float = 0.08  # merit per mm of displacement of a tilted outline. Source not recorded
    fair_excess: float = 0.4  # mm by which a disc's apparent radius may be off. From the model's boards
    excess_weight: float = 0.1  # merit per mm beyond it. From the same
    unchanged: float = 0.6  # of the insignificant change: with less all over the hole, outlines are not fitted
    same_look: float = 0.96  # the least correlation with the empty hole if it is unchanged
    most_slant: float = 30.0
    """Degrees off the vertical up to which a pose can be sure: the range of the boards that the model was fitted to.
    Measured at 30 to 50 degrees: one of 8 leaning discs was surely misread."""
    plainly_changed: float = 2.0
    """Of the insignificant change: with more in the hole's centre it is not empty. Measured: empty holes up to 1.2,
    with the camera 0.2 mm off."""
    known_colour: float = 8.0  # distance of colours to the nearest other disc. Measured: 5 within a side, 10 to hands
    empty_known: float = 0.2
    """Probability of empty above which no disc is read, if the empty hole is known. Measured, cross-validated on 120
    boards of two generators: no empty hole of 120 is below it, 9 of 240 discs are above and in doubt."""
    flat_unknown: float = 0.67
    """Probability of a flat disc above which one is read, if the empty hole is unknown. Measured on the ray-traced
    boards: 45 empty holes have at most 0.55; for leaning discs four of them have more than 0.75."""
    play: float = 2.4  # mm: the most play of a flat disc in the hole, with the fit's error
    same_colour: float = 2.5  # distance of colours. Measured: discs of one side up to 2, wooden floors from 3
    likely_support: float = 0.38  # strength of the edge along an outline, 0 to 1. Source not recorded
    surely_empty: float = 0.98
    """Probability below which a reading without a disc is in doubt, if the empty hole is known. From the same: none of
    240 discs is above it."""
    surely_empty_unknown: float = 0.95  # the same if unknown. Measured: a red disc in a photograph has 0.90
    sure_known: float = 0.98
    """Probability of the pose above which it is sure, if the empty hole is known. From the same: none of 240 discs is
    misread above it."""
    sure_unknown: float = 0.91  # the same if unknown: 0.99 on pictures like those of the model


@dataclass(frozen=True, slots=True)
class HoleLookSettings:
    """Settings for sampling the 20 hole and the wood around it."""

    step: float = 0.75  # mm between radii: about a pixel of the picture
    reach: float = 27.0  # mm from the hole's axis: nearer discs overhang the hole
    directions: int = 48  # directions, 2 mm apart at the hole's edge
    edge: float = 0.8  # mm beyond the hole's bevelled edge before plain wood begins
    overhang: float = 7.0  # mm: the farthest reach of a leaning disc beyond the hole's edge
    rim: float = 5.0  # mm within the hole's edge: its wall and the gap beside a disc
    beside: float = 1.5  # radii excluded around each other disc, for its side and shadow
    least_change: float = 0.05  # of the insignificant change: less is none
    proud: float = 4.5  # mm: the highest top of a flat disc in the hole. Standard: 2.5 to 4.5
    sheet: float = 0.1  # mm: the thickness of the disc that represents the hole's edge
    jitter: float = 0.3  # mm by which an edge may have moved since the empty hole was learnt
    mirrored: float = 30.0  # additional grey levels where reflections hide a place's brightness
    plain: float = 1.0  # distance of colours, and grey levels: less is camera noise
    like: float = 4.0  # distance of colours below which it is evidence for a disc. Measured: within a side up to 5
    unlike: float = 12.0
    """Distance of colours from both sides' discs beyond which it is no disc. Measured: a photographed red disc in the
    hole is 9.4 from the nearest red one, empty holes 10 and more."""
    least_seen: int = 12  # samples in a sixth of the ring: fewer are a sliver beside a disc's side


HOLE = HoleSettings()
HOLE_LOOK = HoleLookSettings()
