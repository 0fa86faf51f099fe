"""The match that the club assigned to this table, for people, and the answer to the club."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict

from controller import rules
from controller.match.club import Answer, Assigned
from controller.match.state import MatchState
from controller.messages import Message, say
from controller.rules import Terms
from controller.views.common import MatchFormat, Sentence

COLOURS = ("black", "natural")  # if no earlier match shows which discs are at the table
TAKEN_BACK = say("The organiser has taken this match back. Play on or stop; the organiser decides what it counts.")


@dataclass(frozen=True, slots=True)
class InClub:
    """The club's name and the match that it assigned. `terms`: the match's terms; None if there is none, or if this
    table can't play it: then `refused` says why. `over_as`: the number of this table's finished match that was the
    assigned one."""

    name: str
    assigned: Assigned | None = None
    terms: Terms | None = None
    refused: Message | None = None
    over_as: int | None = None

    def next(self, state: MatchState | None) -> Assigned | None:
        """The assigned match, unless it is refused, running or over."""
        if self.assigned is None or self.terms is None or self.over_as is not None:
            return None
        return None if state is not None and state.started.assignment == self.assigned.id else self.assigned

    def taken_back(self, state: MatchState | None) -> bool:
        """Whether the running match was assigned, but the club has withdrawn it."""
        if state is None or state.over or state.started.assignment is None:
            return False
        return self.assigned is None or self.assigned.id != state.started.assignment

    def answer(self, state: MatchState | None) -> Answer | None:
        """The answer to the club; None if there is no assignment."""
        if self.assigned is None:
            return None
        id_ = self.assigned.id
        if state is not None and state.started.assignment == id_:
            return Answer(id=id_, answer="over" if state.over else "begun", match=state.number)
        if self.over_as is not None:
            return Answer(id=id_, answer="over", match=self.over_as)
        if self.terms is None:
            return Answer(id=id_, answer="refused", why=" ".join(str(self.refused).split())[:300])
        return Answer(id=id_, answer="shown")


@dataclass
class AssignedSide:
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


@dataclass
class AssignedStart:
    """The members of the command `start` for the assigned match."""

    assignment: str  #: The club's id of the match.
    rules: str  #: The rule set.
    format: MatchFormat  #: Its format.
    discs: int  #: The discs per side and round.
    doubles: bool  #: Whether two partners make a side.
    sides: Annotated[list[AssignedSide], Field(min_length=2, max_length=2)]  #: A and B.
    seats: AssignedSeats  #: The players by seat, unless people choose otherwise.
    starter: Literal["A", "B"]  #: The side that shoots first.

    @classmethod
    def of(cls, assigned: Assigned, terms: Terms, before: MatchState | None) -> "AssignedStart":
        """`before`: the match that was played before."""
        first, second = ([player.name for player in side.players] for side in assigned.sides)
        # partners face each other
        seats: AssignedSeats = (
            {"1": first[0], "2": second[0], "3": first[1], "4": second[1]}
            if assigned.doubles
            else {"1": first[0], "3": second[0]}
        )
        return cls(
            assignment=assigned.id,
            rules=terms.rules.id,
            format=rules.written_format(terms.format),
            discs=terms.discs,
            doubles=assigned.doubles,
            sides=[
                AssignedSide(side.name.strip(), colour)
                for side, colour in zip(assigned.sides, _colours(before), strict=True)
            ],
            seats=seats,
            starter=assigned.starter,
        )


@dataclass
class NextMatch:
    """The match that the club assigned to this table to be played next."""

    round: int  #: Its round of the evening, from 1.
    text: Sentence  #: The sides' names.
    details: Sentence  #: The rules, the format and the starter.
    start: AssignedStart  #: The members of the command that starts it.

    @classmethod
    def of(cls, assigned: Assigned, terms: Terms, before: MatchState | None) -> "NextMatch":
        """`before`: the match that was played before."""
        names = tuple(side.name for side in assigned.sides)
        details = say(
            "{rules}, {format}. {name} begins.",
            rules=Message(terms.rules.name),
            format=rules.format_words(terms.format),
            name=names["AB".index(assigned.starter)],
        )
        text = say("Next: {sides}", sides=names)
        return cls(assigned.round, text, details, AssignedStart.of(assigned, terms, before))


@dataclass
class ClubNow:
    """The table in its club."""

    name: str  #: The club's name.
    next: NextMatch | None  #: The next match; null if there is none.
    taken_back: Sentence | None  #: A notice that the club has withdrawn the running match, and what to do.

    @classmethod
    def of(cls, club: InClub, state: MatchState | None) -> "ClubNow":
        """`state`: of the present match, or the last one."""
        assigned = club.next(state)
        following = NextMatch.of(assigned, club.terms, state) if assigned and club.terms else None
        return cls(club.name, following, TAKEN_BACK if club.taken_back(state) else None)


def _colours(before: MatchState | None) -> Sequence[str]:
    """The colours of sides A and B: those of the last match if it had two sides with colours."""
    worn = [side.colour for side in before.started.sides] if before else []
    return worn if len(worn) == 2 and all(worn) else COLOURS
