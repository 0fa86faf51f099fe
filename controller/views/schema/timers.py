"""The clocks of a match, in `table-state/1`."""

from typing import Annotated, Literal

from typing_extensions import TypedDict

from controller.match.timers import TimerName
from controller.views.schema.common import Sentence, shown_as

TimerWord = Literal["waiting", "running", "stopped", "ended"]


class Timer(TypedDict):
    """A clock of the match. It never blocks play."""

    timer: TimerName
    """Whether it is that of each round or that of the match."""
    seconds: float
    """From how many it runs down."""
    on_first_shot: bool
    """Whether the first shot of the round, or of the match, starts it."""
    word: Annotated[str, shown_as(TimerWord)]
    """`waiting` for the first shot, `running`, `stopped`, or `ended`: run down."""
    left: float | None
    """s that it shows while it stands; null while it runs."""
    ends: float | None
    """s that the table's steady clock will show when it has run down; null while it stands. Nobody can set that clock:
    each `beat` of the streams tells what it shows, and so does the header `X-Steady-Clock` of `/api/v1/state`."""
    text: Sentence | None
    """What its end means; null before it."""
