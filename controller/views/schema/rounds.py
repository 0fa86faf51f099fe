"""The rounds that are kept as tests of the table: `rounds/1`."""

from typing import Literal

from typing_extensions import TypedDict


class KeptRound(TypedDict):
    """One round and the contents of its file."""

    name: str
    """Its name in addresses: /api/rounds/NAME.zip is the one file to send, /api/rounds/NAME/PICTURE one picture."""
    match: int  #: The match's number.
    round: int  #: The round's number in the match.
    why: Literal["asked", "corrected"]  #: Somebody asked for it to be kept, or it was kept because people corrected it.
    shots: int  #: As people say that they were.
    disputed: int  #: How many shots the table had shown differently.
    pictures: list[str]  #: The pictures at rest, cut to the board, in order.
    films: int  #: How often something was seen to move: the paths of discs, no pictures.
    bytes: int  #: How large the file is, nearly.


class KeptRounds(TypedDict):
    """The kept rounds."""

    schema: Literal["rounds/1"]  #: Which document this is.
    rounds: list[KeptRound]  #: The newest first.
