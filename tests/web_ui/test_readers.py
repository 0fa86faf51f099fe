"""Whoever looks up what was played: in pages, on threads of their own, and never in the way of a command."""

import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest

from controller.errors import NotAvailable
from controller.journal import Journal
from controller.views.history import Archive
from tests.loopback import ask
from tests.slow import slow
from tests.waiting import eventually
from tests.web_ui.fake_table import FakeTable, question
from tests.years import played, write_years
from web_ui import Server, create_app
from web_ui.reader_pool import AT_ONCE, MOST_WAITING, THREADS

LARGEST = 200_000  # bytes of an answer
MATCHES = 130


class Years(FakeTable):
    """A table whose journal holds many matches."""

    def __init__(self, folder):
        super().__init__(question())
        path = folder / "journal.sqlite"
        write_years(path, MATCHES, [played(1, rounds=1), played(4, rounds=5)])
        self.journal = Journal(path)
        self.archive = Archive(self.journal)
        self.archive.upkeep.catch_up()


@pytest.fixture(scope="module")
def years(tmp_path_factory):
    table = Years(tmp_path_factory.mktemp("years"))
    yield table
    table.archive.close()
    table.journal.close()


@pytest.fixture
def asked(years):
    return create_app(years).test_client()


def test_what_cannot_be_looked_up_now_says_when_to_ask_again(table, client):
    def fails(match):
        raise NotAvailable("Try again in a minute.")

    table.archive.stamp = fails
    answer = client.get("/api/v1/figures")
    assert (answer.status_code, answer.json) == (503, {"error": "Try again in a minute."})
    assert answer.headers["Retry-After"] == "60"


@slow
def test_all_matches_come_in_pages_each_once_the_newest_first(asked):
    found = []
    address = "/api/v1/matches"
    while address:
        answer = asked.get(address)
        assert len(answer.data) <= LARGEST
        found += [match["id"] for match in answer.json["matches"]]
        after = answer.json["next"]
        address = f"/api/v1/matches?before={after}" if after is not None else ""
    assert found == list(range(MATCHES, 0, -1))


@slow
def test_figures_of_all_players_come_in_pages_that_add_up(asked, years):
    names, page, shots = [], 1, 0
    while page:
        figures = asked.get(f"/api/v1/figures?page={page}")
        assert len(figures.data) <= LARGEST
        names += [one["player"] for one in figures.json["players"]]
        shots += sum(one["shots"] for one in figures.json["players"])
        page = figures.json["next"]
    assert names == sorted(set(names))
    assert names == asked.get("/api/v1/players").json["players"]
    seen = sum(entry.kind == "shot_seen" for n in years.journal.spans() for entry in years.journal.events(n))
    assert shots == seen


@slow
def test_a_long_match_comes_in_parts(asked, years):
    parts = 0
    for number in range(1, 6):
        shots, after = [], 0
        while after is not None:
            answer = asked.get(f"/api/v1/matches/{number}?after={after}")
            assert len(answer.data) <= LARGEST
            shots += [(shot["round"], shot["number"]) for shot in answer.json["shots"]]
            after = answer.json["next"]
            parts += after is not None
        assert shots == sorted(set(shots))
        assert len(shots) == sum(entry.kind == "shot_seen" for entry in years.journal.events(number))
    assert parts, "one of them is longer than a part"


@pytest.mark.parametrize("address", ["/api/v1/matches", "/api/v1/matches/1", "/api/v1/figures", "/api/v1/players"])
def test_what_has_not_changed_is_not_sent_again(played, address):
    played.play()
    asked = create_app(played).test_client()
    first = asked.get(address)
    tag = first.headers["ETag"]
    again = asked.get(address, headers={"If-None-Match": tag})
    assert (again.status_code, again.data) == (304, b"")
    assert asked.get(f"{address}?language=fr", headers={"If-None-Match": tag}).status_code == 200
    played.do("correct_round", round=1, totals={"A": 55, "B": 5})
    changed = asked.get(address, headers={"If-None-Match": tag})
    assert changed.status_code == 200
    assert changed.headers["ETag"] != tag
    played.table.journal.close()


@slow
def test_no_answer_is_computed_for_each_who_asks(years, monkeypatch):
    asked = create_app(years).test_client()
    computed = []
    figures = years.archive.figures
    monkeypatch.setattr(years.archive, "figures", lambda wanted: computed.append(wanted) or figures(wanted))
    bodies = {asked.get("/api/v1/figures").data for _ in range(20)}
    assert (len(bodies), len(computed)) == (1, 1)


class Slow(FakeTable):
    """A table whose history takes until it is released."""

    def __init__(self):
        super().__init__(question())
        self.released = threading.Event()
        self.reading = 0
        self.most = 0
        self._count = threading.Lock()
        self.archive = self

    def stamp(self, match=None):
        with self._count:
            self.reading += 1
            self.most = max(self.most, self.reading)
        self.released.wait(30)
        with self._count:
            self.reading -= 1
        return "1"

    def players(self):
        return {"schema": "players/1", "players": [], "known": [], "changes": [], "last_change": 0}


def test_readers_have_few_threads_and_commands_do_not_wait_for_them():
    table = Slow()
    server = Server(create_app(table), "127.0.0.1", 0)
    server.start()
    target, many = ("127.0.0.1", server.port), AT_ONCE + MOST_WAITING
    get = partial(ask, target, "GET")
    try:
        with ThreadPoolExecutor(many + 5) as pool:
            greedy = [pool.submit(get, "/api/v1/players") for _ in range(many)]
            eventually(lambda: table.reading == AT_ONCE, "one address has as many threads as are its")
            other = pool.submit(get, "/api/v1/players", me="127.0.0.2")
            eventually(lambda: table.reading == THREADS, "another address has a thread left")
            waiting = server._app.extensions["parts"].readers._addresses
            eventually(lambda: waiting["127.0.0.1"].asking == many, "all others wait")
            assert get("/api/v1/players").status == 503
            bearer = {"Authorization": f"Bearer {table.tokens.make('program', 'Overlay')}"}
            table.state["match"]["can_undo"] = "the shot"
            assert ask(target, "POST", "/api/v1/commands", headers=bearer, body={"do": "undo"}).status == 200
            assert get("/api/v1/state").status == 200
            assert table.reading == THREADS
            table.released.set()
            assert [one.result().status for one in (*greedy, other)] == [200] * (many + 1)
    finally:
        table.released.set()
        server.stop()
    assert table.most <= THREADS
