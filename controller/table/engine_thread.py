"""The engine's thread: it takes one thing at a time from one queue. All other threads put their work there."""

import logging
import queue
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

from controller.errors import BadInput, ControllerError, JournalError, Refused
from controller.messages import Message, say, wording

log = logging.getLogger(__name__)

ANSWER = 20.0  # s that a command may take: longer than the journal waits for a disk that does not take its data

T = TypeVar("T")


class EngineThread:
    """`run` is the thread's body; all else may be called from any thread."""

    def __init__(self, report: Callable[[Message], None]) -> None:
        """`report` tells people what could not be done; it is called on the engine's thread."""
        self.progress = 0
        """Times that the thread got to what `check` put into the queue."""
        self._report = report
        self._queue: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()

    @property
    def waiting(self) -> int:
        """How much waits in the queue."""
        return self._queue.qsize()

    def post(self, work: Callable[[], None]) -> None:
        """Have this done after what is waiting already."""
        self._queue.put(work)

    def call(self, work: Callable[[], T]) -> T:
        """What `work` returns or raises, done as with `post`. Raises `Refused` where that takes too long."""
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
                say("The table did not answer in time. Look whether it took the command before you repeat it.")
            ) from None

    def check(self) -> None:
        """Have the thread count one more `progress`, when it gets to it."""
        self.post(self._count)

    def _count(self) -> None:
        self.progress += 1

    def run(self) -> None:
        """Do what comes, until `stop`."""
        while (work := self._queue.get()) is not None:
            try:
                work()
            except JournalError as error:  # a notice on the page says so for as long as it lasts
                log.debug("%s", error)
            except ControllerError as error:
                log.error("%s", error)
                self._report(wording(error.args[0]))
            except Exception:  # one bad input must not end the thread: the fault is logged, and the next input taken
                log.exception("The engine could not take an input")
                self._report(say("Something went wrong inside; the score may need a look."))

    def stop(self) -> None:
        """End after what is waiting now."""
        self._queue.put(None)
