"""The firmware's core by hand: what it senses, and what it says when."""

from firmware_bridge import messages
from firmware_bridge.firmware.core import BUTTON_LOCKOUT_MS, COPIES, COPY_MS, EVERY_MS, HOST_SILENT_MS, Unit
from tests.firmware_bridge.fuzz import ORDERS

EMPTY, FULL = 1, 0


class Desk:
    """A unit on the desk; `now` in milliseconds."""

    def __init__(self):
        self.now = 100
        self.level = EMPTY
        self.unit = Unit(5, 6, 7, 0)

    def order(self, **changes):
        self.unit.receive(messages.encode(messages.HOST, ORDERS._replace(**changes)), self.now)
        return self.turn()

    def turn(self, ms=0):
        """The line that it sends, if any."""
        self.now += ms
        self.unit.sense(self.now, self.level)
        lines = messages.Lines().feed(self.unit.step(self.now))
        (line,) = lines or [None]
        return messages.status(*messages.decode(line)) if line else None

    def drive(self, level):
        self.level = level
        return self.turn()


def test_it_says_nothing_and_senses_nothing_before_orders_and_then_the_level_counts():
    desk = Desk()
    desk.level = FULL
    assert [desk.turn(EVERY_MS) for _ in range(3)] == [None] * 3
    status = desk.order()
    assert status[:6] == (5, 6, 7, 0, ORDERS.sent_ms, desk.now)
    assert status[6:11] == (1, 1, 0, desk.now, desk.now)


def test_a_change_is_said_at_once_and_again_and_everything_twice_a_second():
    desk = Desk()
    desk.order()
    desk.turn(COPY_MS)
    lines = [desk.drive(FULL)] + [desk.turn(1) for _ in range(2000)]
    sent = [line.now_ms - desk.now + 2000 for line in lines if line]
    copies = [k * COPY_MS for k in range(COPIES)]
    assert sent == [*copies, *(copies[-1] + k * EVERY_MS for k in range(1, 4))]


def test_a_flood_of_changes_sends_no_more_lines_than_its_copies():
    desk = Desk()
    desk.order(lockout_ms=1)
    sent = [desk.turn(1) for k in range(1000) if desk.drive(k % 2) or True]
    assert sum(line is not None for line in sent) <= 1000 / COPY_MS + 1
    status = desk.turn(COPY_MS)
    assert (status.rises, status.falls) == (500, 500)


def test_nobody_who_listens_turns_it_silent_and_dark():
    desk = Desk()
    desk.order(signal=1, red=200)
    assert desk.unit.lamps(desk.now) == (1, 200, 0, 0)
    desk.now += HOST_SILENT_MS
    assert desk.turn() is None
    assert desk.unit.lamps(desk.now) == (0, 0, 0, 0)
    desk.unit.receive(messages.encode("hello", ()), desk.now)
    assert desk.turn() is not None


def test_another_polarity_is_a_change_and_impossible_orders_change_nothing():
    desk = Desk()
    assert desk.order().level == 0
    desk.turn(COPY_MS)
    assert desk.order(active_low=0).level == 1
    for wrong in ({"lockout_ms": 0}, {"lockout_ms": 1001}, {"active_low": 2}, {"signal": 5}):
        desk.turn(EVERY_MS)
        status = desk.order(**{"active_low": 1, "sent_ms": 99, **wrong})
        assert (status or desk.turn(EVERY_MS)).heard_ms == ORDERS.sent_ms


def test_only_a_known_restart_ends_it():
    desk = Desk()
    for numbers in ((), (2,), (1, 1)):
        desk.unit.receive(messages.encode(messages.RESTART, numbers), desk.now)
        assert desk.unit.leave is None
    desk.unit.receive(messages.encode(messages.RESTART, (messages.PROMPT,)), desk.now)
    assert desk.unit.leave == messages.PROMPT


def test_chattering_buttons_count_once_and_one_that_is_stuck_never():
    desk = Desk()
    desk.order()
    for ms in range(0, 400, 2):
        down = ms % 4 < 2 if ms < 20 else 20 <= ms < 100 + BUTTON_LOCKOUT_MS
        desk.unit.press(desk.now + ms, 0, int(down and ms > 0))
        desk.unit.press(desk.now + ms, 1, 1)
    status = desk.turn(400)
    assert (status.undo, status.confirm) == (1, 0)
