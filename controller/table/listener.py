"""The engine tells these listeners what happens in its match."""

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
    """The default of each call: a listener names only those that it wants."""


@dataclass(frozen=True, slots=True, eq=False)
class Listener:
    """Called on the engine's thread, one after the other."""

    happened: Callable[[Sequence[ev.Event], MatchState], None] = _nothing
    """Events of the match that is played are on disk, and this is its state now."""
    changed: Callable[[Snapshot], None] = _nothing
    """People see another state now."""
    level_found: Callable[[HoleEvent], None] = _nothing
    """The hole's sensor changed when nobody listened to it: before the match, or while the power was off."""


class Listeners:
    """All who listen. Called on the engine's thread; others may join and leave on any."""

    def __init__(self) -> None:
        self._all: tuple[Listener, ...] = ()

    def add(self, listener: Listener) -> Callable[[], None]:
        """Tell this one too, until the function that is returned is called."""
        self._all = (*self._all, listener)
        return lambda: self._remove(listener)

    def _remove(self, listener: Listener) -> None:
        self._all = tuple(other for other in self._all if other is not listener)

    def happened(self, events: Sequence[ev.Event], state: MatchState) -> None:
        """See `Listener`."""
        for listener in self._all:
            listener.happened(events, state)

    def changed(self, snapshot: Snapshot) -> None:
        """See `Listener`. A listener that fails is logged, and the others are told all the same."""
        for listener in self._all:
            try:
                listener.changed(snapshot)
            except Exception:
                log.exception("A listener failed")

    def level_found(self, event: HoleEvent) -> None:
        """See `Listener`."""
        for listener in self._all:
            listener.level_found(event)
