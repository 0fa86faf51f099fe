"""The events of a match, as stored in the journal: this is their register, and other modules derive from it.

A closed set of frozen pydantic models without unknown members. An event records what was seen or done, never what it
was worth: its `apply` computes that from the rules each time the log is folded. To add an event type, define it beside
its relatives and list it in `Event`.
"""

from typing import Annotated, get_args

from pydantic import Field, TypeAdapter

from controller.match.amendments import Amended as Amended
from controller.match.amendments import Redone as Redone
from controller.match.amendments import RevisedEvent as RevisedEvent
from controller.match.amendments import Undone as Undone
from controller.match.base import WHO as WHO
from controller.match.base import BaseEvent
from controller.match.base import By as By
from controller.match.base import Entry as Entry
from controller.match.base import FrozenModel as FrozenModel
from controller.match.base import SentEvent as SentEvent
from controller.match.base import SideId as SideId
from controller.match.boards import BoardAdopted as BoardAdopted
from controller.match.boards import BoardSeen as BoardSeen
from controller.match.boards import DiscCorrected as DiscCorrected
from controller.match.boards import HoleChanged as HoleChanged
from controller.match.boards import Measured as Measured
from controller.match.boards import Stranger as Stranger
from controller.match.cases import Doubt as Doubt
from controller.match.lifecycle import ClockSet as ClockSet
from controller.match.lifecycle import ColoursLearnt as ColoursLearnt
from controller.match.lifecycle import Handed as Handed
from controller.match.lifecycle import Lab as Lab
from controller.match.lifecycle import MatchDeleted as MatchDeleted
from controller.match.lifecycle import MatchStarted as MatchStarted
from controller.match.lifecycle import Paused as Paused
from controller.match.lifecycle import SeatsLearnt as SeatsLearnt
from controller.match.lifecycle import Side as Side
from controller.match.lifecycle import StartUndone as StartUndone
from controller.match.naming import PlayerRenamed as PlayerRenamed
from controller.match.naming import PlayersMerged as PlayersMerged
from controller.match.questions import Answer as Answer
from controller.match.questions import QuestionAnswered as QuestionAnswered
from controller.match.questions import QuestionAsked as QuestionAsked
from controller.match.questions import QuestionClosed as QuestionClosed
from controller.match.questions import body as body
from controller.match.rounds import DiscCounted as DiscCounted
from controller.match.rounds import RoundAwarded as RoundAwarded
from controller.match.rounds import RoundCorrected as RoundCorrected
from controller.match.rounds import RoundEnded as RoundEnded
from controller.match.rounds import RoundEntered as RoundEntered
from controller.match.rounds import ShootOutEntered as ShootOutEntered
from controller.match.rounds import TimedOut as TimedOut
from controller.match.rounds import TwentiesCorrected as TwentiesCorrected
from controller.match.rounds import TwentyCounted as TwentyCounted
from controller.match.shots import ConductCalled as ConductCalled
from controller.match.shots import CorrectsShot as CorrectsShot
from controller.match.shots import ShotAnnulled as ShotAnnulled
from controller.match.shots import ShotCorrected as ShotCorrected
from controller.match.shots import ShotOverruled as ShotOverruled
from controller.match.shots import ShotSeen as ShotSeen
from controller.match.timers import TimerEnded as TimerEnded
from controller.match.timers import TimerRemoved as TimerRemoved
from controller.match.timers import TimerSet as TimerSet

_Event = (
    MatchStarted
    | SeatsLearnt
    | ColoursLearnt
    | ShotSeen
    | BoardSeen
    | HoleChanged
    | RoundEnded
    | QuestionAsked
    | QuestionAnswered
    | TwentiesCorrected
    | TwentyCounted
    | DiscCounted
    | RoundCorrected
    | DiscCorrected
    | ShotCorrected
    | ShotAnnulled
    | ShotOverruled
    | ConductCalled
    | MatchDeleted
    | StartUndone
    | PlayerRenamed
    | PlayersMerged
    | RoundEntered
    | RoundAwarded
    | TimedOut
    | TimerSet
    | TimerRemoved
    | TimerEnded
    | Handed
    | BoardAdopted
    | Undone
    | Redone
    | ShootOutEntered
    | Paused
    | Amended
    | QuestionClosed
    | ClockSet
)
Event = Annotated[_Event, Field(discriminator="kind")]
Answer.model_rebuild(_types_namespace={"Event": Event})
QuestionAsked.model_rebuild()
EVENT: TypeAdapter[Event] = TypeAdapter(Event)

EVENT_TYPES: tuple[type[BaseEvent], ...] = get_args(_Event)

SENT_KINDS: tuple[str, ...] = tuple(
    sorted(event.model_fields["kind"].default for event in EVENT_TYPES if issubclass(event, SentEvent))
)
"""The kinds of the events that people bring about, and of the table's own amendments."""
