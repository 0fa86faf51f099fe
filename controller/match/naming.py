"""Names of players: how they compare, and the event and commands by which players are renamed. These events are
stored in match 0, which is no match. Matches keep the names typed at their start; the names shown are derived from
both, see `controller.match.players`."""

from typing import Annotated, Literal
from unicodedata import normalize

from pydantic import Field, field_validator

from controller.match.base import UndoableEvent
from controller.match.base_command import BaseCommand
from controller.match.model import LONGEST_NAME, Number
from controller.messages import marked, say

Name = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME)]


def key(name: str) -> str:
    """A key shared by all spellings of a name, independent of Unicode form, case and extra blanks.

    A canonical caseless match, as The Unicode Standard defines it (section 3.13, D145).

    >>> key("  Zoe\u0308  B") == key("ZO\u00cb b")
    True
    """
    return normalize("NFC", normalize("NFD", tidy(name)).casefold())


def tidy(name: str) -> str:
    """A name for display: composed characters, single blanks.

    >>> tidy("  Player   1 ")
    'Player 1'
    """
    return " ".join(normalize("NFC", name).split())


def legible(name: str) -> bool:
    """Whether a name has a visible character."""
    return any(c.isprintable() and not c.isspace() for c in name)


class PlayerCalled(UndoableEvent):
    """The player `name` is called `to`. Whoever was called so before is the same person."""

    words = marked("{name} is called {to}")
    name: Name
    to: Name


class RenamePlayer(BaseCommand):
    """Rename a player in every match. If somebody else has that name, refused without `merge`, which says that both are
    one person; refused in any case if both played in the same match."""

    do: Literal["rename_player"]
    name: Name
    to: Name
    merge: bool = False

    @field_validator("to")
    @classmethod
    def _can_be_read(cls, to: str) -> str:
        if not legible(to):
            raise ValueError(say("A player needs a name that can be read."))
        return tidy(to)


class UndoNaming(BaseCommand):
    """Undo a renaming; `event` is its number in `players/1`."""

    do: Literal["undo_naming"]
    event: Number
