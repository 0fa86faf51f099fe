"""The base of all commands."""

from typing import Annotated

from pydantic import Field

from controller.match.event_base import KEY, WHO, By, FrozenModel

Number = Annotated[int, Field(ge=1)]


class BaseCommand(FrozenModel):
    """The members of every command.

    `key`, such as `page7.12`: the sender's name and its number of this command. A command that is sent again because
    its answer was lost is not carried out twice.
    """

    seen: int | None = None  # id of the state that the person saw
    match: Number | None = None  # an earlier match; by default the present one
    key: str = Field(default="", pattern=f"^({KEY})?$")
    by: By = "program"
    who: str = Field(default="", max_length=WHO)

    @property
    def sender(self) -> str:
        """The key's first part, which names the sender; empty without a key."""
        return self.key.partition(".")[0]
