"""Figures: of players (`figures/1`), of their shots (`shots/1`), and of the table's errors (`accuracy/1`)."""

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict

from controller.match.shot_kinds import Distance, Kind
from controller.views.common import Day, Seat, shown_as


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


Pair = Annotated[list[int], Field(min_length=2, max_length=2)]
"""A whole number for each of two players."""
PairIfKnown = Annotated[list[int | None], Field(min_length=2, max_length=2)]
"""A whole number for each of two players, null if it is not known."""


class HeadToHead(TypedDict):
    """Two players' results against each other, in matches played to their end."""

    players: Annotated[list[str], Field(min_length=2, max_length=2)]  #: Their names.
    matches: int  #: The number of matches.
    won: Pair  #: Each one's wins.
    tied: int  #: Matches without a winner.
    matches_with_twenties: int  #: The number of matches in which all twenties of both were recorded.
    twenties: PairIfKnown
    """Twenties of each one's side where they were recorded: at least so many if not in all matches, null if in none."""


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
    twenties_a_round: float | None  #: The mean number of twenties of the player's side in a round where recorded.
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
    twenties: int | None  #: Discs in the hole; null if nobody recorded them.
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


class KindFigures(TypedDict):
    """The success rate of a kind of shot."""

    kind: Annotated[str, shown_as(Kind)]
    """`open_twenty`: the hole, with no opponent's disc on the board. With one there: `contact`, an opponent's disc was
    touched; `takeout`, one came off; `follow_through`, one was touched and the shot disc fell into the hole. `double`:
    two or more came off, of at least two. `promotion`: another own disc came to count more. `rebound`: the shot disc
    turned at a peg."""
    distance: Annotated[str, shown_as(Distance)]
    """The distance from the flick to the target: `near` below 250 mm, `middle` below 400 mm, else `far`; `unknown` if
    the shot was not filmed; `any` for kinds that are not counted by distance."""
    shots: int  #: Shots that could be of this kind.
    hits: int  #: Shots that were.


class Flicks(TypedDict):
    """A player's flicks with a measured speed."""

    player: str  #: The name.
    shots: int  #: The number of flicks.
    mean: int  #: mm/s on average.
    fastest: int  #: mm/s.


class Shots(TypedDict):
    """Kinds of shots and flicks over a span of days, inclusive."""

    schema: Literal["shots/1"]  #: The document's type.
    since: Day | None  #: The first day, if requested.
    until: Day | None  #: The last day, if requested.
    player: str | None  #: The player of the kinds of shots; null for all.
    kinds: list[KindFigures]  #: The kinds with shots.
    flicks: list[Flicks]  #: Of every player, by name, fifty at a time.
    next: int | None  #: The next value of `page`; null on the last page.


ErrorKind = Literal["verdict", "twenty", "ring", "missed", "extra", "side", "totals"]
"""What was wrong: a verdict, a twenty, a ring, a missed shot, a shot that nobody made, who sits where, or totals."""


class Share(TypedDict):
    """How often something happened, with the 95 % bounds of Clopper and Pearson."""

    count: int  #: How often it did.
    of: int  #: How often it could have.
    least: float  #: The lower bound of the true share, 0..1.
    most: float  #: The upper bound of the true share, 0..1.


class Accuracy(TypedDict):
    """The table's accuracy in one group of matches."""

    name: str  #: The month, the kind of table or the program's version; empty for all matches.
    matches: int  #: Those that the table refereed.
    shots: int  #: Shots that the table saw.
    questions: int  #: Questions to people.
    rounds_asked: Share  #: Rounds in which the table asked something, of all finished rounds.
    likelier_right: Share  #: Questions that people answered as the table had shown, of those that they could answer.
    rounds_silent: Share
    """Rounds with an error that was shown as sure and that somebody noticed. The true share is larger, unless people
    also correct what was right."""
    spot_checks: Share
    """Rounds found wrong though nothing was asked, of the rounds that were spot-checked: an estimate without bias."""
    silent: dict[ErrorKind, int]  #: The noticed silent errors by kind.
    corrected_asked: int  #: Corrections that the table had asked for, which are no silent errors.


class TableAccuracy(TypedDict):
    """The table's accuracy according to people's corrections and spot checks."""

    schema: Literal["accuracy/1"]  #: Which document this is.
    all: Accuracy  #: Every match.
    months: list[Accuracy]  #: By month, oldest first; the newest 24.
    kinds: list[Accuracy]  #: By the table's devices: `camera+hole`, `camera`, `hole`, `hand` or `simulated`.
    versions: list[Accuracy]  #: By the program's version, oldest first.
