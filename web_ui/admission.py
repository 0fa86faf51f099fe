"""How a phone is let in for the first time: by the PIN, which can be guessed, or by a code, which can't.

The PIN is for thumbs. All guesses, whoever sends them, come out of one bucket: `MOST` at once, then one in `EVERY`
seconds. So 626 of a million PINs can be tried in the first day, and guessing the right one takes 2.4 years on average.
While somebody keeps the bucket empty, phones come in by an entry code, which always works: a QR code on the table's own
screen or on a scorer's phone, whose owner is in the room."""

import hmac
import secrets
from collections.abc import Callable

MOST = 50  # wrong PINs at once: ten people who mistype five times each
EVERY = 150.0  # s for one more
CODE_SHOWN = 30.0  # s that an entry code is shown
CODE_LASTS = 60.0  # s that it is valid from when it is first shown: a phone may be slow to open the link


class Bucket:
    """The limit on wrong PINs of one process. An attempt is taken before the PIN is checked, so that simultaneous ones
    count too. `clock`: monotonic, in s."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._full_at = clock()  # when all attempts will be there again

    def wait(self) -> float:
        """Seconds until an attempt is allowed."""
        return max(0.0, self._full_at - self._clock() - (MOST - 1) * EVERY)

    def take(self) -> float:
        """Take an attempt and return 0, or the seconds until there is one."""
        if (wait := self.wait()) > 0:
            return wait
        self._full_at = max(self._full_at, self._clock()) + EVERY
        return 0.0

    def give_back(self) -> None:
        """The attempt was right: it costs nothing."""
        self._full_at -= EVERY


class EntryCodes:
    """Codes that let one phone in each. They can't be guessed, so nothing limits their use."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._codes: dict[str, float] = {}  # by code, when it was first shown; the newest last

    def current(self) -> str:
        """A code that was not used, and is valid for `CODE_LASTS` - `CODE_SHOWN` seconds at least."""
        now = self._clock()
        self._codes = {code: since for code, since in self._codes.items() if now - since < CODE_LASTS}
        newest = next(reversed(self._codes), None)
        if newest is None or now - self._codes[newest] >= CODE_SHOWN:
            newest = secrets.token_urlsafe(16)
            self._codes[newest] = now
        return newest

    def redeem(self, given: str) -> bool:
        """Whether the code is valid; each works once."""
        now = self._clock()
        for code, since in self._codes.items():
            if hmac.compare_digest(code.encode(), given.encode()):
                del self._codes[code]
                return now - since < CODE_LASTS
        return False
