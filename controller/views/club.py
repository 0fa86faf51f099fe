"""The match that the club assigned to this table, for people, and the answer to the club."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from controller import rules
from controller.match.club import Assigned, AssignmentAnswer
from controller.match.state import MatchState
from controller.messages import Message, say
from controller.rules import Terms
from controller.views.common import Sentence
from controller.views.phrases import COLOURS

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

    def answer(self, state: MatchState | None) -> AssignmentAnswer | None:
        """The answer to the club; None if there is no assignment."""
        if self.assigned is None:
            return None
        id_ = self.assigned.id
        if state is not None and state.started.assignment == id_:
            return AssignmentAnswer(id=id_, answer="over" if state.over else "begun", match=state.number)
        if self.over_as is not None:
            return AssignmentAnswer(id=id_, answer="over", match=self.over_as)
        if self.terms is None:
            return AssignmentAnswer(id=id_, answer="refused", why=" ".join(str(self.refused).split())[:300])
        return AssignmentAnswer(id=id_, answer="shown")


@dataclass
class NextMatch:
    """The match that the club assigned to this table to be played next."""

    round: int  #: Its round of the evening, from 1.
    text: Sentence  #: The sides' names.
    details: Sentence  #: The rules, the format and the starter.
    start: dict[str, Any]  #: The members of the command that starts it.

    @classmethod
    def of(cls, assigned: Assigned, terms: Terms, before: MatchState | None) -> "NextMatch":
        """`before`: the match that was played before."""
        details = say(
            "{rules}, {format}. {name} begins.",
            rules=Message(terms.rules.name),
            format=rules.format_words(terms.format),
            name=assigned.names[0],
        )
        text = say("Next: {sides}", sides=assigned.names)
        start = assigned.start
        sides = [{**side, "colour": worn} for side, worn in zip(start["sides"], _colours(before), strict=True)]
        known = {"format": rules.written_format(terms.format), "discs": terms.discs, "sides": sides}
        return cls(assigned.round, text, details, {**start, **known})


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
    """The colours of sides A and B: those of the last match if it had two sides with colours, else the usual ones."""
    worn = [side.colour for side in before.started.sides] if before else []
    return worn if len(worn) == 2 and all(worn) else [*COLOURS][:2]
