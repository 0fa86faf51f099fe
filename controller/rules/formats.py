"""Match formats: first to N points, a number of rounds, a race, or practice; and the tie rules.

>>> Format("points", target=100).award({"A": 60, "B": 35})
{'A': 25, 'B': 0}
>>> Format("rounds", rounds=4).award({"A": 60, "B": 35})
{'A': 2, 'B': 0}
>>> Format("race", target=9).award({"A": 60, "B": 60})
{'A': 1, 'B': 1}
>>> Format("twenties").award({"A": 60})
{'A': 3}
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, cast, get_args

from pydantic import ConfigDict, SkipValidation

from controller.rules.errors import BadFormat

Kind = Literal["points", "rounds", "race", "twenties", "series"]
Tie = Literal["stands", "round", "twenties", "shoot_out"]
KINDS: tuple[Kind, ...] = get_args(Kind)
PRACTICE_KINDS: tuple[Kind, ...] = ("twenties", "series")  # for one player alone
TIES: tuple[Tie, ...] = get_args(Tie)
USUAL: Mapping[Kind, Mapping[str, int | Tie]] = {
    "points": {"target": 100, "tie": "round"},
    "rounds": {"rounds": 4, "games": 1, "tie": "stands"},
    "race": {"target": 9, "tie": "round"},
    "twenties": {"rounds": 1, "tie": "stands"},
    "series": {"rounds": 1, "tie": "stands"},
}
"""The members of each kind, with the values that most sources name; a game has four rounds (NCA)."""
TWENTY = 20  # points of a disc in the hole
WIN = 2  # points for winning a round, in `rounds` and `race`
MAX_VALUE = 10_000  # a larger target or number of rounds is treated as a typing error


@dataclass(frozen=True, slots=True)
class MatchOutcome:
    """Whether a match is over, who won (None: nobody, or not yet), and whether a shoot-out has to decide."""

    over: bool
    winner: str | None = None
    shoot_out: bool = False


@dataclass(frozen=True, slots=True)
class Format:
    """How a match is counted. An omitted value is the usual one of the kind.

    - `points`: a round gives the difference of the totals to the higher side; the first to `target` wins.
    - `rounds`: a round gives 2 to its winner, 1 each for a tie; all of `rounds` times `games` are played and
      the higher score wins.
    - `race`: the same 2, 1 and 0; the first to `target` wins.
    - `twenties`, `series`: one player practises for `rounds` rounds; a round gives its twenties, or its total. Nobody
      wins, so there is no tie.

    `tie` decides a match that ends level: it "stands", a further "round" is played until one side leads, the
    "twenties" of the match decide (if they are level too, or not known, the tie stands), or a "shoot_out" of twenties
    does, entered by hand.

    With three or four players each for themselves, `points` gives everyone the total less the lowest total (home
    custom); `rounds` and `race` give 2 to the highest and 1 to the second, 1 each when several are highest, and
    nothing for a shared second place (a board maker's rulebook, three-player game)."""

    __pydantic_config__ = ConfigDict(extra="forbid", strict=False)
    kind: SkipValidation[Kind]  # all are checked below, in our words
    target: SkipValidation[int | None] = None
    rounds: SkipValidation[int | None] = None
    games: SkipValidation[int | None] = None
    tie: SkipValidation[Tie | None] = None

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise BadFormat(f"{self.kind!r} is not a format; there are {_listed(KINDS)}", "kind")
        for name in ("target", "rounds", "games", "tie"):
            value = getattr(self, name)
            if value is None:
                object.__setattr__(self, name, USUAL[self.kind].get(name))
            elif name not in USUAL[self.kind]:
                raise BadFormat(f"the format {self.kind} has no {name}", name)
            elif name != "tie" and (type(value) is not int or not 1 <= value <= MAX_VALUE):
                raise BadFormat(f"{value!r} is not a whole number from 1 to {MAX_VALUE}", name)
        if self.tie not in TIES:
            raise BadFormat(f"{self.tie!r} is not a tie rule; there are {_listed(TIES)}", "tie")
        if self.practice and self.tie != "stands":
            raise BadFormat(f"the format {self.kind} is for one player alone and has no tie", "tie")

    @property
    def practice(self) -> bool:
        return self.kind in PRACTICE_KINDS

    @property
    def all_rounds(self) -> int | None:
        """The number of rounds without tie-breaks; None if the match goes to a target."""
        return None if self.rounds is None else self.rounds * (self.games or 1)

    def begins_game(self, number: int) -> bool:
        """Whether this round (from 1) opens another game of the match.

        >>> [n for n in range(1, 14) if Format("rounds", rounds=4, games=3).begins_game(n)]
        [5, 9]
        """
        if self.rounds is None or self.all_rounds is None:
            return False
        return 1 < number <= self.all_rounds and (number - 1) % self.rounds == 0

    def award(self, totals: Mapping[str, int]) -> dict[str, int]:
        """Each side's points for a finished round, from the totals."""
        if self.practice:
            return {side: total // TWENTY if self.kind == "twenties" else total for side, total in totals.items()}
        if self.kind == "points":
            lowest = min(totals.values())
            return {side: total - lowest for side, total in totals.items()}
        leaders = _leaders(list(totals), totals)
        given = dict.fromkeys(totals, 0)
        if len(leaders) > 1:
            return given | dict.fromkeys(leaders, 1)
        others = [side for side in totals if side not in leaders]
        second = _leaders(others, totals) if len(others) > 1 else []
        if len(second) == 1:
            given[second[0]] = 1
        return given | {leaders[0]: WIN}

    def max_award(self, highest_total: int) -> int:
        """The most points that a round can give, if no total exceeds `highest_total`."""
        if self.kind == "twenties":
            return highest_total // TWENTY
        return highest_total if self.kind in ("points", "series") else WIN

    def outcome(
        self,
        score: Mapping[str, int],
        finished: int,
        twenties: Mapping[str, int | None],
        shoot_outs: Sequence[Mapping[str, int]] = (),
    ) -> MatchOutcome:
        """Whether the match is over after `finished` rounds, and who won it. `twenties`: None where not known."""
        best = max(score.values())
        at_end = finished >= self.all_rounds if self.all_rounds is not None else best >= cast(int, self.target)
        if not at_end or not finished:
            return MatchOutcome(over=False)
        leaders = _leaders(list(score), score)
        if self.practice:
            return MatchOutcome(over=True)
        if len(leaders) == 1:
            return MatchOutcome(over=True, winner=leaders[0])
        match self.tie:
            case "round":
                return MatchOutcome(over=False)
            case "stands":
                return MatchOutcome(over=True)
            case "twenties":
                return MatchOutcome(over=True, winner=_most(leaders, twenties))
        for shots in shoot_outs:
            leaders = _leaders(leaders, shots)
            if len(leaders) == 1:
                return MatchOutcome(over=True, winner=leaders[0])
        return MatchOutcome(over=False, shoot_out=True)


def _leaders(sides: Sequence[str], figures: Mapping[str, int]) -> list[str]:
    best = max(figures[side] for side in sides)
    return [side for side in sides if figures[side] == best]


def _most(sides: Sequence[str], twenties: Mapping[str, int | None]) -> str | None:
    """The side with the most twenties; None if several have as many, or if they are not known of all."""
    known = {side: count for side in sides if (count := twenties[side]) is not None}
    most = _leaders(sides, known) if len(known) == len(sides) else sides
    return most[0] if len(most) == 1 else None


def _listed(words: Sequence[str]) -> str:
    return ", ".join(words[:-1]) + " and " + words[-1]
