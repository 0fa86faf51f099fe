"""What may have become of each disc between two boards at rest, and what each of it costs.

All costs are nats, of `evidence_table.json`.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from controller import rules
from controller.match import events as ev
from controller.referee.association import AssignmentRow, Outcome
from controller.referee.evidence import ANYWHERE, IMPOSSIBLE, cost_of, cost_of_absence, log_sum_exp, mm, ring, spread
from controller.referee.film_evidence import FilmEvidence, near_end, near_hole
from controller.referee.situation import Situation, cost_of_disc, part_of_hand, untouched, whose
from controller.vision.film.film import SHOT
from controller.vision.readings import SeenDisc
from hardware.board import TOURNAMENT

Surface = Callable[[SeenDisc], list[Outcome]]
"""What it may mean that a disc lies at a place."""


FIVE = math.log(math.pi * (TOURNAMENT.outer_line**2 - TOURNAMENT.ten_line**2))
"""What it costs, per mm2, to lie anywhere in the ring of five: the way of a hand to the line leads over it."""


class PossibleOutcomes:
    """For one number of shots: a row for each disc, and the columns where one may have ended.

    Rows are the discs that the match knows, those that were shot, those that may lie ready, and strangers. Columns are
    the discs that were seen, those that came into the ditch, and those that the sensor alone felt in the hole.
    """

    def __init__(self, situation: Situation, rounds: Sequence[rules.Round], shots: int) -> None:
        self._situation, self._seen = situation, situation.seen
        self._shots, self._then = tuple(rounds[:shots]), rounds[shots]
        self._next = rounds[shots + 1] if shots + 1 < len(rounds) else None
        self._film = FilmEvidence(situation.film if shots == 1 else None)
        self._places = situation.new_discs
        self.columns = len(self._places) + len(self._seen.arrived) + self._seen.dwelt_in_all
        self.felt = range(self.columns - self._seen.dwelt_in_all, self.columns)

    def rows(self) -> list[AssignmentRow]:
        """One for each disc, with its outcomes."""
        rows = [*self._known(), *self._absent(), *self._shot(), *self._ready(), *self._strangers()]
        for row in rows:
            row.outcomes = [row.at(column) for column in range(self.columns)]
        return rows

    def _known(self) -> Iterator[AssignmentRow]:
        state = self._situation.state
        for name, lay in state.measured.items():
            if name not in self._situation.still:
                side = state.side_of(name)
                does = self._struck if self._shots else self._tidied
                stays = (
                    self._situation.cost_of_leaving(name, shot=bool(self._shots)) if name in state.to_remove else 0.0
                )
                yield AssignmentRow(name, self._at(name, side, does(name, lay), stays), self._gone(name, lay))

    def _absent(self) -> Iterator[AssignmentRow]:
        """The discs that are not there and may be put back, or were overlooked after they were shot."""
        for name in (
            self._situation.to_put_back.keys() | self._situation.unseen
        ) - self._situation.state.measured.keys():
            at = partial(self._back, name)
            yield AssignmentRow(
                name, self._at(name, self._situation.state.side_of(name), at), [Outcome("nothing", 0.0)]
            )

    def _shot(self) -> Iterator[AssignmentRow]:
        for number, before in enumerate(self._shots):
            seat = before.seat_to_shoot
            unseen = [
                Outcome("off", cost_of("shot off") + self._unseen_off(SHOT), seen=self._film.left(SHOT)),
                Outcome("hole", self._in_hole + self._lifted_unseen(), seen=False),
            ]
            if self._seen.reading.obstructed:
                unseen.append(Outcome("overlooked", cost_of("shot rests") + cost_of("hidden"), seen=False))
            assert seat is not None
            yield AssignmentRow(SHOT, self._at(SHOT, str(before.to_shoot), self._shot_rests), unseen, number)

    def _ready(self) -> Iterator[AssignmentRow]:
        if self._then.complete:
            return
        now, early = ("ready after shot", "ready early after shot") if self._shots else ("ready", "ready early")
        turns = [(self._then, now), *([(self._next, early)] if self._next is not None else [])]
        for turn, how in turns:
            if not turn.complete and all(d.side != turn.to_shoot for d in self._situation.still_ready):
                none = [Outcome("nothing", cost_of_absence(how))]
                yield AssignmentRow(how, self._at(how, str(turn.to_shoot), self._lies_ready(turn, how)), none)

    def _strangers(self) -> Iterator[AssignmentRow]:
        for k, stranger in enumerate(self._situation.state.strangers):

            def at(d: SeenDisc, lay: ev.Stranger = stranger) -> list[Outcome]:
                return [
                    Outcome(
                        "strange",
                        log_sum_exp(cost_of("stranger stays") + self._situation.jitter(lay, d), 3.0 + ANYWHERE),
                        d,
                    )
                ]

            yield AssignmentRow(f"stranger {k}", self._at("", stranger.side, at), [Outcome("nothing", 1.0)])

    # what a column would mean

    def _at(
        self, name: str, side: str | None, on_surface: Surface, stays: float = 0.0
    ) -> Callable[[int], list[Outcome]]:
        """For each column what it may mean that this disc ended there; `stays` is what it costs that it is there."""

        def at(k: int) -> list[Outcome]:
            if k < len(self._places):
                disc = self._places[k]
                more = stays + whose(disc, side) + cost_of_disc(disc)
                outcomes = [] if math.isinf(more) else on_surface(disc)
                return [replace(outcome, cost=outcome.cost + more) for outcome in outcomes] if more else outcomes
            k -= len(self._places)
            known = name == SHOT or name in self._situation.state.measured
            if not known:
                return []
            if k < len(self._seen.arrived):
                return self._in_ditch(name) if self._seen.arrived[k].side == side else []
            now = self._seen.felt and k == len(self._seen.arrived) + self._seen.dwelt
            unseen = cost_of("felt, not seen") if now else 0.0
            return [self._felt(name, unseen)] if self._seen.dwelt_side in (side, None) else []

        return at

    def _shot_rests(self, d: SeenDisc) -> list[Outcome]:
        if d.pose == "in_hole":
            return [Outcome("hole", self._in_hole, d)]
        if d.pose == "leaning":
            return [Outcome("moved", cost_of("shot leans") + self._film.ended(SHOT, "hole"), d)]
        return [Outcome("moved", cost_of("shot rests") + self._film.rests(SHOT, d, near_hole(d)), d)]

    @property
    def _in_hole(self) -> float:
        """What it costs that a shot disc fell into the hole."""
        return cost_of("shot in hole") + self._film.ended(SHOT, "hole")

    def _struck(self, name: str, lay: ev.Measured) -> Surface:
        def at(d: SeenDisc) -> list[Outcome]:
            if d.pose == "in_hole":
                slid = cost_of("slid into hole") if lay.pose != "flat" else IMPOSSIBLE
                return [Outcome("hole", log_sum_exp(self._sunk(name), slid), d)]
            if d.pose == "leaning":
                return [Outcome("moved", self._sunk(name), d)]
            away = self._situation.away(lay, d)
            moved = (
                cost_of("struck moved")
                + self._film.followed(name, away)
                + self._film.rests(name, d, ring(away, mm("struck goes")))
            )
            nudged = untouched(len(self._shots)) + self._nudged(lay, d) + self._film.not_struck(name)
            return [Outcome("moved", moved, d, away), Outcome("nudged", nudged, d, away)]

        return at

    def _tidied(self, name: str, lay: ev.Measured) -> Surface:
        def at(d: SeenDisc) -> list[Outcome]:
            if d.pose == "in_hole":
                return [Outcome("hole", self._brought_in(lay), d)]
            if d.pose != lay.pose:
                return [Outcome("nudged", cost_of("carried"), d)]
            carried = cost_of("carried") if name not in self._situation.overlooked else 2.0
            cost = log_sum_exp(self._nudged(lay, d), carried + ANYWHERE)
            return [Outcome("nudged", cost, d, self._situation.away(lay, d)), *self._back(name, d)]

        return at

    def _back(self, name: str, d: SeenDisc) -> list[Outcome]:
        """People put a disc back to where it lay before, or it has lain there since it was shot."""
        if name in self._situation.unseen and d.pose == "flat":
            return [Outcome("back", cost_of("off unseen, lies there") + near_hole(d), d)]
        lay = self._situation.to_put_back.get(name)
        if lay is None or d.pose != lay.pose:
            return []
        return [
            Outcome("back", cost_of("put back") + spread(math.dist((lay.x, lay.y), (d.x, d.y)), mm("put back, off")), d)
        ]

    def _nudged(self, lay: ev.Measured, d: SeenDisc) -> float:
        """What it costs, per mm2, that a disc lies there which no shot moved: a sleeve did, or it only seems so."""
        nudged = cost_of("nudged during shot" if self._shots else "nudged")
        return log_sum_exp(self._situation.jitter(lay, d), nudged + spread(self._situation.away(lay, d), mm("nudge")))

    def _lies_ready(self, turn: rules.Round, how: str) -> Surface:
        def at(d: SeenDisc) -> list[Outcome]:
            placed = self._situation.cost_of_placing(d, turn)
            if math.isfinite(placed):
                return [Outcome("ready", cost_of(how) + self._brought(d, placed), d)]
            laid = self._laid_down(d) if how == "ready" else IMPOSSIBLE
            return [Outcome("ready", cost_of(how) + laid, d)] if math.isfinite(laid) else []

        return at

    def _laid_down(self, d: SeenDisc) -> float:
        """What it costs, per mm2, that a hand dropped a disc here on its way to the line, or laid it down."""
        film, hand = self._situation.film, cost_of("laid down inside") + self._situation.unreached
        if d.pose != "flat":
            return IMPOSSIBLE
        if film is not None and film.hardly_moved:
            return hand + self._brought(d, ANYWHERE)
        return hand + FIVE if d.zone == 5 else IMPOSSIBLE

    def _in_ditch(self, name: str) -> list[Outcome]:
        seen = cost_of("off is seen in ditch")
        if name == SHOT:
            return [Outcome("off", cost_of("shot off") + seen + self._film.ended(name, "ditch"))]
        twenty = self._situation.state.to_remove.get(name) == "twenty"
        taken = [Outcome("taken", (cost_of("twenty laid in ditch") if twenty else seen) + self._taken(name))]
        if not self._shots:
            return taken
        return [*taken, Outcome("off", cost_of("struck off") + seen + self._film.ended(name, "ditch"))]

    def _felt(self, name: str, unseen: float) -> Outcome:
        """A disc that the sensor alone felt; `unseen` is what it costs that the camera does not see it there."""
        if name == SHOT:
            return Outcome("hole", self._in_hole + unseen)
        lay = self._situation.state.measured[name]
        if lay.pose == "in_hole":
            return Outcome("lifted", unseen)
        if not self._shots:
            return Outcome("hole", self._brought_in(lay) + unseen)
        return Outcome("hole", self._sunk(name) + unseen)

    def _sunk(self, name: str) -> float:
        """What it costs that a shot struck this disc into the hole, or so that it leans over it."""
        leans = self._situation.state.measured[name].pose == "leaning"
        return cost_of("leaning, struck into hole" if leans else "struck into hole") + self._film.ended(name, "hole")

    def _brought_in(self, lay: ev.Measured) -> float:
        """A disc came into the hole although nobody shot: it leaned, or a hand carried it there."""
        return cost_of("slid into hole") + (0.0 if lay.pose != "flat" else cost_of("carried"))

    # outcomes without a column

    def _gone(self, name: str, lay: ev.Measured) -> list[Outcome]:
        """What may have become of a known disc that is not seen anywhere."""
        again = name in self._situation.overlooked
        hidden = self._seen.hides(lay.x, lay.y) or (self._seen.reading.obstructed and not self._seen.reading.hidden)
        missed = cost_of("hidden") if hidden else cost_of("overlooked again" if again else "overlooked")
        missed += self._film.not_struck(name)
        if lay.pose == "in_hole":
            felt = self._situation.state.hole_level  # None where no sensor is believed
            missed += cost_of("sensor misses") if felt is False else 0.0
            lifted = self._taken(name) + (cost_of("sensor misses") if felt else 0.0)
            if any(d.pose == "in_hole" for d in self._places):
                return [Outcome("lifted", lifted)]  # another one lies there
            return [Outcome("overlooked", missed, seen=False), Outcome("lifted", lifted, seen=felt is False)]
        outcomes = [Outcome("overlooked", missed, seen=False)]
        unseen = self._unseen_off(name)
        outcomes.append(Outcome("taken", unseen + self._taken(name), seen=False))
        if lay.pose == "leaning":
            taken = cost_of("marked taken") + self._situation.unreached
            outcomes.append(Outcome("lifted", cost_of("slid into hole") + taken, seen=False))
        if self._shots:
            outcomes.append(Outcome("off", cost_of("struck off") + unseen, seen=self._film.left(name)))
            outcomes.append(Outcome("hole", self._sunk(name) + self._lifted_unseen(), seen=False))
        return outcomes

    def _taken(self, name: str) -> float:
        """People took this disc off."""
        cost = self._film.not_struck(name)
        if name in self._situation.state.to_remove:
            return cost + self._situation.cost_of_taking_off(name, shot=bool(self._shots))
        if self._situation.state.game.round.complete:
            return cost_of("cleared") + math.log(
                len(self._situation.state.on_board)
            )  # with any disc people begin to clear
        late = "marked taken late" if self._shots else "marked taken"  # they left it at the board before
        return (
            cost
            + self._situation.unreached
            + log_sum_exp(cost_of("taken"), self._situation.cost_of_touching_line(name) + cost_of(late))
        )

    def _unseen_off(self, name: str) -> float:
        """A disc that is off was not seen in the ditch; one that was filmed over the edge need not be."""
        if self._film.left(name):
            return cost_of_absence("ditch, filmed otherwise")
        seen = cost_of_absence("off is seen in ditch") if not self._seen.reading.hidden else 0.0
        return seen + self._film.ended(name, "ditch")

    def _lifted_unseen(self) -> float:
        """A disc lay in the hole and was lifted before the board was read, and the sensor did not tell."""
        missed = cost_of("sensor misses") if self._seen.sensor else 0.0
        return missed + cost_of("lifted before reading") + self._situation.unreached

    def _brought(self, d: SeenDisc, unfilmed: float) -> float:
        """What it costs, per mm2, that a disc lies ready here; where nobody shot, the film may be of the hand."""
        film = self._situation.film
        return unfilmed if film is None or self._shots else near_end(film.tracks()[SHOT], d, unfilmed)

    # the hypothesis as a whole

    def unexplained(self) -> list[float]:
        """For each column what it costs that no disc of the match ended there."""
        strange = cost_of("strange")
        if self._then.complete and not self._shots:
            strange = cost_of("ready")  # people clear the board and begin the next round
        places = [log_sum_exp(strange + ANYWHERE, part_of_hand(self._seen.reading, d)) for d in self._places]
        owed, ditch = dict(self._seen.owed), []
        for d in self._seen.arrived:
            late = owed.get(str(d.side), 0) > 0
            owed[str(d.side)] = owed.get(str(d.side), 0) - 1
            ditch.append(cost_of("late in ditch") if late else cost_of("ditch unexplained"))
        felt = [cost_of("sensor contradicts, works")] * self._seen.felt
        return places + ditch + [cost_of("dwell unexplained")] * self._seen.dwelt + felt
