"""Events as JSON, for storing the log. The members are the events' own; `event` names the kind.

>>> from controller.club.tournament.events import Result
>>> document = entry_to_json(Entry(3, Result("2.1", ("1", "2"), (5, 3))))
>>> document["event"], document["points"], "twenties" in document
('result', [5, 3], False)
>>> entry_from_json(document) == Entry(3, Result("2.1", ("1", "2"), (5, 3)))
True
>>> entry_from_json({"event": "result", "number": 3, "match": "2.1", "sides": ["1", "2"], "points": [5]})
Traceback (most recent call last):
controller.club.tournament.errors.BadRecord: points: must have 2 members
"""

import re
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from difflib import get_close_matches
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from controller.club.tournament import catalogue
from controller.club.tournament.errors import BadRecord, TournamentError
from controller.club.tournament.events import Entry, Event
from controller.club.tournament.formats import StageFormat

Document = dict[str, Any]
ENTRY = ("event", "number", "because")  # members of a document that are not its event's
TYPE = "type"  # names the kind of a stage of a format


def entry_to_json(entry: Entry) -> Document:
    """An entry as a JSON object, without members that have their default."""
    document: Document = _plain(entry.event)
    document |= {"event": _name(type(entry.event)), "number": entry.number}
    if entry.because is not None:
        document["because"] = entry.because
    return document


def entry_from_json(document: object) -> Entry:
    """The entry of a JSON object. Raises `BadRecord`, which begins with the place in the object."""
    if not isinstance(document, Mapping):
        raise BadRecord("must be an object", "")
    number, because = document.get("number"), document.get("because")
    if not _is_number(number) or not (because is None or _is_number(because)):
        raise BadRecord("number and because must be whole numbers from 1", "number")
    kind = document.get("event")
    if not isinstance(kind, str) or kind not in EVENTS:
        raise BadRecord(f"{kind!r} is no event; there are {', '.join(EVENTS)}", "event")
    members = {name: value for name, value in document.items() if name not in ENTRY}
    return Entry(number, _build(EVENTS[kind], members, ""), because)  # type: ignore[arg-type]


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def _name(kind: type[Any]) -> str:
    """The name of a class in documents: `BoardAdded` is "board_added"."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()


EVENTS: Mapping[str, type[Any]] = {_name(kind): kind for kind in get_args(Event)}
STAGES: Mapping[str, type[Any]] = {_name(kind): kind for kind in catalogue.STAGES}


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    if not is_dataclass(value) or isinstance(value, type):
        return value
    members = {each.name: getattr(value, each.name) for each in fields(value)}
    usual = {each.name: each.default for each in fields(value) if each.default is not MISSING}
    plain = {key: _plain(member) for key, member in members.items() if key not in usual or member != usual[key]}
    return {TYPE: _name(type(value))} | plain if isinstance(value, StageFormat) else plain


def _build(kind: type[Any], members: object, place: str) -> Any:
    if not isinstance(members, Mapping):
        raise BadRecord("must be an object", place)
    types = get_type_hints(kind)
    hints = {each.name: types[each.name] for each in fields(kind)}
    _check_members(kind, hints, members, place)
    values = {name: _value(hints[name], value, _at(place, name)) for name, value in members.items() if name in hints}
    try:
        return kind(**values)
    except TournamentError as error:
        raise BadRecord(str(error), place) from error


def _check_members(kind: type[Any], hints: Mapping[str, Any], members: Mapping[Any, Any], place: str) -> None:
    """Raise `BadRecord` for an unknown member, and for a missing one."""
    for name in members:
        if name not in hints and not (name == TYPE and issubclass(kind, StageFormat)):
            near = get_close_matches(str(name), hints, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(hints)}"
            raise BadRecord(f"means nothing here; {hint}", _at(place, str(name)))
    for each in fields(kind):
        if each.name not in members and each.default is MISSING:
            raise BadRecord("is missing", _at(place, each.name))


def _at(place: str, name: str) -> str:
    return f"{place}.{name}" if place else name


def _value(hint: Any, value: object, place: str) -> Any:
    """A value checked against its type. Raises `BadRecord`."""
    origin = get_origin(hint)
    if origin in (Union, UnionType):
        return None if value is None else _value(_required(hint), value, place)
    if hint is StageFormat:
        return _stage(value, place)
    if origin is tuple:
        return _tuple(get_args(hint), value, place)
    if origin is Literal:
        if value not in get_args(hint):
            raise BadRecord(f"{value!r} is not known; there are {', '.join(map(str, get_args(hint)))}", place)
        return value
    if is_dataclass(hint):
        return _build(hint, value, place)  # type: ignore[arg-type]
    if not isinstance(value, hint) or (hint is int and isinstance(value, bool)):
        raise BadRecord(f"{value!r} is no {_NAMES[hint]}", place)
    return value


_NAMES = {str: "text", int: "whole number", bool: "true or false"}


def _required(optional: Any) -> Any:
    """The type of a member that may be None."""
    (required,) = (option for option in get_args(optional) if option is not NoneType)
    return required


def _stage(value: object, place: str) -> Any:
    kind = value.get(TYPE) if isinstance(value, Mapping) else None
    if not isinstance(kind, str) or kind not in STAGES:
        raise BadRecord(f"{kind!r} is not known; there are {', '.join(STAGES)}", _at(place, TYPE))
    return _build(STAGES[kind], value, place)


def _tuple(hints: tuple[Any, ...], value: object, place: str) -> tuple[Any, ...]:
    if not isinstance(value, list | tuple):
        raise BadRecord("must be a list", place)
    if len(hints) == 2 and hints[1] is Ellipsis:
        return tuple(_value(hints[0], each, f"{place}[{k}]") for k, each in enumerate(value))
    if len(value) != len(hints):
        raise BadRecord(f"must have {len(hints)} members", place)
    return tuple(_value(hint, each, f"{place}[{k}]") for k, (hint, each) in enumerate(zip(hints, value, strict=True)))
