"""Events as JSON, for storing the log. The members are the events' own; `event` names the kind.

>>> from controller.club.tournament.events import Result
>>> document = entry_to_json(LogEntry(3, Result("2.1", ("1", "2"), (5, 3))))
>>> document["event"], document["points"], "twenties" in document
('result', [5, 3], False)
>>> entry_from_json(document) == LogEntry(3, Result("2.1", ("1", "2"), (5, 3)))
True
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, get_args

from pydantic import Field, TypeAdapter, ValidationError
from pydantic_core import to_json
from typing_extensions import TypedDict

from controller.club.tournament import catalogue
from controller.club.tournament.errors import BadInput, BadTournamentFormat, in_words, say
from controller.club.tournament.events import Event, LogEntry

Document = dict[str, Any]
EVENTS = {re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower(): kind for kind in get_args(Event)}  # "board_added"
NAMES = {kind: name for name, kind in EVENTS.items()}
STAGES = {kind().type: kind for kind in catalogue.STAGES}


_Number = Annotated[int, Field(strict=True, ge=1)]


class _Place(TypedDict, total=False):
    """The members of a document that are not its event's."""

    number: _Number
    because: _Number | None


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def entry_to_json(entry: LogEntry) -> Document:
    """An entry as a JSON object, without members that have their default."""
    kind: Any = type(entry.event)
    document: Document = _adapter(kind).dump_python(entry.event, mode="json", exclude_defaults=True)
    document |= {"event": NAMES[kind], "number": entry.number}
    return document if entry.because is None else {**document, "because": entry.because}


def entry_from_json(document: Mapping[str, Any]) -> LogEntry:
    """The entry of a JSON object. Raises `BadInput`, which names the first wrong member."""
    kind = EVENTS.get(str(document.get("event")))
    if kind is None:
        known = ", ".join(EVENTS)
        raise BadInput(say("{place} must be one of {expected}{given}.", place="event", expected=known, given=""))
    members = {name: value for name, value in document.items() if name not in ("event", *_Place.__annotations__)}
    place = {name: document[name] for name in _Place.__annotations__ if name in document}
    try:
        event = _adapter(kind).validate_json(to_json(members))
        return LogEntry(event=event, **_adapter(_Place).validate_json(to_json(place)))
    except ValidationError as error:
        first = error.errors()[0]
        raise BadInput(in_words(first, first["loc"])) from error
    except BadTournamentFormat as error:
        raise BadInput(error.words) from error
