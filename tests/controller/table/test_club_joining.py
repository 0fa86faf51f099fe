"""Joining and leaving a club, against a real HTTP server on the loopback."""

import json
from contextlib import closing

import pytest

from controller.errors import Refused
from controller.table.club.membership import JOINED
from tests.controller.club import naive_hub
from tests.controller.club.naive_hub import NaiveHub
from tests.controller.table.club_table import ClubTable


@pytest.fixture
def hub():
    return NaiveHub()


@pytest.fixture
def address(hub):
    with closing(hub.serve()) as served:
        yield served.address.removeprefix("http://")


@pytest.fixture
def table(tmp_path):
    with closing(ClubTable(tmp_path)) as table:
        yield table


def test_a_table_joins_with_a_code_and_knows_its_club_after_a_restart(tmp_path, hub, address):
    with closing(ClubTable(tmp_path)) as table:
        assert (table.member.club, table.club) == (None, None)
        table.member.join(f" http://{address}/ ", "k7m2-qx4a")
        assert hub.asked == [{"code": "K7M2QX4A"}]
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
        (500, b"", "it answers 500"),
        (302, b"", "it answers 302"),
        (200, b"<html>", "not a club's hub"),
        (200, b"x" * 300_000, "not a club's hub"),
        (200, json.dumps(naive_hub.JOINED | {"table": "../t1"}).encode(), "not a club's hub"),
        (200, json.dumps(naive_hub.JOINED | {"token": "short"}).encode(), "not a club's hub"),
    ],
)
def test_a_hub_that_does_not_let_it_in_leaves_all_as_it_was(hub, address, table, status, body, why):
    hub.join = status, body
    with pytest.raises(Refused, match=why):
        table.member.join(address, "K7M2QX4A")
    assert table.member.club is None


@pytest.mark.parametrize("code", ["", "K7M2", "K7M2QX4AA", "K7M2QX40", "IIIIIIII"])
def test_what_is_no_code_is_not_sent(hub, address, table, code):
    with pytest.raises(Refused, match="eight"):
        table.member.join(address, code)
    assert not hub.asked


@pytest.mark.parametrize("address", ["127.0.0.1:1", "http://[", "ftp://x", "a b", "\0"])
def test_where_no_hub_is(table, address):
    with pytest.raises(Refused):
        table.member.join(address, "K7M2QX4A")


def test_a_match_names_an_assignment_only_where_the_club_gave_it(tmp_path):
    with closing(ClubTable(tmp_path)) as table:
        table.do("start", rules="nca", sides=[{"name": "A"}, {"name": "B"}])
        with pytest.raises(Refused, match="another match"):
            table.do("start", rules="nca", sides=[{"name": "A"}, {"name": "B"}], assignment="e1:1")
        (started,) = table.journal.stored_after(0, 10)
        assert "assignment" not in json.loads(started[4])
