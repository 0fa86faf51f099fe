"""What may have happened between two boards at rest: how many shots, and what became of every disc.

Each number of shots is one hypothesis. What became of the discs in it is one optimal assignment: rows are the discs
that the match knows, those that were shot, those that may lie ready, and strangers; columns are the discs that were
seen, those that came into the ditch, and those that the sensor alone felt in the hole. A row without a column was not
seen where it ended. All costs are nats, of `evidence_table.json`.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from controller import rules
from controller.match import events as ev
from controller.referee.filmed import Filmed
from controller.referee.model.board import Board, cost_of_disc, cost_of_no_disc, cost_of_shots, whose
from controller.referee.model.evidence import ANYWHERE, IMPOSSIBLE, either, mm, nats, nats_not, ring, spread
from controller.referee.model.explanation import Account, Became, Explanation, Fate, course, of_one_shot
from controller.referee.model.film_evidence import FilmEvidence, near_end, near_hole
from controller.referee.model.left_alone import cost_of_ready, cost_of_still, untouched
from controller.vision.film.assignment import assign_with_none
from controller.vision.film.film import SHOT
from controller.vision.readings import SeenDisc

MOST_SHOTS = 3
"""Between two boards at rest: with more of them a board comes between. Judged."""
MOST_UNWATCHED = 8
"""While the camera saw nothing: half a round. Judged."""
WORTH = 9.0
"""Nats above the best, beyond which a history is given up: 1 in 8,000."""


Surface = Callable[[SeenDisc], list[Fate]]
"""What it may mean that a disc lies at a place."""


def explanations(board: Board, limit: float = math.inf) -> list[Explanation]:
    """Every hypothesis with its best assignment that may be worth keeping, the likeliest first.

    Those that surely cost `limit` or more are left out, but for the first.
    """
    most = MOST_UNWATCHED if board.seen.watching.unwatched else MOST_SHOTS
    rounds = course(board.state.game.round, most)
    told: list[Explanation] = []
    for shots in range(len(rounds)):
        least = cost_of_shots(board, shots) + board.as_measured
        least += max(shots - 1, 0) * nats("shot in hole")  # of all ends the cheapest that is no place
        if not told or least < min(limit, min(e.cost for e in told) + WORTH):
            told += _Explaining(board, rounds, shots).likeliest()
    one = next((e for e in told if len(e.shots) == 1), None)
    if board.film is not None and one is not None and _contradicted(board.film, one):
        told += _confused(board, rounds)
    return sorted((e for e in told if math.isfinite(e.cost)), key=lambda e: e.cost)


def _places(fates: Iterable[Fate], became: Became) -> tuple[SeenDisc, ...]:
    """Where the discs lie that became this."""
    return tuple(fate.place for fate in fates if fate.became == became and fate.place is not None)


def _others(row: Account, likely: Sequence[Fate]) -> Iterator[tuple[str, int, Fate]]:
    """The fates of a disc, the likeliest first, that are worth keeping beside that."""
    for fate in likely[1:]:
        if fate.became != "nothing" and fate.cost < likely[0].cost + WORTH:
            yield row.name, row.number, fate


def _contradicted(film: Filmed, told: Explanation) -> bool:
    """Whether a disc ended elsewhere than it was filmed to."""
    ends = {SHOT: told.shot[0], **told.known}
    return any(name in ends and film.agrees(name, ends[name].place) is False for name in film.tracks())


def _confused(board: Board, rounds: Sequence[rules.Round]) -> Iterator[Explanation]:
    """One shot, of which the film took one disc for another: the shot disc for one that it met, or it tells nothing."""
    assert board.film is not None
    met = [track.disc for track in board.film.film.tracks if track.disc in board.film.names]
    for film in (*(board.film.swapped(disc) for disc in met), None):
        other = replace(board, film=film)
        told = cost_of_shots(board, 1) - cost_of_shots(other, 1)
        for explained in _Explaining(other, rounds, 1).likeliest():
            yield replace(explained, cost=explained.cost + told + nats("film confused") + math.log(len(met) + 1))


class _Explaining:
    """One hypothesis: so many shots."""

    def __init__(self, board: Board, rounds: Sequence[rules.Round], shots: int) -> None:
        self._board, self._seen = board, board.seen
        self._shots, self._then = tuple(rounds[:shots]), rounds[shots]
        self._next = rounds[shots + 1] if shots + 1 < len(rounds) else None
        self._film = FilmEvidence(board.film if shots == 1 else None)
        self._still, self._kept, self._places = board.still, board.kept, board.places
        self._given = cost_of_shots(board, shots) + cost_of_still(board, shots)
        self._columns = len(self._places) + len(self._seen.arrived) + self._seen.dwelt_in_all

    def likeliest(self) -> Iterator[Explanation]:
        """The best assignment, the best with another shot disc, and the best for each disc that the sensor felt."""
        rows = [*self._known(), *self._absent(), *self._shot(), *self._ready(), *self._strangers()]
        unexplained = self._unexplained()
        costs, without = [], []
        for row in rows:
            row.fates = [row.at(k) for k in range(self._columns)]
            least = (min((f.cost for f in fates), default=IMPOSSIBLE) for fates in row.fates)
            costs.append([cost - unexplained[k] for k, cost in enumerate(least)])
            without.append(min(f.cost for f in row.unseen))
        given = assign_with_none(costs, without)
        yield self._told(rows, given, unexplained)
        felt = range(self._columns - self._seen.dwelt_in_all, self._columns)
        for number, column in enumerate(given):
            barred, again = [*costs], number if column in felt or rows[number].name == SHOT else None
            while again is not None and column is not None:
                never = felt if column in felt else (column,)
                barred[again] = [IMPOSSIBLE if k in never else cost for k, cost in enumerate(barred[again])]
                instead = assign_with_none(barred, without)
                yield self._told(rows, instead, unexplained)
                again = instead.index(column) if column in felt and column in instead else None

    def _told(self, rows: Sequence[Account], given: Sequence[int | None], unexplained: Sequence[float]) -> Explanation:
        ends = [row.ends(k) for row, k in zip(rows, given, strict=True)]
        chosen = [fates[0] for fates in ends]
        free = sorted(set(range(self._columns)).difference(k for k in given if k is not None))
        cost = sum(f.cost for f in chosen) + sum(unexplained[k] for k in free)
        placed = _places(chosen, "ready")
        cost += self._given + cost_of_ready(self._board, self._shots[:1], placed)
        fates = dict(zip([(r.name, r.number) for r in rows], chosen, strict=True))
        still = {n: Fate("stays", 0.0, d) for n, d in self._still.items()}
        lay = self._board.state.measured
        known = {n: f for (n, number), f in fates.items() if n in lay or f.became == "back"}
        told = Explanation(
            self._shots,
            {**still, **known},
            tuple(fates[SHOT, k] for k in range(len(self._shots))),
            (*self._kept, *placed),
            (*(self._places[k] for k in free if k < len(self._places)), *_places(chosen, "strange")),
            cost,
            self._seen,
            tuple(other for row, likely in zip(rows, ends, strict=True) for other in _others(row, likely)),
        )
        return replace(told, cost=cost + of_one_shot(self._board.state, told))

    # rows

    def _known(self) -> Iterator[Account]:
        state = self._board.state
        for name, lay in state.measured.items():
            if name not in self._still:
                side = state.side_of(name)
                does = self._struck if self._shots else self._tidied
                stays = self._board.stays(name, shot=bool(self._shots)) if name in state.to_remove else 0.0
                yield Account(name, self._at(name, side, does(name, lay), stays), self._gone(name, lay))

    def _absent(self) -> Iterator[Account]:
        """The discs that are not there and may be put back, or were overlooked after they were shot."""
        for name in (self._board.to_put_back.keys() | self._board.unseen) - self._board.state.measured.keys():
            at = partial(self._back, name)
            yield Account(name, self._at(name, self._board.state.side_of(name), at), [Fate("nothing", 0.0)])

    def _shot(self) -> Iterator[Account]:
        for number, before in enumerate(self._shots):
            seat = before.seat_to_shoot
            unseen = [
                Fate("off", nats("shot off") + self._unseen_off(SHOT), seen=self._film.left(SHOT)),
                Fate("hole", self._in_hole + self._lifted_unseen(), seen=False),
            ]
            if self._seen.reading.obstructed:
                unseen.append(Fate("overlooked", nats("shot rests") + nats("hidden"), seen=False))
            assert seat is not None
            yield Account(SHOT, self._at(SHOT, str(before.to_shoot), self._shot_rests), unseen, number)

    def _ready(self) -> Iterator[Account]:
        if self._then.complete:
            return
        now, early = ("ready after shot", "ready early after shot") if self._shots else ("ready", "ready early")
        turns = [(self._then, now), *([(self._next, early)] if self._next is not None else [])]
        for turn, how in turns:
            if not turn.complete and all(d.side != turn.to_shoot for d in self._kept):
                none = [Fate("nothing", nats_not(how))]
                yield Account(how, self._at(how, str(turn.to_shoot), self._lies_ready(turn, how)), none)

    def _strangers(self) -> Iterator[Account]:
        for k, stranger in enumerate(self._board.state.strangers):

            def at(d: SeenDisc, lay: ev.Stranger = stranger) -> list[Fate]:
                return [Fate("strange", either(nats("stranger stays") + self._board.jitter(lay, d), 3.0 + ANYWHERE), d)]

            yield Account(f"stranger {k}", self._at("", stranger.side, at), [Fate("nothing", 1.0)])

    # what a column would mean

    def _at(self, name: str, side: str | None, on_surface: Surface, stays: float = 0.0) -> Callable[[int], list[Fate]]:
        """For each column what it may mean that this disc ended there; `stays` is what it costs that it is there."""

        def at(k: int) -> list[Fate]:
            if k < len(self._places):
                disc = self._places[k]
                more = stays + whose(disc, side) + cost_of_disc(disc)
                fates = [] if math.isinf(more) else on_surface(disc)
                return [replace(fate, cost=fate.cost + more) for fate in fates] if more else fates
            k -= len(self._places)
            known = name == SHOT or name in self._board.state.measured
            if not known:
                return []
            if k < len(self._seen.arrived):
                return self._in_ditch(name) if self._seen.arrived[k].side == side else []
            now = self._seen.felt and k == len(self._seen.arrived) + self._seen.dwelt
            unseen = nats("felt, not seen") if now else 0.0
            return [self._felt(name, unseen)] if self._seen.dwelt_side in (side, None) else []

        return at

    def _shot_rests(self, d: SeenDisc) -> list[Fate]:
        if d.pose == "in_hole":
            return [Fate("hole", self._in_hole, d)]
        if d.pose == "leaning":
            return [Fate("moved", nats("shot leans") + self._film.ended(SHOT, "hole"), d)]
        return [Fate("moved", nats("shot rests") + self._film.rests(SHOT, d, near_hole(d)), d)]

    @property
    def _in_hole(self) -> float:
        """What it costs that a shot disc fell into the hole."""
        return nats("shot in hole") + self._film.ended(SHOT, "hole")

    def _struck(self, name: str, lay: ev.Measured) -> Surface:
        def at(d: SeenDisc) -> list[Fate]:
            if d.pose == "in_hole":
                slid = nats("slid into hole") if lay.pose != "flat" else IMPOSSIBLE
                return [Fate("hole", either(self._sunk(name), slid), d)]
            if d.pose == "leaning":
                return [Fate("moved", self._sunk(name), d)]
            away = self._board.away(lay, d)
            moved = (
                nats("struck moved")
                + self._film.followed(name, away)
                + self._film.rests(name, d, ring(away, mm("struck goes")))
            )
            nudged = untouched(len(self._shots)) + self._nudged(lay, d) + self._film.not_struck(name)
            return [Fate("moved", moved, d, away), Fate("nudged", nudged, d, away)]

        return at

    def _tidied(self, name: str, lay: ev.Measured) -> Surface:
        def at(d: SeenDisc) -> list[Fate]:
            if d.pose == "in_hole":
                return [Fate("hole", self._brought_in(lay), d)]
            if d.pose != lay.pose:
                return [Fate("nudged", nats("carried"), d)]
            carried = nats("carried") if name not in self._board.overlooked else 2.0
            cost = either(self._nudged(lay, d), carried + ANYWHERE)
            return [Fate("nudged", cost, d, self._board.away(lay, d)), *self._back(name, d)]

        return at

    def _back(self, name: str, d: SeenDisc) -> list[Fate]:
        """People put a disc back to where it lay before, or it has lain there since it was shot."""
        if name in self._board.unseen and d.pose == "flat":
            return [Fate("back", nats("off unseen, lies there") + near_hole(d), d)]
        lay = self._board.to_put_back.get(name)
        if lay is None or d.pose != lay.pose:
            return []
        return [Fate("back", nats("put back") + spread(math.dist((lay.x, lay.y), (d.x, d.y)), mm("put back, off")), d)]

    def _nudged(self, lay: ev.Measured, d: SeenDisc) -> float:
        """What it costs, per mm2, that a disc lies there which no shot moved: a sleeve did, or it only seems so."""
        nudged = nats("nudged during shot" if self._shots else "nudged")
        return either(self._board.jitter(lay, d), nudged + spread(self._board.away(lay, d), mm("nudge")))

    def _lies_ready(self, turn: rules.Round, how: str) -> Surface:
        def at(d: SeenDisc) -> list[Fate]:
            placed = self._board.placed(d, turn)
            return [] if math.isinf(placed) else [Fate("ready", nats(how) + self._brought(d, placed), d)]

        return at

    def _in_ditch(self, name: str) -> list[Fate]:
        seen = nats("off is seen in ditch")
        if name == SHOT:
            return [Fate("off", nats("shot off") + seen + self._film.ended(name, "ditch"))]
        twenty = self._board.state.to_remove.get(name) == "twenty"
        taken = [Fate("taken", (nats("twenty laid in ditch") if twenty else seen) + self._taken(name))]
        if not self._shots:
            return taken
        return [*taken, Fate("off", nats("struck off") + seen + self._film.ended(name, "ditch"))]

    def _felt(self, name: str, unseen: float) -> Fate:
        """A disc that the sensor alone felt; `unseen` is what it costs that the camera does not see it there."""
        if name == SHOT:
            return Fate("hole", self._in_hole + unseen)
        lay = self._board.state.measured[name]
        if lay.pose == "in_hole":
            return Fate("lifted", unseen)
        if not self._shots:
            return Fate("hole", self._brought_in(lay) + unseen)
        return Fate("hole", self._sunk(name) + unseen)

    def _sunk(self, name: str) -> float:
        """What it costs that a shot struck this disc into the hole, or so that it leans over it."""
        leans = self._board.state.measured[name].pose == "leaning"
        return nats("leaning, struck into hole" if leans else "struck into hole") + self._film.ended(name, "hole")

    def _brought_in(self, lay: ev.Measured) -> float:
        """A disc came into the hole although nobody shot: it leaned, or a hand carried it there."""
        return nats("slid into hole") + (0.0 if lay.pose != "flat" else nats("carried"))

    # fates without a column

    def _gone(self, name: str, lay: ev.Measured) -> list[Fate]:
        """What may have become of a known disc that is not seen anywhere."""
        again = name in self._board.overlooked
        hidden = self._seen.hides(lay.x, lay.y) or (self._seen.reading.obstructed and not self._seen.reading.hidden)
        missed = nats("hidden") if hidden else nats("overlooked again" if again else "overlooked")
        missed += self._film.not_struck(name)
        if lay.pose == "in_hole":
            felt = self._board.state.hole_level  # None where no sensor is believed
            missed += nats("sensor misses") if felt is False else 0.0
            lifted = self._taken(name) + (nats("sensor misses") if felt else 0.0)
            if any(d.pose == "in_hole" for d in self._places):
                return [Fate("lifted", lifted)]  # another one lies there
            return [Fate("overlooked", missed, seen=False), Fate("lifted", lifted, seen=felt is False)]
        fates = [Fate("overlooked", missed, seen=False)]
        unseen = self._unseen_off(name)
        fates.append(Fate("taken", unseen + self._taken(name), seen=False))
        if lay.pose == "leaning":
            taken = nats("marked taken") + self._board.unreached
            fates.append(Fate("lifted", nats("slid into hole") + taken, seen=False))
        if self._shots:
            fates.append(Fate("off", nats("struck off") + unseen, seen=self._film.left(name)))
            fates.append(Fate("hole", self._sunk(name) + self._lifted_unseen(), seen=False))
        return fates

    def _taken(self, name: str) -> float:
        """People took this disc off."""
        cost = self._film.not_struck(name)
        if name in self._board.state.to_remove:
            return cost + self._board.goes(name, shot=bool(self._shots))
        if self._board.state.game.round.complete:
            return nats("cleared") + math.log(len(self._board.state.on_board))  # with any disc people begin to clear
        late = "marked taken late" if self._shots else "marked taken"  # they left it at the board before
        return cost + self._board.unreached + either(nats("taken"), self._board.touches_line(name) + nats(late))

    def _unseen_off(self, name: str) -> float:
        """A disc that is off was not seen in the ditch; one that was filmed over the edge need not be."""
        if self._film.left(name):
            return nats_not("ditch, filmed otherwise")
        seen = nats_not("off is seen in ditch") if not self._seen.reading.hidden else 0.0
        return seen + self._film.ended(name, "ditch")

    def _lifted_unseen(self) -> float:
        """A disc lay in the hole and was lifted before the board was read, and the sensor did not tell."""
        told = nats("sensor misses") if self._seen.sensor else 0.0
        return told + nats("lifted before reading") + self._board.unreached

    def _brought(self, d: SeenDisc, untold: float) -> float:
        """What it costs, per mm2, that a disc lies ready here; where nobody shot, the film may be of the hand."""
        film = self._board.film
        return untold if film is None or self._shots else near_end(film.tracks()[SHOT], d, untold)

    # the hypothesis as a whole

    def _unexplained(self) -> list[float]:
        """For each column what it costs that no disc of the match ended there."""
        strange = nats("strange")
        if self._then.complete and not self._shots:
            strange = nats("ready")  # people clear the board and begin the next round
        places = [either(strange, cost_of_no_disc(d)) + ANYWHERE for d in self._places]
        owed, ditch = dict(self._seen.owed), []
        for d in self._seen.arrived:
            late = owed.get(str(d.side), 0) > 0
            owed[str(d.side)] = owed.get(str(d.side), 0) - 1
            ditch.append(nats("late in ditch") if late else nats("ditch unexplained"))
        felt = [nats("sensor contradicts, works")] * self._seen.felt
        return places + ditch + [nats("dwell unexplained")] * self._seen.dwelt + felt
