"""The names of all players, kept up to date with the journal. Thread-safe."""

import logging
import threading
from collections.abc import Iterable, Iterator
from contextlib import suppress

from pydantic import ValidationError
from pydantic_core import from_json

from controller.journal.schema import MATCHES
from controller.journal.store import Store
from controller.match import events as ev
from controller.match.base import Stamped
from controller.match.naming import key, tidy
from controller.match.players import Names, typed_names

STARTS = f"""{MATCHES}
    SELECT numbers.match, CAST(body AS BLOB) FROM numbers
    JOIN events ON id = (SELECT min(id) FROM events WHERE match = numbers.match)
"""
"""The first events of the matches after one, with some index lookups per match."""

CHANGES = """
    SELECT id, at, CAST(kind AS BLOB), CAST(body AS BLOB) FROM events
    WHERE match = 0 AND id > ? AND kind IN ('player_called', 'undone') ORDER BY id
"""

log = logging.getLogger(__name__)


class PlayerNames:
    """Reads only events of the journal that are new since the last call."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._guard = threading.Lock()
        self._newest = 0  # match whose players are known
        self._typed: dict[str, str] = {}
        self._matches: dict[int, tuple[str, ...]] = {}
        self._names = Names()
        self._last = 0  # last change read, readable or not

    def names(self) -> Names:
        """All players' present names; the same object until something changes. Raises `JournalError`."""
        with self._guard:
            starts = self._store.read(STARTS, {"known": self._newest})
            changes = self._store.read(CHANGES, (self._last,))
            if starts or changes:
                for number, body in starts:
                    self._add_match(number, body)
                self._last = changes[-1][0] if changes else self._last
                changes_so_far = [*self._names.changes, *_changes(changes)]
                self._names = Names(dict(self._typed), changes_so_far, dict(self._matches))
            return self._names

    def _add_match(self, number: int, body: bytes) -> None:
        self._newest = number
        with suppress(ValueError, ValidationError):  # an unreadable match is reported where it is looked up
            names = typed_names(ev.MatchStarted.model_validate(from_json(body)))
            for name in names:
                self._typed.setdefault(key(name), tidy(name))
            self._matches[number] = tuple(map(key, names))


def _changes(rows: Iterable[tuple[int, float, bytes, bytes]]) -> Iterator[Stamped]:
    """The readable changes: an unreadable one must not make all matches unreadable. `doctor` reports it too."""
    for id_, at, kind, body in rows:
        try:
            yield Stamped(id_, at, ev.read_event(kind.decode(), from_json(body)))
        except (ValueError, TypeError) as error:
            log.warning(
                "Event %d, which changes what a player is called, can't be read and is left out: %s", id_, error
            )
