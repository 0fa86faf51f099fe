"""The shipped firmware in a real MicroPython, the shipped client over a real serial port. Time is real here."""

import random
import statistics
import time

import pytest

from firmware_bridge import frames, messages
from firmware_bridge.client import UnitLamps
from firmware_bridge.firmware.flicker import BURST
from firmware_bridge.firmware.journal import DROP, EVENT, RECORD_SIZE
from firmware_bridge.settings import Settings
from firmware_bridge.unit_texts import FLICKERS
from hardware.serial_link import SerialLink
from tests.firmware_bridge.board import RESET, Board, eager_board, with_firmware
from tests.firmware_bridge.host import PATIENCE, BadLink, Host
from tests.micropython import REASON, micropython
from tests.slow import first_is_quick, slow

pytestmark = pytest.mark.skipif(micropython() is None, reason=REASON)


def numbers(board: Board) -> list[int]:
    """The sequence numbers given to events, with or without a place."""
    data = (board.flash / "journal.bin").read_bytes()
    records = [data[at : at + RECORD_SIZE] for at in range(0, len(data), RECORD_SIZE)]
    return sorted({int.from_bytes(r[1:5], "little") for r in records if r[0] in (EVENT, DROP)})


@pytest.fixture
def board(tmp_path):
    board = Board(tmp_path)
    yield board
    board.close()


@pytest.fixture
def eager(tmp_path):
    board = eager_board(tmp_path)
    yield board
    board.close()


def test_an_edge_becomes_an_event_within_milliseconds(eager, meet):
    board = eager
    host = meet(board, settings=Settings(lockout=0.001))
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


def test_chatter_is_one_event_and_the_shortest_pulse_is_two(board, meet):
    host = meet(board, settings=Settings(lockout=0.2))
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


def test_a_flickering_sensor_is_reported_and_writes_little(board, meet):
    host = meet(board, settings=Settings(lockout=0.001))
    for k in range(300):
        board.drive(k % 2)
        time.sleep(0.003)  # beyond the lock-out
    host.until(lambda: host.unit.trouble() == FLICKERS)
    host.wait_for(BURST)
    assert host.levels() == [k % 2 == 0 for k in range(BURST)]
    assert board.recorded() == BURST
    assert host.unit.statistics()["unit"]["withheld"] > 100
    assert host.gaps == []


def test_a_power_cut_keeps_the_journal_and_a_disc_that_fell_in_before_the_restart_is_noticed(board, meet):
    host = meet(board)
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


@pytest.mark.parametrize("seed", first_is_quick([1, 2, 3]))
def test_nothing_is_lost_or_doubled_on_a_bad_wire(eager, seed, meet):
    board = eager
    link = BadLink(SerialLink(str(board.terminal.name)), seed)
    host = meet(board, link)
    for k in range(40):
        board.drive(k % 2)
        host.until(lambda count=k + 1: board.recorded() == count)
    host.wait_for(40)
    assert host.levels() == [k % 2 == 0 for k in range(40)], seed
    assert [event.sequence for event in host.events] == list(range(1, 41)), seed
    assert host.gaps == [], seed
    assert link.struck > 0, seed


@slow
def test_pulled_cables_power_cuts_and_dead_hosts_lose_and_double_nothing(board):
    seed = 5
    source = random.Random(seed)
    taken: list[int | None] = []
    cursors: dict[int, int] = {}
    for _ in range(4):
        host = Host(board, cursors=cursors)
        for k in range(4):
            host.until_connected()
            before = host.unit.statistics()["unit"]["boot"]
            board.drive(1 - board.level)
            if source.random() < 0.3:
                board.unplug()
                board.plug()
            elif source.random() < 0.3:
                board.stop()
                board.start()
            else:
                host.wait_for(k + 1)
                continue
            host.until(lambda host=host, before=before: host.unit.statistics().get("unit", {}).get("boot") != before)
        if source.random() < 0.5:
            host.until_connected()
            host.wait_for(4)
        host.unit.close()
        taken += [event.sequence for event in host.events]
        cursors.update({event.stream: event.sequence for event in host.events})  # type: ignore[misc]
        assert host.gaps == [], seed
    host = Host(board, cursors=cursors)
    host.until(lambda: len(taken) + len(host.events) == 16)
    taken += [event.sequence for event in host.events]
    assert taken == list(range(1, 17)), seed
    assert host.gaps == [], seed
    host.unit.close()


def test_what_a_full_journal_drops_is_reported_to_the_last_number(tmp_path, meet):
    board = with_firmware(tmp_path, "firmware/journal.py", "CAPACITY = 256 ", "CAPACITY = 8 ")
    host = meet(board)
    host.unit.close()
    for k in range(20):
        board.drive((k + 1) % 2 if board.level == k % 2 else k % 2)
        host.until(lambda count=k + 1: len(numbers(board)) >= count)
    host = Host(board)
    host.until(lambda: len(host.events) + sum(gap.sequence - gap.first + 1 for gap in host.gaps) == 20)
    assert [event.sequence for event in host.events] == list(range(1, 9))
    assert [(gap.first, gap.sequence) for gap in host.gaps] == [(9, 20)]
    assert host.unit.statistics()["unit"]["dropped"] == 12
    host.unit.close()
    board.close()


def test_a_unit_of_version_1_0_is_understood_and_sent_only_what_it_knows(tmp_path, meet):
    board = with_firmware(tmp_path, "messages.py", "MINOR = 2 ", "MINOR = 0 ")
    messages = board.flash / "firmware_bridge" / "messages.py"
    old = messages.read_text().replace('"<IBI8sIIBQIIIIBBI"', '"<IBI8sIIBQIIIIB"').replace('"<IIIIQB4H"', '"<IIIIQB"')
    old = old.replace('"<IIQIIIIBBI"', '"<IIQIIIIBB"')
    old = old.replace("*message)", "*message[: {14: 13, 10: 6}.get(len(message), 99)])")
    messages.write_text(old)
    board.stop()
    board.start()
    host = meet(board)
    board.drive(0)
    host.wait_for(1)
    assert host.unit.statistics()["unit"]["protocol"] == "1.0"
    assert host.unit.trouble() is None
    UnitLamps(host.unit, {}).show("turn")
    assert "crokinole-table flash" in str(host.unit.trouble())
    assert not any("Show" in line for line in host.unit.diagnostics())
    host.unit.close()
    board.close()


def test_garbage_has_no_effect(board, meet):
    link = SerialLink(str(board.terminal.name))
    source = random.Random(4)
    for _ in range(100):
        link.write(source.randbytes(100).replace(b"\0", b"\x03"))  # 3 interrupts an interpreter that listens for it
        link.read(0.0)
    link.write(b"\0" + b"\xff" * 5000 + frames.encode(0x15, b"short"))
    link.close()
    host = meet(board)
    board.drive(0)
    host.wait_for(1)
    assert host.levels() == [True]
    assert board.process.poll() is None


def test_it_restarts_on_request_and_ends_at_the_prompt_on_request(board, meet):
    for into in (messages.RESTART, messages.INTO_REPL):
        meet(board).unit.close()
        link = SerialLink(str(board.terminal.name))
        link.write(messages.encode(messages.Reboot(into)))
        assert board.process.wait(PATIENCE) == RESET
        link.close()
        assert (board.flash / "start-repl").exists() == (into == messages.INTO_REPL)
        board.stop()
        board.start()
    link = SerialLink(str(board.terminal.name))
    link.write(b"\1")
    answer = b""
    while b"raw REPL" not in answer:
        answer += link.read(PATIENCE)
    link.close()
    assert not (board.flash / "start-repl").exists()


def test_the_host_knows_this_firmware_as_its_own(board, meet):
    host = meet(board)
    unit = host.unit.statistics()["unit"]
    assert unit["firmware_current"] is True
    assert bytes.fromhex(unit["device"]) == b"PC000001"
