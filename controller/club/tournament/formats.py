"""Defines a match's length and its points in the standings, and what every kind of stage has in a format.

A *round* of this room is a round of the tournament, in which everybody plays once; those of a game are `Play.rounds`.

>>> NCA.full, Play("points", target=100).full, Play("points", target=100, counts="wins").full
(8, 100, 2)
>>> str(NCA.trouble((5, 4)))
"5 – 4 can't be a result of this match: the points must add up to 8."
"""

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

from pydantic import ConfigDict, Field, GetCoreSchemaHandler
from pydantic_core import core_schema

from controller.messages import Message, marked, say

TIE_BREAKS = {
    # 2, 1 or 0 a round, so 8 a game: NCA; WCC pools since 1999 (CrokinoleCentre 2012, 2014, 2019)
    "points": marked("Points"),
    # 2 for a match won, 1 for a tie: scorekinole, TIEBREAKER.md, WINS mode
    "wins": marked("Match points"),
    # second criterion of the WCC since 1999 (CrokinoleCentre 2012, 2014, 2019), of croki.nl and of Denver
    "twenties": marked("Twenties"),
    # the points from the matches among the tied, if all of them have met: WCC doubles final pool 2014
    # (CrokinoleCentre); FIDE C.07, direct encounter; scorekinole's mini-league
    "head_to_head": marked("Head to head"),
    # scorekinole, TIEBREAKER.md, mini-league
    "head_to_head_twenties": marked("Twenties head to head"),
    # croki.nl's organiser (milofarmer/scoring-crokinole)
    "head_to_head_for_first": marked("Head to head for first place"),
    # the points of all opponents, a bye adds nothing: FIDE C.07, Buchholz; a bye as in scorekinole, TIEBREAKER.md
    "buchholz": marked("Opponents' points"),
    # 12 open shots each for the last place that qualifies: WCC 2014 (CrokinoleCentre)
    "shoot_out": marked("Shoot-out"),
}
"""By name, the title of its column."""

WCC_POOLS = ("points", "twenties", "shoot_out")
"""WCC pool and preliminary play, since 1999; the shoot-out for equal points and twenties: CrokinoleCentre 2014."""
WCC_FINAL_POOL = ("points", "head_to_head", "twenties", "shoot_out")  # WCC doubles final pool 2014 (CrokinoleCentre)
CROKI_NL = ("points", "twenties", "head_to_head_for_first", "shoot_out")  # milofarmer/scoring-crokinole
SWISS = ("points", "twenties", "buchholz", "head_to_head", "shoot_out")  # scorekinole, TIEBREAKER.md: Swiss by points
WINS_FIRST = ("wins", "head_to_head", "head_to_head_twenties", "twenties", "points", "buchholz", "shoot_out")
"""scorekinole, TIEBREAKER.md: round robin by match points."""
RANKINGS = (WCC_POOLS, SWISS, CROKI_NL, WCC_FINAL_POOL, WINS_FIRST)  # to choose from, all of them in use somewhere


PlayKind = Literal["rounds", "race", "points", "best_of"]
Counts = Literal["points", "wins"]
STRICT = ConfigDict(extra="forbid", strict=True)  # of all that the log stores
Figure = Annotated[int, Field(ge=0)]
SideNumber = Annotated[int, Field(ge=0, le=1)]
Figures = tuple[Figure, Figure]  # one number for each side of a match, in the order of its sides
ROUND = 2  # points of a round, shared: 2, 1 or 0 each (NCA and WCC)
WIN, TIE = 2, 1  # match points (scorekinole, WINS mode)
MOST = 1_000  # of rounds, games, meetings, targets and points: a larger number is taken for a typing error
Count = Annotated[int, Field(ge=1, le=MOST)]
Advancing = Annotated[int, Field(ge=2, le=MOST)] | None  # how many advance to a stage; None: all
Criterion = Annotated[str, Field(pattern=f"^({'|'.join(TIE_BREAKS)})$")]


@dataclass(frozen=True, slots=True)
class Play:
    """How one match is played and scored.

    - `rounds`: `rounds` times `games` are played, each with 2 points to share (NCA and WCC: 4 rounds, 8 points).
    - `race`: rounds of 2 points until a side has `target`.
    - `points`: differences of totals until a side has `target`.
    - `best_of`: the figures are games won, of at most `games`.

    In the standings a match `counts` its "points", or 2, 1 and 0 for the match as a whole ("wins"). `bye`: the points
    of a bye, as for a match won and without twenties; None: the mean of what the matches of that round gave."""

    kind: PlayKind = "rounds"
    rounds: Count = 4
    games: Count = 1
    target: Count = 100
    counts: Counts = "points"
    bye: Annotated[int, Field(ge=0, le=MOST)] | None = None

    @property
    def full(self) -> int:
        """The points of a walkover in the standings: those of a match won without losing any."""
        if self.counts == "wins":
            return WIN
        if self.kind in ("race", "points"):
            return self.target
        return self.sum or self.games // 2 + 1

    @property
    def sum(self) -> int | None:
        """The sum of both sides' points; None if it is not fixed."""
        return ROUND * self.rounds * self.games if self.kind == "rounds" else None

    def trouble(self, points: Figures, short: bool = False) -> Message | None:
        """Why a match can't end with these figures; None if it can. `short`: the match was cut short. More than the
        usual total is possible: another round decides a tie in a play-off (WCC at 4-4), as in 6 – 4."""
        low, high, total = min(points), max(points), sum(points)
        a, b = points
        if (usual := self.sum) is not None:
            if not _fills_rounds(low, high, usual, short):
                return say(
                    "{a} – {b} can't be a result of this match: the points must add up to {total}.",
                    a=a,
                    b=b,
                    total=usual,
                )
        elif self.kind == "best_of":
            most = self.games // 2 + 1
            if high > most or total > self.games or (high < most and total < self.games and not short):
                return say("{a} – {b} can't be a result: the match ends with {most} games won.", a=a, b=b, most=most)
        elif high < self.target and not short:
            return say("{a} – {b} can't be a result: nobody has {target}.", a=a, b=b, target=self.target)
        return None


def _fills_rounds(low: int, high: int, usual: int, short: bool) -> bool:
    """Whether whole rounds can give these points; `usual`: the total of all rounds of the match.

    | sum of the points | possible |
    |---|---|
    | `usual` | always |
    | more | if further rounds decided a tie: each side has half of `usual`, and one of them more |
    | less | in a match that was cut short |
    """
    total = low + high
    if total == usual:
        return True
    if total % ROUND:
        return False
    return low >= usual // 2 and high > low if total > usual else short


def in_form(label: str, **words: str) -> dict[str, Any]:
    """The metadata of a stage's field: its label in the organiser's form, and the words for each value of a choice."""
    return {"label": Message(label), "words": [(value, Message(text)) for value, text in words.items()]}


def _played(kind: PlayKind, title: str, **fields: tuple[str, int]) -> dict[str, Any]:
    """A kind of match in the organiser's form; `fields`: the label and the usual value of each."""
    own = [{"name": name, "usual": usual, **in_form(label)} for name, (label, usual) in fields.items()]
    return {"type": kind, "title": Message(title), "fields": own}


ROUNDS, TARGET = (marked("Rounds of a game"), 4), marked("Target")
GAMES, MOST_GAMES = marked("Games of a match"), marked("Games at most")
PLAYS = (
    _played("rounds", marked("a number of rounds, 2 points each"), rounds=ROUNDS, games=(GAMES, 1)),
    _played("race", marked("rounds of 2 points to a target"), target=(TARGET, 9)),
    _played("points", marked("differences of totals to a target"), target=(TARGET, 100)),
    _played("best_of", marked("best of a number of games"), games=(MOST_GAMES, 3), rounds=ROUNDS),
)
"""Every kind of `Play` with its fields."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StageFormat:
    """A stage of a format: its kind, and the choices of that kind. How it is drawn and ranked: `stages.StageKind`."""

    __pydantic_config__ = STRICT
    kinds: ClassVar[dict[str, type[Any]]] = {}  # by the name of the class
    title: ClassVar[str]
    entrants: Advancing = None
    play: Play | None = None
    knock_out: ClassVar[bool] = False  # whether the loser is out: every match needs a winner, and nobody joins late
    continuous: ClassVar[bool] = False  # whether matches are paired one by one until the organiser ends the stage
    byes_score: ClassVar[bool] = False  # whether a bye gives points
    on_boards: ClassVar[bool] = False  # whether pairs belong on the boards in their order, as the tables of a ladder do
    shoot_outs: ClassVar[bool] = True  # whether a shoot-out separates entrants who share a place

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        """Any kind, by its `type`, which stands in documents although it is a default."""
        if cls is not StageFormat:
            return handler(source)
        named = core_schema.wrap_serializer_function_ser_schema(
            lambda stage, members: {"type": stage.type, **members(stage)}
        )
        kinds = {kind().type: handler.generate_schema(kind) for kind in cls.kinds.values()}
        return core_schema.tagged_union_schema(kinds, "type", serialization=named)


NCA = Play()  # games of four rounds, 2, 1 or 0 points a round (NCA rules; WCC)


@dataclass(frozen=True, slots=True)
class TournamentFormat:
    """A tournament: its stages in order, how matches are played unless a stage differs, and the ranking. A stage's
    `entrants`: how many advance to it from the stage before, the best first; None for all. With several pools the
    winners of all pools advance before any runner-up."""

    stages: Annotated[tuple[StageFormat, ...], Field(min_length=1)]
    play: Play = NCA
    ranking: Annotated[tuple[Criterion, ...], Field(min_length=1)] = WCC_POOLS

    def play_of(self, stage: int) -> Play:
        return self.stages[stage].play or self.play
