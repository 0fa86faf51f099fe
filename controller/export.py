"""The journal's ways out: a match as a match record, or as its events."""

from collections.abc import Iterator
from typing import Any, cast

from controller import rules
from controller.errors import BadInput
from controller.fold import fold
from controller.journal import Journal
from controller.match import parse
from controller.seating import Seating


def events(journal: Journal, match: int) -> Iterator[dict[str, Any]]:
    """Every event of the match in order, undone ones included. Raises `BadInput` when there is no such match."""
    _check(journal, match)
    for entry in journal.events(match):
        yield {"id": entry.id, "match": entry.match, "at": entry.at, "kind": entry.kind, **entry.body}


def record(journal: Journal, match: int) -> dict[str, Any]:
    """The match as it counts, as match-record/1. Raises `BadInput` when there is no such match."""
    _check(journal, match)
    state = fold(match, [parse(entry) for entry in journal.events(match)])
    return cast(dict[str, Any], _for_people(rules.write(state.game), state.seating))


def _for_people(document: Any, seating: Seating) -> Any:
    """The record with its places in people's board frame."""
    match document:
        case {"at": [float(x), float(y)], **rest}:
            return {"at": list(seating.shown(x, y)), **rest}
        case dict():
            return {name: _for_people(value, seating) for name, value in document.items()}
        case list():
            return [_for_people(value, seating) for value in document]
    return document


def _check(journal: Journal, match: int) -> None:
    numbers = journal.matches()
    if match not in numbers:
        known = f"there are 1 to {numbers[-1]}" if numbers else "there is none yet"
        raise BadInput(f"There is no match {match} in the journal: {known}.")
