"""The shipped firmware in a real MicroPython, the shipped client over a real serial port. Time is real here."""

import random
import statistics
import subprocess
import time

import pytest

from firmware_bridge import messages
from firmware_bridge.client import UnitButtons, UnitLamps, examine, our_firmware
from firmware_bridge.firmware.core import Unit
from firmware_bridge.session import Settings
from hardware.devices import SystemClock, Tint
from hardware.serial_link import SerialLink
from tests.checkout import CHECKOUT
from tests.firmware_bridge import fuzz
from tests.firmware_bridge.board import CONFIRM_PIN, RESET, UNDO_PIN, Board, Resets
from tests.firmware_bridge.host import PATIENCE, Host
from tests.micropython import REASON, micropython

pytestmark = pytest.mark.skipif(micropython() is None, reason=REASON)


@pytest.fixture
def new_board(tmp_path):
    made = []

    def make(**environment):
        made.append(Board(tmp_path, **environment))
        return made[-1]

    yield make
    for board in made:
        board.close()


@pytest.fixture
def board(new_board):
    return new_board()


def test_an_edge_becomes_an_event_within_milliseconds(board, meet):
    host = meet(board, settings=Settings(lockout=0.001))
    driven = []
    for k in range(100):
        driven.append(board.drive(k % 2))
        host.wait_for(k + 2)
        time.sleep(0.003)  # beyond the lock-out
    late = sorted(1000 * (arrived - t) for arrived, t in zip(host.arrivals[1:], driven, strict=True))
    off = [1000 * (event.t - t) for event, t in zip(host.events[1:], driven, strict=True)]
    print(f"edge to listener: median {late[50]:.1f} ms, p99 {late[98]:.1f} ms; time off by {max(map(abs, off)):.1f} ms")
    assert host.levels() == [k % 2 == 1 for k in range(101)]
    assert statistics.median(late) < 30
    assert abs(statistics.median(off)) < 10


def test_a_flood_of_edges_ends_at_the_true_level_with_every_change_accounted_for(board, meet):
    host = meet(board, settings=Settings(lockout=0.001))
    for k in range(401):
        board.drive(k % 2)
        time.sleep(0.0025)
    host.until(lambda: host.unit.occupied() is True)
    time.sleep(1.0)
    changes = sum(event.missed or 0 for event in host.events)
    level = None
    for event in host.events:
        if event.occupied is not None:
            changes += level is not None and level != event.occupied
            level = event.occupied
    assert level is True
    assert changes == host.figures()["rises"] + host.figures()["falls"]
    assert len(host.events) < 300


def test_after_a_power_cut_of_the_unit_nobody_knows_what_was_missed(board, meet):
    host = meet(board)
    kept = host.events[-1].counts
    host.unit.close()
    board.stop()
    board.start()
    host = meet(board, kept=kept)
    assert [(event.occupied, event.missed) for event in host.events] == [(None, None), (False, 0)]


def test_garbage_has_no_effect(board, meet):
    link = SerialLink(str(board.terminal.name))
    source = random.Random(4)
    for _ in range(100):
        link.write(source.randbytes(100).replace(b"\n", b"\x03"))  # 3 interrupts an interpreter that listens for it
        link.read(0.0)
    link.close()
    host = meet(board)
    board.drive(0)
    host.wait_for(2)
    assert host.levels() == [False, True]
    assert board.process.poll() is None


def test_it_restarts_on_request_and_ends_at_the_prompt_on_request(board, meet):
    for into in (messages.PROGRAM, messages.PROMPT):
        meet(board).unit.close()
        link = SerialLink(str(board.terminal.name))
        link.write(messages.encode(messages.RESTART, (into,)))
        assert board.process.wait(PATIENCE) == RESET
        link.close()
        assert (board.flash / "start-repl").exists() == (into == messages.PROMPT)
        board.stop()
        board.start()
    link = SerialLink(str(board.terminal.name))
    link.write(b"\1")
    answer = b""
    while b"raw REPL" not in answer:
        answer += link.read(PATIENCE)
    link.close()
    assert not (board.flash / "start-repl").exists()


def test_a_disc_at_rest_in_the_hole_is_measured_by_the_colour_sensor(new_board, meet):
    board = new_board(BOARD_COLOURS="1")
    host = meet(board)
    board.tell("tint 402 180 131 96")
    board.drive(0)
    host.wait_for(3)
    assert [(event.occupied, event.tint) for event in host.events[1:]] == [
        (True, None),
        (True, Tint(402, 180, 131, 96)),
    ]
    assert 0.34 < host.events[2].t - host.events[1].t < 5.0  # 0.3 s of rest, 48 ms of measuring, a busy machine
    board.tell("unplug-colours")
    board.drive(1)
    board.drive(0)
    host.until(lambda: "GP4" in str(host.unit.trouble()))
    assert [event.tint for event in host.events[3:]] == [None] * 2


def test_the_self_test_distinguishes_working_weak_and_stuck_beams(board):
    host = Host(board, settings=Settings(sensor="break-beam"))
    host.until(lambda: host.figures().get("test") == 1)
    board.tell("beam 50000 2000")
    host.unit.test()
    host.until(lambda: host.figures()["lit"] == 50_000)
    found = host.figures()
    assert (found["lit"], found["dark"], found["occupied_lit"], found["occupied_dark"]) == (50_000, 2_000, 0, 1)
    assert host.unit.trouble() is None
    board.tell("beam 3000 2000")
    host.unit.test()
    host.until(lambda: "clean it" in str(host.unit.trouble()))
    board.tell("beam 0 0")  # the pin no longer follows the lamp
    host.unit.test()
    host.until(lambda: "stuck" in str(host.unit.trouble()))
    board.drive(0)
    host.wait_for(2)
    assert host.levels() == [False, True]  # no test was taken for a disc
    host.unit.close()


def test_the_ring_shows_what_the_host_says_and_buttons_that_chatter_press_once(board, meet):
    host = meet(board)
    lamps = UnitLamps(host.unit, {"A": (255, 0, 128)})
    for signal, shown in (("turn", "64 0 32"), ("foul", "64 0 0"), ("idle", "0 0 0")):
        lamps.show(signal, "A")
        host.until(lambda shown=shown: board.ring.exists() and set(board.ring.read_text().splitlines()) == {shown})
    presses = []
    UnitButtons(host.unit).start(presses.append)
    for pin, count in ((UNDO_PIN, 1), (CONFIRM_PIN, 2)):
        for level in (0, 1, 0, 1, 0):
            board.drive(level, pin)
        host.until(lambda count=count: len(presses) == count)
        board.drive(1, pin)
    assert presses == ["undo", "confirm"]


def test_a_program_that_hangs_is_reset_by_its_watchdog(new_board, meet):
    board = new_board(BOARD_WATCHDOG_MS="300")
    resets = Resets(board)
    host = meet(board)
    board.tell("hang")
    host.until(lambda: resets.count == 1)
    host.until(lambda: bool(host.figures().get("flags", 0) & messages.BY_WATCHDOG))
    board.drive(0)
    host.until(lambda: host.unit.occupied() is True)
    host.unit.close()
    resets.end()


SCRIPT = """
import sys
sys.path.insert(0, sys.argv[1])
from firmware_bridge.firmware.core import Unit
unit = Unit(5, 6, 7, 0)
for line in sys.stdin:
    what, now, value = line.split()
    now = int(now)
    if what == "level":
        unit.sense(now, int(value))
    elif what == "bytes":
        unit.receive(bytes(int(value[k : k + 2], 16) for k in range(0, len(value), 2)), now)
    else:
        unit.press(now, 0, int(value))
    print("".join("%02x" % byte for byte in unit.step(now)), unit.leave, unit.lamps(now))
"""


def test_the_core_does_the_same_in_micropython_and_in_python():
    """A thousand turns of anything: edges, presses, orders, damaged ones and noise."""
    source = random.Random(11)
    unit = Unit(5, 6, 7, 0)
    lines, expected, now = [], [], 0
    for piece in fuzz.noise(11, 600_000):
        now += source.randrange(60)
        orders = fuzz.ORDERS._replace(sent_ms=now, signal=source.randrange(7), lockout_ms=source.randrange(50))
        for what, value in (
            ("level", source.randrange(2)),
            ("press", source.randrange(2)),
            ("bytes", piece[:500] if source.random() < 0.5 else messages.encode(messages.HOST, orders)),
        ):
            lines.append(f"{what} {now} {value.hex() if isinstance(value, bytes) else value}")
            if isinstance(value, bytes):
                unit.receive(value, now)
            elif what == "level":
                unit.sense(now, value)
            else:
                unit.press(now, 0, value)
            expected.append(f"{unit.step(now).hex()} {unit.leave} {unit.lamps(now)}")
    interpreter = micropython()
    assert interpreter
    done = subprocess.run(
        [interpreter, "-c", SCRIPT, str(CHECKOUT)], input="\n".join(lines), capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == expected
    assert sum(len(line) > 100 for line in expected) > 100


def test_the_examined_unit_is_the_one_on_the_port(new_board):
    board = new_board(BOARD_COLOURS="1")
    board.drive(0)
    found = examine(SerialLink(str(board.terminal.name)), SystemClock())
    assert found.trouble is None
    assert found.words().startswith(f"unit {b'PC000001'.hex()}, firmware {our_firmware():08x}, with colour sensor")
