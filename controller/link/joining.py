"""How a table joins a club: over HTTP, since it has no account at the broker yet."""

import re
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from controller.link.messages import Document
from controller.link.text import JournalId, Name, TableId

CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Of a join code, which has 8: none that is read as another. 32 ** 8 of them; the hub lets a code expire."""

Code = Annotated[str, StringConstraints(pattern=f"^[{CODE_LETTERS}]{{8}}$")]

BROKER = r"^mqtts?://(\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9._-]{1,253})(:[0-9]{1,5})?$"
"""An address of a broker: `mqtts` with TLS. Port 1883, with TLS 8883, where none is named."""


def plain_code(typed: str) -> str:
    """A code as people type it, without blanks and hyphens, in capitals."""
    return re.sub(r"[\s-]", "", typed).upper()


class Join(Document):
    """`POST <hub>/api/v1/club/join`: a table asks for an account with the code that the organiser shows."""

    schema_: Literal["club-join/1"] = Field(default="club-join/1", alias="schema")
    code: Code
    name: Name
    journal: JournalId


class Joined(Document):
    """The answer, with status 200; a code that is wrong, used or too old gets 403, and whoever guesses gets 429.

    The user at the broker is the table's id. `certificate`: PEM, of the authority that signed the broker's, where that
    is the club's own.
    """

    schema_: Literal["club-joined/1"] = Field(default="club-joined/1", alias="schema")
    club: TableId
    club_name: Name
    table: TableId
    broker: str = Field(pattern=BROKER, max_length=300)
    password: str = Field(min_length=16, max_length=200, pattern=r"^[!-~]+$")
    certificate: str | None = Field(default=None, max_length=20_000)
