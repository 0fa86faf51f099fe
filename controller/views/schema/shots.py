"""Kinds of shots and flicks: `shots/1`."""

from typing import Annotated, Literal

from typing_extensions import TypedDict

from controller.match.shot_kinds import Distance, Kind
from controller.views.schema.common import Day, shown_as


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
