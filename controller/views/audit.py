"""The audit: who changed what, and when. Contains people's events of a match and the table's revisions."""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Annotated, Literal

from controller.errors import Refused, Stale
from controller.match import events as ev
from controller.match import parts
from controller.match.amendments import amendment_text
from controller.match.base import Stamped
from controller.match.commands import Command, unseen_changes
from controller.match.state import MatchState
from controller.match.undo import standing
from controller.messages import Message, marked, say
from controller.views.common import Sentence, shown_as

BY = {
    "phone": marked("a scorer's phone"),
    "screen": marked("the table's screen"),
    "button": marked("the button at the table"),
    "program": marked("a program"),
    "table": marked("the table"),
}

Events = Mapping[int, ev.Event]  # events by number


@dataclass
class Change:
    """A change by people, or a revision by the table."""

    id: int  #: Its event in the journal.
    at: float  #: When: seconds since 1970, UTC.
    by: ev.By  #: The kind of sender.
    who: str  #: The name of the scorer's phone; empty if it has none.
    kind: Annotated[str, shown_as(Literal[ev.SENT_KINDS])]  #: The kind of the event.
    text: Sentence  #: Its effect, in words.
    undone: bool  #: Whether it was undone later.


@dataclass
class ShownAmendment:
    """A revision by the table, because a later board fits another explanation better."""

    id: int  #: The number of its event.
    round: int  #: The number of the round.
    after: int  #: The number of shots in the round at that time.
    shots: list[int]  #: The revised shots of the round.
    text: Sentence  #: The text of the revision, with its reason.

    @classmethod
    def of(cls, amendment: parts.Amendment, state: MatchState) -> "ShownAmendment":
        """One revision."""
        event = amendment.event
        shots = [one.shot for one in event.shots]
        return cls(amendment.id, event.round, amendment.after, shots, amendment_text(event, state.names))


def audit(history: Sequence[Stamped]) -> list[Change]:
    """All changes by people and revisions by the table, the newest last."""
    counts = {s.id for s in standing(history)}
    changes = [s for s in history if s.event.by_people or isinstance(s.event, ev.Amended)]
    return [replace(one, undone=one.id not in counts) for one in _lines(changes, history)]


def _lines(changes: Iterable[Stamped], history: Sequence[Stamped]) -> list[Change]:
    """Events as lines of the audit; `history` has those that they may undo or redo."""
    started = history[0].event if history else None
    names, events = started.names if isinstance(started, ev.MatchStarted) else {}, {s.id: s.event for s in history}
    found = []
    for s in changes:
        by, who = (s.event.by, s.event.who) if isinstance(s.event, ev.SentEvent) else ("table", "")
        found.append(Change(s.id, s.at, by, who, s.event.kind, _words(s.event, names, events), undone=False))
    return found


def _words(event: ev.Event, names: Mapping[str, str], events: Events) -> Message:
    if not isinstance(event, ev.Undone | ev.Redone) or event.target not in events:
        return event.in_words(names)
    target = events[event.target]
    if isinstance(event, ev.Undone):
        return say("Taken back: {what}", what=target.in_words(names))
    undone = events.get(target.target, target) if isinstance(target, ev.Undone) else target
    return say("Brought back: {what}", what=undone.in_words(names))


def refuse_if_stale(command: Command, history: Sequence[Stamped]) -> None:
    """Raise `Stale` if the command would overwrite or undo a change that its sender has not seen."""
    refuse_unseen(unseen_changes(command, history), history)


def refuse_unseen(others: Iterable[Stamped], history: Sequence[Stamped]) -> None:
    """Raise `Stale` with these events of the history, if there are any."""
    if lines := _lines(others, history):
        raise Stale(
            say(
                "Something has changed in the meantime: {changes}. Check it, then repeat your entry if it is still "
                "right.",
                changes=_in_words(lines),
            ),
            tuple(lines),
        )


@contextmanager
def saying_unseen(command: Command, history: Sequence[Stamped]) -> Iterator[None]:
    """Let a refusal of what can't be done at all also say what its sender has not seen: that may be the cause."""
    try:
        yield
    except Stale:
        raise
    except Refused as refusal:
        if lines := _lines(unseen_changes(command, history), history):
            refusal.args = (say("{why} In the meantime: {changes}.", why=refusal.args[0], changes=_in_words(lines)),)
        raise


def _in_words(lines: Sequence[Change]) -> tuple[Message, ...]:
    return tuple(
        say(
            "{time} {by}: {text}",
            time=time.strftime("%H:%M", time.localtime(one.at)),
            by=Message(BY[one.by]),
            text=one.text,
        )
        for one in lines
    )


def amendments_now(state: MatchState) -> list[ShownAmendment]:
    """The revisions of the running round."""
    return [ShownAmendment.of(one, state) for one in state.amendments if one.event.round == state.game.round.number]


def amendments_of(state: MatchState, round_: int, shot: int) -> list[Message]:
    """The texts of a shot's revisions, by its number in its round."""
    return [
        amendment_text(one.event, state.names)
        for one in state.amendments
        if one.event.round == round_ and shot in (changed.shot for changed in one.event.shots)
    ]
