"""The settings of the referee: one object for each stage, each field with its unit and its source.

A source is where a figure was measured, the thing whose size it is, or the reason for it. "Judged" is what was chosen
without a measurement, for the reason that stands there.
"""

from dataclasses import dataclass

from hardware.board import TOURNAMENT


@dataclass(frozen=True, slots=True)
class StoryPrices:
    """What a story costs for each thing in it that does not happen with every shot.

    In nats: minus the logarithm of about how often it happens. All are judged, and were checked on simulated evenings
    with hasty, forgetful and clumsy players. Only two things about them decide: which price is above which other one,
    and which sums of two or three prices stay below another price.
    """

    shot: float = 1.0
    """Somebody shot."""
    another_shot: float = 4.0
    """A further shot between the same two still boards."""
    another_rolled: float = 1.0
    """The same, when something was seen to roll as often."""
    another_filmed: float = 2.5
    """Added to both where a single shot was filmed from the hand to its end: another may be hidden by hands."""
    another_unwatched: float = 1.0
    """The same, when the camera saw nothing meanwhile."""
    rolled_by_nobody: float = 5.0
    """Something rolled over the board, and neither a shot nor people's tidying explains it."""
    nothing_rolled: float = 4.5
    """The disc of a shot was not seen to roll, although other rolls are filmed."""
    faint_not_seen: float = 1.8
    """The same of a disc that the film can't tell from the wood: of six such shots in a traced round five were seen to
    roll."""
    off_unseen: float = 3.5
    """A disc went off, lies nowhere to be seen, and was not filmed on its way over the edge."""
    filmed_by_nobody: float = 4.0
    """A disc was filmed on its way from the hand, and nobody shot. Judged: as rare as an end that is told wrongly."""
    filmed_otherwise: float = 4.0
    """A disc of the one shot was filmed to end otherwise than the story has it. Measured in the film's bench: 1.5 % of
    the ends are told wrongly, so it is 4.2 at most."""
    ditch_unexplained: float = 4.5
    """A disc lies in the ditch that nobody put there."""
    late_in_ditch: float = 1.5
    """A disc that went off earlier is seen in the ditch only now."""
    taken: float = 3.5
    """People take a disc in play off without being asked."""
    taken_by_nobody: float = 3.0
    """Added to `taken` when no hand was seen."""
    not_seen: float = 5.0
    """The camera overlooks a disc that lies still."""
    not_seen_again: float = 0.5
    """A disc that was overlooked before is overlooked again, or one may lie under a hand."""
    nudged: float = 1.5
    """A disc is pushed a little without a shot."""
    bumped: float = 3.4
    """The most that all pushed discs together cost: one bump pushes any number of them."""
    slid: float = 3.9
    """A disc that leaned into the hole falls into it by itself."""
    put_back: float = 0.3
    """A disc that was missing lies about where it was."""
    carried: float = 7.0
    """A disc is moved far by hand and left in play."""
    marked_moved: float = 1.0
    """A disc that had to come off is knocked to another place instead."""
    placed: float = 0.5
    """The next disc lies ready on the starting line."""
    placed_aside: float = 2.0
    """Added where a ready disc does not touch the starting line."""
    placed_elsewhere: float = 4.5
    """Added where a ready disc lies at a side of the board where its player does not sit."""
    placed_early: float = 2.5
    """The disc after the next one lies ready, out of turn."""
    short_shot: float = 5.0
    """A shot never left its starting line, and hit nothing."""
    short_rebound: float = 3.2
    """A shot hit something and came back to its starting line."""
    on_line_unfilmed: float = 4.5
    """A shot ends where discs are placed, at another seat than its player's, and no film tells of rolling."""
    in_hole_unexplained: float = 3.0
    """By the sensor a disc lay in the hole, and no disc can have been there."""
    strange: float = 10.0
    """Nothing explains a disc."""
    swept: float = 2.0
    """The board is cleared."""
    swept_by_nobody: float = 2.0
    """Added to `swept` when no hand was seen."""
    into_ditch: float = 2.0
    """Added to `swept` when discs are brushed into the ditch."""


@dataclass(frozen=True, slots=True)
class StorySettings:
    """What the stories tell apart by distance, and how many shots they tell."""

    nudge_mm: float = 10.0
    """mm: a disc that moved farther was carried, not nudged. Judged."""
    near_mm: float = 40.0
    """mm: as near as people remember where a disc lay. Judged."""
    aside_mm: float = 3.0
    """mm from the starting line: people who place a disc see that it does not touch. Judged."""
    most_shots: int = 3
    """Shots between two still boards: with more of them a reading comes between. Judged."""
    most_unwatched: int = 8
    """Shots while the camera saw nothing: half a round. Judged."""


@dataclass(frozen=True, slots=True)
class FilmedSettings:
    """When the film of a shot and the still boards speak of the same thing, and how sure the film is."""

    same_disc_mm: float = 8.0
    """mm: a disc on the board with which the film begins is the match's disc this near. Discs lie 32 mm apart."""
    same_place_mm: float = 12.0
    """mm: a disc that was seen to rest this near to where one lies is that one. The film's bench has 8 mm, and a disc
    may be nudged afterwards."""
    clear_mm: float = 6.0
    """mm between the edges of two discs, by the film, that surely did not touch: three times the error of a place where
    discs touch."""
    soft: float = 60.0
    """mm/s of a contact that may leave a disc where it lay: at a slant it gets half of that, and slides 0.4 mm."""
    turned_degrees: float = 10.0
    """Degrees by which a disc that met nothing may seem to turn from one sample to the next: 2 mm in 12."""
    near_line_mm: float = 4.0
    """mm from the outermost line, within which the film may take a disc for one that lies ready: the film does so
    within 3 mm (`FilmingSettings.aside_mm`), and places of one disc that are read twice differ by less than 1 mm."""
    far_mm: float = 100.0
    """mm over the surface, from which a new disc was shot and not placed: players place theirs at the line. Judged."""
    fast: float = 400.0
    """mm/s, the same. On the simulated table's films a hand once seemed to bring a disc at 385; the slowest of 611
    flicks had 699."""
    samples: int = 3
    """Of the shot disc, at least, before the film may say that it touched nothing: less is no way."""
    missed: float = 0.02
    """Probability that a disc was touched although the film saw all of the way and nothing near it. Measured in the
    film's bench: of contacts over 0.3 m/s 98 % were found."""
    sure: float = 0.97
    """Probability of a contact, or of none, from which nobody is asked: one wrong in 33 of what would be asked."""


@dataclass(frozen=True, slots=True)
class ContactSettings:
    """What counts as a motion and as touching, for discs that a shot may have grazed."""

    sigma_mm: float = 0.1
    """mm, one standard error of the difference of two measured places. On painted boards it was 0.02; real ones are
    allowed more."""
    still_sigmas: float = 3.0
    """Standard errors: a smaller difference is no motion. Judged."""
    touching_mm: float = 0.5
    """mm between two discs' edges: nobody can see such a gap, and the camera cannot be sure of it. Judged."""
    enough_discs: int = 3
    """Discs that lie still: with fewer, the shift of the whole board cannot be told from theirs. Judged."""

    @property
    def still_mm(self) -> float:
        """mm: less is no motion."""
        return self.still_sigmas * self.sigma_mm


@dataclass(frozen=True, slots=True)
class DifferenceSettings:
    """Which discs are the same on two boards."""

    moved_mm: float = 0.6
    """mm: twice the displacement that a static camera can tell from none; its bias cancels in a difference. Discs like
    the wood are told less well: of these, the standard error of the difference is no motion either."""
    exhaustive: int = 6
    """Moved discs of one side for which every pairing is tried: 6! are 720. For more the nearest are paired first,
    since 7! is too many to try."""


@dataclass(frozen=True, slots=True)
class DitchSettings:
    """Which discs are the same in two pictures of the ditch."""

    same_place_mm: float = 25.0
    """mm: discs in the ditch lie side by side, at least their diameter of 32 mm apart."""
    pushed_mm: float = 80.0
    """mm along the ditch: as far as a disc that falls in pushes one that lies there. Judged."""


@dataclass(frozen=True, slots=True)
class ReadBoardSettings:
    """Which of the discs that were read are left out when they are compared with the match."""

    in_hand_mm: float = 60.0
    """mm from what hides the ditch: a disc there may be one that a hand carries over it. Judged."""
    stranger_mm: float = 8.0
    """mm: a disc this near to a stranger's place is that stranger. Judged."""


@dataclass(frozen=True, slots=True)
class HoleSettings:
    """How the hole's sensor is read, and until when it is believed."""

    seated_seconds: float = 0.3
    """Seconds: a disc that skims the hole is gone sooner; the study's dwell for a twenty."""
    contradictions: int = 2
    """In a row, before the sensor is believed no more: a single one is a missed edge."""


@dataclass(frozen=True, slots=True)
class HintSettings:
    """How clear a fault of placing must be before people are told of it."""

    sure_mm: float = 1.0
    """mm over the limit before a fault is hinted at: four standard errors of a place at the starting line."""
    elsewhere_mm: float = 2 * TOURNAMENT.disc.radius
    """mm over the quadrant line, a disc's diameter: nobody who stays seated places a disc so far off. Judged."""


@dataclass(frozen=True, slots=True)
class ConductSettings:
    """What people do with the discs between the shots: clear, take off, put back, undo."""

    swept_short: int = 2
    """Shots that may be missing when the board is swept; when more are missing, people are asked. Judged."""
    sweep_discs: int = 2
    """Discs that go at once when a complete round is cleared: a single one may be a disc that had to come off."""
    astray_mm: float = 8.0
    """mm: a disc farther from where the match has it was moved by the shot that is undone. Judged."""
    put_back_mm: float = 10.0
    """mm: a disc that people put back at once lies this near to where it was. Judged."""
    late_shots: int = 2
    """Shots after which a disc that bounced back is taken off: before the next shot, or late, after it. Judged."""


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
    other_arm: float = 2.0
    """Nats for an arm from another quarter: people lean over, and others reach in; 1 in 7, judged."""
    seated_before: float = 1.0
    """Nats for the seats of the match before: people change sides often, judged."""
    known: float = 9.0
    """Nats at most: what was learnt or told is in question after one disc at another seat, and gone after two."""
    plausible: float = 4.0
    """Nats less than the best way: 1 in 55. A way this much less likely is still thought possible. Judged."""
    sure: float = 0.98
    """Probability of the best way; one disc well inside a quarter gives 0.988 or more."""
    same_place: float = 2.0
    """Degrees, 11 mm on the starting line: as far as a disc is nudged while its player aims."""


PRICES = StoryPrices()
STORIES = StorySettings()
FILMED = FilmedSettings()
CONTACT = ContactSettings()
DIFFERENCES = DifferenceSettings()
DITCH = DitchSettings()
READ_BOARD = ReadBoardSettings()
HOLE = HoleSettings()
HINTS = HintSettings()
CONDUCT = ConductSettings()
SEATS = SeatSettings()
