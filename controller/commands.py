"""What people can ask for: a closed set of frozen pydantic models, unknown members refused with their place."""

from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter, ValidationError

from controller.errors import BadInput
from controller.events import Closed, Side, SideId


class Start(Closed):
    """Begin a match. The one that is going on, if any, ends as it stands."""

    do: Literal["start"]
    rules: str
    format: dict[str, Any] | None = None
    sides: tuple[Side, Side]
    starter: SideId = "A"
    discs: int | None = None


class Undo(Closed):
    """Take back the last step."""

    do: Literal["undo"]


class Redo(Closed):
    """Take back the last undo."""

    do: Literal["redo"]


class EndRound(Closed):
    """The round is over, or its proposed end is right."""

    do: Literal["end_round"]


class AnswerQuestion(Closed):
    """Answer an open question."""

    do: Literal["answer"]
    question: int
    answer: str


class CorrectTwenties(Closed):
    """Set the twenties of a side in a round."""

    do: Literal["correct_twenties"]
    round: int = Field(ge=1)
    side: SideId
    value: int = Field(ge=0, le=24)


class CorrectRound(Closed):
    """Set the totals of a finished round."""

    do: Literal["correct_round"]
    round: int = Field(ge=1)
    totals: dict[SideId, Annotated[int, Field(ge=0, le=480, multiple_of=5)]] = Field(min_length=2)


class CorrectDisc(Closed):
    """Say where a disc of the running round counts, or take it off."""

    do: Literal["correct_disc"]
    disc: str
    zone: Literal[20, 15, 10, 5, 0, "remove"]


class EnterShootOut(Closed):
    """Enter the twenties of the shoot-out that decides a level match."""

    do: Literal["shoot_out"]
    twenties: dict[SideId, Annotated[int, Field(ge=0, le=100)]] = Field(min_length=2)


class Pause(Closed):
    """Stop refereeing: what the camera sees changes nothing."""

    do: Literal["pause"]


class Resume(Closed):
    """Go on refereeing from the board as it lies now."""

    do: Literal["resume"]


Command = Annotated[
    Start
    | Undo
    | Redo
    | EndRound
    | AnswerQuestion
    | CorrectTwenties
    | CorrectRound
    | CorrectDisc
    | EnterShootOut
    | Pause
    | Resume,
    Field(discriminator="do"),
]
_COMMAND: TypeAdapter[Command] = TypeAdapter(Command)


def parse_command(document: Any) -> Command:
    """A command from a page, a button or a recording. Raises `BadInput` naming the first wrong member."""
    try:
        return _COMMAND.validate_python(document)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"][1:]) or "do"
        raise BadInput(f"{place}: {first['msg']}") from error
