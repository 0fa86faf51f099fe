"""Parts shared by several documents. Each part of a document is a dataclass: its members with their units in comments
`#:`, and where it is filled. `shown_as` gives a member's type in JSON, if the program's own type differs or is less
specific."""

from dataclasses import dataclass
from typing import Annotated, Any, NotRequired, Self

from pydantic import Field, GetPydanticSchema
from typing_extensions import TypedDict

from controller import rules
from controller.match.discs import Measured
from controller.match.model import SideId as SideId
from controller.match.seating import Seating
from controller.match.state import MatchState
from controller.messages import Message
from controller.messages import Sentence as Sentence
from controller.rules.formats import Kind, Tie


def shown_as(kind: Any) -> GetPydanticSchema:
    """The JSON type of a value that has another type in the program."""
    return GetPydanticSchema(lambda _source, schema_of: schema_of(kind))


BySide = dict[SideId, int]
"""A whole number for each side."""
BySideIfKnown = dict[SideId, int | None]
"""A whole number for each side, null if it is not known."""
Day = Annotated[str, Field(json_schema_extra={"format": "date"})]
"""A local date, YYYY-MM-DD."""
Time = Annotated[str, Field(json_schema_extra={"format": "date-time"})]
"""A time of day in UTC, ISO 8601."""
Swatch = Annotated[str, Field(pattern="^#[0-9a-f]{6}$")]
"""A colour to draw with, #rrggbb."""
Seat = Annotated[int, Field(ge=1, le=4)]
"""1 to 4, clockwise seen from above; seat 1 is at -y."""


class WrittenFormat(TypedDict):
    """A match's format."""

    kind: Kind
    """`points`, `race`: the first side to reach the target, by the points of the rounds, or by 2, 1 and 0 for a round
    won, level and lost; `rounds`: by 2, 1 and 0 over a number of rounds; `twenties`, `series`: one player alone counts
    discs in the hole, or points."""
    target: NotRequired[int]  #: Points, of `points` and `race`.
    rounds: NotRequired[int]  #: Rounds of a game, or of a practice.
    games: NotRequired[int]  #: Games of a match of `rounds`.
    tie: Tie  #: The tie rule; `stands` in a practice, where nobody wins.


Format = Annotated[dict[str, Any], shown_as(WrittenFormat)]
"""From `controller.rules.written_format`."""


@dataclass
class FinishedRound:
    """A finished round."""

    number: int  #: From 1.
    starter: SideId  #: The side that shot first.
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
    def of(cls, seating: Seating, measured: Measured, **more: Any) -> Self:
        """A disc's place; `more`: the members that a subclass adds."""
        x, y = seating.shown(measured.x, measured.y)
        return cls(x=round(x, 1), y=round(y, 1), **more)


@dataclass
class AnyMatch:
    """What every document says of a match."""

    id: int  #: Its number in the journal.
    rules: str  #: Its rule set.
    rules_name: Sentence  #: The rule set's name for people.
    format: Format  #: How it is counted.
    over: bool  #: Whether it was played to its end.
    winner: SideId | None  #: The winner; null until it is over, and for a tie.
    doubles: bool  #: Whether two partners make a side.

    @classmethod
    def said(cls, state: MatchState, **more: Any) -> Self:
        """A match; `more`: the members that a subclass adds."""
        terms = state.game.terms
        return cls(
            id=state.number,
            rules=terms.rules.id,
            rules_name=Message(terms.rules.name),
            format=rules.written_format(terms.format),
            over=state.over,
            winner=state.game.winner if state.over else None,
            doubles=terms.doubles,
            **more,
        )
