import itertools
import random
from collections.abc import Mapping

import pytest

from firmware_bridge import frames, messages
from firmware_bridge.delivery import Gap, Report
from firmware_bridge.errors import BadSetting, BridgeError
from firmware_bridge.messages import Ack, Event, Hello, HelloAck, Ping, Pong, SettingsAck
from firmware_bridge.session import PING_EVERY, SILENT_AFTER, Session
from firmware_bridge.settings import Settings
from firmware_bridge.unit_texts import NO_ANSWER
from hardware.devices import HoleEvent

STREAM, BOOT = 500, 600
IN_FORCE = messages.settings_crc(Settings().message())


class Talk:
    """A session, and the unit's part of the talk written by hand."""

    def __init__(self, cursors: Mapping[int, int] | None = None, device: str | None = None) -> None:
        self.session = Session(cursors or {}, device=device, settings=Settings(), random_source=random.Random(1))
        self.session.connected(0.0)

    def sent(self, now: float) -> list[object]:
        raws = frames.Splitter().feed(self.session.send(now))
        return [messages.decode(*frame) for raw in raws if (frame := frames.decode(raw))]

    def hear(self, *said: tuple[int | bytes, ...], now: float) -> list[Report]:
        return self.session.receive(b"".join(messages.encode(message) for message in said), now)

    def nonce(self, now: float, kind: type) -> int:
        return next(message.nonce for message in self.sent(now) if isinstance(message, kind))  # type: ignore[attr-defined]

    def meet(self, now: float = 0.0, **fields: object) -> list[Report]:
        answer = {
            "nonce": self.nonce(now, Hello), "minor": 0, "firmware": 1, "device": b"UNIT0001", "stream": STREAM,
            "boot": BOOT, "reset": 0, "time_us": 0, "oldest": 1, "next": 1, "dropped": 0, "settings": IN_FORCE,
            "occupied": 0, "fitted": 0, "presses": 0,
        }  # fmt: skip
        return self.hear(HelloAck(**(answer | fields)), now=now)

    def beat(self, now: float, **fields: object) -> list[Report]:
        answer = {
            "nonce": self.nonce(now, Ping), "boot": BOOT, "time_us": round(now * 1e6), "oldest": 1, "next": 1,
            "dropped": 0, "loop_us": 0, "faults": 0, "occupied": 0, "withheld": 0,
        }  # fmt: skip
        return self.hear(Pong(**(answer | fields)), now=now)


def event(sequence: int, oldest: int = 1, stream: int = STREAM, boot: int = BOOT, time_us: int = 0) -> Event:
    return Event(stream, oldest, sequence, boot, time_us, sequence % 2, 0, 0, 0, 0)


def sequences(reports: list[Report]) -> list[int | None]:
    return [report.sequence for report in reports if isinstance(report, HoleEvent)]


# Meeting.


@pytest.fixture
def talk():
    return Talk()


def test_nothing_counts_before_the_handshake(talk):
    assert talk.hear(event(1), now=0.0) == []
    assert talk.session.occupied() is None


def test_an_answer_to_another_question_is_no_handshake(talk):
    talk.sent(0.0)
    assert talk.hear(HelloAck(12345, 0, 1, b"UNIT0001", STREAM, BOOT, 0, 0, 1, 1, 0, IN_FORCE, 1, 0, 0), now=0.1) == []
    assert talk.session.occupied() is None


def test_a_late_answer_to_an_earlier_hello_is_accepted(talk):
    first = talk.nonce(0.0, Hello)
    assert talk.nonce(1.0, Hello) != first
    talk.hear(HelloAck(first, 0, 1, b"UNIT0001", STREAM, BOOT, 0, 0, 1, 1, 0, IN_FORCE, 1, 0, 0), now=1.1)
    assert talk.session.occupied() is True


def test_only_the_last_eight_questions_can_still_be_answered(talk):
    first = talk.nonce(0.0, Hello)
    for k in range(8):
        talk.sent(10.0 * (k + 1))
    talk.hear(HelloAck(first, 0, 1, b"UNIT0001", STREAM, BOOT, 0, 0, 1, 1, 0, IN_FORCE, 1, 0, 0), now=81.0)
    assert talk.session.occupied() is None


def test_a_new_connection_begins_with_a_zero_that_ends_old_garbage(talk):
    assert talk.session.send(0.0).startswith(b"\0")
    assert not talk.session.send(0.5).startswith(b"\0")
    talk.session.lost("unplugged")
    talk.session.connected(1.0)
    assert talk.session.send(1.0).startswith(b"\0")


def test_greetings_slow_down_and_the_silence_is_reported(talk):
    times = []
    now = 0.0
    while now < 40:
        if talk.sent(now):
            times.append(now)
        now = talk.session.wake()
    pauses = [round(b - a, 3) for a, b in itertools.pairwise(times)]
    assert pauses[:5] == [0.5, 1.0, 2.0, 4.0, 5.0]
    assert set(pauses[4:]) == {5.0}
    assert talk.session.trouble() == NO_ANSWER


def test_the_first_greeting_is_no_trouble_yet_and_the_handshake_ends_it(talk):
    talk.sent(0.0)
    assert talk.session.trouble() is None
    talk.sent(0.5)
    assert talk.session.trouble() == NO_ANSWER
    talk.meet(2.0)
    assert talk.session.trouble() is None


def test_a_device_that_is_no_unit_is_distinguished_from_silence(talk):
    for now in (0.0, 0.5, 1.5):
        talk.sent(now)
        talk.session.receive(b"$GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*47\r\n" * 2, now + 0.1)
    assert "name the right port" in str(talk.session.trouble())
    talk.session.receive(b"\0", 4.9)
    talk.meet(5.0)
    assert talk.session.trouble() is None


def test_another_device_is_reported_by_name_until_the_right_one_answers():
    talk = Talk(device=b"UNIT0001".hex().upper())
    talk.meet(0.0, device=b"OTHER001", occupied=1)
    assert talk.session.occupied() is None
    assert b"OTHER001".hex() in str(talk.session.trouble())
    assert talk.hear(event(1), now=0.2) == []
    talk.meet(1.0)
    assert talk.session.trouble() is None
    assert talk.session.occupied() is False


@pytest.mark.parametrize(("major", "whose"), [(0, "crokinole-table flash"), (2, "table's software")])
def test_another_major_version_says_which_side_to_update(talk, major, whose):
    talk.sent(0.0)
    talk.session.receive(frames.encode(major << 4 | 2, b"whatever that version says"), 0.1)
    assert whose in str(talk.session.trouble())


def test_another_minor_version_with_more_fields_is_understood(talk):
    nonce = talk.nonce(0.0, Hello)
    answer = HelloAck(nonce, 7, 1, b"UNIT0001", STREAM, BOOT, 0, 0, 1, 1, 0, IN_FORCE, 1, 0, 0)
    talk.session.receive(frames.encode(messages.MAJOR << 4 | 2, messages.pack(answer) + b"more"), 0.1)
    assert talk.session.occupied() is True


# Settings.


def test_settings_are_sent_until_the_checksum_agrees(talk):
    talk.meet(settings=IN_FORCE ^ 1)
    assert Settings().message() in talk.sent(0.0)
    talk.hear(SettingsAck(IN_FORCE ^ 2), now=0.1)
    assert Settings().message() in talk.sent(0.6)
    talk.hear(SettingsAck(IN_FORCE), now=0.7)
    assert Settings().message() not in talk.sent(1.2)


def test_settings_that_are_never_confirmed_are_trouble(talk):
    talk.meet(settings=0)
    for k in range(6):
        talk.sent(0.5 * k)
    assert "settings" in str(talk.session.trouble())


@pytest.mark.parametrize("lockout", [0.0, -1.0, 5.0, float("nan")])
def test_invalid_settings_are_refused_with_the_range(lockout):
    with pytest.raises(BadSetting, match=r"0\.001 and 1\.0") as refused:
        Settings(lockout=lockout).message()
    assert isinstance(refused.value, BridgeError)


# Events.


def test_events_are_reported_once_and_in_order(talk):
    talk.meet()
    assert sequences(talk.hear(event(1), event(2), event(1), now=0.1)) == [1, 2]
    assert sequences(talk.hear(event(2), event(4), event(3), now=0.2)) == [3]
    assert sequences(talk.hear(event(4), now=0.3)) == [4]


def test_what_is_committed_is_not_reported_again_after_a_restart():
    talk = Talk(cursors={STREAM: 2, 9999: 70})
    talk.meet()
    assert sequences(talk.hear(event(1), event(2), event(3), now=0.1)) == [3]


def test_nothing_is_acknowledged_before_its_commit(talk):
    talk.meet()
    talk.sent(0.0)
    reports = talk.hear(event(1), event(2), now=0.1)
    assert talk.sent(0.1) == []
    talk.session.acknowledge(reports[0])
    assert talk.sent(0.2) == [Ack(STREAM, 1)]
    talk.session.acknowledge(reports[1])
    assert talk.sent(0.2) == [Ack(STREAM, 2)]
    talk.session.acknowledge(reports[0])
    assert talk.sent(0.2) == []


def test_a_lost_acknowledgement_is_repeated_when_the_event_is(talk):
    talk.meet()
    for report in talk.hear(event(1), now=0.1):
        talk.session.acknowledge(report)
    talk.sent(0.1)
    assert talk.hear(event(1), now=0.4) == []
    assert talk.sent(0.4) == [Ack(STREAM, 1)]


def test_an_event_of_another_stream_is_ignored(talk):
    talk.meet()
    assert talk.hear(event(1, stream=STREAM + 1), now=0.1) == []


def test_a_report_that_was_taken_back_is_repeated(talk):
    talk.meet()
    reports = talk.hear(event(1), event(2), now=0.1)
    talk.session.retract(reports[0])
    assert sequences(talk.hear(event(1), event(2), now=0.4)) == [1, 2]


# Gaps.


def test_a_missing_event_that_may_still_come_is_no_gap(talk):
    talk.meet()
    assert talk.hear(event(3, oldest=1), now=0.1) == []
    assert sequences(talk.hear(event(1), event(2), event(3), now=0.4)) == [1, 2, 3]


def test_an_event_that_can_never_come_is_a_gap_before_the_next_one():
    talk = Talk(cursors={STREAM: 4})
    talk.meet(oldest=5, next=5)
    gap, following = talk.hear(event(8, oldest=8), now=0.1)
    assert gap == Gap(STREAM, 5, 7)
    assert following.sequence == 8


@pytest.mark.parametrize("by", ["handshake", "heartbeat"])
def test_a_loss_at_the_end_is_seen_without_another_event(by):
    talk = Talk(cursors={STREAM: 4})
    if by == "handshake":
        assert talk.meet(oldest=7, next=7) == [Gap(STREAM, 5, 6)]
    else:
        talk.meet(oldest=5, next=5)
        assert talk.beat(0.0, oldest=7, next=7) == [Gap(STREAM, 5, 6)]
    assert talk.session.counts.gaps == 1
    assert talk.beat(2.0, oldest=7, next=7) == []


def test_a_gap_is_acknowledged_like_an_event():
    talk = Talk(cursors={STREAM: 4})
    (gap,) = talk.meet(oldest=7, next=7)
    talk.sent(0.0)
    talk.session.acknowledge(gap)
    assert talk.sent(0.1) == [Ack(STREAM, 6)]


def test_an_unknown_unit_begins_with_its_oldest_event(talk):
    assert talk.meet(oldest=40, next=41) == []
    assert sequences(talk.hear(event(40, oldest=40), now=0.1)) == [40]


def test_a_unit_that_lost_events_that_we_hold_is_a_gap_and_gets_our_last_number():
    talk = Talk(cursors={STREAM: 9})
    assert talk.meet(oldest=6, next=7) == [Gap(STREAM, 7, 9)]
    assert Ack(STREAM, 9) in talk.sent(0.0)
    talk.beat(PING_EVERY, oldest=6, next=7)
    assert Ack(STREAM, 9) in talk.sent(PING_EVERY)


# Heartbeat, level, clock.


def test_the_level_follows_handshake_heartbeat_and_newest_event(talk):
    talk.meet(occupied=1, oldest=1, next=4)
    assert talk.session.occupied() is True
    talk.hear(event(2), now=0.1)  # waits, and is older than the handshake's level
    talk.hear(event(1), event(2), now=0.2)  # cleared, but that was before
    assert talk.session.occupied() is True
    talk.hear(event(3), event(4), now=0.3)
    assert talk.session.occupied() is False
    talk.beat(1.0, next=6, occupied=1)
    assert talk.session.occupied() is True


def test_a_late_heartbeat_does_not_overrule_a_newer_event(talk):
    talk.meet()
    asked = talk.nonce(0.0, Ping)
    talk.hear(event(1), now=0.1)
    talk.hear(Pong(asked, BOOT, 0, 1, 1, 0, 0, 0, 0, 0), now=0.2)
    assert talk.session.occupied() is True


def test_silence_is_noticed_and_answered_with_greetings(talk):
    talk.meet(occupied=1)
    now = 0.0
    while now < SILENT_AFTER:
        assert not any(isinstance(message, Hello) for message in talk.sent(now))
        now = talk.session.wake()
    assert any(isinstance(message, Hello) for message in talk.sent(SILENT_AFTER + 0.01))
    assert talk.session.occupied() is None
    assert talk.session.trouble() == NO_ANSWER
    talk.meet(now + 10)
    assert talk.session.trouble() is None


def test_a_unit_that_rebooted_unnoticed_is_greeted_at_once(talk):
    talk.meet()
    talk.beat(0.0, boot=BOOT + 1)
    assert talk.session.occupied() is None
    assert any(isinstance(message, Hello) for message in talk.sent(0.0))


def test_event_times_are_ours_and_never_in_the_future(talk):
    talk.meet(100.0, time_us=5_000_000)
    (early, late) = talk.hear(event(1, time_us=5_500_000), event(2, time_us=99_000_000), now=101.0)
    assert isinstance(early, HoleEvent)
    assert isinstance(late, HoleEvent)
    assert early.t == pytest.approx(100.5, abs=1e-6)
    assert late.t == 101.0


def test_an_event_of_an_earlier_boot_keeps_its_time_or_is_dated_before_the_present_one(talk):
    talk.meet(100.0, time_us=5_000_000)
    talk.session.connected(200.0)
    talk.meet(200.0, boot=BOOT + 1, next=3, time_us=50_000_000)
    known, unknown = talk.hear(event(1, time_us=6_000_000), event(2, boot=77, time_us=1), now=201.0)
    assert isinstance(known, HoleEvent)
    assert isinstance(unknown, HoleEvent)
    assert known.t == pytest.approx(101.0, abs=1e-6)
    assert unknown.t == pytest.approx(150.0, abs=1e-6)  # the start of the present boot: it was not later


@pytest.mark.parametrize(("faults", "word"), [(1, "damaged"), (2, "write")])
def test_the_units_own_faults_are_reported(talk, faults, word):
    talk.meet()
    talk.beat(0.0, faults=faults)
    assert word in str(talk.session.trouble())


def test_a_lost_link_says_why_and_sends_nothing(talk):
    talk.meet()
    talk.session.lost("the cable is out")
    assert talk.session.trouble() == "the cable is out"
    assert talk.sent(5.0) == []
    assert talk.session.occupied() is None


# The recorder.


def test_the_last_hundred_frames_each_way_are_kept_and_decoded(talk):
    talk.meet()
    for k in range(150):
        talk.beat(k * 1.0)
    talk.session.receive(b"\x05junk\0", 151.0)
    lines = talk.session.log.lines()
    assert sum(" in " in line for line in lines) == 100
    assert sum(" out " in line for line in lines) == 100
    assert lines[-1] == "151.000000 in damaged 056a756e6b"
    assert "Pong(nonce=" in lines[-2]
    assert talk.session.counts.damaged == 1
