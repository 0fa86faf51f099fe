"""Decisions and settings in words, from `texts`.

>>> from controller.rules import HOLE, Board, Disc, Shot, explain, judge, rule_set
>>> board = Board({"a1": Disc("A", 0.0, 40.0), "b1": Disc("B", 90.0, 0.0)})
>>> shot = Shot("A", "a2", (("a2", "a1"),), {"a2": HOLE})
>>> nca = rule_set("nca")
>>> for sentence in explain(judge(board, shot, nca), nca).sentences:
...     print(sentence)
Foul: no opponent's disc was hit.
Off, for the foul: a2 and a1.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from controller.rules.choices import CHOICES, RuleSet
from controller.rules.formats import Format
from controller.rules.judge import Judgement, Reason, Rule
from controller.rules.texts import ENGLISH, listed, say


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a shot was judged so: the choice of the rule set that decided, its value and source, the discs, the words."""

    rule: Rule
    value: str
    source: str
    reason: Reason | None
    discs: tuple[str, ...]
    sentences: tuple[str, ...]

    @property
    def text(self) -> str:
        """All sentences in one line."""
        return " ".join(self.sentences)


def explain(
    judgement: Judgement,
    rules: RuleSet,
    names: Mapping[str, str] | None = None,
    texts: Mapping[str, str] = ENGLISH,
) -> Explanation:
    """Explain a judgement. `names` are what the page calls discs, by id; without one a disc goes by its id."""
    called = names or {}

    def discs(ids: tuple[str, ...]) -> str:
        return listed([called.get(id, id) for id in ids], texts)

    sentences = [say(_verdict(judgement, rules), texts, discs=discs(judgement.deciding or ("-",)))]
    for why in ("foul", "outer_line", "left_surface", "returned", "twenty"):
        ids = tuple(removal.disc for removal in judgement.removed if removal.why == why)
        if ids:
            sentences.append(say(f"why.{why}", texts, discs=discs(ids)))
    annulled = judgement.rule == "annulled"
    return Explanation(
        rule=judgement.rule,
        value="" if annulled else str(rules.value(judgement.rule)),
        source="" if annulled else rules.source(judgement.rule),
        reason=judgement.reason,
        discs=judgement.deciding,
        sentences=tuple(sentences),
    )


def _verdict(judgement: Judgement, rules: RuleSet) -> str:
    """The key of the sentence that says valid or foul."""
    if judgement.rule == "annulled":
        return "annulled"
    inside = ".inside" if rules.fifteen_line == "inside" else ""
    if judgement.reason == "not_in_fifteen":
        return f"foul.not_in_fifteen.{rules.open_board}{inside}"
    if judgement.reason:
        return f"foul.{judgement.reason}"
    if judgement.rule == "open_board":
        return "valid.open_board" + (".free" if rules.open_board == "free" else inside)
    return "valid.opponent_contact"


def choice_title(choice: str, texts: Mapping[str, str] = ENGLISH) -> str:
    """The title of a choice."""
    return say(f"choice.{choice}", texts)


def choice_words(choice: str, value: object, texts: Mapping[str, str] = ENGLISH) -> str:
    """A value of a choice in words.

    >>> choice_words("foul_removes", ("shot_disc", "own_moved"))
    'the shot disc and own discs that were moved'
    """
    if isinstance(value, tuple):
        return listed([say(f"group.{group}", texts) for group in value or ("none",)], texts)
    return say(f"choice.{choice}.{value}", texts) if CHOICES[choice].values else str(value)


def format_words(format: Format, texts: Mapping[str, str] = ENGLISH) -> str:
    """A format in words, its tie rule included.

    >>> format_words(Format("rounds", rounds=4, games=3))
    '3 games of 4 rounds of 2, 1 and 0; a tie stands'
    """
    kind = "games" if (format.games or 1) > 1 else format.kind
    counted = say(f"format.{kind}", texts, target=format.target, rounds=format.rounds, games=format.games)
    return f"{counted}; {say(f'tie.{format.tie}', texts)}"
