"""The limits of a request's sizes and characters. Whether a command makes sense is for the engine to decide."""

import datetime as dt
import json
import re
import unicodedata
from typing import Any

from flask import request
from werkzeug.exceptions import BadRequest, UnsupportedMediaType

from controller.api import Selection
from web_ui.languages import as_stored, translated

LARGEST_BODY = 16 * 1024  # bytes of one request; the longest command is a few hundred
LARGER_BODIES = {"/api/v1/club/events": 256 * 1024}  # bytes, at a hub: a batch of a table's events, films included
LONGEST_NAME = 40  # characters of a name: as many as a phone shows in two lines
LONGEST_SIDE = 2 * LONGEST_NAME + 3  # characters of a side's name: two partners', with an ampersand between them
LONGEST_TEXT = 200  # characters of any other text in a command; they are all ids
SHOWN = 20  # characters of a refused name that the message quotes
LARGEST_NUMBER = 2**53 - 1  # the largest whole number that every JSON reader represents exactly. SQLite's have 64 bits.
DEEPEST = 8  # levels of lists and objects in a command; `start` needs three
FORBIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
"""Control, direction-changing and private characters: they can hide other text or reverse its order."""
JOINERS = frozenset("\u200c\u200d")  # needed in Persian and Indic names and in emoji


def largest_body(path: str) -> int:
    """The bytes that a request to this path may have."""
    return LARGER_BODIES.get(path, LARGEST_BODY)


def read_json() -> dict[str, Any]:
    """The request's JSON object, with every text in it checked and as it is stored. Raises `BadRequest` with a message
    for the sender."""
    if not request.is_json:
        raise UnsupportedMediaType(translated("Send JSON, with the header Content-Type: application/json."))
    try:
        body = json.loads(request.get_data(), parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise BadRequest(translated("That is not JSON.")) from error
    if not isinstance(body, dict):
        raise BadRequest(translated("Send one JSON object."))
    checked: dict[str, Any] = _checked(body, "")
    return checked


def _no_constant(name: str) -> None:
    raise ValueError(name)


def _checked(value: Any, place: str, depth: int = 0) -> Any:
    if depth > DEEPEST:
        raise BadRequest(translated("{place}: too many levels; at most {most} are allowed.", place=place, most=DEEPEST))
    if isinstance(value, dict):
        for key in value:
            _check_text(key, translated("A member's name"))
        return {key: _checked(member, f"{place}.{key}".lstrip("."), depth + 1) for key, member in value.items()}
    if isinstance(value, list):
        return [_checked(member, f"{place}[{number}]", depth + 1) for number, member in enumerate(value)]
    if isinstance(value, str):
        _check_text(value, place)
        return as_stored(value)
    if isinstance(value, int) and abs(value) > LARGEST_NUMBER:
        raise BadRequest(translated("{place}: a number that is too large.", place=place))
    return value


def _check_text(text: str, place: str) -> None:
    is_name = place.endswith("name")
    most = LONGEST_SIDE if place.startswith("sides[") else LONGEST_NAME if is_name else LONGEST_TEXT
    begins = "".join(c for c in text[:SHOWN] if unicodedata.category(c) not in FORBIDDEN_CATEGORIES)
    what = translated("The name {name}", name=begins + "…" * (len(text) > SHOWN)) if is_name else place
    if len(text) > most:
        raise BadRequest(
            translated(
                "{what} has {count} characters; at most {most} are allowed.", what=what, count=len(text), most=most
            )
        )
    if any(unicodedata.category(c) in FORBIDDEN_CATEGORIES and c not in JOINERS for c in text):
        raise BadRequest(translated("{what} contains characters that can't be shown.", what=what))


def asked_matches() -> Selection:
    """The matches in the request's address. This and the next raise `BadRequest` for an invalid value."""
    player = request.args.get("player")
    if player is not None and not 0 < len(player) <= LONGEST_NAME:
        raise BadRequest(translated("player: a name of 1 to {most} characters.", most=LONGEST_NAME))
    player = None if player is None else as_stored(player)
    return Selection(
        player, _asked_day("since"), _asked_day("until"), asked_number("before"), asked_number("page") or 1
    )


def asked_number(name: str) -> int | None:
    """A whole number in the request's address."""
    value = request.args.get(name)
    if value is None:
        return None
    if not re.fullmatch(r"[0-9]{1,9}", value):
        raise BadRequest(translated("{name}: a whole number of at most nine digits.", name=name))
    return int(value)


def _asked_day(name: str) -> str | None:
    value = request.args.get(name)
    if value is None:
        return None
    try:
        if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", value):
            raise ValueError(value)
        return dt.date.fromisoformat(value).isoformat()
    except ValueError as error:
        raise BadRequest(translated("{name}: a day as YYYY-MM-DD.", name=name)) from error
