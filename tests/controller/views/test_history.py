"""The archive: matches, reviews and figures, from what was really played on a journal."""

import json
import multiprocessing
import resource
import sqlite3
import threading
import time
from concurrent.futures import BrokenExecutor
from contextlib import closing
from dataclasses import replace

import pytest

from controller.errors import BadInput, NotAvailable
from controller.journal import Journal
from controller.journal.store import Readers
from controller.messages import encoded
from controller.rules import nearest_line
from controller.views.history import Archive, Selection
from controller.views.history.tables import history_path
from controller.views.history.upkeep import Progress, Upkeep, sum_up
from tests.controller.fed_table import a, b
from tests.controller.table import full_disk
from tests.slow import slow
from tests.years import played, write_years


class UpToDate(Archive):
    """An archive whose tables are brought up to date before each question, as a moment's patience does."""

    def _asked(self, *asked):
        self.upkeep.catch_up()
        return super()._asked(*asked)


@pytest.fixture
def archive(table):
    archive = UpToDate(table.journal)
    yield archive
    archive.close()


def play_round(table):
    """Black's first disc lies in the 15, Natural's hits it, Black's second sinks; the board is swept."""
    table.see(a(0, 60))
    table.see(a(0, 90), b(20, 70))
    table.see(a(0, 90), b(20, 70), a(0, 0, "in_hole"))
    table.see(a(0, 90), b(20, 70))
    table.do("end_round")


def test_a_review_steps_through_every_shot_with_its_rule(table, archive):
    play_round(table)
    document = json.loads(encoded(archive.match(1)))
    first, second, *_ = document["shots"]
    assert [(s["round"], s["number"], s["side"]) for s in (first, second)] == [(1, 1, "A"), (1, 2, "B")]
    assert first["before"] == []
    assert [d["id"] for d in first["after"]] == [first["disc"]]
    assert first["after"] == second["before"]
    assert second["rule"]["choice"] == "opponent_contact"
    assert second["why"][0] == "Valid: it hit Black's first disc."
    moved = {path["disc"]: path for path in second["paths"]}
    assert moved[first["disc"]] == {"disc": first["disc"], "from": [0, 60], "to": [0, 90]}
    assert moved[second["disc"]]["from"] is None


def test_a_match_that_is_corrected_later_is_summed_up_again_and_the_correction_listed(table, archive):
    play_round(table)
    table.do("start", rules="nca", sides=[{"name": "P", "colour": "black"}, {"name": "Q", "colour": "natural"}])
    first = archive.matches()
    assert archive.matches() == first
    table.do("correct_round", match=1, round=1, totals={"A": 55, "B": 5}, by="phone")
    line = archive.matches().matches[1].rounds[0]
    assert line.totals == {"A": 55, "B": 5} != first.matches[1].rounds[0].totals
    assert line.corrected
    (change,) = [c for c in archive.match(1).changes if c.kind == "round_corrected"]
    assert change.by == "phone"


def test_figures_add_up_what_players_did(table, archive):
    play_round(table)
    figures = archive.figures()
    black, natural = figures.players
    assert (black.player, natural.player) == ("Black", "Natural")
    assert black.shots + natural.shots == len(archive.match(1).shots)
    assert black.twenties == table.state.finished[0].twenty_counts["A"]
    assert black.hammer.rounds + black.no_hammer.rounds == 1
    assert natural.hammer.rounds == 1
    places = archive.figures(Selection(player="Natural")).places
    assert [(p.x, p.y, p.player) for p in places] == [(20.0, 70.0, "Natural")]


def test_figures_of_a_span_of_days(table, archive):
    play_round(table)
    day = archive.matches().matches[0].day
    assert archive.figures(Selection(since=day, until=day)).matches == 1
    assert archive.figures(Selection(until="1969-01-01")).matches == 0


def test_near_misses_are_given_in_millimetres(table, archive):
    radius = 180.0 + nearest_line(180.0, 0.0)[1] + 0.4
    table.see(a(0, 60))
    table.see(a(0, 90), b(radius, 0))
    (near,) = archive.figures().near
    assert near.zone == 5
    assert -1.0 <= near.clearance <= 0.0


def test_a_match_counts_for_its_players_when_it_is_over(table, archive):
    play_round(table)
    counted = [(one.matches, one.won, one.rounds) for one in archive.figures().players]
    assert counted == [(0, 0, 1), (0, 0, 1)]
    for number in range(1, 5):
        table.do("correct_round", round=number, points={"A": 2, "B": 0})
    counted = [(one.matches, one.won, one.rounds) for one in archive.figures().players]
    assert counted == [(1, 1, 4), (1, 0, 4)]


def test_head_to_head_counts_finished_matches(table, archive):
    for number in range(1, 5):
        table.do("correct_round", round=number, points={"A": 2, "B": 0})
    (line,) = archive.figures().head_to_head
    assert (line.players, line.matches, line.won, line.tied) == (["Black", "Natural"], 1, [1, 0], 0)
    assert (line.matches_with_twenties, line.twenties) == (0, [None, None]), "nobody recorded any"


@pytest.mark.parametrize("number", [0, -1, 2])
def test_an_unknown_match_is_refused(archive, number):
    with pytest.raises(BadInput, match="no match"):
        archive.match(number)


@slow
def test_if_the_system_ends_a_process_that_sums_up_the_others_are_not_awaited_for_ever(tmp_path):
    """As Linux does when memory runs out."""
    write_years(tmp_path / "journal.sqlite", 400, [played(1, rounds=4)])
    with closing(Journal(tmp_path / "journal.sqlite")) as journal, closing(Archive(journal)) as archive:
        upkeep, broke = Upkeep(journal, archive._tables), []

        def catch_up():
            try:
                upkeep.catch_up()
            except BrokenExecutor as error:
                broke.append(error)

        summing = threading.Thread(target=catch_up)
        summing.start()
        while summing.is_alive() and not ((now := upkeep.progress) and now.done):
            time.sleep(0.001)
        for process in multiprocessing.active_children():
            process.kill()
        summing.join(20.0)
        ended = not summing.is_alive()
        upkeep.stop()
        summing.join()
        assert ended
        assert broke
        archive.upkeep.catch_up()
        assert archive.figures().matches == 400


@slow
def test_many_missing_matches_are_summed_up_by_other_processes_until_it_stops(tmp_path, monkeypatch):
    write_years(tmp_path / "journal.sqlite", 60, [played(1, rounds=1)])
    with closing(Journal(tmp_path / "journal.sqlite")) as journal, closing(Archive(journal)) as archive:
        told, upkeep = [], Upkeep(journal, archive._tables)
        monkeypatch.setattr(
            "controller.views.history.upkeep.Progress", lambda *figures: told.append(figures) or Progress(*figures)
        )
        monkeypatch.setattr("controller.views.history.upkeep.FIRST_LOOK", 0.01)
        for asked in (archive.matches, archive.figures, archive.check_complete):
            with pytest.raises(NotAvailable, match="minute"):  # nothing would look like all that there is
                asked()
        upkeep.catch_up()
        assert told == [(0, 60), (50, 60), (60, 60)]
        archive._tables.reset()
        stopped = Upkeep(journal, archive._tables)
        stopped.stop()
        stopped.catch_up()
        assert not stopped.is_complete
        archive.upkeep.catch_up()
        archive.check_complete()
        by_another = archive.figures()
        archive._tables.reset()
        archive._tables.put(sum_up(journal, *one) for one in journal.spans().items())
        assert archive.figures() == by_another


def test_what_is_looked_up_needs_no_room_on_the_disk(tmp_path):
    """SQLite sorts what is larger than its cache in a temporary file, if it may."""
    with closing(sqlite3.connect(tmp_path / "many.sqlite")) as connection, connection:
        numbers = "WITH RECURSIVE n(i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n WHERE i < 49999)"
        connection.execute(f"CREATE TABLE many AS {numbers} SELECT i * 7919 % 50000 AS i FROM n")
    with closing(Readers(tmp_path / "many.sqlite")) as readers:
        full_disk.close_at(0)
        try:
            rows = readers.read("SELECT i FROM many ORDER BY i")
        finally:
            full_disk.open_again()
    assert rows == [(i,) for i in range(50_000)]


def test_with_too_many_open_files_an_error_is_shown_and_nothing_is_deleted(table, archive):
    play_round(table)
    before = archive.figures()
    with closing(Archive(table.journal)) as fresh:
        soft, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (3, most))
        try:
            with pytest.raises(sqlite3.Error):  # the first look, without which nobody is answered
                fresh.upkeep.catch_up()
            with pytest.raises(NotAvailable, match=r"can't be looked up now .*try again in a minute"):
                fresh.figures()
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, most))
        assert fresh.figures() == before
        fresh.upkeep.catch_up()
        assert fresh.stamp() == archive.stamp(), "made anew, it would have another"


def test_a_missing_history_is_rebuilt(table, archive):
    play_round(table)
    before = archive.figures()
    with closing(Archive(table.journal)) as fresh:
        history_path(table.journal).unlink()
        with pytest.raises(sqlite3.Error):
            fresh.upkeep.catch_up()
        with pytest.raises(NotAvailable, match="summed up again"):
            fresh.figures()
        fresh.upkeep.catch_up()
        assert fresh.figures() == before


def test_a_match_that_began_before_the_time_was_known_is_dated_when_it_is(opened, archive):
    assert archive.matches().matches[0].day.startswith("19")
    known = 1_790_000_000.0 - opened.t
    opened.t += known
    before = opened.state
    opened.engine.clock_set(known)
    assert replace(opened.state, last_id=before.last_id) == before, "no score changes"
    opened.see(a(0, 90), b(20, 70))
    (line,) = archive.matches().matches
    assert line.day[:4] == line.started[:4] == line.ended[:4] == "2026"
    assert {shot.at[:4] for shot in archive.match(1).shots} == {"2026"}
    assert archive.figures(Selection(since="2026-01-01")).matches == 1
