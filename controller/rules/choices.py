"""The choices of a rule set: their values, and the default where a source is silent. Their texts are in `texts`.

A club can override a choice with several `values`. A choice with a single value is the same in every rule set; it is
listed so that the page can name its sources. A `people` choice is a rule whose breach the table can't see: only people
can call it."""

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
class RuleChoice:
    """One choice. `default`: what club players expect where a source is silent."""

    name: str
    default: object
    values: tuple[str, ...] = ()  # empty for numbers and for what a foul removes
    people: bool = False

    @property
    def fixed(self) -> bool:
        """Whether every rule set has the same value."""
        return len(self.values) == 1


def _fixed(name: str, value: str) -> RuleChoice:
    return RuleChoice(name, value, (value,))


_ALL = (
    RuleChoice("discs", 12),
    RuleChoice("discs_doubles", 6),
    RuleChoice("first_starter", "random", ("random", "guess", "chance_or_organiser"), people=True),
    _fixed("order", "clockwise"),
    _fixed("next_starter", "left"),
    RuleChoice("next_game", "left", get_args(NextGame)),
    _fixed("opponent_contact", "any_chain"),
    RuleChoice("foul_removes", ("shot_disc", "own_hit", "own_sunk")),
    RuleChoice("open_board", "own_disc", get_args(OpenBoard)),
    RuleChoice("open_failure_removes", ("shot_disc", "own_hit", "own_sunk")),
    RuleChoice("fifteen_line", "touching", get_args(FifteenLine)),
    _fixed("outer_line", "out"),
    _fixed("crossed_line", "stays"),
    _fixed("returned", "removed"),
    _fixed("leaning", "in_play"),
    _fixed("edge", "in_play"),
    _fixed("opponent_sunk", "owner"),
    _fixed("twenties", "banked"),
    _fixed("ring_line", "lower"),
    _fixed("time_out", "one_more"),
    RuleChoice("placing", "half_over", ("half_over", "while_touching", "over_quadrant", "both_lines"), people=True),
    RuleChoice("not_before", "still_and_turn", ("turn", "still_and_turn"), people=True),
    RuleChoice(
        "manners",
        "one_cheek",
        ("one_cheek", "cheek_flick_hands", "cheek_hand", "cheek_feet_hand", "hands", "cheek_finger"),
        people=True,
    ),
    RuleChoice("conduct", "not_said", ("not_said", "foul"), people=True),
)

CHOICES: dict[str, RuleChoice] = {choice.name: choice for choice in _ALL}
SILENT = "not said; what club players expect"
BY_CONFIGURATION = "chosen in the configuration"


@dataclass(frozen=True, slots=True)
class RuleSet:
    """One rule set: the value and source of every choice.

    `formats` are those that the source names, the usual one first. `sources`: what the source says, by choice; a choice
    without a source has the default.

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
    base: str | None = None  # the built-in rule set that this one overrides
    practice: bool = False  # for one player alone; all others are for two sides or more

    def __post_init__(self) -> None:
        object.__setattr__(self, "sources", MappingProxyType(dict(self.sources)))
        for name in OVERRIDABLE:
            _check_choice(CHOICES[name], getattr(self, name))

    @property
    def hole_decides(self) -> bool:
        """Whether only a twenty is valid on an open board. People then take off every disc at the hole, so its removal
        is no evidence of a twenty."""
        return self.open_board == "hole"

    def value(self, choice: str) -> object:
        """The value of any choice, fixed ones included."""
        return CHOICES[choice].default if CHOICES[choice].fixed else getattr(self, choice)

    def source(self, choice: str) -> str:
        return self.sources.get(choice, SILENT)

    def discs_a_side(self, players: Players, sides: int = 2) -> int:
        """The usual number of discs per side and round. Players each for themselves share 24 discs evenly."""
        if players == "doubles":
            return 2 * self.discs_doubles
        return self.discs if players == "singles" else 2 * MOST_DISCS // sides

    def override(self, id: str, name: str | None = None, **choices: object) -> "RuleSet":
        """A copy with some choices overridden, under its own id. Raises `BadRuleSet`.

        >>> from controller.rules import rule_set
        >>> rule_set("club-100").override("our-club", open_board="free", discs=10).open_board
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


def disc_range(choice: RuleChoice) -> tuple[int, int]:
    """The smallest and largest number of discs; a partner in doubles shoots half of a side's."""
    share = 2 if choice.name == "discs_doubles" else 1
    return FEWEST_DISCS // share, MOST_DISCS // share


def _check_choice(choice: RuleChoice, value: object) -> None:
    """Raise `BadRuleSet` unless the engine knows this value."""
    if isinstance(choice.default, int):
        low, high = disc_range(choice)
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise BadRuleSet(f"{value!r} is not a whole number from {low} to {high}", choice.name)
    elif isinstance(choice.default, tuple):
        if not isinstance(value, tuple) or any(group not in GROUPS for group in value):
            raise BadRuleSet(f"{value!r} is not a list of {', '.join(GROUPS)}", choice.name)
    elif value not in choice.values:
        raise BadRuleSet(f"{value!r} is not known; there are {', '.join(choice.values)}", choice.name)
