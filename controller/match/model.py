"""The base of all models of a match, and what they share."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

SideId = Literal["A", "B", "C", "D"]
Lab = tuple[float, float, float]
LONGEST_NAME = 40  # characters of a player's name: two lines on a phone
LONGEST_SIDE = 2 * LONGEST_NAME + 3  # two partners, with " & " between them
Number = Annotated[int, Field(ge=1)]


class FrozenModel(BaseModel):
    """A frozen model without unknown members, as the journal and commands have them."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)
