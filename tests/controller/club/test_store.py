"""The club's database keeps its promises on SQLite and on a real PostgreSQL."""

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from random import Random

import pytest
from sqlalchemy import text

from controller.club.desk import Desk
from controller.club.errors import Overtaken, StoreError
from controller.club.store import ClubStore, HubTokens, StoredEvening, StoredEvent, TableOfClub, TableStatus
from controller.club.store.engine import open_engine, writing
from controller.club.tournament.catalogue import FORMATS
from controller.club.tournament.events import (
    BoardAdded,
    BoardRenamed,
    EntrantAdded,
    EntrantRenamed,
    FormatSet,
    LogEntry,
    Undone,
)
from controller.journal.tokens import LASTS
from controller.match.club import AssignmentAnswer
from controller.messages import say
from tests.controller.club import postgres
from tests.controller.club.a_club import a_hub
from tests.controller.club.conftest import POSTGRESQL
from tests.slow import slow
from tests.waiting import eventually


@pytest.fixture
def store(url):
    store = ClubStore.open(url, "Club 1")
    yield store
    store.close()


def events(first, last, match=1):
    return [StoredEvent(n, match, 1.5 * n, "shot_seen", {"side": "A", "n": n}, 8) for n in range(first, last + 1)]


def put(store, first, last, table="3", journal="j", after=None):
    """The store takes these events of a journal, by default behind those before them."""
    store.append_events(table, journal, first - 1 if after is None else after, events(first, last))


def test_what_was_kept_is_there_at_the_next_opening(store, url):
    put(store, 1, 3)
    store.begin_evening("e1", "Autumn", 7.0)
    decided = [
        LogEntry(1, FormatSet(FORMATS["pools"]), None, "Player 1", 8.0),
        LogEntry(2, BoardAdded("3"), 1, "Player 1", 8.0),
    ]
    store.append_decisions("e1", decided)
    store.put_table(TableOfClub("3", "By the door"))
    store.put_table(TableOfClub("3", "By the window", by_hand=True))
    version = store.version()
    store.close()
    again = ClubStore.open(url, "Club 1")
    assert again.events_since(0, again.version()) == [(("3", "j"), event) for event in events(1, 3)]
    assert again.evenings() == [StoredEvening("e1", "Autumn", 7.0, 2, 2)]
    assert again.decisions("e1") == decided
    assert again.tables() == [TableOfClub("3", "By the window", by_hand=True)]
    assert again.version() == version
    again.close()


def last_events(store):
    return {journal: event.number for journal, event in store.events_since(0, store.version())}


def test_events_that_do_not_follow_what_is_there_are_refused_and_change_nothing(store):
    put(store, 1, 3)
    for after in (0, 2, 4):
        with pytest.raises(Overtaken):
            put(store, 4, 5, after=after)
    put(store, 7, 9, after=3)
    assert [event.number for _, event in store.events_since(0, store.version())] == [1, 2, 3, 7, 8, 9]
    assert last_events(store) == {("3", "j"): 9}
    assert store.events_between("3", "j", 2, 7) == [*events(2, 3), *events(7, 7)]


def test_journals_and_clubs_do_not_mix(store, url):
    put(store, 1, 2)
    put(store, 1, 1, journal="k")
    put(store, 1, 4, table="4")
    assert last_events(store) == {("3", "j"): 2, ("3", "k"): 1, ("4", "j"): 4}
    other = ClubStore.open(url, "Club 2")
    assert (last_events(other), other.version(), other.events_since(0, other.version())) == ({}, 0, [])
    put(other, 1, 9)
    assert store.last_of("3", "j") == 2
    other.close()


def test_news_since_a_version_come_in_order_and_once(store):
    put(store, 1, 2)
    seen = store.version()
    put(store, 1, 1, table="4")
    put(store, 3, 4)
    assert [(journal[0], event.number) for journal, event in store.events_since(seen, store.version())] == [
        ("4", 1),
        ("3", 3),
        ("3", 4),
    ]
    assert store.events_since(store.version(), store.version()) == []


def test_processes_that_take_the_same_events_at_once_keep_each_once(store, url):
    stores = [ClubStore.open(url, "Club 1") for _ in range(4)]
    together = threading.Barrier(4)

    def take(one):
        together.wait()
        taken = 0
        for k in range(12):
            try:
                put(one, k + 1, k + 1)
            except Overtaken:
                continue
            taken += 1
        return taken

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(take, stores)) == 12
    assert [event for _, event in store.events_since(0, store.version())] == events(1, 12)
    for one in stores:
        one.close()


def test_of_decisions_made_at_the_same_moment_one_is_refused(store, url):
    store.begin_evening("e1", "", 0.0)
    stores = [ClubStore.open(url, "Club 1") for _ in range(4)]
    together = threading.Barrier(4)

    def decide(k):
        together.wait()
        try:
            stores[k].append_decisions("e1", [LogEntry(1, EntrantAdded(str(k), (f"Player {k}",)))])
        except Overtaken:
            return 0
        return 1

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(decide, range(4))) == 1
    assert len(store.decisions("e1")) == 1
    for one in stores:
        one.close()


def test_decisions_with_a_gap_are_refused_and_change_nothing(store):
    store.begin_evening("e1", "", 0.0)
    store.append_decisions("e1", [LogEntry(1, BoardAdded("1"))])
    for number in (1, 3):
        with pytest.raises(Overtaken):
            store.append_decisions("e1", [LogEntry(number, BoardAdded("2"))])
    assert [d.number for d in store.decisions("e1")] == [1]
    assert store.decisions("e1", after=1) == []


def test_an_evening_begins_once(store):
    for title in ("Autumn", "another"):
        store.begin_evening("e1", title, 1.0)
    assert [(evening.id, evening.title) for evening in store.evenings()] == [("e1", "Autumn")]


def test_any_text_and_any_number_come_back_as_they_were(store):
    body = {"name": "\x00\ud800 Ä'); DROP TABLE events; --", "n": 2**53, "x": 0.1, "deep": [{"a": None}]}
    kept = [
        StoredEvent(2**53 - 1, 2**53, 253402300799.0, "shot_seen", body, 8),
        StoredEvent(2**53, 0, 0.1, "damaged", None, 9),
    ]
    store.append_events("3'\"", "j%", 0, kept)
    assert store.events_since(0, store.version()) == [(("3'\"", "j%"), event) for event in kept]


def test_tables_come_in_the_order_of_their_numbers(store):
    for id in ("10", "2", "b", "table-10", "1", "table-9", "2b"):
        store.put_table(TableOfClub(id, id))
    assert [table.id for table in store.tables()] == ["1", "2", "2b", "10", "b", "table-9", "table-10"]


def test_two_tables_that_are_added_at_the_same_moment_are_two(url, store, monkeypatch):
    desk, other = (Desk(a_hub(each), "Club") for each in (store, ClubStore.open(url, store.club)))
    append, added = store.append_events, []

    def overtaken(*arguments):
        if not added:
            added.append(other.add_table("By the door"))
        append(*arguments)

    monkeypatch.setattr(store, "append_events", overtaken)
    added.append(desk.add_table("By the window", by_hand=True))
    assert added == ["1", "2"]
    assert store.tables() == [TableOfClub("1", "By the door"), TableOfClub("2", "By the window", by_hand=True)]
    other.hub.store.close()


def test_a_board_that_is_renamed_on_an_evening_keeps_its_name(store):
    store.put_table(TableOfClub("1", "Table 1", by_hand=True))
    renamed = [BoardRenamed("1", "By the door"), BoardRenamed("2", "Of no table")]
    store.append_decisions("e1", [LogEntry(n, event) for n, event in enumerate(renamed, 1)])
    assert store.tables() == [TableOfClub("1", "By the door", by_hand=True)]


def test_a_person_is_remembered_once_and_the_latest_come_first(store):
    entered = [EntrantAdded("1", ("Player 1", "Player 2")), EntrantAdded("1", ("PLAYER  1",))]
    for k, event in enumerate(entered, 1):
        store.append_decisions(f"e{k}", [LogEntry(1, event, at=float(k))])
    assert store.people() == ["PLAYER  1", "Player 2"]


def test_what_the_organiser_undid_or_corrected_is_not_remembered_as_it_was(store):
    """A slip of the thumb: else each later evening would begin with it."""
    store.put_table(TableOfClub("1", "Table 1"))
    done = [
        EntrantAdded("p1", ("Plaier 1", "Player 2")),
        EntrantRenamed("p1", ("Player 1", "Player 2")),
        BoardRenamed("1", "Bu the door"),
        Undone(3),
        EntrantAdded("p2", ("Player 3",)),
        Undone(5),
    ]
    store.append_decisions("e1", [LogEntry(n, event) for n, event in enumerate(done, 1)])
    assert store.tables() == [TableOfClub("1", "Table 1")]
    assert store.people() == ["Player 1", "Player 2"]
    store.append_decisions("e1", [LogEntry(7, Undone(4)), LogEntry(8, Undone(6))])
    assert store.tables() == [TableOfClub("1", "Bu the door")]
    assert store.people() == ["Player 1", "Player 2", "Player 3"]


def tokens_of(store, now=None):
    now = now or [0.0]
    return HubTokens(store.engine, store.club, lambda: now[0])


def test_a_password_lets_the_organiser_in_and_nobody_else_and_is_nowhere_to_be_read(store):
    tokens = tokens_of(store)
    assert tokens.password_fingerprint() == ""
    assert not tokens.accepts("")
    tokens.set_password("hunter2 Ä🎯")
    first = tokens.password_fingerprint()
    assert tokens.accepts("hunter2 Ä🎯")
    assert not tokens.accepts("hunter2 Ä")
    tokens.set_password("another")
    assert not tokens.accepts("hunter2 Ä🎯")
    assert tokens.password_fingerprint() not in ("", first)
    tokens.set_password("another")
    assert tokens.password_fingerprint() != first, "the salt is another"
    with store.engine.connect() as connection:
        assert "another" not in str(connection.execute(text("SELECT * FROM tokens")).all())


def test_a_token_holds_while_it_is_used_until_it_is_ended_and_is_not_kept(store, url):
    now = [0.0]
    here = HubTokens(store.engine, store.club, lambda: now[0])
    used, unused, device = here.make("session", "Player 1"), here.make("session"), here.make("device")
    with closing(ClubStore.open(url, store.club)) as other:
        there = HubTokens(other.engine, other.club, lambda: now[0])
        now[0] += LASTS["session"] - 1
        assert there.holder("session", used) == "Player 1"
        assert there.holder("device", used) is None
        now[0] += LASTS["session"] - 1
        assert here.holder("session", used) == "Player 1", "it was used at another process"
        assert here.holder("session", unused) is None
        assert here.holder("session", "another") is None
        with other.engine.connect() as connection:
            assert used not in str(connection.execute(text("SELECT * FROM tokens")).all())
        there.end(used)
        assert here.holder("session", used) is None
        last = there.make("session")
        assert len(here.held("session")) == 1, "what has expired is not kept"
        there.revoke(here.held("device")[0][0])
        assert here.holder("device", device) is None
        there.end_all("session", "device")
        assert here.holder("session", last) is None


def test_a_join_code_lets_one_table_in_once_and_for_an_hour(store, url):
    now = [0.0]
    tokens = tokens_of(store, now)
    late, former = tokens.join_code("2"), tokens.join_code("3")
    now[0] = 1.0
    code = tokens.join_code("3")
    assert tokens.join("WRONG") is None
    assert tokens.join(former) is None, "there is a newer one"
    now[0] = 3600.0
    assert tokens.join(late) is None
    assert tokens.join(f" {code[:4].lower()} {code[4:]} ") == "3"
    assert tokens.join(code) is None
    code = tokens.join_code("3")
    with closing(ClubStore.open(url, store.club)) as other, ThreadPoolExecutor(4) as pool:
        here = [tokens, tokens_of(other, now)] * 2
        assert sorted(pool.map(lambda each: each.join(code) or "", here)) == ["", "", "", "3"]


def test_what_tables_said_last_is_there_for_every_process(store, url):
    report = TableStatus(100.0, AssignmentAnswer(id="e1:1", answer="refused", why="No."), say("{n} bytes", n=7))
    store.put_report("3", report)
    version = store.version()
    store.put_report("3", report._replace(seen=160.0))
    assert store.version() == version, "nothing that a page shows has changed"
    with closing(ClubStore.open(url, "Club 1")) as other:
        assert other.reports() == {"3": report._replace(seen=160.0)}
    for changed in (TableStatus(seen=400.0, trouble=report.trouble), TableStatus(seen=0.0), TableStatus(seen=410.0)):
        store.put_report("3", changed)
        assert store.reports() == {"3": changed}
        assert store.version() > version
        version = store.version()


def test_a_database_of_another_form_is_left_alone(store, url):
    with writing(store.engine) as connection:
        connection.execute(text("ALTER TABLE reports DROP COLUMN seen"))
    with pytest.raises(StoreError, match="another version"):
        open_engine(url)
    assert store.version() == 0


@pytest.mark.parametrize("url", [POSTGRESQL], indirect=True)
def test_a_hub_that_writes_during_a_restore_is_waited_for_and_goes_on(store, url, tmp_path):
    put(store, 1, 2)
    postgres.back_up(url, tmp_path / "copy.sql")
    waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted"
    with ThreadPoolExecutor() as pool:
        with store._writing() as (connection, _):
            restored = pool.submit(postgres.restore, tmp_path / "copy.sql", url)
            eventually(lambda: connection.execute(text(waiting)).scalar_one())
            connection.execute(text("DELETE FROM events"))  # another table than the one that is locked first
        restored.result()
    assert last_events(store) == {("3", "j"): 2}
    put(store, 3, 3)


@pytest.mark.parametrize("url", ["mysql://a:secret@b/c", "club.sqlite", "postgresql://a:secret@b:port/c"])
def test_an_invalid_address_is_explained_without_its_password(url):
    with pytest.raises(StoreError, match="sqlite:///FILE or postgresql://") as refused:
        ClubStore.open(url)
    assert "secret" not in str(refused.value)


def test_a_database_that_does_not_answer_is_named_without_its_password(tmp_path):
    with pytest.raises(StoreError, match="does not answer") as refused:
        ClubStore.open(f"postgresql://a:secret@/c?host={tmp_path}")
    assert "secret" not in str(refused.value)
    (tmp_path / "club.sqlite").write_bytes(b"no database at all" * 100)
    with pytest.raises(StoreError, match=r"club\.sqlite does not answer"):
        ClubStore.open(f"sqlite:///{tmp_path / 'club.sqlite'}")


@slow
def test_processes_bound_the_guesses_of_a_day_together(url):
    """Strangers try as often as they may at two processes, after pauses of all kinds."""
    with closing(ClubStore.open(url)) as one, closing(ClubStore.open(url)) as other:
        rng, now, looked_at = Random(5), 1_790_000_000.0, []
        for _ in range(400):
            for store in (one, other):
                while tokens_of(store).take_attempt(150.0, 50, now) == 0.0:
                    looked_at.append(now)
            now += rng.choice([0.5, 30.0, 149.0, 151.0, 1000.0])
        assert looked_at.count(looked_at[0]) == 50
        for first in looked_at[::10]:
            assert sum(first <= at < first + 86_400 for at in looked_at) <= 50 + 86_400 / 150
        while (wait := tokens_of(one).take_attempt(150.0, 50, now)) == 0:
            pass
        assert 0 < wait <= 150
        assert tokens_of(other).take_attempt(150.0, 50, now + wait - 0.1) > 0
        assert tokens_of(other).take_attempt(150.0, 50, now + wait + 0.1) == 0


def test_a_right_password_costs_nothing_and_a_clock_that_was_set_back_locks_nobody_out(url):
    with closing(ClubStore.open(url)) as store:
        for _ in range(500):
            assert tokens_of(store).take_attempt(150.0, 50, 1_790_000_000.0) == 0
            tokens_of(store).give_back_attempt(150.0)
        for _ in range(50):
            assert tokens_of(store).take_attempt(150.0, 50, 1_790_000_000.0) == 0
        last_year = 1_790_000_000.0 - 3e7
        assert tokens_of(store).take_attempt(150.0, 50, last_year) == 0
        assert 0 < tokens_of(store).take_attempt(150.0, 50, last_year) <= 150


def test_the_first_password_of_several_processes_is_one_and_replaces_none(url):
    with closing(ClubStore.open(url)) as store, ThreadPoolExecutor(4) as pool:
        words = [f"first password {k}" for k in range(4)]
        tokens = tokens_of(store)
        made = list(pool.map(lambda word: tokens.set_password(word, first=True), words))
        assert made.count(True) == 1
        assert [tokens.accepts(word) for word in words] == made
