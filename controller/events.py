"""What can happen to a match, as it stands in the journal.

A closed set of frozen pydantic models: unknown members are refused with their place. An event says what was seen or
done, never what it was worth: the rules compute that anew whenever the log is folded.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, PlainSerializer, PlainValidator, TypeAdapter

from controller.vision.readings import Call, Pose, Zone
from controller.words import Words

Text = Annotated[Words, PlainValidator(Words.from_json), PlainSerializer(Words.to_json)]
"""A sentence for people; its template and values are what the journal keeps."""

SideId = Literal["A", "B"]
Lab = tuple[float, float, float]


class Closed(BaseModel):
    """Frozen, and closed to unknown members."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Measured(Closed):
    """A disc as the camera measured it: board frame, millimetres. See `controller.vision.readings.SeenDisc`."""

    x: float
    y: float
    pose: Pose
    zone: Zone
    clearance: float
    sigma: float
    call: Call


class Side(Closed):
    """One side of a match: people's name for it and the colour of its discs."""

    name: str = Field(min_length=1, max_length=40)
    colour: str = Field(default="", max_length=20)


class MatchStarted(Closed):
    """A match begins; what is chosen here is kept with it, so that later changes of rules re-score nothing."""

    kind: Literal["match_started"] = "match_started"
    rules: str | dict[str, Any]  # a rule set's id, or a club's own in full
    format: dict[str, Any] | None = None
    sides: tuple[Side, Side]
    starter: SideId = "A"
    discs: int | None = None


class ColoursLearnt(Closed):
    """How the sides' discs look to this camera: CIE L*a*b*."""

    kind: Literal["colours_learnt"] = "colours_learnt"
    sides: dict[SideId, Lab]


class ShotSeen(Closed):
    """The referee's explanation of a change on the board: one shot."""

    kind: Literal["shot_seen"] = "shot_seen"
    side: SideId
    disc: str
    contacts: tuple[tuple[str, str], ...] = ()
    rest: dict[str, Literal["surface", "hole", "ditch"]]  # where each disc that it moved came to rest
    measured: dict[str, Measured]  # every disc that lies on the surface or in the hole afterwards
    doubt: Text | None = None  # why this explanation may be wrong, in words
    t: float = 0.0
    frame: str = ""


class BoardSeen(Closed):
    """The board was read and no shot happened: discs were taken off, or lie a little differently.

    `strangers` lie there too, but no shot explains them; they are left out of every score.
    """

    kind: Literal["board_seen"] = "board_seen"
    measured: dict[str, Measured]
    strangers: tuple[Measured, ...] = ()


class HoleChanged(Closed):
    """The 20 hole's sensor."""

    kind: Literal["hole_changed"] = "hole_changed"
    t: float
    occupied: bool


class RoundEnded(Closed):
    """The board was swept, or somebody confirmed the end."""

    kind: Literal["round_ended"] = "round_ended"
    how: Literal["swept", "confirmed"]


class Answer(Closed):
    """One possible answer to a question, and what it does to the score."""

    id: str
    text: Text
    effect: Text


class QuestionAsked(Closed):
    """Something that the table can't be sure of, put to the people."""

    kind: Literal["question_asked"] = "question_asked"
    what: Literal["close_call", "unexplained", "swept", "gap"]
    text: Text
    round: int
    disc: str | None = None
    clearance: float | None = None
    sigma: float | None = None
    answers: tuple[Answer, ...]
    picture: str | None = None


class QuestionAnswered(Closed):
    """A person's ruling."""

    kind: Literal["question_answered"] = "question_answered"
    question: int
    answer: str


class TwentiesCorrected(Closed):
    """The number of twenties of one side in one round, as people counted it."""

    kind: Literal["twenties_corrected"] = "twenties_corrected"
    round: int
    side: SideId
    value: int


class RoundCorrected(Closed):
    """The totals of a finished round, as people counted them."""

    kind: Literal["round_corrected"] = "round_corrected"
    round: int
    totals: dict[SideId, int]


class DiscCorrected(Closed):
    """Where a disc of the running round counts, as people see it; `zone` None takes it off.

    By the table when it saw people take a disc off that it did not ask for: they know best (it had left the surface
    and bounced back, say).
    """

    kind: Literal["disc_corrected"] = "disc_corrected"
    disc: str
    zone: Zone | None
    by: Literal["people", "table"] = "people"


class Undone(Closed):
    """An earlier event no longer counts.

    After an undone shot the discs still lie where it left them: `measured` are those that the match knows, `strangers`
    those that it does not know any more, left out of every score until they are lifted.
    """

    kind: Literal["undone"] = "undone"
    target: int
    round_end: bool = False  # the target had ended a round
    measured: dict[str, Measured] | None = None
    strangers: tuple[Measured, ...] = ()


class Redone(Closed):
    """An `Undone` no longer counts."""

    kind: Literal["redone"] = "redone"
    target: int


class ShootOutEntered(Closed):
    """The twenties of a shoot-out, as people counted them."""

    kind: Literal["shoot_out_entered"] = "shoot_out_entered"
    twenties: dict[SideId, int]


class Paused(Closed):
    """The referee was told to stop, or to go on."""

    kind: Literal["paused"] = "paused"
    paused: bool


Event = Annotated[
    MatchStarted
    | ColoursLearnt
    | ShotSeen
    | BoardSeen
    | HoleChanged
    | RoundEnded
    | QuestionAsked
    | QuestionAnswered
    | TwentiesCorrected
    | RoundCorrected
    | DiscCorrected
    | Undone
    | Redone
    | ShootOutEntered
    | Paused,
    Field(discriminator="kind"),
]
EVENT: TypeAdapter[Event] = TypeAdapter(Event)
