"""Determines the side of the disc in the hole by the unit's colour sensor, which learns from the camera."""

import json
import logging
from collections.abc import Sequence

from controller.errors import JournalError
from controller.journal import Journal
from controller.match import events as ev
from controller.match.state import MatchState
from firmware_bridge.tints import DiscTints
from hardware.devices import Tint

log = logging.getLogger(__name__)

FACT = "tints"  # the fact in which the journal stores what was learnt


class HoleColour:
    """Learns by the discs' colours, not sides, so that later matches benefit. For the engine's thread."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._tints = journal.facts.read(FACT, lambda text: DiscTints(json.loads(text))) or DiscTints({})
        self._last: Tint | None = None  # the newest disc's

    def side(self, tint: Tint, state: MatchState | None) -> str | None:
        """The side whose disc looks like this; None if uncertain."""
        self._last = tint
        guess = self._tints.classify(tint)
        sides = [id_ for id_, side in _colours(state).items() if guess and guess.certain and side == guess.label]
        return sides[0] if len(sides) == 1 else None

    def emptied(self) -> None:
        """The hole changed: the last tint does not belong to the next disc."""
        self._last = None

    def happened(self, events: Sequence[ev.Event], state: MatchState) -> None:
        """Learn from a shot after which the camera saw a disc in the hole with certainty."""
        for event in events:
            if isinstance(event, ev.ShotSeen) and self._last is not None:
                sunk = [d for d, where in event.rest.items() if where == "hole" and d in event.measured]
                owner = state.game.round.owners.get(sunk[0]) if len(sunk) == 1 else None
                label = _colours(state).get(owner or "")
                if label and event.measured[sunk[0]].call == "sure":
                    self._tints.learn(label, self._last)
                    self._keep()
                self._last = None

    def _keep(self) -> None:
        try:
            self._journal.facts.keep(FACT, json.dumps(self._tints.shown()))
        except JournalError as error:  # kept in memory; after a restart it is learnt again
            log.warning("What the hole's colour sensor learnt could not be kept: %s", error)


def _colours(state: MatchState | None) -> dict[str, str]:
    """Each side's colour, as far as people chose one."""
    return {id_: side.colour for id_, side in state.started.by_id.items() if side.colour} if state else {}
