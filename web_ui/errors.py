"""The scoreboard's errors, whose messages say what to do; and failures of answers, logged hourly by kind, so that no
one can fill the log."""

import logging
import threading
import traceback
from collections.abc import Callable

from controller.errors import ControllerError


class WebError(ControllerError):
    """The base of all errors of this room."""


class AddressUnavailable(WebError, OSError):
    """The server can't listen on the configured address, for example because it is already in use."""


SILENT = 3600.0  # seconds in which a fault of one kind is logged once
_log = logging.getLogger(__name__)
Kind = tuple[type[BaseException], str, int]


class Faults:
    """Counts; `report` may be called from any thread."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.malformed = 0  # malformed requests since the start
        self._clock = clock
        self._guard = threading.Lock()
        self._seen: dict[Kind, tuple[float, int]] = {}  # at most one for each line: when logged, and how often since

    def note(self, what: str) -> None:
        """Log a client's misbehaviour or departure, at the lowest level."""
        _log.debug("A client: %.200s", what)

    def report(self, what: str, error: BaseException) -> None:
        """Log a fault once in `SILENT`: an expected one, such as a full disk, as a line, any other with its
        traceback."""
        kind, now = _kind(error), self._clock()
        with self._guard:
            last, more = self._seen.get(kind, (-SILENT, 0))
            if now - last < SILENT:
                self._seen[kind] = last, more + 1
                return
            self._seen[kind] = now, 0
        again = f" (and {more} times more in the hour before)" if more else ""
        _log.error(
            "%s failed: %s%s", what, error, again, exc_info=None if isinstance(error, ControllerError) else error
        )


def _kind(error: BaseException) -> Kind:
    """The type, file and line of a fault."""
    places = [(frame.f_code.co_filename, line) for frame, line in traceback.walk_tb(error.__traceback__)]
    return type(error), *(places[-1] if places else ("", 0))
