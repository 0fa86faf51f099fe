"""The table in its club: a part of the state."""

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict

from controller.views.schema.common import MatchFormat, Sentence


class AssignedSide(TypedDict):
    """A side of the assigned match."""

    name: str  #: Its name.
    colour: str  #: The colour of its discs: as in the last match, else black and natural.


AssignedSeats = TypedDict(
    "AssignedSeats",
    {
        "1": Annotated[str, Field(description="Of side A.")],
        "2": Annotated[str, Field(description="In doubles, of side B.")],
        "3": Annotated[str, Field(description="Of side B; in doubles, of side A.")],
        "4": Annotated[str, Field(description="In doubles, of side B.")],
    },
    total=False,
)
"""The players by seat."""


class AssignedStart(TypedDict):
    """The members of the command `start` for the assigned match."""

    assignment: str  #: The club's id of the match.
    rules: str  #: The rule set.
    format: MatchFormat  #: Its format.
    discs: int  #: The discs per side and round.
    doubles: bool  #: Whether two partners make a side.
    sides: Annotated[list[AssignedSide], Field(min_length=2, max_length=2)]  #: A and B.
    seats: AssignedSeats  #: The players by seat, unless people choose otherwise.
    starter: Literal["A", "B"]  #: The side that shoots first.


class NextMatch(TypedDict):
    """The match that the club assigned to this table to be played next."""

    round: int  #: Its round of the evening, from 1.
    text: Sentence  #: The sides' names.
    details: Sentence  #: The rules, the format and the starter.
    start: AssignedStart  #: The members of the command that starts it.


class ClubNow(TypedDict):
    """The table in its club."""

    name: str  #: The club's name.
    next: NextMatch | None  #: The next match; null if there is none.
    taken_back: Sentence | None  #: A notice that the club has withdrawn the running match, and what to do.
