"""A table that runs wild at the real Mosquitto harms nobody else: others are heard, and the disk does not fill."""

import subprocess
import sys
import time
from contextlib import closing

from controller.club.broker_connection import MOST_OF_ONE, BrokerConnection, Inbox
from controller.club.hub.message_intake import BURST, OVERHEAD
from controller.club.simulated_evening import PlayingTable, at_broker
from controller.club.simulated_table import SimulatedTable
from controller.link.mqtt import Broker, MessageReceived, SessionEnded
from tests.controller.club import mosquitto
from tests.controller.club.a_club import CLUB, a_hub, a_store, begun
from tests.controller.club.mosquitto import Club, password
from tests.slow import slow
from tests.waiting import eventually

assert CLUB == mosquitto.CLUB


def came(table, kind="events", payload=b""):
    return MessageReceived(f"crokinole/1/our-club/table/{table}/{kind}", payload, False)


def test_tables_take_turns_and_each_is_heard_in_order():
    inbox = Inbox()
    for k in range(3):
        inbox.put(came("t1", payload=b"%d" % k))
    inbox.put(came("t1", "status"))
    inbox.put(came("t2"))
    heard = [inbox.get(0.0) for _ in range(6)]
    assert [one and one.topic.split("/")[4] for one in heard] == ["t1", "t2", "t1", "t1", "t1", None]
    assert [one.payload for one in heard if one and "t1/events" in one.topic] == [b"0", b"1", b"2"]


def test_too_much_of_one_table_is_let_go_and_the_sessions_end_is_heard_first():
    inbox = Inbox()
    for _ in range(2 * MOST_OF_ONE):
        inbox.put(came("t1"))
    inbox.put(came("t2"))
    heard = 0
    while inbox.get(0.0):
        heard += 1
    assert heard == MOST_OF_ONE + 1
    inbox.put(came("t1"))
    inbox.put(SessionEnded("gone"))
    assert inbox.get(0.0) == SessionEnded("gone")


@slow
@mosquitto.needed
def test_a_table_that_runs_wild_harms_nobody_else(tmp_path):
    store = a_store(f"sqlite:///{tmp_path / 'club.sqlite'}")
    with closing(store), closing(Club(tmp_path / "broker")) as broker:
        hub = a_hub(store, steady=time.monotonic)
        begun(hub, players=2, boards=("t1", "t2"))
        url = broker.running.url
        link = BrokerConnection(hub, Broker.at(url, "_hub", password("_hub")))
        link.start()
        wild = [sys.executable, "-m", "tests.controller.club.flood", url, password("t2"), CLUB, "t2", "t1"]
        flood = subprocess.Popen(wild)
        honest = PlayingTable(CLUB, SimulatedTable("t1", seed=1), at_broker(url, {"t1": password("t1")}), pace=0.5)
        try:
            eventually(lambda: store.last_of("t2", "f" * 32) > 5_000, "the flood has come", seconds=60)
            honest.start()
            eventually(lambda: not hub.tournament.state.open_matches, "the honest table's result", seconds=60)
            assert flood.poll() is None
            eventually(
                lambda: any(table == "t2" for table, _ in hub.intake.troubles), "the trouble is shown", seconds=30
            )
        finally:
            honest.stopping.set()
            flood.kill()
            flood.wait()
            link.stop()
        (match,) = hub.tournament.state.matches.values()
        assert match.result.points == tuple(honest.table.state.score.values())
        kept = [event for (table, journal), event in store.events_since(0, store.version()) if table == "t1"]
        assert [event.number for event in kept] == [event.id for event in honest.table.events]
        assert store.last_of("t2", "f" * 32) * OVERHEAD <= BURST + 100 * OVERHEAD
        assert not any(table == "t1" for table, _ in hub.intake.troubles)
