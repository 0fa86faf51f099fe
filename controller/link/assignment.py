"""The match that a table has to play next."""

from typing import Any, Literal, Self

from pydantic import Field, model_validator

from controller.link.messages import Document, Part
from controller.link.text import Name, OpaqueId, SideName, Word


class Player(Part):
    """Who plays: the hub's id, and what people call them."""

    id: OpaqueId
    name: Name


class AssignedSide(Part):
    """One side: a player, or two partners. Their order at the board is theirs to choose."""

    name: SideName
    players: tuple[Player, ...] = Field(min_length=1, max_length=2)


class Assigned(Part):
    """One match. `sides` become A and B of the table's match, in this order.

    `id` is never used for another match again, in this club; the table's `match_started` carries it as `assignment`.
    `format` as in a match record, None for the rule set's usual one; so is `discs`, a side.
    """

    id: OpaqueId
    round: int = Field(ge=1, le=10_000)
    sides: tuple[AssignedSide, AssignedSide]
    rules: Word
    format: dict[str, Any] | None = None
    discs: int | None = Field(default=None, ge=1, le=24)
    starter: Literal["A", "B"] = "A"

    @model_validator(mode="after")
    def _two_sides(self) -> Self:
        first, second = self.sides
        if len(first.players) != len(second.players):
            raise ValueError("one side has a player and the other has two")
        if first.name.strip() == second.name.strip():
            raise ValueError("both sides have one name")
        ids = [player.id for side in self.sides for player in side.players]
        if len(set(ids)) < len(ids):
            raise ValueError("somebody plays twice")
        return self

    @property
    def doubles(self) -> bool:
        """Whether two partners make a side."""
        return len(self.sides[0].players) == 2


class Assignment(Document):
    """What is retained for a table; `match` None: nothing to play."""

    schema_: Literal["club-assignment/1"] = Field(default="club-assignment/1", alias="schema")
    match: Assigned | None
