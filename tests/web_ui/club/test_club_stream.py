"""The evening's stream: whoever takes the changes in has the evening, and a change costs what changed."""

import json
from contextlib import closing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.club.hub.evening import EveningChanges, EveningDocument
from controller.club.tournament.events import BoardWorks, EntrantAdded, EntrantHere, EntrantRenamed
from controller.club.tournament.planning import NextRound
from tests import loopback
from tests.controller.club.a_club import an_evening, assign, do, play_reported
from tests.controller.club.evenings import result_of
from tests.controller.club.simulated_table import SimulatedClubTable
from tests.served import changed


class Page:
    """Somebody who listens, and keeps what the stream tells."""

    def __init__(self, server):
        self._connection = loopback.connect(("127.0.0.1", server.port))
        self._connection.sendall(loopback.request("GET", "/events?language=fr"))
        reader = self._connection.makefile("rb")
        assert loopback.head(reader)[0] == 200
        self._events = loopback.events(reader)
        self.state, self.told, self.schemas = None, [], set()

    def close(self):
        self._connection.close()

    def hear(self):
        """Take the next message in."""
        event = next(self._events)
        kind = event.get("event", "message")
        if kind in ("message", "changes") and "data" in event:
            document = json.loads(event["data"])
            if kind == "changes":
                self.schemas.add(document["schema"])
            self.state = document if kind == "message" else changed(self.state, document)
            self.told.append((kind, len(event["data"])))

    def until(self, version, within=100):
        while (self.state is None or self.state["version"] < version) and (within := within - 1):
            self.hear()
        assert self.state["version"] == version
        return self.state


def newest(hub):
    """The version that the hub shows when it has read what it wrote itself."""
    hub.refresh()
    return hub.version


@pytest.fixture
def page(server):
    with closing(Page(server)) as page:
        yield page


def test_who_takes_the_changes_in_has_the_evening(page, hub, app):
    an_evening(hub, 6, boards=("t1", "h1"))
    page.until(newest(hub))
    table = SimulatedClubTable("t1", seed=3)
    for wish in (
        (NextRound(),),
        (EntrantRenamed("p1", ("Player with a new name",)),),
        (EntrantHere("p5", here=False),),
    ):
        do(hub, *wish)
        assign(hub, {"t1": table})
        while table.begin() or table.playing:
            play_reported(hub, table, rounds=1)
            assign(hub, {"t1": table})
        page.until(newest(hub))
    do(hub, BoardWorks("t1", works=False))
    shown = page.until(newest(hub))
    assert shown == app.test_client().get("/api/evening?language=fr").json
    assert page.told[0][0] == "message"
    kinds = {kind for kind, _ in page.told[1:]}
    assert kinds == {"changes"}, "nobody gets the whole evening twice"
    assert page.schemas == {"club-changes/2"}


def test_a_page_that_comes_later_or_missed_a_change_gets_the_whole_evening(page, hub, office, server, app):
    page.hear()
    stream = app.extensions["stream"]
    seen = stream.taken
    hub.begin("First")
    page.until(newest(hub))
    hub.begin("Second")
    page.until(newest(hub))
    now, before = stream.taken.id, stream._before
    assert stream.message("en", before).startswith(b"id: %d\nevent: changes\n" % now)
    for known in (None, seen):
        assert stream.message("en", known).startswith(b"id: %d\ndata: " % now)
    with closing(Page(server)) as late:
        late.until(newest(hub))
        assert [kind for kind, _ in late.told] == ["message"]


LINES = st.lists(
    st.fixed_dictionaries(
        {"id": st.sampled_from("abcdef"), "place": st.integers(1, 3), "now": st.sampled_from((None, {}))}
    ),
    max_size=6,
    unique_by=lambda line: line["id"],
)


@given(LINES, LINES)
def test_lines_that_come_go_change_and_change_places_are_there_as_they_are(before, now):
    before, now = {"version": 1, "standings": before}, {"version": 2, "standings": now}
    found = vars(EveningChanges.between(before, now))
    assert json.loads(json.dumps(changed(before, found))) == now


def test_a_page_that_follows_the_changes_shows_what_one_shows_that_is_opened_now(open_page, hub):
    """In Chromium: the order of the standings, who comes, and who leaves."""
    an_evening(hub, 8, boards=("t1", "h1"))
    do(hub, NextRound())
    follows = open_page("/spectators")
    follows.wait_for_selector("html[data-live=yes]")
    follows.evaluate("window.opened = 'once'")
    for points, match in enumerate(list(hub.tournament.state.open_matches)):
        do(hub, result_of(match, (points, 8 - points), (points, 3)))
    do(hub, EntrantAdded("late", ("A late player",)), EntrantHere("p5", here=False))
    do(hub, NextRound())
    follows.get_by_text("A late player").first.wait_for()
    follows.get_by_text("Round 2 of the evening").wait_for()
    anew = open_page("/spectators")
    anew.wait_for_selector("html[data-live=yes]")
    shown = [row.name for row in EveningDocument.of(hub).standings]
    for page in (follows, anew):
        assert page.locator("#standings tbody td:nth-child(2)").all_inner_texts() == shown
    assert follows.inner_text("main") == anew.inner_text("main")
    assert follows.evaluate("window.opened") == "once", "it was not loaded anew"
