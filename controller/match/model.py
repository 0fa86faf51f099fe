"""What all models of a match share; how names of players compare."""

from typing import Annotated, Literal
from unicodedata import normalize

from pydantic import Field, GetPydanticSchema

from controller.validation import FrozenModel as FrozenModel

SideId = Annotated[str, GetPydanticSchema(lambda _source, schema_of: schema_of(Literal["A", "B", "C", "D"]))]
Lab = tuple[float, float, float]
AND = " & "  # between partners, in their side's name
LONGEST_NAME = 40  # characters of a player's name: two lines on a phone
LONGEST_SIDE = 2 * LONGEST_NAME + len(AND)
Number = Annotated[int, Field(ge=1)]
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
