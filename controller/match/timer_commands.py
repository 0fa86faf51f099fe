"""Commands about a match's clocks."""

from typing import Annotated, Literal

from pydantic import Field

from controller.match.command_base import BaseCommand
from controller.match.timers import LONGEST, TimerName


class SetTimer(BaseCommand):
    """Set the clock of each round, or of the match: the seconds from which it runs down, and what starts it.

    `running`: it starts now; `on_first_shot`: it starts with the first shot of the round, or of the match.
    """

    do: Literal["set_timer"]
    timer: TimerName
    seconds: Annotated[float, Field(gt=0, le=LONGEST)]
    on_first_shot: bool = False
    running: bool = False


class RunTimer(BaseCommand):
    """Start, stop or resume a clock."""

    do: Literal["run_timer"]
    timer: TimerName
    running: bool


class CorrectTimer(BaseCommand):
    """Correct the seconds left on a clock; it stays running or stopped."""

    do: Literal["correct_timer"]
    timer: TimerName
    left: Annotated[float, Field(gt=0, le=LONGEST)]


class RemoveTimer(BaseCommand):
    """Remove a clock."""

    do: Literal["remove_timer"]
    timer: TimerName


TimerCommand = SetTimer | RunTimer | CorrectTimer | RemoveTimer
