"""The base of all events of a match."""

from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, Field

from controller.match.cases import CLOSED

SCHEMA_VERSION = 11
"""The version of the stored events; `controller.journal.schema` has the migrations."""

SideId = Literal["A", "B", "C", "D"]
By = Literal["phone", "screen", "button", "program", "table"]
"""The sender: a scorer's phone, the table's screen or button, a program, or the table itself."""
WHO = 40  # characters of a scorer's phone's name

KEY = r"[A-Za-z0-9]{1,32}\.[0-9]{1,9}"
"""The key of a command: the sender's own word, a dot, and the command's number."""

LONGEST_NAME = 40  # characters of a player's name: two lines on a phone
LONGEST_SIDE = 2 * LONGEST_NAME + 3  # two partners, with " & " between them


@dataclass(frozen=True, slots=True)
class Entry:
    """One event as stored in the journal."""

    id: int
    match: int
    at: float
    kind: str
    body: dict[str, Any]


class FrozenModel(BaseModel):
    """A frozen model without unknown members."""

    model_config = CLOSED


class SentEvent(FrozenModel):
    """An event with its sender: `by`, and `who`, the name of a scorer's phone.

    `key`: the command's key, see `controller.match.command_base.BaseCommand`; empty if it had none.
    """

    by: By = "table"
    who: str = Field(default="", max_length=WHO)
    key: str = Field(default="", pattern=f"^({KEY})?$")

    @property
    def sender(self) -> str:
        """The key's first part, which names the sender."""
        return self.key.partition(".")[0]
