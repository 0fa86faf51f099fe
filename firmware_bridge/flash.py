"""Installs the firmware on a unit through mpremote, over its usual cable, and checks that it runs."""

import importlib
import io
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, redirect_stdout, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from firmware_bridge import messages
from firmware_bridge.client import PACKAGE, HoleUnit, our_firmware
from firmware_bridge.firmware.fingerprint import FILES
from hardware.devices import ByteLink, Clock
from hardware.errors import DeviceLost, DriverMissing

STARTER = "from firmware_bridge.firmware.main import start\n\nstart()\n"  # the board's main.py
PLACE = "firmware_bridge"
FOLDERS = (PLACE, f"{PLACE}/firmware")
SOURCES = ("__init__.py", "firmware/__init__.py", *FILES)
PLATFORM = "rp2"
OLDEST = (1, 25)  # of MicroPython: the one that the tests run
GREETINGS = 4  # attempts to get an answer from running firmware ..
GREETING = 0.5  # .. and seconds for each
PROMPT = 5.0  # seconds for MicroPython's prompt
VANISHING = 2.0  # seconds until a resetting board leaves USB
STARTING = 15.0  # seconds until a reset unit is back on USB and answers
REOPENING = 2  # seconds to open a port that exists: a board that has just reset may leave USB once more
TURN = 0.05  # seconds
CHUNK = 1024  # bytes of a file at once: four times mpremote's default, and still little of the Pico's memory
OpenLink = Callable[[str], ByteLink]


class FlashFailed(Exception):
    """The firmware could not be installed; the message says what to try."""


@dataclass(frozen=True, slots=True)
class FlashedUnit:
    """A unit that runs this software's firmware."""

    port: str
    device: str  # its id, in hex
    firmware: str  # the fingerprint that it reports, in hex


def flash(port: str, open_link: OpenLink, clock: Clock, say: Callable[[str], None] = lambda line: None) -> FlashedUnit:
    """Install the firmware on the unit at `port` and wait for its answer. `say` is called
    with each step. Raises `FlashFailed`, `DeviceLost` if the port can't be opened, or `DriverMissing`."""
    transports = _mpremote()
    if _enter_prompt(port, open_link, clock):
        say("The unit has ended its program.")
    say(f"Looking for MicroPython at {port} ..")
    with _board(transports, port, open_link, clock) as board:
        try:
            _require_pico(board)
            _write(board, say)
            _verify(board)
            board.fs_writefile("main.py", STARTER.encode())
        except (OSError, transports.TransportError) as error:
            raise FlashFailed(
                f"The board did not take the firmware ({error}): unplug it, plug it in and try again. If it says that "
                "it is full, remove files of your own from it."
            ) from error
        with suppress(OSError, transports.TransportError):  # it resets before it can answer
            board.exec_raw_no_follow("import machine; machine.reset()")
    say("Restarting it ..")
    return _wait_for_answer(port, open_link, clock)


def _mpremote() -> Any:
    try:
        return importlib.import_module("mpremote.transport_serial")
    except ImportError as error:
        raise DriverMissing("Flashing needs mpremote: pip install 'crokinole-table[flash]'.") from error


def _enter_prompt(port: str, open_link: OpenLink, clock: Clock) -> bool:
    """Make a unit with any firmware end at MicroPython's prompt. Returns False if none answers."""
    lines = messages.Lines()
    with closing(open_link(port)) as link:
        for _ in range(GREETINGS):
            link.write(messages.encode("hello", ()))  # whoever says anything sound is answered
            give_up = clock.now() + GREETING
            while clock.now() < give_up:
                if any(messages.decode(line) for line in lines.feed(link.read(TURN))):
                    link.write(messages.encode(messages.RESTART, (messages.PROMPT,)))
                    _wait_until_gone(link, clock)
                    return True
    return False


def _wait_until_gone(link: ByteLink, clock: Clock) -> None:
    """Wait until a resetting board has left USB; one behind a converter stays."""
    give_up = clock.now() + VANISHING
    with suppress(DeviceLost):
        while clock.now() < give_up:
            link.read(TURN)


@contextmanager
def _board(transports: Any, port: str, open_link: OpenLink, clock: Clock) -> Iterator[Any]:
    """Open the board at MicroPython's prompt."""
    _await_port(port, open_link, clock)
    try:
        with redirect_stdout(io.StringIO()):  # mpremote prints that it waits
            board = transports.SerialTransport(port, wait=REOPENING)
    except transports.TransportError as error:
        raise DeviceLost(f"{port} can't be opened ({error}): close what else uses it.") from error
    try:
        with redirect_stdout(io.StringIO()):  # mpremote prints what it did not expect
            board.enter_raw_repl(soft_reset=False, timeout_overall=PROMPT)
        yield board
    except (transports.TransportError, OSError) as error:
        raise FlashFailed(
            f"What is at {port} answers neither as a 20-hole unit nor with MicroPython's prompt. On a new Pico: hold "
            "BOOTSEL while you plug it in, and copy MicroPython for it (micropython.org/download) onto the drive that "
            "appears; then try again."
        ) from error
    finally:
        with suppress(OSError):  # a resetting board has no port
            board.close()


def _await_port(port: str, open_link: OpenLink, clock: Clock) -> None:
    """Wait for the port: a reset board is gone from USB for a second."""
    give_up = clock.now() + STARTING
    while True:
        try:
            with closing(open_link(port)) as link:
                link.read(0.0)
                return
        except DeviceLost:
            if clock.now() > give_up:
                raise
        clock.sleep_until(clock.now() + TURN)


def _require_pico(board: Any) -> None:
    platform, version = board.eval("(__import__('sys').platform, __import__('sys').implementation[1])")
    if platform != PLATFORM:
        raise FlashFailed(f"The board is a {platform}, not a Raspberry Pi Pico ({PLATFORM}): plug in the right one.")
    if tuple(version[:2]) < OLDEST:
        raise FlashFailed(
            f"MicroPython {version[0]}.{version[1]} on the board is older than {OLDEST[0]}.{OLDEST[1]}: hold BOOTSEL "
            "while you plug it in, and copy the newest (micropython.org/download) onto the drive that appears."
        )


def _write(board: Any, say: Callable[[str], None]) -> None:
    if board.fs_exists("main.py"):
        board.fs_rmfile("main.py")  # so that half-written firmware never starts
    for folder in FOLDERS:
        if not board.fs_exists(folder):
            board.fs_mkdir(folder)
    for name in SOURCES:
        say(f"Writing {name} ..")
        board.fs_writefile(f"{PLACE}/{name}", (Path(PACKAGE) / name).read_bytes(), CHUNK)


def _verify(board: Any) -> None:
    there = board.eval(f"__import__('{PLACE}.firmware.fingerprint', None, None, ('x',)).fingerprint('{PLACE}')")
    if there != our_firmware():
        raise FlashFailed("The files on the board are not what was written: its flash is worn out. Use another Pico.")


def _wait_for_answer(port: str, open_link: OpenLink, clock: Clock) -> FlashedUnit:
    """Wait until the restarted unit answers with the right fingerprint."""
    give_up = clock.now() + STARTING
    with closing(HoleUnit(open_link(port), clock)) as unit:
        while clock.now() < give_up:
            unit.pump(clock.now())
            answer = unit.statistics()["unit"]
            if answer is not None and unit.trouble() is None:
                return FlashedUnit(port, answer["device"], answer["firmware"])
            clock.sleep_until(clock.now() + TURN)
    raise FlashFailed("The unit does not answer after its restart: unplug it, plug it in and try again.")
