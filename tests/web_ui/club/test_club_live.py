"""No page of the club shows as live what is not: its hub is away, the hub's database is, or a table is."""

import threading
from contextlib import contextmanager
from urllib.request import Request, urlopen

import pytest
from sqlalchemy import text

from controller.club import showing
from controller.club.showing import Showing
from controller.club.store import ClubStore
from controller.club.tournament.events import BoardAdded, BoardRemoved, MatchMoved
from controller.match.club import Join, Joined, parse, serialize
from tests.controller.club.a_club import a_hub, assign, begun, do, play_reported, send
from tests.controller.club.simulated_table import SimulatedClubTable
from tests.slow import slow
from tests.waiting import eventually
from tests.web_ui.club.conftest import CODE, tap
from web_ui import Server
from web_ui.club import create_club_app, parts

PAGES = {
    "/hall?language=en": "Not live. This is how it stood at",
    "/?language=fr": "Pas en direct. Voici l'état à",
    "/organiser?language=pl": "Brak połączenia. Tak było o",
    "/spectators?language=de": "Nicht live. Das ist der Stand von",
    f"/board/h1/{CODE}?language=nl": "Niet live. Dit is de stand van",
}
SHOWN = "main > *:not(:empty)"


def all_live(pages):
    for page in pages.values():
        page.wait_for_selector("html[data-live=yes]")
        assert not page.is_visible("#banner")


def none_is(pages):
    for path, page in pages.items():
        page.wait_for_selector(f'#banner:has-text("{PAGES[path]}")')
        assert page.locator(SHOWN).count(), "what was known last stays"
        assert page.evaluate("getComputedStyle(document.querySelector('main')).filter") != "none", path


@contextmanager
def no_database(hub):
    """What everything is counted by is not there."""

    def rename(old, new):
        with hub.store.engine.begin() as connection:
            connection.execute(text(f"ALTER TABLE {old} RENAME TO {new}"))

    rename("clubs", "gone")
    yield
    rename("gone", "clubs")


@slow
def test_every_page_says_when_the_hub_is_away_and_when_its_database_is(open_page, hub, office, app, server):
    begun(hub, boards=("t1", "h1"))
    pages = {path: open_page(path) for path in PAGES}
    all_live(pages)
    with no_database(hub):
        none_is(pages)
        late = app.test_client().get("/events?language=de")
        assert late.status_code == 503
        assert "Datenbank" in late.text
    all_live(pages)

    server.stop()
    none_is(pages)
    assert pages["/hall?language=en"].evaluate("document.querySelector('main').getBoundingClientRect().bottom") <= 844
    again = Server(create_club_app(office), "127.0.0.1", server.port)
    again.start()
    try:
        all_live(pages)
    finally:
        again.stop()


def test_a_look_at_the_database_that_does_not_come_back_is_not_waited_for(hub, monkeypatch):
    now = [0.0]
    monkeypatch.setattr(Showing, "clock", lambda _: now[0])
    shown, stuck, goes_on = Showing(hub), threading.Event(), threading.Event()

    def never():
        stuck.set()
        goes_on.wait()

    monkeypatch.setattr(hub, "refresh", never)
    shown.start()
    try:
        assert stuck.wait(30)
        assert shown.follows()
        now[0] += showing.LONGEST_POLL + 0.1
        assert not shown.follows()
    finally:
        goes_on.set()
        shown.stop()


def test_a_table_is_not_shown_as_connected_while_it_is_away(open_page, hub):
    begun(hub, boards=("t1", "h1"))
    table = SimulatedClubTable("t1", seed=1)
    hall, visitor = open_page("/hall", 1920, 1080), open_page("/spectators")
    assign(hub, {"t1": table})
    play_reported(hub, table, rounds=2)
    cards = [page.locator('[data-board="t1"]:not(.waits)') for page in (hall, visitor)]
    for card in cards:
        card.locator(".side b").first.wait_for()
        assert card.locator(".side b").all_inner_texts() == [str(score) for score in table.state.score.values()]
        assert not card.get_by_text("not connected").count()
    hub.heard("t1", here=False)
    for card in cards:
        card.get_by_text("The table is not connected.").wait_for()
    send(hub, table)
    for card in cards:
        card.get_by_text("The table is not connected.").wait_for(state="detached")


@pytest.fixture
def assigning(server, office, monkeypatch):
    """Open the stream of what the table t1 plays next, as the table that has joined."""
    monkeypatch.setattr(parts, "BEAT", 0.2)  # who hung up is noticed at the second beat

    def opened():
        joined = office.join(serialize(Join(code=office.join_code("t1"))))
        headers = {"Authorization": f"Bearer {parse(Joined, joined).token}"}
        return urlopen(Request(f"http://127.0.0.1:{server.port}/api/v1/club/assignment", headers=headers), timeout=30)

    return opened


def test_a_table_hears_what_it_plays_next_and_the_hub_that_it_has_gone(assigning, office, hub):
    office.showing.stop()  # the pages' thread has not come to the new round yet
    begun(hub, boards=("t1",))
    with assigning() as stream:
        heard = next(line for line in stream if line.startswith(b"data: "))
        assert heard.removeprefix(b"data: ").strip() == hub.assignments()["t1"] != parts.NOTHING
        eventually(lambda: "t1" in hub.online)
        do(hub, MatchMoved(hub.tournament.state.open_matches[0].id, None))
        office.showing.show()
        then = next(line for line in stream if line.startswith(b"data: "))
        assert then.removeprefix(b"data: ").strip() == hub.assignments()["t1"]
        assert then != heard
    eventually(lambda: "t1" not in hub.online, "it hung up")


def test_a_table_that_came_from_another_process_stays_connected_when_that_one_notices(assigning, hub):
    other = a_hub(ClubStore.open(str(hub.store.engine.url), hub.store.club), hub.clock)
    with assigning() as stream:
        eventually(lambda: "t1" in hub.online)
        other.heard("t1", here=False)
        eventually(lambda: next(stream) and other.store.reports()["t1"].seen > 0, "it still listens here")
    other.store.close()


def test_a_table_whose_token_was_revoked_hears_no_more(assigning, office):
    with assigning() as stream:
        assert next(stream)
        office.revoke("t1")
        assert all(not line.startswith(b"data: {") or b"null" in line for line in stream), "and the stream ends"


def test_a_round_that_is_agreed_on_just_as_the_hub_stops_waiting_is_shown(open_page, hub, office, monkeypatch):
    """The order that lost a round on the phones, forced: the change comes after the hub's last wait for one timed out,
    and before it does anything else."""
    begun(hub, boards=("h1",))
    board = open_page(f"/board/h1/{CODE}")
    tap(board, "Begin this match")
    board.get_by_role("heading", name="Round 1", exact=True).wait_for()
    waited, entered = office.showing._wake.wait, threading.Event()

    def wait(timeout):
        came = waited(timeout)
        if not came and not entered.is_set():
            entered.set()
            event = office.showing.snapshot().document.boards[0].now.event
            figures = {"totals": {"A": 40, "B": 20}, "twenties": {"A": 1, "B": 0}}
            office.by_hand.command("h1", {"do": "end_round", **figures, "seen": event})
        return came

    monkeypatch.setattr(office.showing._wake, "wait", wait)
    assert entered.wait(30)
    board.get_by_role("heading", name="Round 2", exact=True).wait_for()


def test_a_board_that_is_used_again_shows_its_match_again(open_page, hub):
    hub.begin("Club evening")
    board = open_page(f"/board/h1/{CODE}")
    for _ in range(2):
        do(hub, BoardAdded("h1"))
        board.get_by_text("There is nothing to play here now.").wait_for()
        do(hub, BoardRemoved("h1"))
        board.get_by_text("This board is not in use this evening.").wait_for()
        board.get_by_text("There is nothing to play here now.").wait_for(state="detached")
