"""What every command carries besides its own members."""

from typing import Annotated

from pydantic import Field

from controller.match.event_base import WHO, By, Closed

Number = Annotated[int, Field(ge=1)]


class Given(Closed):
    """What every command carries besides its own members."""

    seen: int | None = None  # id of the state that the person looked at
    match: Number | None = None  # an earlier match, else the one that is played
    by: By = "program"
    who: str = Field(default="", max_length=WHO)
