"""Joining and leaving a club, against a real HTTP server on the loopback; the broker that it names is not there."""

import json
import threading
from contextlib import closing
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from controller import link
from controller.config import Config, load
from controller.errors import BadInput, Refused
from controller.table.club.account import JOINED
from controller.table.outbox import journal_id
from tests.controller.table.club_table import ClubTable

JOINED_DOCUMENT = {
    "schema": "club-joined/1", "club": "our-club", "club_name": "Our club", "table": "t1",
    "broker": "mqtt://127.0.0.1:9", "password": "a-long-random-password", "certificate": None,
}  # fmt: skip


class Hub:
    """Gives the answer that a test sets, and keeps the requests."""

    def __init__(self) -> None:
        self.status, self.body = 200, json.dumps(JOINED_DOCUMENT).encode()
        self.asked: list[tuple[str, link.Join]] = []
        hub = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                hub.asked.append((self.path, link.parse(link.Join, body)))
                self.send_response(hub.status)
                self.end_headers()
                self.wfile.write(hub.body)

            def log_message(self, *_: object) -> None:
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()


@pytest.fixture
def hub():
    hub = Hub()
    yield hub
    hub.server.shutdown()
    hub.server.server_close()


@pytest.fixture
def table(tmp_path):
    with closing(ClubTable(tmp_path)) as table:
        yield table


def test_a_table_joins_with_a_code_and_knows_its_club_after_a_restart(tmp_path, hub):
    with closing(ClubTable(tmp_path)) as table:
        assert (table.member.club, table.club) == (None, None)
        table.member.join(f" http://{hub.address}/ ", "k7m2-qx4a")
        ((path, asked),) = hub.asked
        assert path == "/api/v1/club/join"
        assert asked == link.Join(code="K7M2QX4A", name="Table", journal=journal_id(table.journal))
        assert table.member.club == ("Our club", "t1")
        assert table.club == {"name": "Our club", "next": None, "taken_back": None}
    with closing(ClubTable(tmp_path)) as table:
        assert table.member.club == ("Our club", "t1")
        assert table.club is not None
        table.member.leave()
        assert (table.member.club, table.club, table.journal.facts.get(JOINED)) == (None, None, None)


@pytest.mark.parametrize(
    ("status", "body", "why"),
    [
        (403, b"", "used or too old"),
        (429, b"", "Too many wrong codes"),
        (500, b"", "it answers 500"),
        (302, b"", "it answers 302"),
        (200, b"<html>", "not a club's hub"),
        (200, b"x" * 300_000, "not a club's hub"),
        (200, json.dumps(JOINED_DOCUMENT | {"broker": "http://elsewhere"}).encode(), "not a club's hub"),
        (200, json.dumps(JOINED_DOCUMENT | {"table": "../t1"}).encode(), "not a club's hub"),
        (200, json.dumps(JOINED_DOCUMENT | {"password": "short"}).encode(), "not a club's hub"),
    ],
)
def test_a_hub_that_does_not_let_it_in_leaves_all_as_it_was(hub, table, status, body, why):
    hub.status, hub.body = status, body
    with pytest.raises(Refused, match=why):
        table.member.join(hub.address, "K7M2QX4A")
    assert table.member.club is None


@pytest.mark.parametrize("code", ["", "K7M2", "K7M2QX4AA", "K7M2QX40", "IIIIIIII"])
def test_what_is_no_code_is_not_sent(hub, table, code):
    with pytest.raises(Refused, match="eight"):
        table.member.join(hub.address, code)
    assert not hub.asked


@pytest.mark.parametrize("address", ["127.0.0.1:1", "http://[", "ftp://x", "a b", "\0"])
def test_where_no_hub_is(table, address):
    with pytest.raises(Refused):
        table.member.join(address, "K7M2QX4A")


SECTION: dict[str, Any] = {"broker": "mqtts://laptop.local:8883", "club": "our-club", "table": "t1"}


def test_an_unreadable_password_is_reported_and_the_table_plays(tmp_path):
    for wrong in ("missing", "two lines"):
        path = tmp_path / wrong
        if wrong == "two lines":
            path.write_text("one\ntwo\n")
        with closing(ClubTable(tmp_path, **SECTION, credentials=path)) as table:
            assert str(path) in str(table.notice("club"))
            table.do(do="start", rules="nca", sides=[{"name": "A"}, {"name": "B"}])
            with pytest.raises(Refused, match="configuration"):
                table.member.leave()


@pytest.mark.parametrize(
    ("member", "value", "why"),
    [
        ("broker", "http://x", "mqtt://"),
        ("broker", "mqtt://x:99/y", "mqtt://"),
        ("club", "Our Club", "club"),
        ("table", "+", "table"),
    ],
)  # fmt: skip
def test_a_club_that_cannot_be_is_refused_by_its_key(tmp_path, member, value, why):
    lines = [f'{name} = "{text}"' for name, text in {**SECTION, "credentials": "p", member: value}.items()]
    (tmp_path / "table.toml").write_text("[club]\n" + "\n".join(lines))
    with pytest.raises(BadInput, match=why):
        load(tmp_path / "table.toml")
    assert Config().club is None


def test_a_match_names_an_assignment_only_where_the_club_gave_it(tmp_path):
    with closing(ClubTable(tmp_path)) as table:
        table.do(do="start", rules="nca", sides=[{"name": "A"}, {"name": "B"}])
        with pytest.raises(Refused, match="another match"):
            table.do(do="start", rules="nca", sides=[{"name": "A"}, {"name": "B"}], assignment="e1:1")
        (started,) = table.journal.stored_after(0, 10)
        assert "assignment" not in json.loads(started[4])
