"""Figures over many matches: trends, spreads, resting places, streaks and records. SQL adds them up. Each has its
sample size, and is null if that is too small: a share of three rounds means nothing."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import groupby
from typing import Annotated, Any, Literal

from pydantic import Field

from controller.messages import Message, say
from controller.views.common import Day, Sentence
from controller.views.history.figures import Streaks
from controller.views.history.tables import Tables

ENOUGH_ROUNDS = 10
"""The number of rounds from which a mean or a share is shown: the standard error of a share, at most half of 1/sqrt(n),
is then 16 per cent. With fewer, chance alone makes a player look twice as good as another of the same strength."""
ENOUGH_SHOTS = 30  # the number of shots from which a density is shown: a place with a tenth of them then has three hits
MAX_DAYS = 30  # days of play that a trend shows singly; with more, it shows months
MAX_POINTS = 60  # the newest: five years of months
CELL = 16.0  # mm, the breadth of the cells in which resting shots are counted: about a disc's radius, 15.9 mm
SPAN = "day BETWEEN ifnull(:since, '0') AND ifnull(:until, '9999')"

STREAKS = f"""
WITH ended AS (
    SELECT player, match, min(won) AS victory FROM played
    WHERE over AND {SPAN} AND (:player IS NULL OR player = :player) GROUP BY player, match
), numbered AS (
    SELECT *, row_number() OVER (PARTITION BY player ORDER BY match)
        - row_number() OVER (PARTITION BY player, victory ORDER BY match) AS run FROM ended
), runs AS (
    SELECT player, victory, count(*) AS length, max(match) AS match FROM numbered GROUP BY player, victory, run
)
"""
"""A player's finished matches as runs of victories and of others. In each run, the number of the match among all the
player's, less its number among those of the same kind, stays the same."""


@dataclass(frozen=True)
class Selection:
    """Which matches are asked about. Its members are the values of the queries.

    `player`: None for everybody; `since`, `until`: days, both included; `before`: the matches with a lower number;
    `page`: from 1."""

    player: str | None = None
    since: str | None = None
    until: str | None = None
    before: int | None = None
    page: int = 1


@dataclass(frozen=True)
class Asked:
    """The tables, asked about the matches of a selection."""

    tables: Tables
    about: Selection

    @property
    def whose(self) -> str:
        """The condition that a row is of the selection's player and days."""
        return SPAN if self.about.player is None else f"{SPAN} AND player = :player"

    def read(self, query: str, **more: object) -> list[Any]:
        """The rows of a query, with the selection's values and `more`."""
        return self.tables.read(query, {**vars(self.about), **more})


RecordKind = Literal["round_points", "round_twenties", "match_twenties", "twenties_in_a_row", "wins_in_a_row"]

BESTS: tuple[tuple[RecordKind, Message, str, str], ...] = (
    ("round_points", say("Most points in a round"), "rounds", "total"),
    ("round_twenties", say("Most twenties in a round"), "rounds", "twenties"),
    ("match_twenties", say("Most twenties in a match"), "played", "twenties"),
    ("twenties_in_a_row", say("Twenties in a row"), "played", "run_of_twenties"),
)
"""Each with its view and column."""


@dataclass
class TrendPoint:
    """A day or a month of play. A mean over fewer rounds than `enough_rounds` is null."""

    begins: Day  #: Its first day.
    matches: int  #: The number of matches.
    rounds: int  #: Rounds of all players in question.
    mean_round: float | None  #: The mean total of the player's side in a round.
    twenties_a_round: float | None  #: The mean number of twenties of the player's side in a round where recorded.
    won_with_hammer: float | None  #: The share of won rounds among those with the last shot, 0 to 1.


@dataclass
class Trend:
    """How figures change over time."""

    by: Literal["day", "month"]  #: The unit of a point: a day, or a month if there are many days.
    points: list[TrendPoint]  #: In order of time, the newest sixty.


@dataclass
class RoundsByTwenties:
    """Rounds with the same number of twenties."""

    twenties: int  #: Twenties of the player's side in the round.
    rounds: int  #: Their number.


Cell = Annotated[list[int], Field(min_length=4, max_length=4)]
"""(seat, cells to the right of the 20 hole, cells away from seat 1, shots)."""


@dataclass
class Density:
    """A map of where shots came to rest."""

    cell: float  #: mm, the width of a square cell; the 20 hole is at the centre of one.
    enough: int  #: The number of shots from which a density is meaningful.
    cells: list[Cell]  #: The cells with shots, by the seat from which they were shot.


@dataclass
class Record:
    """A record."""

    kind: RecordKind
    """Points or twenties of a side in a round, twenties of a side in a match, own twenties in a row, or matches won in
    a row."""
    text: Sentence  #: The same for people.
    value: int  #: The record's value.
    match: int  #: The first match with it.
    players: list[str]  #: Its holders.


@dataclass
class PracticePoint:
    """A finished round of one player alone."""

    day: Day  #: Its date.
    match: int  #: Its number in the journal.
    twenties: int | None  #: Discs in the hole; null if nobody recorded them.
    total: int  #: Points, twenties included.


@dataclass
class Practice:
    """A player's practice rounds of one format and number of discs."""

    player: str  #: The player.
    counts: Literal["twenties", "series"]
    """What is counted: discs in the hole, or the points of a round."""
    discs: int  #: The number of discs in a round.
    times: int  #: The number of finished rounds.
    best: PracticePoint  #: The first with the most twenties or, if points are counted, with the most points.
    points: list[PracticePoint]  #: In order of time, the newest sixty.


def mean(total: int | None, rounds: int, digits: int) -> float | None:
    """A mean, if it is significant."""
    return round((total or 0) / rounds, digits) if rounds >= ENOUGH_ROUNDS else None


def trend(asked: Asked) -> Trend:
    """Figures by day, or by month if there are many days, in order of time."""
    ((days,),) = asked.read(f"SELECT count(DISTINCT day) FROM played WHERE {asked.whose}")
    by_month = days > MAX_DAYS
    begins = "substr(day, 1, 7) || '-01'" if by_month else "day"
    rows = asked.read(
        f"SELECT {begins} AS begins, count(DISTINCT match), count(round), count(total), sum(total), "
        "count(twenties), sum(twenties), count(*) FILTER (WHERE hammer), count(*) FILTER (WHERE hammer AND won) "
        f"FROM rounds WHERE {asked.whose} GROUP BY begins ORDER BY begins DESC LIMIT {MAX_POINTS}",
    )
    points = [
        TrendPoint(day, matches, rounds, mean(points, counted, 1), mean(twenties, recorded, 2), mean(won, hammer, 3))
        for day, matches, rounds, counted, points, recorded, twenties, hammer, won in reversed(rows)
    ]
    return Trend("month" if by_month else "day", points)


def practice(asked: Asked) -> list[Practice]:
    """Players' practice, by player, what is counted, and number of discs: the best, and the newest."""
    rows = asked.read(
        f"SELECT player, counts, discs, day, match, twenties, total FROM practised WHERE {asked.whose} "
        "ORDER BY player, counts DESC, discs, day, match, round",
    )
    found = []
    for (player, counts, discs), group in groupby(rows, key=lambda row: row[:3]):
        points = [PracticePoint(*row[3:]) for row in group]
        best = max(points, key=_reached(counts))
        found.append(Practice(player, counts, discs, len(points), best, points[-MAX_POINTS:]))
    return found


def _reached(counts: str) -> Callable[[PracticePoint], tuple[int, int]]:
    """The key that compares rounds of practice; the earliest of equal ones is the best."""
    if counts == "twenties":
        return lambda point: (point.twenties or 0, 0)
    return lambda point: (point.total, point.twenties or 0)


def by_twenties(asked: Asked) -> list[RoundsByTwenties]:
    """The number of rounds by the number of the own side's twenties."""
    rows = asked.read(
        f"SELECT twenties, count(*) FROM rounds WHERE {asked.whose} AND twenties >= 0 GROUP BY twenties "
        "ORDER BY twenties",
    )
    return [RoundsByTwenties(*row) for row in rows]


def density(asked: Asked) -> Density:
    """The number of resting shots by seat and cell of the board."""
    rows = asked.read(
        f"SELECT seat, CAST(round(x / {CELL}) AS INTEGER) AS right, CAST(round(y / {CELL}) AS INTEGER) AS up, count(*) "
        f"FROM places WHERE {asked.whose} GROUP BY seat, right, up",
    )
    return Density(CELL, ENOUGH_SHOTS, [list(row) for row in rows])


def streaks(asked: Asked) -> dict[str, Streaks]:
    """Each player's longest and current run of victories."""
    rows = asked.read(
        STREAKS + "SELECT player, max(length * victory), max(CASE WHEN match = newest THEN length * victory ELSE 0 END)"
        " FROM (SELECT *, max(match) OVER (PARTITION BY player) AS newest FROM runs) GROUP BY player",
    )
    return {player: Streaks(*lengths) for player, *lengths in rows}


def records(asked: Asked) -> list[Record]:
    """The record of each kind, and the first to reach it."""
    found = [_best(asked, *best) for best in BESTS]
    runs = asked.read(
        STREAKS + "SELECT length, match, player FROM runs WHERE victory AND (length, match) = "
        "(SELECT length, match FROM runs WHERE victory ORDER BY length DESC, match LIMIT 1) ORDER BY player",
    )
    if runs:
        players = [player for _, _, player in runs]
        found.append(Record("wins_in_a_row", say("Matches won in a row"), runs[0][0], runs[0][1], players))
    return [one for one in found if one is not None]


def _best(asked: Asked, kind: RecordKind, text: Message, view: str, column: str) -> Record | None:
    rows = asked.read(
        f"SELECT {column}, match FROM {view} WHERE {asked.whose} AND {column} > 0 "
        f"ORDER BY {column} DESC, match LIMIT 1",
    )
    if not rows:
        return None
    ((value, match),) = rows
    players = asked.read(
        f"SELECT DISTINCT player FROM {view} WHERE {asked.whose} AND match = :match AND {column} = :value "
        "ORDER BY player",
        match=match,
        value=value,
    )
    return Record(kind, text, value, match, [player for (player,) in players])
