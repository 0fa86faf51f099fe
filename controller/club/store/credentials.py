"""The organiser's password and join codes: only their hashes are stored."""

import hashlib
import hmac
import secrets
from dataclasses import dataclass

from sqlalchemy import Engine, and_, case, delete, insert, or_, select, update

from controller.club.errors import KeyTaken
from controller.club.store.engine import reading, writing
from controller.club.store.tables import CLUBS, CREDENTIALS
from controller.match.club import CODE_LETTERS, normalize_code

COST = 2**14
"""scrypt's n, with r 8 and p 5: 16 MB and five passes (OWASP Password Storage Cheat Sheet, the setting for 16 MB)."""
CODE = 8  # letters of a join code: 40 bits, too many to guess before it expires
ROUNDS = 2000
"""Of PBKDF2 for a join code. A graphics card of 2024 computes 10^10 SHA-256 a second, a round takes two: it would try
all codes in five days. Checking one here takes a millisecond."""
CODE_LASTS = 3600.0  # s: long enough to walk to every table of a club
_JOIN = "join "


def hash_password(password: str) -> str:
    """A slow hash, for a password that people chose."""
    salt = secrets.token_hex(16)
    return f"scrypt${salt}${_scrypt(password, salt)}"


def hash_join_code(code: str) -> str:
    """A salted hash, slow enough for the 40 bits of a join code, yet cheap: anybody can have one checked."""
    salt = secrets.token_hex(16)
    return f"pbkdf2${salt}${_pbkdf2(code, salt)}"


def verify(secret: str, hashed: str) -> bool:
    """Whether this is the hash of the secret."""
    kind, salt, _ = hashed.split("$")
    salted = {"scrypt": _scrypt, "pbkdf2": _pbkdf2}
    return hmac.compare_digest(f"{kind}${salt}${salted[kind](secret, salt)}".encode(), hashed.encode())


def _pbkdf2(code: str, salt: str) -> str:
    return hashlib.pbkdf2_hmac("sha256", code.encode(), bytes.fromhex(salt), ROUNDS).hex()


def _scrypt(password: str, salt: str) -> str:
    memory = 64 * 2**20  # bytes; OpenSSL wants a bound, and takes 16 MB of it
    return hashlib.scrypt(
        password.encode("utf-8", "surrogatepass"), salt=bytes.fromhex(salt), n=COST, r=8, p=5, maxmem=memory
    ).hex()


@dataclass(frozen=True)
class Credentials:
    """Hashes by holder, such as "organiser" or "join 3"."""

    engine: Engine
    club: str

    def set_password(self, holder: str, password: str) -> None:
        self._save(holder, hash_password(password), None)

    def set_first_password(self, holder: str, password: str) -> bool:
        """Set this holder's first password; False if there is one already."""
        if self.has(holder):
            return False
        row = {"club": self.club, "holder": holder, "hashed": hash_password(password)}
        try:
            with writing(self.engine) as connection:
                connection.execute(insert(CREDENTIALS).values(row))
        except KeyTaken:
            return False  # another process was quicker
        return True

    def has(self, holder: str) -> bool:
        return holder in self._load("")

    def fingerprint(self, holder: str) -> str:
        """A text that changes with the holder's secret; empty if there is none."""
        kept = self._load("").get(holder)
        return hashlib.sha256(kept[0].encode()).hexdigest() if kept else ""

    def accepts(self, holder: str, secret: str) -> bool:
        kept = self._load("").get(holder)
        return kept is not None and verify(secret, kept[0])

    def take_attempt(self, every: float, most: int, now: float) -> float:
        """Take a password attempt, for all processes of the hub together, and return 0, or the seconds until one is
        allowed: one in `every` seconds, and after a pause `most` at once. A clock that was set back does not prolong
        the wait."""
        until, full = CLUBS.c.guesses_until, every * most
        taken = case((until < now, now), (until > now + full, now + full - every), else_=until) + every
        free = or_(until <= now + full - every, until > now + full)
        with writing(self.engine) as connection:
            here = CLUBS.c.club == self.club
            if connection.execute(update(CLUBS).where(and_(here, free)).values({until: taken})).rowcount:
                return 0.0
            return float(connection.execute(select(until).where(here)).scalar_one()) - (now + full - every)

    def give_back_attempt(self, every: float) -> None:
        """The attempt was right: it costs nothing."""
        until = CLUBS.c.guesses_until
        with writing(self.engine) as connection:
            connection.execute(update(CLUBS).where(CLUBS.c.club == self.club).values({until: until - every}))

    def join_code(self, table: str, now: float) -> str:
        """A new code that lets one table join as this one, once and for `CODE_LASTS` seconds. It replaces earlier
        codes."""
        code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE))
        self._save(_JOIN + table, hash_join_code(code), now + CODE_LASTS)
        return code

    def join(self, code: str, now: float) -> str | None:
        """The code's table; the code is then used up. None for an invalid code."""
        plain = normalize_code(code)
        for holder, (kept, expires) in self._load(_JOIN).items():
            if expires is not None and now < expires and verify(plain, kept) and self._delete(holder, kept):
                return holder.removeprefix(_JOIN)
        return None

    def _save(self, holder: str, hashed: str, expires: float | None) -> None:
        row = {"club": self.club, "holder": holder, "hashed": hashed, "expires": expires}
        with writing(self.engine) as connection:
            connection.execute(delete(CREDENTIALS).filter_by(club=self.club, holder=holder))
            connection.execute(insert(CREDENTIALS).values(row))

    def _delete(self, holder: str, hashed: str | None = None) -> bool:
        """Delete a holder's secret; False if there was none, or another one than `hashed`."""
        these = delete(CREDENTIALS).filter_by(club=self.club, holder=holder)
        with writing(self.engine) as connection:
            return connection.execute(these.filter_by(hashed=hashed) if hashed else these).rowcount > 0

    def _load(self, prefix: str) -> dict[str, tuple[str, float | None]]:
        wanted = select(CREDENTIALS.c.holder, CREDENTIALS.c.hashed, CREDENTIALS.c.expires).filter_by(club=self.club)
        with reading(self.engine) as connection:
            rows = connection.execute(wanted).all()
        return {holder: (hashed, expires) for holder, hashed, expires in rows if holder.startswith(prefix)}
