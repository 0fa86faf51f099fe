"""What a rule set chooses: each choice with its title, its values in words, and what holds when a source is silent.

A choice with several `values` can be overridden by a club; one with a single value is the same for every rule set
and stands here so that the page can name its sources. `people` choices are reminders that only people can call.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Literal, cast

from controller.rules.errors import BadRuleSet
from controller.rules.formats import Format

Group = Literal["shot_disc", "own_hit", "own_moved", "own_sunk"]
Satisfies = Literal["shot_disc", "own_disc", "free"]
FifteenLine = Literal["touching", "inside"]
NextStarter = Literal["left", "alternate"]
Players = Literal["singles", "doubles", "each"]

FEWEST_DISCS, MOST_DISCS = 6, 12  # a side: "6 to 12, the organiser chooses" (Polish tournament rules)

GROUPS: dict[str, str] = {
    "shot_disc": "the shot disc",
    "own_hit": "every own (or partner's) disc that was hit",
    "own_moved": "every own (or partner's) disc that was moved",
    "own_sunk": "every own disc that this shot sank in the hole",
}


@dataclass(frozen=True, slots=True)
class Choice:
    """One choice. `default` is what club players expect where a source is silent."""

    name: str
    title: str
    default: object
    values: Mapping[str, str] = field(default_factory=dict)  # value: words; empty for numbers and groups
    people: bool = False

    @property
    def fixed(self) -> bool:
        """Whether every rule set has the same value."""
        return len(self.values) == 1

    def words(self, value: object) -> str:
        """A value of this choice in words.

        >>> CHOICES["foul_removes"].words(("shot_disc", "own_moved"))
        "the shot disc and every own (or partner's) disc that was moved"
        """
        if isinstance(value, tuple):
            words = [GROUPS[group] for group in value] or ["nothing"]
            return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
        return self.values.get(str(value), str(value))


_LEFT = "the seat to the left of the last starter"

_ALL = (
    Choice("discs", "Discs a side, two players", 12),
    Choice("discs_doubles", "Discs a player, doubles", 6),
    Choice(
        "first_starter",
        "Who starts the match",
        "random",
        {
            "random": "by chance, or chosen on the page",
            "guess": "a guess at which hand holds the colour",
            "chance_or_organiser": "by chance or by the organiser",
        },
        people=True,
    ),
    Choice("order", "Order of play", "clockwise", {"clockwise": "clockwise, one disc a turn"}),
    Choice(
        "next_starter",
        "Who starts the next round",
        "left",
        {"left": f"{_LEFT}: so the sides alternate"},
    ),
    Choice(
        "next_game",
        "Who starts the next game of a match",
        "left",
        {"left": _LEFT, "alternate": "the side that did not start the last game"},
    ),
    Choice(
        "opponent_contact",
        "An opponent's disc is on the board: a valid shot",
        "any_chain",
        {"any_chain": "hits at least one, directly or by any chain that the shot started; pegs and order don't matter"},
    ),
    Choice("foul_removes", "Then a foul removes", ("shot_disc", "own_hit", "own_sunk")),
    Choice(
        "open_board",
        "No opponent's disc on the board: a valid shot",
        "own_disc",
        {
            "shot_disc": "the shot disc ends in the hole, in the 15, or at its line",
            "own_disc": "any own disc of this shot ends in the hole, in the 15, or at its line",
            "free": "any shot",
        },
    ),
    Choice("open_failure_removes", "Then a failure removes", ("shot_disc", "own_hit", "own_sunk")),
    Choice(
        "fifteen_line",
        "Touching the 15 line, for validity only",
        "touching",
        {"touching": "counts as in, though it scores 10", "inside": "does not count: the disc must lie inside"},
    ),
    Choice("outer_line", "At rest touching the outer line, or beyond it", "out", {"out": "out, after every shot"}),
    Choice(
        "crossed_line",
        "Crossed the outer line, stayed on the surface, came back",
        "stays",
        {"stays": "stays: judged where it comes to rest"},
    ),
    Choice(
        "returned",
        "Left the surface and bounced back",
        "removed",
        {"removed": "removed; damage stays: what it moved stays where it went, also in the hole"},
    ),
    Choice(
        "leaning",
        "Leaning into the hole, or over it",
        "in_play",
        {"in_play": "no twenty; stays in play and scores where it lies, 15"},
    ),
    Choice("edge", "Standing on its edge in the hole", "in_play", {"in_play": "no twenty; stays in play as a 15"}),
    Choice("opponent_sunk", "An opponent's disc sunk", "owner", {"owner": "its owner gets the twenty"}),
    Choice(
        "twenties",
        "Twenties",
        "banked",
        {"banked": "taken off at once and counted at the end of the round"},
    ),
    Choice("ring_line", "Touching a ring line", "lower", {"lower": "scores the lower ring"}),
    Choice(
        "time_out",
        "Time ran out with uneven shots",
        "one_more",
        {"one_more": "the side with fewer shots gets exactly one more"},
    ),
    Choice(
        "placing",
        "Placing the disc",
        "half_over",
        {
            "half_over": "touching the starting line, at most half of it over the quadrant line",
            "while_touching": "anywhere on one's own line, also past its end while touching it; flat",
            "over_quadrant": "touching the starting line; it may lie over the quadrant line",
            "both_lines": "flat, touching the starting line within the quadrant, or that line and the quadrant line",
        },
        people=True,
    ),
    Choice(
        "not_before",
        "Not before",
        "still_and_turn",
        {
            "still": "all discs are at rest, spinning ones too",
            "turn": "it is one's turn",
            "still_and_turn": "all discs are at rest, and it is one's turn",
        },
        people=True,
    ),
    Choice(
        "manners",
        "Called by people",
        "one_cheek",
        {
            "one_cheek": "one cheek stays on the chair",
            "cheek_flick_hands": "one cheek stays on the chair; flick, no push; hands off when it is not your turn",
            "cheek_hand": "one cheek stays on the chair; only the shooting hand touches the board",
            "cheek_feet_hand": "one cheek on the chair, feet alone on the floor, the shooting hand alone on the board",
            "hands": "hands off until your turn; board and seats stay put",
            "cheek_finger": "one cheek stays on the chair; fingers, no guards; board and chair stay put",
        },
        people=True,
    ),
)

CHOICES: dict[str, Choice] = {choice.name: choice for choice in _ALL}


SILENT = "not said; what club players expect"
BY_CONFIGURATION = "chosen in the configuration"


@dataclass(frozen=True, slots=True)
class RuleSet:
    """One rule set: every choice that the engine reads, and where each comes from.

    `formats` are those that the source names, the usual one first; `sources` gives, by choice, what the source says.
    A choice that is not among them has the default.

    >>> from controller.rules import rule_set
    >>> rule_set("nca").discs, rule_set("family").open_board
    (8, 'free')
    """

    id: str
    name: str
    origin: str
    formats: tuple[Format, ...] = (Format("points"),)
    discs: int = 12
    discs_doubles: int = 6
    first_starter: str = "random"
    next_game: NextStarter = "left"
    foul_removes: tuple[Group, ...] = ("shot_disc", "own_hit", "own_sunk")
    open_board: Satisfies = "own_disc"
    open_failure_removes: tuple[Group, ...] = ("shot_disc", "own_hit", "own_sunk")
    fifteen_line: FifteenLine = "touching"
    placing: str = "half_over"
    not_before: str = "still_and_turn"
    manners: str = "one_cheek"
    sources: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "sources", MappingProxyType(dict(self.sources)))
        for name in OVERRIDABLE:
            _check_choice(CHOICES[name], getattr(self, name))

    def value(self, choice: str) -> object:
        """The value of any choice, those that are the same for all rule sets included."""
        return CHOICES[choice].default if CHOICES[choice].fixed else getattr(self, choice)

    def source(self, choice: str) -> str:
        """Where the value of a choice comes from."""
        return self.sources.get(choice, SILENT)

    def discs_a_side(self, players: Players, sides: int = 2) -> int:
        """How many discs each side usually shoots in a round. Each for themselves, 24 discs are shared evenly."""
        if players == "doubles":
            return 2 * self.discs_doubles
        return self.discs if players == "singles" else 2 * MOST_DISCS // sides

    def but(self, id: str, name: str | None = None, **choices: object) -> "RuleSet":
        """This rule set with some choices overridden, under its own id. Raises `BadRuleSet`.

        >>> from controller.rules import rule_set
        >>> rule_set("club-100").but("our-club", open_board="free", discs=10).open_board
        'free'
        """
        for choice, value in choices.items():
            if choice not in CHOICES:
                raise BadRuleSet(f"there is no such choice; there are {', '.join(OVERRIDABLE)}", choice)
            if CHOICES[choice].fixed:
                raise BadRuleSet(f"is the same for every rule set: {CHOICES[choice].words(self.value(choice))}", choice)
            if isinstance(value, list):
                choices[choice] = tuple(value)
        sources = {**self.sources, **dict.fromkeys(choices, BY_CONFIGURATION)}
        return replace(self, id=id, name=name or id, sources=sources, **cast(Any, choices))


OVERRIDABLE: tuple[str, ...] = tuple(name for name, choice in CHOICES.items() if not choice.fixed)


def _check_choice(choice: Choice, value: object) -> None:
    """Raise `BadRuleSet` unless the engine knows this value."""
    if isinstance(choice.default, int):
        share = 2 if choice.name == "discs_doubles" else 1  # a player shoots half a side's discs
        low, high = FEWEST_DISCS // share, MOST_DISCS // share
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise BadRuleSet(f"{value!r} is no whole number from {low} to {high}", choice.name)
    elif isinstance(choice.default, tuple):
        if not isinstance(value, tuple) or any(group not in GROUPS for group in value):
            raise BadRuleSet(f"{value!r} is no list of {', '.join(GROUPS)}", choice.name)
    elif value not in choice.values:
        raise BadRuleSet(f"{value!r} is not known; there are {', '.join(choice.values)}", choice.name)
