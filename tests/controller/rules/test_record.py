import copy
import json
import math
from time import process_time

import pytest

from controller.rules import (
    BadCorrection,
    Format,
    Match,
    Placed,
    RecordError,
    judge_document,
    judgement_of,
    own_rule_set,
    read,
    rule_sets,
    write,
)
from tests.slow import slow

from .test_match import BLACK_BEGINS, annulled, off, shot, sunk, won

EXAMPLE = """
{"schema": "match-record/1", "rules": "nca", "format": {"kind": "rounds", "rounds": 4},
 "sides": [{"id": "A", "name": "Black"}, {"id": "B", "name": "Natural"}],
 "rounds": [{"starter": "A", "shots": [
   {"side": "A", "disc": "a1", "contacts": [], "rest": {"a1": {"at": [0.0, 84.0]}}},
   {"side": "B", "disc": "b1", "contacts": [["b1", "a1"]],
    "rest": {"b1": {"at": [30.0, 150.0]}, "a1": {"at": "ditch"}}},
   {"side": "A", "disc": "a2", "contacts": [["a2", "a1"]], "rest": {"a2": {"at": "hole"}}}]}]}
"""

ANSWER = """
{"schema": "judgement/1", "rounds": [{"shots": [
   {"valid": true, "reason": null, "removed": [], "twenties": []},
   {"valid": true, "reason": null, "removed": [{"disc": "a1", "why": "left_surface"}], "twenties": []},
   {"valid": false, "reason": "no_opponent_contact", "removed": [{"disc": "a2", "why": "foul"}], "twenties": []}],
  "complete": false, "totals": {"A": 0, "B": 10}, "awarded": null}],
 "match": {"score": {"A": 0, "B": 0}, "twenties": {"A": 0, "B": 0}, "over": false, "winner": null,
  "next_starter": null}}
"""


def example():
    return json.loads(EXAMPLE)


def test_the_promised_example_is_answered_exactly():
    answer = judge_document(example())
    (warning,) = answer.pop("warnings")
    assert warning.startswith("rounds[0].shots[2]: a1 "), "its last shot touches a disc that is off the board"
    assert answer == json.loads(ANSWER)
    assert list(answer) == list(json.loads(ANSWER))


def test_the_format_is_optional_and_discs_may_be_given():
    record = example()
    del record["format"]
    assert read(record).terms.format == Format("rounds", rounds=4)
    record["discs"] = 6
    assert read(record).round.shots_left == {"A": 4, "B": 5}


def test_the_sides_may_be_in_any_order():
    record = example()
    record["sides"].reverse()
    assert [side.name for side in read(record).terms.sides] == ["Black", "Natural"]


def round_trip(match):
    document = json.loads(json.dumps(write(match)))
    again = read(document)
    assert again == match
    assert write(again) == document
    assert judgement_of(again) == judgement_of(match)


def test_everything_by_hand_survives_the_round_trip():
    match = Match.start("nca", Format("rounds", rounds=5, tie="shoot_out"), starter="B", doubles=True, seat=4)
    match = annulled(sunk(sunk(match)))
    match = annulled(off(match, "c1"), 1)
    match = shot(match, "b9", Placed(0.0, 60.0))
    match = match.place("b9", Placed(0.0, 150.0)).place("b9", Placed(0.0, 90.0))
    round_trip(match)
    match = match.time_out()
    round_trip(match)
    match = won(match.with_next_round("B", 2), "A")
    match = match.correct_totals(2, {"A": 20, "B": 15}).correct_twenties(1, {"B": 1})
    round_trip(match)
    match = match.next_round().award(3, {"A": 1, "B": 1}).correct_totals(3, {"A": 0, "B": 0})
    match = sunk(match.next_round()).close_round()
    match = sunk(match.with_next_round("A")).close_round()
    round_trip(match)
    match = match.correct_totals(1, {"A": 0, "B": 0}).correct_totals(4, {"A": 0, "B": 20})
    match = match.correct_totals(5, {"A": 0, "B": 20}).correct_totals(1, {"A": 20, "B": 0})
    assert match.awaits_shoot_out
    match = match.enter_shoot_out({"A": 3, "B": 3}).enter_shoot_out({"A": 3, "B": 4})
    assert match.winner == "B"
    round_trip(match)


def test_the_one_more_shot_after_time_ran_out_survives_the_round_trip():
    match = off(off(off(BLACK_BEGINS))).time_out()
    round_trip(match)
    match = sunk(match)
    assert match.round.complete
    round_trip(match)
    record = write(match)
    assert record["rounds"][0]["time_out"] == 3
    record["rounds"][0]["shots"].append({"side": "A", "disc": "a9", "contacts": [], "rest": {"a9": {"at": "hole"}}})
    with pytest.raises(RecordError, match=r"rounds\[0\].shots\[4\]: Round 1 is over"):
        read(record)


def test_a_rule_set_of_ones_own_travels_with_its_record():
    own = own_rule_set({"id": "ours", "base": "club-100", "open_board": "free", "foul_removes": ["shot_disc"]})
    match = shot(Match.start(own), "a1", Placed(0.0, 200.0))
    assert read(json.loads(json.dumps(write(match)))).terms.rules == own
    named = write(match) | {"rules": "ours"}
    assert read(named, (*rule_sets(), own)) == match
    with pytest.raises(RecordError, match="'ours' is not a rule set"):
        read(named)


# --- refused with the place


def changed(path, value):
    """The example with one member set, or left out when the value is KeyError."""
    record = copy.deepcopy(example())
    *parents, last = path
    there = record
    for key in parents:
        there = there[key]
    if value is KeyError:
        del there[last]
    elif isinstance(there, list) and last == len(there):
        there.append(value)
    else:
        there[last] = value
    return record


SHOTS = ("rounds", 0, "shots")
REFUSED = [
    (("schema",), "match-record/2", "schema: 'match-record/2' is newer"),
    (("schema",), "board-reading/1", "schema: "),
    (("schema",), KeyError, "schema: is missing"),
    (("rules",), "ncaa", "rules: 'ncaa' is not a rule set; did you mean 'nca'"),
    (("rules",), 7, "rules: must be an object"),
    (
        ("rules",),
        {"id": "x", "base": "nca", "open_board": "open"},
        "rules.open_board: must be 'shot_disc', 'own_disc', ",
    ),
    (("format", "rounds"), 0, "format.rounds: "),
    (("discs",), "8", "discs: "),
    (("dics",), 8, "dics: means nothing here; did you mean 'discs'"),
    (("sides", 1, "id"), "C", "sides: "),
    (("sides", 1, "id"), "", "sides[1].id: "),
    (("rounds",), {}, "rounds: must be a list"),
    (("rounds", 0, "starter"), "C", "rounds[0].starter: "),
    (("rounds", 0, "starter"), "B", "rounds[0].shots[0].side: A can't shoot now"),
    (("rounds", 0, "time_out"), 4, "rounds[0].time_out: "),
    (("rounds", 0, "totals"), {"A": 0, "B": 5}, "rounds[0]: Round 1 is still being played"),
    (("rounds", 0, "awarded"), {"A": 2}, "rounds[0].awarded: Every side needs a figure: B is missing"),
    (("rounds", 0, "twenties_adjusted"), {"A": 99}, "rounds[0].twenties_adjusted.A: "),
    (("rounds", 1), {"starter": "B", "shots": []}, "rounds[0]: has 3 shots and is not complete"),
    ((*SHOTS, 1, "contacts"), [["b1"]], "rounds[0].shots[1].contacts[0]: "),
    ((*SHOTS, 1, "contacts"), [["b1", "a7"]], "rounds[0].shots[1].contacts[0]: no disc 'a7'"),
    (SHOTS, [{}] * 501, "rounds[0].shots: List should have at most 500"),
    ((*SHOTS, 0, "rest", "a1", "at"), [math.nan, 0], "rounds[0].shots[0].rest.a1.at: "),
    ((*SHOTS, 0, "rest", "a1", "at"), [0, 10**400], "rounds[0].shots[0].rest.a1.at: "),
    ((*SHOTS, 0, "rest", "a1", "at"), "pit", "rounds[0].shots[0].rest.a1.at: "),
    ((*SHOTS, 0, "rest", "a1", "pose"), ["flat"], "rounds[0].shots[0].rest.a1.pose: "),
    ((*SHOTS, 2, "corrected"), {"a2": {"at": [30, 150]}}, "rounds[0].shots[2].corrected.a2.at: a2 and b1 are"),
    (("shoot_outs",), [{"A": 3}], "shoot_outs[0]: Every side needs a figure: B is missing"),
]


@pytest.mark.parametrize(("path", "value", "message"), REFUSED, ids=lambda part: str(part)[:40])
def test_invalid_input_is_refused_with_its_place(path, value, message):
    with pytest.raises(RecordError) as refused:
        judge_document(changed(path, value))
    assert str(refused.value).startswith(message)


def test_a_contact_with_a_disc_that_is_off_counts_for_nothing_and_is_not_refused():
    """It may lie in the ditch still, or in the hole from which nobody has lifted it: a disc can touch it there."""
    record = example()
    shots = record["rounds"][0]["shots"]
    assert shots[2]["contacts"] == [["a2", "a1"]], "in the ditch, as in the promised example"
    shots[1].update(contacts=[["b1", "a1"]], rest={"b1": {"at": [0.0, 60.0]}, "a1": {"at": "hole"}})
    assert [shot["reason"] for shot in judge_document(record)["rounds"][0]["shots"]] == [
        None,
        None,
        "no_opponent_contact",
    ]


def long_record(rounds):
    a, b = ({"side": s, "disc": f"{s}1", "contacts": [], "rest": {f"{s}1": {"at": "hole"}}} for s in "AB")
    shots = {"A": [a, b], "B": [b, a]}
    return example() | {
        "format": {"kind": "points", "target": 100},
        "rounds": [{"starter": "AB"[k % 2], "shots": shots["AB"[k % 2]], "closed": True} for k in range(rounds)],
    }


@slow
def test_the_cost_grows_with_the_number_of_rounds_and_no_faster():
    def seconds(rounds):
        record, start = long_record(rounds), process_time()
        assert len(judge_document(record)["rounds"]) == rounds
        return process_time() - start

    seconds(100)
    # A busy machine may disturb one measurement: with the square it would be 64 times each time.
    assert any(seconds(8000) < 25 * seconds(1000) for _ in range(3)), "8 times the rounds"


def test_a_round_of_annulled_shots_alone_is_read_fast():
    record, (one, *_) = example(), example()["rounds"][0]["shots"]
    record["rounds"][0]["shots"] = [
        {**one, "side": side, "disc": side, "rest": {side: {"at": "ditch"}}, "annulled": True} for side in "AB" * 250
    ]
    start = process_time()
    assert len(read(record).round.shots) == 500
    assert process_time() - start < 5.0, "it took minutes when every annulled shot was looked at for every other"


@pytest.mark.parametrize("document", [None, [], "x", 7])
def test_a_document_that_is_no_record_is_refused(document):
    with pytest.raises(RecordError, match="record: must be an object"):
        read(document)


ON_LINE = 84.95  # mm: by the standard lines a disc here just touches the 15's


def test_a_decided_zone_overrides_the_lines_and_survives_the_round_trip():
    match = BLACK_BEGINS
    match = shot(match, "a1", Placed(0.0, ON_LINE, zone=15))
    match = shot(match, "b1", Placed(287.0, 0.0, zone=0), hits="a1")
    match = shot(match, "a2", Placed(-150.0, 0.0)).place("a2", Placed(-150.0, 0.0, zone=5))
    assert match.round.totals == {"A": 20, "B": 0}
    assert [removed.why for removed in match.round.shots[1].judgement.removed] == ["outer_line"]
    first, second, third = write(match)["rounds"][0]["shots"]
    assert first["rest"] == {"a1": {"at": [0.0, ON_LINE], "zone": 15}}
    assert second["rest"] == {"b1": {"at": [287.0, 0.0], "zone": 0}}
    assert third["rest"] == {"a2": {"at": [-150.0, 0.0]}}, "what the position says is not said twice"
    assert third["corrected"] == {"a2": {"at": [-150.0, 0.0], "zone": 5}}
    round_trip(match)


@pytest.mark.parametrize(
    ("rest", "words"),
    [
        ({"at": [0, 84], "zone": 20}, "must be 15, 10, 5 or 0, not 20"),
        ({"at": [0, 84], "zone": True}, "must be 15, 10, 5 or 0, not True"),
        ({"at": "hole", "zone": 15}, "a disc with a position"),
        ({"at": [10, 0], "pose": "leaning", "zone": 10}, "lies in the 15"),
    ],
)
def test_an_impossible_zone_is_refused_with_its_place(rest, words):
    record = example()
    record["rounds"][0]["shots"] = [{"side": "A", "disc": "a1", "contacts": [], "rest": {"a1": rest}}]
    with pytest.raises(RecordError, match=words) as refused:
        read(record)
    assert refused.value.place == "rounds[0].shots[0].rest.a1.zone"


def test_a_disc_whose_zone_a_person_decided_blocks_no_place():
    """It counts five, wherever it lies: its position was measured in the 15, where another disc may come to rest."""
    match = BLACK_BEGINS
    match = shot(match, "a1", Placed(0.0, 60.0)).place("a1", Placed(0.0, 60.0, zone=5))
    match = shot(match, "b1", Placed(0.0, 61.0), hits="a1")
    match = match.place("b1", Placed(340.0, 0.0, zone=5))
    assert match.round.totals == {"A": 5, "B": 5}
    round_trip(match)
    for nowhere in (math.nan, math.inf):
        with pytest.raises(BadCorrection, match="not on the playing surface"):
            match.place("b1", Placed(nowhere, 0.0, zone=5))
