"""Exports a match as a match record or as its events."""

from collections.abc import Iterator
from typing import Any, cast

from controller import rules
from controller.errors import BadInput
from controller.journal import Journal
from controller.journal.match_log import read_match
from controller.match.events import Entry
from controller.match.seating import Seating


def events(journal: Journal, match: int) -> Iterator[Entry]:
    """Every event of the match in order, undone ones included. Raises `BadInput` if there is no such match."""
    exists(journal, match)
    yield from journal.events(match)


def raw(journal: Journal, match: int) -> Iterator[dict[str, Any]]:
    """Every event of the match as stored, with its body as text, readable or not."""
    exists(journal, match)
    for number, _, at, kind, body in journal.raw(match):
        yield {"id": number, "match": match, "at": at, "kind": _text(kind), "body": _text(body)}


def _text(stored: bytes) -> str:
    return stored.decode("utf-8", "backslashreplace")


def record(journal: Journal, match: int) -> dict[str, Any]:
    """The match as it counts, as match-record/1. Raises `BadInput` if there is no such match."""
    exists(journal, match)
    _, state = read_match(journal, match)
    return cast(dict[str, Any], _for_people(rules.write(state.game), state.seating))


def _for_people(document: Any, seating: Seating) -> Any:
    """Convert a record's places to the players' board frame."""
    match document:
        case {"at": [float(x), float(y)], **rest}:
            return {"at": list(seating.shown(x, y)), **rest}
        case dict():
            return {name: _for_people(value, seating) for name, value in document.items()}
        case list():
            return [_for_people(value, seating) for value in document]
    return document


def exists(journal: Journal, match: int) -> None:
    """Raise `BadInput` if there is no such match."""
    if not journal.has(match):
        newest = journal.newest()
        known = f"there are 1 to {newest}" if newest else "there is none yet"
        raise BadInput(f"There is no match {match} in the journal: {known}.")
