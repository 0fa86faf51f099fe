"""The serial port as a real USB device: the link's contract, and the shipped firmware behind it."""

import time

import pytest

from hardware.serial_link import SerialLink
from tests.firmware_bridge.board import eager_board
from tests.firmware_bridge.host import Host
from tests.guest.inside.usb_gadget import HOST, Cable
from tests.hardware.bytelink_contract import Bench, ByteLinkContract

EVENTS = 60
ROUNDS = 5


class UsbBench(Cable):
    def __init__(self) -> None:
        super().__init__()
        self.link = SerialLink(str(HOST))

    def close(self) -> None:
        self.link.close()
        self.unplug()


class TestSerialLink(ByteLinkContract):
    def make(self) -> Bench:
        return UsbBench()


@pytest.fixture
def board(tmp_path):
    board = eager_board(tmp_path, Cable())
    yield board
    board.close()


@pytest.fixture
def host(board):
    host = Host(board)
    host.until_connected()
    yield host
    host.unit.close()
    assert host.gaps == []


def test_an_edge_at_the_unit_becomes_an_event(board, host):
    driven = []
    for k in range(EVENTS):
        driven.append(board.drive(k % 2))
        host.wait_for(k + 1)
        time.sleep(0.03)  # beyond the lock-out
    late = sorted(1000 * (arrived - t) for arrived, t in zip(host.arrivals, driven, strict=True))
    print(f"edge at the unit to listener over USB: median {late[EVENTS // 2]:.1f} ms, most {late[-1]:.1f} ms")
    assert host.levels() == [k % 2 == 0 for k in range(EVENTS)]


def test_nothing_is_lost_or_doubled_when_the_cable_is_pulled_again_and_again(board, host):
    count = 0
    for _ in range(ROUNDS):
        host.until_connected()
        for level in (0, 1, 0, 1):
            before = board.recorded()
            board.drive(level)
            host.until(lambda: board.recorded() > before)  # noqa: B023
            count += 1
        board.unplug()
        host.until(lambda: host.unit.trouble() is not None)
        board.plug()
    host.wait_for(count)
    assert host.levels() == [k % 2 == 0 for k in range(count)]
    assert [event.sequence for event in host.events] == list(range(1, count + 1))


def test_a_disc_that_fell_in_while_the_cable_was_out_is_seen(board, host):
    board.unplug()
    board.level = 0
    board.plug()
    host.wait_for(1)
    assert host.levels() == [True]
