"""One stream of a unit's events: each is reported once and in order; those that can't come any more, as a gap."""

from dataclasses import dataclass

from hardware.devices import HoleEvent


@dataclass(frozen=True, slots=True)
class Gap:
    """Events `first` to `sequence` of the unit's journal `stream` happened, and are lost for good."""

    stream: int
    first: int
    sequence: int


Report = HoleEvent | Gap


@dataclass(slots=True)
class Delivery:
    """How far a stream has come: `reported` to the listener, `committed` to our disk."""

    stream: int
    reported: int
    committed: int

    def expects(self, sequence: int) -> bool:
        """Whether this event is the next one; then it counts as reported. A later one must wait for its resend."""
        if sequence != self.reported + 1:
            return False
        self.reported = sequence
        return True

    def skip_to(self, oldest: int) -> list[Gap]:
        """The unit holds nothing before `oldest`: what we never had of that is lost, and counts as reported."""
        if oldest <= self.reported + 1:
            return []
        gap = Gap(self.stream, self.reported + 1, oldest - 1)
        self.reported = oldest - 1
        return [gap]

    def commit(self, sequence: int) -> bool:
        """All up to `sequence` is on our disk; False when that is nothing new."""
        if sequence <= self.committed:
            return False
        self.committed = sequence
        return True

    def take_back(self, report: Report) -> None:
        """As if this report, and all that followed, had not been made."""
        first = report.first if isinstance(report, Gap) else report.sequence
        if first is not None:
            self.reported = min(self.reported, max(first - 1, self.committed))
