"""Colour sensor, self-test, ring, buttons, watchdog and log of the firmware in a real MicroPython."""

import random
import struct
import subprocess

import pytest

from firmware_bridge import messages
from firmware_bridge.client import UnitButtons, UnitLamps, examine
from firmware_bridge.firmware.core import Unit
from firmware_bridge.firmware.journal import Journal, Store
from firmware_bridge.settings import Settings
from hardware.devices import SystemClock, Tint
from hardware.serial_link import SerialLink
from tests.firmware_bridge.board import CHECKOUT, CONFIRM_PIN, HEAP, UNDO_PIN, Board, Resets
from tests.firmware_bridge.host import Host
from tests.micropython import REASON, micropython

pytestmark = pytest.mark.skipif(micropython() is None, reason=REASON)


@pytest.fixture
def new_board(tmp_path):
    made: list[Board] = []

    def make(**environment: str) -> Board:
        made.append(Board(tmp_path, **environment))
        return made[-1]

    yield make
    for board in made:
        board.close()


def test_a_disc_at_rest_in_the_hole_is_measured_by_the_colour_sensor(new_board, meet):
    board = new_board(BOARD_COLOURS="1")
    host = meet(board)
    board.tell("tint 402 180 131 96")
    board.drive(0)
    host.wait_for(2)
    assert [(event.occupied, event.tint) for event in host.events] == [(True, None), (True, Tint(402, 180, 131, 96))]
    assert 0.34 < host.events[1].t - host.events[0].t < 5.0  # 0.3 s of rest, 48 ms of measuring, a busy machine
    board.tell("unplug-colours")
    board.drive(1)
    board.drive(0)
    host.until(lambda: any("Log(code=5" in line for line in host.unit.diagnostics()))
    board.drive(1)
    host.wait_for(5)
    assert [event.tint for event in host.events[2:]] == [None] * 3


def test_the_self_test_distinguishes_working_weak_and_stuck_beams(new_board):
    board = new_board()
    board.tell("beam 50000 2000")
    host = Host(board, settings=Settings(sensor="break-beam"))
    host.until(lambda: (host.unit.statistics().get("unit") or {}).get("self_test") is not None)
    found = host.unit.statistics()["unit"]["self_test"]
    assert (found["lit"], found["dark"], found["occupied_lit"], found["occupied_dark"]) == (50_000, 2_000, 0, 1)
    assert host.unit.trouble() is None
    board.tell("beam 3000 2000")
    host.unit.test()
    host.until(lambda: "clean it" in str(host.unit.trouble()))
    board.tell("beam 0 0")  # the pin no longer follows the lamp
    host.unit.test()
    host.until(lambda: "stuck" in str(host.unit.trouble()))
    board.drive(0)
    host.wait_for(1)
    assert host.levels() == [True]  # no test was taken for a disc
    host.unit.close()


def test_the_ring_shows_what_the_host_says(new_board, meet):
    board = new_board()
    host = meet(board)
    lamps = UnitLamps(host.unit, {"A": (255, 0, 128)})
    lamps.show("turn", "A")
    host.until(lambda: board.ring.exists() and set(board.ring.read_text().splitlines()) == {"64 0 32"})
    lamps.show("foul", "A")
    host.until(lambda: set(board.ring.read_text().splitlines()) == {"64 0 0"})
    lamps.close()
    host.until(lambda: set(board.ring.read_text().splitlines()) == {"0 0 0"})


def test_chattering_buttons_press_once(new_board):
    board = new_board()
    host = Host(board)
    presses: list[str] = []
    UnitButtons(host.unit).start(presses.append)
    host.until_connected()
    for pin, count in ((UNDO_PIN, 1), (CONFIRM_PIN, 2)):
        for level in (0, 1, 0, 1, 0):
            board.drive(level, pin)
        host.until(lambda count=count: len(presses) == count)
        board.drive(1, pin)
    assert presses == ["undo", "confirm"]
    host.unit.close()


def test_a_program_that_hangs_is_reset_by_its_watchdog_and_loses_nothing(new_board, meet):
    board = new_board(BOARD_WATCHDOG_MS="300")
    resets = Resets(board)
    host = meet(board)
    board.drive(0)
    host.wait_for(1)
    board.tell("hang")
    host.until(lambda: resets.count == 1)
    host.until(lambda: (host.unit.statistics().get("unit") or {}).get("reset") == messages.RESETS[1])
    board.drive(1)
    host.wait_for(2)
    assert [event.sequence for event in host.events] == [1, 2]
    assert host.gaps == []
    host.unit.close()
    resets.end()


SCRIPT = """
import sys
sys.path.insert(0, sys.argv[1])
from firmware_bridge.firmware.core import Unit
from firmware_bridge.firmware.journal import Journal, Store
unit = Unit(Journal(Store(), 77), b"UNIT0001", 9, 0, 5, 0, 1)
for line in sys.stdin:
    what, now, value = line.split()
    now = int(now)
    if what == "level":
        unit.sense(now, int(value))
    elif what == "bytes":
        unit.receive(bytes(int(value[k : k + 2], 16) for k in range(0, len(value), 2)), now)
    else:
        unit.presses.sense(now, 0, int(value))
    print("".join("%02x" % byte for byte in unit.step(now)), unit.leave, unit.journal.next)
"""


def test_the_core_does_the_same_in_micropython_and_in_python():
    """A thousand turns of anything: edges, presses, every message, damaged ones and noise."""
    seed = 11
    source = random.Random(seed)
    unit = Unit(Journal(Store(), 77), b"UNIT0001", 9, 0, 5, 0, 1)
    lines, expected = [], []
    now = 0
    for _ in range(1000):
        now += source.randrange(source.choice((60_000, 2_000_000)))  # some flicker, and time for the sensor to calm
        what = source.choice(["level", "bytes", "bytes", "press"])
        value = some_bytes(source).hex() if what == "bytes" else str(source.randrange(2))
        lines.append(f"{what} {now} {value}")
        if what == "level":
            unit.sense(now, int(value))
        elif what == "bytes":
            unit.receive(bytes.fromhex(value), now)
        else:
            unit.presses.sense(now, 0, int(value))
        expected.append(f"{unit.step(now).hex()} {unit.leave} {unit.journal.next}")
    interpreter = micropython()
    assert interpreter
    done = subprocess.run(
        [interpreter, "-c", SCRIPT, str(CHECKOUT)], input="\n".join(lines), capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == expected, seed
    assert unit.journal.next > 100


FULL = """
import gc
import sys
sys.path.insert(0, sys.argv[1])
from firmware_bridge.firmware.core import Unit
from firmware_bridge.firmware.journal import CAPACITY, FileStore, Journal
for start in range(3):
    journal = unit = None  # as after a reset
    gc.collect()
    journal = Journal(FileStore("journal.bin"), 77)
    unit = Unit(journal, b"UNIT0001", start, 0, 5, 0, 1)
    for k in range(700):
        journal.record(start, 10**12 + k, k % 2, (60000, 50000, 40000, 30000))
print(len(journal.pending) == CAPACITY, journal.next, journal.dropped, journal.damaged)
"""


def test_a_full_journal_fits_the_memory_of_a_pico(tmp_path):
    interpreter = micropython()
    assert interpreter
    command = [interpreter, "-X", f"heapsize={HEAP}", "-c", FULL, str(CHECKOUT)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "2103", str(2102 - 256), "False"]  # 2100, and a change at two starts


def some_bytes(source: random.Random) -> bytes:
    kind, layout = source.choice(list(messages.LAYOUTS.values()))
    if kind is messages.Ack:
        said = messages.encode(messages.Ack(77, source.randrange(60)))
    else:
        said = messages.encode(kind(*struct.unpack(layout, source.randbytes(struct.calcsize(layout)))))
    dice = source.random()
    if dice < 0.1:
        at = source.randrange(len(said))
        return said[:at] + bytes([said[at] ^ 1 << source.randrange(8)]) + said[at + 1 :]
    return source.randbytes(1 + source.randrange(300)) if dice < 0.2 else said


def test_the_examined_unit_is_the_one_on_the_port(new_board):
    board = new_board(BOARD_COLOURS="1")
    board.drive(0)
    found = examine(SerialLink(str(board.terminal.name)), SystemClock())
    assert found.trouble is None
    assert found.words().startswith(f"unit {b'PC000001'.hex()}, firmware ")
    assert "with colour sensor" in found.words()
