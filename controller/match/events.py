"""What can happen to a match, as it stands in the journal.

A closed set of frozen pydantic models: unknown members are refused with their place. An event says what was seen or
done, never what it was worth: the rules compute that anew whenever the log is folded.
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
from controller.match.agreements import Name
from controller.match.agreements import PlayerRenamed as PlayerRenamed
from controller.match.agreements import PlayersMerged as PlayersMerged
from controller.match.agreements import ShotOverruled as ShotOverruled
from controller.match.amendments import Amended as Amended
from controller.match.amendments import Anew as Anew
from controller.match.boards import BoardSeen as BoardSeen
from controller.match.boards import DiscCorrected as DiscCorrected
from controller.match.boards import Measured as Measured
from controller.match.boards import ShotSeen as ShotSeen
from controller.match.boards import Stranger as Stranger
from controller.match.cases import CASES, TOLD, Told, What
from controller.match.cases import Doubt as Doubt
from controller.match.event_base import WHO as WHO
from controller.match.event_base import By as By
from controller.match.event_base import Closed as Closed
from controller.match.event_base import Entry as Entry
from controller.match.event_base import Said as Said
from controller.match.event_base import SideId as SideId
from controller.match.seating import Direction
from controller.match.timers import TimerEnded as TimerEnded
from controller.match.timers import TimerRemoved as TimerRemoved
from controller.match.timers import TimerSet as TimerSet
from controller.vision.readings import Zone

Lab = tuple[float, float, float]


class Side(Closed):
    """One side of a match: people's name for it and the colour of its discs."""

    name: Name
    colour: str = Field(default="", max_length=20)


class MatchStarted(Said):
    """A match begins; what is chosen here is kept with it, so that later changes of rules re-score nothing.

    `doubles`: two sides of two partners each; `seats`: names by seat; `seat`: which one begins; `directions`: where
    the seats were in the match before, see `SeatsLearnt`. `assignment`: the club's id of it, where it assigned it.
    """

    kind: Literal["match_started"] = "match_started"
    cleared: bool = True  # whether the board was known to be empty; else it has to be seen so before anything is a shot
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


class SeatsLearnt(Said):
    """Where each seat is, in degrees of the calibration's frame, as play has shown or people have said."""

    kind: Literal["seats_learnt"] = "seats_learnt"
    directions: dict[int, Direction] = Field(min_length=1, max_length=4)


class ColoursLearnt(Closed):
    """How discs look to this camera, CIE L*a*b*: those of sides, or those that set-up `certified` for each side."""

    kind: Literal["colours_learnt"] = "colours_learnt"
    sides: dict[SideId, Lab]
    certified: bool = False


class HoleChanged(Closed):
    """The 20 hole's sensor; `side` where it told whose disc lies there."""

    kind: Literal["hole_changed"] = "hole_changed"
    t: float
    occupied: bool
    side: SideId | None = None


class RoundEnded(Said):
    """The board was swept, or somebody confirmed the end."""

    kind: Literal["round_ended"] = "round_ended"
    how: Literal["swept", "confirmed"]


class QuestionAnswered(Said):
    """A person's ruling."""

    kind: Literal["question_answered"] = "question_answered"
    question: int
    answer: str


class QuestionClosed(Closed):
    """A question that nothing hangs on any more: what was seen since has answered it."""

    kind: Literal["question_closed"] = "question_closed"
    question: int


class TwentiesCorrected(Said):
    """The number of twenties of one side in one round, as people counted it."""

    kind: Literal["twenties_corrected"] = "twenties_corrected"
    round: int
    side: SideId
    value: int


class TwentyCounted(Said):
    """One more twenty of a side, that no shot accounts for: the hole's sensor alone knows of it."""

    kind: Literal["twenty_counted"] = "twenty_counted"
    round: int
    side: SideId


class RoundCorrected(Said):
    """The totals of a finished round, as people counted them."""

    kind: Literal["round_corrected"] = "round_corrected"
    round: int
    totals: dict[SideId, int]


class ShotCorrected(Said):
    """What people saw of a shot: what touched, or whether it was valid. `target` is its `ShotSeen`.

    `returned`: its discs that had left the surface and bounced back. It is by the table where that saw people take
    off what the shot had just moved.
    """

    kind: Literal["shot_corrected"] = "shot_corrected"
    target: int
    valid: bool | None = None
    contacts: tuple[tuple[str, str], ...] | None = None
    returned: tuple[str, ...] | None = None


class ShotAnnulled(Said):
    """A shot that counts for nothing. `target` is its `ShotSeen`."""

    kind: Literal["shot_annulled"] = "shot_annulled"
    target: int


class RoundEntered(Said):
    """The running round was ended and counted by hand."""

    kind: Literal["round_entered"] = "round_entered"
    totals: dict[SideId, int]
    twenties: dict[SideId, int] = Field(default={})


class RoundAwarded(Said):
    """What each side gets for a round, by the organiser's word."""

    kind: Literal["round_awarded"] = "round_awarded"
    round: int
    points: dict[SideId, int]


class TimedOut(Said):
    """Time ran out in the running round."""

    kind: Literal["timed_out"] = "timed_out"


class Handed(Said):
    """The match was handed to the scorer, or back to the table."""

    kind: Literal["handed"] = "handed"
    manual: bool


class BoardAdopted(Said):
    """The table takes over the running round from the board as it lies.

    `shots` (side, disc) were shot unseen, in order of turn; `measured` is every disc that lies there now.
    """

    kind: Literal["board_adopted"] = "board_adopted"
    shots: tuple[tuple[SideId, str], ...]
    measured: dict[str, Measured]
    strangers: tuple[Stranger, ...] = ()


class Undone(Said):
    """An earlier event no longer counts.

    After an undone shot the discs still lie where it left them: `measured` are those that the match knows, `strangers`
    those that it does not know any more, left out of every score until they are lifted.
    """

    kind: Literal["undone"] = "undone"
    target: int
    round_end: bool = False  # the target had ended a round
    measured: dict[str, Measured] | None = None
    strangers: tuple[Stranger, ...] = ()


class Redone(Said):
    """An `Undone` no longer counts."""

    kind: Literal["redone"] = "redone"
    target: int


class ShootOutEntered(Said):
    """The twenties of a shoot-out, as people counted them."""

    kind: Literal["shoot_out_entered"] = "shoot_out_entered"
    twenties: dict[SideId, int]


class Paused(Said):
    """The referee was told to stop, or to go on."""

    kind: Literal["paused"] = "paused"
    paused: bool


class ClockSet(Closed):
    """The time of day was set ahead by so many seconds, below 0 back: what came before was dated wrongly by as much."""

    kind: Literal["clock_set"] = "clock_set"
    ahead: float


class Answer(Closed):
    """One possible answer to a question, and the events that it amounts to.

    `id` is a zone, a seat, a side or a word: what it means, the question's case says.
    """

    id: str
    does: "tuple[Event, ...]" = ()

    @field_serializer("does")
    def _with_kinds(self, events: "tuple[Event, ...]") -> list[dict[str, Any]]:
        return [{"kind": event.kind, **body(event)} for event in events]


class QuestionAsked(Closed):
    """Something that the table can't be sure of, put to the people.

    `disc` is the one of a close call, `discs` are all that a picture marks, `sides` whose they are; `shot` is the
    `ShotSeen` that it is about, `toward` the side of the board. `clearance` is the length in doubt and `sigma` its
    standard error, in mm. What `zones` and `count` mean, `CASES` says.
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
    shot: int | None = None
    toward: Direction | None = None
    clearance: float | None = None
    sigma: float | None = None
    answers: tuple[Answer, ...]
    picture: str | None = None
    told: Told | None = None

    @model_validator(mode="after")
    def _complete(self) -> Self:
        """Nothing is missing that its sentence needs."""
        if self.case == TOLD:
            if self.told is None or any(answer.id not in self.told.answers for answer in self.answers):
                raise ValueError("a told question has its text and those of its answers")
        elif self.case not in CASES:
            raise ValueError(f"there is no case {self.case!r}")
        else:
            figure = self.clearance is not None and self.sigma is not None
            missing = CASES[self.case].missing(self.what, self.sides, self.zones, self.count, figure)
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
    | RoundCorrected
    | DiscCorrected
    | ShotCorrected
    | ShotAnnulled
    | ShotOverruled
    | ConductCalled
    | MatchDeleted
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
    """An event as the journal stores it beside its kind: JSON, members at their defaults left out."""
    return event.model_dump(mode="json", exclude={"kind"}, exclude_defaults=True)
