"""What may have happened to a disc between two boards at rest: the table of actions, with what each of them costs.

All costs are nats, of `evidence_table.json`. A disc `became` what the board then shows of it:

| became | is recorded by | what the match knows after it |
| --- | --- | --- |
| moved, off, hole | `ShotSeen`, of the shot that did it | where it came to rest, and what it touched |
| nudged | `BoardSeen` | where it lies; people are asked where it counts otherwise |
| taken, lifted | `DiscCorrected` | that it is off, or a twenty |
| back | `DiscCorrected` | that it lies there again |
| overlooked | | that it lies where it lay, as a close call |
| ready | | that it lies ready; no disc of the match yet |
| strange | `BoardSeen` | that something lies there which no shot brought |
| stays, nothing | | nothing new |
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from controller import rules
from controller.match import events as ev
from controller.referee.association import AssignmentRow, Became, Outcome
from controller.referee.evidence import ANYWHERE, IMPOSSIBLE, cost_of, cost_of_absence, log_sum_exp, mm, ring, spread
from controller.referee.film_evidence import FilmEvidence, near_end, near_hole
from controller.referee.situation import (
    ANYWHERE_AT_HOLE,
    STILL_AT_HOLE,
    Situation,
    as_it_lay,
    cost_of_disc,
    part_of_hand,
    untouched,
    whose,
)
from controller.vision.film.film import SHOT
from controller.vision.readings import SeenDisc
from hardware.board import TOURNAMENT

FIVE = math.log(math.pi * (TOURNAMENT.outer_line**2 - TOURNAMENT.ten_line**2))
"""What it costs, per mm2, to lie anywhere in the ring of five: the way of a hand to the line leads over it."""


@dataclass(frozen=True, slots=True)
class Case:
    """One disc by one hypothesis and number of shots, and where it may have ended."""

    situation: Situation
    shots: int
    film: FilmEvidence
    name: str
    side: str | None
    lay: ev.Measured | ev.Stranger | None = None
    turn: rules.Round | None = None  # for which it may lie ready
    end: SeenDisc | None = None  # where it lies, of one that was seen there

    @property
    def place(self) -> SeenDisc:
        """Where it lies."""
        assert self.end is not None
        return self.end

    @property
    def before(self) -> ev.Measured | ev.Stranger:
        """Where it lay."""
        assert self.lay is not None
        return self.lay

    def away(self) -> float:
        """How far it lies from where it lay, in mm."""
        return self.situation.away(self.before, self.place)

    def same_pose(self) -> bool:
        """Whether it lies in the pose in which it lay."""
        return self.before.pose == self.place.pose

    def seems_still(self) -> bool:
        """Whether it lies at the hole where it lay, in whatever pose."""
        return self.away() <= STILL_AT_HOLE and not self.situation.seen.refilled

    def may_lie_there(self) -> bool:
        """Whether it may lie unseen where it lay: of two discs one is in the hole."""
        return self.before.pose != "in_hole" or all(d.pose != "in_hole" for d in self.situation.new_discs)

    def obstructed(self) -> bool:
        """Whether a hand or another thing hides part of the board."""
        return self.situation.seen.reading.obstructed

    def seen(self, became: Became) -> bool:
        """Whether its end was seen, of one that is nowhere to be seen: filmed over the edge, or certainly lifted."""
        if became == "lifted" and self.before.pose == "in_hole":
            return self.situation.state.hole_level is False or not self.may_lie_there()
        return became == "off" and self.film.left(self.name)

    # what a shot did

    def shot_rests(self) -> float:
        """The shot disc came to rest there."""
        return cost_of("shot rests") + self.film.rests(SHOT, self.place, near_hole(self.place))

    def shot_leans(self) -> float:
        """It leans over the hole."""
        return cost_of("shot leans") + self.film.ended(SHOT, "hole")

    def shot_in(self) -> float:
        """It fell into the hole."""
        return cost_of("shot in hole") + self.film.ended(SHOT, "hole")

    def struck(self) -> float:
        """A shot struck the disc, and it came to rest there."""
        followed = self.film.followed(self.name, self.away())
        ends = self.film.rests(self.name, self.place, ring(self.away(), mm("struck goes")))
        return cost_of("struck moved") + followed + ends

    def sunk(self) -> float:
        """A shot struck it into the hole, or so that it leans over it."""
        leant = self.before.pose == "leaning"
        cost = cost_of("leaning, struck into hole") + ANYWHERE_AT_HOLE if leant else cost_of("struck into hole")
        return cost + self.film.ended(self.name, "hole")

    def sunk_or_slid(self) -> float:
        """That, or it slid in by itself."""
        return log_sum_exp(self.sunk(), IMPOSSIBLE if self.before.pose == "flat" else cost_of("slid into hole"))

    def in_ditch(self) -> float:
        """A shot sent it off, and it was seen to come into the ditch."""
        return cost_of("off is seen in ditch") + self.film.ended(self.name, "ditch")

    def off_unseen(self) -> float:
        """It is off and was not seen in the ditch; one that was filmed over the edge need not be."""
        if self.film.left(self.name):
            return cost_of_absence("ditch, filmed otherwise")
        return self.not_in_ditch() + self.film.ended(self.name, "ditch")

    def not_in_ditch(self) -> float:
        """It is off, and was not seen in the ditch."""
        return 0.0 if self.situation.seen.reading.hidden else cost_of_absence("off is seen in ditch")

    def lifted_unseen(self) -> float:
        """It lay in the hole and was lifted before the board was read, and the sensor missed it."""
        missed = cost_of("sensor misses") if self.situation.seen.sensor else 0.0
        return missed + cost_of("lifted before reading") + self.situation.unreached

    def not_struck(self) -> float:
        """It lies elsewhere, and none of the shots moved it."""
        return untouched(self.shots) + self.nudged("nudged during shot") + self.film.not_struck(self.name)

    # what hands did

    def nudged(self, row: str = "nudged") -> float:
        """A sleeve moved it, or it only seems so."""
        sleeve = cost_of(row) + spread(self.away(), mm("nudge"))
        return log_sum_exp(self.situation.jitter(self.before, self.place), sleeve)

    def carried(self) -> float:
        """It lies elsewhere, and nobody shot."""
        if not self.same_pose():
            return cost_of("carried")
        found = 2.0 if self.name in self.situation.overlooked else cost_of("carried")
        return log_sum_exp(self.nudged(), found + ANYWHERE)

    def brought_in(self) -> float:
        """It came into the hole although nobody shot: it leaned, or a hand carried it there."""
        return cost_of("slid into hole") + (cost_of("carried") if self.before.pose == "flat" else 0.0)

    def taken(self) -> float:
        """People took it off."""
        cost, situation = self.film.not_struck(self.name), self.situation
        if self.name in situation.state.to_remove:
            return cost + situation.cost_of_taking_off(shot=bool(self.shots))
        if situation.state.game.round.complete:  # they begin to clear the board with any disc
            return cost_of("cleared") + math.log(len(situation.state.on_board))
        late = cost_of("marked taken late" if self.shots else "marked taken")  # they left it at the board before
        touching = situation.cost_of_touching_line(self.name) + late
        return cost + situation.unreached + log_sum_exp(cost_of("taken"), touching)

    def laid_in_ditch(self) -> float:
        """People took it off and laid it to the discs that are off."""
        twenty = self.situation.state.to_remove.get(self.name) == "twenty"
        return cost_of("twenty laid in ditch" if twenty else "off is seen in ditch") + self.taken()

    def overlooked(self) -> float:
        """It lies where it lay, and was not seen."""
        seen, lay = self.situation.seen, self.before
        again = self.name in self.situation.overlooked
        hidden = seen.hides(lay.x, lay.y) or (seen.reading.obstructed and not seen.reading.hidden)
        missed = cost_of("hidden") if hidden else cost_of("overlooked again" if again else "overlooked")
        unfelt = self.before.pose == "in_hole" and self.situation.state.hole_level is False
        return missed + self.film.not_struck(self.name) + (cost_of("sensor misses") if unfelt else 0.0)

    def lifted(self) -> float:
        """People lifted it out of the hole."""
        return self.taken() + (cost_of("sensor misses") if self.situation.state.hole_level else 0.0)

    def slid_and_lifted(self) -> float:
        """It leaned, slid into the hole and was lifted."""
        return cost_of("slid into hole") + cost_of("marked taken") + self.situation.unreached

    def leans_on(self) -> float:
        """It leans as it did, and is read as if it lay in the hole: a camera that is not sure says nothing new."""
        seen, jitter = self.situation.seen, self.situation.jitter_at_hole(self.before, self.place)
        late = cost_of("sensor tells late") if seen.on_late else 0.0
        sure = cost_of_absence(f"in hole: {seen.at_hole}") if seen.camera_sure_of_hole else 0.0
        return untouched(self.shots) + jitter + late + sure + self.film.not_struck(self.name)

    def put_back(self) -> float:
        """People put it back to where it lay before, or it has lain there since it was shot."""
        d, lay = self.place, self.situation.to_put_back.get(self.name)
        if self.name in self.situation.unseen and d.pose == "flat":
            return cost_of("off unseen, lies there") + near_hole(d)
        if lay is None or d.pose != lay.pose:
            return IMPOSSIBLE
        return cost_of("put back") + spread(math.dist((lay.x, lay.y), (d.x, d.y)), mm("put back, off"))

    def placed(self) -> float:
        """A player placed it where discs are shot from, or a hand dropped it on the way there or laid it down."""
        assert self.turn is not None
        film, placed = self.situation.film, self.situation.cost_of_placing(self.place, self.turn)
        if math.isfinite(placed):
            return cost_of(self.name) + self._brought(placed)
        if self.name != "ready":
            return IMPOSSIBLE
        hand = cost_of(self.name) + cost_of("laid down inside") + self.situation.unreached
        if film is not None and film.hardly_moved:
            return hand + self._brought(ANYWHERE)
        return hand + FIVE if self.place.zone == 5 else IMPOSSIBLE

    def _brought(self, unfilmed: float) -> float:
        """What it costs, per mm2, that a disc lies ready here; where nobody shot, the film may be of the hand."""
        film = self.situation.film
        return unfilmed if film is None or self.shots else near_end(film.tracks()[SHOT], self.place, unfilmed)

    def stranger(self) -> float:
        """What is no disc of the match lies where it lay, or elsewhere."""
        stays = cost_of("stranger stays") + self.situation.jitter(self.before, self.place)
        return log_sum_exp(stays, 3.0 + ANYWHERE)


def _always(_: Case) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Action:
    """One thing that may have happened to a disc.

    `kinds`: one that was shot; that lay there while somebody shot (`struck`) or while nobody did (`lay`); that was off
    (`absent`); that may lie ready; that is none of the match's (`stranger`). `ends`: its pose where it was seen to lie,
    or that it came into the ditch, was felt by the hole's sensor alone, or is nowhere to be seen. `was`: how it lay.
    """

    kinds: str
    ends: str
    became: Became
    cost: Callable[[Case], float]
    was: str = ""
    when: Callable[[Case], bool] = _always


OUTSIDE = "flat leaning"
SURFACE = "flat leaning in_hole"
ACTIONS = (
    # somebody shoots
    Action("shot", "flat", "moved", Case.shot_rests),
    Action("shot", "leaning", "moved", Case.shot_leans),
    Action("shot", "in_hole felt", "hole", Case.shot_in),
    Action("shot", "ditch", "off", lambda c: cost_of("shot off") + c.in_ditch()),
    Action("shot", "nowhere", "off", lambda c: cost_of("shot off") + c.off_unseen()),
    Action("shot", "nowhere", "hole", lambda c: c.shot_in() + c.lifted_unseen()),
    Action("shot", "nowhere", "overlooked", lambda _: cost_of("shot rests") + cost_of("hidden"), "", Case.obstructed),
    # the shot strikes a disc
    Action("struck", "flat", "moved", Case.struck),
    Action("struck", "leaning", "moved", Case.sunk),
    Action("struck", "in_hole", "hole", Case.sunk_or_slid),
    Action("struck", "felt", "hole", Case.sunk, OUTSIDE),
    Action("struck", "ditch", "off", lambda c: cost_of("struck off") + c.in_ditch()),
    Action("struck", "nowhere", "off", lambda c: cost_of("struck off") + c.off_unseen(), OUTSIDE),
    Action("struck", "nowhere", "hole", lambda c: c.sunk() + c.lifted_unseen(), OUTSIDE),
    # a sleeve or a hand moves it
    Action("struck", "flat", "nudged", Case.not_struck),
    Action("lay", OUTSIDE, "nudged", Case.carried),
    Action("lay", "in_hole", "hole", Case.brought_in),
    Action("lay", "felt", "hole", Case.brought_in, OUTSIDE),
    # people take it off, or lift a twenty
    Action("struck lay", "ditch", "taken", Case.laid_in_ditch),
    Action("struck lay", "nowhere", "taken", lambda c: c.not_in_ditch() + c.taken(), OUTSIDE),
    Action("struck lay", "nowhere", "lifted", Case.lifted, "in_hole"),
    Action("struck lay", "nowhere", "lifted", Case.slid_and_lifted, "leaning"),
    Action("struck lay", "felt", "lifted", lambda _: 0.0, "in_hole"),
    # nobody touches it
    Action("struck lay", "in_hole", "stays", Case.leans_on, "leaning", Case.seems_still),
    Action("struck lay", "nowhere", "overlooked", Case.overlooked, "", Case.may_lie_there),
    # people put it back
    Action("lay", OUTSIDE, "back", Case.put_back, "", Case.same_pose),
    Action("absent", SURFACE, "back", Case.put_back),
    Action("absent", "nowhere", "nothing", lambda _: 0.0),
    # a player places the next disc
    Action("ready", "flat", "ready", Case.placed),
    Action("ready", "nowhere", "nothing", lambda c: cost_of_absence(c.name)),
    # something else lies there
    Action("stranger", SURFACE, "strange", Case.stranger),
    Action("stranger", "nowhere", "nothing", lambda _: 1.0),
)
BY_END: Mapping[tuple[str, str], Sequence[Action]] = {
    (kind, end): [a for a in ACTIONS if kind in a.kinds.split() and end in a.ends.split()]
    for kind in {kind for a in ACTIONS for kind in a.kinds.split()}
    for end in (*SURFACE.split(), "ditch", "felt", "nowhere")
}


@dataclass(frozen=True, slots=True)
class Column:
    """An end that was seen, and what it costs that no disc of the match ended there; `more`, that any disc did."""

    end: str
    side: str | None
    unexplained: float
    place: SeenDisc | None = None
    more: float = 0.0


class PossibleOutcomes:
    """For one number of shots: a row for each disc, and the columns where one may have ended.

    Rows are the discs that the match knows, those that were shot, those that may lie ready, and strangers. Columns are
    the discs that were seen, those that came into the ditch, and those that the sensor alone felt in the hole.
    """

    def __init__(self, situation: Situation, rounds: Sequence[rules.Round], shots: int) -> None:
        self._situation, self._seen = situation, situation.seen
        self._shots, self._turns = tuple(rounds[:shots]), rounds[shots : shots + 2]
        film = FilmEvidence(situation.film if shots == 1 else None, situation.unmoved)
        self._case = partial(Case, situation, shots, film)
        self.columns = [*self._surface(), *self._ditch(), *self._felt()]
        self.felt = range(len(self.columns) - self._seen.dwelt_in_all, len(self.columns))

    def rows(self) -> list[AssignmentRow]:
        """One for each disc, with its outcomes."""
        return [*self._known(), *self._absent(), *self._shot(), *self._ready(), *self._strangers()]

    def _known(self) -> Iterator[AssignmentRow]:
        situation, shot = self._situation, bool(self._shots)
        for name, lay in situation.state.measured.items():
            if name not in situation.still:
                stays = situation.cost_of_leaving(shot=shot) if name in situation.state.to_remove else 0.0
                case = self._case(name, situation.state.side_of(name), lay)
                yield self._row("struck" if shot else "lay", case, stays)

    def _absent(self) -> Iterator[AssignmentRow]:
        """The discs that are not there and may be put back, or were overlooked after they were shot."""
        state, known = self._situation.state, self._situation.to_put_back.keys() | self._situation.unseen
        for name in known - state.measured.keys():
            yield self._row("absent", self._case(name, state.side_of(name)))

    def _shot(self) -> Iterator[AssignmentRow]:
        for number, before in enumerate(self._shots):
            yield self._row("shot", self._case(SHOT, str(before.to_shoot)), number=number)

    def _ready(self) -> Iterator[AssignmentRow]:
        after = " after shot" if self._shots else ""
        for turn, how in zip(self._turns, (f"ready{after}", f"ready early{after}"), strict=False):
            if self._turns[0].complete:
                return
            if not turn.complete and all(d.side != turn.to_shoot for d in self._situation.still_ready):
                yield self._row("ready", self._case(how, str(turn.to_shoot), turn=turn))

    def _strangers(self) -> Iterator[AssignmentRow]:
        for k, lay in enumerate(self._situation.state.strangers):
            yield self._row("stranger", self._case(f"stranger {k}", lay.side, lay))

    def _row(self, kind: str, case: Case, stays: float = 0.0, number: int = -1) -> AssignmentRow:
        """The row of a disc; `stays` is what it costs that it lies on the board."""
        outcomes = [self._at(kind, case, stays, column) for column in self.columns]
        return AssignmentRow(case.name, outcomes, self._outcomes(kind, "nowhere", case), number)

    def _at(self, kind: str, case: Case, stays: float, column: Column) -> list[Outcome]:
        """What it may mean that this disc ended there."""
        if column.place is not None:
            more = stays + whose(column.place, case.side) + column.more
            return [] if math.isinf(more) else self._outcomes(kind, column.end, replace(case, end=column.place), more)
        if column.side == case.side or (column.end == "felt" and column.side is None):
            return self._outcomes(kind, column.end, case, column.more)
        return []

    def _outcomes(self, kind: str, end: str, case: Case, more: float = 0.0) -> list[Outcome]:
        away = case.away() if case.end is not None and kind in ("struck", "lay") else 0.0
        found = []
        for action in BY_END[kind, end]:
            if (not action.was or case.before.pose in action.was.split()) and action.when(case):
                seen = end != "nowhere" or case.seen(action.became)
                place = as_it_lay(case.before, case.place) if action.became == "stays" else case.end
                found.append(Outcome(action.became, action.cost(case) + more, place, away, seen))
        return [outcome for outcome in found if outcome.cost < IMPOSSIBLE]

    # columns

    def _surface(self) -> Iterator[Column]:
        strange = cost_of("strange")
        if self._turns[0].complete and not self._shots:
            strange = cost_of("ready")  # people clear the board and begin the next round
        for d in self._situation.new_discs:
            unexplained = log_sum_exp(strange + ANYWHERE, part_of_hand(self._seen.reading, d))
            yield Column(d.pose, d.side, unexplained, d, cost_of_disc(d))

    def _ditch(self) -> Iterator[Column]:
        owed = dict(self._seen.owed)
        for d in self._seen.arrived:
            late = owed.get(str(d.side), 0) > 0
            owed[str(d.side)] = owed.get(str(d.side), 0) - 1
            yield Column("ditch", d.side, cost_of("late in ditch" if late else "ditch unexplained"))

    def _felt(self) -> Iterator[Column]:
        side = self._seen.dwelt_side
        yield from [Column("felt", side, cost_of("dwell unexplained"))] * self._seen.dwelt
        if self._seen.felt:
            yield Column("felt", side, cost_of("sensor contradicts, works"), more=cost_of("felt, not seen"))
