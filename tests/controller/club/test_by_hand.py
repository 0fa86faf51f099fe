"""A board without hardware: the same engine counts what phones enter, and it gets to the tournament the same way."""

import json

import pytest

from controller.club.hub.by_hand import ByHand
from controller.club.hub.evening import boards
from controller.club.store import ClubStore
from controller.club.tournament.events import MatchMoved, RoundPaired, Undone, WalkedOver
from controller.club.tournament.planning import NextRound
from controller.errors import BadInput, Refused
from controller.messages import encoded
from tests.controller.club.a_club import a_hub, a_store, begun, do
from tests.controller.club.evenings import result_of

STEADY = [100.0]


@pytest.fixture
def hub(tmp_path):
    store = a_store(f"sqlite:///{tmp_path / 'club.sqlite'}", tables=1, by_hand=1)
    hub = a_hub(store)
    begun(hub)
    yield hub
    store.close()


@pytest.fixture
def by_hand(hub):
    return ByHand(hub, lambda: STEADY[0], "this boot")


def board(hub, id="t2"):
    return next(each for each in json.loads(encoded(boards(hub))) if each["id"] == id)


def begin(hub, by_hand):
    by_hand.command("t2", {"do": "begin", "assignment": board(hub)["now"]["assignment"]})


def enter(hub, by_hand, totals, twenties=(0, 0)):
    figures = {"totals": dict(zip("AB", totals, strict=True)), "twenties": dict(zip("AB", twenties, strict=True))}
    by_hand.command("t2", {"do": "end_round", **figures, "seen": board(hub)["now"]["event"]})


def undo(hub, by_hand, after=None):
    by_hand.command("t2", {"do": "undo", "seen": after or board(hub)["now"]["event"]})


def test_a_match_is_entered_round_by_round_and_counts(hub, by_hand):
    match = board(hub)["now"]["match"]
    assert not board(hub)["now"]["started"]
    begin(hub, by_hand)
    assert hub.tournament.state.match(match).started
    for round, (totals, twenties) in enumerate([((40, 20), (1, 0)), ((0, 20), (0, 1)), ((60, 60), (2, 3))], 1):
        enter(hub, by_hand, totals, twenties)
        assert board(hub)["now"]["round"] == round + 1
    assert board(hub)["now"]["score"] == [3, 3]
    assert [one["totals"] for one in board(hub)["now"]["rounds"]] == [[40, 20], [0, 20], [60, 60]]
    enter(hub, by_hand, (0, 5))
    result = hub.tournament.state.match(match).result
    assert (result.points, result.twenties) == ((3, 5), (3, 4))
    assert board(hub)["now"] is None


def test_a_match_goes_on_although_another_evening_was_begun_in_the_middle_of_it_by_mistake(hub, by_hand):
    former, match = hub.evening.id, board(hub)["now"]["match"]
    begin(hub, by_hand)
    enter(hub, by_hand, (40, 20))
    begun(hub)
    begin(hub, by_hand)
    enter(hub, by_hand, (0, 5))
    hub.activate_evening(former)
    now = board(hub)["now"]
    assert (now["match"], now["started"], now["score"]) == (match, True, [2, 0])
    for _ in range(3):
        enter(hub, by_hand, (40, 20))
    assert hub.tournament.state.match(match).result.points == (8, 0)
    assert board(hub)["last"]["score"] == [8, 0]


@pytest.mark.parametrize("how", ["its result is entered", "a walkover", "its round is undone", "it is moved"])
def test_a_match_that_is_decided_or_moved_while_phones_keep_its_score_does_not_block_its_board(hub, by_hand, how):
    begun(hub, players=4, boards=("t2",))
    match = hub.tournament.state.open_matches[0]
    begin(hub, by_hand)
    enter(hub, by_hand, (40, 20))
    round = next(entry.number for entry in hub.tournament.entries if isinstance(entry.event, RoundPaired))
    actions = {
        "its result is entered": [result_of(match, (6, 2))],
        "a walkover": [WalkedOver(match.id, match.sides[0])],
        "its round is undone": [Undone(round), NextRound()],
        "it is moved": [MatchMoved(match.id, None)],
    }
    for action in actions[how]:
        do(hub, action)
    now = board(hub)["now"]
    assert not now["started"]
    assert now["match"] != match.id
    begin(hub, by_hand)
    enter(hub, by_hand, (0, 20))
    assert board(hub)["now"]["score"] == [0, 2]


def test_an_undo_takes_back_the_last_round_also_after_the_end(hub, by_hand):
    match = board(hub)["now"]["match"]
    begin(hub, by_hand)
    for _ in range(4):
        enter(hub, by_hand, (40, 20))
    undo(hub, by_hand, after=hub.playing()["t2"].state.last_id)
    assert hub.reopened == {match}
    assert hub.tournament.state.match(match).result.points == (8, 0), "it counts until there is another"
    assert board(hub)["now"]["score"] == [6, 0]
    enter(hub, by_hand, (20, 20))
    assert hub.tournament.state.match(match).result.points == (7, 1)
    assert (hub.tournament.state.match(match).contradicted, hub.reopened) == ((), frozenset())


def test_two_phones_that_enter_the_same_round_enter_it_once(hub, by_hand):
    begin(hub, by_hand)
    after = board(hub)["now"]["event"]
    command = {"do": "end_round", "totals": {"A": 40, "B": 20}, "twenties": {"A": 0, "B": 0}, "seen": after}
    by_hand.command("t2", command)
    with pytest.raises(Refused, match="Another phone"):
        by_hand.command("t2", command)
    other = a_hub(ClubStore.open(str(hub.store.engine.url), hub.store.club))
    with pytest.raises(Refused, match="Another phone"):
        ByHand(other, lambda: 0.0).command("t2", command)
    other.store.close()
    assert [one["totals"] for one in board(hub)["now"]["rounds"]] == [[40, 20]]


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ({}, "do|command"),
        ({"do": "explode"}, "do"),
        ({"do": "begin"}, "assignment is missing"),
        ({"do": "start"}, "do must be one of begin, count, agree"),
        ({"do": "end_round", "totals": {"A": 5, "B": -5}}, "totals"),
        ({"do": "undo", "seen": "now"}, "seen"),
    ],
)
def test_an_invalid_command_is_explained(hub, by_hand, command, why):
    with pytest.raises(BadInput, match=why):
        by_hand.command("t2", command)


def test_a_table_with_hardware_is_not_scored_from_here(hub, by_hand):
    with pytest.raises(BadInput, match="no board t1"):
        by_hand.command("t1", {"do": "undo"})


def test_a_match_that_is_not_this_boards_any_more_does_not_begin(hub, by_hand):
    begin(hub, by_hand)
    with pytest.raises(Refused, match="begun already"):
        begin(hub, by_hand)
    with pytest.raises(Refused, match="given to another board"):
        by_hand.command("t2", {"do": "begin", "assignment": board(hub, "t1")["now"]["assignment"]})


def pads(hub):
    return board(hub)["now"]["pads"]


def score(hub, by_hand, do, **values):
    by_hand.command("t2", {"do": do, "match": pads(hub)["id"], "seen": board(hub)["now"]["event"], **values})


def counts(hub):
    return [(side["by_hand"], side["twenties"]) for side in pads(hub)["sides"]]


def test_what_one_phone_counts_every_phone_sees_and_agreed_names_what_both_saw(hub, by_hand):
    begin(hub, by_hand)
    score(hub, by_hand, "count", round=1, side="A", points=20, key="one.1")
    score(hub, by_hand, "count", round=1, side="B", points=15, key="two.1")
    score(hub, by_hand, "count", round=1, side="B", points=15, key="two.1")  # its answer was lost
    assert counts(hub) == [(20, 1), (15, 0)]
    seen = {"totals": {"A": 20, "B": 15}, "twenties": {"A": 1, "B": 0}}
    score(hub, by_hand, "count", round=1, side="B", points=20, key="two.2")
    with pytest.raises(Refused, match="The round has changed since you saw it"):
        score(hub, by_hand, "agree", round=1, **seen)
    (last,) = [one["id"] for one in pads(hub)["sides"][1]["counted"] if one["points"] == 20]
    score(hub, by_hand, "undo", event=last)
    score(hub, by_hand, "agree", round=1, **seen)
    assert [one["totals"] for one in board(hub)["now"]["rounds"]] == [[20, 15]]
    assert pads(hub)["round"]["number"] == 2


def test_a_board_s_clock_runs_and_stands_after_the_machine_was_off(hub, by_hand):
    begin(hub, by_hand)
    score(hub, by_hand, "set_timer", timer="round", seconds=600, on_first_shot=True)
    assert pads(hub)["timers"][0]["word"] == "waiting"
    score(hub, by_hand, "count", round=1, side="A", points=20, key="one.1")
    assert pads(hub)["timers"][0]["ends"] == STEADY[0] + 600
    hub.clock = lambda: 1_790_000_060.0
    later = ByHand(hub, lambda: 5.0, "another boot")
    score(hub, later, "count", round=1, side="B", points=20, key="two.1")
    assert pads(hub)["timers"][0]["ends"] == 5 + 540
    score(hub, later, "set_timer", timer="round", running=False)
    assert pads(hub)["timers"][0]["left"] == 540


def test_a_round_of_which_only_the_winner_is_known_has_no_totals_and_no_twenties(hub, by_hand):
    begin(hub, by_hand)
    score(hub, by_hand, "win_round", round=1, winner="A", twenties={"A": 0, "B": 0})
    now = board(hub)["now"]
    (only,) = now["rounds"]
    assert (only["totals"], only["twenties"], only["points"]) == ([None, None], [None, None], [2, 0])
    assert now["twenties"] == [None, None]
    for _ in range(3):
        enter(hub, by_hand, (40, 20), (1, 0))
    match = hub.tournament.state.match(now["match"])
    assert (match.result.points, match.result.twenties) == ((8, 0), None)


def test_pads_of_another_match_or_of_a_stranger_change_nothing(hub, by_hand):
    begin(hub, by_hand)
    for wrong in (
        {"do": "count", "match": 99, "round": 1, "side": "A", "points": 20},
        {"do": "win_round", "match": pads(hub)["id"], "round": 1, "winner": "A", "twenties": {"A": 3, "B": 0}},
    ):
        with pytest.raises(Refused):
            by_hand.command("t2", wrong)
    with pytest.raises(BadInput):
        score(hub, by_hand, "count", round=1, side="A", points=19)
    assert counts(hub) == [(0, 0), (0, 0)]
