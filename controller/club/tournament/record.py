"""Events as JSON, for the log and for pages. The members are the events' own; `event` names the kind.

>>> from controller.club.tournament.events import Result
>>> document = event_to_json(Result("2.1", ("1", "2"), (5, 3)))
>>> document["event"], document["points"], "twenties" in document
('result', [5, 3], False)
>>> event_from_json(document)
Result(match='2.1', sides=('1', '2'), points=(5, 3), twenties=None, winner=None, short=False, report='')
"""

from collections.abc import Mapping
from functools import cache
from typing import Any

from pydantic import TypeAdapter
from pydantic_core import to_json

from controller.club.tournament import catalogue as catalogue  # defines the stages that a format may have
from controller.club.tournament.errors import BadInput, first_wrong_member, say
from controller.club.tournament.events import Event

Document = dict[str, Any]


@cache
def _adapter(kind: str) -> TypeAdapter[Event]:
    return TypeAdapter(Event.kinds[kind])


def event_to_json(event: Event) -> Document:
    """An event as a JSON object, without members that have their default."""
    return {"event": event.kind, **_adapter(event.kind).dump_python(event, mode="json", exclude_defaults=True)}


def event_from_json(document: Mapping[str, Any]) -> Event:
    """The event of a JSON object. Raises `BadInput`, which names the first wrong member."""
    kind = str(document.get("event"))
    if kind not in Event.kinds:
        known = ", ".join(Event.kinds)
        raise BadInput(say("{place} must be one of {expected}{given}.", place="event", expected=known, given=""))
    members = {name: value for name, value in document.items() if name != "event"}
    with first_wrong_member():
        return _adapter(kind).validate_json(to_json(members))
