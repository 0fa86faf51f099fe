"""The journal's ways out: a match as a match record, or as its events."""

from collections.abc import Iterator
from typing import Any

from controller import rules
from controller.errors import BadInput
from controller.fold import fold
from controller.journal import Journal
from controller.match import parse


def events(journal: Journal, match: int) -> Iterator[dict[str, Any]]:
    """Every event of the match in order, undone ones included. Raises `BadInput` when there is no such match."""
    _check(journal, match)
    for entry in journal.events(match):
        yield {"id": entry.id, "match": entry.match, "at": entry.at, "kind": entry.kind, **entry.body}


def record(journal: Journal, match: int) -> dict[str, Any]:
    """The match as it counts, as match-record/1. Raises `BadInput` when there is no such match."""
    _check(journal, match)
    return rules.write(fold(match, [parse(entry) for entry in journal.events(match)]).game)


def _check(journal: Journal, match: int) -> None:
    numbers = journal.matches()
    if match not in numbers:
        known = f"there are 1 to {numbers[-1]}" if numbers else "there is none yet"
        raise BadInput(f"There is no match {match} in the journal: {known}.")
