"""The clocks of a match, in `table-state/1`."""

from typing import Annotated, Literal

from typing_extensions import TypedDict

from controller.match.timers import TimerName
from controller.views.schema.common import Sentence, shown_as

TimerWord = Literal["waiting", "running", "stopped", "ended"]


class Timer(TypedDict):
    """A clock of the match. It never blocks play."""

    timer: TimerName  #: The clock of each round or of the match.
    seconds: float  #: The seconds from which it runs down.
    on_first_shot: bool  #: Whether the first shot of the round, or of the match, starts it.
    word: Annotated[str, shown_as(TimerWord)]
    """`waiting` for the first shot, `running`, `stopped`, or `ended`: run down."""
    left: float | None  #: The seconds that it shows while stopped; null while it runs.
    ends: float | None
    """The table's steady clock, in s, when it will have run down; null while stopped. That clock can't be set; each
    `beat` of the streams and the header `X-Steady-Clock` of `/api/v1/state` report it."""
    text: Sentence | None  #: The meaning of its end; null before it.
