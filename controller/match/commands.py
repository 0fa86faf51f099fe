"""What people can ask for: a closed set of frozen pydantic models, unknown members refused with their place.

Every command may say on which state it was given (`seen`) and to which match it belongs (`match`); whoever receives it
from the person adds `by` and `who`.
"""

from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter, ValidationError, model_validator

from controller.errors import BadInput
from controller.match.events import Side, SideId
from controller.match.given import Given, Number
from controller.match.player_commands import MergePlayers, RenamePlayer, UndoNaming
from controller.match.players import key, legible
from controller.match.timers import LONGEST, TimerName
from controller.messages import say
from controller.rules import Conduct
from controller.validation import in_words

Figures = dict[SideId, Annotated[int, Field(ge=0, le=480)]]
Totals = dict[SideId, Annotated[int, Field(ge=0, le=480, multiple_of=5)]]
Count = Annotated[int, Field(ge=0, le=24)]


def _repeated(texts: list[str]) -> str | None:
    return next((text for text in texts if texts.count(text) > 1), None)


class Start(Given):
    """Begin a match. The one that is going on, if any, ends as it stands.

    `doubles` for two sides of two partners each; `seats` names who sits where; `seat` says which seat begins.
    `assignment`: the club's id of the match, where it assigned it to this table.
    """

    do: Literal["start"]
    rules: str
    format: dict[str, Any] | None = None
    sides: tuple[Side, ...] = Field(min_length=2, max_length=4)
    starter: SideId = "A"
    discs: int | None = None
    doubles: bool = False
    seats: dict[Literal["1", "2", "3", "4"], Annotated[str, Field(min_length=1, max_length=40)]] = Field(default={})
    seat: int | None = Field(default=None, ge=1, le=4)
    manual: bool = False
    assignment: str | None = Field(default=None, min_length=1, max_length=64)

    @model_validator(mode="after")
    def _told_apart(self) -> "Start":
        colours = [side.colour for side in self.sides if side.colour]
        if twice := _repeated(colours):
            raise ValueError(
                say("Two sides can't both play {colour}: the table could not tell their discs apart.", colour=twice)
            )
        names = [side.name.strip() for side in self.sides]
        if not all(map(legible, names)):
            raise ValueError(say("Every side needs a name that can be read."))
        keys = [key(name) for name in names]
        if twice := next((name for name in names if keys.count(key(name)) > 1), None):
            raise ValueError(say("Two sides can't both be called {name}: nobody could tell them apart.", name=twice))
        return self


class Undo(Given):
    """Take back the last step."""

    do: Literal["undo"]


class Redo(Given):
    """Take back the last undo."""

    do: Literal["redo"]


class Confirm(Given):
    """What the confirm button does: the match goes on after a pause, the board is clear for a match that was started
    over another, or the proposed end of the round is right.
    """

    do: Literal["confirm"]


class EndRound(Given):
    """The round is over, or its proposed end is right."""

    do: Literal["end_round"]


class EnterRound(Given):
    """The running round is over with these totals, twenties included; `twenties` where they are known."""

    do: Literal["enter_round"]
    totals: Totals = Field(min_length=2)
    twenties: dict[SideId, Count] = Field(default={})


class TimeOut(Given):
    """Time ran out: a side with fewer shots has one more, else the round ends."""

    do: Literal["time_out"]


class AnswerQuestion(Given):
    """Answer an open question."""

    do: Literal["answer"]
    question: int
    answer: str


class CorrectTwenties(Given):
    """Set the twenties of a side in a round."""

    do: Literal["correct_twenties"]
    round: Number
    side: SideId
    value: Count


class CorrectRound(Given):
    """Set the totals of a finished round."""

    do: Literal["correct_round"]
    round: Number
    totals: Totals = Field(min_length=2)


class Award(Given):
    """Award a round, finished or running, with what each side gets for it."""

    do: Literal["award"]
    round: Number
    points: Figures = Field(min_length=2)


class CorrectDisc(Given):
    """Say where a disc counts, or take it off.

    Without `round` and `shot`: as it lies now. With them: as it lay after that shot, and everything after follows.
    `at` (x, y in mm) says where it lies, for a disc that the table has somewhere else or in the ditch.
    """

    do: Literal["correct_disc"]
    disc: str
    zone: Literal[20, 15, 10, 5, 0, "remove"] | None = None
    at: tuple[float, float] | None = None
    round: Number | None = None
    shot: Number | None = None

    @model_validator(mode="after")
    def _says_something(self) -> "CorrectDisc":
        if self.zone is None and self.at is None:
            raise ValueError(say("Say what the disc counts (zone) or where it lies (at)."))
        if self.shot is not None and self.round is None:
            raise ValueError(say("A shot needs its round."))
        return self


class AddShot(Given):
    """A shot that the table missed, of the side whose turn it is: the disc lies `at` (x, y in mm), or it is off or in
    the hole. What it hit is corrected on the board.
    """

    do: Literal["add_shot"]
    side: SideId
    at: tuple[float, float] | Literal["hole", "ditch"]


class CorrectShot(Given):
    """Say whether a shot was valid; what came after is judged anew."""

    do: Literal["correct_shot"]
    round: Number
    shot: Number
    valid: bool


class OverruleShot(Given):
    """Play a shot as valid or as a foul because both sides agreed to, whatever the rules say; null: the rules decide.

    The rules' own verdict stays, and both are told. What came after is judged anew.
    """

    do: Literal["overrule_shot"]
    round: Number
    shot: Number
    valid: bool | None


class CallConduct(Given):
    """A player of this side did what the rules forbid beside the board; with `round` and `shot`: at that shot.

    What it costs, the rules of the match say; where they name no penalty it is told, and changes no figure.
    """

    do: Literal["call_conduct"]
    side: SideId
    conduct: Conduct
    round: Number | None = None
    shot: Number | None = None

    @model_validator(mode="after")
    def _whole(self) -> "CallConduct":
        if (self.round is None) != (self.shot is None):
            raise ValueError(say("A shot needs its round, and a round its shot."))
        return self


class AnnulShot(Given):
    """The shot counts for nothing and its disc is free again; what came after is judged anew."""

    do: Literal["annul_shot"]
    round: Number
    shot: Number


class EnterShootOut(Given):
    """Enter the twenties of the shoot-out that decides a level match."""

    do: Literal["shoot_out"]
    twenties: dict[SideId, Annotated[int, Field(ge=0, le=100)]] = Field(min_length=2)


class TurnSeats(Given):
    """Everybody sits so many sides of the board farther, clockwise seen from above, than the page shows."""

    do: Literal["turn_seats"]
    quarters: Annotated[int, Field(ge=1, le=3)]


class SetTimer(Given):
    """Set the clock of each round, or that of the match, anew: from how many seconds it runs down, and what starts it.

    `running`: it starts now; `on_first_shot`: with the next first shot of the round, or of the match.
    """

    do: Literal["set_timer"]
    timer: TimerName
    seconds: Annotated[float, Field(gt=0, le=LONGEST)]
    on_first_shot: bool = False
    running: bool = False


class RunTimer(Given):
    """Start a clock, stop it, or let it go on."""

    do: Literal["run_timer"]
    timer: TimerName
    running: bool


class CorrectTimer(Given):
    """Say how many seconds are left on a clock; whether it runs stays as it is."""

    do: Literal["correct_timer"]
    timer: TimerName
    left: Annotated[float, Field(gt=0, le=LONGEST)]


class RemoveTimer(Given):
    """Play without that clock."""

    do: Literal["remove_timer"]
    timer: TimerName


class DeleteMatch(Given):
    """Take a match out of lists and figures, or bring it back: nothing of it is lost. Which one, `match` says."""

    do: Literal["delete_match"]
    match: Number
    deleted: bool = True


class Pause(Given):
    """Stop refereeing: what the camera sees changes nothing."""

    do: Literal["pause"]


class Resume(Given):
    """Go on refereeing from the board as it lies now."""

    do: Literal["resume"]


class Manual(Given):
    """Hand the match to the scorer: the table referees nothing, rounds are entered by hand."""

    do: Literal["manual"]


class Automatic(Given):
    """Hand the match back to the table.

    `left` says how many discs each side still has to shoot: then the board as it lies is taken over.
    """

    do: Literal["automatic"]
    left: dict[SideId, Count] | None = None


Command = Annotated[
    Start
    | Undo
    | Redo
    | Confirm
    | EndRound
    | EnterRound
    | TimeOut
    | DeleteMatch
    | RenamePlayer
    | MergePlayers
    | UndoNaming
    | SetTimer
    | RunTimer
    | CorrectTimer
    | RemoveTimer
    | AnswerQuestion
    | CorrectTwenties
    | CorrectRound
    | Award
    | CorrectDisc
    | AddShot
    | CorrectShot
    | OverruleShot
    | CallConduct
    | AnnulShot
    | EnterShootOut
    | TurnSeats
    | Pause
    | Resume
    | Manual
    | Automatic,
    Field(discriminator="do"),
]
_COMMAND: TypeAdapter[Command] = TypeAdapter(Command)


def parse_command(document: Any) -> Command:
    """A command from a page, a button or a recording. Raises `BadInput` naming the first wrong member."""
    try:
        return _COMMAND.validate_python(document)
    except ValidationError as error:
        first = error.errors()[0]
        raise BadInput(in_words(first, first["loc"][1:] or ("do",))) from error


def command_schema() -> dict[str, Any]:
    """Every command as JSON Schema (draft 2020-12), without `by` and `who`: whoever receives a command adds them."""
    schema = _COMMAND.json_schema(ref_template="#/components/schemas/{model}")
    for model in schema["$defs"].values():
        for name in ("by", "who"):
            model.get("properties", {}).pop(name, None)
    return schema
