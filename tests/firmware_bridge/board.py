"""The firmware in a real MicroPython, on a real pseudo-terminal, with a fake `machine` under it."""

import os
import subprocess
import threading
import time
from pathlib import Path

from tests.checkout import CHECKOUT
from tests.hardware.pseudo_terminal import PseudoTerminal
from tests.micropython import micropython

FAKE_BOARD = Path(__file__).resolve().parent / "fake_board"
HEAP = "190k"  # what MicroPython leaves of a Pico's 264 KB; numbers and references are only half as wide there
HOLE_PIN, UNDO_PIN, CONFIRM_PIN = 15, 18, 19
POWER_ON, WATCHDOG = 1, 3
RESET = 3  # the exit status that stands for it


class Board:
    """A Pico that is a process. Killing it is a power cut: its flash is a folder."""

    def __init__(
        self,
        place,
        *,
        empty=False,
        terminal=None,
        path=f"{CHECKOUT}:{FAKE_BOARD}",
        **environment,
    ):
        """`place` keeps its flash over a power cut. `empty`: nothing was flashed yet. `path`: where modules are found.
        `terminal`: where its USB cable ends. `environment`: see the fake board's machine.py."""
        self.flash = place / "flash"
        self.flash.mkdir(parents=True, exist_ok=True)
        self.ring = place / "ring"
        self.terminal = terminal or PseudoTerminal(place / "ttyUNIT")
        self._pins_name = place / "pins"
        self._environment = environment
        self._path = FAKE_BOARD if empty else path
        if not self._pins_name.exists():
            os.mkfifo(self._pins_name)
        self.level = 1
        if not empty and not (self.flash / "main.py").exists():
            from firmware_bridge.flash import STARTER  # takes a second in a guest: not at each of a hundred power cuts

            (self.flash / "main.py").write_text(STARTER)
        self.start()

    def start(self, cause=POWER_ON):
        interpreter = micropython()
        assert interpreter
        # The FIFO is opened for both ways: so no opening waits for the other side.
        self._pins = os.open(self._pins_name, os.O_RDWR)
        self.process = subprocess.Popen(
            [interpreter, "-X", f"heapsize={HEAP}", str(FAKE_BOARD / "board.py")],
            stdin=self.terminal.far,
            stdout=self.terminal.far,
            cwd=self.flash,
            env={
                **os.environ,
                "MICROPYPATH": f".:{self._path}",
                "BOARD_PINS": str(self._pins_name),
                "BOARD_LEVEL": str(self.level),
                "BOARD_RESET": str(cause),
                "BOARD_RING": str(self.ring),
                **self._environment,
            },
        )

    def drive(self, level, pin=HOLE_PIN):
        """Set a pin; returns the time just before."""
        if pin == HOLE_PIN:
            self.level = level
        t = time.monotonic()
        self.tell(f"pin {pin} {level}")
        return t

    def tell(self, line):
        """See the fake board's machine.py."""
        os.write(self._pins, f"{line}\n".encode())

    def stop(self):
        """Cut the power."""
        self.process.kill()
        self.process.wait()
        os.close(self._pins)

    def unplug(self):
        """Pull the cable, by which it is fed."""
        self.stop()
        self.terminal.unplug()

    def plug(self, cause=POWER_ON):
        self.terminal.plug()
        self.start(cause)

    def close(self):
        self.stop()
        self.terminal.unplug()


class Resets:
    """Lets a board come back after its own resets and its watchdog's, as a new USB device, until the end."""

    def __init__(self, board):
        self.count = 0
        self._board = board
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._follow, daemon=True)
        self._thread.start()

    def _follow(self):
        while not self._over.is_set():
            if self._board.process.poll() is not None:
                by_itself = self._board.process.returncode == RESET
                self.count += 1
                self._board.unplug()
                self._board.plug(POWER_ON if by_itself else WATCHDOG)
            self._over.wait(0.01)

    def end(self):
        self._over.set()
        self._thread.join()
