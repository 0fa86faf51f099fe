"""The table of actions: what may have happened to a disc between two boards at rest. `case` has their costs.

All costs are nats, from `evidence_table.json`. `became` is the outcome that the board shows:

| became | recorded by | what the match then knows |
| --- | --- | --- |
| moved, off, hole | `ShotSeen`, of the causing shot | its resting place and contacts |
| nudged | `BoardSeen` | its new place; people are asked if its zone changed |
| taken, lifted | `DiscCorrected` | that it is off, or a twenty |
| back | `DiscCorrected` | that it is back |
| overlooked | | that it is still there, as a close call |
| ready | | that it is ready to be shot, not yet a disc of the match |
| strange | `BoardSeen` | an object that no shot brought |
| stays, nothing | | nothing new |
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from controller import rules
from controller.referee.association import AssignmentRow, Became, Outcome
from controller.referee.case import DiscCase
from controller.referee.evidence import ANYWHERE, IMPOSSIBLE, cost_of, log_sum_exp
from controller.referee.film_evidence import FilmEvidence
from controller.referee.observation import sensor_alone
from controller.referee.situation import Situation, as_it_lay, cost_of_disc, part_of_hand, whose
from controller.vision.film.film import SHOT
from controller.vision.readings import AT_HOLE, SeenDisc


def _always(_: DiscCase) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Action:
    """One possible event for a disc.

    `kinds` of discs: shot; on the board with a shot (`struck`) or without (`lay`); off (`absent`); possibly ready to be
    shot; not of the match (`stranger`). `ends`: the pose in which it was seen, or that it came into the ditch, was
    noticed by the hole's sensor alone, or was not seen. `was`: its pose before.
    """

    kinds: str
    ends: str
    became: Became
    cost: Callable[[DiscCase], float]
    was: str = ""
    when: Callable[[DiscCase], bool] = _always


OUTSIDE = "flat leaning"
SURFACE = "flat leaning in_hole"
ACTIONS = (
    # somebody shoots
    Action("shot", "flat", "moved", DiscCase.shot_rests),
    Action("shot", "leaning", "moved", DiscCase.shot_leans),
    Action("shot", "in_hole felt", "hole", DiscCase.shot_in),
    Action("shot", "ditch", "off", lambda c: cost_of("shot off") + c.in_ditch()),
    Action("shot", "nowhere", "off", lambda c: cost_of("shot off") + c.off_unseen()),
    Action("shot", "nowhere", "hole", lambda c: c.shot_in() + c.lifted_unseen()),
    Action("shot", "nowhere", "overlooked", DiscCase.shot_hidden),
    # the shot strikes a disc
    Action("struck", "flat", "moved", DiscCase.struck),
    Action("struck", "leaning", "moved", DiscCase.sunk),
    Action("struck", "in_hole", "hole", DiscCase.sunk_or_slid),
    Action("struck", "felt", "hole", DiscCase.sunk, OUTSIDE),
    Action("struck", "ditch", "off", lambda c: cost_of("struck off") + c.in_ditch()),
    Action("struck", "nowhere", "off", lambda c: cost_of("struck off") + c.off_unseen(), OUTSIDE),
    Action("struck", "nowhere", "hole", lambda c: c.sunk() + c.lifted_unseen(), OUTSIDE),
    # a sleeve or a hand moves it
    Action("struck", "flat", "nudged", DiscCase.not_struck),
    Action("lay", OUTSIDE, "nudged", DiscCase.carried),
    Action("lay", "in_hole", "hole", DiscCase.brought_in),
    Action("lay", "felt", "hole", DiscCase.brought_in, OUTSIDE),
    # people take it off, or lift a twenty
    Action("struck lay", "ditch", "taken", DiscCase.laid_in_ditch),
    Action("struck lay", "nowhere", "taken", lambda c: c.not_in_ditch() + c.taken(), OUTSIDE),
    Action("struck lay", "nowhere", "lifted", DiscCase.lifted, "in_hole"),
    Action("struck lay", "nowhere", "lifted", DiscCase.slid_and_lifted, "leaning"),
    Action("struck lay", "felt", "lifted", lambda _: 0.0, "in_hole"),
    # nothing touches it
    Action("struck lay", "in_hole", "stays", DiscCase.leans_on, "leaning", DiscCase.seems_still),
    Action("struck lay", "nowhere", "overlooked", DiscCase.overlooked, "", DiscCase.may_lie_there),
    # people put it back
    Action("lay", OUTSIDE, "back", DiscCase.put_back, "", DiscCase.same_pose),
    Action("absent", SURFACE, "back", DiscCase.put_back),
    Action("absent", "nowhere", "nothing", lambda _: 0.0),
    # a player places the next disc
    Action("ready", "flat", "ready", DiscCase.placed),
    Action("ready", "nowhere", "nothing", DiscCase.not_placed),
    # it is not a disc of the match
    Action("stranger", SURFACE, "strange", DiscCase.stranger),
    Action("stranger", "nowhere", "nothing", lambda _: 1.0),
)
BY_END: Mapping[tuple[str, str], Sequence[Action]] = {
    (kind, end): [a for a in ACTIONS if kind in a.kinds.split() and end in a.ends.split()]
    for kind in {kind for a in ACTIONS for kind in a.kinds.split()}
    for end in (*SURFACE.split(), "ditch", "felt", "nowhere")
}


@dataclass(frozen=True, slots=True)
class Column:
    """A seen end, the cost that no disc of the match ended there, and `more`, the cost that any disc did."""

    end: str
    side: str | None
    unexplained: float
    place: SeenDisc | None = None
    more: float = 0.0


class PossibleOutcomes:
    """The assignment problem for one number of shots: a row for each disc, a column for each end.

    Rows: the known discs, those that were shot, those that may be ready, and strangers. Columns: the seen discs, those
    that came into the ditch, and those that only the hole's sensor noticed.
    """

    def __init__(self, situation: Situation, rounds: Sequence[rules.Round], shots: int) -> None:
        self._situation, self._seen = situation, situation.seen
        self._shots, self._turns = tuple(rounds[:shots]), rounds[shots : shots + 2]
        film = FilmEvidence(situation.film if shots else None, situation.unmoved)
        self._case = partial(DiscCase, situation, shots, film)
        self.columns = [*self._surface(), *self._ditch(), *self._felt()]
        self.felt = [number for number, column in enumerate(self.columns) if column.end == "felt"]

    def rows(self) -> list[AssignmentRow]:
        """One row for each disc, with its outcomes."""
        return [*self._known(), *self._absent(), *self._shot(), *self._ready(), *self._strangers()]

    def _known(self) -> Iterator[AssignmentRow]:
        situation, shot = self._situation, bool(self._shots)
        for name, lay in situation.state.measured.items():
            if name not in situation.still:
                stays = situation.cost_of_leaving(shot=shot) if name in situation.state.to_remove else 0.0
                case = self._case(name, situation.state.side_of(name), lay)
                yield self._row("struck" if shot else "lay", case, stays)

    def _absent(self) -> Iterator[AssignmentRow]:
        """The discs that are off and may have been put back, or were overlooked after their shot."""
        state, known = self._situation.state, self._situation.to_put_back.keys() | self._situation.unseen
        for name in sorted(known - state.measured.keys()):
            yield self._row("absent", self._case(name, state.side_of(name)))

    def _shot(self) -> Iterator[AssignmentRow]:
        for number, before in enumerate(self._shots):
            case = self._case(SHOT, str(before.to_shoot))
            yield self._row("shot", replace(case, film=FilmEvidence(None)) if number else case)

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

    def _row(self, kind: str, case: DiscCase, stays: float = 0.0) -> AssignmentRow:
        """The row of a disc; `stays`: the cost that it is on the board."""
        seen = (self._at(kind, case, stays, column) for column in self.columns)
        return AssignmentRow(case.name, [*seen, self._outcomes(kind, "nowhere", case)])

    def _at(self, kind: str, case: DiscCase, stays: float, column: Column) -> list[Outcome]:
        """The possible outcomes of this disc with this end."""
        if column.place is not None:
            more = stays + whose(column.place, case.side) + column.more
            return [] if math.isinf(more) else self._outcomes(kind, column.end, replace(case, end=column.place), more)
        if column.side == case.side or (column.end == "felt" and column.side is None):
            return self._outcomes(kind, column.end, case, column.more)
        return []

    def _outcomes(self, kind: str, end: str, case: DiscCase, more: float = 0.0) -> list[Outcome]:
        away = case.away() if case.end is not None and kind in ("struck", "lay") else 0.0
        found = []
        for action in BY_END[kind, end]:
            if (not action.was or case.before.pose in action.was.split()) and action.when(case):
                seen = end != "nowhere" or case.seen(action.became)
                place = as_it_lay(case.before, case.place) if action.became == "stays" else case.end
                found.append(Outcome(action.became, action.cost(case) + more, place, away, seen))
        return sorted((one for one in found if one.cost < IMPOSSIBLE), key=lambda one: one.cost)

    # columns

    def _surface(self) -> Iterator[Column]:
        strange = cost_of("strange")
        if self._turns[0].complete and not self._shots:
            strange = cost_of("ready")  # people clear the board and begin the next round
        for d in self._situation.new_discs:
            unexplained = log_sum_exp(strange + ANYWHERE, part_of_hand(self._seen.reading, d))
            if d.pose in AT_HOLE:
                unexplained = log_sum_exp(unexplained, self._situation.cost_of_ghost(d))
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
            more = 0.0 if sensor_alone(self._seen.reading, self._seen.watching) else cost_of("felt, not seen")
            yield Column("felt", side, cost_of("sensor misses"), more=more)
