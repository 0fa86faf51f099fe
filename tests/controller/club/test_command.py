"""`crokinole-table club`: a whole evening on a machine without a broker, and an end without noise."""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from urllib.request import urlopen

import pytest

from controller.club.broker.running import mosquitto_found
from controller.club.direct import Direct
from controller.club.mqtt import Acknowledged, Came
from controller.club.office import Office
from controller.club.simulated import SimulatedTable
from controller.club.simulated_evening import SimulatedEvening
from controller.club.tournament import NextRound
from controller.club.wire import written
from tests.controller.club.a_club import TOPICS, a_hub, a_store, an_evening, do, play
from tests.soak.http import free_port
from tests.web_ui.conftest import eventually


@pytest.fixture
def hub(tmp_path):
    store = a_store(f"sqlite:///{tmp_path / 'club.sqlite'}")
    yield a_hub(store)
    store.close()


def test_without_a_broker_a_table_hears_and_is_heard_as_with_one(hub):
    an_evening(hub, 4, boards=("t1", "t2"))
    direct, table, told = Direct(hub), SimulatedTable("t1", seed=1), []
    session = direct.connect("t1", told.append)
    session.subscribe({TOPICS.assignment("t1"): 1, TOPICS.resend("t1"): 1})
    table.assigned(told.pop().payload)
    assert table.next is None
    do(hub, NextRound())
    table.assigned(told.pop().payload)
    play(table)
    late = table.batch().model_copy(update={"first": 2, "events": table.batch().events[1:]})
    number = session.publish(TOPICS.events("t1"), written(late), qos=1)
    assert [type(each) for each in told] == [Came, Acknowledged]
    assert told[1] == Acknowledged(number)
    table.asked(told[0].payload)
    session.publish(TOPICS.events("t1"), written(table.batch()), qos=1)
    match = next(match for match in hub.tournament.state.matches.values() if match.board == "t1")
    assert match.result.points == tuple(table.state.score.values())


def test_a_simulated_evening_needs_no_broker(hub):
    evening = SimulatedEvening(hub, Office(hub, "Club"), Direct(hub).connect, pace=0.2)
    evening.start()
    try:
        eventually(lambda: any(match.over for match in hub.tournament.state.matches.values()), "a result", seconds=30)
    finally:
        evening.stop()


BROKERED = pytest.param(True, marks=pytest.mark.skipif(mosquitto_found() is None, reason="mosquitto is not installed"))
RUN = "import controller.club.command as it; it.mosquitto_found = {found}; it.run_club(None, {port})"


@pytest.mark.slow
@pytest.mark.parametrize("brokered", [BROKERED, False])
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_at_once_and_says_nothing(brokered, how):
    port = free_port()
    program = RUN.format(found="it.mosquitto_found" if brokered else "lambda: None", port=port)
    club = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, process_group=0
    )

    def board():
        with suppress(OSError), urlopen(f"http://127.0.0.1:{port}/api/evening", timeout=5) as answer:
            return any(board["now"] and board["now"]["started"] for board in json.load(answer)["boards"])

    try:
        eventually(board, "a match at a board", seconds=60)
        with urlopen(f"http://127.0.0.1:{port}/events", timeout=5):  # somebody looks on
            began = time.monotonic()
            if how == signal.SIGINT:
                os.killpg(club.pid, how)  # as Ctrl-C does: to all that the terminal has begun
            else:
                club.send_signal(how)
            said, faults = club.communicate(timeout=30)
    finally:
        club.kill()
        club.wait()
    assert club.returncode == 0
    assert time.monotonic() - began < 10
    assert ("There is no MQTT broker on this machine" in said) is not brokered
    assert [line for line in faults.splitlines() if not line.startswith("INFO ")] == []
