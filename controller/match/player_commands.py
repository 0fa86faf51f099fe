"""What people can ask for about players. It changes no match: what everybody is called is worked out anew."""

from typing import Literal

from pydantic import field_validator

from controller.match.agreements import Name
from controller.match.given import Given, Number
from controller.match.players import legible, tidy
from controller.messages import say


class RenamePlayer(Given):
    """Call a player otherwise from now on, in every match. Refused where somebody else has that name."""

    do: Literal["rename_player"]
    name: Name
    to: Name

    @field_validator("to")
    @classmethod
    def _can_be_read(cls, to: str) -> str:
        if not legible(to):
            raise ValueError(say("A player needs a name that can be read."))
        return tidy(to)


class MergePlayers(Given):
    """The players called `name` and `to` are one person: all matches of both count as those of `to`.

    Refused where both played in one match.
    """

    do: Literal["merge_players"]
    name: Name
    to: Name


class UndoNaming(Given):
    """Undo a renaming or a merger; `event` is its number, as `players/1` gives it."""

    do: Literal["undo_naming"]
    event: Number
