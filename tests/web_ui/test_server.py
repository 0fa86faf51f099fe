"""The running server over real sockets: the stream, slow and silent listeners, starting and stopping."""

import json
import logging
import os
import re
import shutil
import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from pydantic import ValidationError

import web_ui.events
import web_ui.server
from tests import loopback
from tests.slow import slow
from tests.waiting import eventually
from tests.web_ui.fake_table import FakeTable
from tests.web_ui.played_table import health
from web_ui import AddressUnavailable, Server, create_app
from web_ui.server import address

HOTSPOT = hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("ip") and Path("/dev/net/tun").exists()


def ask(query=""):
    """A request for the stream."""
    return f"GET /events{query} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()


def events(connection, query=""):
    """The events of a stream, with the comments that a browser hides."""
    connection.sendall(ask(query))
    reader = connection.makefile("rb")
    assert loopback.head(reader)[0] == 200
    for event in loopback.events(reader):
        if "retry" not in event:
            yield {name or "comment": value for name, value in event.items()}


def get(server, path):
    with urlopen(Request(server.url + path)) as answer:
        return json.loads(answer.read())


def listeners(server):
    return int(get(server, "health")["web"]["pages_open"])


def test_the_state_in_a_page_is_not_sent_again_while_it_is_the_newest(serve, connect, table):
    server = serve()
    (mark,) = re.findall('data-mark="(.+?)"', urlopen(server.url + "?language=pl").read().decode())
    stream = events(connect(server), f"?language=pl&mark={mark}")
    assert next(stream) == {"event": "unchanged", "data": "{}"}
    published = table.publish(next_step="the next")
    assert int(next(stream)["id"]) == published.id
    late = next(events(connect(server), f"?language=pl&mark={mark}"))
    assert json.loads(late["data"])["match"]["next_step"] == "the next"


def test_every_change_arrives_in_order_and_a_listener_that_comes_back_gets_the_newest(serve, connect, table):
    server = serve()
    stream = events(connect(server))
    next(stream)
    for number in range(20):
        published = table.publish(next_step=f"step {number}")
        arrived = next(stream)
        assert int(arrived["id"]) == published.id
        assert json.loads(arrived["data"])["match"]["next_step"] == f"step {number}"
    assert next(events(connect(server))) == arrived


def test_a_change_arrives_within_100_ms(serve, connect, table):
    server = serve()
    streams = []
    for _ in range(20):
        streams.append(events(connect(server)))
        next(streams[-1])  # at once: who is silent for long after connecting is cut off
    took = []
    for _ in range(40):
        began = time.perf_counter()
        table.publish()
        next(streams[0])
        took.append(time.perf_counter() - began)
    assert statistics.median(took) < 0.1, took


def test_changes_from_many_threads_end_with_the_newest(serve, connect, table):
    stream = events(connect(serve()))
    threads = [threading.Thread(target=lambda: [table.publish() for _ in range(50)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    ids = [int(next(stream)["id"])]
    while ids[-1] < 61 + 200:
        ids.append(int(next(stream)["id"]))
    for thread in threads:
        thread.join()
    assert ids == sorted(set(ids))


def test_a_quiet_stream_shows_that_it_lives(serve, connect):
    stream = events(connect(serve(heartbeat=0.02)))
    next(stream)
    for _ in range(3):
        assert next(stream) == {"comment": "still here", "event": "beat", "data": '{"clock": 1000.000}'}


def test_a_slow_listener_skips_to_the_newest_and_holds_nobody_up(serve, connect, table):
    server = serve()
    slow, fast = events(connect(server, buffer=4096)), events(connect(server))
    next(slow)
    next(fast)
    padding = "x" * 60_000  # more than the buffers between them hold
    for _ in range(60):
        newest = table.publish(next_step=padding)
        while int(next(fast)["id"]) < newest.id:
            pass
    received = [int(next(slow)["id"])]
    while received[-1] < newest.id:
        received.append(int(next(slow)["id"]))
    assert received == sorted(received)
    assert len(received) < 45, "it did not get all that was published while it did not read"


def test_a_stream_ends_when_its_browser_leaves(serve, connect):
    server = serve(heartbeat=0.02)
    connections = [connect(server) for _ in range(30)]
    for connection in connections:
        next(events(connection))
    assert listeners(server) == 30
    for connection in connections:
        connection.close()
    eventually(lambda: listeners(server) == 0, "all streams closed")


def test_who_neither_reads_nor_leaves_is_dropped(serve, connect, table, monkeypatch, caplog, capfd):
    caplog.set_level(logging.INFO)
    monkeypatch.setattr(web_ui.server, "PATIENCE", 1.0)
    server = serve(heartbeat=0.02)
    silent, half = connect(server, buffer=4096), connect(server)
    silent.sendall(ask())
    half.sendall(b"GET /events HT")
    stream = server._stream
    eventually(lambda: stream.listeners == 1, "the stream is open")
    padding = "x" * 200_000
    eventually(lambda: table.publish(next_step=padding) and stream.listeners == 0, "the stream is closed")
    assert half.recv(100) == b""
    assert caplog.text == ""
    assert capfd.readouterr() == ("", ""), "who blocks must not fill the log"


def test_a_blocking_command_holds_no_stream_up(serve, connect, table):
    server = serve()
    stream = events(connect(server))
    next(stream)
    entered, release = threading.Event(), threading.Event()

    def blocked():
        entered.set()
        release.wait(10)
        return health()

    table.health = blocked
    asking = threading.Thread(target=get, args=(server, "health"))
    asking.start()
    assert entered.wait(10)
    newest = table.publish()
    assert int(next(stream)["id"]) == newest.id
    release.set()
    asking.join()


def test_stopping_ends_streams_and_frees_everything(serve, connect, table):
    server = serve()
    stream = events(connect(server))
    next(stream)
    idle = connect(server)
    idle.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
    answer = b""
    while not answer.endswith(b"}\n"):
        answer += idle.recv(65536)
    server.stop()
    server.stop()
    assert list(stream) == []
    assert idle.recv(100) == b""
    assert table.listeners == []
    table.publish()  # nobody listens any more, and nothing breaks
    assert not [thread for thread in threading.enumerate() if thread.name == "scoreboard"]
    assert serve(port=server.port).port == server.port


def test_a_taken_port_is_reported_in_words(serve, table):
    taken = serve().port
    with pytest.raises(AddressUnavailable, match=f"Another program already uses 127.0.0.1 port {taken}"):
        Server(create_app(table), "127.0.0.1", taken).start()


def test_a_foreign_address_is_reported_in_words(table):
    with pytest.raises(AddressUnavailable, match=r"no address '203\.0\.113\.7'"):
        Server(create_app(table), "203.0.113.7", 0).start()


def test_a_table_that_fails_at_once_fails_the_start(table, monkeypatch):
    monkeypatch.delitem(table.state, "id")
    with pytest.raises(ValidationError):
        Server(create_app(table), "127.0.0.1", 0).start()
    assert table.listeners == []


def test_the_address_for_phones():
    assert address("192.168.1.5", 8000) == "http://192.168.1.5:8000/"
    assert address("::1", 80) == "http://[::1]:80/"
    assert "0.0.0.0" not in address("0.0.0.0", 8000)


@slow
@pytest.mark.skipif(not HOTSPOT, reason="no network of its own can be made here: it needs root and /dev/net/tun")
def test_on_its_own_hotspot_without_the_internet_phones_get_its_address():
    hotspot = "ip tuntap add mode tap wlan9 && ip addr add 10.42.0.1/24 dev wlan9 && ip link set wlan9 up"
    code = "from web_ui.server import address; print(address('0.0.0.0', 80))"
    inside = ["unshare", "--net", "sh", "-c", f'{hotspot} && exec "$0" -c "$1"', sys.executable, code]
    done = subprocess.run(inside, check=True, capture_output=True, text=True)
    assert done.stdout == "http://10.42.0.1:80/\n"


def test_a_server_whose_table_hangs_does_not_answer(monkeypatch):
    table, free = FakeTable(), threading.Event()
    shown = table.snapshot()
    server = Server(create_app(table), "127.0.0.1", 0)
    server.start()
    try:
        assert server.answers()
        monkeypatch.setattr("web_ui.server.ANSWER", 0.3)
        monkeypatch.setattr(table, "snapshot", lambda: free.wait() and shown)
        assert not server.answers()
    finally:
        free.set()
        server.stop()
    assert not server.answers()
