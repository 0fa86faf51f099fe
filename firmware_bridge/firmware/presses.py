"""The unit's buttons: each press is sent for a short time only, so that none is late. Runs on the microcontroller."""

from firmware_bridge.firmware.debounce import Debouncer

LOCKOUT_US = 50_000  # cheap push buttons chatter for 5 to 20 ms, and nobody presses 20 times a second
FRESH_US = 2_000_000  # a press that did not arrive by then is dropped: the player has pressed again
RESEND_US = 100_000


class Presses:
    """Counts the presses of all buttons together, and keeps those that the host has not acknowledged."""

    def __init__(self) -> None:
        self.count = 0
        self._buttons: dict[int, Debouncer] = {}
        self._waiting: list[tuple[int, int, int]] = []  # number, time, button
        self._sent = 0
        self._resend_us = 0

    def sense(self, now_us: int, button: int, down: int) -> None:
        """Take the button's level. A button that is down from the start is stuck, and was not pressed."""
        if button not in self._buttons:
            self._buttons[button] = Debouncer(down, LOCKOUT_US)
        for _, pressed in self._buttons[button].sense(now_us, down):
            if pressed:
                self.count += 1
                self._waiting.append((self.count, now_us, button))

    def due(self, now_us: int) -> list[tuple[int, int, int]]:
        """The presses to send now: number, time and button."""
        while self._waiting and now_us - self._waiting[0][1] > FRESH_US:
            self._waiting.pop(0)
        if now_us >= self._resend_us:
            self._sent = 0
        due = [press for press in self._waiting if press[0] > self._sent]
        if due:
            self._sent = self.count
            self._resend_us = now_us + RESEND_US
        return due

    def acknowledge(self, number: int) -> None:
        """Forget the presses up to this one."""
        while self._waiting and self._waiting[0][0] <= number:
            self._waiting.pop(0)
