"""What a request may contain: sizes and characters. Whether a command makes sense, the engine decides."""

import json
import unicodedata
from typing import Any

from flask import Request
from werkzeug.exceptions import BadRequest, UnsupportedMediaType

from web_ui.languages import told

LARGEST_BODY = 16 * 1024
"""Bytes of one request; the longest command is a few hundred."""

LONGEST_NAME = 40
"""Characters of a name: what a phone shows in two lines."""

LONGEST_TEXT = 200
"""Characters of any other text in a command; they are all ids."""

DEEPEST = 8
"""Levels of lists and objects in a command; `start` needs three."""

FORBIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
"""Control, direction-changing and private characters: they can hide other text or reverse its order."""

JOINERS = frozenset("\u200c\u200d")
"""Needed in Persian and Indic names and in emoji."""


def read_json(request: Request) -> dict[str, Any]:
    """The request's JSON object, with every text in it checked. Raises `BadRequest` with words for the sender."""
    if not request.is_json:
        raise UnsupportedMediaType(told("Send JSON, with the header Content-Type: application/json."))
    try:
        body = json.loads(request.get_data(), parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise BadRequest(told("That is not JSON.")) from error
    if not isinstance(body, dict):
        raise BadRequest(told("Send one JSON object."))
    _check(body, "")
    return body


def _no_constant(name: str) -> None:
    raise ValueError(name)


def _check(value: Any, place: str, depth: int = 0) -> None:
    if depth > DEEPEST:
        raise BadRequest(told("{place}: too many levels; {most} are the most.", place=place, most=DEEPEST))
    if isinstance(value, dict):
        for key, member in value.items():
            _check_text(key, told("A member's name"))
            _check(member, f"{place}.{key}".lstrip("."), depth + 1)
    elif isinstance(value, list):
        for number, member in enumerate(value):
            _check(member, f"{place}[{number}]", depth + 1)
    elif isinstance(value, str):
        _check_text(value, place)


def _check_text(text: str, place: str) -> None:
    is_name = place.endswith("name")
    most = LONGEST_NAME if is_name else LONGEST_TEXT
    what = told("The name") if is_name else place
    if len(text) > most:
        raise BadRequest(
            told("{what} has {count} characters; {most} are the most.", what=what, count=len(text), most=most)
        )
    if any(unicodedata.category(c) in FORBIDDEN_CATEGORIES and c not in JOINERS for c in text):
        raise BadRequest(told("{what} contains characters that can't be shown.", what=what))
