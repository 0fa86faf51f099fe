"""What may stand in a message: sizes and texts that every reader's memory, database and page can take."""

import unicodedata
from collections.abc import Iterator
from typing import Annotated, Any

from pydantic import AfterValidator, Field, StringConstraints

LARGEST = 262_144
"""Bytes of one message: a batch of events that hold films; a broker refuses more before anybody has to read it."""

DEEPEST = 20  # lists and objects in each other: a question's answers with their events reach 9
LONGEST_TEXT = 4_000  # characters of one text in an event: five times the longest sentence that was ever kept
LARGEST_NUMBER = 2**53  # beyond it JavaScript, and JSON readers like it, change a whole number's value
LATEST = 253_402_300_799.0  # s since 1970: the end of the year 9999, beyond which Python tells no time


def _readable(text: str) -> str:
    """The text, if it can be shown in one line. Raises `ValueError`."""
    if any(unicodedata.category(letter) in ("Cc", "Cs", "Zl", "Zp") for letter in text):
        raise ValueError("it holds control characters")
    return text


def _name(longest: int) -> Any:
    return Annotated[str, StringConstraints(min_length=1, max_length=longest), AfterValidator(_readable)]


Name = _name(40)
"""A player's, a table's: as long as a match's own."""
SideName = _name(83)
"""A player's, or two partners' with " & " between them."""
Sentence = _name(300)
Word = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9_.-]{0,39}$")]
"""A word for programs: a rule set's id, an event's kind, a state."""
TableId = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9-]{0,31}$")]
OpaqueId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9._:-]{1,64}$")]
"""An id that its maker alone understands: of an assignment, of a player."""
JournalId = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{32}$")]
Number = Annotated[int, Field(ge=1, le=LARGEST_NUMBER)]
"""An event's, from 1."""
Count = Annotated[int, Field(ge=0, le=10_000)]
Score = Annotated[int, Field(ge=-10_000, le=100_000)]
Time = Annotated[float, Field(ge=0, le=LATEST)]
"""What somebody's clock says: s since 1970, UTC. To be shown; never to put anything in order."""


def unfit(value: Any) -> str | None:
    """Why a JSON value can't be stored and shown everywhere; None where it can.

    A text without the character 0, which PostgreSQL refuses, and without half a character, which is no UTF-8; numbers
    that every reader reads alike; and no deeper than any reader goes.
    """
    return next(_faults(value, 0), None)


def _faults(value: Any, depth: int) -> Iterator[str]:
    if isinstance(value, str):
        if len(value) > LONGEST_TEXT:
            yield f"a text has {len(value)} characters, at most {LONGEST_TEXT} are taken"
        if "\0" in value or any("\ud800" <= letter <= "\udfff" for letter in value):
            yield "a text holds a character that is none"
    elif isinstance(value, int | float):
        if not -LARGEST_NUMBER <= value <= LARGEST_NUMBER:  # also what is not finite
            yield "a number is too large"
    elif isinstance(value, dict | list):
        if depth == DEEPEST:
            yield f"it is nested more than {DEEPEST} deep"
            return
        for part in (*value, *value.values()) if isinstance(value, dict) else value:
            yield from _faults(part, depth + 1)
    elif value is not None:
        yield f"a {type(value).__name__} is no JSON"
