"""What a rule set chooses: each choice, its values, and what holds when a source is silent. Words are in `texts`.

A choice with several `values` can be overridden by a club; one with a single value is the same for every rule set
and stands here so that the page can name its sources. A `people` choice is a reminder of a rule that the table
can't see broken: only people can call it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Literal, cast, get_args

from controller.rules.errors import BadRuleSet
from controller.rules.formats import Format

Group = Literal["shot_disc", "own_hit", "own_moved", "own_sunk"]
OpenBoard = Literal["shot_disc", "own_disc", "free", "hole"]
FifteenLine = Literal["touching", "inside"]
NextGame = Literal["left", "alternate"]
Players = Literal["singles", "doubles", "each"]

FEWEST_DISCS, MOST_DISCS = 6, 12  # a side: "6 to 12, the organiser chooses" (Polish tournament rules)

GROUPS: tuple[Group, ...] = get_args(Group)


@dataclass(frozen=True, slots=True)
class Choice:
    """One choice. `default` is what club players expect where a source is silent; its words are in `texts`."""

    name: str
    default: object
    values: tuple[str, ...] = ()  # none for numbers and for what a foul removes
    people: bool = False

    @property
    def fixed(self) -> bool:
        """Whether every rule set has the same value."""
        return len(self.values) == 1


def _same_for_all(name: str, value: str) -> Choice:
    return Choice(name, value, (value,))


_ALL = (
    Choice("discs", 12),
    Choice("discs_doubles", 6),
    Choice("first_starter", "random", ("random", "guess", "chance_or_organiser"), people=True),
    _same_for_all("order", "clockwise"),
    _same_for_all("next_starter", "left"),
    Choice("next_game", "left", get_args(NextGame)),
    _same_for_all("opponent_contact", "any_chain"),
    Choice("foul_removes", ("shot_disc", "own_hit", "own_sunk")),
    Choice("open_board", "own_disc", get_args(OpenBoard)),
    Choice("open_failure_removes", ("shot_disc", "own_hit", "own_sunk")),
    Choice("fifteen_line", "touching", get_args(FifteenLine)),
    _same_for_all("outer_line", "out"),
    _same_for_all("crossed_line", "stays"),
    _same_for_all("returned", "removed"),
    _same_for_all("leaning", "in_play"),
    _same_for_all("edge", "in_play"),
    _same_for_all("opponent_sunk", "owner"),
    _same_for_all("twenties", "banked"),
    _same_for_all("ring_line", "lower"),
    _same_for_all("time_out", "one_more"),
    Choice("placing", "half_over", ("half_over", "while_touching", "over_quadrant", "both_lines"), people=True),
    Choice("not_before", "still_and_turn", ("turn", "still_and_turn"), people=True),
    Choice(
        "manners",
        "one_cheek",
        ("one_cheek", "cheek_flick_hands", "cheek_hand", "cheek_feet_hand", "hands", "cheek_finger"),
        people=True,
    ),
    Choice("conduct", "not_said", ("not_said", "foul"), people=True),
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
    next_game: NextGame = "left"
    foul_removes: tuple[Group, ...] = ("shot_disc", "own_hit", "own_sunk")
    open_board: OpenBoard = "own_disc"
    open_failure_removes: tuple[Group, ...] = ("shot_disc", "own_hit", "own_sunk")
    fifteen_line: FifteenLine = "touching"
    placing: str = "half_over"
    not_before: str = "still_and_turn"
    manners: str = "one_cheek"
    conduct: str = "not_said"
    sources: Mapping[str, str] = field(default_factory=dict)
    base: str | None = None  # the table's rule set that this one overrides
    practice: bool = False  # for one player alone; every other rule set is for two sides or more

    def __post_init__(self) -> None:
        object.__setattr__(self, "sources", MappingProxyType(dict(self.sources)))
        for name in OVERRIDABLE:
            _check_choice(CHOICES[name], getattr(self, name))

    @property
    def hole_decides(self) -> bool:
        """Whether on an open board a twenty alone is valid.

        A disc at the hole is then taken off whatever it was, so that people take it off tells nothing.
        """
        return self.open_board == "hole"

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
                raise BadRuleSet(f"is {self.value(choice)!r} for every rule set", choice)
            if isinstance(value, list):
                choices[choice] = tuple(value)
        sources = {**self.sources, **dict.fromkeys(choices, BY_CONFIGURATION)}
        return replace(self, id=id, name=name or id, base=self.base or self.id, sources=sources, **cast(Any, choices))


OVERRIDABLE: tuple[str, ...] = tuple(name for name, choice in CHOICES.items() if not choice.fixed)


def disc_range(choice: Choice) -> tuple[int, int]:
    """The fewest and the most discs; a player of two shoots half a side's."""
    share = 2 if choice.name == "discs_doubles" else 1
    return FEWEST_DISCS // share, MOST_DISCS // share


def _check_choice(choice: Choice, value: object) -> None:
    """Raise `BadRuleSet` unless the engine knows this value."""
    if isinstance(choice.default, int):
        low, high = disc_range(choice)
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise BadRuleSet(f"{value!r} is no whole number from {low} to {high}", choice.name)
    elif isinstance(choice.default, tuple):
        if not isinstance(value, tuple) or any(group not in GROUPS for group in value):
            raise BadRuleSet(f"{value!r} is no list of {', '.join(GROUPS)}", choice.name)
    elif value not in choice.values:
        raise BadRuleSet(f"{value!r} is not known; there are {', '.join(choice.values)}", choice.name)
