"""Who was let in, and for how long."""

import pytest

from controller.errors import BadInput, JournalError
from controller.journal import TokenTable
from controller.journal.tokens import LASTS, MOST, SAVED_EVERY
from tests.controller.table import full_disk


@pytest.fixture
def now():
    return [1000.0]


@pytest.fixture
def tokens(journal, now):
    return TokenTable(journal.facts, lambda: now[0])


def test_a_token_lets_its_holder_in_over_a_restart_and_is_nowhere_to_be_read(tokens, journal):
    session, program = tokens.make("session", "Player 1"), tokens.make("program", "Overlay")
    restarted = TokenTable(journal.facts, lambda: 5.0)
    for table in (tokens, restarted):
        assert table.holder("session", session) == "Player 1"
        assert table.holder("program", program) == "Overlay"
        assert table.holder("device", session) is None, "of another kind"
        assert table.holder("session", "") is None
        assert [holder for _, holder, _ in table.held("program")] == ["Overlay"]
    assert session not in journal.facts.get("tokens")


def test_what_was_ended_stays_ended_over_a_restart(tokens, journal, now):
    session, device, program, other = (tokens.make(kind) for kind in ("session", "device", "program", "program"))
    left = tokens.make("session")
    tokens.end(left)
    tokens.revoke(tokens.held("program")[0][0])
    tokens.end_all("session", "device")
    for table in (tokens, TokenTable(journal.facts, lambda: now[0])):
        kinds = zip(
            ("session", "session", "device", "program", "program"), (left, session, device, program, other), strict=True
        )
        assert [table.holder(kind, token) is not None for kind, token in kinds] == [False, False, False, False, True]


def test_a_session_ends_after_half_a_day_without_use_and_a_program_never(tokens, journal, now):
    session, program = tokens.make("session"), tokens.make("program")
    for _ in range(5):
        now[0] += LASTS["session"] - SAVED_EVERY
        assert tokens.holder("session", session) is not None
        tokens = TokenTable(journal.facts, lambda: now[0])  # time is only counted while the table runs
    now[0] += LASTS["session"] + 60
    assert tokens.holder("session", session) is None
    assert tokens.holder("program", program) is not None


@pytest.mark.parametrize("kept", ["", "{", "null", "[1]", '{"a": "b"}', '[["a", "session", "", "x"]]', "x" * 100_000])
def test_a_table_that_cannot_be_read_lets_nobody_in_and_begins_again(journal, kept):
    journal.facts.keep("tokens", kept)
    tokens = TokenTable(journal.facts, lambda: 0.0)
    assert tokens.held("session") == []
    assert tokens.holder("session", tokens.make("session", "Player 1")) == "Player 1"


def test_one_who_comes_in_often_ends_nobody_elses_session(tokens, monkeypatch):
    monkeypatch.setattr("controller.journal.tokens.MOST", 20)
    scorer, former = tokens.make("session", "Player 1"), tokens.make("session", "Player 2")
    assert tokens.holder("session", former)
    for _ in range(50):
        tokens.make("session", "often")
    assert tokens.holder("session", scorer) == "Player 1"
    assert tokens.holder("session", former) == "Player 2"
    for n in range(50):
        assert tokens.holder("session", tokens.make("session", f"{n}")) == f"{n}", "who comes last is let in"
    assert len(tokens.held("session")) == 20
    assert MOST > 20


def test_there_are_so_many_programs_and_none_is_dropped_for_another(tokens, monkeypatch):
    monkeypatch.setattr("controller.journal.tokens.MOST", 2)
    held = [tokens.make("program", "Overlay") for _ in range(2)]
    with pytest.raises(BadInput, match="revoke one first"):
        tokens.make("program", "One more")
    assert all(tokens.holder("program", token) for token in held)


def test_on_a_full_disk_scorers_come_in_and_a_programs_token_that_would_not_last_is_refused(tokens, journal):
    program = tokens.make("program", "Overlay")
    with full_disk.closed(journal):
        assert tokens.holder("session", tokens.make("session", "Player 1")) == "Player 1"
        with pytest.raises(JournalError):
            tokens.make("program", "Another")
        assert [holder for _, holder, _ in tokens.held("program")] == ["Overlay"]
    assert tokens.holder("program", program) == "Overlay"
