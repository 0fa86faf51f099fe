"""Lets other threads request work on the camera's next frames, which the camera's thread does."""

import queue
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from controller.errors import Refused
from controller.messages import say
from hardware.devices import Frame

PATIENCE = 8.0  # s until a request gives up; a calibration on a Pi takes four
Work = Callable[[Frame], Any]  # receives a frame, and returns the answer, or None to request the next frame too


class FrameRequests:
    """A queue of requests."""

    def __init__(self) -> None:
        self._new: queue.SimpleQueue[tuple[Work, Future[Any]]] = queue.SimpleQueue()
        self._going_on: list[tuple[Work, Future[Any]]] = []

    def ask(self, work: Work) -> Any:
        """The answer of `work`. Raises `Refused` without frames, and whatever `work` raises."""
        done: Future[Any] = Future()
        self._new.put((work, done))
        try:
            return done.result(PATIENCE)
        except TimeoutError:
            done.cancel()
            raise Refused(say("The camera gives no pictures. Check its status.")) from None

    def serve(self, frame: Frame) -> None:
        """Process all requests. For the camera's thread, before any other use of the frame."""
        waiting, self._going_on = self._going_on, []
        while not self._new.empty():
            waiting.append(self._new.get())
        for work, done in waiting:
            if done.cancelled():
                continue
            try:
                answer = work(frame)
            except Exception as error:
                done.set_exception(error)
                continue
            if answer is None:
                self._going_on.append((work, done))
            else:
                done.set_result(answer)
