import pytest

from firmware_bridge import frames, messages
from firmware_bridge.firmware.core import HOST_SILENT_US, LOGS_KEPT, RESEND_US, SLOW_OVER_US, WINDOW, Unit
from firmware_bridge.firmware.journal import Journal, Store
from firmware_bridge.messages import Ack, Event, Hello, HelloAck, Ping, Pong, Reboot, Settings, SettingsAck

STREAM, EMPTY, FULL = 77, 1, 0


class Desk:
    """A unit on the desk; `now` in microseconds."""

    def __init__(self, store: Store | None = None, boot: int = 9) -> None:
        self.now = 0
        self.level = EMPTY
        self.unit = Unit(Journal(store or Store(), STREAM), b"UNIT0001", boot, 0, 5, 0, EMPTY)

    def say(self, *said: tuple[int | bytes, ...]) -> list[object]:
        self.unit.receive(b"".join(messages.encode(message) for message in said), self.now)
        return self.hear()

    def hear(self) -> list[object]:
        raws = frames.Splitter().feed(self.unit.step(self.now))
        return [messages.decode(*frame) for raw in raws if (frame := frames.decode(raw))]

    def edges(self, count: int) -> None:
        for _ in range(count):
            self.now += 25_000
            self.level = FULL if self.level == EMPTY else EMPTY
            self.unit.sense(self.now, self.level)


def numbers(heard: list[object]) -> list[int]:
    return [message.sequence for message in heard if isinstance(message, Event)]


@pytest.fixture
def desk():
    return Desk()


def test_it_sends_nothing_before_a_greeting_and_keeps_everything(desk):
    desk.edges(3)
    assert desk.hear() == []
    (answer, *events) = desk.say(Hello(0, 42))
    assert isinstance(answer, HelloAck)
    assert (answer.nonce, answer.oldest, answer.next, answer.occupied) == (42, 1, 4, 1)
    assert numbers(events) == [1, 2, 3]


def test_a_window_of_events_is_sent_and_repeated_until_acknowledged(desk):
    desk.edges(6)
    window = list(range(1, WINDOW + 1))
    assert numbers(desk.say(Hello(0, 1))) == window
    desk.now += RESEND_US - 1
    assert numbers(desk.hear()) == []
    desk.now += 1
    assert numbers(desk.hear()) == window
    assert numbers(desk.say(Ack(STREAM, 2))) == [5, 6]
    desk.now += RESEND_US
    assert numbers(desk.hear()) == [3, 4, 5, 6]
    assert numbers(desk.say(Ack(STREAM, 6))) == []
    desk.now += RESEND_US
    assert desk.hear() == []


def test_an_acknowledgement_of_another_stream_is_ignored(desk):
    desk.edges(2)
    desk.say(Hello(0, 1), Ack(STREAM + 1, 2))
    assert desk.unit.journal.oldest == 1


def test_it_continues_after_the_hosts_last_number(desk):
    desk.edges(1)
    desk.say(Hello(0, 1), Ack(STREAM, 30))
    desk.edges(2)
    assert numbers(desk.hear()) == [31, 32]


def test_it_stops_sending_when_nobody_listens_and_continues_with_the_next_heartbeat(desk):
    desk.edges(1)
    desk.say(Hello(0, 1))
    desk.now += HOST_SILENT_US
    assert desk.hear() == []
    desk.edges(1)
    assert desk.hear() == []
    pong, *events = desk.say(Ping(8))
    assert isinstance(pong, Pong)
    assert (pong.nonce, pong.next) == (8, 3)
    assert numbers(events) == [1, 2]


def test_an_event_belongs_to_the_boot_in_which_it_happened():
    store = Store()
    Desk(store, boot=9).edges(2)
    after = Desk(store, boot=10)
    after.edges(1)
    heard = after.say(Hello(0, 1))
    assert [message.boot for message in heard if isinstance(message, Event)] == [9, 9, 10]


def test_a_level_that_changed_while_it_was_off_is_an_event_of_its_start():
    store = Store()
    Desk(store).edges(1)
    after = Desk(store, boot=10)
    entry = after.unit.journal.pending[-1]
    assert (entry.sequence, entry.boot, entry.time_us, entry.occupied) == (2, 10, 0, 0)


def test_settings_answer_with_the_checksum_in_force_and_impossible_ones_change_nothing(desk):
    good = Settings(50_000, 0)
    assert desk.say(good) == [SettingsAck(messages.settings_crc(good))]
    for bad in (Settings(999, 0), Settings(1_000_001, 0), Settings(50_000, 2)):
        assert desk.say(bad) == [SettingsAck(messages.settings_crc(good))]


def test_an_unknown_kind_of_reboot_is_ignored(desk):
    desk.say(Reboot(7))
    assert desk.unit.leave is None
    desk.say(Reboot(messages.INTO_REPL))
    assert desk.unit.leave == messages.INTO_REPL


def test_the_longest_turn_is_reported_once(desk):
    for pause in (1000, 70_000, 1000):
        desk.now += pause
        desk.hear()
    first, second = desk.say(Ping(1)) + desk.say(Ping(2))
    assert isinstance(first, Pong)
    assert isinstance(second, Pong)
    assert (first.loop_us, second.loop_us) == (70_000, 0)


def test_a_host_of_version_1_0_gets_no_presses_and_no_log(desk):
    desk.unit.log(messages.LOG_EDGES_LOST, 3)
    desk.unit.presses.sense(0, 0, 0)
    desk.unit.presses.sense(1, 0, 1)
    assert [type(said) for said in desk.say(Hello(0, 1))] == [HelloAck]
    assert [type(said) for said in desk.say(Hello(1, 2))] == [HelloAck, messages.Press, messages.Log]


def test_any_major_version_may_ask_for_the_prompt(desk):
    desk.unit.receive(frames.encode(5 << 4 | messages.REBOOT, bytes([messages.INTO_REPL])), 0)
    assert desk.unit.leave == messages.INTO_REPL


def test_a_slow_loop_is_logged_once_until_it_was_fast_for_a_minute(desk):
    desk.say(Hello(1, 1))
    sent = []
    for pause in (310_000, 1000, 400_000, 1000, 500_000):
        desk.now += pause
        sent += desk.say(Ping(1))
    for _ in range(SLOW_OVER_US // 100_000):
        desk.now += 100_000
        desk.say(Ping(1))
    desk.now += 300_000
    sent += desk.say(Ping(1))
    slow = [said for said in sent if isinstance(said, messages.Log)]
    assert slow == [messages.Log(messages.LOG_SLOW_TURN, us, 0) for us in (310_000, 300_000)]


def test_the_log_keeps_only_as_many_lines_as_fit(desk):
    for k in range(20):
        desk.unit.log(messages.LOG_EDGES_LOST, k)
    said = desk.say(Hello(1, 1))
    assert [log.a for log in said if isinstance(log, messages.Log)] == list(range(LOGS_KEPT))


def test_another_major_version_is_answered_in_ours_with_nonce_0(desk):
    desk.unit.receive(frames.encode(2 << 4 | 1, b"hello from the future"), 0)
    (answer,) = desk.hear()
    assert isinstance(answer, HelloAck)
    assert answer.nonce == 0
