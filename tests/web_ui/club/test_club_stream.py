"""The evening's stream: whoever takes the changes in has the evening, and a change costs what changed."""

import json
from contextlib import closing
from http.client import HTTPConnection

import pytest

from controller.club.hub.differences import differences
from controller.club.simulated import SimulatedTable
from controller.club.tournament import BoardBroken, EntrantLeft, EntrantRenamed, NextRound
from tests.controller.club.a_club import an_evening, assign, do, play, send
from tests.served import changed


class Page:
    """Somebody who listens, and keeps what the stream tells."""

    def __init__(self, server):
        self._connection = HTTPConnection("127.0.0.1", server.port, timeout=10)
        self._connection.request("GET", "/events?language=fr")
        self._lines = iter(self._connection.getresponse())
        self.state, self.told = None, []

    def close(self):
        self._connection.close()

    def hear(self):
        """Take the next message in."""
        fields = {}
        while line := next(self._lines).decode().rstrip("\n"):
            name, _, value = line.partition(": ")
            fields[name] = value
        kind = fields.get("event", "message")
        if kind in ("message", "changes"):
            document = json.loads(fields["data"])
            self.state = document if kind == "message" else changed(self.state, document)
            self.told.append((kind, len(fields["data"])))

    def until(self, version, within=100):
        while (self.state is None or self.state["version"] < version) and (within := within - 1):
            self.hear()
        assert self.state["version"] == version
        return self.state


@pytest.fixture
def page(server):
    with closing(Page(server)) as page:
        yield page


def test_who_takes_the_changes_in_has_the_evening(page, hub, server, app):
    an_evening(hub, 6, boards=("t1", "h1"))
    page.until(hub.version)
    table = SimulatedTable("t1", seed=3)
    for wish in ((NextRound(),), (EntrantRenamed("p1", ("Player with a new name",)),), (EntrantLeft("p5"),)):
        do(hub, *wish)
        assign(hub, {"t1": table})
        while table.begin() or table.playing:
            play(table, rounds=1)
            send(hub, table)
            assign(hub, {"t1": table})
        page.until(hub.version)
    do(hub, BoardBroken("t1"))
    shown = page.until(hub.version)
    assert shown == app.test_client().get("/api/evening?language=fr").json
    assert page.told[0][0] == "message"
    kinds = {kind for kind, _ in page.told[1:]}
    assert kinds == {"changes"}, "nobody gets the whole evening twice"


def test_a_page_that_comes_later_or_missed_a_change_gets_the_whole_evening(page, hub, office, server, app):
    page.hear()
    stream = app.extensions["stream"]
    seen = stream._taken
    hub.begin("First")
    page.until(hub.version)
    hub.begin("Second")
    page.until(hub.version)
    now, before = stream._taken.id, stream._before
    assert stream.message("en", before).startswith(b"id: %d\nevent: changes\n" % now)
    for known in (None, seen):
        assert stream.message("en", known).startswith(b"id: %d\ndata: " % now)
    with closing(Page(server)) as late:
        late.until(hub.version)
        assert [kind for kind, _ in late.told] == ["message"]


def test_a_round_at_one_of_many_boards_costs_one_line():
    boards = [{"id": str(k), "now": None} for k in range(60)]
    before = {"schema": "club-evening/1", "version": 1, "byes": [], "boards": boards}
    now = {**before, "version": 2, "boards": [*boards[:-1], {"id": "59", "now": {"score": [2, 0]}}]}
    found = differences(before, now)
    assert found["members"] == {"version": 2}
    assert found["rows"] == {"boards": [{"id": "59", "now": {"score": [2, 0]}}]}
    assert changed(before, found) == now


def test_lines_in_another_order_are_told_anew():
    before = {"standings": [{"id": "a", "place": 1}, {"id": "b", "place": 2}]}
    now = {"standings": [{"id": "b", "place": 1}, {"id": "a", "place": 2}]}
    assert differences(before, now)["members"] == now
    assert changed(before, differences(before, now)) == now
