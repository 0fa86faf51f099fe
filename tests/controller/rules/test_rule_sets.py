import json

import pytest

from controller.messages import encoded
from controller.rules import (
    CHOICES,
    BadRuleSet,
    UnknownRuleSet,
    own_rule_set,
    rule_set,
    rule_sets,
)
from controller.rules.choices import OVERRIDABLE
from controller.views.rule_sets import Rules


def test_each_choice_of_each_rule_set_names_its_source():
    for described in Rules.of(*rule_sets()).rule_sets:
        assert set(described.choices) == set(CHOICES)
        for choice in described.choices.values():
            assert choice.text
            assert choice.source
        assert described.formats
        assert described.formats_source != "not said; what club players expect"


def test_a_silent_source_leaves_the_default():
    for rules in rule_sets():
        assert set(rules.sources) <= {*CHOICES, "formats"}
        for name in OVERRIDABLE:
            if name not in rules.sources:
                assert getattr(rules, name) == CHOICES[name].default, (rules.id, name)


def test_the_description_is_json():
    one = json.loads(encoded(Rules.of(rule_set("family"))))
    assert one["schema"] == "rules/1"
    assert [rules["id"] for rules in one["rule_sets"]] == ["family"]
    assert one["rule_sets"][0]["choices"]["foul_removes"]["value"] == ["shot_disc", "own_moved"]
    with pytest.raises(UnknownRuleSet):
        rule_set("nba")


def test_a_rule_set_of_ones_own():
    ours = own_rule_set({"id": "ours", "base": "club-100", "name": "Our club", "discs": 10, "open_board": "free"})
    assert (ours.name, ours.discs, ours.open_board) == ("Our club", 10, "free")
    assert ours.source("discs") == "chosen in the configuration"
    assert ours.source("ring_line") == rule_set("club-100").source("ring_line")
    assert rule_set("ours", (*rule_sets(), ours)) == ours
    theirs = own_rule_set({"id": "theirs", "base": "ours", "discs": 8}, (*rule_sets(), ours))
    assert (theirs.discs, theirs.open_board, theirs.base) == (8, "free", "club-100")


@pytest.mark.parametrize(
    ("table", "place"),
    [
        ({"base": "nca"}, "id"),
        ({"id": "x"}, "base"),
        ({"id": "nca", "base": "nca"}, "id"),
        ({"id": "x", "base": "nca", "name": 3}, "name"),
        ({"id": "x", "base": "nca", "open_bord": "free"}, "open_bord"),
        ({"id": "x", "base": "nca", "open_board": "closed"}, "open_board"),
        ({"id": "x", "base": "nca", "ring_line": "higher"}, "ring_line"),
        ({"id": "x", "base": "nca", "open_board": ["free"]}, "open_board"),
        ({"id": "x", "base": "nca", "foul_removes": "shot_disc"}, "foul_removes"),
        ({"id": "x", "base": "nca", "foul_removes": ["everything"]}, "foul_removes[0]"),
        ({"id": "x", "base": "nca", "foul_removes": [["shot_disc"]]}, "foul_removes[0]"),
        ({"id": "x", "base": "nca", "discs": 5}, "discs"),
        ({"id": "x", "base": "nca", "discs": True}, "discs"),
        ({"id": "x", "base": "nca", "discs_doubles": 7}, "discs_doubles"),
    ],
)
def test_invalid_rule_sets_are_refused(table, place):
    with pytest.raises(BadRuleSet) as refused:
        own_rule_set(table)
    assert refused.value.place == place


def test_an_unknown_base_is_refused():
    with pytest.raises(UnknownRuleSet, match="did you mean 'club-100'"):
        own_rule_set({"id": "x", "base": "club100"})
