"""The events of a match, as stored in the journal: this is their register, and other modules derive from it.

A closed set of frozen pydantic models without unknown members. An event records what was seen or done, never what it
was worth: its `apply` computes that from the rules each time the log is folded. To add an event type, define it beside
its relatives and list it in `Event`."""

from typing import Annotated, get_args

from pydantic import Field, TypeAdapter

from controller.match.amendments import Amended, Redone, RevisedEvent, Undone
from controller.match.base import WHO, BaseEvent, By, Entry, SentEvent, SideId
from controller.match.boards import BoardAdopted, BoardSeen, DiscCorrected, HoleChanged, Measured, Stranger
from controller.match.cases import Doubt, FrozenModel
from controller.match.lifecycle import (
    ClockSet,
    ColoursLearnt,
    Handed,
    Lab,
    MatchDeleted,
    MatchStarted,
    Paused,
    SeatsLearnt,
    Side,
    StartUndone,
)
from controller.match.naming import PlayerCalled
from controller.match.questions import Answer, QuestionAnswered, QuestionAsked, QuestionClosed, body
from controller.match.rounds import (
    DiscCounted,
    RoundAwarded,
    RoundCorrected,
    RoundEnded,
    RoundEntered,
    ShootOutEntered,
    TimedOut,
    TwentiesCorrected,
    TwentyCounted,
)
from controller.match.shots import ConductCalled, CorrectsShot, ShotAnnulled, ShotCorrected, ShotOverruled, ShotSeen
from controller.match.timers import TimerEnded, TimerRemoved, TimerSet

_Event = (
    MatchStarted | StartUndone | MatchDeleted | SeatsLearnt | ColoursLearnt | Handed | Paused | ClockSet
    | BoardSeen | HoleChanged | DiscCorrected | BoardAdopted
    | ShotSeen | ShotCorrected | ShotAnnulled | ShotOverruled | ConductCalled
    | RoundEnded | RoundEntered | RoundAwarded | RoundCorrected | TwentiesCorrected | TwentyCounted | DiscCounted
    | TimedOut | ShootOutEntered
    | QuestionAsked | QuestionAnswered | QuestionClosed
    | TimerSet | TimerRemoved | TimerEnded
    | Undone | Redone | Amended | PlayerCalled
)  # fmt: skip
Event = Annotated[_Event, Field(discriminator="kind")]
Answer.model_rebuild(_types_namespace={"Event": Event})
QuestionAsked.model_rebuild()
EVENT: TypeAdapter[Event] = TypeAdapter(Event)
EVENT_TYPES: tuple[type[BaseEvent], ...] = get_args(_Event)

SENT_KINDS: tuple[str, ...] = tuple(
    sorted(event.model_fields["kind"].default for event in EVENT_TYPES if issubclass(event, SentEvent))
)
"""The kinds of the events that people bring about, and of the table's own amendments."""
