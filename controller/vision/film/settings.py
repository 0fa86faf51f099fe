"""The settings of the film: one object for each step, each field with its unit and its source.

A source is where a figure was measured, the thing whose size it is, or the reason for it. "Measured" is on the
simulated table's shots of the seeds below 100.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SpotSettings:
    """Settings for finding discs in small pictures."""

    least_change: float = 8.0
    """Grey levels by which a changed pixel differs from the settled board: twice JPEG artefacts and rounding."""
    change_share: float = 0.3
    """Share of the weakest disc's contrast with the wood that counts as a change: discs' soft shadows stay below it."""
    least_contrast: float = 14.0
    """Grey levels between a disc and the wood: the film does not see discs with less, and reports that."""
    least_pixels: int = 6
    """Pixels of the smallest changed area that is searched: a tenth of a disc at 3.5 mm a pixel."""
    most_discs: float = 30.0
    """Areas of a disc in the largest changed area that is searched: more is light or an object, and takes long."""
    gap_pixels: int = 3
    """Pixels: changed areas nearer than this are searched together."""
    margin_pixels: int = 6
    """Pixels around a changed area: a disc's radius and its soft edge."""
    one_disc: float = 1.35
    """Areas of a disc that one disc with its shadow covers at most."""
    around_pixels: float = 1.5
    """Pixels beyond a disc's radius that count for its centre."""
    apart: float = 3.0
    """Radii between the centres of discs from which their streaks are separate."""
    same_disc: float = 0.8
    """Radii between the centres of two spots below which they are one disc's."""
    least_share: float = 0.6
    """Share of a disc's area that must be seen."""
    core_share: float = 0.4
    """Share of a disc's place that must look like a disc: a streak as long as a disc has 0.6."""
    least_cover: float = 0.3
    """Share of a pixel that a disc covers: less is noise, grain or shadow."""
    most_spots: int = 9
    """The most in one changed area and tone."""


SPOTS = SpotSettings()


@dataclass(frozen=True, slots=True)
class StageSettings:
    """Settings for a settled board."""

    aside_mm: float = 3.0
    """mm from the starting line: a disc this near to it counts as ready to be shot, as for the referee."""
    beyond_mm: float = 25.0
    """mm beyond the surface's edge in which the wood's grey is measured too. Measured: without them one recording's
    tan discs stay below `least_contrast`."""
    off_rail_mm: float = 4.0
    """mm inside the rail that are ignored: the rail's own edge."""
    seen_height: float = 0.8
    """Share of a disc's thickness: the height of its apparent centre in the picture. Measured."""
    beside_pixels: float = 2.5
    """Pixels around a disc: its soft edge and its contact shadow."""
    inpaint_pixels: float = 3.0
    """Pixels around a disc from which the wood under it is filled in."""
    near_pixels: float = 1.5
    """Pixels between a settled disc's place as read and its spot, at most."""
    core: float = 0.5
    """Share of a disc's radius within which all pixels are the disc's."""
    same_light: float = 0.01
    """Share by which the light may differ from that in which the wood was seen: a grey level or two of rounding."""
    even_light: float = 0.1
    """Share by which even light varies over the surface: daylight's drifts stay below it."""


STAGE = StageSettings()


@dataclass(frozen=True, slots=True)
class SlidingSettings:
    """How discs slide and bounce, to predict their places in the next picture, which then corrects them."""

    friction: float = 1080.0
    """mm/s2 by which a sliding disc slows down: 0.11 of gravity, a waxed board."""
    disc_bounce: float = 0.85
    """Restitution of two wooden discs."""
    peg_bounce: float = 0.65
    """Restitution of a disc and a peg with a rubber sleeve."""
    still: float = 20.0
    """mm/s: a disc this slow slides a fifth of a millimetre."""
    most_events: int = 12
    """The most collisions between two pictures."""


SLIDING = SlidingSettings()


@dataclass(frozen=True, slots=True)
class TrackingSettings:
    """Settings for turning spots into tracks. Prices are squared standard errors."""

    place_mm: float = 1.2
    """Standard error of a spot's place. Measured: 1.0 mm, twice that in a fast disc's shadow."""
    touching_mm: float = 2.0
    """The same where discs touch."""
    push: float = 400.0
    """mm/s2, standard deviation of other decelerations: wax, dust, a board that is not level."""
    bounced: float = 0.25
    """Share of the closing speed by which the speeds afterwards are uncertain: the line of centres is known to 3 mm."""
    unknown_speed: float = 900.0
    """mm/s, standard deviation of the speed of a disc that was seen once."""
    fastest: float = 3200.0
    """mm/s: nobody flicks faster."""
    stirred_mm: float = 2.5
    """From its place, beyond which a disc has moved: two standard errors of a touching disc's place."""
    footprint: float = 0.7
    """Share of a disc's radius at which its place is probed: within its top, on which no other disc's shadow falls."""
    uncovered: int = 2
    """Of a disc's nine probes: if this many differ from the settled board, it may have left; one is a glint."""
    home_mm: float = 15.0
    """From its place, within which a disc may not have left after all."""
    shaded_mm: float = 14.0
    """From a resting disc's place, within which a spot is its own: a shadow beside it shifts the spot this far."""
    unseen_way_mm: float = 8.0
    """The farthest that a struck disc has moved while its place may still look unchanged."""
    plain_bounce: float = 1.0
    """As `sure_bounce`, to count as a bounce: a later one will still be seen in the next picture."""
    sure_bounce: float = 9.0
    """Squared standard errors by which a bounce explains a disc's place better than none does, to be certain."""
    settles_seconds: float = 0.08
    """After which a disc that seemed struck and is still at its place has not moved."""
    resting_mm: float = 2.5
    """Standard error of a resting disc's place in others' shadows. Measured: up to 6 mm."""
    usual_speed: float = 400.0
    """mm/s, the least assumed for a disc that may have started unseen."""
    usual_mm: float = 10.0
    """mm of error of its place, in addition."""
    shortest: float = 1e-3
    """Seconds, the least between two pictures for a speed."""
    recent_seconds: float = 0.15
    """In which an expected collision may still show: a few pictures separate a struck disc from a resting one."""
    past_mm: float = 12.0
    """Beyond two radii, within which a disc may have struck another unexpectedly."""
    off_edge_mm: float = 8.0
    """Inside the surface's edge: a spot nearer to the edge may be in the ditch."""
    new_price: float = 6.0
    """Price of seeing a new disc `flicked_mm` away, or one in the ditch as far away as it may be; less when nearer."""
    gate: float = 16.0
    """Squared standard errors within which a spot is at a disc's expected place: 1 in 3000 is farther."""
    elsewhere: float = 14.0
    """Price of an unexpected place: an unseen collision."""
    elsewhere_mm: float = 40.0
    """From the expected place to such a place, for each 1 that is added to that price."""
    missed: float = 12.0
    """Price of not seeing a disc that nothing hides."""
    hidden: float = 1.0
    """The same if something hides it."""
    appears: float = 25.0
    """Price of an unknown disc: only the shot disc appears, out of the hand."""
    appears_at_line: float = 8.0
    """The same near the starting line, where the shot disc is."""
    flicked_mm: float = 20.0
    """From its first place, beyond which a new object is the shot disc: fingers stay behind."""
    line_mm: float = 45.0
    """Within the outer line, where the shot disc is first seen."""
    other_colour: float = 30.0
    """Price of a spot of another colour: more than of an unknown disc, since no disc changes its colour."""
    lost_seconds: float = 0.35
    """Without being seen, before a disc counts as lost: it passes an arm in less."""
    again_mm: float = 50.0
    """Within which a disc in the ditch is seen again."""
    thrown_seconds: float = 0.2
    """At the speed at which it left, within which a disc that the rail throws back is seen again: three pictures at 15
    a second. Measured: one that came back was over the ditch for 0.12 s."""
    hole_mm: float = 8.0
    """Beyond the hole's radius, within which a disc that vanished has fallen in."""


TRACKING = TrackingSettings()


@dataclass(frozen=True, slots=True)
class FilmSettings:
    """Settings for turning tracks into a film."""

    gap_seconds: float = 0.15
    """Between two pictures: in a longer gap discs meet and part unseen."""
    seen_lately: float = 0.12
    """Seconds before the end: a disc seen since then rests where it was seen."""
    stopped: float = 90.0
    """mm/s: a disc this slow slides 4 mm at most, so it rests where last seen, although it may fade into the wood."""
    moved_mm: float = 4.0
    """From its first place: a shorter way is no movement."""
    first_seen_mm: float = 75.0
    """From a disc that moved to the shot disc's first place out of the hand: nearer, the shot disc struck it."""
    flown_mm: float = 40.0
    """A way farther than a sleeve pushes a disc unseen: it was struck."""
    fitted: int = 6
    """Samples from which a speed is taken: a fifth of a second at 30 frames a second."""
    predicted: float = 0.99
    """Probability of an expected contact if a resting disc then moved. Measured: 462 of 464."""
    guessed: float = 0.94
    """The same if the striking disc was only the nearest. Measured: 32 of 34."""
    edge_mm: float = 12.0
    """Inside the surface's edge: a disc that slides outwards and vanishes there has left."""


FILM = FilmSettings()
