"""Players' figures: `figures/1`."""

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict

from controller.views.schema.common import Day, Seat, shown_as


class WithHammer(TypedDict):
    """A player's rounds with, or without, the last shot."""

    rounds: int  #: Their number.
    won: int  #: The number won.


class Streaks(TypedDict):
    """A player's winning streaks, over matches played to their end."""

    longest: int  #: The longest.
    now: int  #: The current one.


class PlayerFigures(TypedDict):
    """A player's figures: matches played to their end, and all rounds."""

    player: str  #: The name.
    matches: int  #: Matches played to their end.
    won: int  #: Matches won.
    lost: int  #: Matches lost.
    tied: int  #: Matches tied.
    rounds: int  #: Finished rounds.
    rounds_won: int  #: Rounds in which the player's side had the highest total.
    mean_round: float  #: The mean total of the player's side in a round.
    best_round: int  #: The highest total of the player's side in a round.
    twenties: int  #: Twenties of the player's side.
    twenties_a_round: float  #: Their mean per round.
    spread_of_twenties: float | None  #: The standard deviation of the twenties in a round; null for a single round.
    best_twenties: int  #: The most twenties of the player's side in a round.
    run_of_twenties: int  #: The longest series of own twenties in a match.
    wins_in_a_row: Streaks  #: Winning streaks.
    shots: int  #: The player's shots that the table saw.
    fouls: int  #: The player's fouls.
    hammer: WithHammer  #: Rounds in which the player's side had the last shot.
    no_hammer: WithHammer  #: Rounds in which another side had the last shot.


Pair = Annotated[list[int], Field(min_length=2, max_length=2)]
"""A whole number for each of two players."""


class HeadToHead(TypedDict):
    """Two players' results against each other, in matches played to their end."""

    players: Annotated[list[str], Field(min_length=2, max_length=2)]  #: Their names.
    matches: int  #: The number of matches.
    won: Pair  #: Each one's wins.
    tied: int  #: Matches without a winner.
    twenties: Pair  #: Twenties of each one's side.


Ring = Annotated[int, shown_as(Literal[15, 10, 5])]


class RestingPlace(TypedDict):
    """The resting place of a shot disc that stayed."""

    x: float  #: mm in the players' board frame
    y: float  #: mm
    zone: Ring  #: Its points.
    seat: Seat  #: The seat from which it was shot.
    player: str  #: The player.


class NearALine(TypedDict):
    """A shot that came to rest near a line between two rings."""

    match: int  #: The number of its match.
    round: int  #: The number of its round.
    number: int  #: Its number in the round.
    player: str  #: The player.
    zone: Ring  #: Its points.
    clearance: float  #: mm; below 0 it missed the better ring.


class TrendPoint(TypedDict):
    """A day or a month of play. A mean over fewer rounds than `enough_rounds` is null."""

    begins: Day  #: Its first day.
    matches: int  #: The number of matches.
    rounds: int  #: Rounds of all players in question.
    mean_round: float | None  #: The mean total of the player's side in a round.
    twenties_a_round: float | None  #: The mean number of twenties of the player's side in a round.
    won_with_hammer: float | None  #: The share of won rounds among those with the last shot, 0 to 1.


class Trend(TypedDict):
    """How figures change over time."""

    by: Literal["day", "month"]  #: The unit of a point: a day, or a month if there are many days.
    points: list[TrendPoint]  #: In order of time, the newest sixty.


class RoundsByTwenties(TypedDict):
    """Rounds with the same number of twenties."""

    twenties: int  #: Twenties of the player's side in the round.
    rounds: int  #: Their number.


Cell = Annotated[list[int], Field(min_length=4, max_length=4)]
"""(seat, cells to the right of the 20 hole, cells away from seat 1, shots)."""


class Density(TypedDict):
    """A map of where shots came to rest."""

    cell: float  #: mm, the width of a square cell; the 20 hole is at the centre of one.
    enough: int  #: The number of shots from which a density is meaningful.
    cells: list[Cell]  #: The cells with shots, by the seat from which they were shot.


RecordKind = Literal["round_points", "round_twenties", "match_twenties", "twenties_in_a_row", "wins_in_a_row"]


class Record(TypedDict):
    """A record."""

    kind: Annotated[str, shown_as(RecordKind)]
    """Points or twenties of a side in a round, twenties of a side in a match, own twenties in a row, or matches won in
    a row."""
    value: int  #: The record's value.
    match: int  #: The first match with it.
    players: list[str]  #: Its holders.


class PracticePoint(TypedDict):
    """A finished round of one player alone."""

    day: Day  #: Its date.
    match: int  #: Its number in the journal.
    twenties: int  #: Discs in the hole.
    total: int  #: Points, twenties included.


class Practice(TypedDict):
    """A player's practice rounds of one format and number of discs."""

    player: str  #: The player.
    counts: Annotated[str, shown_as(Literal["twenties", "series"])]
    """What is counted: discs in the hole, or the points of a round."""
    discs: int  #: The number of discs in a round.
    times: int  #: The number of finished rounds.
    best: PracticePoint  #: The first with the most twenties or, if points are counted, with the most points.
    points: list[PracticePoint]  #: In order of time, the newest sixty.


class Figures(TypedDict):
    """Players' figures over a span of days, inclusive, fifty players at a time."""

    schema: Literal["figures/1"]  #: The document's type.
    since: Day | None  #: The first day, if requested.
    until: Day | None  #: The last day, if requested.
    matches: int  #: The number of matches that began in the span.
    days: list[Day]  #: The days on which matches began.
    players: list[PlayerFigures]  #: By name.
    head_to_head: list[HeadToHead]  #: Pairs of players who met.
    next: int | None  #: The next value of `page`; null on the last page.
    player: str | None  #: The player of these places; null for all.
    places: list[RestingPlace]  #: Where shots came to rest, the newest first.
    near: list[NearALine]  #: The nearest misses and hits, the nearest first.
    enough_rounds: int  #: The number of rounds from which a mean or a share is meaningful.
    trend: Trend  #: Of the player, or of all.
    rounds_by_twenties: list[RoundsByTwenties]  #: Of the player, or of all, by the number of twenties.
    density: Density  #: Of the player, or of all.
    records: list[Record]  #: Of the player, or of the table.
    practice: list[Practice]  #: Of the player, or of all, by name, without rounds that ended early.
