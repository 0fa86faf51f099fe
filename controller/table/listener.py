"""Listeners to the engine: callbacks for events and states."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from controller.api import Snapshot
from controller.match import events as ev
from controller.match.state import MatchState
from hardware.devices import HoleEvent

log = logging.getLogger(__name__)


def _nothing(*_: Any) -> None:
    """The default callback."""


@dataclass(frozen=True, slots=True, eq=False)
class Listener:
    """Callbacks, called on the engine's thread."""

    happened: Callable[[Sequence[ev.Event], MatchState], None] = _nothing
    """New events of the running match are on disk; called with its state after them."""
    changed: Callable[[Snapshot], None] = _nothing  # the published state has changed
    level_found: Callable[[HoleEvent], None] = _nothing
    """The hole's sensor changed while nobody listened: before the match, or during a power cut."""


class Listeners:
    """All listeners. Called on the engine's thread; listeners may be added and removed on any."""

    def __init__(self) -> None:
        self._all: tuple[Listener, ...] = ()

    def add(self, listener: Listener) -> Callable[[], None]:
        """Add a listener. Returns a function that removes it."""
        self._all = (*self._all, listener)
        return lambda: self._remove(listener)

    def _remove(self, listener: Listener) -> None:
        self._all = tuple(other for other in self._all if other is not listener)

    def happened(self, events: Sequence[ev.Event], state: MatchState) -> None:
        for listener in self._all:
            listener.happened(events, state)

    def changed(self, snapshot: Snapshot) -> None:
        """A failing listener is logged and does not affect the others."""
        for listener in self._all:
            try:
                listener.changed(snapshot)
            except Exception:
                log.exception("A listener failed")

    def level_found(self, event: HoleEvent) -> None:
        for listener in self._all:
            listener.level_found(event)
