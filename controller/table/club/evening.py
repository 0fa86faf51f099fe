"""An evening: where a table's assignments come from, and where its reports go. A club's hub and the croki.nl organiser
are its two kinds; both are spoken to on threads of their own."""

import logging
import threading
from collections.abc import Callable
from typing import TypeVar

from controller.errors import JournalError
from controller.exchange import NoAnswer
from controller.match.club import Assigned, AssignmentAnswer
from controller.match.state import MatchState
from controller.messages import Message

log = logging.getLogger(__name__)
TIMEOUT = 5.0  # s for the other side to answer
FIRST_PAUSE = 1.0  # s between attempts, doubling
Work = Callable[[], None]
Thing = TypeVar("Thing")
Receiver = Callable[[Thing | None], None]


class Evening:
    """`start` and `stop` once each. On its own threads it calls `assigned` with the assigned match, None when there is
    none, and `trouble` with what is wrong, None when nothing is. Reports that are not sent yet survive a restart."""

    longest_pause = 30.0  # s between attempts

    def __init__(
        self,
        name: str,
        table: str,
        assigned: Receiver[Assigned],
        trouble: Receiver[Message],
        **works: Work,
    ) -> None:
        """`name`: of the club or the organiser; `table`: this table's id or number there; `works`: what each of its
        threads, by name, does again and again."""
        self.name, self.table = name, table
        self._on_assigned, self._on_trouble = assigned, trouble
        self._troubles: dict[Work, Message | None] = {}
        self._wake, self._stopping = threading.Event(), threading.Event()
        self._threads = [
            threading.Thread(target=self._repeat, args=(work,), name=name, daemon=True) for name, work in works.items()
        ]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """End the threads, after any running request."""
        self._stopping.set()
        self._wake.set()
        for thread in self._threads:
            if thread.is_alive():
                thread.join(2 * TIMEOUT)

    def changed(self, state: MatchState | None, answer: AssignmentAnswer | None) -> None:
        """The running or last match has changed, or what the table says to its assignment. On the engine's thread."""
        raise NotImplementedError

    def _repeat(self, work: Work) -> None:
        """Work again and again until `stop`, at growing intervals while it fails."""
        failed = 0
        while not self._stopping.is_set():
            try:
                work()
                failed = 0
                continue
            except NoAnswer as error:
                self._set_trouble(work, error.args[0])
            except JournalError as error:  # a notice says so already
                log.debug("%s", error)
            except Exception:
                log.exception("%s can't be spoken to", self.name)
            failed += 1
            self._stopping.wait(min(self.longest_pause, FIRST_PAUSE * 2.0 ** min(failed - 1, 30)))

    def _set_trouble(self, work: Work, trouble: Message | None) -> None:
        """Show what is wrong with one of its threads, as long as it is."""
        self._troubles[work] = trouble
        self._on_trouble(next(filter(None, [*self._troubles.values()]), None))
