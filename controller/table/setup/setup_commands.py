"""The commands of the set-up page: a closed set, like the match's commands."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, get_args

from pydantic import Field, TypeAdapter

from controller.match.events import FrozenModel
from controller.validation import parse_command
from hardware.devices import Signal


class FindBoard(FrozenModel):
    """Look for the board again, in the next picture."""

    do: Literal["find_board"]


class TapLandmarks(FrozenModel):
    """Find the board by a person's taps on landmarks, in pixels of the set-up picture."""

    do: Literal["landmarks"]
    points: dict[str, Any]


class LearnColour(FrozenModel):
    """Learn the colour of a side from the one disc on the board."""

    do: Literal["learn_colour"]
    side: Literal["A", "B", "C", "D"]


class LearnSensor(FrozenModel):
    """Learn which level of the hole's sensor means a disc, while one is put in and taken out."""

    do: Literal["learn_sensor"]


class ShowLamps(FrozenModel):
    """Show a signal on the lamps, to test them; without one they show the match again."""

    do: Literal["lamp"]
    signal: Signal | None = None
    side: Literal["A", "B", "C", "D"] | None = None


class CompareLamps(FrozenModel):
    """Find out whether the camera sees the lamps on the playing surface. Takes nine seconds."""

    do: Literal["compare_lamps"]


class NameTable(FrozenModel):
    """Change the table's name."""

    do: Literal["name_table"]
    name: str = Field(min_length=1, max_length=40)


class NewPin(FrozenModel):
    """Create another PIN; all scorers' sessions end."""

    do: Literal["new_pin"]


class JoinClub(FrozenModel):
    """Join the club whose hub is at this address, with the code from its organiser's page."""

    do: Literal["join_club"]
    address: str = Field(min_length=1, max_length=200)
    code: str = Field(min_length=1, max_length=40)


class LeaveClub(FrozenModel):
    """Leave the club; the matches stay in the journal."""

    do: Literal["leave_club"]


_Command = (
    FindBoard
    | TapLandmarks
    | LearnColour
    | LearnSensor
    | ShowLamps
    | CompareLamps
    | NameTable
    | NewPin
    | JoinClub
    | LeaveClub
)
SetupCommand = Annotated[_Command, Field(discriminator="do")]
_COMMAND: TypeAdapter[SetupCommand] = TypeAdapter(SetupCommand)
SETUP_COMMANDS = tuple(get_args(one.model_fields["do"].annotation)[0] for one in get_args(_Command))
"""The names of the commands that set the table up; all others are for a match."""


def parse_setup_command(document: Mapping[str, Any]) -> SetupCommand:
    """Parse a command of the set-up page. Raises `BadInput` naming the first wrong member."""
    return parse_command(_COMMAND, {k: v for k, v in document.items() if k not in ("by", "who", "seen", "match")})
