"""What the judge accepts, and what clubs and people decide besides; how each rule set judges is in test_properties."""

import math

import pytest

from controller.rules import (
    DITCH,
    HOLE,
    Disc,
    ImpossibleShot,
    Placed,
    Position,
    Shot,
    judge,
    own_rule_set,
    rule_set,
)

NCA = "nca"
TEN = Placed(0.0, 150.0)
FIVE = Placed(0.0, 240.0)
OWN = {"a1": Disc("A", 120.0, 0.0)}
OWN_TWO = {"a1": Disc("A", 120.0, 0.0), "a2": Disc("A", -120.0, 0.0)}
THEIRS = {"b1": Disc("B", 200.0, 0.0)}


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
        (Placed(0.0, 84.7, zone=10), None),  # it may still touch the 15's line
        (Placed(0.0, 110.0), None),
    ],
)
def test_a_decided_zone_settles_whether_a_disc_is_in_the_fifteen(rest, in_it, fifteen_line):
    rules = own_rule_set({"id": "own", "base": NCA, "fifteen_line": fifteen_line})
    judgement = judge(Position(), Shot("A", "a1", (), {"a1": rest}), rules)
    assert judgement.valid is (fifteen_line == "touching" if in_it is None else in_it)
