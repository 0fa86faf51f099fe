"""Passwords, tables' secrets and join codes: only what they hash to is kept."""

import hashlib
import hmac
import secrets
from dataclasses import dataclass

from sqlalchemy import Engine, and_, case, delete, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from controller.club.store.engine import speaking_plainly, writing
from controller.club.store.tables import CLUBS, CREDENTIALS
from controller.link import CODE_LETTERS, normalize_code

COST = 2**14
"""scrypt's n, with r 8 and p 5: 16 MB and five passes (OWASP Password Storage Cheat Sheet, the setting for 16 MB)."""

CODE = 8  # letters of a join code: one of 2 to the 40th, which nobody guesses within the time that it lasts

ROUNDS = 2000
"""Of PBKDF2 for a join code. A graphics card of 2024 does 10 to the 10th SHA-256 a second, a round takes two: to try
all codes takes it five days. Here one takes a millisecond."""

CODE_LASTS = 3600.0  # s: long enough to walk to every table of a club

RENEWED_EVERY = 3600.0  # s between two notes that a session is in use: it may end so much too early

_JOIN = "join "
_BROKER = "broker "
_SESSION = "session "


def of_password(password: str) -> str:
    """What is kept of a password that people chose: guessing must cost."""
    salt = secrets.token_hex(16)
    return f"scrypt${salt}${_scrypt(password, salt)}"


def of_chance(secret: str) -> str:
    """What is kept of a secret that this program drew: there is nothing to guess, so that a plain hash will do."""
    return f"sha256$${hashlib.sha256(secret.encode()).hexdigest()}"


def of_code(code: str) -> str:
    """What is kept of a join code, which is short: all 2 to the 40th take longer than the code lasts. Yet a code is
    checked for everybody who asks, so it must not cost much either."""
    salt = secrets.token_hex(16)
    return f"pbkdf2${salt}${_pbkdf2(code, salt)}"


def fits(secret: str, kept: str) -> bool:
    """Whether `kept` was kept of this secret."""
    kind, salt, _ = kept.split("$")
    salted = {"scrypt": _scrypt, "pbkdf2": _pbkdf2}
    again = f"{kind}${salt}${salted[kind](secret, salt)}" if kind in salted else of_chance(secret)
    return hmac.compare_digest(again.encode(), kept.encode())


def _pbkdf2(code: str, salt: str) -> str:
    return hashlib.pbkdf2_hmac("sha256", code.encode(), bytes.fromhex(salt), ROUNDS).hex()


def _scrypt(password: str, salt: str) -> str:
    memory = 64 * 2**20  # bytes; OpenSSL wants a bound, and takes 16 MB of it
    return hashlib.scrypt(
        password.encode("utf-8", "surrogatepass"), salt=bytes.fromhex(salt), n=COST, r=8, p=5, maxmem=memory
    ).hex()


def _session(token: str) -> str:
    """The holder of a session, which tells nothing of its token."""
    return _SESSION + hashlib.sha256(f"session {token}".encode()).hexdigest()[:32]


@dataclass(frozen=True)
class Credentials:
    """Who may do what, by holder: "organiser", or "table 3"."""

    engine: Engine
    club: str

    def set_password(self, holder: str, password: str) -> None:
        """Let this holder in by a password from now on, and by no former one."""
        with speaking_plainly(self.engine):
            self._keep(holder, of_password(password), None)

    def set_first_password(self, holder: str, password: str) -> bool:
        """The same where this holder has none yet; gives whether that was so."""
        if self.has(holder):
            return False
        row = {"club": self.club, "holder": holder, "hashed": of_password(password)}
        with speaking_plainly(self.engine):
            try:
                with writing(self.engine) as connection:
                    connection.execute(insert(CREDENTIALS).values(row))
            except IntegrityError:
                return False  # another process was quicker
        return True

    def has(self, holder: str) -> bool:
        """Whether this holder was ever given a secret that still counts."""
        return holder in self._kept("")

    def mark(self, holder: str) -> str:
        """A text that changes with the holder's secret; empty where there is none."""
        kept = self._kept("").get(holder)
        return hashlib.sha256(kept[0].encode()).hexdigest() if kept else ""

    def lets_in(self, holder: str, secret: str) -> bool:
        """Whether this is the holder's secret."""
        kept = self._kept("").get(holder)
        return kept is not None and fits(secret, kept[0])

    def book_guess(self, known: bool, every: float, most: int, now: float) -> float:
        """Book a try of the password, for all processes of the hub together, and give 0; else the seconds until one may
        come. One may come in `every` seconds, and after a pause `most` at once. `known`: of a device that was let in.

        A clock that was set back makes nobody wait for longer than it does without.
        """
        until, full = CLUBS.c.known_until if known else CLUBS.c.strangers_until, every * most
        booked = case((until < now, now), (until > now + full, now + full - every), else_=until) + every
        free = or_(until <= now + full - every, until > now + full)
        with speaking_plainly(self.engine), writing(self.engine) as connection:
            here = CLUBS.c.club == self.club
            if connection.execute(update(CLUBS).where(and_(here, free)).values({until: booked})).rowcount:
                return 0.0
            return float(connection.execute(select(until).where(here)).scalar_one()) - (now + full - every)

    def unbook_guess(self, known: bool, every: float) -> None:
        """The try that was booked was right: it costs nothing."""
        until = CLUBS.c.known_until if known else CLUBS.c.strangers_until
        with speaking_plainly(self.engine), writing(self.engine) as connection:
            connection.execute(update(CLUBS).where(CLUBS.c.club == self.club).values({until: until - every}))

    def join_code(self, table: str, now: float) -> str:
        """A new code by which one table may join as this one, once and for `CODE_LASTS` seconds; no former one does."""
        code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE))
        with speaking_plainly(self.engine):
            self._keep(_JOIN + table, of_code(code), now + CODE_LASTS)
        return code

    def join(self, code: str, now: float) -> tuple[str, str] | None:
        """The table that this code is for and its new secret; the code is used up. None for a code that is none."""
        plain = normalize_code(code)
        for holder, (kept, expires) in self._kept(_JOIN).items():
            if expires is not None and now < expires and fits(plain, kept) and self._forget(holder, kept):
                table, secret = holder.removeprefix(_JOIN), secrets.token_urlsafe(24)
                with speaking_plainly(self.engine):
                    self._keep(f"table {table}", of_chance(secret), None)
                return table, secret
        return None

    def open_session(self, token: str, now: float, lasts: float) -> None:
        """Somebody was let in, and is for `lasts` seconds from the last use on: at every process of the hub."""
        with speaking_plainly(self.engine):
            self._keep(_session(token), of_chance(token), now + lasts)
        for holder, (kept, expires) in self._kept(_SESSION).items():
            if expires is not None and expires <= now:
                self._forget(holder, kept)

    def holds_session(self, token: str, now: float, lasts: float) -> bool:
        """Whether the session holds. Asking counts as using it."""
        kept, expires = self._kept(_SESSION).get(_session(token), ("", None))
        if expires is None or expires <= now or not fits(token, kept):
            return False
        if now + lasts - expires > RENEWED_EVERY:
            # one that another process ended meanwhile is not there any more, and stays so
            renewed = update(CREDENTIALS).filter_by(club=self.club, holder=_session(token)).values(expires=now + lasts)
            with speaking_plainly(self.engine), writing(self.engine) as connection:
                connection.execute(renewed)
        return True

    def end_session(self, token: str) -> None:
        """The session is left; no copy of its cookie opens it again, at no process of the hub."""
        self._forget(_session(token))

    def keep_account(self, table: str, line: str) -> None:
        """Keep the line by which the broker knows a table's password."""
        with speaking_plainly(self.engine):
            self._keep(_BROKER + table, line, None)

    def accounts(self) -> dict[str, str]:
        """The lines by which the broker knows the tables' passwords."""
        return {holder.removeprefix(_BROKER): line for holder, (line, _) in self._kept(_BROKER).items()}

    def forget_table(self, table: str) -> None:
        """Let this table in no more, neither by its secret nor by a code."""
        for holder in (f"table {table}", _JOIN + table, _BROKER + table):
            self._forget(holder)

    def _keep(self, holder: str, hashed: str, expires: float | None) -> None:
        row = {"club": self.club, "holder": holder, "hashed": hashed, "expires": expires}
        with writing(self.engine) as connection:
            connection.execute(delete(CREDENTIALS).filter_by(club=self.club, holder=holder))
            connection.execute(insert(CREDENTIALS).values(row))

    def _forget(self, holder: str, hashed: str | None = None) -> bool:
        """Take a holder's secret back; False where there was none, or another one than `hashed`."""
        these = delete(CREDENTIALS).filter_by(club=self.club, holder=holder)
        with speaking_plainly(self.engine), writing(self.engine) as connection:
            return connection.execute(these.filter_by(hashed=hashed) if hashed else these).rowcount > 0

    def _kept(self, prefix: str) -> dict[str, tuple[str, float | None]]:
        wanted = select(CREDENTIALS.c.holder, CREDENTIALS.c.hashed, CREDENTIALS.c.expires).filter_by(club=self.club)
        with speaking_plainly(self.engine), self.engine.connect() as connection:
            rows = connection.execute(wanted).all()
        return {holder: (hashed, expires) for holder, hashed, expires in rows if holder.startswith(prefix)}
