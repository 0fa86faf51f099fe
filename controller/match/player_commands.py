"""Commands about players. They change no match, only the names derived from the matches."""

from typing import Literal

from pydantic import field_validator

from controller.match.agreements import Name
from controller.match.command_base import BaseCommand, Number
from controller.match.players import legible, tidy
from controller.messages import say


class RenamePlayer(BaseCommand):
    """Rename a player in every match. Refused if somebody else has that name."""

    do: Literal["rename_player"]
    name: Name
    to: Name

    @field_validator("to")
    @classmethod
    def _can_be_read(cls, to: str) -> str:
        if not legible(to):
            raise ValueError(say("A player needs a name that can be read."))
        return tidy(to)


class MergePlayers(BaseCommand):
    """Merge two players into one person: all matches of `name` count as those of `to`.

    Refused if both played in the same match.
    """

    do: Literal["merge_players"]
    name: Name
    to: Name


class UndoNaming(BaseCommand):
    """Undo a renaming or merger; `event` is its number in `players/1`."""

    do: Literal["undo_naming"]
    event: Number
