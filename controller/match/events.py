"""The events of a match, as stored in the journal.

A closed set of frozen pydantic models without unknown members. An event records what was seen or done, never what it
was worth: the rules compute that each time the log is folded.
"""

from typing import Annotated, Any, Literal, Self

from pydantic import (
    Field,
    TypeAdapter,
    field_serializer,
    model_validator,
)

from controller.match.agreements import ConductCalled as ConductCalled
from controller.match.agreements import MatchDeleted as MatchDeleted
from controller.match.agreements import PlayerRenamed as PlayerRenamed
from controller.match.agreements import PlayersMerged as PlayersMerged
from controller.match.agreements import ShotOverruled as ShotOverruled
from controller.match.agreements import StartUndone as StartUndone
from controller.match.amendments import Amended as Amended
from controller.match.amendments import RevisedEvent as RevisedEvent
from controller.match.boards import BoardSeen as BoardSeen
from controller.match.boards import DiscCorrected as DiscCorrected
from controller.match.boards import Measured as Measured
from controller.match.boards import ShotSeen as ShotSeen
from controller.match.boards import Stranger as Stranger
from controller.match.cases import CASES, FORMER, FormerQuestion, What
from controller.match.cases import Doubt as Doubt
from controller.match.event_base import LONGEST_SIDE
from controller.match.event_base import WHO as WHO
from controller.match.event_base import By as By
from controller.match.event_base import Entry as Entry
from controller.match.event_base import FrozenModel as FrozenModel
from controller.match.event_base import SentEvent as SentEvent
from controller.match.event_base import SideId as SideId
from controller.match.seating import Direction
from controller.match.timers import TimerEnded as TimerEnded
from controller.match.timers import TimerRemoved as TimerRemoved
from controller.match.timers import TimerSet as TimerSet
from controller.vision.readings import Zone

Lab = tuple[float, float, float]
Ring = Literal[15, 10, 5]
"""The values of a disc on the board."""


class Side(FrozenModel):
    """One side of a match: its name and the colour of its discs."""

    name: Annotated[str, Field(min_length=1, max_length=LONGEST_SIDE)]
    colour: str = Field(default="", max_length=20)


class MatchStarted(SentEvent):
    """The start of a match, with its choices: later changes of the rules do not re-score it.

    `doubles`: two sides of two partners each; `seats`: names by seat; `seat`: which one begins; `directions`: where
    the seats were in the match before, see `SeatsLearnt`. `assignment`: the club's id of it, where it assigned it.
    `before`: the match that was on the table until then, which goes on when this start is undone.
    """

    kind: Literal["match_started"] = "match_started"
    cleared: bool = True  # whether the board was known to be empty; if not, it must be seen empty before the first shot
    rules: str | dict[str, Any]  # a rule set's id, or a club's own in full
    format: dict[str, Any] | None = None
    sides: tuple[Side, ...] = Field(min_length=1, max_length=4)
    starter: SideId = "A"
    discs: int | None = None
    doubles: bool = False
    seats: dict[int, str] = Field(default={})
    seat: int | None = None
    directions: dict[int, Direction] = Field(default={})
    assignment: str | None = Field(default=None, max_length=64)
    before: int | None = Field(default=None, ge=1)


class SeatsLearnt(SentEvent):
    """Each seat's direction in degrees of the calibration's frame, from play or from people."""

    kind: Literal["seats_learnt"] = "seats_learnt"
    directions: dict[int, Direction] = Field(min_length=1, max_length=4)


class ColoursLearnt(FrozenModel):
    """The colours of the sides' discs to this camera, CIE L*a*b*; `certified` if set-up learnt them.

    `instead`: these replace all learnt colours, including those of other sides.
    """

    kind: Literal["colours_learnt"] = "colours_learnt"
    sides: dict[SideId, Lab]
    certified: bool = False
    instead: bool = False


class HoleChanged(FrozenModel):
    """A change of the 20 hole's sensor; `side` if it recognised the disc's colour."""

    kind: Literal["hole_changed"] = "hole_changed"
    t: float
    occupied: bool
    side: SideId | None = None


class RoundEnded(SentEvent):
    """The board was swept, or a person confirmed the end."""

    kind: Literal["round_ended"] = "round_ended"
    how: Literal["swept", "confirmed"]


class QuestionAnswered(SentEvent):
    """A person's answer to a question, and to similar ones in `also`."""

    kind: Literal["question_answered"] = "question_answered"
    question: int
    answer: str
    also: tuple[int, ...] = ()

    @property
    def questions(self) -> tuple[int, ...]:
        """All answered questions."""
        return (self.question, *self.also)


class QuestionClosed(FrozenModel):
    """A question became irrelevant, because later readings answered it."""

    kind: Literal["question_closed"] = "question_closed"
    question: int


class TwentiesCorrected(SentEvent):
    """The number of twenties of one side in one round, as people counted it."""

    kind: Literal["twenties_corrected"] = "twenties_corrected"
    round: int
    side: SideId
    value: int


class TwentyCounted(SentEvent):
    """One more twenty of a side, not from a shot: only the hole's sensor noticed it, or people counted it."""

    kind: Literal["twenty_counted"] = "twenty_counted"
    round: int
    side: SideId


class DiscCounted(SentEvent):
    """A disc on the board that people counted by hand, with its points for its side in the running round."""

    kind: Literal["disc_counted"] = "disc_counted"
    round: int
    side: SideId
    points: Ring


class RoundCorrected(SentEvent):
    """The totals of a finished round, as people counted them."""

    kind: Literal["round_corrected"] = "round_corrected"
    round: int
    totals: dict[SideId, int]


class ShotCorrected(SentEvent):
    """A correction of a shot: its contacts or its verdict. `target` is its `ShotSeen`.

    `returned`: its discs that had left the surface and bounced back. `by` is the table if it saw people take off discs
    that the shot had just moved.
    """

    kind: Literal["shot_corrected"] = "shot_corrected"
    target: int
    valid: bool | None = None
    contacts: tuple[tuple[str, str], ...] | None = None
    returned: tuple[str, ...] | None = None


class ShotAnnulled(SentEvent):
    """A shot was annulled. `target` is its `ShotSeen`."""

    kind: Literal["shot_annulled"] = "shot_annulled"
    target: int


class RoundEntered(SentEvent):
    """The running round was ended with figures counted by hand."""

    kind: Literal["round_entered"] = "round_entered"
    totals: dict[SideId, int]
    twenties: dict[SideId, int] = Field(default={})


class RoundAwarded(SentEvent):
    """The organiser awarded a round with points for each side."""

    kind: Literal["round_awarded"] = "round_awarded"
    round: int
    points: dict[SideId, int]


class TimedOut(SentEvent):
    """Time ran out in the running round."""

    kind: Literal["timed_out"] = "timed_out"


class Handed(SentEvent):
    """The match was handed to the scorer, or back to the table.

    `recount`: the running round counts by hand from now on, not by readings.
    """

    kind: Literal["handed"] = "handed"
    manual: bool
    recount: bool = False


class BoardAdopted(SentEvent):
    """The table takes over the running round from the present board.

    `shots`: (side, disc) of unseen shots, in order of turn; `measured`: every disc on the board now.
    """

    kind: Literal["board_adopted"] = "board_adopted"
    shots: tuple[tuple[SideId, str], ...]
    measured: dict[str, Measured]
    strangers: tuple[Stranger, ...] = ()


class Undone(SentEvent):
    """An earlier event no longer counts.

    After an undone shot the discs are still where it left them: `measured` are those of the match, `strangers` the
    others, which do not score until they are lifted.
    """

    kind: Literal["undone"] = "undone"
    target: int
    round_end: bool = False  # the target had ended a round
    measured: dict[str, Measured] | None = None
    strangers: tuple[Stranger, ...] = ()


class Redone(SentEvent):
    """An `Undone` no longer counts."""

    kind: Literal["redone"] = "redone"
    target: int


class ShootOutEntered(SentEvent):
    """The twenties of a shoot-out, as people counted them."""

    kind: Literal["shoot_out_entered"] = "shoot_out_entered"
    twenties: dict[SideId, int]


class Paused(SentEvent):
    """Refereeing was paused or resumed."""

    kind: Literal["paused"] = "paused"
    paused: bool


class ClockSet(FrozenModel):
    """The time of day was set ahead by this many seconds (negative: back): earlier dates are wrong by as much."""

    kind: Literal["clock_set"] = "clock_set"
    ahead: float


class Answer(FrozenModel):
    """One possible answer to a question, with its events.

    `id` is a zone, a seat, a side or a word, depending on the question's case.
    """

    id: str
    does: "tuple[Event, ...]" = ()

    @field_serializer("does")
    def _with_kinds(self, events: "tuple[Event, ...]") -> list[dict[str, Any]]:
        return [{"kind": event.kind, **body(event)} for event in events]


class QuestionAsked(FrozenModel):
    """The table asks people about a doubt.

    `disc`: that of a close call; `discs`: all that the picture marks; `sides`: their owners; `shot`: the `ShotSeen` in
    question; `toward`: the side of the board; `clearance`: the length in doubt, with standard error `sigma`, in mm.
    `CASES` defines `zones` and `count`.
    """

    kind: Literal["question_asked"] = "question_asked"
    what: What
    case: str
    round: int
    disc: str | None = None
    discs: tuple[str, ...] = ()
    sides: tuple[SideId, ...] = ()
    zones: tuple[Zone, ...] = ()
    count: int | None = None
    colour: str | None = Field(default=None, max_length=20)
    shot: int | None = None
    toward: Direction | None = None
    clearance: float | None = None
    sigma: float | None = None
    answers: tuple[Answer, ...]
    picture: str | None = None
    told: FormerQuestion | None = None

    @model_validator(mode="after")
    def _complete(self) -> Self:
        """Check that all members that the sentence needs are present."""
        if self.case == FORMER:
            if self.told is None or any(answer.id not in self.told.answers for answer in self.answers):
                raise ValueError("a told question has its text and those of its answers")
        elif self.case not in CASES:
            raise ValueError(f"there is no case {self.case!r}")
        else:
            figure = self.clearance is not None and self.sigma is not None
            missing = CASES[self.case].missing(self.what, self.sides, self.zones, self.count, figure, self.colour)
            if missing:
                raise ValueError(f"a question of the case {self.case!r} needs {missing}")
        return self


Event = Annotated[
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
    | ClockSet,
    Field(discriminator="kind"),
]
Answer.model_rebuild()
QuestionAsked.model_rebuild()
EVENT: TypeAdapter[Event] = TypeAdapter(Event)


def body(event: Event) -> dict[str, Any]:
    """An event's body for the journal, without its kind: JSON, without members at their defaults."""
    return event.model_dump(mode="json", exclude={"kind"}, exclude_defaults=True)
