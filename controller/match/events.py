"""The events of a match, as stored in the journal, and how they are read.

A closed set of frozen pydantic models without unknown members. An event records what was seen or done, never what it
was worth: its `apply` computes that from the rules each time the log is folded. An event type is defined beside its
relatives, and named here for the rooms that use it."""

from controller.match.amendments import Amended, RevisedEvent
from controller.match.base import (
    COMMAND_TYPES,
    EVENT_TYPES,
    WHO,
    BaseEvent,
    By,
    Entry,
    SentEvent,
    Stamped,
    body,
    read_event,
)
from controller.match.boards import BoardAdopted, BoardSeen, DiscCorrected, HoleChanged
from controller.match.cases import Doubt
from controller.match.counting import DiscCounted
from controller.match.discs import Measured, Stranger
from controller.match.lifecycle import (
    ClockSet,
    ColoursLearnt,
    MatchDeleted,
    MatchStarted,
    Paused,
    ScoringModeChanged,
    SeatsLearnt,
    StartUndone,
)
from controller.match.model import FrozenModel, Lab, SideId
from controller.match.parts import HoleChange, MatchSide, Question
from controller.match.players import PlayerCalled
from controller.match.questions import Answer, QuestionAnswered, QuestionAsked, QuestionClosed
from controller.match.rounds import RoundCorrected, RoundEnded, ShootOutEntered, TimedOut
from controller.match.shots import ConductCalled, ShotCorrected, ShotSeen
from controller.match.timers import TimerEnded, TimerRemoved, TimerSet
from controller.match.undo import Redone, Undone

Event = BaseEvent
SENT_KINDS: tuple[str, ...] = tuple(sorted(kind for kind, type_ in EVENT_TYPES.items() if issubclass(type_, SentEvent)))
"""The kinds of the events that people bring about, and of the table's own amendments."""


def parse(entry: Entry) -> Stamped:
    """A journal entry as a typed event. Raises `ValueError`."""
    return Stamped(entry.id, entry.at, read_event(entry.kind, entry.body))


def entry(match: int, stamped: Stamped) -> Entry:
    """The journal entry of a typed event: what `parse` reads."""
    return Entry(stamped.id, match, stamped.at, stamped.event.kind, body(stamped.event))
