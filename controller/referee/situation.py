"""What one hypothesis knows as a board is read, which discs lie still, and what that and a number of shots cost."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from statistics import median

from controller import rules
from controller.match import events as ev
from controller.match.state import MatchState
from controller.referee.association import STRUCK
from controller.referee.evidence import ANYWHERE, IMPOSSIBLE, TABLE, cost_of, cost_of_absence, log_sum_exp, mm, spread
from controller.referee.filmed import Filmed
from controller.referee.observation import Observation
from controller.vision.readings import AT_HOLE, BoardReading, SeenDisc
from hardware.board import TOURNAMENT

STILL_SIGMAS = 6.0
"""Standard errors within which a disc of the same side and pose is the disc that lay there: no other assignment of it
can be the best, since discs lie 32 mm apart."""

STILL_AT_HOLE = 3.0
"""mm: as far as a disc that leans seems to move when its pose is read otherwise; it cannot lie elsewhere over the hole.
Judged."""

ANYWHERE_AT_HOLE = math.log(STILL_AT_HOLE**2 / (2 * mm("still at hole") ** 2))
"""What it costs to lie anywhere over the hole, beyond exactly where a disc lay that lies still."""

BUMPED = 12.0
"""mm: as far as a bump moves the whole board before it is located again. Judged."""
ENOUGH = 3
"""Discs that moved alike: with fewer, a shift of the whole board looks like theirs. Judged."""

SURELY = 20.0
"""Log-odds of being a disc beyond which nothing makes a difference."""

LEAST = 1e-9
"""Probability below which nothing makes a difference."""

MayBeReady = Callable[[SeenDisc, int], bool]


@dataclass(frozen=True)
class Situation:
    """What one hypothesis knows as a board is read."""

    state: MatchState
    seen: Observation
    overlooked: frozenset[str]
    may_be_ready: MayBeReady
    film: Filmed | None
    ready: tuple[SeenDisc, ...] = ()  # those that lay ready at the board before
    left_lying: frozenset[str] = frozenset()  # discs that had to come off already at the board before, and did not
    to_put_back: Mapping[str, ev.Measured] = field(default_factory=dict)  # where discs lay that people may put back
    unseen: frozenset[str] = frozenset()  # discs of shots that are recorded as off, and that nobody saw there
    another_filmed: bool = False  # a disc of another side than the one to shoot was filmed on its way
    unmoved: frozenset[str] = frozenset()  # discs that are known not to move, by a film that shows no shot
    new_disc: str | None = None  # what was filmed of a new disc, as the table of evidence has it

    @cached_property
    def shift(self) -> tuple[float, float]:
        """How far all discs were moved together, in mm: the board was bumped, or the calibration adjusted."""
        moves = []
        for name, lay in self.state.measured.items():
            side = self.state.side_of(name)
            here = [
                (d.x - lay.x, d.y - lay.y) for d in self.seen.discs if d.side == side and d.pose == lay.pose == "flat"
            ]
            near = min(here, key=lambda move: math.hypot(*move), default=None)
            if near is not None and math.hypot(*near) < BUMPED:
                moves.append(near)
        if len(moves) < ENOUGH:
            return 0.0, 0.0
        dx, dy = median(x for x, _ in moves), median(y for _, y in moves)
        together = sum(math.hypot(x - dx, y - dy) <= STILL_SIGMAS * mm("still") for x, y in moves)
        return (dx, dy) if 2 * together > len(moves) else (0.0, 0.0)

    def away(self, lay: ev.Measured | SeenDisc, d: SeenDisc) -> float:
        """How far a disc lies from where it lay, in mm, without what all moved together."""
        return math.hypot(d.x - lay.x - self.shift[0], d.y - lay.y - self.shift[1])

    def error(self, lay: ev.Measured | SeenDisc, d: SeenDisc) -> float:
        """Standard error of how far a disc seems to lie from where it lay, in mm.

        Most of a place's error is the same in every picture of a camera, and cancels; of a disc like the wood more is
        left. It cancels where the same of a disc is seen: of one that is partly hidden other parts may be.
        """
        unlike = math.sqrt(max(0.0, 1 - d.visible**2))
        return max(mm("still"), math.hypot(lay.sigma, d.sigma) * max(1 / STILL_SIGMAS, unlike))

    def jitter(self, lay: ev.Measured | SeenDisc, d: SeenDisc) -> float:
        """What it costs that a disc which lies still is measured there, per mm2."""
        return log_sum_exp(
            cost_of_absence("still, outliers") + spread(self.away(lay, d), self.error(lay, d)),
            cost_of("still, outliers") + spread(self.away(lay, d), mm("still, outlier")),
        )

    @cached_property
    def still(self) -> Mapping[str, SeenDisc]:
        """The known discs that lie where they were, each as it lies now."""
        still: dict[str, SeenDisc] = {}
        free = list(self.seen.discs)
        for name, lay in self.state.measured.items():
            side = self.state.side_of(name)
            here = [d for d in free if _may_be(d, side) and _is_at(lay, d, self)]
            if here:
                d = min(here, key=lambda d: self.away(lay, d))
                free.remove(d)
                still[name] = as_it_lay(lay, d)
        return still

    @cached_property
    def _free(self) -> list[SeenDisc]:
        """The unexplained discs: those that are no known disc lying where it was."""
        return [
            d for d in self.seen.discs if all(d is not it and not is_same_disc(d, it) for it in self.still.values())
        ]

    @cached_property
    def still_ready(self) -> list[SeenDisc]:
        """Unexplained discs that already lay ready at the previous board."""
        return [d for lay in self.ready for d in self._free if is_still_ready(lay, d)]

    @cached_property
    def new_discs(self) -> list[SeenDisc]:
        """The other unexplained discs: any disc may have come there."""
        return [d for d in self._free if d not in self.still_ready]

    @cached_property
    def as_measured(self) -> float:
        """What it costs that these are measured where they are; per mm2 of each that lies on the surface."""
        lay = self.state.measured
        return sum((self.jitter if d.pose == "flat" else self.jitter_at_hole)(lay[n], d) for n, d in self.still.items())

    def jitter_at_hole(self, lay: ev.Measured | SeenDisc, d: SeenDisc) -> float:
        """What it costs that a disc which lies still at the hole is measured there, beyond exactly where it lay."""
        there = (self.away(lay, d) / mm("still at hole")) ** 2 / 2
        return log_sum_exp(cost_of_absence("still at hole, elsewhere") + there, cost_of("still at hole, elsewhere"))

    def cost_of_touching_line(self, name: str) -> float:
        """What it costs that a disc in play touches the outer line after all, by how it was measured."""
        lay = self.state.measured[name]
        clear = rules.clearance(lay.x, lay.y, "outer") / max(lay.sigma, mm("still"))
        return -math.log(max(0.5 * math.erfc(clear / math.sqrt(2)), LEAST))

    def cost_of_placing(self, d: SeenDisc, turn: rules.Round) -> float:
        """What it costs, per mm2, that people placed a disc there to be shot; infinite where nobody would."""
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
        """What it costs that a disc which has to come off is left lying; without a hand nobody could take it."""
        return cost_of_absence(self._taking(shot=shot)) if self.reached else 0.0

    def cost_of_taking_off(self, *, shot: bool) -> float:
        """What it costs that people take off a disc which has to come off."""
        return cost_of(self._taking(shot=shot)) + self.unreached

    @property
    def reached(self) -> bool:
        """Whether somebody's hand may have been on the board."""
        watching = self.seen.watching
        return watching.hand or watching.unwatched or watching.hands_reported is False

    @property
    def unreached(self) -> float:
        """What it costs that a hand took or shot a disc, where none was seen."""
        return 0.0 if self.reached else cost_of("unseen hand")

    def _taking(self, *, shot: bool) -> str:
        if self.left_lying:  # they take discs off later, or have forgotten them, or take them for ones that stay
            return "marked taken late"
        return "marked taken before shot" if shot else "marked taken"


def _is_at(lay: ev.Measured, d: SeenDisc, situation: Situation) -> bool:
    """Whether a disc certainly lies where it was.

    Of a disc in the hole the hypothesis knows that it lies flat. A picture that is unsure of that adds nothing. A disc
    that leans may have been struck into the hole without seeming to move.
    """
    if lay.pose == "flat" or d.pose == "flat":
        return d.pose == lay.pose and situation.away(lay, d) <= STILL_SIGMAS * situation.error(lay, d)
    if situation.seen.refilled:
        return False
    if lay.pose == d.pose == "in_hole":
        return True
    may_be = lay.pose == d.pose or (lay.pose == "in_hole" and d.call == "close")
    return may_be and situation.away(lay, d) <= STILL_AT_HOLE


def as_it_lay(lay: ev.Measured | ev.Stranger, d: SeenDisc) -> SeenDisc:
    """A disc that lies where it lay, in the pose that it has by the hypothesis; close if read otherwise."""
    return d if d.pose == lay.pose else replace(d, pose=lay.pose, zone=lay.zone, call="close")


def whose(d: SeenDisc, side: str | None) -> float:
    """What it costs that a disc is this side's; None fits every disc.

    The colour shows it surely but for a disc at the hole, where much of it is dark.
    """
    if side is None or d.side == side:
        return 0.0
    return cost_of("at hole, another's colour") if d.pose in AT_HOLE else IMPOSSIBLE


def cost_of_disc(d: SeenDisc) -> float:
    """What it costs that this is a disc at all, by the reading's own odds."""
    return 0.0 if d.log_odds is None else math.log1p(math.exp(-min(d.log_odds, SURELY)))


def part_of_hand(reading: BoardReading, d: SeenDisc) -> float:
    """What it costs, per mm2, that this is part of a hand, or of another thing, that was taken for a disc.

    It is anywhere within the thing that was seen there, else anywhere on the surface: hands are not spread over the
    board, but reach for the places where people put discs.
    """
    if d.log_odds is None:
        return IMPOSSIBLE
    hidden = reading.hidden_area(d.x, d.y)
    return math.log1p(math.exp(min(d.log_odds, SURELY))) + (math.log(hidden) if hidden else ANYWHERE)


def _may_be(d: SeenDisc, side: str) -> bool:
    """Whether a disc that lies where one of this side lay is surely that one, or its colour cannot tell."""
    return d.side == side or (d.pose in AT_HOLE and d.colour_call == "close")


def is_still_ready(lay: SeenDisc, d: SeenDisc) -> bool:
    """Whether a disc that lay ready lies there still."""
    return lay.side == d.side and math.hypot(lay.x - d.x, lay.y - d.y) <= STILL_SIGMAS * mm("still")


def is_same_disc(d: SeenDisc, it: SeenDisc) -> bool:
    """Whether the two are one disc, whatever pose it was given."""
    return (d.x, d.y, d.side) == (it.x, it.y, it.side)


def cost_of_shots(situation: Situation, shots: int) -> float:
    """What it costs that there were so many shots, by what was filmed: of several shots a film follows one."""
    watching = situation.seen.watching
    if watching.unwatched:
        return cost_of("shots 0") if not shots else cost_of("shots 1") + (shots - 1) * cost_of("shot unwatched")
    cost = cost_of(f"shots {shots}" if shots < 3 else "shots more")
    cost += situation.unreached if shots else 0.0
    if situation.new_disc:
        cost += cost_of(f"{situation.new_disc}, {'shot' if shots else 'no shot'}")
        cost += max(shots - 1, 0) * cost_of("nothing filmed, shot")
    return cost + (cost_of("another colour filmed") if shots == 1 and situation.another_filmed else 0.0)


def untouched(shots: int) -> float:
    """What it costs that none of so many shots moved a disc."""
    struck = sum(TABLE[f"struck {how}"].value for how in STRUCK)
    return -shots * math.log1p(-struck)


def cost_of_still(situation: Situation, shots: int) -> float:
    """That discs lie where they were: how they are measured there, that none was taken off, and none struck."""
    marked = [name for name in situation.still if name in situation.state.to_remove]
    lay_flat = [n for n in situation.still if situation.state.measured[n].pose == "in_hole"]
    cost = situation.as_measured + (cost_of("sensor tells late") if situation.seen.on_late and lay_flat else 0.0)
    cost += len(marked) * situation.cost_of_leaving(shot=bool(shots))
    return cost + (len(situation.still) - len(marked)) * untouched(shots)


def cost_of_ready(situation: Situation, first: Sequence[rules.Round], placed: Sequence[SeenDisc]) -> float:
    """Of the discs that lay ready: who shoots flicks that disc; others are left, shifted or taken back.

    `first`: the round before the first shot, if there was one. `placed`: the discs that lie ready now and did not
    at the board before.
    """
    cost = 0.0
    for lay in situation.ready:
        stays = next((d for d in situation.still_ready if is_still_ready(lay, d)), None)
        cost += situation.jitter(lay, stays) if stays is not None else 0.0
        if any(before.to_shoot == lay.side for before in first):
            cost += cost_of("shot another disc") if stays is not None else cost_of_absence("shot another disc")
        elif stays is not None:
            cost += cost_of_absence("taken back")
        else:
            cost += cost_of("shifted" if any(d.side == lay.side for d in placed) else "taken back")
    return cost
