"""A match's contribution to its players' figures: rows of the tables, which SQL adds up."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from controller.match.shot_kinds import kinds
from controller.match.state import MatchState
from controller.views.common import Place
from controller.views.history.one_match import MatchInShort, ReplayedShot

Row = tuple[Any, ...]
NEAR = 1.0  # mm: a shot that came to rest this near to the line between two rings is a near miss, or a near hit

OF_PLAYED = {
    "matches": "sum(over)",
    "won": "sum(won)",
    "lost": "sum(over - won - tied)",
    "tied": "sum(tied)",
    "shots": "sum(shots)",
    "fouls": "sum(fouls)",
    "run_of_twenties": "max(run_of_twenties)",
}
OF_ROUNDS = {
    "rounds": "count(round)",
    "rounds_won": "count(*) FILTER (WHERE won)",
    "rounds_counted": "count(total)",
    "mean_round": "avg(total)",
    "best_round": "max(total)",
    "rounds_with_twenties": "count(twenties)",
    "twenties": "iif(count(round), sum(twenties), 0)",
    "twenties_a_round": "avg(twenties)",
    "best_twenties": "max(twenties)",
    "twenties_squared": "sum(twenties * twenties)",
    "hammer": "count(*) FILTER (WHERE hammer)",
    "hammer_won": "count(*) FILTER (WHERE hammer AND won)",
}
"""The sums of a player's rows of `played` and of `rounds`, by the figures' names."""


@dataclass
class WithHammer:
    """A player's rounds with, or without, the last shot."""

    rounds: int  #: Their number.
    won: int  #: The number won.


@dataclass
class Streaks:
    """A player's winning streaks, over matches played to their end."""

    longest: int  #: The longest.
    now: int  #: The current one.


@dataclass
class PlayerFigures:
    """A player's figures: matches played to their end, and all rounds."""

    player: str  #: The name.
    place: int  #: By matches won, then rounds won, then twenties; level players share a place.
    matches: int  #: Matches played to their end.
    won: int  #: Matches won.
    lost: int  #: Matches lost.
    tied: int  #: Matches tied.
    rounds: int  #: Finished rounds.
    rounds_won: int  #: Rounds in which the player's side had the highest total.
    rounds_counted: int  #: Rounds with known totals.
    mean_round: float | None  #: The mean total of the player's side in these; null if there are none.
    best_round: int | None  #: The highest total of the player's side in these; null if there are none.
    rounds_with_twenties: int  #: Rounds whose twenties were recorded.
    twenties: int | None  #: Twenties of the player's side in these; null if there are none, at least so many if fewer.
    twenties_a_round: float | None  #: Their mean per round; null if there are none.
    spread_of_twenties: float | None  #: The standard deviation of the twenties in a round; null for fewer than two.
    best_twenties: int | None  #: The most twenties of the player's side in a round; null if there are none.
    run_of_twenties: int  #: The longest series of own twenties in a match.
    wins_in_a_row: Streaks  #: Winning streaks.
    shots: int  #: The player's shots that the table saw.
    fouls: int  #: The player's fouls.
    hammer: WithHammer  #: Rounds in which the player's side had the last shot.
    no_hammer: WithHammer  #: Rounds in which another side had the last shot.

    @classmethod
    def of(cls, player: str, wins: Streaks, sums: Mapping[str, Any]) -> "PlayerFigures":
        """From the sums of `OF_PLAYED` and `OF_ROUNDS`."""
        known, rest = sums["rounds_with_twenties"], sums["rounds"] - sums["hammer"]
        squares = sums["twenties_squared"] - sums["twenties"] ** 2 / known if known else 0.0
        derived = {
            "player": player,
            "mean_round": _rounded(sums["mean_round"], 1),
            "twenties_a_round": _rounded(sums["twenties_a_round"], 2),
            "spread_of_twenties": _rounded(math.sqrt(squares / (known - 1)), 2) if known > 1 else None,
            "wins_in_a_row": wins,
            "hammer": WithHammer(sums["hammer"], sums["hammer_won"]),
            "no_hammer": WithHammer(rest, sums["rounds_won"] - sums["hammer_won"]),
        }
        return cls(**{one.name: ({**sums, **derived})[one.name] for one in fields(cls)})


def _rounded(figure: float | None, digits: int) -> float | None:
    return None if figure is None else round(figure, digits)


def players(match: MatchInShort, state: MatchState, shots: Sequence[ReplayedShot]) -> Iterator[Row]:
    """(seat, player, side, over, won, tied, twenties, shots, fouls, run of twenties, flicks, speeds, fastest) of each
    seat. `twenties`: of the side in the whole match, None if not all are known. Of the flicks with a known speed: their
    count, the sum of their speeds and the highest, in mm/s."""
    sides = {side.id: side for side in match.sides}
    for seat, side in state.game.terms.seats:
        own = [shot for shot in shots if shot.played.seat == seat]
        speeds = [round(shot.shot.speed) for shot in own if shot.shot.speed is not None]
        yield (
            seat,
            state.player_of(seat),
            side,
            match.over,
            match.over and match.winner == side,
            match.over and match.winner is None,
            sides[side].twenties,
            len(own),
            sum(not shot.played.judgement.counted_valid for shot in own),
            _run_of_twenties(own),
            len(speeds),
            sum(speeds),
            max(speeds, default=0),
        )


def _run_of_twenties(shots: Iterable[ReplayedShot]) -> int:
    longest = run = 0
    for shot in shots:
        if not shot.played.annulled:
            twenty = shot.played.shot.disc in shot.played.judgement.twenties and shot.resting is None
            run = run + 1 if twenty else 0
            longest = max(longest, run)
    return longest


def rounds(match: MatchInShort, state: MatchState) -> Iterator[Row]:
    """(seat, round, total, twenties, won, hammer) of each seat in each finished round, as those of its side; None if
    not known."""
    for played in match.rounds:
        known = {id_: total for id_, total in played.totals.items() if total is not None} or played.awarded
        best = max(known.values(), default=0)
        for seat, side in state.game.terms.seats:
            won = [id_ for id_, points in known.items() if points == best] == [side]
            yield seat, played.number, played.totals[side], played.twenties[side], won, played.hammer == side


def resting(shots: Iterable[ReplayedShot]) -> Iterator[Row]:
    """(round, number, player, seat, x, y, zone, clearance) of the shots whose discs came to rest and stayed."""
    for shot in shots:
        if (disc := shot.resting) is not None:
            at = Place.of(shot.after.seating, disc)
            where = at.x, at.y, disc.zone, round(disc.clearance, 2)
            yield shot.round, shot.number, shot.player, shot.played.seat, *where


def shot_kinds(shots: Iterable[ReplayedShot]) -> Iterator[Row]:
    """(player, kind, distance, shots, hits): how often each shot so."""
    tried: Counter[Row] = Counter()
    hits: Counter[Row] = Counter()
    for shot in shots:
        for one in kinds(shot.shot):
            way = shot.player, one.kind, one.distance
            tried[way] += 1
            hits[way] += one.hit
    return ((*way, count, hits[way]) for way, count in tried.items())
