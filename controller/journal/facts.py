"""What the table remembers outside matches, such as its PIN, name and calibration."""

import logging
import threading
from collections.abc import Callable
from typing import TypeVar

from controller.errors import JournalError
from controller.journal.store import KEEP, Store

Value = TypeVar("Value")
log = logging.getLogger(__name__)


class Facts:
    """Texts by name. An unreadable one counts as missing, so that the table learns it again."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._creation = threading.Lock()

    def get(self, name: str) -> str | None:
        try:
            rows = self._store.read("SELECT value FROM facts WHERE name = ?", (name,))
        except JournalError as error:
            log.warning("What was kept as %s can't be read and will be learnt again: %s", name, error)
            return None
        return str(rows[0][0]) if rows else None

    def read(self, name: str, parse: Callable[[str], Value]) -> Value | None:
        """The parsed text of this name; None if it is missing or `parse` fails."""
        kept = self.get(name)
        if kept is None:
            return None
        try:
            return parse(kept)
        except Exception as error:  # the table must start, whatever is wrong with the text
            log.warning("What was kept as %s can't be used and will be learnt again: %r", name, error)
            return None

    def keep(self, name: str, value: str) -> None:
        """Store a text, replacing an older one of the same name. Raises `JournalError` if it can't be written."""
        with self._store.transaction() as writer:
            writer.execute(KEEP, (name, value))

    def try_to_keep(self, name: str, value: str) -> None:
        """Store a text that the table can learn again. If that fails, only the log says so."""
        try:
            self.keep(name, value)
        except JournalError as error:
            log.warning("%s could not be kept: %s", name, error)

    def forget(self, name: str) -> None:
        """Remove the text of this name. Raises `JournalError` if that can't be written."""
        with self._store.transaction() as writer:
            writer.execute("DELETE FROM facts WHERE name = ?", (name,))

    def get_or_create(self, name: str, parse: Callable[[str], Value], make: Callable[[], str]) -> Value:
        """The parsed text of this name; if it is missing or unreadable, `make` it and store it. Thread-safe. Concurrent
        callers make it only once."""
        with self._creation:
            known = self.read(name, parse)
            if known is not None:
                return known
            value = make()
            self.keep(name, value)
            return parse(value)
