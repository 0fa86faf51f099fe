"""The soak's own reckoning, tried on small cases."""

import pytest

from controller.match.fold import fold
from controller.messages import encoded
from tests.controller.fed_table import ReadTable, a, b
from tests.soak.ledger import Done, Ledger, facts_folded


@pytest.fixture
def watched(tmp_path):
    """A table, and a ledger that was shown each of its states as a phone is."""
    played, ledger = ReadTable(tmp_path), Ledger()

    def shown(snapshot):
        ledger.saw(snapshot.id, encoded(snapshot).encode(), 0)

    played.engine.on_changed.append(shown)
    played.see(a(0, 60))
    played.see(a(0, 90), b(20, 70))
    before = played.state.last_id
    played.do("correct_round", round=1, twenties={"A": 2}, who="Scorer 1")
    ledger.acknowledged(Done("Scorer 1", before, played.state.last_id, "round_corrected", {"twenties": {"A": 2}}), 0.0)
    yield played, ledger
    played.journal.close()


def test_the_soak_finds_nothing_wrong_where_nothing_is(watched):
    played, ledger = watched
    assert len(ledger.shown) >= 3
    assert list(ledger.differences(played.journal.path)) == []
    assert ledger.shown[played.state.last_id][1] == facts_folded(fold(played.state.number, played.engine.history))


def test_the_soak_finds_what_the_journal_lacks(watched):
    played, ledger = watched
    last = played.state.last_id
    ledger.shown[last + 1] = ledger.shown[last]
    ledger.acknowledged(Done("Scorer 1", last, last + 2, "round_corrected", {"twenties": {"A": 3}}), 0.0)
    ledger.acknowledged(Done("Scorer 2", 0, last, "round_corrected", {"twenties": {"A": 2}}), 0.0)
    found = list(ledger.differences(played.journal.path))
    assert [f"state {last + 1} " in found[0], "Scorer 1" in found[1], "Scorer 2" in found[2]] == [True] * 3
    assert len(found) == 3


def test_the_soak_finds_a_state_that_the_journal_does_not_give(watched):
    played, ledger = watched
    last = played.state.last_id
    number, (round_, shots, ((side, total, *rest), other), past) = ledger.shown[last]
    ledger.shown[last] = number, (round_, shots, ((side, total + 5, *rest), other), past)
    (found,) = ledger.differences(played.journal.path)
    assert f"state {last} was shown with" in found


def test_the_soak_finds_a_phone_that_was_shown_an_older_state_and_two_states_of_one_number():
    ledger = Ledger()
    state = '{"match": {"id": 1, "round": {"number": 1, "shots": %d}, "sides": [], "rounds": []}}'
    ledger.saw(7, (state % 1).encode(), 0)
    ledger.saw(7, (state % 2).encode(), 7)
    ledger.saw(6, (state % 1).encode(), 7)
    assert len(ledger.wrong) == 2
    assert "also" in ledger.wrong[0]
    assert "then shown state 6" in ledger.wrong[1]
