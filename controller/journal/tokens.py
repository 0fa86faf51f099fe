"""Tokens: random texts of 128 bits that let their holders in. Nobody can guess one, so nothing about them is limited.

Only their hashes are kept, in one table among the facts: of scorers' sessions, of devices that were let in before, and
of programs. A token that is not used for a while ends; how long that is, is counted by a steady clock while the table
runs, since without a network its time of day may be days behind."""

import hashlib
import json
import math
import secrets
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from controller.errors import BadInput, JournalError
from controller.journal.store import Facts
from controller.messages import say

LASTS: Mapping[str, float] = {"session": 12 * 3600.0, "device": 400 * 86_400.0, "program": math.inf, "table": math.inf}
"""s without use, by kind: an evening and the night after it; as long as browsers keep a cookie; until it is revoked."""
MOST = 1000  # of one kind: the scorers of many evenings
SAVED_EVERY = 3600.0  # s between two saves of how long each one has been unused
FACT = "tokens"


@dataclass(slots=True)
class _Token:
    kind: str
    holder: str
    used: float  # s on the clock
    fresh: bool = False  # it was not used since it was made


class TokenTable:
    """The valid tokens; implements `controller.api.Tokens`. Thread-safe."""

    def __init__(self, facts: Facts, clock: Callable[[], float]) -> None:
        self._facts = facts
        self._clock = clock
        self._guard = threading.Lock()
        self._saved = clock()
        self._tokens: dict[str, _Token] = facts.read(FACT, self._parsed) or {}  # by hash, the longest unused first

    def _parsed(self, text: str) -> dict[str, _Token]:
        now = self._clock()
        kept = sorted(json.loads(text), key=lambda row: -row[3])
        return {id: _Token(kind, holder, now - idle) for id, kind, holder, idle in kept}

    def make(self, kind: str, holder: str = "") -> str:
        token = secrets.token_urlsafe(16)
        with self._guard:
            others = [id for id, one in self._tokens.items() if one.kind == kind]
            if len(others) >= MOST:
                self._make_room(kind, others)
            self._tokens[id := hashed(token)] = _Token(kind, holder, self._clock(), fresh=True)
            try:
                self._save(needed=kind not in ("session", "device"))
            except JournalError:
                del self._tokens[id]
                raise
        return token

    def _make_room(self, kind: str, others: list[str]) -> None:
        """End one of `others`: the newest that was never used, so that who makes many ends nobody else's."""
        if kind == "program":
            raise BadInput(say("There are too many programs: revoke one first."))
        del self._tokens[next((id for id in reversed(others) if self._tokens[id].fresh), others[0])]

    def holder(self, kind: str, token: str) -> str | None:
        with self._guard:
            one, now = self._tokens.get(id := hashed(token)), self._clock()
            if one is None or one.kind != kind:
                return None
            del self._tokens[id]
            if now - one.used > LASTS[kind]:
                return None
            self._tokens[id] = _Token(kind, one.holder, now)
            if now - self._saved > SAVED_EVERY:
                self._save()
            return one.holder

    def held(self, kind: str) -> list[tuple[str, str, float]]:
        with self._guard:
            now = self._clock()
            return [(id, one.holder, now - one.used) for id, one in self._tokens.items() if one.kind == kind]

    def end(self, token: str) -> None:
        with self._guard:
            if self._tokens.pop(hashed(token), None):
                self._save()

    def revoke(self, id: str) -> None:
        with self._guard:
            if self._tokens.pop(id, None):
                self._save(needed=True)

    def end_all(self, *kinds: str) -> None:
        with self._guard:
            self._tokens = {id: one for id, one in self._tokens.items() if one.kind not in kinds}
            self._save(needed=True)

    def _save(self, needed: bool = False) -> None:
        """`needed`: raise `JournalError` if it can't be written; else those who come in wait for no disk."""
        self._saved = now = self._clock()
        rows = [(id, one.kind, one.holder, round(now - one.used)) for id, one in self._tokens.items()]
        (self._facts.keep if needed else self._facts.try_to_keep)(FACT, json.dumps(rows))


def hashed(token: str) -> str:
    """What is kept of a token."""
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()[:32]
