"""Other threads ask for work with the camera's next pictures, which the camera's own thread does."""

import queue
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from controller.errors import Refused
from controller.messages import say
from hardware.devices import Frame

PATIENCE = 8.0  # s for the camera's next pictures; a calibration on a Pi takes four of them

Work = Callable[[Frame], Any]
"""Takes a frame and returns the answer, or None to be given the next frame too."""


class FrameRequests:
    """Requests of other threads, and their answers."""

    def __init__(self) -> None:
        self._new: queue.SimpleQueue[tuple[Work, Future[Any]]] = queue.SimpleQueue()
        self._going_on: list[tuple[Work, Future[Any]]] = []

    def ask(self, work: Work) -> Any:
        """What `work` makes of the next frames. Raises `Refused` when no picture comes, and what `work` raises."""
        done: Future[Any] = Future()
        self._new.put((work, done))
        try:
            return done.result(PATIENCE)
        except TimeoutError:
            done.cancel()
            raise Refused(say("The camera gives no pictures: see what it says of itself.")) from None

    def serve(self, frame: Frame) -> None:
        """Do what is waiting. For the camera's thread, before anything else looks at the frame."""
        waiting, self._going_on = self._going_on, []
        while not self._new.empty():
            waiting.append(self._new.get())
        for work, done in waiting:
            if done.cancelled():
                continue
            try:
                made = work(frame)
            except Exception as error:
                done.set_exception(error)
                continue
            if made is None:
                self._going_on.append((work, done))
            else:
                done.set_result(made)
