"""Parts shared by several documents. Each part of a document is a dataclass: its members with their units in comments
`#:`, and where it is filled. `shown_as` gives a member's type in JSON, if the program's own type differs or is less
specific."""

from dataclasses import dataclass
from typing import Annotated, Any, Literal, Self

from pydantic import Field, GetPydanticSchema
from typing_extensions import TypedDict

from controller import rules
from controller.match import events as ev
from controller.match.seating import Seating
from controller.messages import Sentence as Sentence
from controller.rules.formats import Tie


def shown_as(kind: Any) -> GetPydanticSchema:
    """The JSON type of a value that has another type in the program."""
    return GetPydanticSchema(lambda _source, schema_of: schema_of(kind))


SideLetter = Annotated[str, shown_as(ev.SideId)]
"""A side of a match."""
BySide = dict[SideLetter, int]
"""A whole number for each side."""
BySideIfKnown = dict[SideLetter, int | None]
"""A whole number for each side, null if it is not known."""
Day = Annotated[str, Field(json_schema_extra={"format": "date"})]
"""A local date, YYYY-MM-DD."""
Time = Annotated[str, Field(json_schema_extra={"format": "date-time"})]
"""A time of day in UTC, ISO 8601."""
Swatch = Annotated[str, Field(pattern="^#[0-9a-f]{6}$")]
"""A colour to draw with, #rrggbb."""
Seat = Annotated[int, Field(ge=1, le=4)]
"""1 to 4, clockwise seen from above; seat 1 is at -y."""


class ToTarget(TypedDict):
    """A format: the first side to reach the target wins."""

    kind: Literal["points", "race"]  #: By the points of the rounds, or by 2, 1 and 0 for a round won, level and lost.
    target: int  #: Points.
    tie: Tie  #: The tie rule.


class OfRounds(TypedDict):
    """A format of a number of rounds that give 2, 1 or 0 each; the higher score wins."""

    kind: Literal["rounds"]  #: By rounds.
    rounds: int  #: Rounds of a game.
    games: int  #: Games of the match.
    tie: Tie  #: The tie rule.


class OfPractice(TypedDict):
    """A format for one player alone, who counts twenties or points over a number of rounds; nobody wins."""

    kind: Literal["twenties", "series"]  #: By discs in the hole, or by points.
    rounds: int  #: Rounds of discs.
    tie: Literal["stands"]  #: There is none.


MatchFormat = Annotated[dict[str, Any], shown_as(ToTarget | OfRounds)]
"""The same for a match of two sides or more."""
Format = Annotated[dict[str, Any], shown_as(ToTarget | OfRounds | OfPractice)]
"""A match's format, from `controller.rules.written_format`."""


@dataclass
class FinishedRound:
    """A finished round."""

    number: int  #: From 1.
    starter: SideLetter  #: The side that shot first.
    totals: BySideIfKnown  #: Each side's total, twenties included; null if people entered only who won.
    twenties: BySideIfKnown  #: Each side's number of twenties; null if nobody recorded them.
    awarded: BySide  #: Each side's points for it in the match's score.
    corrected: bool  #: Whether people corrected it.

    @classmethod
    def of(cls, round_: rules.Round, **more: Any) -> Self:
        """A round; `more`: the members that a subclass adds."""
        return cls(
            number=round_.number,
            starter=round_.starter,
            totals=round_.known_totals,
            twenties=round_.known_twenties,
            awarded=dict(round_.awarded or {}),
            corrected=round_.corrected,
            **more,
        )


@dataclass
class Place:
    """A place in the players' board frame: origin at the 20 hole, y away from seat 1."""

    x: float  #: mm
    y: float  #: mm

    @classmethod
    def of(cls, seating: Seating, measured: ev.Measured, **more: Any) -> Self:
        """A disc's place; `more`: the members that a subclass adds."""
        x, y = seating.shown(measured.x, measured.y)
        return cls(x=round(x, 1), y=round(y, 1), **more)
