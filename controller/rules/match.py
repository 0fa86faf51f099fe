"""A whole match as a value: rounds, score, starters, and the organiser's corrections.

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
from controller.rules.errors import BadCorrection, BadMatch, NotNow
from controller.rules.figures import check_all_sides, check_figure
from controller.rules.formats import Format, Outcome
from controller.rules.judge import PlayedAs
from controller.rules.rounds import Round, opened
from controller.rules.rule_sets import rule_set
from controller.rules.shots import Rest, Shot
from controller.rules.terms import Side, Terms
from hardware.board import TOURNAMENT
from hardware.board import Board as Geometry

SEATS: dict[Players, dict[int, tuple[tuple[int, str], ...]]] = {
    "singles": {2: ((1, "A"), (3, "B"))},
    "doubles": {2: ((1, "A"), (2, "B"), (3, "A"), (4, "B"))},
    "each": {
        3: ((1, "A"), (2, "B"), (3, "C")),
        4: ((1, "A"), (2, "B"), (3, "C"), (4, "D")),
    },
}


class Standing(NamedTuple):
    """The score over all finished rounds that count, and how the match stands with it."""

    score: dict[str, int]
    outcome: Outcome


def seats_of(sides: int, doubles: bool) -> tuple[tuple[int, str], ...] | None:
    """Whose each seat is, as (seat, side) clockwise, where so many sides play; None where they can't."""
    players: Players = "doubles" if doubles else "singles" if sides == 2 else "each"
    return SEATS[players].get(sides)


def _seated(sides: Sequence[Side], doubles: bool) -> tuple[Players, tuple[tuple[int, str], ...]]:
    """How these sides play, and whose each seat is. Raises `BadMatch` where they can't."""
    players: Players = "doubles" if doubles else "singles" if len(sides) == 2 else "each"
    seats = seats_of(len(sides), doubles)
    if seats is None:
        raise BadMatch(
            "doubles are played by two sides" if doubles else f"{len(sides)} sides can't play; two to four can",
            "sides",
        )
    ids, expected = [side.id for side in sides], ["A", "B", "C", "D"][: len(sides)]
    if ids != expected:
        raise BadMatch(f"the sides' ids must be {', '.join(expected)}, not {', '.join(map(str, ids))}", "sides")
    return players, seats


def _check_discs(discs: int, doubles: bool) -> None:
    """Raise `BadMatch` unless a side can have so many discs."""
    if not isinstance(discs, int) or isinstance(discs, bool) or not FEWEST_DISCS <= discs <= MOST_DISCS:
        raise BadMatch(f"{discs!r} discs a side can't be; there are {FEWEST_DISCS} to {MOST_DISCS}", "discs")
    if doubles and discs % 2:
        raise BadMatch(f"{discs} discs can't be shared by two partners; take an even number", "discs")


@dataclass(frozen=True)
class Match:
    """A match as far as it was played. Every method that changes something returns a new match."""

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
        geometry: Geometry = TOURNAMENT,
    ) -> "Match":
        """A match with its first round open.

        `sides` are two, or three or four players each for themselves, in the order of their seats; their ids must be
        "A", "B" and so on. `discs` is the number a side; else the rule set's. In doubles, `seat` says which partner
        starts. Raises `UnknownRuleSet`, `BadMatch` or `BadFormat`.
        """
        if isinstance(rules, str):
            rules = rule_set(rules)
        given = tuple(side if isinstance(side, Side) else Side(side, side) for side in sides)
        players, seats = _seated(given, doubles)
        discs = rules.discs_a_side(players, len(given)) if discs is None else discs
        _check_discs(discs, doubles)
        terms = Terms(rules, format or rules.formats[0], given, seats, discs, geometry)
        return cls(terms, (opened(terms, 1, starter, seat, 0),))

    # --- how it stands

    @property
    def round(self) -> Round:
        """The round that runs, or the last one."""
        return self.all_rounds[-1]

    @property
    def rounds(self) -> tuple[Round, ...]:
        """The finished rounds."""
        return tuple(round for round in self.all_rounds if round.complete)

    @cached_property
    def _standing(self) -> Standing:
        """Folds the finished rounds. What was played after the match was over (by a correction) does not count."""
        score, twenties = dict.fromkeys(self.terms.ids, 0), dict.fromkeys(self.terms.ids, 0)
        outcome = Outcome(over=False)
        for finished, round in enumerate(self.rounds, start=1):
            for side, points in (round.awarded or {}).items():
                score[side] += points
                twenties[side] += round.twenty_counts[side]
            outcome = self.terms.format.outcome(score, finished, twenties, self.shoot_outs)
            if outcome.over:
                break
        return Standing(score, outcome)

    @property
    def score(self) -> dict[str, int]:
        """What the finished rounds gave to each side."""
        return dict(self._standing.score)

    @property
    def over(self) -> bool:
        """Whether the match is decided, or ended in a tie that stands."""
        return self._standing.outcome.over

    @property
    def winner(self) -> str | None:
        """The side that won; None while the match runs, and when a tie stands."""
        return self._standing.outcome.winner

    @property
    def awaits_shoot_out(self) -> bool:
        """Whether a shoot-out of twenties must be entered to decide the match."""
        return self.round.complete and self._standing.outcome.shoot_out

    @property
    def match_twenties(self) -> dict[str, int]:
        """The twenties of all rounds, the running one included."""
        return {side: sum(round.twenty_counts[side] for round in self.all_rounds) for side in self.terms.ids}

    @property
    def games(self) -> dict[str, int]:
        """How many finished games each side won, in a match of games; a drawn game is nobody's."""
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
        """The side that starts the next round; None while a round runs and when there is no next one."""
        return None if self.next_seat is None else dict(self.terms.seats)[self.next_seat]

    @property
    def next_seat(self) -> int | None:
        """The seat that starts the next round; None as for `next_starter`."""
        if not self.round.complete or self.over or self.awaits_shoot_out:
            return None
        number = self.round.number + 1
        if self.terms.rules.next_game == "alternate" and self.terms.format.begins_game(number):
            game_before = self.all_rounds[number - 1 - (self.terms.format.rounds or 1)]
            return self.terms.after(game_before.starter_seat)[0]
        return self.terms.after(self.round.starter_seat)[0]

    # --- what can happen to it

    def play(self, shot: Shot, played_as: PlayedAs | None = None) -> "Match":
        """One more shot, see `Round.play`. Raises `NotNow`, `OutOfTurn` or `ImpossibleShot`, naming what is wrong."""
        return self._with_round(self.round.play(shot, played_as))

    def play_annulled(self, shot: Shot) -> "Match":
        """A shot that a record tells as annulled: it had its turn and counts for nothing."""
        return self._with_round(self.round.play_annulled(shot))

    def close_round(self) -> "Match":
        """The round ended early, as it lies."""
        return self._with_round(self.round.close())

    def time_out(self) -> "Match":
        """Time ran out: a side with fewer shots gets exactly one more (NCA rule 8); with even shots the round ends."""
        return self._with_round(self.round.at_time_out())

    def next_round(self, starter: str | None = None, seat: int | None = None) -> "Match":
        """Open the next round; the rules say who starts it unless a starter is given, and in doubles a seat."""
        if not self.round.complete:
            raise NotNow(say("Round {n} still runs: finish or end it first.", n=self.round.number))
        if self.over:
            raise NotNow(say("The match is over."))
        if self.awaits_shoot_out:
            raise NotNow(say("The match is level and a shoot-out decides it: enter its twenties."))
        if starter is None:
            seat = seat or self.next_seat
            starter = dict(self.terms.seats).get(seat or 0, "")
        return self.with_next_round(starter, seat)

    def with_next_round(self, starter: str, seat: int | None = None) -> "Match":
        """Open a further round as a record tells it, though the format may ask for none."""
        further = opened(self.terms, self.round.number + 1, starter, seat, self.round.starter_seat)
        return replace(self, all_rounds=(*self.all_rounds, further))

    def enter_shoot_out(self, twenties: Mapping[str, int]) -> "Match":
        """The twenties of a shoot-out, counted by people; level again, another one is needed."""
        if not self.awaits_shoot_out:
            raise NotNow(say("No shoot-out is due."))
        return self.with_shoot_out(twenties)

    def with_shoot_out(self, twenties: Mapping[str, int]) -> "Match":
        """The match with a shoot-out that a record tells."""
        for side, value in check_all_sides(twenties, self.terms.ids, "").items():
            check_figure(value, 0, None, 1, side)
        return replace(self, shoot_outs=(*self.shoot_outs, dict(twenties)))

    # --- the organiser's corrections

    def annul(self, shot: int | None = None) -> "Match":
        """Annul a shot of the last round (from 1; else its last one): the board is as before it, its disc is free
        again, and what came after is judged anew. Raises `BadCorrection`."""
        if shot is None:
            shot = max((k for k, played in enumerate(self.round.shots, start=1) if not played.annulled), default=0)
        return self._with_round(self.round.annul(shot))

    def place(self, disc: str, rest: Rest) -> "Match":
        """Correct where a disc lies after the last shot: `Placed`, `HOLE` (a twenty) or `DITCH` (it is off)."""
        return self.place_all({disc: rest})

    def place_all(self, rests: Mapping[str, Rest]) -> "Match":
        """Correct where several discs lie after the last shot, all at once."""
        return self._with_round(self.round.place_all(rests))

    def award(self, number: int, points: Mapping[str, int]) -> "Match":
        """Award a round, finished or running, with what each side gets for it; it is then complete."""
        return self._with_round(self._numbered(number).award(points))

    def correct_twenties(self, number: int, twenties: Mapping[str, int]) -> "Match":
        """Correct how many twenties sides have in a round by now, finished or running; further ones are added."""
        return self._with_round(self._numbered(number).correct_twenties(twenties))

    def adjust_twenties(self, number: int, more: Mapping[str, int]) -> "Match":
        """Say how many twenties a side has in a round beyond those that were seen banked; below 0 fewer."""
        return self._with_round(self._numbered(number).adjust_twenties(more))

    def correct_totals(self, number: int, totals: Mapping[str, int]) -> "Match":
        """Correct the totals of a finished round, twenties included."""
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
