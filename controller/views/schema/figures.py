"""Players' figures: `figures/1`."""

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict

from controller.views.schema.common import Day, Seat, shown_as


class WithHammer(TypedDict):
    """A player's rounds with, or without, the last shot."""

    rounds: int
    """How many."""
    won: int
    """How many of them were won."""


class Streaks(TypedDict):
    """Matches that a player won one after the other, of those played to their end."""

    longest: int
    """The most."""
    now: int
    """Those that nothing has ended yet."""


class PlayerFigures(TypedDict):
    """A player's figures: matches played to their end, and all rounds."""

    player: str
    """The name."""
    matches: int
    """Played to their end."""
    won: int
    """Matches."""
    lost: int
    """Matches."""
    tied: int
    """Matches."""
    rounds: int
    """Finished ones."""
    rounds_won: int
    """Rounds in which the own side counted most."""
    mean_round: float
    """Points that the own side counted in a round, on average."""
    best_round: int
    """Points."""
    twenties: int
    """Of the own side."""
    twenties_a_round: float
    """On average."""
    spread_of_twenties: float | None
    """The standard deviation of the twenties in a round; null for a single round."""
    best_twenties: int
    """The most in a round, of the own side."""
    run_of_twenties: int
    """Own shots one after the other, in a match, whose own disc was banked: the most."""
    wins_in_a_row: Streaks
    """Matches."""
    shots: int
    """Own ones that the table saw."""
    fouls: int
    """Own shots that were not valid."""
    hammer: WithHammer
    """Rounds in which the own side had the last shot."""
    no_hammer: WithHammer
    """Rounds in which another side had it."""


Pair = Annotated[list[int], Field(min_length=2, max_length=2)]
"""A whole number for each of two players."""


class HeadToHead(TypedDict):
    """Two players against each other, in matches played to their end."""

    players: Annotated[list[str], Field(min_length=2, max_length=2)]
    """The two."""
    matches: int
    """How many they played."""
    won: Pair
    """How many each won."""
    tied: int
    """How many nobody won."""
    twenties: Pair
    """Of each one's side."""


Ring = Annotated[int, shown_as(Literal[15, 10, 5])]


class RestingPlace(TypedDict):
    """Where a shot disc came to rest and stayed."""

    x: float
    """mm in people's board frame"""
    y: float
    """mm"""
    zone: Ring
    """What it counted."""
    seat: Seat
    """From where it was shot."""
    player: str
    """By whom."""


class NearALine(TypedDict):
    """A shot that came to rest near a line between two rings."""

    match: int
    """The number of its match."""
    round: int
    """The number of its round."""
    number: int
    """Its number in the round."""
    player: str
    """Who shot."""
    zone: Ring
    """What it counted."""
    clearance: float
    """mm; below 0 the better ring was missed."""


class TrendPoint(TypedDict):
    """A day or a month of play. A mean that would rest on less than `enough_rounds` is null."""

    begins: Day
    """Its first day."""
    matches: int
    """In how many it rests on."""
    rounds: int
    """Of all players in question, each one's own."""
    mean_round: float | None
    """Points that the own side counted in a round, on average."""
    twenties_a_round: float | None
    """On average."""
    won_with_hammer: float | None
    """The share of the rounds with the last shot that were won, 0 to 1."""


class Trend(TypedDict):
    """How figures change over time."""

    by: Literal["day", "month"]
    """What a point stands for: a day, or a month where there are many days."""
    points: list[TrendPoint]
    """In order of time, the newest sixty."""


class RoundsByTwenties(TypedDict):
    """Rounds with the same number of twenties."""

    twenties: int
    """Of the own side in the round."""
    rounds: int
    """How many."""


Cell = Annotated[list[int], Field(min_length=4, max_length=4)]
"""Seat; how many cells to the right of the 20 hole, and how many away from seat 1; shots."""


class Density(TypedDict):
    """How many shots came to rest where."""

    cell: float
    """mm, the breadth of a square cell; the 20 hole is in the middle of one."""
    enough: int
    """Shots from which on a density says something."""
    cells: list[Cell]
    """Those with shots: the seat from which they were shot, how many cells the place is to the right of the 20 hole and
    how many away from seat 1, and how many shots."""


RecordKind = Literal["round_points", "round_twenties", "match_twenties", "twenties_in_a_row", "wins_in_a_row"]


class Record(TypedDict):
    """The best that was reached."""

    kind: Annotated[str, shown_as(RecordKind)]
    """Of what: points or twenties of a side in a round, twenties of a side in a match, own twenties one after the
    other, matches won one after the other."""
    value: int
    """How many."""
    match: int
    """The first match in which it was reached."""
    players: list[str]
    """By whom."""


class PracticePoint(TypedDict):
    """A finished round of one player alone."""

    day: Day
    """When."""
    match: int
    """The number under which it is kept."""
    twenties: int
    """Discs in the hole."""
    total: int
    """Points, those of the twenties included."""


class Practice(TypedDict):
    """What a player did alone, counted the same way, with as many discs."""

    player: str
    """Who."""
    counts: Annotated[str, shown_as(Literal["twenties", "series"])]
    """What is counted: discs in the hole, or the points of a round."""
    discs: int
    """In a round."""
    times: int
    """How many rounds were finished."""
    best: PracticePoint
    """The first with the most twenties, or where points are counted, with the most points."""
    points: list[PracticePoint]
    """In order of time, the newest sixty."""


class Figures(TypedDict):
    """Players' figures over a span of days, both included, fifty players at a time."""

    schema: Literal["figures/1"]
    """Which document this is."""
    since: Day | None
    """The first day, where one was asked for."""
    until: Day | None
    """The last day, where one was asked for."""
    matches: int
    """How many began in the span."""
    days: list[Day]
    """The days on which matches began."""
    players: list[PlayerFigures]
    """By name."""
    head_to_head: list[HeadToHead]
    """Who met whom."""
    next: int | None
    """What to send as `page` for the ones after these; null when these are the last."""
    player: str | None
    """Whose places these are; null for everybody's."""
    places: list[RestingPlace]
    """Where shots came to rest, the newest first."""
    near: list[NearALine]
    """The nearest misses and hits, the nearest first."""
    enough_rounds: int
    """Rounds from which on a mean or a share says something."""
    trend: Trend
    """Of the player, or of all."""
    rounds_by_twenties: list[RoundsByTwenties]
    """Of the player, or of all, by the number of twenties."""
    density: Density
    """Of the player, or of all."""
    records: list[Record]
    """Of the player, or of the table."""
    practice: list[Practice]
    """Of the player, or of all, by name; rounds that ended early are left out."""
