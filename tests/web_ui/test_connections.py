"""One address can't take what all need: connections, streams, the kernel's memory, a thread's patience."""

import json
import logging
import random
import socket
import struct
from collections import Counter
from contextlib import ExitStack, suppress
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import web_ui.events
import web_ui.server
from tests import loopback
from tests.slow import first_is_quick
from tests.waiting import eventually
from tests.web_ui.fake_table import FakeTable
from web_ui.connections import Guest, Places

USUAL = web_ui.server.REQUEST
STATE = b"GET /api/state HTTP/1.1\r\nHost: table.local\r\nConnection: close\r\n\r\n"
STREAM = b"GET /events HTTP/1.1\r\nHost: table.local\r\n\r\n"

WHO = st.tuples(st.sampled_from(["10.0.0.1", "10.0.0.2", "::1", "fd00::1", "fd00::2"]), st.booleans())


@given(st.lists(st.tuples(WHO, st.sampled_from([0.0, 1.0, 40.0]), st.booleans()), max_size=60))
def test_places_are_never_too_many_and_the_reserve_is_kept(wanted):
    now = [0.0]
    places = Places(most=12, reserved=3, turn=30.0, clock=lambda: now[0])
    held = []
    for (address, first), pause, busy in wanted:
        now[0] += pause
        guest = Guest(address, first)
        before = {id(place) for place in held if place.guest.first}
        if places.room(guest):
            place = places.take(guest, lambda: None, busy=busy)
            place.end = lambda place=place: held.remove(place)
            held.append(place)
        assert before <= {id(place) for place in held}, "who has precedence loses nothing"
        assert len(held) == places.taken <= 12
        assert sum(not place.guest.first for place in held) <= 9
        if first and len(before) < 12:
            assert guest in [place.guest for place in held], "who has precedence gets a place"
    for place in list(held):
        places.give_back(place)
        places.give_back(place)
    assert places.taken == 0


def test_all_who_are_there_get_as_many_and_then_take_turns():
    now = [0.0]
    places = Places(most=100, reserved=0, turn=30.0, clock=lambda: now[0])
    held = []

    def wants(address):
        if not places.room(Guest(address)):
            return False
        place = places.take(Guest(address), lambda: None)
        place.end = lambda: held.remove(place)
        held.append(place)
        return True

    for _ in range(3):
        for greedy in ("10.0.0.1", "10.0.0.2"):
            for _ in range(500):
                wants(greedy)
    assert [wants(f"10.1.0.{n}") for n in range(98)] == [True] * 98
    have = Counter(place.guest.address for place in held)
    assert max(have.values()) == 1, "everybody has one"
    assert not wants("10.1.1.1")
    now[0] += 31
    assert wants("10.1.1.1")
    assert "10.0.0.1" not in {place.guest.address for place in held}, "who was idle for longest gave it up"


def test_who_waits_loses_the_place_before_who_is_served():
    places = Places(most=3, reserved=0, turn=30.0, clock=lambda: 0.0)
    ended = []
    for n, busy in enumerate([True, False, False]):
        places.take(Guest("10.0.0.1"), lambda n=n: ended.append(n), busy=busy)
    assert places.room(Guest("10.0.0.2"))
    assert ended == [1]


@pytest.fixture
def from_afar(monkeypatch):
    """Connections from this machine count as any other's."""
    monkeypatch.setattr(web_ui.server, "is_loopback", lambda _: False)
    monkeypatch.setattr("web_ui.parts.is_loopback", lambda _: False)


def closed(connection):
    try:
        return connection.recv(1000) == b""
    except ConnectionError:
        return True


def serves_others(server, connect):
    """Whether the next who asks is answered, in the time that a request usually has."""
    web_ui.server.REQUEST = USUAL
    other = connect(server)
    other.sendall(STATE)
    return other.recv(1000).startswith(b"HTTP/1.1 200")


def test_of_too_many_connections_the_next_is_closed_at_once(serve, connect, monkeypatch, from_afar):
    monkeypatch.setattr(web_ui.server, "MOST_CONNECTIONS", 3)
    monkeypatch.setattr(web_ui.server, "RESERVED", 0)
    server = serve()
    slow = [connect(server) for _ in range(3)]
    for one in slow:
        one.sendall(b"GET / HTT")
    one_more = connect(server)
    one_more.sendall(STATE)
    assert closed(one_more)
    slow[0].close()

    def answered():
        again = connect(server)
        again.sendall(STATE)
        return not closed(again)

    eventually(answered, "a place that was given back serves the next")


def test_the_tables_own_screen_is_served_while_an_address_holds_all_that_it_can(serve, connect, monkeypatch):
    monkeypatch.setattr(web_ui.server, "MOST_CONNECTIONS", 5)
    monkeypatch.setattr(web_ui.server, "RESERVED", 2)
    own = iter([False, False, False, False, True])
    monkeypatch.setattr(web_ui.server, "is_loopback", lambda _: next(own))
    server = serve()
    for _ in range(3):
        connect(server).sendall(b"GET / HTT")
    refused = connect(server)
    assert closed(refused)
    assert serves_others(server, connect)


@pytest.mark.parametrize(("connections", "each", "other"), [(1, 200, "127.0.0.2"), (60, 5, "127.0.0.3")])
def test_who_never_pauses_holds_up_nobody(serve, connections, each, other):
    """One connection does not hold up others at its address, nor do many of one address those at another."""
    target = "127.0.0.1", serve().port
    with ExitStack() as stack:
        greedy = [stack.enter_context(loopback.connect(target, "127.0.0.2")) for _ in range(connections)]
        one = stack.enter_context(loopback.connect(target, other))
        for each_connection in greedy:
            each_connection.sendall(b"GET /nothing HTTP/1.1\r\nHost: table.local\r\n\r\n" * each)
        one.sendall(STATE)
        assert one.recv(1000).startswith(b"HTTP/1.1 200")
        waited = answered(greedy)  # also for those that were answered while this process did not run
        assert waited < connections * each / 2, "the other one waited for these"


def answered(connections):
    """How many answers have arrived, which stay to be read."""
    arrived = 0
    for connection in connections:
        with suppress(BlockingIOError):
            arrived += connection.recv(10**6, socket.MSG_PEEK | socket.MSG_DONTWAIT).count(b"HTTP/1.1 404")
    return arrived


@pytest.mark.parametrize(
    "slowly",
    first_is_quick(
        [
            b"G",
            b"GET /api/state HTTP/1.1\r\nHost: table.local\r\nX: ",
            b"POST /api/session HTTP/1.1\r\nHost: table.local\r\nContent-Length: 900\r\n\r\n{",
            b"POST /api/session HTTP/1.1\r\nHost: table.local\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n",
        ]
    ),
)
def test_a_request_that_comes_byte_by_byte_has_its_time(serve, connect, monkeypatch, slowly):
    monkeypatch.setattr(web_ui.server, "REQUEST", 0.5)
    server = serve()
    connection = connect(server)
    connection.sendall(slowly)
    connection.settimeout(0.05)
    for _ in range(200):
        try:
            connection.sendall(b"x")
            if connection.recv(1000) == b"":
                break
        except TimeoutError:
            continue
        except ConnectionError:
            break
    else:
        pytest.fail("the connection is still open")
    assert serves_others(server, connect)


@pytest.mark.parametrize(
    "nonsense",
    [
        b"\x16\x03\x01\x02\x00" + b"\x01" * 500,  # TLS
        b"GET " + b"/x" * 5000 + b" HTTP/1.1\r\n\r\n",
        b"DANCE\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET / HTTP/1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: table.local\r\nno header\r\n\r\n",
        b"POST /api/session HTTP/1.1\r\nHost: table.local\r\nContent-Length: many\r\n\r\n",
        b"POST /api/session HTTP/1.1\r\nHost: table.local\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"GET /%ff%00 HTTP/1.1\r\nHost: table.local\r\nConnection: close\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: \x1b[31m\r\nConnection: close\r\n\r\n",
    ],
    ids=lambda told: repr(told[:12]),
)
def test_what_is_no_request_does_not_fill_the_log(serve, connect, nonsense, caplog, capfd, monkeypatch):
    monkeypatch.setattr(web_ui.server, "REQUEST", 0.5)
    caplog.set_level(logging.INFO)
    server = serve()
    connection = connect(server)
    connection.sendall(nonsense)
    answer = b""
    with suppress(ConnectionError):
        while arrived := connection.recv(1000):
            answer += arrived
    assert answer[:9] in (b"HTTP/1.1 ", b"")
    assert caplog.text == ""
    assert capfd.readouterr() == ("", "")
    assert serves_others(server, connect)


def test_no_request_that_is_cut_or_spoilt_fills_the_log(serve, connect, caplog, capfd):
    seed = random.randrange(2**32)
    dice = random.Random(seed)
    caplog.set_level(logging.INFO)
    server = serve()
    sound = b"POST /api/session HTTP/1.1\r\nHost: table.local\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}"
    for _ in range(300):
        spoilt = bytearray(sound)
        for _ in range(dice.randrange(4)):
            at = dice.randrange(len(spoilt))
            spoilt[at : at + dice.randrange(3)] = bytes(dice.choices(b"\0 \r\n:/.1Tx\xff", k=dice.randrange(3)))
        connection = connect(server)
        connection.sendall(spoilt[: dice.randrange(len(spoilt) + 1)])
        connection.shutdown(socket.SHUT_WR)
        with suppress(ConnectionError):
            while connection.recv(4096):
                pass
        connection.close()
    said = capfd.readouterr()
    assert (caplog.text, said.out, said.err) == ("", "", ""), f"seed {seed}"


FIELDS = (
    *("Origin", "Host", "Cookie", "If-None-Match", "Accept-Language", "Authorization", "Last-Event-ID", "Range"),
    *("Sec-Fetch-Site", "Accept-Encoding", "X-CSRF-Token", "Content-Length", "Transfer-Encoding", "Connection"),
    *("Upgrade", "Expect", "Forwarded"),
)
VALUES = ("http://[", "[", "\x80\xff", "x" * 9000, "", ";;==", "bytes=9-1", "-1", "9" * 400, "chunked")
LONG = "9" * 30
ODD = (
    "/picture/%2e%2e",
    f"/api/v1/matches/{LONG}",
    f"/review/{LONG}",
    "/clip/%00",
    "//[",
    "/let-in/%ff",
    "/events?language=%ff",
)


def test_no_header_and_no_address_makes_a_request_fail(serve, caplog, capfd, monkeypatch):
    monkeypatch.setattr(web_ui.server, "REQUEST", 0.2)
    caplog.set_level(logging.INFO)
    target = "127.0.0.1", serve().port
    requests = [loopback.request("GET", path) for path in ODD]
    requests += [loopback.request("GET", "/", {f"X-{n}": "x" for n in range(101)})]
    for field, value in product(FIELDS, VALUES):
        requests += [loopback.request("GET", path, {field: value}) for path in ("/", "/api/v1/state")]
        requests += [loopback.request("POST", "/api/session", {field: value}, {})]
    statuses = {loopback.send(target, one).status for one in requests}
    assert 500 not in statuses
    assert {200, 404} <= statuses, "it answers at all"
    assert (caplog.text, *capfd.readouterr()) == ("", "", "")


def reset(connection):
    """Leave as a phone whose connection breaks down."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


@pytest.mark.parametrize("leave", [reset, closed], ids=["reset", "silent"])
@pytest.mark.parametrize(
    "begun",
    [
        b"",
        b"GET / HT",
        b"GET / HTTP/1.1\r\nHost: table.local\r\nAcc",
        b"GET /" + b"x" * 9000 + b" HTTP/1.1\r\n",
        b"POST /api/session HTTP/1.1\r\nHost: table.local\r\nContent-Length: 90\r\n\r\n{",
        b"POST /api/session HTTP/1.1\r\nHost: table.local\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n{",
        STATE,
        STREAM,
        STREAM[:-2] + b"Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
    ],
    ids=lambda begun: repr(begun[-12:]),
)
def test_who_leaves_or_falls_silent_midway_does_not_fill_the_log(
    serve, connect, begun, leave, caplog, capfd, monkeypatch
):
    monkeypatch.setattr(web_ui.server, "PATIENCE", 0.1)
    caplog.set_level(logging.INFO)
    server = serve(heartbeat=0.05)
    connection = connect(server)
    connection.sendall(begun)
    leave(connection)
    assert serves_others(server, connect)
    server.stop()
    assert (caplog.text, *capfd.readouterr()) == ("", "", "")


@pytest.mark.parametrize(
    "fields",
    [
        ("Content-Length: 2", "Transfer-Encoding: chunked"),
        ("Transfer-Encoding: chunked", "Content-Length: 2"),
        ("Content-Length: 2", "Content-Length: 12"),
        ("Content-Length: 2, 2",),
        ("Content-Length: +2",),
        ("Content-Length: 0_2",),
        ("Content-Length: -2",),
        ("Content-Length:",),
        ("Content-Length: " + "9" * 5000,),
        ("Content-Length : 2",),
        ("Transfer-Encoding: gzip, chunked",),
        ("Transfer-Encoding: xchunked",),
        ("Transfer-Encoding: chunked", "Transfer-Encoding: identity"),
    ],
    ids=lambda fields: ", ".join(fields)[:50],
)
def test_a_body_whose_end_is_unclear_is_refused_with_all_that_follows(serve, connect, table, fields):
    head = "\r\n".join(["POST /api/session HTTP/1.1", "Host: table.local", *fields])
    connection = connect(serve())
    connection.sendall(f"{head}\r\n\r\n{{}}\r\n0\r\n\r\n".encode() + STATE)
    answer = b""
    with suppress(ConnectionError):
        while arrived := connection.recv(4096):
            answer += arrived
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert answer.count(b"HTTP/1.1 ") == 1, "what follows is no request of its own"


@pytest.mark.parametrize(
    "field", ["Content-Length: 2\r\n\r\n{}", "Transfer-Encoding: Chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"]
)
def test_a_body_whose_end_is_clear_is_read_and_so_is_the_next_request(serve, connect, field):
    connection = connect(serve())
    kind = "Content-Type: application/json"
    connection.sendall(f"POST /api/session HTTP/1.1\r\nHost: table.local\r\n{kind}\r\n{field}".encode() + STATE)
    answer = b""
    while arrived := connection.recv(4096):
        answer += arrived
    assert [part[:3] for part in answer.split(b"HTTP/1.1 ")[1:]] == [b"400", b"200"], answer
    assert b"PIN" in answer, "the application's answer, not the server's"


def test_a_stream_lives_longer_than_a_request_may_take(serve, connect, table, monkeypatch):
    monkeypatch.setattr(web_ui.server, "REQUEST", 0.3)
    server = serve(heartbeat=0.1)
    connection = connect(server)
    connection.sendall(STREAM)
    heard = b""
    while heard.count(b"event: beat") < 8:
        data = connection.recv(65536)
        assert data, "the stream ended"
        heard += data


def test_there_are_so_many_streams_and_a_scorer_has_one_in_any_case(serve, connect, monkeypatch, from_afar):
    monkeypatch.setattr(web_ui.events, "MOST_LISTENERS", 3)
    monkeypatch.setattr(web_ui.events, "RESERVED", 1)
    server = serve()
    statuses = []
    for _ in range(3):
        connection = connect(server)
        connection.sendall(STREAM)
        statuses.append(connection.recv(12)[-3:])
    assert statuses == [b"200", b"200", b"503"]
    body = json.dumps({"pin": FakeTable.pin}).encode()
    scorer = connect(server)
    head = "POST /api/session HTTP/1.1\r\nHost: table.local\r\nContent-Type: application/json\r\n"
    scorer.sendall(f"{head}Content-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode() + body)
    answer = b""
    while data := scorer.recv(65536):
        answer += data
    cookie = next(line for line in answer.split(b"\r\n") if line.startswith(b"Set-Cookie: crokinole="))
    stream = connect(server)
    name = cookie.removeprefix(b"Set-Cookie: ").partition(b";")[0]
    stream.sendall(b"GET /events HTTP/1.1\r\nHost: table.local\r\nCookie: " + name + b"\r\n\r\n")
    assert stream.recv(12)[-3:] == b"200"
