"""A match as an immutable value: rounds, score, starters and corrections.

>>> from controller.rules import HOLE, Match, Shot
>>> match = Match.start("nca", starter="B")
>>> match = match.play(Shot("B", "b1", (), {"b1": HOLE}))
>>> match.round.totals, match.round.to_shoot, match.round.hammer
({'A': 0, 'B': 20}, 'A', 'A')
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from controller.messages import say
from controller.rules.choices import FEWEST_DISCS, MOST_DISCS, Players, RuleSet
from controller.rules.errors import BadCorrection, BadMatch, NotAllowedNow
from controller.rules.formats import Format, MatchOutcome
from controller.rules.judge import PlayedAs
from controller.rules.rounds import Round, known_sum, open_round
from controller.rules.rule_sets import practices, rule_set
from controller.rules.shots import Rest, Shot
from controller.rules.terms import Side, Terms, check_all_sides, check_figure, check_known

SEATS: dict[Players, dict[int, tuple[tuple[int, str], ...]]] = {
    "singles": {2: ((1, "A"), (3, "B"))},
    "doubles": {2: ((1, "A"), (2, "B"), (3, "A"), (4, "B"))},
    "each": {1: ((1, "A"),), 3: ((1, "A"), (2, "B"), (3, "C")), 4: ((1, "A"), (2, "B"), (3, "C"), (4, "D"))},
}


class Standing(NamedTuple):
    """The score of all finished rounds that count, and the match's outcome so far."""

    score: dict[str, int]
    outcome: MatchOutcome


def seats_of(sides: int, doubles: bool) -> tuple[tuple[int, str], ...] | None:
    """The (seat, side) pairs, clockwise, for a number of sides; None if it is not possible."""
    players: Players = "doubles" if doubles else "singles" if sides == 2 else "each"
    return SEATS[players].get(sides)


def _seated(sides: Sequence[Side], doubles: bool) -> tuple[Players, tuple[tuple[int, str], ...]]:
    """How these sides play, and their (seat, side) pairs. Raises `BadMatch`."""
    players: Players = "doubles" if doubles else "singles" if len(sides) == 2 else "each"
    seats = seats_of(len(sides), doubles)
    if seats is None:
        raise BadMatch(
            "doubles are played by two sides" if doubles else f"{len(sides)} sides can't play; two to four can", "sides"
        )
    ids, expected = [side.id for side in sides], ["A", "B", "C", "D"][: len(sides)]
    if ids != expected:
        raise BadMatch(f"the sides' ids must be {', '.join(expected)}, not {', '.join(map(str, ids))}", "sides")
    return players, seats


def _check_practice(rules: RuleSet, format: Format, sides: int) -> None:
    """Raise `BadMatch` if one player would play a match, or several would practise."""
    if rules.practice and sides != 1:
        raise BadMatch(f"{rules.id} is for one player alone, not for {sides} sides", "sides")
    if sides == 1 and not rules.practice:
        alone = " or ".join(one.id for one in practices())
        raise BadMatch(f"one player alone can't play by {rules.id}; practise by {alone}", "sides")
    if format.practice != rules.practice:
        raise BadMatch(f"{rules.id} can't be counted as {format.kind}", "format")


def _check_discs(discs: int, doubles: bool, practice: bool) -> None:
    """Raise `BadMatch` unless a side can have this many discs; one player alone may take both colours."""
    most = 2 * MOST_DISCS if practice else MOST_DISCS
    if not isinstance(discs, int) or isinstance(discs, bool) or not FEWEST_DISCS <= discs <= most:
        raise BadMatch(f"{discs!r} discs a side can't be; there are {FEWEST_DISCS} to {most}", "discs")
    if doubles and discs % 2:
        raise BadMatch(f"{discs} discs can't be shared by two partners; take an even number", "discs")


@dataclass(frozen=True)
class Match:
    """A match so far. Every method that changes something returns a new match; for those of a round, see `Round`."""

    terms: Terms
    all_rounds: tuple[Round, ...]
    shoot_outs: tuple[Mapping[str, int], ...] = ()

    @classmethod
    def start(
        cls,
        rules: RuleSet | str,
        format: Format | None = None,
        sides: Sequence[Side | str] = ("A", "B"),
        starter: str = "A",
        *,
        discs: int | None = None,
        doubles: bool = False,
        seat: int | None = None,
    ) -> "Match":
        """A match with its first round open.

        `sides` are two, or three or four players each for themselves, or one who practises, in the order of their
        seats; their ids must be "A", "B" and so on. `discs`: the number per side, by default the rule set's. `seat`:
        the partner who starts, in doubles. Raises `UnknownRuleSet`, `BadMatch` or `BadFormat`."""
        if isinstance(rules, str):
            rules = rule_set(rules)
        format = format or rules.formats[0]
        given = tuple(side if isinstance(side, Side) else Side(side, side) for side in sides)
        players, seats = _seated(given, doubles)
        _check_practice(rules, format, len(given))
        discs = rules.discs_a_side(players, len(given)) if discs is None else discs
        _check_discs(discs, doubles, rules.practice)
        terms = Terms(rules, format, given, seats, discs)
        return cls(terms, (open_round(terms, 1, starter, seat, 0),))

    # --- its state

    @property
    def round(self) -> Round:
        """The running round, or the last one."""
        return self.all_rounds[-1]

    @property
    def rounds(self) -> tuple[Round, ...]:
        return tuple(round for round in self.all_rounds if round.complete)

    @cached_property
    def _standing(self) -> Standing:
        """Folds the finished rounds. Rounds after the match was over (because of a correction) do not count."""
        score = dict.fromkeys(self.terms.ids, 0)
        twenties: dict[str, int | None] = dict.fromkeys(self.terms.ids, 0)
        outcome = MatchOutcome(over=False)
        for finished, round in enumerate(self.rounds, start=1):
            for side, points in (round.awarded or {}).items():
                score[side] += points
                twenties[side] = known_sum((twenties[side], round.known_twenties[side]))
            outcome = self.terms.format.outcome(score, finished, twenties, self.shoot_outs)
            if outcome.over:
                break
        return Standing(score, outcome)

    @property
    def score(self) -> dict[str, int]:
        return dict(self._standing.score)

    @property
    def over(self) -> bool:
        """Whether the match is decided or ended in a tie that stands."""
        return self._standing.outcome.over

    @property
    def winner(self) -> str | None:
        """The side that won; None while the match runs and if a tie stands."""
        return self._standing.outcome.winner

    @property
    def awaits_shoot_out(self) -> bool:
        """Whether a shoot-out of twenties must be entered to decide the match."""
        return self.round.complete and self._standing.outcome.shoot_out

    @property
    def match_twenties(self) -> dict[str, int | None]:
        """Each side's twenties so far; None if nobody recorded those of some round."""
        rounds = [round.known_twenties for round in self.all_rounds]
        return {side: known_sum(known[side] for known in rounds) for side in self.terms.ids}

    @property
    def games(self) -> dict[str, int]:
        """The finished games that each side won, in a match of several games; a drawn game counts for nobody."""
        won = dict.fromkeys(self.terms.ids, 0)
        length = self.terms.format.rounds
        if length is None:
            return won
        counted = self.rounds[: self.terms.format.all_rounds]
        for first in range(0, len(counted) - length + 1, length):
            game = [round.awarded or {} for round in counted[first : first + length]]
            points = {side: sum(awarded[side] for awarded in game) for side in won}
            best = [side for side in won if points[side] == max(points.values())]
            if len(best) == 1:
                won[best[0]] += 1
        return won

    @property
    def next_starter(self) -> str | None:
        """The side that starts the next round; None while a round runs and if there is no next one."""
        return None if self.next_seat is None else dict(self.terms.seats)[self.next_seat]

    @property
    def next_seat(self) -> int | None:
        """The seat that starts the next round; None as for `next_starter`."""
        if not self.round.complete or self.over or self.awaits_shoot_out:
            return None
        number = self.round.number + 1
        if self.terms.rules.next_game == "alternate" and self.terms.format.begins_game(number):
            game_before = self.all_rounds[number - 1 - (self.terms.format.rounds or 1)]
            return self.terms.seats_after(game_before.starter_seat)[0][0]
        return self.terms.seats_after(self.round.starter_seat)[0][0]

    # --- its events

    def play(self, shot: Shot, played_as: PlayedAs | None = None, *, annul: bool = False) -> "Match":
        """Play a shot; see `Round.play`. Raises `NotAllowedNow`, `OutOfTurn` or `ImpossibleShot`."""
        return self._with_round(self.round.play(shot, played_as, annul=annul))

    def close_round(self) -> "Match":
        return self._with_round(self.round.close())

    def time_out(self) -> "Match":
        return self._with_round(self.round.at_time_out())

    def next_round(self) -> "Match":
        if not self.round.complete:
            raise NotAllowedNow(say("Round {n} is still being played: finish or end it first.", n=self.round.number))
        if self.over:
            raise NotAllowedNow(say("The match is over."))
        if self.awaits_shoot_out:
            raise NotAllowedNow(say("The match is level and a shoot-out decides it: enter its twenties."))
        return self.with_next_round(self.next_starter or "", self.next_seat)

    def with_next_round(self, starter: str, seat: int | None = None) -> "Match":
        """Open another round, as a record demands, even if the format needs none."""
        further = open_round(self.terms, self.round.number + 1, starter, seat, self.round.starter_seat)
        return replace(self, all_rounds=(*self.all_rounds, further))

    def started_by(self, side: str) -> "Match":
        """The running round, before its first shot, with another starter than the rules say; what happened counts."""
        seat = open_round(self.terms, self.round.number, side, None, self.round.starter_seat).starter_seat
        return self._with_round(replace(self.round, starter=side, starter_seat=seat))

    def enter_shoot_out(self, twenties: Mapping[str, int]) -> "Match":
        """Enter a shoot-out's twenties, counted by people; if it is level, another one is needed."""
        if not self.awaits_shoot_out:
            raise NotAllowedNow(say("No shoot-out is due."))
        return self.with_shoot_out(twenties)

    def with_shoot_out(self, twenties: Mapping[str, int]) -> "Match":
        """Add a shoot-out, as a record demands."""
        for side, value in check_all_sides(twenties, self.terms.ids, "").items():
            check_figure(value, 0, None, 1, side)
        return replace(self, shoot_outs=(*self.shoot_outs, dict(twenties)))

    # --- the organiser's corrections

    def place(self, disc: str, rest: Rest) -> "Match":
        """Correct a disc's place after the last shot: `Placed`, `HOLE` (a twenty) or `DITCH` (off the board)."""
        return self.place_all({disc: rest})

    def place_all(self, rests: Mapping[str, Rest]) -> "Match":
        return self._with_round(self.round.place_all(rests))

    def award(self, number: int, points: Mapping[str, int]) -> "Match":
        return self._with_round(self._numbered(number).award(points))

    def correct_twenties(self, number: int, twenties: Mapping[str, int]) -> "Match":
        return self._with_round(self._numbered(number).correct_twenties(twenties))

    def adjust_twenties(self, number: int, more: Mapping[str, int]) -> "Match":
        return self._with_round(self._numbered(number).adjust_twenties(more))

    def count_by_hand(self, number: int, side: str, points: int) -> "Match":
        """Count one more disc on the board for a side by hand. The counts replace the discs that were read."""
        check_known(side, self.terms.ids, "side")
        counted = self._numbered(number).counted_by_hand or {}
        counted = {**counted, side: counted.get(side, 0) + points}
        return self._with_round(replace(self._numbered(number), counted_by_hand=counted))

    def recount(self, counted: bool) -> "Match":
        """Start counting the running round by hand from zero, or return to the discs that were read."""
        return self._with_round(replace(self.round, counted_by_hand={} if counted else None))

    def enter_totals(self, number: int, totals: Mapping[str, int], twenties: Mapping[str, int]) -> "Match":
        """End a round with the totals that people counted, twenties included, and if known the twenties."""
        round = self._numbered(number)
        counted = round.correct_twenties(twenties)
        counted = counted if counted.complete else counted.close()
        return self._with_round(replace(counted.correct_totals(totals), entered=not round.shots))

    def correct_totals(self, number: int, totals: Mapping[str, int]) -> "Match":
        return self._with_round(self._numbered(number).correct_totals(totals))

    def _with_round(self, round: Round) -> "Match":
        rounds = tuple(round if old.number == round.number else old for old in self.all_rounds)
        return replace(self, all_rounds=rounds)

    def _numbered(self, number: int) -> Round:
        if number not in range(1, len(self.all_rounds) + 1):
            raise BadCorrection(
                say("There is no round {n}: there are 1 to {last}.", n=number, last=len(self.all_rounds)), "round"
            )
        return self.all_rounds[number - 1]
