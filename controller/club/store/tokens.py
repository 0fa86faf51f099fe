"""What lets people and tables in, in the hub's database and valid at all of its processes: tokens, join codes, and the
organiser's password, of which only hashes are stored, in one table."""

import hashlib
import logging
import math
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from sqlalchemy import Engine, and_, delete, insert, or_, select, update
from werkzeug.security import check_password_hash, generate_password_hash

from controller.club.errors import StoreError
from controller.club.store.engine import CLUBS, TOKENS, rows, write, writing
from controller.journal.tokens import LASTS as TOKENS_LAST
from controller.journal.tokens import hashed
from controller.match.club import CODE_LETTERS, normalize_code

LASTS = {**TOKENS_LAST, "join": 3600.0, "password": math.inf}
"""s without use, by kind; of a join code: long enough to walk to every table of a club."""
NOTED_EVERY = 3600.0  # s between two notes that a token is in use: it may end this much too early
METHOD = "scrypt:16384:8:5"
"""n, r and p: 16 MB and five passes (OWASP Password Storage Cheat Sheet, the setting for 16 MB)."""
CODE = 8  # letters of a join code: 40 bits, too many to guess before it expires
ROUNDS = 2000
"""Of PBKDF2 for a join code. A graphics card of 2024 computes 10^10 SHA-256 a second, a round takes two: it would try
all codes in five days. Checking one here takes a millisecond."""
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
        token = secrets.token_urlsafe(16)
        try:
            self._store(kind, holder, hashed(token))
        except StoreError as error:
            if kind not in ("session", "device"):
                raise
            log.warning("A session can't be stored and is valid until a restart: %s", error)
            self._unstored[hashed(token)] = kind, holder
        return token

    def _store(self, kind: str, holder: str, hash: str) -> None:
        now = self.wall()
        with writing(self.engine) as connection:
            connection.execute(insert(TOKENS).values(club=self.club, hash=hash, kind=kind, holder=holder, used=now))
            old = (and_(TOKENS.c.kind == kind, TOKENS.c.used < now - lasts) for kind, lasts in LASTS.items())
            connection.execute(delete(TOKENS).filter_by(club=self.club).where(or_(*old)))

    def holder(self, kind: str, token: str) -> str | None:
        known_as, unstored = self._unstored.get(hashed(token), ("", ""))
        if known_as == kind:
            return unstored
        this, now = {"club": self.club, "hash": hashed(token), "kind": kind}, self.wall()
        found = rows(self.engine, select(TOKENS.c.holder, TOKENS.c.used).filter_by(**this))
        if not found or now - found[0].used >= LASTS[kind]:
            return None
        if now - found[0].used > NOTED_EVERY:
            # an update, so that one that another process has just ended stays ended
            with suppress(StoreError):
                write(self.engine, update(TOKENS).filter_by(**this).values(used=now))
        return str(found[0].holder)

    def held(self, kind: str) -> list[tuple[str, str, float]]:
        wanted = select(TOKENS.c.hash, TOKENS.c.holder, TOKENS.c.used).filter_by(club=self.club, kind=kind)
        return [(id, holder, self.wall() - used) for id, holder, used in rows(self.engine, wanted)]

    def end(self, token: str) -> None:
        self.revoke(hashed(token))

    def revoke(self, id: str) -> None:
        if not self._unstored.pop(id, None):
            self._delete(hash=id)

    def revoke_all(self, kind: str, holder: str) -> None:
        """End all tokens of this kind that somebody holds."""
        self._delete(kind=kind, holder=holder)

    def end_all(self, *kinds: str) -> None:
        self._unstored.clear()
        for kind in kinds:
            self._delete(kind=kind)

    def _delete(self, **which: str) -> bool:
        """Whether there was one."""
        return write(self.engine, delete(TOKENS).filter_by(club=self.club, **which)) > 0

    # --- join codes

    def join_code(self, table: str) -> str:
        """A new code that lets one table join as this one, once and for an hour. It replaces earlier codes."""
        code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE))
        self.revoke_all("join", table)
        self._store("join", table, hashed(self._stretched(code)))
        return code

    def join(self, code: str) -> str | None:
        """The code's table; the code is then used up. None for an invalid code."""
        token = self._stretched(normalize_code(code))
        table = self.holder("join", token)
        return table if table is not None and self._delete(hash=hashed(token)) else None

    def _stretched(self, code: str) -> str:
        """Slow enough for the 40 bits of a join code, yet cheap: anybody can have one checked."""
        return hashlib.pbkdf2_hmac("sha256", code.encode(), self.club.encode(), ROUNDS).hex()

    # --- the organiser's password

    def set_password(self, password: str, *, first: bool = False) -> bool:
        """Set the password; False if it should be the `first` and there is one already."""
        hash = generate_password_hash(password, METHOD)
        with writing(self.engine) as connection:
            connection.execute(select(CLUBS).filter_by(club=self.club).with_for_update())
            if first and connection.execute(select(TOKENS).filter_by(club=self.club, kind="password")).first():
                return False
            connection.execute(delete(TOKENS).filter_by(club=self.club, kind="password"))
            row = {"club": self.club, "hash": hash, "kind": "password", "holder": "", "used": self.wall()}
            connection.execute(insert(TOKENS).values(row))
        return True

    def password_fingerprint(self) -> str:
        """A text that changes with the password; empty if there is none."""
        return next((hash for hash, _, _ in self.held("password")), "")

    def accepts(self, password: str) -> bool:
        """Whether this is the organiser's password."""
        return check_password_hash(self.password_fingerprint(), password)

    def take_attempt(self, every: float, most: int, now: float) -> float:
        """Take a password attempt, for all processes of the hub together, and return 0, or the seconds until one is
        allowed: one in `every` seconds, and after a pause `most` at once. A clock that was set back does not prolong
        the wait."""
        with writing(self.engine) as connection:
            here = select(CLUBS.c.guesses_until).filter_by(club=self.club).with_for_update()
            until, one_left = float(connection.execute(here).scalar_one()), now + every * (most - 1)
            if until > one_left + every:
                until = one_left
            if until <= one_left:
                values = {"guesses_until": max(until, now) + every}
                connection.execute(update(CLUBS).filter_by(club=self.club).values(values))
            return max(0.0, until - one_left)

    def give_back_attempt(self, every: float) -> None:
        """The attempt was right: it costs nothing."""
        until = CLUBS.c.guesses_until
        write(self.engine, update(CLUBS).where(CLUBS.c.club == self.club).values({until: until - every}))
