"""Turns the sensor's bouncing level into single changes. Runs on the microcontroller."""


class Debouncer:
    """Reports the first edge at once and ignores others during the lock-out that follows; then the level counts again.

    So even the shortest pulse is noticed; a filter that waits for a quiet level would miss a disc that flies through
    the beam. A level that changed during the lock-out is reported late, but with the time of its own edge.
    """

    def __init__(self, occupied: int, lockout_ms: int) -> None:
        self.occupied = occupied  # as reported
        self.lockout_ms = lockout_ms
        self._raw = occupied
        self._edge_ms = 0
        self._locked_until_ms = 0

    def sense(self, t_ms: int, occupied: int) -> list[tuple[int, int]]:
        """Take the raw level at `t_ms`: at each edge, and between edges as often as you like. Returns the changes
        (time, occupied) that are certain now."""
        changes = self._settle(t_ms)
        if occupied != self._raw:
            self._raw = occupied
            self._edge_ms = t_ms
            changes += self._settle(t_ms)
        return changes

    def _settle(self, now_ms: int) -> list[tuple[int, int]]:
        if self._raw == self.occupied or now_ms < self._locked_until_ms:
            return []
        self.occupied = self._raw
        self._locked_until_ms = now_ms + self.lockout_ms
        return [(self._edge_ms, self.occupied)]
