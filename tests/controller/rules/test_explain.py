import pytest

from controller.rules import (
    DITCH,
    HOLE,
    Disc,
    Format,
    Match,
    Placed,
    Position,
    Shot,
    explain,
    format_words,
    judge,
    own_rule_set,
    rule_set,
)
from controller.rules.choices import CHOICES
from controller.rules.explain import choice_words
from controller.rules.texts import ENGLISH

THEIRS = Position({"b1": Disc("B", 0.0, 60.0)})
OWN = Position({"a1": Disc("A", 0.0, 140.0)})


def explained_judgement(id, board, contacts, rest, names=None, **choices):
    rules = own_rule_set({"id": "x", "base": id, **choices}) if choices else rule_set(id)
    judged = judge(board, Shot("A", "a9", contacts, rest), rules)
    return judged.rule, tuple(map(str, explain(judged, rules, names)))


def test_a_valid_shot_names_what_was_hit():
    assert explained_judgement("nca", THEIRS, (("a9", "b1"),), {"a9": HOLE, "b1": DITCH}) == (
        "opponent_contact",
        ("Valid: it hit b1.", "Off, left the surface: b1.", "Twenty, banked for its owner: a9."),
    )


def test_a_foul_names_what_comes_off():
    _, sentences = explained_judgement("club-100", THEIRS, (), {"a9": HOLE}, {"a9": "Black 3"})
    assert " ".join(sentences) == "Foul: no opponent's disc was hit. Off, for the foul: Black 3."


OPEN = "no opponent's disc was on the board, and"
INSIDE = {"fifteen_line": "inside"}
IN_FIFTEEN, IN_FIVE = {"a9": Placed(0.0, 60.0)}, {"a9": Placed(0.0, 240.0)}


@pytest.mark.parametrize(
    ("id", "rest", "choices", "verdict"),
    [
        ("nca", IN_FIFTEEN, {}, f"Valid: {OPEN} a9 ended in the 15, at its line"),
        ("nca", IN_FIFTEEN, INSIDE, f"Valid: {OPEN} a9 ended inside the 15"),
        ("family", IN_FIVE, {}, f"Valid: {OPEN} these rules then allow any shot"),
        ("nca", IN_FIVE, {}, f"Foul: {OPEN} no own disc of this shot ended in the 15, at its line"),
        ("nca", IN_FIVE, INSIDE, f"Foul: {OPEN} no own disc of this shot ended inside the 15"),
        ("club-100", IN_FIVE, {}, f"Foul: {OPEN} the shot disc did not end in the 15, at its line"),
        ("club-100", IN_FIVE, INSIDE, f"Foul: {OPEN} the shot disc did not end inside the 15"),
    ],
)
def test_an_open_board(id, rest, choices, verdict):
    rule, sentences = explained_judgement(id, OWN, (), rest, **choices)
    assert sentences[0].startswith(verdict)
    assert rule == "open_board"


def test_an_annulled_shot():
    match = Match.start("nca").play(Shot("A", "a1", (), {"a1": HOLE}), annul=True)
    (sentence,) = explain(match.round.shots[0].judgement, match.terms.rules)
    assert str(sentence) == "Annulled: this shot does not count."


def test_every_value_has_words():
    for name, choice in CHOICES.items():
        for value in choice.values:
            assert str(choice_words(name, value))


def test_every_text_is_used():
    choices = {f"choice.{name}" for name in CHOICES}
    values = {f"choice.{name}.{value}" for name, choice in CHOICES.items() for value in choice.values}
    assert {key for key in ENGLISH if key.startswith("choice.")} == choices | values


@pytest.mark.parametrize(
    ("format", "words"),
    [
        (Format("points", target=100), "First to 100 points, by differences; level, a further round decides"),
        (Format("rounds", rounds=4), "4 rounds of 2, 1 and 0; a tie stands"),
        (Format("race", tie="shoot_out"), "First to 9, 2, 1 and 0 a round; level, a shoot-out of twenties decides"),
    ],
)
def test_formats_in_words(format, words):
    assert str(format_words(format)) == words
