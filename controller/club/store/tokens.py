"""The hub's tokens, in its database, valid at all of its processes: of the organiser's browsers, and of tables."""

import logging
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from sqlalchemy import Engine, and_, delete, insert, or_, select, update

from controller.club.errors import StoreError
from controller.club.store.engine import reading, writing
from controller.club.store.tables import TOKENS
from controller.journal.tokens import LASTS, hashed

NOTED_EVERY = 3600.0  # s between two notes that a token is in use: it may end this much too early
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class HubTokens:
    """Implements `controller.api.Tokens`. `wall`: seconds since 1970, the same for all processes of the hub."""

    engine: Engine
    club: str
    wall: Callable[[], float]
    _unstored: dict[str, tuple[str, str]] = field(default_factory=dict)
    """By hash, kinds and holders of those that could not be stored, as on a full disk: valid until a restart."""

    def make(self, kind: str, holder: str = "") -> str:
        token, now = secrets.token_urlsafe(16), self.wall()
        row = {"club": self.club, "hash": hashed(token), "kind": kind, "holder": holder, "used": now}
        try:
            with writing(self.engine) as connection:
                connection.execute(insert(TOKENS).values(row))
                old = (and_(TOKENS.c.kind == kind, TOKENS.c.used < now - lasts) for kind, lasts in LASTS.items())
                connection.execute(delete(TOKENS).filter_by(club=self.club).where(or_(*old)))
        except StoreError as error:
            if kind not in ("session", "device"):
                raise
            log.warning("A session can't be stored and is valid until a restart: %s", error)
            self._unstored[hashed(token)] = kind, holder
        return token

    def holder(self, kind: str, token: str) -> str | None:
        known_as, unstored = self._unstored.get(hashed(token), ("", ""))
        if known_as == kind:
            return unstored
        this, now = {"club": self.club, "hash": hashed(token), "kind": kind}, self.wall()
        with reading(self.engine) as connection:
            found = connection.execute(select(TOKENS.c.holder, TOKENS.c.used).filter_by(**this)).first()
        if found is None or now - found.used > LASTS[kind]:
            return None
        if now - found.used > NOTED_EVERY:
            # an update, so that one that another process has just ended stays ended
            with suppress(StoreError), writing(self.engine) as connection:
                connection.execute(update(TOKENS).filter_by(**this).values(used=now))
        return str(found.holder)

    def held(self, kind: str) -> list[tuple[str, str, float]]:
        wanted = select(TOKENS.c.hash, TOKENS.c.holder, TOKENS.c.used).filter_by(club=self.club, kind=kind)
        with reading(self.engine) as connection:
            return [(id, holder, self.wall() - used) for id, holder, used in connection.execute(wanted).all()]

    def end(self, token: str) -> None:
        self.revoke(hashed(token))

    def revoke(self, id: str) -> None:
        if not self._unstored.pop(id, None):
            with writing(self.engine) as connection:
                connection.execute(delete(TOKENS).filter_by(club=self.club, hash=id))

    def end_all(self, *kinds: str) -> None:
        self._unstored.clear()
        with writing(self.engine) as connection:
            connection.execute(delete(TOKENS).filter_by(club=self.club).where(TOKENS.c.kind.in_(kinds)))
