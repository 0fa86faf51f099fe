"""Each row of the rules, under each rule set: what happened, and what every rule set makes of it."""

import math
from dataclasses import dataclass, field

import pytest

from controller.rules import (
    DITCH,
    HOLE,
    Disc,
    Hole,
    ImpossibleShot,
    Placed,
    Position,
    Shot,
    judge,
    own_rule_set,
    rule_set,
    rule_sets,
)

CLUB, POLISH, DEFINITIVE, FAMILY, MAKER, NCA, WCC = IDS = tuple(rules.id for rules in rule_sets())
FREE = (FAMILY, MAKER)  # an open board asks nothing
STRICT = tuple(id for id in IDS if id not in FREE)

VALID = (True, None)
MISSED = (False, "no_opponent_contact")
NOT_IN = (False, "not_in_fifteen")

FIFTEEN = Placed(0.0, 60.0)
TOUCHING = Placed(0.0, 110.0)  # touches the 15 line from outside
TEN = Placed(0.0, 150.0)
FIVE = Placed(0.0, 240.0)
OUTER = Placed(0.0, 290.0)
LEANING = Placed(18.0, 0.0, "leaning")


def returned(x=0.0, y=150.0):
    return Placed(x, y, returned=True)


@dataclass(frozen=True)
class Case:
    """A shot of side A with disc `a9`: the verdict and what comes off, why; `but` some rule sets see it differently."""

    what: str
    board: dict
    contacts: str
    rest: dict
    verdict: tuple
    removed: dict = field(default_factory=dict)
    twenties: tuple = ()
    but: dict = field(default_factory=dict)
    sources: tuple = IDS


OWN = {"a1": Disc("A", 120.0, 0.0)}
OWN_TWO = {"a1": Disc("A", 120.0, 0.0), "a2": Disc("A", -120.0, 0.0)}
THEIRS = {"b1": Disc("B", 200.0, 0.0)}
BOTH = OWN | THEIRS
LEANER = {"a1": Disc("A", 18.0, 0.0, "leaning")}
IN_FIFTEEN = {"a1": Disc("A", 80.0, 0.0)}
OFF = {"a9": "foul"}
BOTH_OFF = {"a9": "foul", "a1": "foul"}
NOT_AT_CLUB = {CLUB: (NOT_IN, OFF)}

CASES = [
    # --- an opponent's disc is on the board: a valid shot
    Case("hits it directly", THEIRS, "a9 b1", {"a9": TEN}, VALID),
    Case("by an own disc set moving", BOTH, "a9 a1, a1 b1", {"a9": TEN}, VALID),
    Case("the 15 is not asked", THEIRS, "a9 b1", {"a9": FIVE}, VALID),
    Case("misses", THEIRS, "", {"a9": FIFTEEN}, MISSED, OFF),
    Case("a disc in the ditch is no opponent", THEIRS, "a9 b0", {"a9": TEN}, MISSED, OFF),
    Case("two discs that this shot did not set moving", BOTH, "a1 b1", {"a9": TEN}, MISSED, OFF),
    # --- then a foul removes
    Case("own disc, or a partner's, hit and moved", BOTH, "a9 a1", {"a9": TEN, "a1": FIFTEEN}, MISSED, BOTH_OFF),
    Case("own disc hit but not moved", BOTH, "a9 a1", {"a9": TEN}, MISSED, BOTH_OFF, but={FAMILY: (MISSED, OFF)}),
    Case("own leaning disc that falls in, untouched", LEANER | THEIRS, "", {"a9": TEN, "a1": HOLE}, MISSED, BOTH_OFF),
    Case("missed into the ditch", THEIRS, "", {"a9": DITCH}, MISSED, {"a9": "left_surface"}),
    # --- no opponent's disc on the board
    Case("into the hole", {}, "", {"a9": HOLE}, VALID, {"a9": "twenty"}, ("a9",)),
    Case("into the 15", {}, "", {"a9": FIFTEEN}, VALID),
    Case("touching the 15 line", {}, "", {"a9": TOUCHING}, VALID),
    Case("leaning into the hole", {}, "", {"a9": LEANING}, VALID),
    Case("in the 10", {}, "", {"a9": TEN}, NOT_IN, OFF, sources=STRICT),
    Case("in the 10, free", {}, "", {"a9": TEN}, VALID, sources=FREE),
    Case("in the ditch", {}, "", {"a9": DITCH}, NOT_IN, {"a9": "left_surface"}, sources=STRICT),
    Case("bounced back into the 15", {}, "", {"a9": returned(0.0, 60.0)}, NOT_IN, {"a9": "returned"}, sources=STRICT),
    Case("the own disc that was hit is in the 15, the shot disc is not", OWN, "a9 a1",
         {"a9": TEN, "a1": FIFTEEN}, VALID, but=NOT_AT_CLUB),
    Case("the own disc that was hit lies in the 15 without having moved", IN_FIFTEEN, "a9 a1",
         {"a9": TEN}, VALID, but=NOT_AT_CLUB),
    Case("the own disc that was hit is in the hole", OWN, "a9 a1",
         {"a9": TEN, "a1": HOLE}, VALID, {"a1": "twenty"}, ("a1",),
         but={CLUB: (NOT_IN, {"a9": "foul", "a1": "twenty"})}),
    Case("an own disc in the 15 that this shot did not touch", IN_FIFTEEN, "",
         {"a9": TEN}, NOT_IN, OFF, sources=STRICT),
    Case("neither in the 15", OWN, "a9 a1", {"a9": TEN, "a1": FIVE}, NOT_IN, BOTH_OFF, but=NOT_AT_CLUB, sources=STRICT),
    Case("neither in the 15, free", OWN, "a9 a1", {"a9": TEN, "a1": FIVE}, VALID, sources=FREE),
    # --- the outer line
    Case("pushed onto the outer line", THEIRS, "a9 b1", {"a9": TEN, "b1": OUTER}, VALID, {"b1": "outer_line"}),
    Case("beyond the outer line, not fallen", THEIRS, "a9 b1",
         {"a9": Placed(0.0, 325.0), "b1": TEN}, VALID, {"a9": "outer_line"}),
    # --- the surface left; damage stays
    Case("opponent's disc knocked off", THEIRS, "a9 b1", {"a9": TEN, "b1": DITCH}, VALID, {"b1": "left_surface"}),
    Case("bounced back and pushed an own disc into the hole", BOTH, "a9 b1, a9 a1",
         {"a9": returned(), "b1": FIVE, "a1": HOLE}, VALID, {"a9": "returned", "a1": "twenty"}, ("a1",)),
    Case("bounced back into the hole", THEIRS, "a9 b1",
         {"a9": Hole(returned=True), "b1": TEN}, VALID, {"a9": "returned"}),
    # --- the hole
    Case("opponent's disc sunk: its owner's", THEIRS, "a9 b1",
         {"a9": TEN, "b1": HOLE}, VALID, {"b1": "twenty"}, ("b1",)),
    Case("opponent's leaning disc falls in during a foul",
         {"b1": Disc("B", 18.0, 0.0, "leaning")}, "", {"a9": TEN, "b1": HOLE},
         MISSED, {"a9": "foul", "b1": "twenty"}, ("b1",)),
]  # fmt: skip


@pytest.mark.parametrize(
    ("case", "id"), [pytest.param(case, id, id=f"{id}: {case.what}") for case in CASES for id in case.sources]
)
def test_each_case_is_judged_by_each_rule_set(case, id):
    contacts = tuple(tuple(pair.split()) for pair in case.contacts.split(", ") if pair)
    judged = judge(Position(case.board), Shot("A", "a9", contacts, case.rest), rule_set(id))
    removed = {r.disc: r.why for r in judged.removed}
    assert ((judged.valid, judged.reason), removed) == case.but.get(id, (case.verdict, case.removed))
    assert judged.twenties == case.twenties
    gone = {r.disc for r in judged.removed}
    assert set(judged.board.discs) == (set(case.board) | {"a9"}) - gone


def test_a_club_may_require_the_inside_of_the_15():
    rules = own_rule_set({"id": "inside", "base": NCA, "fifteen_line": "inside"})
    assert judge(Position(), Shot("A", "a9", (), {"a9": TOUCHING}), rules).reason == "not_in_fifteen"
    assert judge(Position(), Shot("A", "a9", (), {"a9": FIFTEEN}), rules).valid


def test_each_for_themselves_everyone_is_an_opponent():
    board = Position({"c1": Disc("C", 120.0, 0.0)})
    assert judge(board, Shot("A", "a9", (), {"a9": FIFTEEN}), rule_set(NCA)).reason == "no_opponent_contact"
    assert judge(board, Shot("A", "a9", (("c1", "a9"),), {"a9": TEN}), rule_set(NCA)).valid


def test_removed_discs_come_in_the_order_of_the_shot():
    shot = Shot("A", "a9", (("a9", "a1"), ("a1", "a2")), {"a2": FIVE, "a9": TEN})
    judged = judge(Position(OWN_TWO | THEIRS), shot, rule_set(NCA))
    assert [r.disc for r in judged.removed] == ["a2", "a9", "a1"]


# --- what can't have happened

OK = {"a9": TEN}


@pytest.mark.parametrize(
    ("place", "board", "contacts", "rest"),
    [
        ("disc", {"a9": Disc("A", 0.0, 0.0)}, (), OK),
        ("rest", {}, (), {}),
        ("rest.b7", {}, (), OK | {"b7": DITCH}),
        ("contacts[1]", THEIRS, (("a9", "b1"), ("b1", "b1")), OK),
        ("rest.a9.at", {}, (), {"a9": Placed(math.nan, 0.0)}),
        ("rest.a9.at", {}, (), {"a9": Placed(0.0, 1000.0)}),
        ("rest.a9.pose", {}, (), {"a9": Placed(0.0, 100.0, "leaning")}),
        ("rest.a9.pose", {}, (), {"a9": Placed(0.0, 10.0, "lying")}),
        ("rest.a9.at", {"a1": Disc("A", 0.0, 130.0)}, (), OK),
        ("rest.a1.at", OWN, (("a9", "a1"),), {"a9": TEN, "a1": Placed(5.0, 150.0)}),
        ("rest.a1.at", OWN, (("a9", "a1"),), {"a9": HOLE, "a1": Placed(12.0, 0.0)}),
    ],
)
def test_invalid_input_is_refused_with_its_place(place, board, contacts, rest):
    with pytest.raises(ImpossibleShot) as refused:
        judge(Position(board), Shot("A", "a9", contacts, rest), rule_set(NCA))
    assert refused.value.place == place
    assert str(refused.value).startswith(f"{place}: ")


@pytest.mark.parametrize(
    ("lay", "shot_disc", "moved"),
    [
        (Disc("B", 0.0, 150.0 + 28.0), TEN, {}),  # 28 mm: two discs of 29.75 mm, measured 1.75 mm too near
        (Disc("B", 18.0, 0.0, "leaning"), Placed(43.0, 0.0), {}),
        (Disc("B", 0.0, 150.0), TEN, {"b1": FIVE}),
    ],
    ids=["measured too near", "beside one that leans", "where another has left"],
)
def test_a_disc_may_lie_beside_or_where_another_was(lay, shot_disc, moved):
    shot = Shot("A", "a9", (("a9", "b1"),), {"a9": shot_disc} | moved)
    assert judge(Position({"b1": lay}), shot, rule_set(NCA)).valid


@pytest.mark.parametrize("fifteen_line", ["inside", "touching"])
@pytest.mark.parametrize(
    ("rest", "in_it"),
    [
        (Placed(0.0, 85.2, zone=15), True),  # by the standard lines it touches the 15's
        (Placed(0.0, 60.0, zone=5), False),  # a person said so, however it was measured
        (Placed(0.0, 250.0, zone=15), True),
    ],
)
def test_a_decided_zone_settles_whether_a_disc_is_in_the_fifteen(rest, in_it, fifteen_line):
    rules = own_rule_set({"id": "own", "base": NCA, "fifteen_line": fifteen_line})
    judgement = judge(Position(), Shot("A", "a1", (), {"a1": rest}), rules)
    assert judgement.valid is in_it


@pytest.mark.parametrize("fifteen_line", ["inside", "touching"])
def test_a_disc_that_was_decided_to_count_ten_may_still_touch_the_fifteens_line(fifteen_line):
    rules = own_rule_set({"id": "own", "base": NCA, "fifteen_line": fifteen_line})
    judgement = judge(Position(), Shot("A", "a1", (), {"a1": Placed(0.0, 84.7, zone=10)}), rules)
    assert judgement.valid is (fifteen_line == "touching")
