"""The start of a match is undone: the match before goes on as it was, for everybody and after a restart."""

from contextlib import suppress

import pytest

from controller.errors import JournalError, Refused, Stale
from tests.controller.fed_table import a, b
from tests.controller.table import full_disk

SIDES = [{"name": "Anna", "colour": "black"}, {"name": "Bram", "colour": "natural"}]
START = {"do": "start", "rules": "nca", "sides": SIDES, "by": "phone"}


def test_the_match_before_goes_on_as_it_was(opened):
    opened.see(a(0, 90), b(20, 70))
    before = opened.state
    opened.do(**START, manual=True)
    assert opened.state.number == before.number + 1
    assert str(opened.shown.can_undo) == "the start of this match"
    opened.do("undo", by="phone", who="Anna")
    now = opened.state
    assert (now.number, now.game, now.measured, now.questions) == (
        before.number,
        before.game,
        before.measured,
        before.questions,
    )
    assert str(opened.shown.can_undo) == "the last shot of Natural"
    opened.restart()
    assert opened.state.number == before.number
    assert opened.state.game == before.game
    opened.see(a(0, 90), b(20, 70), a(0, 0, "in_hole"))
    assert len(opened.round.shots) == 3, "the camera follows it again"
    opened.do(**START)
    assert opened.state.number == before.number + 2, "nothing of the one that was undone is written over"


def test_what_was_done_in_the_new_match_is_undone_first(table):
    first = table.state.number
    table.do(**START, manual=True)
    second = table.state.number
    table.do("count", round=1, side="A", points=20, by="phone")
    table.do("undo", by="phone")
    assert (table.state.number, table.state.by_hand) == (second, {"A": 0, "B": 0})
    table.do("undo", by="phone")
    assert table.state.number == first
    (deleted,) = [entry for entry in table.journal.events(second) if entry.kind == "match_deleted"]
    assert deleted.body["resumed"] == first, "it stands in the journal, out of lists and figures"


def test_who_did_not_see_that_the_start_was_undone_changes_nothing_in_the_other_match(opened):
    first = opened.state
    opened.do(**START, manual=True)
    seen = opened.engine.snapshot.id
    opened.do("undo", by="phone")
    assert opened.engine.snapshot.id > seen, "every page takes it for newer"
    count = {"do": "count", "round": 1, "side": "A", "points": 20}
    for stale in ({"do": "undo"}, {"do": "end_round"}, count, START):
        with pytest.raises(Stale, match="the start of the next one was undone"):
            opened.do(**{**stale, "by": "phone", "seen": seen})
    with pytest.raises(Refused, match="no longer being played"):
        opened.do("count", match=first.number + 1, round=1, side="A", points=20, by="phone", seen=seen)
    assert (opened.state.number, opened.state.game) == (first.number, first.game)


def test_a_start_is_not_undone_by_who_has_not_seen_what_was_counted_since(table):
    table.do(**START, manual=True)
    second, seen = table.state.number, table.engine.snapshot.id
    table.do("count", round=1, side="B", points=20, by="phone", who="Bram")
    with pytest.raises(Stale, match="One more twenty of Bram"):
        table.do("undo", by="phone", seen=seen)
    assert table.state.number == second


@pytest.mark.parametrize("left", range(0, 24_000, 2_000))
def test_on_a_disk_that_fails_in_between_the_start_is_undone_whole_or_not_at_all(table, left):
    first = table.state.number
    table.do(**START)
    shown = table.engine.snapshot.id
    with full_disk.closed(table.journal, left), suppress(JournalError):
        table.do("undo", by="phone")
    assert table.engine.snapshot.id >= shown, "pages take what is shown for newer"
    number = table.state.number
    kinds = [[entry.kind for entry in table.journal.events(match)] for match in (first, first + 1)]
    assert ("start_undone" in kinds[0], "match_deleted" in kinds[1]) == (number == first, number == first)
    table.restart()
    assert table.state.number == number
