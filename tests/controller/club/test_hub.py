"""The hub: every event once, every result once, and a defined answer to everything else."""

import json
import sqlite3
from contextlib import closing

import pytest

from controller.club.desk import Desk, add_entrants
from controller.club.errors import StoreError, TournamentError
from controller.club.hub.evening import boards as board_documents
from controller.club.hub.message_intake import BURST, TooMuch
from controller.club.hub.organiser import log
from controller.club.store import SILENT, ClubStore, StoredEvent
from controller.club.tournament.catalogue import FORMATS
from controller.club.tournament.events import (
    BoardAdded,
    BoardRenamed,
    Corrected,
    EntrantAdded,
    EntrantRenamed,
    FormatSet,
    MatchMoved,
    Result,
    Undone,
)
from controller.club.tournament.planning import NextRound, PairAgain
from controller.errors import BadInput, Refused
from controller.journal import SCHEMA_VERSION
from controller.match.club import Assignment, AssignmentAnswer, Have, parse, serialize
from tests.controller.club.a_club import (
    CLUB,
    a_hub,
    a_store,
    a_table,
    an_evening,
    assign,
    begun,
    do,
    play,
    play_reported,
    post,
    send,
    undo,
)
from tests.controller.club.evenings import result_of
from tests.controller.fed_table import ReadTable


@pytest.fixture
def table(hub):
    """One at which a match of the first round is to be played."""
    return begun(hub)["t1"]


def match_on(hub, board):
    return next(match for match in hub.tournament.state.matches.values() if match.board == board)


def reports(hub):
    """All results in the log, whatever became of them."""
    return [entry.event for entry in hub.tournament.entries if isinstance(entry.event, Result)]


# --- events


def test_batches_that_come_twice_or_too_early_change_nothing(hub, store, table):
    play(table)
    table.have = 0
    whole = table.batch()
    parts = [whole.model_copy(update={"first": e.id, "last": e.id, "events": (e,)}) for e in whole.events]
    assert post(hub, "t1", parts[2]) == Have(have=0)
    for part, have in ((parts[0], 1), (parts[0], 1), (parts[3], 1), (parts[1], 2), (whole, 5), (parts[3], 5)):
        assert post(hub, "t1", part) == Have(have=have)
    assert [event.number for _, event in store.events_since(0, store.version())] == [e.id for e in whole.events]
    assert len(reports(hub)) == 1


def test_a_number_that_no_event_has_is_no_gap(hub, store, table):
    play(table)
    table.have = 0
    skipping = tuple(e.model_copy(update={"id": 3 * e.id}) for e in table.batch().events)
    batch = table.batch().model_copy(update={"last": skipping[-1].id + 2, "events": skipping})
    assert post(hub, "t1", batch) == Have(have=skipping[-1].id)
    assert store.last_of("t1", table.journal) == 3 * len(batch.events)


def test_a_journal_begins_where_its_table_joined(hub, store, table):
    play(table)
    table.have = 0
    shifted = tuple(e.model_copy(update={"id": e.id + 40}) for e in table.batch().events)
    news = {"first": 41, "last": shifted[-1].id, "events": shifted}
    assert post(hub, "t1", table.batch().model_copy(update=news)) == Have(have=0), "what is before would be missing"
    batch = table.batch().model_copy(update={"begins": 41, **news})
    assert post(hub, "t1", batch.model_copy(update={"last": 40, "events": ()})) == Have(have=40)
    assert post(hub, "t1", batch) == Have(have=shifted[-1].id)
    assert match_on(hub, "t1").over


def test_who_listens_hears_that_a_table_comes_goes_or_is_in_trouble(hub, table):
    table.next = None
    reported = []
    hub.on_changed.append(lambda: reported.append(board_documents(hub)[0]))
    for _ in range(2):
        send(hub, table)
    for _ in range(2):
        hub.heard("t1", here=False)
    for _ in range(2):
        with pytest.raises(BadInput):
            hub.receive("t1", b"{")
    send(hub, table)
    assert [(board.online, len(board.troubles)) for board in reported] == [
        (True, 0),
        (False, 0),
        (True, 1),
        (True, 0),
    ]


def test_a_result_counts_although_the_database_was_away_in_the_middle_of_it(hub, store, monkeypatch, table):
    play(table)

    def away(*_):
        raise StoreError("away")

    with monkeypatch.context() as broken:
        broken.setattr(ClubStore, "append_decisions", away)
        with pytest.raises(StoreError):
            send(hub, table)
    assert match_on(hub, "t1").open
    assert hub.refresh()
    assert match_on(hub, "t1").over
    assert len(reports(hub)) == 1


@pytest.mark.parametrize("how", ["other events", "fewer events"])
def test_a_journal_that_was_set_back_is_renewed_and_its_result_counts_once(hub, how, table):
    play_reported(hub, table)
    journal, all_of_it = table.journal, Have(have=len(table.events), renew=True)
    if how == "other events":
        table.events[-1] = table.events[-1].model_copy(update={"at": 5.0})
        table.have = 0
        assert post(hub, "t1", table.batch()) == all_of_it
    else:
        last = table.events.pop()
        table.have = None
        assert post(hub, "t1", table.batch()) == all_of_it
        table.events.append(last)
    assert "set back" in str(board_documents(hub)[0].troubles[0]), "the organiser sees it"
    table.hear(all_of_it)
    assert table.journal != journal
    table.report(hub)
    assert len(reports(hub)) == 1
    assert not match_on(hub, "t1").contradicted


def test_another_end_in_a_renewed_journal_is_for_the_organiser_to_decide(hub, table):
    table.begin()
    for _ in range(4):
        table.enter({"A": 20, "B": 0}, {"A": 1, "B": 0})
    send(hub, table)
    first = match_on(hub, "t1").result
    table.journal = "f" * 32
    del table.events[-1:], table.history[-1:]
    table.enter({"A": 0, "B": 60}, {"A": 0, "B": 0})
    send(hub, table)
    match = match_on(hub, "t1")
    assert match.result == first
    assert [other.points for other in match.contradicted] == [(6, 2)]


def test_a_running_hub_reads_everything_again_when_its_database_is_set_back(hub, store):
    tables = begun(hub)
    with closing(sqlite3.connect(":memory:")) as copy:
        with store.engine.connect() as now:
            now.connection.driver_connection.backup(copy)
        for table in tables.values():
            play_reported(hub, table)
        assert not hub.tournament.state.open_matches
        with store.engine.connect() as now:
            copy.backup(now.connection.driver_connection)
    assert hub.refresh()
    assert len(hub.tournament.state.open_matches) == 2
    for table in tables.values():
        send(hub, table)
    assert [match.open for match in hub.tournament.state.matches.values()] == [False, False]
    assert len(reports(hub)) == 2
    assert a_hub(store).tournament == hub.tournament


# --- results that come otherwise


def test_a_hub_follows_an_evening_that_another_one_begins_or_goes_on_with(hub, store):
    other = a_hub(store)
    reported = []
    other.on_changed.append(lambda: reported.append(other.evening.title))
    for title in ("First", "Second"):
        hub.begin(title)
        an_evening_here = hub.evening
        do(hub, BoardAdded("t1"))
        other.refresh()
        assert other.evening == an_evening_here
        assert list(other.tournament.state.boards) == ["t1"]
    assert reported == ["First", "Second"]
    first = store.evenings()[0]
    other.activate_evening(first.id)
    do(other, BoardAdded("t2"))
    for each in (hub, a_hub(store)):
        each.refresh()
        assert each.evening.id == first.id, "a club has one evening that is the present one, also after a restart"
        assert list(each.tournament.state.boards) == ["t1", "t2"]
        assert each.assignments() == other.assignments()
    hub.begin("Third")
    other.refresh()
    assert other.evening.title == "Third"


def test_an_evening_that_is_begun_twice_by_one_request_begins_once(hub, store):
    other = a_hub(store)
    actions = [BoardAdded("t1"), EntrantAdded("p1", ("Player 1",))]
    store.begin_evening("0123456789abcdef", "Club evening", 0.0)  # as if the hub had ended in the middle
    for each in (hub, other, hub):
        each.begin("Club evening", actions, "organiser", "0123456789abcdef")
    (begun,) = store.evenings()
    assert (hub.evening, len(hub.tournament.entries)) == (begun, len(actions))
    hub.begin("Another", actions, "organiser", "fedcba9876543210")
    hub.begin("Club evening", actions, "organiser", begun.id)
    assert hub.evening.title == "Another"


def test_what_the_organiser_did_can_be_undone_however_many_results_tables_have_reported_since(hub):
    tables = begun(hub, 36, FORMATS["round-robin"])
    do(hub, BoardRenamed("t1", "Bu the door"))
    slip = hub.tournament.entries[-1].number
    while hub.tournament.state.open_matches:
        assign(hub, tables)
        for table in tables.values():
            play_reported(hub, table)
    (line,) = [line for line in log(hub) if line.number == slip]
    assert [str(words) for words in line.changes] == ["Board t1 is now Bu the door."]
    assert [each.number for each in log(hub)] == sorted((each.number for each in log(hub)), reverse=True)
    do(hub, Undone(slip))
    assert next(line for line in log(hub) if line.number == slip).undone


def test_no_round_is_paired_while_a_match_is_going_on_again(hub):
    tables = begun(hub)
    for table in tables.values():
        play_reported(hub, table)
    undo(tables["t1"])
    send(hub, tables["t1"])
    with pytest.raises(TournamentError, match="Being played again"):
        hub.plan([NextRound()])
    match = match_on(hub, "t1")
    do(hub, Corrected(result_of(match, (8, 0))))
    assert hub.plan([NextRound()]).changes, "the organiser's word is enough"


def test_what_the_organiser_corrected_stays_and_the_table_contradicts(hub, table):
    play_reported(hub, table)
    match = match_on(hub, "t1")
    do(hub, Corrected(result_of(match, match.result.points[::-1], (1, 1))))
    ruled = match_on(hub, "t1").result
    undo(table)
    table.enter({"A": 5, "B": 0}, {"A": 0, "B": 0})
    send(hub, table)
    assert match_on(hub, "t1").result == ruled
    assert match_on(hub, "t1").contradicted


def test_a_result_of_a_round_that_was_undone_counts_when_that_is_undone(hub):
    tables = begun(hub)
    paired = next(e.number for e in hub.tournament.entries if type(e.event).__name__ == "StageBegan")
    do(hub, Undone(paired))
    play_reported(hub, tables["t1"])
    assert hub.tournament.state.matches == {}
    assert [each.table for each in hub.left_out] == ["t1"]
    do(hub, Undone(hub.tournament.entries[-1].number))
    assert match_on(hub, "t1").over
    assert hub.left_out == ()


@pytest.mark.parametrize("renamed", [None, 0, 1])
def test_players_who_swapped_sides_have_their_own_figures(hub, renamed, table):
    first, second = table.next.sides
    table.next = table.next.model_copy(update={"sides": (second, first)})
    play_reported(hub, table, rounds=1)
    match = match_on(hub, "t1")
    if renamed is not None:
        do(hub, EntrantRenamed(match.sides[renamed], ("Player 99",)))
    own = {"A": match.sides[1], "B": match.sides[0]}
    shown = next(board.now for board in board_documents(hub) if board.id == "t1")
    assert dict(zip(shown.entrants, shown.score, strict=True)) == {
        own[side]: score for side, score in table.state.score.items()
    }
    assert dict(zip(shown.entrants, shown.rounds[0].totals, strict=True)) == {
        own[side]: total for side, total in table.state.finished[0].totals.items()
    }
    play_reported(hub, table)
    match = match_on(hub, "t1")
    assert dict(zip(match.sides, match.result.points, strict=True)) == {
        own[side]: score for side, score in table.state.score.items()
    }


def test_a_match_that_was_moved_counts_from_where_it_was_begun(hub):
    tables = begun(hub)
    match = match_on(hub, "t1")
    play_reported(hub, tables["t1"], rounds=1)
    do(hub, MatchMoved(match.id, "t2", 2))
    play_reported(hub, tables["t1"])
    assert hub.tournament.state.match(match.id).over


def test_best_of_three_is_decided_by_games(hub):
    from controller.club.tournament.formats import Play, TournamentFormat
    from controller.club.tournament.round_robin import RoundRobin

    table = begun(hub, format=TournamentFormat((RoundRobin(play=Play("best_of", rounds=2, games=3)),)))["t1"]
    table.begin()
    for _ in range(4):
        assert match_on(hub, "t1").open
        table.enter({"A": 20, "B": 0}, {"A": 1, "B": 0})
        send(hub, table)
    assert match_on(hub, "t1").result.points == (2, 0)
    assert match_on(hub, "t1").result.twenties == (4, 0)


# --- what does not belong


def test_the_match_of_another_table_is_left_out_and_reported(hub):
    tables = begun(hub)
    tables["t2"].assigned(written_assignment(hub, "t1"))
    play_reported(hub, tables["t2"])
    assert match_on(hub, "t1").open
    assert [(each.table, str(each.why)) for each in hub.left_out] == [
        ("t2", "This match was never given to that table.")
    ]


def written_assignment(hub, table):
    return hub.assignments()[table]


@pytest.mark.parametrize(
    ("kind", "body", "schema"),
    [
        ("invented", {}, SCHEMA_VERSION),
        ("round_ended", {"totals": "many"}, SCHEMA_VERSION),
        ("round_ended", {"totals": {"A": 10**9, "B": -1}}, SCHEMA_VERSION),
        ("undone", {"target": 999}, 99),
        ("undone", {"target": 999}, SCHEMA_VERSION - 1),
        ("redone", {"target": 999}, SCHEMA_VERSION),
        ("match_started", {"rules": "nca", "sides": [{"name": "x"}, {"name": "y"}]}, SCHEMA_VERSION),
        ("round_ended", None, SCHEMA_VERSION),
    ],
)
def test_an_unreadable_event_is_kept_and_reported_and_its_match_does_not_count(hub, store, kind, body, schema):
    tables = begun(hub)
    table = tables["t1"]
    play_reported(hub, table, rounds=1)
    event = table.events[-1].model_copy(update={"id": 3, "kind": kind, "body": body})
    batch = table_batch(table, [event]).model_copy(update={"journal_schema": schema})
    assert post(hub, "t1", batch) == Have(have=3)
    assert store.last_of("t1", table.journal) == 3
    assert [each.table for each in hub.left_out] == ["t1"]
    assert match_on(hub, "t1").open
    play_reported(hub, tables["t2"])
    assert match_on(hub, "t2").over, "the other table is not harmed"


def table_batch(table, events):
    first, last = events[0].id, events[-1].id
    return table.batch().model_copy(
        update={"journal_schema": SCHEMA_VERSION, "first": first, "last": last, "events": tuple(events)}
    )


@pytest.mark.parametrize(
    "payload",
    [b"", b"{", b"\xff" * 100, b"[" * 200_000, b"{}", b" " * 300_000, b'{"journal": "x"}'],
)
def test_an_invalid_message_changes_nothing_and_is_reported(hub, store, payload):
    begun(hub)
    with pytest.raises(BadInput):
        hub.receive("t1", payload)
    assert store.events_since(0, store.version()) == []
    (trouble,) = board_documents(hub)[0].troubles
    assert str(trouble).startswith("What this table sent can't be read: ")


@pytest.mark.parametrize(
    "wrong",
    [
        {"first": 2, "last": 5},  # event 1 is before
        {"last": 4},  # event 5 is behind
        {"begins": 2},
        {"last": -1, "events": ()},
        {"events": "reversed"},
    ],
)
def test_numbers_that_are_out_of_order_are_refused(hub, store, wrong, table):
    play(table)
    table.have = 0
    events = {"events": table.batch().events[::-1]} if wrong.get("events") == "reversed" else {}
    with pytest.raises(BadInput):
        post(hub, "t1", table.batch().model_copy(update=wrong | events))
    assert store.events_since(0, store.version()) == []
    assert board_documents(hub)[0].troubles


def test_a_table_that_sends_without_end_is_stopped_and_the_others_are_not(hub, store):
    tables = begun(hub)
    table = tables["t1"]
    play_reported(hub, table)
    noise = table.events[-1].model_copy(update={"match": 0, "kind": "noise", "body": {"text": ["x" * 4000] * 25}})
    assert hub.intake.allowances["t1"].left > BURST - 100_000
    hub.intake.allowances["t1"].left = 2_000_000
    taken = 0
    refused = False
    while not refused:
        first = store.last_of("t1", table.journal) + 1
        batch = table_batch(table, [noise.model_copy(update={"id": first + k}) for k in range(2)])
        try:
            hub.receive("t1", serialize(batch))
        except TooMuch:
            refused = True
        taken += len(serialize(batch))
    assert "far more" in str(board_documents(hub)[0].troubles[0])
    assert 1_600_000 <= taken <= 2_300_000
    play_reported(hub, tables["t2"])
    assert match_on(hub, "t2").over


def test_a_table_whose_matches_never_end_is_not_followed_for_ever(hub, monkeypatch):
    monkeypatch.setattr("controller.club.hub.matches.MOST_FOLDED", 400)
    tables = begun(hub)
    table = tables["t1"]
    table.begin()
    while not hub.left_out:
        table.enter({"A": 5, "B": 0}, {"A": 0, "B": 0})
        undo(table)
        send(hub, table)
        assert len(table.events) <= 45, "folded again each time: 3 + 5 + .. + 43 is beyond 400"
    assert "enter its results by hand" in str(hub.left_out[0].why)
    play_reported(hub, tables["t2"])
    assert match_on(hub, "t2").over


# --- the organiser


def test_results_of_another_evening_are_reported_and_count_there(hub):
    tables = begun(hub)
    former = hub.evening.id
    play(tables["t1"])
    begun(hub)
    send(hub, tables["t1"])
    assert [str(each.why)[:30] for each in hub.left_out] == ["It belongs to another evening."]
    hub.activate_evening(former)
    assert match_on(hub, "t1").over


def test_two_partners_names_are_whole_at_their_table_and_come_back_whole(hub, tmp_path):
    pairs = [
        (f"Maximilian Wolfeschlegelsteinhausenber {n}", f"Katarzyna Brzęczyszczykiewicz-Jankowsk {n}") for n in "12"
    ]
    hub.begin("Pairs")
    do(hub, FormatSet(FORMATS["swiss"]), BoardAdded("t1"), *add_entrants(hub.tournament.state, pairs))
    do(hub, NextRound())
    assigned = parse(Assignment, hub.assignments()["t1"]).match
    names = [" & ".join(pair) for pair in pairs]
    assert sorted(assigned.names) == names
    assert [len(name) for name in names] == [83, 83]
    table = ReadTable(tmp_path)
    sides = [{"name": name} for name in assigned.names]
    table.do("start", rules="nca", doubles=assigned.doubles, sides=sides, assignment=assigned.id)
    assert sorted(table.engine.state.name_of(side) for side in "AB") == names


def test_an_assignment_is_the_same_for_everybody_and_new_after_each_pairing(hub):
    begun(hub)
    ids = {json.loads(payload)["match"]["id"] for payload in hub.assignments().values()}
    assert ids == {json.loads(payload)["match"]["id"] for payload in a_hub(hub.store).assignments().values()}
    do(hub, PairAgain(next(iter(hub.tournament.state.rounds))))
    assert ids.isdisjoint(json.loads(payload)["match"]["id"] for payload in hub.assignments().values())


def test_ladders_and_play_offs_reach_their_tables(hub):
    tables = begun(hub, format=FORMATS["swiss-playoffs"], players=8)
    assert tables["t1"].next.format == {"kind": "rounds", "rounds": 4, "games": 1, "tie": "stands"}
    assert tables["t1"].next.round == 1
    shown = AssignmentAnswer(id=tables["t1"].next.id, answer="shown")
    post(hub, "t1", tables["t1"].batch().model_copy(update={"answer": shown}))
    assert hub.reports["t1"].answer == shown
    refused = AssignmentAnswer(id=tables["t1"].next.id, answer="refused", why="No such rules.")
    post(hub, "t1", tables["t1"].batch().model_copy(update={"answer": refused}))
    assert str(board_documents(hub)[0].troubles[0]) == "The table can't play this match: No such rules."


def test_a_table_that_says_nothing_counts_as_not_connected_until_it_does(tmp_path):
    """By the database, so that every process of the hub knows it."""
    store, now = a_store(f"sqlite:///{tmp_path / 'club.sqlite'}"), [1_790_000_000.0]
    hub, other = (a_hub(store, lambda: now[0]) for _ in range(2))
    tables, reported = begun(hub), []
    hub.on_changed.append(lambda: reported.append(True))

    def connected(hub=hub):
        return {board.id: board.online for board in board_documents(hub)}

    for table in tables.values():
        send(hub, table)
    other.refresh()
    assert connected() == connected(other) == {"t1": True, "t2": True}
    now[0] += 0.7 * SILENT
    send(other, tables["t2"])
    now[0] += 0.7 * SILENT
    reported.clear()
    hub.watch_tables()
    assert connected() == {"t1": False, "t2": True}
    assert reported == [True]
    hub.watch_tables()
    assert reported == [True], "what was lost is lost once"
    send(hub, tables["t1"])
    assert connected() == {"t1": True, "t2": True}
    store.close()


def test_a_finished_match_takes_no_more_memory_than_its_result_and_can_still_be_corrected(hub):
    """Else a hub grows with every shot of an evening. A film counts for nothing here, and is as large as many shots."""
    tables = begun(hub, 8, FORMATS["round-robin"])
    for _ in range(3):
        while hub.tournament.state.open_matches:
            assign(hub, tables)
            for table in tables.values():
                play_reported(hub, table)
        do(hub, NextRound())
    held = [played for played in hub._matches if played.history]
    assert {played.key for played in held} == {played.key for played in hub.playing().values()}
    packed = next(played for played in hub._matches if not played.history)
    before = next(m for m in hub.tournament.state.matches.values() if f":{m.id}:" in packed.assignment)
    table = tables[packed.key.table]
    undone = StoredEvent(
        len(table.events) + 1,
        packed.key.match,
        0.0,
        "undone",
        {"target": packed.summary.last_id, "ended": 1},
        SCHEMA_VERSION,
    )
    hub.store.append_events(table.id, table.journal, len(table.events), [undone])
    hub.refresh()
    assert before.id in hub.reopened
    assert next(played for played in hub._matches if played.key == packed.key).history
    entered = undone._replace(
        number=undone.number + 1, kind="round_ended", body={"totals": {"A": 0, "B": 5}, "twenties": {"A": 0, "B": 0}}
    )
    hub.store.append_events(table.id, table.journal, undone.number, [entered])
    hub.refresh()
    assert hub.reopened == frozenset()
    assert hub.tournament.state.match(before.id).result.report.endswith(f"@{entered.number}")
    assert not next(played for played in hub._matches if played.key == packed.key).history


def test_after_a_database_was_set_back_and_paired_again_a_result_is_one_tap_away_and_the_table_can_still_correct_it(
    tmp_path,
):
    """What was done between the copy and the pairing is missing, so that the match is another one for the hub."""
    store = a_store(f"sqlite:///{tmp_path / 'club.sqlite'}")
    hub = a_hub(store)
    an_evening(hub, 4, boards=("t1", "t2"))
    copy = f"{tmp_path / 'copy.sqlite'}"
    with closing(sqlite3.connect(copy)) as to, store.engine.connect() as now:
        now.connection.driver_connection.backup(to)
    do(hub, EntrantRenamed("p4", ("Player 5",)))
    do(hub, EntrantRenamed("p4", ("Player 4",)))
    do(hub, NextRound())
    table = a_table(hub)
    play_reported(hub, table)
    store.close()

    store = ClubStore.open(f"sqlite:///{copy}", CLUB)
    hub = a_hub(store)
    desk = Desk(hub, "Club")
    do(hub, NextRound())
    send(hub, table)
    (left,) = hub.left_out
    assert match_on(hub, "t1").open
    count = [{"do": "count", "source": left.source}]
    desk.confirm(count, desk.plan(count).token, "organiser")
    match = match_on(hub, "t1")
    names = [hub.tournament.state.labels[side] for side in match.sides]
    reported = {table.state.name_of(side): points for side, points in table.state.score.items()}
    assert dict(zip(names, match.result.points, strict=True)) == reported
    assert hub.left_out == ()
    with pytest.raises(Refused, match="play no other match"):
        desk.plan(count)
    undo(table)
    table.enter({"A": 0, "B": 20}, {"A": 0, "B": 0})
    send(hub, table)
    reported = {table.state.name_of(side): points for side, points in table.state.score.items()}
    assert dict(zip(names, match_on(hub, "t1").result.points, strict=True)) == reported
    store.close()


def told_as(table, *names):
    """The table's match as if these had played it."""
    table.have = 0
    first = table.batch()
    started = next(event for event in first.events if event.kind == "match_started")
    sides = [{**side, "name": name} for side, name in zip(started.body["sides"], names, strict=True)]
    other = started.model_copy(update={"body": {**started.body, "sides": sides}})
    events = tuple(other if event is started else event for event in first.events)
    return first.model_copy(update={"events": events})


def test_a_match_that_others_played_waits_for_the_organiser_and_can_be_counted(hub, table):
    play(table)
    post(hub, "t1", told_as(table, "A stranger", "Another one"))
    assert match_on(hub, "t1").result is None
    (left,) = hub.left_out
    assert left.names == ("A stranger", "Another one")
    do(hub, left.instead)
    assert match_on(hub, "t1").result is not None
    assert not hub.left_out


def test_a_match_in_which_one_side_has_another_name_counts(hub, table):
    play(table)
    kept = next(event for event in table.events if event.kind == "match_started").body["sides"][0]["name"]
    post(hub, "t1", told_as(table, kept, "As she is called at home"))
    assert match_on(hub, "t1").result is not None
