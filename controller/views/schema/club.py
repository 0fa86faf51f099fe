"""The table in its club: a part of the state."""

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict

from controller.views.schema.common import Format, Sentence


class AssignedSide(TypedDict):
    """A side of the assigned match."""

    name: str
    """What people call it."""
    colour: str
    """The discs that it gets: those of the match before, else black and natural."""


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
"""Who sits where."""


class AssignedStart(TypedDict):
    """What begins the assigned match: the members of the command `start`."""

    assignment: str
    """The club's id of the match."""
    rules: str
    """The rule set."""
    format: Format
    """How it is counted."""
    discs: int
    """How many a side shoots in a round."""
    doubles: bool
    """Whether two partners make a side."""
    sides: Annotated[list[AssignedSide], Field(min_length=2, max_length=2)]
    """A and B."""
    seats: AssignedSeats
    """Who sits where, unless people choose otherwise."""
    starter: Literal["A", "B"]
    """The side that shoots first."""


class NextMatch(TypedDict):
    """The match that the club assigned to this table to be played next."""

    round: int
    """Which round of the evening it belongs to, from 1."""
    text: Sentence
    """Who plays."""
    details: Sentence
    """By which rules, in which format, and who begins."""
    start: AssignedStart
    """The members of the command that begins it."""


class ClubNow(TypedDict):
    """What the table's club wants of it."""

    name: str
    """What people call the club."""
    next: NextMatch | None
    """What to play next; null where nothing waits."""
    taken_back: Sentence | None
    """Of the match that is played: that the club has taken its assignment back, and what to do."""
