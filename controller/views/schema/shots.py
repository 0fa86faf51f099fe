"""Kinds of shots and flicks: `shots/1`."""

from typing import Annotated, Literal

from typing_extensions import TypedDict

from controller.match.shot_kinds import Distance, Kind
from controller.views.schema.common import Day, shown_as


class KindFigures(TypedDict):
    """How often a kind of shot came off."""

    kind: Annotated[str, shown_as(Kind)]
    """`open_twenty`: the hole, with no opponent's disc on the board. With one there: `contact`, an opponent's disc was
    touched; `takeout`, one came off; `follow_through`, one was touched and the shot disc fell into the hole. `double`:
    two or more came off, of at least two. `promotion`: another own disc came to count more. `rebound`: the shot disc
    turned at a peg."""
    distance: Annotated[str, shown_as(Distance)]
    """From where the disc was flicked to its target: `near` below 250 mm, `middle` below 400 mm, else `far`; `unknown`
    where the shot was not filmed; `any` for kinds that are not counted by distance."""
    shots: int
    """Shots that could be one."""
    hits: int
    """Shots that were one."""


class Flicks(TypedDict):
    """A player's flicks, of those whose speed the camera saw."""

    player: str
    """The name."""
    shots: int
    """How many these figures rest on."""
    mean: int
    """mm/s on average."""
    fastest: int
    """mm/s."""


class Shots(TypedDict):
    """Kinds of shots and flicks over a span of days, both included."""

    schema: Literal["shots/1"]
    """Which document this is."""
    since: Day | None
    """The first day, where one was asked for."""
    until: Day | None
    """The last day, where one was asked for."""
    player: str | None
    """Whose kinds of shots these are; null for everybody's."""
    kinds: list[KindFigures]
    """Only those of which there was any."""
    flicks: list[Flicks]
    """Of every player, by name, fifty at a time."""
    next: int | None
    """What to send as `page` for the players after these; null when these are the last."""
