"""The settings of the referee: one object for each stage, each field with its unit and its source.

A source is where a figure was measured, the thing whose size it is, or the reason for it. "Judged" is what was chosen
without a measurement, for the reason that stands there.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FilmedSettings:
    """When the film of a shot and the still boards speak of the same thing, and how sure the film is."""

    same_disc_mm: float = 8.0
    """mm: a disc on the board with which the film begins is the match's disc this near. Discs lie 32 mm apart."""
    same_place_mm: float = 12.0
    """mm: a disc that was seen to rest this near to where one lies is that one. The film's bench has 8 mm, and a disc
    may be nudged afterwards."""
    rail_turn: float = 300.0
    """mm/s by which the rail changes a disc's speed away from the hole. Measured: a disc from the rail 825, one that
    curls along the edge 75."""
    clear_mm: float = 6.0
    """mm between the edges of two discs, by the film, that surely did not touch: three times the error of a place where
    discs touch."""
    soft: float = 60.0
    """mm/s of a contact that may leave a disc where it lay: at a slant it gets half of that, and slides 0.4 mm."""
    turned_degrees: float = 10.0
    """Degrees by which a disc that met nothing may seem to turn from one sample to the next: 2 mm in 12."""
    near_line_mm: float = 4.0
    """mm from the outermost line, within which the film may take a disc for one that lies ready: the film does so
    within 3 mm (`StageSettings.aside_mm`), and places of one disc that are read twice differ by less than 1 mm."""
    far_mm: float = 100.0
    """mm over the surface, from which a new disc was shot and not placed: players place theirs at the line. Judged."""
    near_mm: float = 30.0
    """mm, up to which a new disc hardly moved: 6 of 513 simulated shots, each stopped by the disc that it struck."""
    fast: float = 400.0
    """mm/s, the same. On the simulated table's films a hand once seemed to bring a disc at 385; the slowest of 611
    flicks had 699."""
    lost_seconds: float = 0.2
    """Seconds between two sightings: of 3,652 shots in 69 simulated matches one was faster after so long a slower gap,
    from the rail; of 31 hands that looked like flicks, 24."""
    slides_seconds: float = 3.0
    """Seconds: no disc slides for longer. One that is found elsewhere after that long out of sight was moved again, or
    is another. Of 22,418 simulated tracks five of struck discs have such a gap."""
    samples: int = 3
    """Of the shot disc, at least, before the film may say that it touched nothing: less is no way."""
    missed: float = 0.02
    """Probability that a disc was touched although the film saw all of the way and nothing near it. Measured in the
    film's bench: of contacts over 0.3 m/s 98 % were found."""


@dataclass(frozen=True, slots=True)
class ColourSettings:
    """From which discs the sides' colours are learnt, and what speaks against an assignment of them."""

    log_odds: float = 3.0
    """Log-odds of being a disc from which a colour is learnt: where the reading is sure. Of simulated discs on the
    surface all but hands have more than 10; hands that were taken for discs had less than 0."""
    nobodys: float = 4.0
    """Nats for a board with a disc that has no side's colour: 1 in 50. Judged."""
    not_as_said: float = 6.0
    """Nats for a side that plays another colour than it said: 1 in 400. Judged."""
    not_by_turn: float = 0.2
    """Nats where sides showed their colours in another order than that of play: it decides between two assignments that
    explain the boards equally well. Judged."""
    not_as_certified: float = 2.0
    """Nats for a side that plays another colour than set-up certified for it: people exchange them. Judged."""


@dataclass(frozen=True, slots=True)
class HoleSettings:
    """How the hole's sensor is read, and until when it is believed."""

    seated_seconds: float = 0.3
    """Seconds: a disc that skims the hole is gone sooner; the study's dwell for a twenty."""


@dataclass(frozen=True, slots=True)
class SeatSettings:
    """How each piece of evidence changes what is thought of who sits where."""

    quarter: float = 45.0
    """Degrees to either side of a seat: half of its quadrant."""
    slack: float = 8.0
    """Degrees beyond the quadrant line: a disc may lie half over it."""
    beyond_line: float = 2.5
    """Nats for a disc within `slack`: a fault of placing that every rule set forbids; 1 in 12, judged."""
    other_seat: float = 6.0
    """Nats for a disc beyond `slack`: it is placed by somebody else than whose disc it is; 1 in 400, judged."""
    other_flick: float = 2.0
    """Nats for a flick from another quarter: people lean over, and films take hands for discs; 1 in 7, judged."""
    seated_before: float = 1.0
    """Nats for the seats of the match before: people change sides often, judged."""
    known: float = 9.0
    """Nats at most: what was learnt or said is in question after one disc at another seat, and gone after two."""
    plausible: float = 4.0
    """Nats less than the best way: 1 in 55. A way this much less likely is still thought possible. Judged."""
    sure: float = 0.98
    """Probability of the best way; one disc well inside a quarter gives 0.988 or more."""
    same_place: float = 2.0
    """Degrees, 11 mm on the starting line: as far as a disc is nudged while its player aims."""


FILMED = FilmedSettings()
HOLE = HoleSettings()
SEATS = SeatSettings()
COLOURS = ColourSettings()
