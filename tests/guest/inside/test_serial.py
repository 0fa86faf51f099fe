"""The serial port as a real USB device: the link's contract, and the shipped firmware behind it."""

import time

import pytest

from hardware.serial_link import SerialLink
from tests.firmware_bridge.board import Board
from tests.firmware_bridge.host import Host
from tests.guest.inside.usb_gadget import HOST, Cable
from tests.hardware.bytelink_contract import ByteLinkContract

EVENTS = 60
ROUNDS = 2


class UsbBench(Cable):
    def __init__(self):
        super().__init__()
        self.link = SerialLink(str(HOST))

    def close(self):
        self.link.close()
        self.unplug()


class TestSerialLink(ByteLinkContract):
    def make(self):
        return UsbBench()


@pytest.fixture
def board(tmp_path):
    board = Board(tmp_path, terminal=Cable())
    yield board
    board.close()


@pytest.fixture
def host(board):
    host = Host(board)
    host.until_connected()
    yield host
    host.unit.close()


def test_an_edge_at_the_unit_becomes_an_event(board, host):
    driven = []
    for k in range(EVENTS):
        driven.append(board.drive(k % 2))
        host.wait_for(k + 2)
        time.sleep(0.03)  # beyond the lock-out
    late = sorted(1000 * (arrived - t) for arrived, t in zip(host.arrivals[1:], driven, strict=True))
    print(f"edge at the unit to listener over USB: median {late[EVENTS // 2]:.1f} ms, most {late[-1]:.1f} ms")
    assert host.levels() == [k % 2 == 1 for k in range(EVENTS + 1)]


def test_a_cable_that_is_pulled_again_and_again_leaves_the_level_unknown_until_it_is_back(board, host):
    for level in (0, 1) * ROUNDS:
        board.unplug()
        host.until(lambda: host.unit.occupied() is None)
        board.level = level
        board.plug()
        host.until(lambda level=level: host.unit.occupied() is (level == 0))
    known = [level for level in host.levels() if level is not None]
    assert known == [False, *[True, False] * ROUNDS]
    assert all(event.missed in (0, None) for event in host.events)
