"""Explains decisions and settings in words, from `texts`.

>>> from controller.rules import HOLE, Position, Disc, Shot, explain, judge, rule_set
>>> board = Position({"a1": Disc("A", 0.0, 40.0), "b1": Disc("B", 90.0, 0.0)})
>>> shot = Shot("A", "a2", (("a2", "a1"),), {"a2": HOLE})
>>> nca = rule_set("nca")
>>> for sentence in explain(judge(board, shot, nca), nca):
...     print(sentence)
Foul: no opponent's disc was hit.
Off, for the foul: a2 and a1.
"""

from collections.abc import Mapping

from controller.messages import Message
from controller.rules.choices import CHOICES, RuleSet
from controller.rules.conduct import Conduct
from controller.rules.formats import Format
from controller.rules.judge import Judgement
from controller.rules.texts import text


def explain(
    judgement: Judgement, rules: RuleSet, names: Mapping[str, str | Message] | None = None
) -> tuple[Message, ...]:
    """A judgement in sentences. `names`: the page's names of discs by id; a disc without one is called by its id."""
    called = names or {}

    def discs(ids: tuple[str, ...]) -> tuple[str | Message, ...]:
        return tuple(called.get(id, id) for id in ids)

    sentences = [text(_verdict(judgement, rules), discs=discs(judgement.deciding))]
    if judgement.played_as:
        sentences.append(text(f"played_as.{judgement.played_as}"))
    for why in ("foul", "outer_line", "left_surface", "returned", "twenty"):
        ids = tuple(removal.disc for removal in judgement.removed if removal.why == why)
        if ids:
            sentences.append(text(f"why.{why}", discs=discs(ids)))
    return tuple(sentences)


def _verdict(judgement: Judgement, rules: RuleSet) -> str:
    if judgement.rule == "annulled":
        return "annulled"
    inside = ".inside" if rules.fifteen_line == "inside" else ""
    if judgement.reason == "not_in_fifteen":
        return f"foul.not_in_fifteen.{rules.open_board}{inside}"
    if judgement.reason:
        return f"foul.{judgement.reason}"
    if judgement.rule == "open_board":
        return "valid.open_board" + (f".{rules.open_board}" if rules.open_board in ("free", "hole") else inside)
    return "valid.opponent_contact"


def choice_title(choice: str) -> Message:
    """The title of a choice."""
    return text(f"choice.{choice}")


def choice_words(choice: str, value: object) -> Message:
    """A value of a choice in words.

    >>> str(choice_words("foul_removes", ("shot_disc", "own_moved")))
    'the shot disc and own discs that were moved'
    """
    if isinstance(value, tuple):
        return Message("{groups}", {"groups": tuple(text(f"group.{group}") for group in value or ("none",))})
    return text(f"choice.{choice}.{value}") if CHOICES[choice].values else Message(str(value))


def format_words(format: Format) -> Message:
    """A format in words, its tie rule included.

    >>> str(format_words(Format("rounds", rounds=4, games=3)))
    '3 games of 4 rounds of 2, 1 and 0; a tie stands'
    """
    kind = "games" if (format.games or 1) > 1 else format.kind
    one = ".one" if format.rounds == 1 and kind != "games" else ""
    counted = text(f"format.{kind}{one}", target=format.target, rounds=format.rounds, games=format.games)
    if format.practice:
        return counted
    return text("format.tied", format=counted, tie=text(f"tie.{format.tie}"))


def conduct_words(conduct: Conduct) -> Message:
    """A breach of conduct, as words to follow the player's name.

    >>> str(conduct_words("left_chair"))
    'left the chair'
    """
    return text(f"conduct.{conduct}")
