"""The settings of reading the 20 hole. As in `settings`: each field with its unit and its source."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class HoleSettings:
    """Settings for distinguishing a disc in the 20 hole from the hole. Merit: visible share minus scatter in mm.
    Probabilities are those of `hole_model`; `python -m controller.training` reports their calibration.
    """

    depths: tuple[float, ...] = (1.0, 1.25, 1.6)  # times the nominal depth, which matters for an oblique camera
    drawn_depths: tuple[float, ...] = (1.0, 1.6)  # likewise, of the drawings of flat discs
    flat_places: tuple[tuple[float, int], ...] = ((0.5, 6), (1.0, 12))  # share of the play, and how many there
    leans_towards: int = 12  # directions that are drawn. Measured: 24 are no better
    leans_out: tuple[float, ...] = (2.0, 4.0, 6.0)  # mm from the hole's axis. Measured: eight are no better
    lean_out: float = 4.5  # mm from the hole's axis: the centre of leaning discs' range
    lean_span: float = 2.4  # mm: half of leaning discs' range, with the fit's error
    unchanged: float = 0.6  # of the insignificant change: with less all over the hole, outlines are not fitted
    same_look: float = 0.96  # the least correlation with the empty hole if it is unchanged
    most_slant: float = 30.0
    """Degrees off the vertical up to which a pose can be sure: the range of the boards that the model was fitted to.
    Measured at 30 to 50 degrees: one of 8 leaning discs was surely misread."""
    plainly_changed: float = 2.0
    """Of the insignificant change: with more in the hole's centre it is not empty. Measured: empty holes up to 1.2,
    with the camera 0.2 mm off."""
    known_colour: float = 8.0  # distance of colours to the nearest other disc. Measured: 5 within a side, 10 to hands
    play: float = 2.4  # mm: the most play of a flat disc in the hole, with the fit's error
    usually_empty: float = 2.0
    """Prior odds of an empty hole: a twenty is lifted off before the next shot. An assumption, not measured."""
    empty: float = 0.5  # probability of an empty hole above which no disc is read
    likely: float = 0.85
    """Probability of the pose above which a disc of any colour is read if the empty hole is unknown. Measured on 26
    photographs: nine empty painted holes have 0.51 to 0.83."""
    same_colour: float = 2.5  # distance of colours. Measured: discs of one side up to 2, wooden floors from 3
    surely_empty: float = 0.98  # probability of it below which a reading without a disc is in doubt
    sure: float = 0.97
    """Probability of the pose above which it is sure. Measured, each kind of picture left out of the fit: of 271 with
    more, two are wrong."""


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
    slices: int = 4  # of a disc, whose circles make its outline
    blur: float = 1.0  # mm: a pixel of the picture
    core: float = 10.0  # mm from the hole's axis: a disc in the hole covers this
    gap: float = 2.5  # mm within the hole's edge: beside a disc that lies in the middle
    varies: float = 16.0  # variance of colours: less is camera noise. Measured: 1 to 64 are as good
    least_area: float = 1.0  # mm^2 of a part that has a colour
    sheet: float = 0.1  # mm: the thickness of the disc that represents the hole's edge
    jitter: float = 0.3  # mm by which an edge may have moved since the empty hole was learnt
    mirrored: float = 30.0  # additional grey levels where reflections hide a place's brightness
    plain: float = 1.0  # distance of colours, and grey levels: less is camera noise
    unveiled: float = 0.2  # share of a disc that keeps its colour beside a reflection
    like: float = 4.0  # distance of colours below which it is evidence for a disc. Measured: within a side up to 5
    unlike: float = 12.0
    """Distance of colours from both sides' discs beyond which it is no disc. Measured: a photographed red disc in the
    hole is 9.4 from the nearest red one, empty holes 10 and more."""
    least_seen: int = 12  # samples in a sixth of the ring: fewer are a sliver beside a disc's side


HOLE = HoleSettings()
HOLE_LOOK = HoleLookSettings()
