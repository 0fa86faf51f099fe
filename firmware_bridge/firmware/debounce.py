"""Turns the sensor's bouncing level into single changes. Runs on the microcontroller."""


class Debouncer:
    """Reports the first edge at once and ignores others during the lock-out that follows; then the level counts again.

    So even the shortest pulse is noticed; a filter that waits for a quiet level would miss a disc that flies through
    the beam. A level that changed during the lock-out is reported late, but with the time of its own edge.
    """

    def __init__(self, occupied: int, lockout_us: int) -> None:
        self.occupied = occupied  # as reported
        self.lockout_us = lockout_us
        self.edges = 0  # raw ones, bounce included
        self._raw = occupied
        self._edge_us = 0
        self._locked_until_us = 0

    def sense(self, t_us: int, occupied: int) -> list[tuple[int, int]]:
        """Take the raw level at `t_us`. Returns the changes (time, occupied) that are certain now."""
        changes = self.settle(t_us)
        if occupied != self._raw:
            self._raw = occupied
            self._edge_us = t_us
            self.edges += 1
            changes += self.settle(t_us)
        return changes

    def settle(self, now_us: int) -> list[tuple[int, int]]:
        """Returns the changes that are certain now without another edge."""
        if self._raw == self.occupied or now_us < self._locked_until_us:
            return []
        self.occupied = self._raw
        self._locked_until_us = now_us + self.lockout_us
        return [(self._edge_us, self.occupied)]
