"""What all events of a match have in common."""

from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, Field

from controller.match.cases import CLOSED

SideId = Literal["A", "B", "C", "D"]
By = Literal["phone", "screen", "button", "program", "table"]
"""Who: a scorer's phone, the table's own screen or button, a program, or the table by itself."""
WHO = 40  # characters of the name that tells one scorer's phone from another's

LONGEST_NAME = 40  # characters of what people call a side or a player: what a phone shows in two lines


@dataclass(frozen=True, slots=True)
class Entry:
    """One event as it stands in the journal."""

    id: int
    match: int
    at: float
    kind: str
    body: dict[str, Any]


class Closed(BaseModel):
    """Frozen, and closed to unknown members."""

    model_config = CLOSED


class Said(Closed):
    """An event that people bring about, and from where; `who` tells two scorers' phones apart."""

    by: By = "table"
    who: str = Field(default="", max_length=WHO)
