"""Codes on the table's own screen that let a phone in without the PIN: who scans one is in the room."""

import hmac
import secrets
from collections.abc import Callable

LASTS = 60.0  # s that a code is shown

GRACE = 60.0  # s more until it lets nobody in any more: for a phone that is slow to follow it


class LetIn:
    """One code at a time: each lets one phone in. Only the table's own screen is shown one. Times in seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._codes: dict[str, float] = {}  # by code: when it was first shown; the newest last

    def code(self) -> str:
        """The code to be shown now."""
        now = self._clock()
        self._codes = {code: since for code, since in self._codes.items() if now - since < LASTS + GRACE}
        newest = next(reversed(self._codes), None)
        if newest is None or now - self._codes[newest] >= LASTS:
            newest = secrets.token_urlsafe(18)
            self._codes[newest] = now
        return newest

    def take(self, given: str) -> bool:
        """Whether this code lets somebody in; it does so once."""
        now = self._clock()
        for code, since in self._codes.items():
            if hmac.compare_digest(code.encode(), given.encode()):
                del self._codes[code]
                return now - since < LASTS + GRACE
        return False
