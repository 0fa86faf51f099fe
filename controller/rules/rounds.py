"""One round: whose turn it is, what lies where, what it counts."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType

from controller.messages import say
from controller.rules.errors import BadCorrection, BadMatch, ImpossibleShot, NotNow, OutOfTurn
from controller.rules.figures import check_all_sides, check_figure, check_known
from controller.rules.judge import Judgement, PlayedAs, annulled, check_apart, check_place, judge
from controller.rules.shots import Board, Disc, Ditch, Hole, Placed, Rest, Shot, zone_of, zoned
from controller.rules.terms import Terms
from hardware.board import Board as Geometry

TWENTY = 20


@dataclass(frozen=True, slots=True)
class Played:
    """A shot with its judgement. `board` and `banked` are what holds after it, corrections included.

    `annulled`: the organiser annulled it; the board is as before it and its disc may be shot again. `corrected`: where
    discs really lay after it, by a person's word.
    """

    shot: Shot
    seat: int
    judgement: Judgement
    board: Board
    banked: tuple[str, ...]
    annulled: bool = False
    corrected: Mapping[str, Rest] = field(default_factory=dict)


@dataclass(frozen=True)
class Round:
    """One round as far as it was played. A value: every change makes a new one.

    `time_out` is how many shots there were when time ran out; `awarded_by_hand` and `totals_by_hand` are the
    organiser's figures, which replace what was played; `twenties_adjusted` is how many twenties a side has beyond those
    that were seen banked, below 0 how many fewer.
    """

    terms: Terms
    number: int
    starter: str
    starter_seat: int
    shots: tuple[Played, ...] = ()
    closed: bool = False
    time_out: int | None = None
    awarded_by_hand: Mapping[str, int] | None = None
    totals_by_hand: Mapping[str, int] | None = None
    twenties_adjusted: Mapping[str, int] = field(default_factory=dict)

    # --- how it stands

    @property
    def board(self) -> Board:
        """The discs on the surface now."""
        return self.shots[-1].board if self.shots else Board()

    @cached_property
    def owners(self) -> Mapping[str, str]:
        """The side of every disc that was shot, by id."""
        return {played.shot.disc: played.shot.side for played in self.shots if not played.annulled}

    @cached_property
    def seat_to_shoot(self) -> int | None:
        """The seat whose turn it is; None when the round is complete."""
        return None if self.complete else self._turns[0][0]

    @property
    def to_shoot(self) -> str | None:
        """The side whose turn it is; None when the round is complete."""
        return None if self.complete else self._turns[0][1]

    @cached_property
    def shots_left(self) -> Mapping[str, int]:
        """How many discs each side still has to shoot in this round."""
        if self.complete:
            return dict.fromkeys(self.terms.ids, 0)
        if self.time_out is not None:
            owed = self._owed()
            return {side: int(side in owed) for side in self.terms.ids}
        return {side: self.terms.discs - taken for side, taken in self._taken.items()}

    @property
    def hammer(self) -> str:
        """The side that has the last shot of the round: whose seat comes last in the order of play."""
        return self.terms.clockwise_from(self.starter_seat)[-1][1]

    @property
    def twenties(self) -> dict[str, tuple[str, ...]]:
        """The discs banked as twenties, by their owners."""
        banked = self.shots[-1].banked if self.shots else ()
        return {side: tuple(id for id in banked if self.owners[id] == side) for side in self.terms.ids}

    @property
    def twenty_counts(self) -> dict[str, int]:
        """How many twenties count for each side, corrections included."""
        return {
            side: min(max(len(ids) + self.twenties_adjusted.get(side, 0), 0), self.terms.discs)
            for side, ids in self.twenties.items()
        }

    @cached_property
    def totals(self) -> dict[str, int]:
        """What each side would count if the round ended now, twenties included."""
        if self.totals_by_hand is not None:
            return dict(self.totals_by_hand)
        totals = {side: TWENTY * count for side, count in self.twenty_counts.items()}
        for disc in self.board.discs.values():
            totals[disc.side] += zone_of(disc, self.terms.geometry)
        return totals

    @cached_property
    def complete(self) -> bool:
        """Whether the round is over: every disc shot, closed, awarded, or time out and the last shot taken."""
        if self.closed or self.awarded_by_hand is not None:
            return True
        if self.time_out is not None and not self._owed():
            return True
        return all(taken >= self.terms.discs for taken in self._taken.values())

    @property
    def awarded(self) -> dict[str, int] | None:
        """What the format gives for the round; None while it is not complete."""
        if not self.complete:
            return None
        if self.awarded_by_hand is not None:
            return dict(self.awarded_by_hand)
        return self.terms.format.award(self.totals)

    @property
    def corrected(self) -> bool:
        """Whether a person changed anything of what was played."""
        by_hand = self.awarded_by_hand is not None or self.totals_by_hand is not None or bool(self.twenties_adjusted)
        return by_hand or any(p.annulled or p.corrected or p.judgement.played_as for p in self.shots)

    @cached_property
    def _taken(self) -> Mapping[str, int]:
        """How many discs each side has shot."""
        owners = tuple(self.owners.values())
        return {side: owners.count(side) for side in self.terms.ids}

    def _owed(self) -> tuple[str, ...]:
        """The sides that still have their one more shot after time ran out (NCA rule 8)."""
        until, since = self.shots[: self.time_out], self.shots[self.time_out :]
        taken = {side: sum(p.shot.side == side and not p.annulled for p in until) for side in self.terms.ids}
        done = {p.shot.side for p in since if not p.annulled}
        return tuple(side for side in taken if taken[side] < max(taken.values()) and side not in done)

    @cached_property
    def _turns(self) -> tuple[tuple[int, str], ...]:
        """Who may shoot now, first the one whose turn it is. After an annulled shot its seat and the next may."""
        came_before: list[int] = []
        for played in reversed(self.shots):
            came_before.append(played.seat)
            if not played.annulled:
                break
        else:
            came_before.append(0)  # nothing counts yet: the starter
        return tuple(dict.fromkeys(self._next_after(seat) for seat in dict.fromkeys(reversed(came_before))))

    def _next_after(self, seat: int) -> tuple[int, str]:
        """The next (seat, side) after a seat that still has a disc; after seat 0 the starter."""
        order = self.terms.clockwise_from(seat or self.starter_seat)
        taken = [played.seat for played in self.shots if not played.annulled]
        left, share = self.shots_left, self.terms.discs_a_seat
        candidates = (*order[1:], order[0]) if seat else order
        return next((number, side) for number, side in candidates if left[side] and taken.count(number) < share)

    # --- what can happen to it

    def play(self, shot: Shot, played_as: PlayedAs | None = None) -> "Round":
        """The round after one more shot, which people played as something else than the rules' verdict where
        `played_as` says so. Raises `NotNow`, `OutOfTurn` or `ImpossibleShot`."""
        return self._with(self._played(self._zoned(shot), self._seat_of(shot), played_as))

    def play_annulled(self, shot: Shot) -> "Round":
        """The round after a shot that a record tells as annulled: it had its turn and counts for nothing."""
        return self._with(self._annulled(self._zoned(shot), self._seat_of(shot)))

    def close(self) -> "Round":
        """The round ended early, as it lies."""
        self._must_run()
        return replace(self, closed=True)

    def at_time_out(self) -> "Round":
        """Time ran out: a side with fewer shots gets exactly one more (NCA rule 8); with even shots the round ends."""
        self._must_run()
        if self.time_out is not None:
            raise NotNow(say("Time ran out already in round {n}.", n=self.number))
        return replace(self, time_out=len(self.shots))

    # --- the organiser's corrections

    def annul(self, number: int) -> "Round":
        """The round with a shot annulled (from 1): what came after is judged again on the board without it."""
        if not 1 <= number <= len(self.shots) or self.shots[number - 1].annulled:
            raise BadCorrection(
                say("Round {n} has no shot {shot} that can be annulled.", n=self.number, shot=number), "shot"
            )
        fresh = replace(self, shots=self.shots[: number - 1])
        for k, played in enumerate(self.shots[number - 1 :], start=number):
            if k == number:
                fresh = fresh._with(fresh._annulled(played.shot, played.seat))
                continue
            try:
                again = fresh._annulled(played.shot, played.seat) if played.annulled else fresh._again(played)
                fresh = fresh._with(again)._corrected(played.corrected)
            except (ImpossibleShot, BadCorrection) as error:
                raise BadCorrection(
                    f"without shot {number} of round {self.number}, shot {k} can't have happened ({error}); "
                    f"annul that one first",
                    "shot",
                ) from error
        return fresh

    def award(self, points: Mapping[str, int]) -> "Round":
        """The round awarded with what each side gets for it, no more than the format can give; it is then complete."""
        most = self.terms.format.most(TWENTY * self.terms.discs)
        for side, value in check_all_sides(points, self.terms.ids, "awarded").items():
            check_figure(value, 0, most, 1, f"awarded.{side}")
        return replace(self, awarded_by_hand=dict(points))

    def correct_twenties(self, twenties: Mapping[str, int]) -> "Round":
        """The round with so many twenties for a side by now; further ones are added."""
        for side, value in twenties.items():
            check_known(side, self.terms.ids, "twenties")
            check_figure(value, 0, self.terms.discs, 1, f"twenties.{side}")
        return self.adjust_twenties({side: value - len(self.twenties[side]) for side, value in twenties.items()})

    def adjust_twenties(self, more: Mapping[str, int]) -> "Round":
        """The round with so many twenties for a side beyond those that were seen banked; below 0 fewer."""
        for side, value in more.items():
            check_known(side, self.terms.ids, "twenties_adjusted")
            check_figure(value, -self.terms.discs, self.terms.discs, 1, f"twenties_adjusted.{side}")
        return replace(self, twenties_adjusted={**self.twenties_adjusted, **more})

    def correct_totals(self, totals: Mapping[str, int]) -> "Round":
        """The finished round with other totals, twenties included."""
        if not self.complete:
            raise NotNow(say("Round {n} still runs: only a finished round's totals can be corrected.", n=self.number))
        for side, value in check_all_sides(totals, self.terms.ids, "totals").items():
            check_figure(value, 0, TWENTY * self.terms.discs, 5, f"totals.{side}")
        return replace(self, totals_by_hand=dict(totals))

    def place_all(self, rests: Mapping[str, Rest]) -> "Round":
        """The round with discs where they really lie: `Placed`, `HOLE` (a twenty) or `DITCH` (off the board)."""
        if not self.shots:
            raise BadCorrection(say("There is no shot after which a disc could lie elsewhere."), "disc")
        return self._corrected({**self.shots[-1].corrected, **rests})

    def _zoned(self, shot: Shot) -> Shot:
        """The shot with the zone of every disc that it left on the surface, to be kept with it."""
        return replace(shot, rest=zoned(shot.rest, self.terms.geometry))

    def _must_run(self) -> None:
        if self.complete:
            raise NotNow(say("Round {n} is over already.", n=self.number))

    def _seat_of(self, shot: Shot) -> int:
        """The seat whose turn the shot is; refuses it out of turn."""
        if self.complete:
            raise NotNow(say("Round {n} is over: start the next one.", n=self.number))
        if shot.side not in self.terms.ids:
            raise OutOfTurn(f"there is no side {shot.side!r}; there are {', '.join(self.terms.ids)}", "side")
        turns = self._turns
        seat = next((number for number, side in turns if side == shot.side), None)
        if seat is None:
            raise OutOfTurn(f"{shot.side} can't shoot now; it is the turn of {turns[0][1]}", "side")
        return seat

    def _annulled(self, shot: Shot, seat: int) -> Played:
        return Played(shot, seat, annulled(self.board), self.board, self._banked(), annulled=True)

    def _with(self, played: Played) -> "Round":
        return replace(self, shots=(*self.shots, played))

    def _banked(self) -> tuple[str, ...]:
        return self.shots[-1].banked if self.shots else ()

    def _again(self, played: Played) -> Played:
        """A shot judged anew on the board as it is."""
        return self._played(played.shot, played.seat, played.judgement.played_as)

    def _played(self, shot: Shot, seat: int, played_as: PlayedAs | None) -> Played:
        """A shot judged on the board as it is, the discs that it names checked against those of the round."""
        owners, board = self.owners, self.board
        self._check_named(shot)
        rest = {}
        for id, where in shot.rest.items():
            if id in owners and id not in board:
                if isinstance(where, Ditch):
                    continue  # it lay there already
                raise ImpossibleShot(f"{id} is out and can't come back in this round", f"rest.{id}")
            rest[id] = where
        seen = shot if len(rest) == len(shot.rest) else replace(shot, rest=rest)
        judgement = judge(board, seen, self.terms.rules, self.terms.geometry, played_as)
        return Played(shot, seat, judgement, judgement.board, (*self._banked(), *judgement.twenties))

    def _check_named(self, shot: Shot) -> None:
        """Raise `ImpossibleShot` where the shot disc was shot before, or a contact names a disc that nobody shot."""
        owners = self.owners
        if shot.disc in owners:
            out = "is on the board" if shot.disc in self.board else "is out"
            raise ImpossibleShot(f"{shot.disc} was shot already in this round and {out}", "disc")
        for k, id in ((k, id) for k, pair in enumerate(shot.contacts) for id in pair):
            if id not in owners and id != shot.disc:
                raise ImpossibleShot(f"no disc {id!r} was shot in this round", f"contacts[{k}]")

    def _check_shot(self, discs: Iterable[str]) -> None:
        """Raise `BadCorrection` where one of the discs was not shot in this round."""
        for id in discs:
            if id not in self.owners:
                raise BadCorrection(say("No disc {disc} was shot in this round.", disc=id), "disc")

    def _corrected(self, rests: Mapping[str, Rest]) -> "Round":
        """The round with discs lying elsewhere after the last shot than it was judged: all corrections of that shot."""
        last, geometry = self.shots[-1], self.terms.geometry
        rests = zoned(rests, geometry)
        discs = {id: disc for id, disc in last.judgement.board.discs.items() if id not in rests}
        before = self.shots[-2].banked if len(self.shots) > 1 else ()
        banked = [id for id in (*before, *last.judgement.twenties) if id not in rests]
        placed = {id: rest for id, rest in rests.items() if isinstance(rest, Placed)}
        self._check_shot(rests)
        _check_placed(placed, discs, geometry)
        for id, rest in placed.items():
            if zone_of(rest, geometry):
                discs[id] = Disc(self.owners[id], rest.x, rest.y, rest.pose, rest.zone)
        banked += [id for id, rest in rests.items() if isinstance(rest, Hole)]
        last = replace(last, board=Board(discs), banked=tuple(banked), corrected=MappingProxyType(dict(rests)))
        return replace(self, shots=(*self.shots[:-1], last))


def _check_placed(placed: Mapping[str, Placed], others: Mapping[str, Disc], geometry: Geometry) -> None:
    """Raise `BadCorrection` where discs can't lie as a person says; `others` are the discs that nobody corrects."""
    try:
        for id, rest in placed.items():
            check_place(rest, geometry, id)
        check_apart(placed, others, geometry)
    except ImpossibleShot as error:
        raise BadCorrection(error.message, error.place) from error


def opened(terms: Terms, number: int, starter: str, seat: int | None, last_seat: int) -> Round:
    """A round before its first shot. Without `seat`, the starting side's next seat clockwise from the last starter's
    begins; `last_seat` is 0 in the first round. Raises `BadMatch`."""
    order = (
        terms.seats if not last_seat else (*terms.clockwise_from(last_seat)[1:], *terms.clockwise_from(last_seat)[:1])
    )
    seats = [number for number, side in order if side == starter]
    if not seats:
        raise BadMatch(f"{starter!r} can't start; there are {', '.join(terms.ids)}", "starter")
    if seat is not None and seat not in seats:
        raise BadMatch(f"{starter} does not sit at seat {seat}; it has {', '.join(map(str, sorted(seats)))}", "seat")
    return Round(terms, number, starter, seats[0] if seat is None else seat)
