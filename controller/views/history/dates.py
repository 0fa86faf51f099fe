"""When things really happened: a table without a network may be years behind until it learns the time."""

from collections.abc import Sequence
from dataclasses import replace

from controller.match import events as ev
from controller.match.state import Stamped


def mended(history: Sequence[Stamped]) -> list[Stamped]:
    """A match's events with the right times, after all corrections of the table's clock."""
    behind = sum(s.event.ahead for s in history if isinstance(s.event, ev.ClockSet))
    if not behind:
        return list(history)
    found = []
    for stamped in history:
        if isinstance(stamped.event, ev.ClockSet):
            behind -= stamped.event.ahead
        found.append(replace(stamped, at=stamped.at + behind))
    return found
