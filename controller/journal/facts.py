"""What the table remembers outside matches: its PIN, its name, its calibration."""

import logging
import threading
from collections.abc import Callable
from typing import TypeVar

from controller.errors import JournalError
from controller.journal.store import Store

Value = TypeVar("Value")

log = logging.getLogger(__name__)


class Facts:
    """Texts by name. One that can't be read is as if it had never been known: the table learns it anew."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._making = threading.Lock()

    def get(self, name: str) -> str | None:
        """What was kept under this name."""
        try:
            rows = self._store.read("SELECT value FROM facts WHERE name = ?", (name,))
        except JournalError as error:
            log.warning("What was kept as %s can't be read and is learnt anew: %s", name, error)
            return None
        return str(rows[0][0]) if rows else None

    def read(self, name: str, meaning: Callable[[str], Value]) -> Value | None:
        """What was kept under this name, as `meaning` makes it of its text; None when that can't be."""
        kept = self.get(name)
        if kept is None:
            return None
        try:
            return meaning(kept)
        except Exception as error:  # whatever is wrong with the text, the table must start
            log.warning("What was kept as %s can't be used and is learnt anew: %r", name, error)
            return None

    def keep(self, name: str, value: str) -> None:
        """Keep a text, replacing an older one of the same name. Raises `JournalError` when it can't be written."""
        with self._store.transaction() as writer:
            writer.execute(
                "INSERT INTO facts VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value", (name, value)
            )

    def forget(self, name: str) -> None:
        """Keep nothing under this name. Raises `JournalError` when that can't be written."""
        with self._store.transaction() as writer:
            writer.execute("DELETE FROM facts WHERE name = ?", (name,))

    def made(self, name: str, meaning: Callable[[str], Value], make: Callable[[], str]) -> Value:
        """What was kept under this name; made and kept when there is nothing that can be read. Any thread.

        However many ask for it first, it is made once.
        """
        with self._making:
            known = self.read(name, meaning)
            if known is not None:
                return known
            value = make()
            self.keep(name, value)
            return meaning(value)
