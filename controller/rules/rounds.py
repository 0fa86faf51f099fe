"""One round: whose turn it is, where the discs are, and what they count."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType

from controller.messages import say
from controller.rules.errors import BadCorrection, BadMatch, ImpossibleShot, NotAllowedNow, OutOfTurn
from controller.rules.formats import TWENTY
from controller.rules.judge import Judgement, PlayedAs, annulled, check_apart, check_place, judge
from controller.rules.shots import Disc, Ditch, Hole, Placed, Position, Rest, Shot, with_zones, zone_of
from controller.rules.terms import Terms, check_all_sides, check_figure, check_known


@dataclass(frozen=True, slots=True)
class JudgedShot:
    """A shot with its judgement. `board` and `banked` are the state after it, corrections included. `corrected`: the
    places of discs after it, as corrected by people."""

    shot: Shot
    seat: int
    judgement: Judgement
    board: Position
    banked: tuple[str, ...]
    corrected: Mapping[str, Rest] = field(default_factory=dict)

    @property
    def annulled(self) -> bool:
        """Whether people annulled it, so that the board is as before and its disc may be shot again."""
        return self.judgement.rule == "annulled"


@dataclass(frozen=True)
class Round:
    """One round so far. Every change returns a new round.

    `time_out`: the number of shots when time ran out. `awarded_by_hand`, `totals_by_hand`: the organiser's figures,
    which replace those of the play. `twenties_adjusted`: each side's twenties beyond those seen; negative if fewer.
    `counted_by_hand`: the points that people counted on the board, which replace the discs seen. `entered`: people
    counted the whole round and corrected nothing."""

    terms: Terms
    number: int
    starter: str
    starter_seat: int
    shots: tuple[JudgedShot, ...] = ()
    closed: bool = False
    time_out: int | None = None
    awarded_by_hand: dict[str, int] | None = None
    totals_by_hand: dict[str, int] | None = None
    twenties_adjusted: dict[str, int] = field(default_factory=dict)
    counted_by_hand: Mapping[str, int] | None = None
    entered: bool = False

    @property
    def board(self) -> Position:
        """The discs on the surface now."""
        return self.shots[-1].board if self.shots else Position()

    @cached_property
    def owners(self) -> Mapping[str, str]:
        return {played.shot.disc: played.shot.side for played in self.shots if not played.annulled}

    @cached_property
    def seat_to_shoot(self) -> int | None:
        return None if self.complete else self._turns[0][0]

    @property
    def to_shoot(self) -> str | None:
        return None if self.complete else self._turns[0][1]

    @cached_property
    def shots_left(self) -> Mapping[str, int]:
        """The discs that each side still has to shoot in this round."""
        if self.complete:
            return dict.fromkeys(self.terms.ids, 0)
        if self.time_out is not None:
            owed = self._owed()
            return {side: int(side in owed) for side in self.terms.ids}
        return {side: self.terms.discs - taken for side, taken in self._taken.items()}

    @property
    def hammer(self) -> str:
        return self.terms.clockwise_from(self.starter_seat)[-1][1]

    @property
    def twenties(self) -> dict[str, tuple[str, ...]]:
        """The discs banked as twenties, by owner."""
        banked = self.shots[-1].banked if self.shots else ()
        return {side: tuple(id for id in banked if self.owners[id] == side) for side in self.terms.ids}

    @property
    def twenty_counts(self) -> dict[str, int]:
        """Each side's twenties, corrections included."""
        return {
            side: min(max(len(ids) + self.twenties_adjusted.get(side, 0), 0), self.terms.discs)
            for side, ids in self.twenties.items()
        }

    @cached_property
    def totals(self) -> dict[str, int]:
        """Each side's total if the round ended now, twenties included."""
        if self.totals_by_hand is not None:
            return dict(self.totals_by_hand)
        totals = {side: TWENTY * count for side, count in self.twenty_counts.items()}
        if self.counted_by_hand is not None:
            return {side: total + self.counted_by_hand.get(side, 0) for side, total in totals.items()}
        for disc in self.board.discs.values():
            totals[disc.side] += zone_of(disc)
        return totals

    @property
    def known_twenties(self) -> dict[str, int | None]:
        """Each side's twenties; None if nobody recorded them: people entered only totals, points or the winner."""
        entered = self.totals_by_hand is not None or self.awarded_by_hand is not None
        recorded = self.shots or self.counted_by_hand or not entered
        return {
            side: count if recorded or side in self.twenties_adjusted else None
            for side, count in self.twenty_counts.items()
        }

    @property
    def known_totals(self) -> dict[str, int | None]:
        """Each side's total; None if nobody recorded it: people entered only points or the winner."""
        recorded = self.shots or self.counted_by_hand or self.totals_by_hand is not None
        return {
            side: total if recorded or self.awarded_by_hand is None else None for side, total in self.totals.items()
        }

    @cached_property
    def complete(self) -> bool:
        """Whether the round is over: all discs shot, closed, awarded, or the last shot after time out taken."""
        if self.closed or self.awarded_by_hand is not None:
            return True
        if self.time_out is not None and not self._owed():
            return True
        return all(taken >= self.terms.discs for taken in self._taken.values())

    @property
    def awarded(self) -> dict[str, int] | None:
        """Each side's points for the round; None until it is complete."""
        if not self.complete:
            return None
        if self.awarded_by_hand is not None:
            return dict(self.awarded_by_hand)
        return self.terms.format.award(self.totals)

    @property
    def corrected(self) -> bool:
        figures = (self.awarded_by_hand, self.totals_by_hand, self.twenties_adjusted or None)
        by_hand = not self.entered and any(figure is not None for figure in figures)
        return by_hand or any(p.annulled or p.corrected or p.judgement.played_as for p in self.shots)

    @cached_property
    def _taken(self) -> Mapping[str, int]:
        owners = tuple(self.owners.values())
        return {side: owners.count(side) for side in self.terms.ids}

    def _owed(self) -> tuple[str, ...]:
        """The sides that may still take their one extra shot after time ran out (NCA rule 8)."""
        until, since = self.shots[: self.time_out], self.shots[self.time_out :]
        taken = {side: sum(p.shot.side == side and not p.annulled for p in until) for side in self.terms.ids}
        done = {p.shot.side for p in since if not p.annulled}
        return tuple(side for side in taken if taken[side] < max(taken.values()) and side not in done)

    @cached_property
    def _turns(self) -> tuple[tuple[int, str], ...]:
        """The (seat, side) pairs that may shoot now, the regular turn first. After an annulled shot both its seat and
        the next one may."""
        last_seats: list[int] = []
        for played in reversed(self.shots):
            last_seats.append(played.seat)
            if not played.annulled:
                break
        else:
            last_seats.append(0)  # nothing counts yet: the starter
        return tuple(dict.fromkeys(self._next_after(seat) for seat in dict.fromkeys(reversed(last_seats))))

    def _next_after(self, seat: int) -> tuple[int, str]:
        """The next (seat, side) after a seat that still has a disc; after seat 0 the starter."""
        order = self.terms.seats_after(seat) if seat else self.terms.clockwise_from(self.starter_seat)
        taken = [played.seat for played in self.shots if not played.annulled]
        left, share = self.shots_left, self.terms.discs_a_seat
        return next((number, side) for number, side in order if left[side] and taken.count(number) < share)

    def play(self, shot: Shot, played_as: PlayedAs | None = None, *, annul: bool = False) -> "Round":
        """Play a shot. `played_as`: how people overrule the rules' verdict. `annul`: it takes its turn, but does not
        count. Raises `NotAllowedNow`, `OutOfTurn` or `ImpossibleShot`."""
        seat, shot = self._seat_of(shot), replace(shot, rest=with_zones(shot.rest))
        judgement = annulled(self.board) if annul else self._judge(shot, played_as)
        before = self.shots[-1].banked if self.shots else ()
        played = JudgedShot(shot, seat, judgement, judgement.board, (*before, *judgement.twenties))
        return replace(self, shots=(*self.shots, played))

    def close(self) -> "Round":
        """End the round early, as the discs are."""
        self._check_running()
        return replace(self, closed=True)

    def at_time_out(self) -> "Round":
        """Time ran out: a side with fewer shots gets exactly one more (NCA rule 8); with even shots the round ends."""
        self._check_running()
        if self.time_out is not None:
            raise NotAllowedNow(say("Time ran out already in round {n}.", n=self.number))
        return replace(self, time_out=len(self.shots))

    def award(self, points: Mapping[str, int]) -> "Round":
        """Award the round with points for each side, within the format's maximum; it is then complete."""
        most = self.terms.format.max_award(TWENTY * self.terms.discs)
        for side, value in check_all_sides(points, self.terms.ids, "awarded").items():
            check_figure(value, 0, most, 1, f"awarded.{side}")
        return replace(self, awarded_by_hand=dict(points), entered=not (self.complete or self.shots))

    def correct_twenties(self, twenties: Mapping[str, int]) -> "Round":
        """Correct sides' twenties; later twenties are added."""
        for side, value in twenties.items():
            check_known(side, self.terms.ids, "twenties")
            check_figure(value, 0, self.terms.discs, 1, f"twenties.{side}")
        return self.adjust_twenties({side: value - len(self.twenties[side]) for side, value in twenties.items()})

    def adjust_twenties(self, more: Mapping[str, int]) -> "Round":
        """Set how many twenties a side has beyond those seen; negative if fewer."""
        for side, value in more.items():
            check_known(side, self.terms.ids, "twenties_adjusted")
            check_figure(value, -self.terms.discs, self.terms.discs, 1, f"twenties_adjusted.{side}")
        return replace(self, twenties_adjusted={**self.twenties_adjusted, **more}, entered=False)

    def correct_totals(self, totals: Mapping[str, int]) -> "Round":
        """Correct a finished round's totals, twenties included."""
        if not self.complete:
            raise NotAllowedNow(
                say("Round {n} is still being played: only a finished round's totals can be corrected.", n=self.number)
            )
        for side, value in check_all_sides(totals, self.terms.ids, "totals").items():
            check_figure(value, 0, TWENTY * self.terms.discs, 5, f"totals.{side}")
        return replace(self, totals_by_hand=dict(totals), entered=False)

    def place_all(self, rests: Mapping[str, Rest]) -> "Round":
        """Correct discs' places after the last shot: `Placed`, `HOLE` (a twenty) or `DITCH` (off the board)."""
        if not self.shots:
            raise BadCorrection(say("There is no shot after which a disc could lie elsewhere."), "disc")
        return self._correct({**self.shots[-1].corrected, **rests})

    def _check_running(self) -> None:
        if self.complete:
            raise NotAllowedNow(say("Round {n} is over already.", n=self.number))

    def _seat_of(self, shot: Shot) -> int:
        """The seat that takes the shot. Raises `NotAllowedNow` or `OutOfTurn`."""
        if self.complete:
            raise NotAllowedNow(say("Round {n} is over: start the next one.", n=self.number))
        if shot.side not in self.terms.ids:
            raise OutOfTurn(f"there is no side {shot.side!r}; there are {', '.join(self.terms.ids)}", "side")
        turns = self._turns
        seat = next((number for number, side in turns if side == shot.side), None)
        if seat is None:
            raise OutOfTurn(f"{shot.side} can't shoot now; it is the turn of {turns[0][1]}", "side")
        return seat

    def _judge(self, shot: Shot, played_as: PlayedAs | None) -> Judgement:
        """Judge a shot in the present position, after checking the discs that it names."""
        owners, board = self.owners, self.board
        self._check_disc_names(shot)
        rest = {}
        for id, where in shot.rest.items():
            if id in owners and id not in board:
                if isinstance(where, Ditch):
                    continue  # it was there already
                raise ImpossibleShot(f"{id} is out and can't come back in this round", f"rest.{id}")
            rest[id] = where
        seen = shot if len(rest) == len(shot.rest) else replace(shot, rest=rest)
        return judge(board, seen, self.terms.rules, played_as)

    def _check_disc_names(self, shot: Shot) -> None:
        """Raise `ImpossibleShot` if the disc was shot before, or a contact names a disc that nobody shot."""
        owners = self.owners
        if shot.disc in owners:
            out = "is on the board" if shot.disc in self.board else "is out"
            raise ImpossibleShot(f"{shot.disc} was shot already in this round and {out}", "disc")
        for k, id in ((k, id) for k, pair in enumerate(shot.contacts) for id in pair):
            if id not in owners and id != shot.disc:
                raise ImpossibleShot(f"no disc {id!r} was shot in this round", f"contacts[{k}]")

    def _correct(self, rests: Mapping[str, Rest]) -> "Round":
        """Apply all corrections of the last shot: the places of discs after it."""
        if (unknown := next((id for id in rests if id not in self.owners), None)) is not None:
            raise BadCorrection(say("No disc {disc} was shot in this round.", disc=unknown), "disc")
        rests = with_zones(rests)
        last, before = self.shots[-1], self.shots[-2].banked if len(self.shots) > 1 else ()
        last = replace(
            last,
            board=_corrected_board(last.judgement.board, rests, self.owners),
            banked=_corrected_twenties((*before, *last.judgement.twenties), rests),
            corrected=MappingProxyType(dict(rests)),
        )
        return replace(self, shots=(*self.shots[:-1], last))


def _corrected_board(board: Position, rests: Mapping[str, Rest], owners: Mapping[str, str]) -> Position:
    """The board with these discs placed as people say. Raises `BadCorrection`."""
    others = {id: disc for id, disc in board.discs.items() if id not in rests}
    placed = {id: rest for id, rest in rests.items() if isinstance(rest, Placed)}
    _check_placed(placed, others)
    discs = {id: Disc(owners[id], rest.x, rest.y, rest.pose, rest.zone) for id, rest in placed.items()}
    return Position(others | {id: disc for id, disc in discs.items() if zone_of(disc)})


def _corrected_twenties(banked: Iterable[str], rests: Mapping[str, Rest]) -> tuple[str, ...]:
    """The banked discs, with those that people say are in the hole and without those that they say are not."""
    kept = (id for id in banked if id not in rests)
    return (*kept, *(id for id, rest in rests.items() if isinstance(rest, Hole)))


def _check_placed(placed: Mapping[str, Placed], others: Mapping[str, Disc]) -> None:
    """Raise `BadCorrection` if discs can't be at the corrected places; `others` are the uncorrected discs."""
    try:
        for id, rest in placed.items():
            check_place(rest, id)
        check_apart(placed, others)
    except ImpossibleShot as error:
        raise BadCorrection(error.message, error.place) from error


def open_round(terms: Terms, number: int, starter: str, seat: int | None, last_seat: int) -> Round:
    """A round before its first shot. Without `seat`, the starter's next seat clockwise from `last_seat` begins;
    `last_seat` is 0 in the first round. Raises `BadMatch`."""
    order = terms.seats_after(last_seat) if last_seat else terms.seats
    seats = [number for number, side in order if side == starter]
    if not seats:
        raise BadMatch(f"{starter!r} can't start; there are {', '.join(terms.ids)}", "starter")
    if seat is not None and seat not in seats:
        raise BadMatch(f"{starter} does not sit at seat {seat}; it has {', '.join(map(str, sorted(seats)))}", "seat")
    return Round(terms, number, starter, seats[0] if seat is None else seat)


def known_sum(figures: Iterable[int | None]) -> int | None:
    """The sum of figures; None if one of them is not known."""
    known = list(figures)
    return None if None in known else sum(figure for figure in known if figure is not None)
