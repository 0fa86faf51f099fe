"""Delivers one stream of a unit's events: each once and in order, and those that are lost as a gap."""

from dataclasses import dataclass

from hardware.devices import HoleEvent


@dataclass(frozen=True, slots=True)
class Gap:
    """Events `first` to `sequence` of the unit's journal `stream` are lost for good."""

    stream: int
    first: int
    sequence: int


Report = HoleEvent | Gap


@dataclass(slots=True)
class Delivery:
    """A stream's position: the last sequence `reported` to the listener and `committed` to our disk."""

    stream: int
    reported: int
    committed: int

    def accept(self, sequence: int) -> bool:
        """Mark this event as reported if it is the next one; else return False. A later one waits for its resend."""
        if sequence != self.reported + 1:
            return False
        self.reported = sequence
        return True

    def skip_to(self, oldest: int) -> list[Gap]:
        """The unit holds nothing before `oldest`: report earlier events that we lack as a gap."""
        if oldest <= self.reported + 1:
            return []
        gap = Gap(self.stream, self.reported + 1, oldest - 1)
        self.reported = oldest - 1
        return [gap]

    def commit(self, sequence: int) -> bool:
        """Everything up to `sequence` is on our disk. Returns False if that was known."""
        if sequence <= self.committed:
            return False
        self.committed = sequence
        return True

    def retract(self, report: Report) -> None:
        """Undo this report and all later ones."""
        first = report.first if isinstance(report, Gap) else report.sequence
        if first is not None:
            self.reported = min(self.reported, max(first - 1, self.committed))
