"""One hypothesis's knowledge when a board is read: which discs did not move, and the costs of that and of shots."""

import math
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from statistics import median

from controller import rules
from controller.match import events as ev
from controller.match.state import MatchState
from controller.referee.association import STRIKES
from controller.referee.evidence import ANYWHERE, IMPOSSIBLE, cost_of, cost_of_absence, log_sum_exp, mm, spread
from controller.referee.filmed import Filmed
from controller.referee.observation import Observation
from controller.vision.readings import AT_HOLE, BoardReading, SeenDisc
from controller.vision.side_colours import SetColours
from hardware.board import TOURNAMENT

STILL_SIGMAS = 6.0
"""Standard errors within which a disc of the same side and pose is the same disc: no other assignment can be the best,
since discs are 32 mm apart."""

STILL_AT_HOLE = 3.0
"""mm by which a leaning disc seems to move when its pose is read differently; it can't be elsewhere over the hole.
Judged."""

ANYWHERE_AT_HOLE = math.log(STILL_AT_HOLE**2 / (2 * mm("still at hole") ** 2))
"""Nats for a place anywhere over the hole, relative to exactly the place of a disc that did not move."""

BUMPED = 12.0
"""mm by which a bump moves the whole board before it is located again. Judged."""
ENOUGH = 3
"""Discs with the same shift that show a shift of the whole board; fewer may have moved themselves. Judged."""

SURELY = 20.0
"""The highest useful log-odds of being a disc."""

LEAST = 1e-9
"""The lowest useful probability."""

MayBeReady = Callable[[SeenDisc, int], bool]


@dataclass(frozen=True, slots=True)
class Ghost:
    """A disc that was read in the empty hole; and whether the hole was read as empty since."""

    disc: SeenDisc
    seen_empty: bool = False


@dataclass(frozen=True)
class Situation:
    """One hypothesis's knowledge when a board is read."""

    state: MatchState
    seen: Observation
    overlooked: Container[str]
    may_be_ready: MayBeReady
    film: Filmed | None
    ready: tuple[SeenDisc, ...] = ()  # the discs ready on the previous board
    left_lying: frozenset[str] = frozenset()  # discs that had to come off on the board before, and were left
    ghost: Ghost | None = None
    at_hole_before: SeenDisc | None = None  # on the last board
    posed: str = ""  # the clearest reading of the disc at the hole, by its name in the table of evidence
    to_put_back: Mapping[str, ev.Measured] = field(default_factory=dict)  # former places of discs people may put back
    unseen: frozenset[str] = frozenset()  # shot discs recorded as off that were not seen there
    another_filmed: bool = False  # the film shows a shot by another side than the one to shoot
    unmoved: frozenset[str] = frozenset()  # discs that did not move in a film without a shot
    new_disc: str | None = None  # the film of a new disc, by its name in the table of evidence

    @cached_property
    def shift(self) -> tuple[float, float]:
        """The common shift of all discs, in mm: the board was bumped, or the calibration adjusted."""
        known = ((self.state.side_of(name), lay) for name, lay in self.state.measured.items())
        moves = [move for side, lay in known if (move := self._move_to_nearest(side, lay)) is not None]
        if len(moves) < ENOUGH:
            return 0.0, 0.0
        dx, dy = median(x for x, _ in moves), median(y for _, y in moves)
        together = sum(math.hypot(x - dx, y - dy) <= STILL_SIGMAS * mm("still") for x, y in moves)
        return (dx, dy) if together >= ENOUGH and 2 * together > len(moves) else (0.0, 0.0)

    def _move_to_nearest(self, side: str, lay: ev.Measured) -> tuple[float, float] | None:
        """From a flat disc's place to the nearest one of its side, if a bump can be that large."""
        flat = (d for d in self.seen.discs if d.side == side and d.pose == lay.pose == "flat")
        moves = [(d.x - lay.x, d.y - lay.y) for d in flat]
        near = min(moves, key=lambda move: math.hypot(*move), default=(BUMPED, 0.0))
        return near if math.hypot(*near) < BUMPED else None

    def away(self, lay: ev.Measured | SeenDisc, d: SeenDisc) -> float:
        """A disc's distance from its place before, in mm, without the common shift."""
        return math.hypot(d.x - lay.x - self.shift[0], d.y - lay.y - self.shift[1])

    def error(self, lay: ev.Measured | SeenDisc, d: SeenDisc) -> float:
        """Standard error of a disc's apparent movement, in mm. Most of a place's error is the same in every picture of
        a camera and cancels, less so for a disc that looks like the wood. It cancels only if the same part of the disc
        is visible.
        """
        unlike = math.sqrt(max(0.0, 1 - d.visible**2))
        return max(mm("still"), math.hypot(lay.sigma, d.sigma) * max(1 / STILL_SIGMAS, unlike))

    def within_error(self, lay: ev.Measured | SeenDisc, d: SeenDisc) -> bool:
        """Whether a disc may lie where it lay: its apparent movement is no more than its error allows."""
        return self.away(lay, d) <= STILL_SIGMAS * self.error(lay, d)

    def jitter(self, lay: ev.Measured | SeenDisc, d: SeenDisc) -> float:
        """Nats per mm2 that a disc which did not move is measured there."""
        return log_sum_exp(
            cost_of_absence("still, outliers") + spread(self.away(lay, d), self.error(lay, d)),
            cost_of("still, outliers") + spread(self.away(lay, d), mm("still, outlier")),
        )

    @cached_property
    def still(self) -> Mapping[str, SeenDisc]:
        """The known discs that did not move, as seen now."""
        still: dict[str, SeenDisc] = {}
        free = list(self.seen.discs)
        for name, lay in self.state.measured.items():
            side = self.state.side_of(name)
            here = [d for d in free if (_may_be(d, side) or self._shown_before(d)) and _is_at(lay, d, self)]
            if here:
                d = min(here, key=lambda d: self.away(lay, d))
                free.remove(d)
                still[name] = as_it_lay(lay, d)
        return still

    def _shown_before(self, d: SeenDisc) -> bool:
        """Whether a disc at the hole has the colour that the last board showed there. Its rim is in shadow and half of
        it over the dark hole: a disc that was taken for another's once looks so until it moves."""
        before = self.at_hole_before
        return before is not None and d.pose in AT_HOLE and not self._differ(d, before)

    def _differ(self, d: SeenDisc, other: SeenDisc) -> bool:
        """Whether two discs differ in colour."""
        return SetColours(self.state.certified).differ(d.lab, other.lab)

    @cached_property
    def _free(self) -> list[SeenDisc]:
        """The unexplained discs: all except the known ones that did not move."""
        still = {(it.x, it.y, it.side) for it in self.still.values()}  # in any pose
        return [d for d in self.seen.discs if (d.x, d.y, d.side) not in still]

    @cached_property
    def still_ready(self) -> list[SeenDisc]:
        """Unexplained discs that were ready on the previous board already."""
        return [d for lay in self.ready for d in self._free if _is_still_ready(lay, d, self)]

    @cached_property
    def new_discs(self) -> list[SeenDisc]:
        """The other unexplained discs, which may be any disc."""
        return [d for d in self._free if d not in self.still_ready]

    @cached_property
    def as_measured(self) -> float:
        """Nats that the unmoved discs are measured at their places; per mm2 for each on the surface."""
        lay = self.state.measured
        return sum((self.jitter if d.pose == "flat" else self.jitter_at_hole)(lay[n], d) for n, d in self.still.items())

    def jitter_at_hole(self, lay: ev.Measured | SeenDisc, d: SeenDisc) -> float:
        """Nats that an unmoved disc at the hole is measured there, relative to exactly its place before."""
        there = (self.away(lay, d) / mm("still at hole")) ** 2 / 2
        return log_sum_exp(cost_of_absence("still at hole, elsewhere") + there, cost_of("still at hole, elsewhere"))

    @property
    def felt_late(self) -> float:
        """The cost that the sensor notices only now a disc that was in the hole, or leant over it, before."""
        return cost_of("sensor misses") if self.seen.on_late else 0.0

    def cost_of_pose(self, lay: ev.Measured) -> float:
        """The cost of a clear reading of a disc that stays at the hole, in the pose that it has by the hypothesis. It
        outweighs the unclear one that counted before; the same again is no news."""
        now = self.seen.at_hole
        if now == self.posed or not self.seen.camera_sure_of_hole:
            return 0.0
        flat = lay.pose == "in_hole"
        cost = cost_of if flat else cost_of_absence
        return cost(now) - (cost(self.posed) if " close" in self.posed else 0.0)

    def posed_after(self, *, shot: bool) -> str:
        """The clearest reading of the disc at the hole after this board."""
        return self.seen.at_hole if shot or not self.posed or self.seen.camera_sure_of_hole else self.posed

    def cost_of_touching_line(self, name: str) -> float:
        """The cost that a disc in play touches the outer line after all, by its measurement."""
        lay = self.state.measured[name]
        clear = rules.clearance(lay.x, lay.y, "outer") / max(lay.sigma, mm("still"))
        return -math.log(max(0.5 * math.erfc(clear / math.sqrt(2)), LEAST))

    def cost_of_placing(self, d: SeenDisc, turn: rules.Round) -> float:
        """Nats per mm2 that people placed a disc there to be shot; infinite for an impossible place."""
        seat, from_hole = turn.seat_to_shoot, math.hypot(d.x, d.y)
        if seat is None or d.pose != "flat" or d.zone != 0 or from_hole > TOURNAMENT.surface_radius:
            return IMPOSSIBLE
        reach = TOURNAMENT.disc.radius + TOURNAMENT.line_width / 2
        beyond = max(abs(from_hole - TOURNAMENT.outer_line) - reach, 0.0)
        radial = log_sum_exp(
            cost_of_absence("ready aside") + beyond**2 / (2 * mm("ready off line") ** 2) + math.log(2 * reach),
            cost_of("ready aside") + math.log(4 * reach),
        )
        quarter = math.pi / 2 * TOURNAMENT.outer_line
        here = self.may_be_ready(d, seat)
        return radial + (math.log(quarter) if here else math.log(4 * quarter) + cost_of("ready elsewhere"))

    def cost_of_leaving(self, *, shot: bool) -> float:
        """The cost that a disc which has to come off was left; without a hand nobody could take it."""
        return cost_of_absence(self._taking(shot=shot)) if self.left else 0.0

    def cost_of_taking_off(self, *, shot: bool) -> float:
        """The cost that people took off a disc which has to come off."""
        return cost_of(self._taking(shot=shot)) + self.unreached

    def open_board(self, side: str) -> str:
        """What the rules ask of this side's shot on an open board; empty if an opponent's disc lies there."""
        current = self.state.game.round
        return "" if current.board.opponents_of(side) else current.terms.rules.open_board

    @property
    def reached(self) -> bool:
        """Whether somebody's hand may have been on the board."""
        watching = self.seen.watching
        return watching.hand or watching.unwatched or watching.hands_reported is False

    @property
    def left(self) -> bool:
        """Whether people left what lies there: a hand may have reached in, and none is there now."""
        return self.reached and not self.seen.reading.obstructed

    @property
    def before_play(self) -> bool:
        """Whether this is the first board that was read, nobody's hand was seen, and no shot is known: then no disc can
        be in the hole yet."""
        watching = self.seen.watching
        return watching.hands_reported is None and not watching.hand and not self.state.game.round.shots

    def cost_of_ghost(self, d: SeenDisc) -> float:
        """The cost that the empty hole was read as this disc. It looks like a disc of one colour, if like any, and from
        the beginning."""
        if self.ghost is None:
            return cost_of("ghost in hole") if self.before_play else IMPOSSIBLE
        if d.pose != self.ghost.disc.pose:
            return IMPOSSIBLE
        again = cost_of("ghost in hole, seen empty since" if self.ghost.seen_empty else "ghost in hole again")
        return again + (cost_of("at hole, another's colour") if self._differ(d, self.ghost.disc) else 0.0)

    def ghost_after(self, ghost: SeenDisc | None) -> Ghost | None:
        """What is known of the empty hole's look after this board."""
        if ghost is not None:
            return Ghost(ghost, self.ghost is not None and self.ghost.seen_empty)
        reading = self.seen.reading
        empty = not (reading.obstructed or reading.hole_unclear or self.seen.shown_at_hole)
        return replace(self.ghost, seen_empty=True) if self.ghost is not None and empty else self.ghost

    @property
    def unreached(self) -> float:
        """The cost of a hand that took or shot a disc unseen."""
        return 0.0 if self.reached else cost_of("unseen hand")

    def _taking(self, *, shot: bool) -> str:
        if self.left_lying:  # people take discs off later, forget them, or believe that they stay
            return "marked taken late"
        return "marked taken before shot" if shot else "marked taken"


def _is_at(lay: ev.Measured, d: SeenDisc, situation: Situation) -> bool:
    """Whether a disc certainly did not move. The hypothesis knows that a disc in the hole is flat, so an unsure picture
    adds nothing. A leaning disc may have been struck into the hole without apparent movement.
    """
    if lay.pose == "flat" or d.pose == "flat":
        return d.pose == lay.pose and situation.within_error(lay, d)
    if situation.seen.refilled:
        return False
    if lay.pose == d.pose == "in_hole":
        return True
    may_be = lay.pose == d.pose or (lay.pose == "in_hole" and d.call == "close")
    return may_be and situation.away(lay, d) <= STILL_AT_HOLE


def as_it_lay(lay: ev.Measured | ev.Stranger, d: SeenDisc) -> SeenDisc:
    """An unmoved disc in the pose that it has by the hypothesis; close if read differently."""
    return d if d.pose == lay.pose else replace(d, pose=lay.pose, zone=lay.zone, call="close")


def whose(d: SeenDisc, side: str | None) -> float:
    """The cost that a disc is this side's; None fits every disc. The colour is reliable except at the hole, where much
    of the disc is dark.
    """
    if side is None or d.side == side:
        return 0.0
    return cost_of("at hole, another's colour") if d.pose in AT_HOLE else IMPOSSIBLE


def cost_of_disc(d: SeenDisc) -> float:
    """The cost that this is a disc at all, by the reading's odds."""
    return 0.0 if d.log_odds is None else math.log1p(math.exp(-min(d.log_odds, SURELY)))


def part_of_hand(reading: BoardReading, d: SeenDisc) -> float:
    """Nats per mm2 that this is part of a hand or another object, read as a disc: anywhere within an object seen
    there, since hands reach for the places where people put discs; else anywhere on the surface.
    """
    if d.log_odds is None:
        return IMPOSSIBLE
    hidden = reading.hidden_area(d.x, d.y)
    return math.log1p(math.exp(min(d.log_odds, SURELY))) + (math.log(hidden) if hidden else ANYWHERE)


def _may_be(d: SeenDisc, side: str) -> bool:
    """Whether a disc has this side's colour, or is at the hole and its colour is in doubt."""
    return d.side == side or (d.pose in AT_HOLE and d.colour_call == "close")


def _is_still_ready(lay: SeenDisc, d: SeenDisc, situation: Situation) -> bool:
    """Whether a ready disc is still there."""
    return lay.side == d.side and situation.within_error(lay, d)


def cost_of_shots(situation: Situation, shots: int) -> float:
    """The cost of this number of shots, given the films: of several shots a film follows one."""
    watching = situation.seen.watching
    if watching.unwatched:
        return cost_of("shots 0") if not shots else cost_of("shots 1") + (shots - 1) * cost_of("shot unwatched")
    if shots and situation.before_play:
        return cost_of("shot before first board") + (shots - 1) * cost_of("shot unwatched")
    cost = cost_of(f"shots {shots}" if shots < 3 else "shots more")
    cost += situation.unreached if shots else 0.0
    if situation.new_disc:
        cost += cost_of(f"{situation.new_disc}, {'shot' if shots else 'no shot'}")
        cost += max(shots - 1, 0) * cost_of("nothing filmed, shot")
    return cost + (cost_of("another colour filmed") if shots == 1 and situation.another_filmed else 0.0)


def untouched(shots: int) -> float:
    """The cost that none of these shots moved a disc."""
    return -shots * math.log1p(-STRIKES)


def cost_given(situation: Situation, shots: int) -> float:
    """The cost of this number of shots, and that the discs which did not move lie where they do, and none of them was
    taken off or struck."""
    marked = [name for name in situation.still if name in situation.state.to_remove]
    lay_flat = any(situation.state.measured[n].pose == "in_hole" for n in situation.still)
    cost = cost_of_shots(situation, shots) + situation.as_measured + (situation.felt_late if lay_flat else 0.0)
    lying = (situation.state.measured[n] for n in situation.still)
    cost += sum(situation.cost_of_pose(lay) for lay in lying if lay.pose in AT_HOLE)
    cost += len(marked) * situation.cost_of_leaving(shot=bool(shots))
    return cost + (len(situation.still) - len(marked)) * untouched(shots)


def cost_of_ready(situation: Situation, first: Sequence[rules.Round], placed: Sequence[SeenDisc]) -> float:
    """The cost of the discs that were ready: the shooter flicks one; others are left, shifted or taken back. `first`:
    the round before the first shot, if there was one. `placed`: the discs that are ready now and were not on the
    previous board.
    """
    cost = 0.0
    for lay in situation.ready:
        stays = next((d for d in situation.still_ready if _is_still_ready(lay, d, situation)), None)
        cost += situation.jitter(lay, stays) if stays is not None else 0.0
        if any(before.to_shoot == lay.side for before in first):
            cost += cost_of("shot another disc") if stays is not None else cost_of_absence("shot another disc")
        elif stays is not None:
            cost += cost_of_absence("taken back")
        else:
            cost += cost_of("shifted" if any(d.side == lay.side for d in placed) else "taken back")
    return cost
