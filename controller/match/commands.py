"""The commands of people: a closed set of frozen pydantic models without unknown members. Every command may name the
state that its sender saw (`seen`) and its match (`match`); its receiver adds `by` and `who`."""

from collections.abc import Callable
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter, model_validator

from controller import validation
from controller.match.base import BaseCommand
from controller.match.events import Side, SideId
from controller.match.model import LONGEST_NAME, Number
from controller.match.naming import RenamePlayer, UndoNaming, key, legible
from controller.match.timers import TimerCommand
from controller.messages import say
from controller.rules import Conduct

Figures = dict[SideId, Annotated[int, Field(ge=0, le=480)]]
Totals = dict[SideId, Annotated[int, Field(ge=0, le=480, multiple_of=5)]]
HowMany = Annotated[int, Field(ge=0, le=24)]


def _repeated(texts: list[str], key: Callable[[str], str] = str) -> str | None:
    keys = [key(text) for text in texts]
    return next((text for text in texts if keys.count(key(text)) > 1), None)


class Start(BaseCommand):
    """Start a match. A running match ends as it stands. `doubles`: two sides of two partners each; `seats`: the
    players' names by seat; `seat`: the seat that begins. `assignment`: the club's id of the match if it assigned it to
    this table."""

    do: Literal["start"]
    rules: str
    format: dict[str, Any] | None = None
    sides: tuple[Side, ...] = Field(min_length=1, max_length=4)
    starter: SideId = "A"
    discs: int | None = None
    doubles: bool = False
    seats: dict[Literal["1", "2", "3", "4"], Annotated[str, Field(min_length=1, max_length=LONGEST_NAME)]] = Field(
        default={}
    )
    seat: int | None = Field(default=None, ge=1, le=4)
    manual: bool = False
    assignment: str | None = Field(default=None, min_length=1, max_length=64)

    @model_validator(mode="after")
    def _colours_differ(self) -> "Start":
        if twice := _repeated([side.colour for side in self.sides if side.colour]):
            raise ValueError(
                say("Two sides can't both play {colour}: the table could not tell their discs apart.", colour=twice)
            )
        return self

    @model_validator(mode="after")
    def _names_are_legible_and_differ(self) -> "Start":
        names = [side.name.strip() for side in self.sides]
        if not all(map(legible, names)):
            raise ValueError(say("Every side needs a name that can be read."))
        if not self.doubles and (long := next((name for name in names if len(name) > LONGEST_NAME), None)):
            raise ValueError(
                say("The name {name} is too long: at most {most} characters.", name=long, most=LONGEST_NAME)
            )
        if twice := _repeated(names, key):
            raise ValueError(say("Two sides can't both be called {name}: nobody could tell them apart.", name=twice))
        return self


class Undo(BaseCommand):
    """Undo the last step, or the `event` that counted a disc of the running round by hand."""

    do: Literal["undo"]
    event: Number | None = None


class Redo(BaseCommand):
    """Undo the last undo."""

    do: Literal["redo"]


class Confirm(BaseCommand):
    """The confirm button: resume after a pause, confirm that the board is clear for a new match, or confirm the
    proposed end of the round."""

    do: Literal["confirm"]


class EndRound(BaseCommand):
    """End the round, or confirm its proposed end."""

    do: Literal["end_round"]


class EnterRound(BaseCommand):
    """End the running round with these totals, twenties included; `twenties` if they are known."""

    do: Literal["enter_round"]
    totals: Totals = Field(min_length=1)
    twenties: dict[SideId, HowMany] = Field(default={})


class Count(BaseCommand):
    """Count one more disc of a side in the running round: a twenty, or a disc on the board. Counting a disc on the
    board hands the match to the scorer, as `manual` does."""

    do: Literal["count"]
    round: Number
    side: SideId
    points: Literal[20, 15, 10, 5]


class Agree(BaseCommand):
    """End the round with the figures counted by hand that both sides agreed on. Refused if the figures have changed
    since."""

    do: Literal["agree"]
    round: Number
    totals: Totals = Field(min_length=1)
    twenties: dict[SideId, HowMany] = Field(min_length=1)


class WinRound(BaseCommand):
    """End the running round with the winner (null: level) and the twenties that both sides agreed on, without totals.
    For two sides that play for rounds won."""

    do: Literal["win_round"]
    round: Number
    winner: SideId | None
    twenties: dict[SideId, HowMany] = Field(min_length=1)


class TimeOut(BaseCommand):
    """Time ran out: a side with fewer shots gets one more; otherwise the round ends."""

    do: Literal["time_out"]


class AnswerQuestion(BaseCommand):
    """Answer an open question, and `also` others that have the same answers, in the same way."""

    do: Literal["answer"]
    question: int
    answer: str
    also: tuple[Number, ...] = Field(default=(), max_length=100)


class CorrectTwenties(BaseCommand):
    """Set the twenties of a side in a round."""

    do: Literal["correct_twenties"]
    round: Number
    side: SideId
    value: HowMany


class CorrectRound(BaseCommand):
    """Set the totals of a finished round."""

    do: Literal["correct_round"]
    round: Number
    totals: Totals = Field(min_length=1)


class Award(BaseCommand):
    """Award a finished or running round with points for each side."""

    do: Literal["award"]
    round: Number
    points: Figures = Field(min_length=1)


class CorrectDisc(BaseCommand):
    """Correct a disc's zone or place, or take it off. Without `round` and `shot`: for the present board. With them: for
    the board after that shot; later shots are judged again. `at` (x, y in mm): the place of a disc that the table has
    somewhere else or in the ditch."""

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


class AddShot(BaseCommand):
    """Add a shot that the table missed, of the side whose turn it is: the disc is `at` (x, y in mm), off, or in the
    hole. Correct the discs that it hit on the board."""

    do: Literal["add_shot"]
    side: SideId
    at: tuple[float, float] | Literal["hole", "ditch"]


class CorrectShot(BaseCommand):
    """Correct whether a shot was valid; later shots are judged again."""

    do: Literal["correct_shot"]
    round: Number
    shot: Number
    valid: bool


class OverruleShot(BaseCommand):
    """Play a shot as valid or as a foul because both sides agreed to, whatever the rules say; null: the rules decide.
    The rules' verdict is kept, and both are shown. Later shots are judged again."""

    do: Literal["overrule_shot"]
    round: Number
    shot: Number
    valid: bool | None


class CallConduct(BaseCommand):
    """Call a player of this side for conduct; with `round` and `shot`: during that shot. The match's rules set the
    penalty; without one, the call is shown but changes no figure."""

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


class AnnulShot(BaseCommand):
    """Annul a shot: it does not count and its disc is free again; later shots are judged again."""

    do: Literal["annul_shot"]
    round: Number
    shot: Number


class EnterShootOut(BaseCommand):
    """Enter the twenties of the shoot-out that decides a level match."""

    do: Literal["shoot_out"]
    twenties: dict[SideId, Annotated[int, Field(ge=0, le=100)]] = Field(min_length=2)


class TurnSeats(BaseCommand):
    """Turn all seats clockwise, seen from above, by this many quarters, starting from what the page shows."""

    do: Literal["turn_seats"]
    quarters: Annotated[int, Field(ge=1, le=3)]


class DeleteMatch(BaseCommand):
    """Remove the match `match` from lists and figures, or restore it; no data are lost."""

    do: Literal["delete_match"]
    match: Number
    deleted: bool = True


class CheckBoard(BaseCommand):
    """Ask people whether the board is as the table shows it: a spot check at the end of a round."""

    do: Literal["check_board"]


class Pause(BaseCommand):
    """Stop refereeing: readings change nothing."""

    do: Literal["pause"]


class Resume(BaseCommand):
    """Resume refereeing from the present board."""

    do: Literal["resume"]


class Manual(BaseCommand):
    """Hand the match to the scorer: the table does not referee; rounds are entered by hand."""

    do: Literal["manual"]


class Automatic(BaseCommand):
    """Hand the match back to the table. `left`: the discs that each side still has to shoot; the present board is then
    adopted."""

    do: Literal["automatic"]
    left: dict[SideId, HowMany] | None = None


Command = Annotated[
    Start | Undo | Redo | Confirm | EndRound | EnterRound | Count | Agree | WinRound | TimeOut | DeleteMatch
    | RenamePlayer | UndoNaming | TimerCommand | AnswerQuestion | CorrectTwenties | CorrectRound | Award
    | CorrectDisc | AddShot | CorrectShot | OverruleShot | CallConduct | AnnulShot | EnterShootOut | TurnSeats
    | CheckBoard | Pause | Resume | Manual | Automatic,
    Field(discriminator="do"),
]  # fmt: skip
_COMMAND: TypeAdapter[Command] = TypeAdapter(Command)


def parse_command(document: Any) -> Command:
    """Parse a command from a page, a button or a recording. Raises `BadInput`, which names the first wrong member."""
    return validation.parse_command(_COMMAND, document)


def command_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of all commands, without `by` and `who`, which the receiver adds."""
    schema = _COMMAND.json_schema(ref_template="#/components/schemas/{model}")
    for model in schema["$defs"].values():
        for name in ("by", "who"):
            model.get("properties", {}).pop(name, None)
    return schema
