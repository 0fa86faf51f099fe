"""The match that the club assigned to this table: its view for people, and the answer to the club."""

from collections.abc import Sequence
from dataclasses import dataclass

from controller import rules
from controller.match.club import Answer, Assigned
from controller.match.state import MatchState
from controller.messages import Message, say
from controller.views.schema.table_state import AssignedSeats, AssignedStart, ClubNow, NextMatch

COLOURS = ("black", "natural")  # if no earlier match shows which discs are at the table
TAKEN_BACK = say("The organiser has taken this match back. Play on or stop; the organiser decides what it counts.")


@dataclass(frozen=True, slots=True)
class InClub:
    """The club's name and the match that it assigned. `terms`: the match's terms; None if there is none, or if this
    table can't play it: then `refused` says why. `over_as`: the number of this table's finished match that was the
    assigned one."""

    name: str
    assigned: Assigned | None = None
    terms: rules.Terms | None = None
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


def club_view(club: InClub, state: MatchState | None) -> ClubNow:
    """The view for the pages."""
    assigned = club.next(state)
    return {
        "name": club.name,
        "next": next_match(assigned, club.terms, state) if assigned and club.terms else None,
        "taken_back": TAKEN_BACK if club.taken_back(state) else None,
    }


def next_match(assigned: Assigned, terms: rules.Terms, before: MatchState | None) -> NextMatch:
    """The view of the next match."""
    names = tuple(side.name for side in assigned.sides)
    return {
        "round": assigned.round,
        "text": say("Next: {sides}", sides=names),
        "details": say(
            "{rules}, {format}. {name} begins.",
            rules=Message(terms.rules.name),
            format=rules.format_words(terms.format),
            name=names["AB".index(assigned.starter)],
        ),
        "start": start_of(assigned, terms, before),
    }


def start_of(assigned: Assigned, terms: rules.Terms, before: MatchState | None) -> AssignedStart:
    """The members of the command that starts it."""
    first, second = ([player.name for player in side.players] for side in assigned.sides)
    # partners face each other
    seats: AssignedSeats = (
        {"1": first[0], "2": second[0], "3": first[1], "4": second[1]}
        if assigned.doubles
        else {"1": first[0], "3": second[0]}
    )
    return {
        "assignment": assigned.id,
        "rules": terms.rules.id,
        "format": rules.written_format(terms.format),
        "discs": terms.discs,
        "doubles": assigned.doubles,
        "sides": [
            {"name": side.name.strip(), "colour": colour}
            for side, colour in zip(assigned.sides, _colours(before), strict=True)
        ],
        "seats": seats,
        "starter": assigned.starter,
    }


def _colours(before: MatchState | None) -> Sequence[str]:
    """The colours of sides A and B: those of the last match if it had two sides with colours."""
    worn = [side.colour for side in before.started.sides] if before else []
    return worn if len(worn) == 2 and all(worn) else COLOURS
