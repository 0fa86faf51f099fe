"""The settings of the film: one object for each step, each field with its unit and its source.

A source is where a figure was measured, the thing whose size it is, or the reason for it. "Measured" is on the
simulated table's shots of the seeds below 100.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SpotSettings:
    """Finding discs in small pictures."""

    least_change: float = 8.0
    """Grey levels by which a pixel differs from the settled board: twice what JPEG's ripples and rounding make."""
    change_share: float = 0.3
    """Share of the weakest disc's contrast with the wood that is a change: soft shadows of discs stay below it."""
    least_contrast: float = 14.0
    """Grey levels between a disc and the wood: discs with less are not seen by the film, and it says so."""
    least_pixels: int = 6
    """Pixels of a piece of change that is looked at: a tenth of a disc at 3.5 mm a pixel."""
    most_discs: float = 30.0
    """Areas of a disc in a piece of change: more is light or a thing, and takes long to look for discs in."""
    gap_pixels: int = 3
    """Pieces that are nearer are looked at together."""
    margin_pixels: int = 6
    """Around a piece: a disc's radius and its soft edge."""
    one_disc: float = 1.35
    """Areas of a disc in a piece that is one disc with its shadow."""
    around_pixels: float = 1.5
    """Beyond a disc's radius from which its middle is taken."""
    apart: float = 3.0
    """Radii between the middles of discs whose streaks can be separated."""
    same_disc: float = 0.8
    """Radii between the middles of two spots that are one disc's."""
    least_share: float = 0.6
    """Share of a disc's area that must be seen."""
    core_share: float = 0.4
    """Share of a disc's place that must look like a disc: a streak as long as a disc has 0.6."""
    least_cover: float = 0.3
    """Share of a pixel that a disc covers: less is noise, grain or shadow."""
    most_spots: int = 9
    """In one piece of one kind."""


SPOTS = SpotSettings()


@dataclass(frozen=True, slots=True)
class StageSettings:
    """What is known of a settled board."""

    aside_mm: float = 3.0
    """mm from the starting line: a disc this near to it is taken for one that is to be shot, as the referee does."""
    beyond_mm: float = 25.0
    """mm beyond the surface's edge in which the wood's grey is measured, too. Measured: without them one recording's
    tan discs stay below `least_contrast`."""
    off_rail_mm: float = 4.0
    """mm inside the rail that are not looked at: the rail's own edge."""
    seen_height: float = 0.8
    """Share of a disc's thickness at which the middle of its outline in the picture lies. Measured."""
    beside_pixels: float = 2.5
    """Around a disc, its soft edge and its contact shadow."""
    inpaint_pixels: float = 3.0
    """From which the wood under a disc is taken."""
    near_pixels: float = 1.5
    """Within which a disc of the settled board is seen where it was read."""
    core: float = 0.5
    """Share of a disc's radius in which all pixels are the disc's."""
    same_light: float = 0.01
    """Share by which the light may differ from that in which the wood was seen: a grey level or two of rounding."""

    even_light: float = 0.1
    """Share by which the light on the surface differs from place to place: daylight's drifts stay below it."""


STAGE = StageSettings()


@dataclass(frozen=True, slots=True)
class SlidingSettings:
    """How discs slide and bounce, for guessing where they will be in the next picture. What is seen corrects it."""

    friction: float = 1080.0
    """mm/s2 by which a sliding disc slows down: 0.11 of gravity, a waxed board."""
    disc_bounce: float = 0.85
    """Restitution of two wooden discs."""
    peg_bounce: float = 0.65
    """Restitution of a disc and a peg with a rubber sleeve."""
    still: float = 20.0
    """mm/s: such a disc slides a fifth of a millimetre."""
    most_events: int = 12
    """Collisions between two pictures."""


SLIDING = SlidingSettings()


@dataclass(frozen=True, slots=True)
class TrackingSettings:
    """From spots to tracks."""

    place_mm: float = 1.2
    """Standard error of a spot's place. Measured: 1.0 mm, twice that in a fast disc's shadow."""
    touching_mm: float = 2.0
    """The same where discs touch."""
    push: float = 400.0
    """mm/s2, standard deviation of what else slows a disc down: wax, dust, a board that is not level."""
    bounced: float = 0.25
    """Share of the closing speed by which the speeds after it are unsure: the line of centres is known to 3 mm."""
    unknown_speed: float = 900.0
    """mm/s, standard deviation of the speed of a disc that was seen once."""
    fastest: float = 3200.0
    """mm/s: nobody flicks faster."""
    stirred_mm: float = 2.5
    """From its place, before a disc moved: two standard errors of a touching disc's place."""
    footprint: float = 0.7
    """Share of a disc's radius at which its place is probed: within its top, on which no other disc's shadow falls."""
    uncovered: int = 2
    """Of nine probes of a disc's place that differ from the settled board, when it may have left: one is a glint."""
    home_mm: float = 15.0
    """From its place, within which a disc may not have left it after all."""
    shaded_mm: float = 14.0
    """From a resting disc's place, within which a spot is its own: a shadow beside it moves it so far."""
    unseen_way_mm: float = 8.0
    """That a struck disc has moved by when its place may still look as before."""
    plain_bounce: float = 1.0
    """The same, from which it is taken for one; what bounced later will still be seen in the next picture."""
    sure_bounce: float = 9.0
    """By how much less, in squared standard errors, a bounce explains a disc's place than no bounce does: certain."""
    settles_seconds: float = 0.08
    """After which a disc that was thought struck and is where it lay has not moved."""
    resting_mm: float = 2.5
    """Standard error of a resting disc's place in others' shadows. Measured: up to 6 mm."""
    usual_speed: float = 400.0
    """mm/s that a disc may get unseen, at least."""
    usual_mm: float = 10.0
    """mm that its place may be off beside that."""
    shortest: float = 1e-3
    """Seconds between two pictures that a speed is taken from, at least."""
    recent_seconds: float = 0.15
    """In which an expected collision may still show: a few pictures separate a struck disc from a resting one."""
    past_mm: float = 12.0
    """Beyond two radii, within which a disc may have struck another although it was not expected to."""
    off_edge_mm: float = 8.0
    """Inside the surface's edge: what is seen nearer to the edge may be in the ditch."""
    new_price: float = 6.0
    """Price of a new spot, or one in the ditch, being seen again that far away; of `flicked_mm` and `again_mm`."""
    gate: float = 16.0
    """Squared standard errors, in which a spot is where a disc was expected: 1 in 3000 is farther."""
    elsewhere: float = 14.0
    """Price of a place that was not expected: an unseen collision."""
    elsewhere_mm: float = 40.0
    """Unit of the way from the expected place to such a place."""
    missed: float = 12.0
    """Price of a disc that is not seen although nothing hides it."""
    hidden: float = 1.0
    """The same where something hides it."""
    appears: float = 25.0
    """Price of a disc that nobody knew of: only the shot disc comes so, out of the hand."""
    appears_at_line: float = 8.0
    """The same near the starting line, where the shot disc is."""
    flicked_mm: float = 20.0
    """From where it was first seen, before something new is the shot disc: fingers stay behind."""
    line_mm: float = 45.0
    """Within the outer line, where the shot disc is first seen."""
    other_colour: float = 30.0
    """Price of a spot of another colour: more than of a disc that nobody knew of, for none changes its colour."""
    lost_seconds: float = 0.35
    """Without being seen, before a disc is lost sight of: an arm is passed in less."""
    again_mm: float = 50.0
    """Within which a disc in the ditch is seen again."""
    thrown_seconds: float = 0.2
    """Seconds of the speed at which it left, within which a disc that the rail throws back is seen again: three
    pictures at 15 a second. Measured: one that came back was over the ditch for 0.12 s."""
    hole_mm: float = 8.0
    """From the hole's middle: the surface does not carry a disc there."""


TRACKING = TrackingSettings()


@dataclass(frozen=True, slots=True)
class FilmSettings:
    """From tracks to what the film says."""

    gap_seconds: float = 0.15
    """Between two pictures: in a longer time discs meet and part unseen."""
    seen_lately: float = 0.12
    """Seconds before the end: a disc that was seen then is where it rests."""
    stopped: float = 90.0
    """mm/s: a disc so slow slides 4 mm at most; where it was seen last it rests, although it may fade into the wood."""
    moved_mm: float = 4.0
    """From its first place, less of a way is none."""
    first_seen_mm: float = 75.0
    """From a disc that stirred to where the shot disc then comes out of the hand: the shot disc struck it."""
    flown_mm: float = 40.0
    """A way that no sleeve pushes a disc unseen: it was struck."""
    fitted: int = 6
    """Samples from which a speed is taken: a fifth of a second at 30 frames a second."""
    predicted: float = 0.99
    """Probability of a contact that was expected where a resting disc then stirred. Measured: 462 of 464."""
    guessed: float = 0.94
    """The same where the striking disc was only the nearest. Measured: 32 of 34."""
    edge_mm: float = 12.0
    """Inside the surface's edge, where a disc that slides outwards and vanishes has left."""


FILM = FilmSettings()
