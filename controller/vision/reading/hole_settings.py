"""The settings of reading the 20 hole. As in `settings`: each field with its unit and its source."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class HoleSettings:
    """Telling a disc in the 20 hole, flat or leaning, from the hole itself. Merit: visible share less scatter in mm.

    Probabilities are those of `hole_model`; `python -m controller.training` says what they are worth.
    """

    depths: tuple[float, ...] = (1.0, 1.25, 1.6)  # times the nominal depth, which matters for a camera askew
    tilt: float = 12.0  # degrees: a disc between floor and rim is tilted by 9 to 15
    leans_towards: int = 12  # directions that are tried
    lean_out: float = 4.5  # mm from the hole's axis: in the middle of what leaning discs have
    lean_span: float = 2.4  # mm: half of what leaning discs are apart from that, with the fit's error
    lean_beside: float = 1.0  # mm: they lie opposite to where they are lowest
    amiss_weight: float = 0.08  # merit per mm by which a tilted outline is amiss. Source not recorded
    fair_excess: float = 0.4  # mm by which a disc may look too large or too small. From the model's boards
    excess_weight: float = 0.1  # merit per mm beyond it. From the same
    unchanged: float = 0.6  # of the change that means nothing: less, all over a hole, and nobody need look at outlines
    same_look: float = 0.96  # correlation with the empty hole, at least, for the same
    most_slant: float = 30.0
    """Degrees off the vertical up to which it can be sure how a disc lies: the boards that the model is fitted to were
    seen so. Measured at 30 to 50 degrees: of 8 leaning discs one was surely something else."""
    plainly_changed: float = 2.0
    """Of the change that means nothing: more in the hole's middle, and it is not empty. Measured: empty holes up to
    1.2, with the camera 0.2 mm off."""
    known_colour: float = 8.0  # distance of colours to the nearest other disc. Measured: 5 within a side, 10 to hands
    empty_known: float = 0.2
    """Probability of empty above which no disc is read, where the empty hole is known. Measured, cross-validated on 120
    boards of two generators: no empty hole of 120 is below it, 9 of 240 discs are above and in doubt."""
    flat_unknown: float = 0.67
    """Probability of a flat disc above which one is read, where the empty hole is not known. Measured on the ray-traced
    boards: 45 empty holes have at most 0.55; for leaning discs four of them have more than 0.75."""
    play: float = 2.4  # mm: a disc flat in the hole has at most this much play, with the fit's own error
    same_colour: float = 2.5  # distance of colours. Measured: discs of one side up to 2, wooden floors from 3
    likely_support: float = 0.38  # strength of the edge along an outline, 0 to 1. Source not recorded
    surely_empty: float = 0.98
    """Probability below which a reading without a disc there is in doubt, where the empty hole is known. From the same:
    of 240 discs none is above it."""
    surely_empty_unknown: float = 0.95  # the same where it is not known. Measured: a red disc in a photograph has 0.90
    sure_known: float = 0.98
    """Probability of the pose above which it is sure, where the empty hole is known. From the same: of 240 discs none
    is another's above it."""
    sure_unknown: float = 0.91  # the same where it is not known: 0.99 on pictures like those of the model


@dataclass(frozen=True, slots=True)
class HoleLookSettings:
    """Sampling the 20 hole and the wood around it."""

    step: float = 0.75  # mm between radii: about a pixel of the picture
    reach: float = 27.0  # mm from the hole's axis: a disc elsewhere that is nearer overhangs the hole
    directions: int = 48  # directions, 2 mm apart at the hole's edge
    edge: float = 0.8  # mm beyond the hole's edge, which is broken, that is no plain wood yet
    overhang: float = 7.0  # mm: a disc that leans reaches at most this far beyond the hole's edge; beyond it is wood
    rim: float = 5.0  # mm within the hole's edge: where its wall and the gap beside a disc are seen
    beside: float = 1.5  # radii around each other disc that are left out, for its side and its shadow
    least_change: float = 0.05  # of the change that means nothing: less is none
    proud: float = 4.5  # mm: the top of a disc flat in the hole is at most so high. Standard: 2.5 to 4.5
    sheet: float = 0.1  # mm: the height of a disc that stands for the hole's edge, which has none
    jitter: float = 0.3  # mm by which an edge may have moved since the empty hole was learnt
    mirrored: float = 30.0  # grey levels besides, where mirrored light hides how bright a place is
    plain: float = 1.0  # distance of colours, and grey levels: what is less is a camera's noise
    like: float = 4.0  # distance of colours: nearer, it speaks for a disc. Measured: within a side up to 5
    unlike: float = 12.0
    """Distance of colours: nothing as far from both sides' discs is one of them. Measured: a photographed red disc in
    the hole is 9.4 from the nearest red one, empty holes 10 and more."""
    least_seen: int = 12  # samples of a sixth of the ring: less is a sliver beside a disc's own side


HOLE = HoleSettings()
HOLE_LOOK = HoleLookSettings()
