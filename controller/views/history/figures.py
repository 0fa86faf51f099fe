"""A match's contribution to its players' figures: rows of the tables, which SQL adds up."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from itertools import combinations
from typing import Any

from controller.match.shot_kinds import BY_DISTANCE, KINDS, Distance, Kind, kinds
from controller.views.common import Place
from controller.views.history.steps import ReplayedShot
from controller.views.history.summary import MatchInShort, SideInShort

NEAR = 1.0  # mm: a shot that came to rest this near to the line between two rings is a near miss, or a near hit


@dataclass
class Tally:
    """A match's contribution to one player: `matches` is 1 if it was finished; rounds always count."""

    matches: int = 0
    won: int = 0
    lost: int = 0
    tied: int = 0
    rounds: int = 0
    rounds_won: int = 0
    rounds_counted: int = 0  # rounds with known totals
    rounds_with_twenties: int = 0  # rounds whose twenties were recorded
    points: int = 0
    twenties: int = 0
    best_round: int = 0
    shots: int = 0
    fouls: int = 0
    hammer: int = 0
    hammer_won: int = 0
    no_hammer: int = 0
    no_hammer_won: int = 0
    twenties_squared: int = 0
    best_twenties: int = 0
    run_of_twenties: int = 0


FIGURES = tuple(one.name for one in fields(Tally))
BESTS = frozenset({"best_round", "best_twenties", "run_of_twenties"})
"""Figures whose maximum over matches is shown; of the others, the sum."""


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
    def of(cls, player: str, tally: Tally, streaks: Streaks) -> "PlayerFigures":
        """From the sum of a player's tallies."""
        known = tally.rounds_with_twenties
        squares = tally.twenties_squared - tally.twenties**2 / (known or 1)
        return cls(
            player=player,
            matches=tally.matches,
            won=tally.won,
            lost=tally.lost,
            tied=tally.tied,
            rounds=tally.rounds,
            rounds_won=tally.rounds_won,
            rounds_counted=tally.rounds_counted,
            mean_round=round(tally.points / tally.rounds_counted, 1) if tally.rounds_counted else None,
            best_round=tally.best_round if tally.rounds_counted else None,
            rounds_with_twenties=known,
            twenties=tally.twenties if known or not tally.rounds else None,
            twenties_a_round=round(tally.twenties / known, 2) if known else None,
            spread_of_twenties=round(math.sqrt(squares / (known - 1)), 2) if known > 1 else None,
            best_twenties=tally.best_twenties if known else None,
            run_of_twenties=tally.run_of_twenties,
            wins_in_a_row=streaks,
            shots=tally.shots,
            fouls=tally.fouls,
            hammer=WithHammer(tally.hammer, tally.hammer_won),
            no_hammer=WithHammer(tally.no_hammer, tally.no_hammer_won),
        )


def tallies(match: MatchInShort, shots: Sequence[ReplayedShot]) -> dict[str, Tally]:
    """A match's contribution to each of its players."""
    found: defaultdict[str, Tally] = defaultdict(Tally)
    for side in match.sides:
        for name in side.players:
            _add(found[name], match, side)
    for shot in shots:
        found[shot.player].shots += 1
        found[shot.player].fouls += not shot.played.judgement.counted_valid
    for player, run in _runs_of_twenties(shots).items():
        found[player].run_of_twenties = run
    return found


def _runs_of_twenties(shots: Sequence[ReplayedShot]) -> dict[str, int]:
    now: Counter[str] = Counter()
    most: Counter[str] = Counter()
    for shot in shots:
        if shot.played.annulled:
            continue
        player = shot.player
        twenty = shot.played.shot.disc in shot.played.judgement.twenties and shot.resting is None
        now[player] = now[player] + 1 if twenty else 0
        most[player] = max(most[player], now[player])
    return most


def spread(match: MatchInShort) -> Iterator[tuple[str, int, int]]:
    """(player, twenties, rounds): the number of rounds in which the player's side had this many twenties."""
    counted = Counter(
        (name, twenties)
        for side in match.sides
        for name in side.players
        for played in match.rounds
        if (twenties := played.twenties[side.id]) is not None
    )
    return ((name, twenties, rounds) for (name, twenties), rounds in counted.items())


def _add(tally: Tally, match: MatchInShort, side: SideInShort) -> None:
    if match.over:
        tally.matches += 1
        tally.won += match.winner == side.id
        tally.tied += match.winner is None
        tally.lost += match.winner not in (None, side.id)
    for played in match.rounds:
        totals = {id_: total for id_, total in played.totals.items() if total is not None}
        figures = totals or played.awarded
        won = figures[side.id] > max(points for id_, points in figures.items() if id_ != side.id)
        if played.hammer == side.id:
            tally.hammer += 1
            tally.hammer_won += won
        else:
            tally.no_hammer += 1
            tally.no_hammer_won += won
        tally.rounds += 1
        tally.rounds_won += won
        if totals:
            tally.rounds_counted += 1
            tally.points += totals[side.id]
            tally.best_round = max(tally.best_round, totals[side.id])
        if (twenties := played.twenties[side.id]) is not None:
            tally.rounds_with_twenties += 1
            tally.twenties += twenties
            tally.twenties_squared += twenties**2
            tally.best_twenties = max(tally.best_twenties, twenties)


def meetings(match: MatchInShort) -> Iterator[tuple[str, str, int, int, int, int | None, int | None]]:
    """(first, second, won by first, by second, tied, twenties of first, of second) for opponents in a finished match;
    twenties are None if not all are known. Two who meet more than once, as namesakes in doubles do, have a row for each
    time."""
    if not match.over:
        return
    for one, other in combinations(match.sides, 2):
        for a in one.players:
            for b in other.players:
                first, second = (one, other) if a <= b else (other, one)
                yield (
                    min(a, b),
                    max(a, b),
                    int(match.winner == first.id),
                    int(match.winner == second.id),
                    int(match.winner is None),
                    first.twenties,
                    second.twenties,
                )


def resting(shots: Iterable[ReplayedShot]) -> Iterator[tuple[Any, ...]]:
    """(round, number, player, seat, x, y, zone, clearance) of the shots whose discs came to rest and stayed."""
    for shot in shots:
        if (disc := shot.resting) is not None:
            at = Place.of(shot.after.seating, disc)
            where = at.x, at.y, disc.zone, round(disc.clearance, 2)
            yield shot.round, shot.number, shot.player, shot.played.seat, *where


COUNTED: tuple[tuple[Kind, Distance], ...] = tuple(
    (kind, distance) for kind in KINDS for distance in (BY_DISTANCE if kind in ("contact", "takeout") else ("any",))
)

SHOT_COLUMNS = (
    *(f"{kind}_{distance}_{what}" for kind, distance in COUNTED for what in ("shots", "hits")),
    "flicks",
    "speeds",
    "fastest",
)
"""Whole numbers. Of the flicks with a known speed: their count, the sum of their speeds and the highest, in mm/s."""

SHOT_TABLE = f"""
CREATE TABLE shot_sums_of (        -- what kinds of shots a player played in a match
    match INTEGER NOT NULL,
    key   TEXT NOT NULL,
    day   TEXT NOT NULL,
    {", ".join(f"{name} INTEGER NOT NULL" for name in SHOT_COLUMNS)},
    PRIMARY KEY (match, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX shot_sums_by_player ON shot_sums_of (key, day);
"""


def shot_rows(shots: Iterable[ReplayedShot]) -> dict[str, tuple[int, ...]]:
    """A match's rows, in the order of `SHOT_COLUMNS`, by player."""
    found: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for one_shot in shots:
        row, shot = found[one_shot.player], one_shot.shot
        for one in kinds(shot):
            row[f"{one.kind}_{one.distance}_shots"] += 1
            row[f"{one.kind}_{one.distance}_hits"] += one.hit
        if shot.speed is not None:
            speed = round(shot.speed)
            row["flicks"] += 1
            row["speeds"] += speed
            row["fastest"] = max(row["fastest"], speed)
    return {player: tuple(row[name] for name in SHOT_COLUMNS) for player, row in found.items()}
