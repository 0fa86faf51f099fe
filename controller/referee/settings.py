"""The settings of the referee: one object for each stage, each field with its unit and its source.

A source is a measurement, the thing whose size it is, or a reason. A "judged" figure was chosen without a measurement,
for the reason given.
"""

from dataclasses import dataclass

SEATED = 0.3
"""Seconds in the hole: a disc that skims it is gone sooner; the study's dwell for a twenty."""


@dataclass(frozen=True, slots=True)
class FilmedSettings:
    """When the film of a shot and the boards at rest agree, and how certain the film is."""

    same_disc_mm: float = 8.0
    """mm: a disc on the film's first board is the match's disc within this distance. Discs are 32 mm apart."""
    same_place_mm: float = 12.0
    """mm: a disc filmed to rest within this distance of a disc is that one. The film's bench has 8 mm, and a disc may
    be nudged afterwards."""
    rail_turn: float = 300.0
    """mm/s by which the rail changes a disc's speed away from the hole. Measured: a disc from the rail 825, one that
    curls along the edge 75."""
    clear_mm: float = 6.0
    """mm between the edges of two discs, by the film, that certainly did not touch: three times the error of a place at
    a contact."""
    soft: float = 60.0
    """mm/s of a contact that may hardly move a disc: at a slant the disc gets half of that, and slides 0.4 mm."""
    turned_degrees: float = 10.0
    """Degrees by which a disc that met nothing may seem to turn from one sample to the next: 2 mm in 12."""
    near_line_mm: float = 4.0
    """mm from the outermost line within which the film may take a disc for a ready one: it does so within 3 mm
    (`ASIDE_MM` of the filmer), and two readings of a disc's place differ by less than 1 mm."""
    far_mm: float = 100.0
    """mm over the surface beyond which a new disc was shot, not placed: players place discs at the line. Judged."""
    near_mm: float = 30.0
    """mm below which a new disc hardly moved: 6 of 513 simulated shots did, each stopped by the disc that it struck."""
    fast: float = 400.0
    """mm/s from which a new disc was shot. In simulated films a hand once seemed to bring a disc at 385; the slowest of
    611 flicks had 699."""
    lost_seconds: float = 0.2
    """Seconds out of sight between two sightings. Of 3,652 shots in 69 simulated matches one was faster after such a
    gap than in it, from the rail; of 31 hands that looked like flicks, 24."""
    slides_seconds: float = 3.0
    """Seconds: no disc slides for longer. One found elsewhere after this long out of sight was moved again, or is
    another disc. Of 22,418 simulated tracks five of struck discs have such a gap."""
    samples: int = 3
    """Of the shot disc, at least, for the film to show that it touched nothing: fewer are no path."""
    missed: float = 0.02
    """Probability that a disc was touched although the film shows the whole path and nothing near it. Measured in the
    film's bench: of contacts over 0.3 m/s 98 % were found."""


@dataclass(frozen=True, slots=True)
class ColourSettings:
    """Which discs show the sides' colours, and the evidence against an assignment of them."""

    log_odds: float = 3.0
    """Log-odds of being a disc from which a colour is learnt: the reading is sure. All simulated discs on the surface
    have more than 10; hands read as discs had less than 0."""
    nobodys: float = 4.0
    """Nats for a disc that has no side's colour: 1 in 50. Judged."""
    not_as_said: float = 6.0
    """Nats for a side that plays another colour than it chose, or than in rounds that people agreed to: 1 in 400.
    Judged."""
    not_by_turn: float = 0.2
    """Nats if sides showed their colours in another order than that of play: it decides between two assignments that
    explain the boards equally well. Judged."""
    not_as_certified: float = 2.0
    """Nats for a side that plays another colour than set-up certified for it: people exchange them. Judged."""


@dataclass(frozen=True, slots=True)
class SeatSettings:
    """How each piece of evidence changes the weights of seatings."""

    quarter: float = 45.0
    """Degrees to either side of a seat: half of its quadrant."""
    slack: float = 8.0
    """Degrees beyond the quadrant line: half of a disc may be over it."""
    beyond_line: float = 2.5
    """Nats for a disc within `slack`: a fault of placing that every rule set forbids; 1 in 12, judged."""
    other_seat: float = 6.0
    """Nats for a disc beyond `slack`: somebody other than its owner placed it; 1 in 400, judged."""
    other_flick: float = 2.0
    """Nats for a flick from another quarter: people lean over, and films show hands as discs; 1 in 7, judged."""
    seated_before: float = 1.0
    """Nats for a seating other than the previous match's: people often change sides, judged."""
    known: float = 9.0
    """Nats at most: a seating learnt or entered is in doubt after one disc at another seat, and dropped after two."""
    plausible: float = 4.0
    """Nats below the best seating, 1 in 55, up to which a seating is plausible. Judged."""
    sure: float = 0.98
    """Probability of the best seating from which it is known; one disc well inside a quarter gives 0.988 or more."""
    same_place: float = 2.0
    """Degrees, 11 mm on the starting line, by which a disc is nudged while its player aims."""


FILMED = FilmedSettings()
SEATS = SeatSettings()
COLOURS = ColourSettings()
