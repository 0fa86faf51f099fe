"""The engine's thread: processes one queue, item by item. All other threads put their work there. While it waits for
some, it minds the match's clocks."""

import logging
import queue
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import TypeVar

from controller.errors import BadInput, ControllerError, JournalError, Refused
from controller.messages import Message, say, wording
from controller.table.clocks import steady

log = logging.getLogger(__name__)
ANSWER = 20.0  # s that a command may take: longer than the journal waits for a disk that does not take its data
AGAIN = 0.5  # s until a clock that has run down is reported again, as when the journal could not be written
T = TypeVar("T")


@dataclass
class EngineThread:
    """`run` is the thread's body; everything else may be called from any thread. `report` shows people what failed.
    `next_end`: when the match's next clock runs down, by `steady`; None for never. `time_is_up` is called then. All are
    called on the engine's thread."""

    report: Callable[[Message], None]
    next_end: Callable[[], float | None] = lambda: None
    time_is_up: Callable[[], None] = lambda: None
    steady: Callable[[], float] = steady
    progress: int = 0  # the number of processed `check` calls
    _rung: float | None = None  # the end for which `time_is_up` was called last
    _queue: queue.SimpleQueue[Callable[[], None] | None] = field(default_factory=queue.SimpleQueue)

    @property
    def waiting(self) -> int:
        return self._queue.qsize()

    def post(self, work: Callable[[], None]) -> None:
        self._queue.put(work)

    def call(self, work: Callable[[], T]) -> T:
        """Do `work` as with `post`, and return its result or raise its exception. Raises `Refused` on timeout."""
        done: Future[T] = Future()

        def carry_out() -> None:
            try:
                done.set_result(work())
            except (BadInput, Refused) as error:
                done.set_exception(error)
            except BaseException as error:
                done.set_exception(error)
                raise

        self.post(carry_out)
        try:
            return done.result(ANSWER)
        except TimeoutError:
            raise Refused(
                say("The table did not answer in time. Check whether it carried out the command before you repeat it.")
            ) from None

    def check(self) -> None:
        self.post(self._count)

    def _count(self) -> None:
        self.progress += 1

    def run(self) -> None:
        while (work := self._next()) is not None:
            try:
                work()
            except JournalError as error:  # a notice says so while it lasts
                log.debug("%s", error)
            except ControllerError as error:
                log.error("%s", error)
                self.report(wording(error.args[0]))
            except Exception:  # one bad input must not end the thread
                log.exception("The engine could not take an input")
                self.report(say("Something went wrong; check the score."))

    def _next(self) -> Callable[[], None] | None:
        end = self.next_end()
        wait = None if end is None else AGAIN if end == self._rung else max(0.0, end - self.steady())
        try:
            return self._queue.get(timeout=wait)
        except queue.Empty:
            self._rung = end
            return self.time_is_up

    def stop(self) -> None:
        """End after the work that is queued now."""
        self._queue.put(None)
