"""The shipped firmware in a real MicroPython, the shipped client over a real serial port. Time is real here."""

import random
import statistics
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from firmware_bridge import frames
from firmware_bridge.client import HoleUnit
from firmware_bridge.settings import Settings
from firmware_bridge.wire import WireFaults
from hardware.devices import ByteLink, HoleEvent
from hardware.serial_link import SerialLink
from tests.firmware_bridge.board import Board
from tests.micropython import REASON, micropython

pytestmark = pytest.mark.skipif(micropython() is None, reason=REASON)
PATIENCE = 20.0  # seconds until a test gives up; a busy machine is slow


class WallClock:
    def now(self) -> float:
        return time.monotonic()

    def sleep_until(self, t: float) -> None:
        raise NotImplementedError


class Host:
    """A client on the board's port that commits at once."""

    def __init__(self, board: Board, link: ByteLink | None = None, settings: Settings | None = None) -> None:
        self.events: list[HoleEvent] = []
        self.gaps: list[object] = []
        self.arrivals: list[float] = []
        self._changed = threading.Condition()
        link = link or SerialLink(str(board.terminal.name))
        self.unit = HoleUnit(link, WallClock(), settings=settings, on_gap=self.gaps.append)
        self.unit.start(self._take)

    def _take(self, event: HoleEvent) -> None:
        with self._changed:
            self.arrivals.append(time.monotonic())
            self.events.append(event)
            self._changed.notify_all()
        self.unit.acknowledge(event)

    def wait_for(self, count: int) -> None:
        with self._changed:
            assert self._changed.wait_for(lambda: len(self.events) >= count, PATIENCE), self.unit.diagnostics()

    def until(self, condition: Callable[[], bool]) -> None:
        give_up = time.monotonic() + PATIENCE
        with self._changed:
            while not condition():
                assert time.monotonic() < give_up, self.unit.diagnostics()
                self._changed.wait(0.01)

    def until_connected(self) -> None:
        self.until(lambda: self.unit.statistics().get("unit", {}).get("settings_in_force", False))

    def levels(self) -> list[bool]:
        return [event.occupied for event in self.events]


class BadLink:
    """A link that damages a quarter of the frames that pass, both ways."""

    def __init__(self, link: ByteLink, seed: int) -> None:
        self._link = link
        self._random = random.Random(seed)
        self._faults = WireFaults(0.25, ("lost", "truncated", "flipped", "doubled", "junk"))

    def read(self, timeout: float) -> bytes:
        return self._spoil(self._link.read(timeout))

    def write(self, data: bytes) -> None:
        self._link.write(self._spoil(data))

    def close(self) -> None:
        self._link.close()

    def _spoil(self, data: bytes) -> bytes:
        return self._faults.strike(data, self._random)[1] if data else data


@pytest.fixture
def board(tmp_path: Path) -> Iterator[Board]:
    board = Board(tmp_path)
    yield board
    board.close()


def test_an_edge_becomes_an_event_within_milliseconds(board: Board) -> None:
    host = Host(board, settings=Settings(lockout=0.001))
    host.until_connected()
    driven = []
    for k in range(100):
        driven.append(board.drive(k % 2))
        host.wait_for(k + 1)
        time.sleep(0.003)  # beyond the lock-out
    late = sorted(1000 * (arrived - t) for arrived, t in zip(host.arrivals, driven, strict=True))
    off = [1000 * (event.t - t) for event, t in zip(host.events, driven, strict=True)]
    print(f"edge to listener: median {late[50]:.1f} ms, p99 {late[98]:.1f} ms; time off by {max(map(abs, off)):.1f} ms")
    assert host.levels() == [k % 2 == 0 for k in range(100)]
    assert statistics.median(late) < 10
    assert abs(statistics.median(off)) < 10
    assert host.gaps == []
    host.unit.close()


def test_chatter_is_one_event_and_the_shortest_pulse_is_two(board: Board) -> None:
    host = Host(board, settings=Settings(lockout=0.2))
    host.until_connected()
    for level in (0, 1, 0, 1, 0):
        board.drive(level)
    host.wait_for(1)
    time.sleep(0.3)  # beyond the lock-out
    assert host.levels() == [True]
    board.drive(1)
    host.wait_for(2)
    time.sleep(0.3)
    board.drive(0)
    board.drive(1)
    host.wait_for(4)
    assert host.levels() == [True, False, True, False]
    host.unit.close()


def test_a_power_cut_keeps_the_journal_and_a_disc_that_fell_in_meanwhile_is_seen(board: Board) -> None:
    host = Host(board)
    host.until_connected()
    host.unit.close()
    for k, level in enumerate((0, 1, 0)):
        board.drive(level)
        host.until(lambda count=k + 1: board.recorded() == count)
    board.stop()
    board.level = 1
    board.start()
    host = Host(board)
    host.wait_for(4)
    assert host.levels() == [True, False, True, False]
    assert [event.sequence for event in host.events] == [1, 2, 3, 4]
    assert host.gaps == []
    host.unit.close()


def test_nothing_is_lost_or_doubled_on_a_bad_wire(board: Board) -> None:
    seed = 3
    host = Host(board, BadLink(SerialLink(str(board.terminal.name)), seed))
    host.until_connected()
    for k in range(40):
        board.drive(k % 2)
        host.until(lambda count=k + 1: board.recorded() == count)
    host.wait_for(40)
    assert host.levels() == [k % 2 == 0 for k in range(40)], seed
    assert [event.sequence for event in host.events] == list(range(1, 41)), seed
    assert host.gaps == [], seed
    assert host.unit.statistics()["damaged"] > 0, seed
    host.unit.close()


def test_garbage_does_nothing_to_it(board: Board) -> None:
    link = SerialLink(str(board.terminal.name))
    source = random.Random(4)
    for _ in range(100):
        link.write(source.randbytes(100).replace(b"\0", b"\x03"))  # 3 interrupts an interpreter that listens for it
        link.read(0.0)
    link.write(b"\0" + b"\xff" * 5000 + frames.encode(0x15, b"short"))
    link.close()
    host = Host(board)
    host.until_connected()
    board.drive(0)
    host.wait_for(1)
    assert host.levels() == [True]
    assert board.process.poll() is None
    host.unit.close()


def test_it_starts_anew_on_request_and_ends_at_the_prompt_when_asked_to(board: Board) -> None:
    for into_repl in (False, True):
        host = Host(board)
        host.until_connected()
        host.unit.restart(into_repl=into_repl)
        host.until(lambda: board.process.poll() is not None)
        assert board.process.returncode == 3  # the fake board's reset
        host.unit.close()
        assert (board.flash / "start-repl").exists() == into_repl
        board.stop()
        board.start()
    link = SerialLink(str(board.terminal.name))
    link.write(b"\1")
    answer = b""
    while b"raw REPL" not in answer:
        answer += link.read(PATIENCE)
    link.close()
    assert not (board.flash / "start-repl").exists()


def test_the_host_knows_this_firmware_as_its_own(board: Board) -> None:
    host = Host(board)
    host.until_connected()
    unit = host.unit.statistics()["unit"]
    assert unit["firmware_current"] is True
    assert bytes.fromhex(unit["device"]) == b"PC000001"
    host.unit.close()
