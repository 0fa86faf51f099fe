"""The firmware's main.py in a real MicroPython, on a real pseudo-terminal, with a fake `machine` under it."""

import os
import shutil
import subprocess
import time
from pathlib import Path

from firmware_bridge.firmware.journal import EVENT, RECORD_SIZE
from tests.hardware.pseudo_terminal import PseudoTerminal

CHECKOUT = Path(__file__).resolve().parents[2]
FAKE_BOARD = Path(__file__).resolve().parent / "fake_board"
HOLE_PIN = 15


def micropython() -> str | None:
    """MicroPython's unix port: $MICROPYTHON, else on the path, else in the cache beside other downloads."""
    cache = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "crokinole-table"
    cached = sorted(cache.glob("micropython-*/micropython"))
    return os.environ.get("MICROPYTHON") or shutil.which("micropython") or (str(cached[-1]) if cached else None)


class Board:
    """A Pico that is a process. Killing it is a power cut: its flash is a file."""

    def __init__(self, place: Path) -> None:
        self.flash = place / "flash"
        self.flash.mkdir()
        self.terminal = PseudoTerminal(place / "ttyUNIT")
        self._pins_name = place / "pins"
        os.mkfifo(self._pins_name)
        self.level = 1
        self.start()

    def start(self) -> None:
        interpreter = micropython()
        assert interpreter
        # The FIFO is opened for both ways: so no opening waits for the other side.
        self._pins = os.open(self._pins_name, os.O_RDWR)
        self.process = subprocess.Popen(
            [interpreter, str(CHECKOUT / "firmware_bridge" / "firmware" / "main.py")],
            stdin=self.terminal.far,
            stdout=self.terminal.far,
            cwd=self.flash,
            env={
                **os.environ,
                "MICROPYPATH": f"{CHECKOUT}:{FAKE_BOARD}",
                "BOARD_PINS": str(self._pins_name),
                "BOARD_LEVEL": str(self.level),
            },
        )

    def drive(self, level: int) -> float:
        """Set the hole's pin; returns the time just before."""
        self.level = level
        t = time.monotonic()
        os.write(self._pins, f"{HOLE_PIN} {level}\n".encode())
        return t

    def recorded(self) -> int:
        """How many events stand in the journal on the flash."""
        journal = self.flash / "journal.bin"
        return journal.read_bytes()[::RECORD_SIZE].count(EVENT) if journal.exists() else 0

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._pins)

    def close(self) -> None:
        self.stop()
        self.terminal.unplug()
