"""A journal in which something can't be read: the table starts, plays, and says what is set aside."""

import sqlite3
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from controller.config import Config
from controller.errors import JournalError, Unreadable
from controller.journal import Journal
from controller.messages import encoded
from controller.service import Service
from controller.table.devices import COUNTS, kept_counts
from controller.table.engine import Engine
from controller.table.hole_sensor import HoleWatch
from controller.table.kept_facts import kept_name, kept_pin, kept_secret, restore_empty_board, stored_model
from controller.tools.doctor import examine
from controller.views.history import Archive
from tests.controller.fed_table import SIDES, START, ReadTable, a, b, history_of, settings_of
from tests.slow import slow


@cache
def model():
    """A journal of two matches, with all that a table keeps beside them."""
    with TemporaryDirectory() as folder:
        table = ReadTable(Path(folder))
        with closing(table.journal) as journal:
            table.see(hand=False)
            table.see(a(0, -150))
            table.see(a(0, -150), b(100, 0))
            table.hole((1.0, True))
            table.do("end_round")
            table.do("start", rules="nca", sides=SIDES)
            table.see(hand=False)
            table.see(a(0, -204))
            for name, value in {"pin": "4711", "name": "Table 1", "secret": "00" * 32, COUNTS: "[7, 1, 0]"}.items():
                journal.facts.keep(name, value)
        return (Path(folder) / "journal.sqlite").read_bytes()


TEXTS = ("body", "kind", "value", "name")

BROKEN = st.sampled_from(
    ["", "{", "[]", "null", "7", "{}", '{"t": "x"}', "[" * 5000, '{"a": NaN}', "x" * 70_000, b"\xff{}"]
)
DAMAGE = {
    "events": st.one_of(
        st.fixed_dictionaries({"body": BROKEN}),
        st.fixed_dictionaries(
            {"kind": st.sampled_from(["", "shot_seen", "undone", "match_started", "danced", "\0", b"\xff"])}
        ),
        st.fixed_dictionaries({"at": st.sampled_from([-1e300, 1e300, 0.0, 1e18])}),
        st.fixed_dictionaries({"match": st.sampled_from([-1, 0, 1, 2, 3, 2**40])}),
    ),
    "facts": st.one_of(
        st.fixed_dictionaries({"value": BROKEN}),
        st.fixed_dictionaries({"name": st.sampled_from(["pin", "calibration", "empty", "palette", "tints", COUNTS])}),
    ),
}


@contextmanager
def journal_with(table, row, damage):
    """A journal of two matches in which one row is damaged, or missing (None)."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "journal.sqlite"
        path.write_bytes(model())
        with closing(sqlite3.connect(path)) as connection:
            rows = [number for (number,) in connection.execute(f"SELECT rowid FROM {table} ORDER BY rowid")]
            chosen = rows[row % len(rows)]
            if damage is None:
                connection.execute(f"DELETE FROM {table} WHERE rowid = ?", (chosen,))
            for column, value in (damage or {}).items():
                given = "CAST(? AS TEXT)" if column in TEXTS else "?"
                connection.execute(f"UPDATE OR REPLACE {table} SET {column} = {given} WHERE rowid = ?", (value, chosen))
            connection.commit()
        yield path


def everything_that_a_start_reads(path):
    """The match that goes on, what was learnt, the history; then another match is started and looked up."""
    with closing(Journal(path)) as journal:
        engine = Engine(journal, wall=lambda: 1000.0)
        encoded(engine.snapshot)
        journal.facts.get_or_create("pin", kept_pin, lambda: "1234")
        journal.facts.get_or_create("secret", kept_secret, lambda: "00" * 32)
        journal.facts.read("name", kept_name)
        restore_empty_board(stored_model(Config.model_validate({"camera": {"device": "picamera"}}), journal), journal)
        HoleWatch(journal)
        kept_counts(journal)
        with history_of(journal) as archive:
            engine.command(START)
            archive.upkeep.catch_up()
            listed = archive.matches()
            encoded(listed)
            encoded(archive.figures())
            encoded(archive.players())
            encoded(archive.events(0))
            for match in [one.id for one in listed.matches]:
                encoded(archive.match(match))
            for one in listed.unreadable:
                with pytest.raises(Unreadable, match="set aside"):
                    archive.match(one.match)
            in_either = {one.id for one in listed.matches} | {one.match for one in listed.unreadable}
            assert in_either == set(journal.spans()), "every match is there, or listed as set aside"
            assert engine.state.number == journal.newest()


@slow
@settings(max_examples=60, database=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_a_journal_with_any_one_row_damaged_starts(data):
    table = data.draw(st.sampled_from(["events", "events", "events", *DAMAGE]))
    damage = data.draw(st.one_of(st.none(), DAMAGE[table], DAMAGE[table], DAMAGE[table]))
    with journal_with(table, data.draw(st.integers(0, 200)), damage) as path:
        everything_that_a_start_reads(path)


def test_an_unreadable_match_is_reported_on_the_page_and_by_doctor_and_printed_raw():
    with journal_with("events", -1, {"kind": "danced"}) as path:
        config = settings_of(path.parent, camera={"device": "none"})
        service = Service(config)
        (notice,) = service.snapshot().notices
        assert "Match 2 can't be read" in str(notice.text)
        service.command = service.engine.command
        service.engine.command(START)
        assert service.snapshot().notices == []
        service.archive.upkeep.catch_up()
        (aside,) = service.archive.matches().unreadable
        assert aside.match == 2
        (found,) = [finding for finding in examine(config) if finding["what"] == "journal"]
        assert not found["ok"]
        assert "match 2 can't be read" in found["text"]
        assert "export 2 --as raw" in found["text"]
        service.archive.close()
        service.journal.close()


def test_an_emptied_journal_is_not_mistaken_for_a_new_one(tmp_path):
    (tmp_path / "journal.sqlite").touch()
    with pytest.raises(JournalError, match="not a whole journal"):
        Journal(tmp_path / "journal.sqlite")


def test_a_damaged_history_is_rebuilt():
    with journal_with("facts", 0, {}) as path:
        with closing(Journal(path)) as journal, history_of(journal) as archive:
            before = archive.figures()
        history = path.with_suffix(".history.sqlite")
        for damage in (b"", b"no database " * 2000, history.read_bytes()[:5000]):
            history.write_bytes(damage)
            with closing(Journal(path)) as journal, closing(Archive(journal)) as archive:
                try:
                    archive.upkeep.catch_up()
                except sqlite3.Error:
                    archive.upkeep.damaged()
                    archive.upkeep.catch_up()
                assert archive.figures() == before


def test_a_restored_journal_has_its_own_history(tmp_path):
    """The same numbers of events, but other matches: the tables see it by the times."""
    with journal_with("facts", 0, {}) as path:
        with closing(Journal(path)) as journal, history_of(journal):
            pass  # it has summed everything up
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("UPDATE events SET at = at + 86400 * 365 WHERE match = 2")
            connection.commit()
        with closing(Journal(path)) as journal, history_of(journal) as archive:
            assert [one.started[:4] for one in archive.matches().matches] == ["1971", "1970"]
