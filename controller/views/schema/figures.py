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
