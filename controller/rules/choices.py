"""The choices of a rule set: their values, and the default where a source is silent. Their texts are in `texts`.

A club can override a choice with several values. One with a single value is listed so that the page can name its
sources."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Annotated, Literal, NamedTuple, get_args

from pydantic import ConfigDict, Field, Strict

from controller.rules.formats import Format

Group = Literal["shot_disc", "own_hit", "own_moved", "own_sunk"]
OpenBoard = Literal["shot_disc", "own_disc", "free", "hole"]
FifteenLine = Literal["touching", "inside"]
NextGame = Literal["left", "alternate"]
Players = Literal["singles", "doubles", "each"]
FEWEST_DISCS, MOST_DISCS = 6, 12  # a side: "6 to 12, the organiser chooses" (Polish tournament rules)


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """Every choice of a rule set, with what club players expect where a source is silent. A choice with a single value
    is the same in every rule set."""

    __pydantic_config__ = ConfigDict(extra="forbid")
    discs: Annotated[int, Strict(), Field(ge=FEWEST_DISCS, le=MOST_DISCS)] = 12
    discs_doubles: Annotated[int, Strict(), Field(ge=FEWEST_DISCS // 2, le=MOST_DISCS // 2)] = 6  # a partner's
    first_starter: Literal["random", "guess", "chance_or_organiser"] = "random"
    order: Literal["clockwise"] = "clockwise"
    next_starter: Literal["left"] = "left"
    next_game: NextGame = "left"
    opponent_contact: Literal["any_chain"] = "any_chain"
    foul_removes: tuple[Group, ...] = ("shot_disc", "own_hit", "own_sunk")
    open_board: OpenBoard = "own_disc"
    open_failure_removes: tuple[Group, ...] = ("shot_disc", "own_hit", "own_sunk")
    fifteen_line: FifteenLine = "touching"
    outer_line: Literal["out"] = "out"
    crossed_line: Literal["stays"] = "stays"
    returned: Literal["removed"] = "removed"
    leaning: Literal["in_play"] = "in_play"
    edge: Literal["in_play"] = "in_play"
    opponent_sunk: Literal["owner"] = "owner"
    twenties: Literal["banked"] = "banked"
    ring_line: Literal["lower"] = "lower"
    time_out: Literal["one_more"] = "one_more"
    placing: Literal["half_over", "while_touching", "over_quadrant", "both_lines"] = "half_over"
    not_before: Literal["turn", "still_and_turn"] = "still_and_turn"
    manners: Literal["one_cheek", "cheek_flick_hands", "cheek_hand", "cheek_feet_hand", "hands", "cheek_finger"] = (
        "one_cheek"
    )
    conduct: Literal["not_said", "foul"] = "not_said"


BY_PEOPLE = ("first_starter", "placing", "not_before", "manners", "conduct")
"""Rules whose breach the table can't see: only people can call it."""


class RuleChoice(NamedTuple):
    """One choice, as `Choices` defines it."""

    name: str
    default: object
    values: tuple[str, ...]  # empty for numbers and for what a foul removes
    people: bool


CHOICES: dict[str, RuleChoice] = {
    one.name: RuleChoice(
        one.name, one.default, get_args(one.type) if isinstance(one.default, str) else (), one.name in BY_PEOPLE
    )
    for one in fields(Choices)
}
SILENT = "not said; what club players expect"
BY_CONFIGURATION = "chosen in the configuration"


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSet(Choices):
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
    sources: Mapping[str, str] = field(default_factory=dict)
    base: str | None = None  # the built-in rule set that this one overrides

    @property
    def practice(self) -> bool:
        """Whether it is for one player alone; all others are for two sides or more."""
        return self.formats[0].practice

    @property
    def hole_decides(self) -> bool:
        """Whether only a twenty is valid on an open board. People then take off every disc at the hole, so its removal
        is no evidence of a twenty."""
        return self.open_board == "hole"

    def source(self, choice: str) -> str:
        return self.sources.get(choice, SILENT)

    def discs_a_side(self, players: Players, sides: int = 2) -> int:
        """The usual number of discs per side and round. Players each for themselves share 24 discs evenly."""
        if players == "doubles":
            return 2 * self.discs_doubles
        return self.discs if players == "singles" else 2 * MOST_DISCS // sides


OVERRIDABLE: tuple[str, ...] = tuple(name for name, choice in CHOICES.items() if len(choice.values) != 1)
