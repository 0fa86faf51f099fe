"""What happens on an evening: the log and its fold, undo, what comes from tables, plans before they are confirmed."""

import json
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.club.errors import TournamentError
from controller.club.hub.results import set_aside
from controller.club.tournament.catalogue import FORMATS, event_from_json, event_to_json
from controller.club.tournament.changes import changes, warnings
from controller.club.tournament.entrants import free_name
from controller.club.tournament.events import (
    BoardAdded,
    BoardRemoved,
    BoardRenamed,
    BoardWorks,
    Corrected,
    EntrantAdded,
    EntrantHere,
    EntrantRenamed,
    FormatSet,
    MatchMoved,
    MatchStarted,
    Result,
    RoundPaired,
    Seeded,
    Undone,
    WalkedOver,
)
from controller.club.tournament.fold import fold
from controller.club.tournament.formats import Play, TournamentFormat
from controller.club.tournament.planning import NextRound, PairAgain
from controller.club.tournament.round_robin import RoundRobin
from controller.club.tournament.standings import standings
from controller.club.tournament.state import Pairing
from controller.club.tournament.swiss import Swiss
from controller.club.tournament.tournament import Tournament
from controller.errors import BadInput

from .evenings import a_result, begun, disturbed, played, played_out, result_of

NAMES = st.sampled_from(sorted(FORMATS))
RANDOM = st.randoms(use_true_random=False)


def an_evening(name, rng, steps=25):
    return disturbed(begun(FORMATS[name], rng.randint(4, 9), boards=rng.randint(0, 4)), rng, steps)


# --- the log and its fold


@settings(max_examples=60)
@given(NAMES, RANDOM)
def test_the_state_is_the_fold_of_the_log(name, rng):
    evening = an_evening(name, rng)
    assert fold(evening.entries) == evening.state
    assert Tournament.of(evening.entries) == evening


@settings(max_examples=60)
@given(NAMES, RANDOM)
def test_undo_is_as_if_it_had_not_happened(name, rng):
    evening = an_evening(name, rng)
    for entry in rng.sample(evening.entries, min(5, len(evening.entries))):
        if isinstance(entry.event, Undone):
            continue
        without = [each for each in evening.entries if entry.number not in (each.number, each.because)]
        try:
            after = evening.do(Undone(entry.number))
        except TournamentError:
            assert fold(without) == evening.state  # it was undone already
            continue
        assert after.state == fold(without)
        assert after.do(Undone(after.entries[-1].number)).state == evening.state
        assert after.entries[: len(evening.entries)] == evening.entries


@settings(max_examples=60)
@given(NAMES, RANDOM)
def test_nothing_gets_lost_on_any_evening(name, rng):
    """Every result counts, or was replaced by a correction, or is undone, or is set aside in sight."""
    evening = an_evening(name, rng, 40)
    state = evening.state
    aside = {each.number for each in state.set_aside}
    counting = [m.result for m in state.matches.values() if m.result is not None]
    corrected = {e.event.result.match for e in evening.entries if isinstance(e.event, Corrected)}
    undoings = {e.event.entry for e in evening.entries if isinstance(e.event, Undone)}
    for entry in evening.entries:
        if isinstance(entry.event, Result) and not {entry.number, entry.because} & undoings:
            reported = entry.event
            assert reported in counting or entry.number in aside or reported.match in corrected


@settings(max_examples=60)
@given(NAMES, RANDOM)
def test_whatever_happens_the_evening_stays_in_order(name, rng):
    state = an_evening(name, rng, 40).state
    for round in state.rounds.values():
        sides = [side for m in state.matches_of(round=round.id) for side in m.sides]
        assert len(sides) == len(set(sides)), "twice in one round"
        assert not set(sides) & set(round.byes), "a match and a bye"
    places = [(m.board, m.turn) for m in state.open_matches if m.board is not None and m.started]
    assert len(places) == len(set(places))
    for match in state.matches_of():
        assert match.sides[0] != match.sides[1]
        if match.open and match.board is not None:
            assert match.board in state.boards
    if state.stages:
        places = [row.place for row in standings(state)]
        assert places == sorted(places)
        assert len({row.entrant for row in standings(state)}) == len(places)


@settings(max_examples=60)
@given(NAMES, RANDOM)
def test_every_event_goes_through_json(name, rng):
    evening = an_evening(name, rng)
    documents = json.loads(json.dumps([event_to_json(entry.event) for entry in evening.entries]))
    assert [event_from_json(document) for document in documents] == [entry.event for entry in evening.entries]


@pytest.mark.parametrize(
    ("document", "trouble"),
    [
        ({}, "event must be one of format_set"),
        ({"event": "board_added", "board": "A", "nam": "x"}, "nam is unknown"),
        ({"event": "match_moved", "match": "2.1", "board": "A", "turn": 0}, "turn must be at least 1, not 0"),
        (
            {"event": "format_set", "format": {"stages": [{"type": "swis"}]}},
            "format.stages.0 must be one of .*'round_robin', 'swiss', not 'swis'",
        ),
        (
            {"event": "format_set", "format": {"stages": [{"type": "swiss", "rounds": "5"}]}},
            "format.stages.0.swiss.rounds must be a whole number, not '5'",
        ),
    ],
)
def test_an_invalid_event_is_reported_with_its_place(document, trouble):
    with pytest.raises(BadInput, match=trouble):
        event_from_json(document)


# --- undo


def test_what_is_undone_already_or_never_was_is_not_undone():
    paired = begun(Swiss(3), 2).do(NextRound())
    last = paired.entries[-1].number
    with pytest.raises(TournamentError, match="undone already"):
        paired.do(Undone(last)).do(Undone(last))
    with pytest.raises(TournamentError, match="There is no entry 99"):
        paired.do(Undone(99))


# --- what tables report


@pytest.fixture
def paired():
    return begun(Swiss(3), 4, boards=2).do(NextRound())


def test_one_report_counts_once_whatever_happened_in_between(paired):
    match = paired.state.open_matches[0]
    result = result_of(match, (5, 3), report="table 3, event 41")
    entered = paired.receive(result)
    corrected = entered.do(Corrected(result_of(match, (3, 5))))
    assert corrected.receive(result) is corrected
    undone = entered.do(Undone(entered.entries[-1].number))
    assert undone.receive(result) is undone
    again = undone.receive(replace(result, report="table 3, event 58"))
    assert again.state.matches[match.id].result.points == (5, 3)
    without = paired.receive(replace(result, report=""))
    corrected = without.do(Corrected(result_of(match, (3, 5))))
    assert corrected.receive(replace(result, report="")) is corrected


def test_a_result_of_a_match_with_a_walkover_is_a_contradiction(paired):
    match = paired.state.open_matches[0]
    result = result_of(match, (5, 3))
    evening = paired.do(WalkedOver(match.id, match.sides[1])).receive(result)
    assert [warning.id for warning in warnings(evening.state)] == [match.id]
    assert list(set_aside(evening.state))
    assert list(set_aside(evening.do(Corrected(result)).state)) == []
    assert evening.do(Corrected(result)).state.matches[match.id].winner == match.sides[0]


def test_an_organiser_pairs_by_hand_but_nobody_twice():
    evening = begun(Swiss(3), 4).do(NextRound())
    evening = played(evening, Random(1))
    with pytest.raises(TournamentError, match="Player 1 would be in two matches of one round"):
        evening.do(RoundPaired((Pairing(("1", "2")), Pairing(("3", "1")))))
    evening = evening.do(RoundPaired((Pairing(("1", "2")),), ("3", "4", "1")))
    assert evening.state.rounds_of(0)[-1].byes == ("3", "4")


def test_two_different_results_are_shown_until_somebody_says_which_is_right(paired):
    match, other = paired.state.open_matches
    first = result_of(match, (5, 3))
    second = Result(match.id, match.sides[::-1], (5, 3))
    evening = paired.receive(first).receive(second)
    assert evening.state.matches[match.id].result == first
    assert evening.state.matches[match.id].contradicted == (result_of(match, (3, 5)),)
    assert evening.receive(second) is evening
    assert [warning.id for warning in warnings(evening.state)] == [match.id]
    evening = evening.do(a_result(evening, other, Random(1)))
    with pytest.raises(TournamentError, match="has two different results; say which one is right"):
        evening.do(NextRound())
    decided = evening.preview(Corrected(first)).changes
    assert [str(change.words) for change in decided] == [f"{evening.state.label_of(match)} counts 5 – 3, as decided."]
    ruled = evening.do(Corrected(second))
    assert ruled.state.matches[match.id].result == result_of(match, (3, 5))
    assert not list(warnings(ruled.state))
    assert list(set_aside(ruled.state)) == []
    ruled.do(NextRound())


def test_a_table_that_corrects_its_own_report_settles_only_what_now_says_the_same(paired):
    match = paired.state.open_matches[0]
    first, second, third = (result_of(match, points) for points in ((5, 3), (3, 5), (8, 0)))
    evening = paired.receive(first).receive(second).receive(third)
    corrected = evening.do(Corrected(replace(second, report="table 3, event 58")))
    assert corrected.state.matches[match.id].contradicted == (third,)
    assert [each.figures for each in set_aside(corrected.state)] == [(8, 0)]


def test_a_result_for_a_match_that_was_paired_again_is_kept_and_can_count_for_the_new_one(paired):
    old = paired.state.open_matches[0]
    round = old.round
    again = paired.do(PairAgain(round))
    late = again.receive(Result(old.id, old.sides, (6, 2)))
    (aside,) = set_aside(late.state)
    assert (
        str(aside.why)
        == f"{' – '.join(f'Player {side}' for side in old.sides)} was paired again and is no longer played."
    )
    new = late.state.match(aside.instead.match)
    assert set(new.sides) == set(old.sides)
    assert new.id != old.id
    assert new.open
    counted = late.do(aside.instead)
    points = dict(zip(new.sides, counted.state.matches[new.id].result.points, strict=True))
    assert points == dict(zip(old.sides, (6, 2), strict=True))
    assert counted.state.set_aside == ()
    assert counted.do(Undone(counted.entries[-2].number)).state == late.state


def test_a_result_of_a_match_that_nobody_plays_now_waits(paired):
    match = paired.state.open_matches[0]
    left = paired.do(EntrantHere(match.sides[0], here=False))
    late = left.receive(result_of(match, (6, 2)))
    (aside,) = late.state.set_aside
    assert "is over; correct its result instead" in str(aside.why)
    assert [each.instead for each in set_aside(late.state)] == [None]
    right = late.do(Corrected(result_of(match, (6, 2))))
    assert right.state.matches[match.id].winner == match.sides[0]


def test_figures_that_cannot_be_are_kept_aside_and_the_match_stays_open(paired):
    match = paired.state.open_matches[0]
    late = paired.receive(result_of(match, (9, 9)))
    assert late.state.matches[match.id].open
    assert str(late.state.set_aside[0].why) == "9 – 9 can't be a result of this match: the points must add up to 8."
    unknown = paired.receive(Result("77.1", match.sides, (5, 3)))
    assert [each.instead.match for each in set_aside(unknown.state)] == [match.id]
    strangers = paired.receive(Result(match.id, ("nobody", "else"), (5, 3)))
    assert "to other entrants" in str(strangers.state.set_aside[0].why)


def test_a_person_is_refused_what_a_table_is_not(paired):
    match = paired.state.open_matches[0]
    for bad, trouble in [
        (result_of(match, (9, 9)), "must add up to 8"),
        (result_of(match, (5, 3), winner=0), "decides level matches only"),
        (Result(match.id, ("1", "nobody"), (5, 3)), "to other entrants"),
    ]:
        with pytest.raises(TournamentError, match=trouble):
            paired.do(bad)
    done = paired.do(result_of(match, (5, 3)))
    with pytest.raises(TournamentError, match="is over; correct its result"):
        done.do(result_of(match, (5, 3)))
    with pytest.raises(TournamentError, match="has no result yet; enter it"):
        paired.do(Corrected(result_of(match, (5, 3))))


def test_a_match_that_has_begun_is_not_paired_again(paired):
    begun_one, other = paired.state.open_matches
    evening = paired.do(MatchStarted(begun_one.id))
    after = evening.do(PairAgain(begun_one.round))
    assert after.state.matches[begun_one.id].open
    assert after.state.matches[other.id].cancelled
    assert len(after.state.open_matches) == 2


# --- names and entrants


@pytest.mark.parametrize("name", ["Player 1", "player  1", "PLAYER 1", "Player\u00a01"])
def test_a_player_named_like_another_is_refused_with_a_name_that_is_free(name):
    evening = begun(Swiss(), 2)
    with pytest.raises(TournamentError, match="Tell them apart, for example as"):
        evening.do(EntrantAdded("x", (name,)))
    free = free_name(evening.state, name)
    assert evening.do(EntrantAdded("x", (free,))).state.entrants["x"].label == free


def test_the_two_of_a_team_are_distinguished_and_play_in_one_team_only():
    evening = Tournament().do(FormatSet(FORMATS["swiss"])).do(EntrantAdded("a", ("Player 1", "Player 2")))
    assert evening.state.entrants["a"].label == "Player 1 & Player 2"
    for players in [("Player 2", "Player 3"), ("Player 3", "player 3"), ("Player 3", " ")]:
        with pytest.raises(TournamentError):
            evening.do(EntrantAdded("b", players))
    with pytest.raises(TournamentError, match="one player or the two of a team"):
        evening.do(EntrantAdded("b", ("Player 3", "Player 4", "Player 5")))


def test_two_players_with_one_name_after_an_undo_are_still_distinguished():
    evening = begun(Swiss(), 1).do(EntrantRenamed("1", ("Player X",)))
    renamed = evening.entries[-1].number
    evening = evening.do(EntrantAdded("2", ("Player 1",))).do(Undone(renamed))
    assert evening.state.labels == {"1": "Player 1", "2": "Player 1 (2)"}


def test_seeds_are_as_the_organiser_says_and_else_as_they_were_added():
    evening = begun(Swiss(), 4)
    assert evening.state.seeding == ("1", "2", "3", "4")
    assert evening.do(Seeded(("3", "1"))).state.seeding == ("3", "1", "2", "4")
    with pytest.raises(TournamentError, match="There is no entrant nobody"):
        evening.do(Seeded(("nobody",)))


def test_a_player_who_returns_is_paired_again():
    evening = begun(Swiss(4), 5).do(EntrantHere("5", here=False)).do(NextRound())
    assert "5" not in evening.state.stage.entrants
    evening = played(evening, Random(1)).do(EntrantHere("5", here=True)).do(NextRound())
    assert "5" in evening.state.stage.entrants
    with pytest.raises(TournamentError, match="Player 5 is here already"):
        evening.do(EntrantHere("5", here=True))


# --- boards


def test_everybody_sees_every_board_before_any_twice():
    """Swiss, 8 entrants, 4 boards, 4 rounds: nobody three times on one board, most on each once."""
    evening = played_out(begun(Swiss(4), 8, boards=4), Random(3))
    most = 0
    for entrant in evening.state.entrants:
        boards = [m.board for m in evening.state.matches_of() if entrant in m.sides]
        most = max(most, max(boards.count(board) for board in boards))
    assert most <= 2


def test_more_matches_than_boards_take_turns_and_who_waited_goes_first():
    evening = begun(RoundRobin(), 8, boards=2).do(NextRound())
    assert sorted((m.board, m.turn) for m in evening.state.open_matches) == [("A1", 1), ("A1", 2), ("A2", 1), ("A2", 2)]
    waited = {side for m in evening.state.open_matches if m.turn == 2 for side in m.sides}
    evening = played(evening, Random(1)).do(NextRound())
    first = {side for m in evening.state.open_matches if m.turn == 1 for side in m.sides}
    assert len(waited & first) >= 2
    totals = dict.fromkeys(evening.state.entrants, 0)
    evening = played_out(played(evening, Random(2)), Random(3))
    for match in evening.state.matches_of():
        for side in match.sides:
            totals[side] += match.turn - 1
    assert max(totals.values()) - min(totals.values()) <= 2


def test_a_board_that_breaks_passes_its_matches_on_and_takes_them_back():
    evening = begun(Swiss(3), 8, boards=4).do(NextRound())
    broken = evening.do(BoardWorks("A2", works=False))
    boards = [m.board for m in broken.state.open_matches]
    assert "A2" not in boards
    assert None not in boards
    assert sorted(m.turn for m in broken.state.open_matches) == [1, 1, 1, 2]
    mended = broken.do(BoardWorks("A2", works=True))
    assert sorted((m.board, m.turn) for m in mended.state.open_matches) == [(f"A{k}", 1) for k in range(1, 5)]


def test_a_board_that_is_removed_is_gone_until_that_is_undone_or_it_is_added_again():
    evening = begun(Swiss(3), 8, boards=4).do(NextRound())
    preview = evening.preview(BoardRemoved("A2"))
    reported = [str(change.words) for change in preview.changes]
    assert reported[0] == "Board A2 is no longer in use."
    assert len(reported) == 2, "and where the match that waits for it goes"
    removed = preview.after
    assert sorted(removed.state.boards) == ["A1", "A3", "A4"]
    assert sorted((m.board in removed.state.boards, m.turn) for m in removed.state.open_matches) == [
        (True, 1),
        (True, 1),
        (True, 1),
        (True, 2),
    ]
    (action,) = [entry.number for entry in removed.entries if isinstance(entry.event, BoardRemoved)]
    assert removed.do(Undone(action)).state == evening.state
    for event in (
        BoardWorks("A2", works=False),
        BoardRenamed("A2", "x"),
        MatchMoved(removed.state.open_matches[0].id, "A2"),
    ):
        with pytest.raises(TournamentError, match="no board A2"):
            removed.do(event)
    again = removed.do(BoardAdded("A2", "By the door"))
    assert again.state.boards["A2"].label == "By the door"
    assert sorted((m.board, m.turn) for m in again.state.open_matches) == [(f"A{k}", 1) for k in range(1, 5)]


def test_a_board_on_which_a_match_is_played_is_not_removed_and_what_was_played_there_keeps_its_name():
    evening = begun(Swiss(3), 4, boards=2).do(NextRound())
    match = next(m for m in evening.state.open_matches if m.board == "A1")
    evening = evening.do(BoardRenamed("A1", "By the door")).do(MatchStarted(match.id))
    with pytest.raises(TournamentError, match="is being played at By the door"):
        evening.do(BoardRemoved("A1"))
    played = evening.do(result_of(match, (5, 3))).do(BoardRemoved("A1"))
    assert played.state.match(match.id).board == "A1"
    (paired,) = [entry.number for entry in played.entries if isinstance(entry.event, RoundPaired)]
    gone = played.do(Undone(paired))
    reported = [str(change.words) for change in gone.preview(Undone(gone.entries[-1].number)).changes]
    assert any(each.endswith(": By the door.") for each in reported)


def test_a_broken_board_is_removed_and_so_is_the_last_one():
    evening = begun(Swiss(3), 4, boards=1).do(NextRound()).do(BoardWorks("A1", works=False))
    preview = evening.preview(BoardRemoved("A1"))
    assert [str(change.words) for change in preview.changes] == ["Board A1 is no longer in use."]
    assert [m.board for m in preview.after.state.open_matches] == [None, None]
    last = begun(Swiss(3), 4, boards=1).do(NextRound()).do(BoardRemoved("A1"))
    assert [m.board for m in last.state.open_matches] == [None, None]
    assert [m.board for m in last.do(BoardAdded("B")).state.open_matches] == ["B", "B"]


def test_a_match_moved_to_a_place_that_is_taken_changes_places():
    evening = begun(Swiss(3), 4, boards=2).do(NextRound())
    one, two = evening.state.open_matches
    moved = evening.do(MatchMoved(one.id, two.board, 1))
    assert (moved.state.matches[one.id].board, moved.state.matches[two.id].board) == (two.board, one.board)
    with pytest.raises(TournamentError, match="is being played there; choose a later turn"):
        evening.do(MatchStarted(two.id)).do(MatchMoved(one.id, two.board, 1))
    queued = evening.do(MatchStarted(two.id)).do(MatchMoved(one.id, two.board, 2))
    assert queued.state.matches[one.id].turn == 2
    with pytest.raises(TournamentError, match="A1 is broken"):
        evening.do(BoardWorks("A1", works=False)).do(MatchMoved(one.id, "A1"))


# --- plans


@settings(max_examples=40)
@given(NAMES, RANDOM)
def test_a_plan_is_what_then_happens(name, rng):
    evening = an_evening(name, rng, 15)
    for action in [NextRound(), EntrantAdded("new", ("New",)), BoardAdded("new"), Undone(evening.entries[-1].number)]:
        try:
            plan = evening.preview(action)
        except TournamentError:
            continue
        assert plan.before is evening
        assert plan.after == evening.do(action)
        assert plan.after.entries[: len(evening.entries)] == evening.entries
        changed = plan.after.state != evening.state
        assert bool(plan.changes) <= changed


def test_a_plan_says_what_changes():
    evening = begun(TournamentFormat((Swiss(3),), play=Play(bye=8)), 5, boards=2).do(NextRound())
    match = evening.state.open_matches[0]
    plan = evening.preview(EntrantHere(match.sides[0], here=False))
    assert [str(change.words) for change in plan.changes][:3] == [
        "Player 1 no longer plays.",
        "Player 1 – Player 3 is no longer paired.",
        "Player 3 – Player 5: Board A1.",
    ]
    done = evening.do(result_of(match, (5, 3)))
    words = [str(change.words) for change in done.preview(Corrected(result_of(match, (3, 5)))).changes]
    assert words[0] == "Player 1 – Player 3 counts 3 – 5 instead of 5 – 3."
    assert "Player 1 is in place 3 instead of 2." in words
    counted = done.preview(Corrected(replace(result_of(match, (5, 3)), twenties=(2, 0)))).changes
    assert [str(change.words) for change in counted] == ["Player 1 – Player 3: twenties 2 – 0 instead of ? – ?."]
    words = [str(change.words) for change in evening.preview(BoardWorks("A1", works=False)).changes]
    assert words == ["Board A1 can't be played on.", "Player 1 – Player 3: Board A2, in turn 2."]
    words = [str(change.words) for change in evening.preview(WalkedOver(match.id, "3")).changes]
    assert words[0] == "Player 1 – Player 3 counts Player 3 (w/o)."


def test_a_stage_that_has_begun_stays_what_it_is():
    evening = begun(Swiss(3), 4).do(NextRound())
    with pytest.raises(TournamentError, match="can't be changed once it has begun"):
        evening.do(FormatSet(FORMATS["ladder"]))
    assert evening.do(FormatSet(TournamentFormat((Swiss(4),)))).state.known_format.stages[0] == Swiss(4)


def test_without_a_format_or_entrants_it_says_what_is_missing():
    with pytest.raises(TournamentError, match="Choose a format first"):
        Tournament().do(NextRound())
    with pytest.raises(TournamentError, match="needs two entrants"):
        begun(FORMATS["swiss"], 1).do(NextRound())


def test_a_board_is_called_otherwise_until_that_is_undone_and_never_as_another():
    evening = begun(Swiss(), 4, boards=2)
    preview = evening.preview(BoardRenamed("A1", "By the door"))
    assert [str(change.words) for change in changes(evening.state, preview.after.state)] == [
        "Board A1 is now By the door."
    ]
    named = evening.do(BoardRenamed("A1", "By the door"))
    for board, name in (("A1", "a2"), ("A2", " by the  DOOR ")):
        with pytest.raises(TournamentError, match="already"):
            named.do(BoardRenamed(board, name))
    assert named.do(Undone(named.entries[-1].number)).state.boards["A1"].label == "A1"
