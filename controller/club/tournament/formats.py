"""Formats as data: what one match is, what it gives in the standings, and the stages of a tournament.

A *round* of this room is a round of the tournament, in which everybody plays once; those of a game are `Play.rounds`.

>>> NCA.full, NCA.award((5, 3)), TO_100.award((100, 65))
(8, (5, 3), (2, 0))
>>> str(NCA.trouble((5, 4)))
'5 – 4 is no result of this match: the points must add up to 8.'
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, get_args

from controller.club.tournament.errors import BadFormat, Message, say
from controller.club.tournament.tie_breaks import CROKI_NL, SWISS, TIE_BREAKS, WCC_POOLS, unknown

PlayKind = Literal["rounds", "race", "points", "best_of"]
Counts = Literal["points", "wins"]
Within = Literal["halves", "neighbours"]
Rematches = Literal["never", "last_resort"]
Figures = tuple[int, int]
"""One number for each side of a match, in the order of its sides."""

ROUND = 2  # points of a round, shared: 2, 1 or 0 each (NCA and WCC)
WIN, TIE = 2, 1  # match points (scorekinole, WINS mode)
MOST = 1_000  # of rounds, games, meetings, targets and points: a larger number is taken for a typing error


def _number(name: str, value: int | None, least: int = 1) -> None:
    if value is not None and (isinstance(value, bool) or not least <= value <= MOST):
        raise BadFormat(
            say(
                "{name} can't be {value}: enter a whole number from {low} to {high}.",
                name=name,
                value=value,
                low=least,
                high=MOST,
            )
        )


def _one_of(name: str, value: object, known: object) -> None:
    values = get_args(known)
    if value not in values:
        raise BadFormat(say("{name} can't be {value}: choose {choices}.", name=name, value=str(value), choices=values))


@dataclass(frozen=True, slots=True)
class Play:
    """What one match is, and what it gives.

    - `rounds`: `rounds` times `games` are played and their points, 2 a round, shared (NCA and WCC: 4 rounds, 8 points).
    - `race`: rounds of 2 points until a side has `target`.
    - `points`: differences of totals until a side has `target`.
    - `best_of`: the figures are games won, of at most `games`.

    In the standings `counts` says whether a match gives its "points", or 2, 1 and 0 for the match as a whole ("wins").
    `bye` is what a bye or a walkover gives; else all that a match can give (scorekinole: a bye is 8 to 0).
    """

    kind: PlayKind = "rounds"
    rounds: int = 4
    games: int = 1
    target: int = 100
    counts: Counts = "points"
    bye: int | None = None

    def __post_init__(self) -> None:
        _one_of("kind", self.kind, PlayKind)
        _one_of("counts", self.counts, Counts)
        for name in ("rounds", "games", "target"):
            _number(name, getattr(self, name))
        _number("bye", self.bye, 0)
        if self.counts == "points" and self.kind in ("race", "points") and self.bye is None:
            raise BadFormat(say("A match to a target has no fixed number of points: say what a bye gives."))

    @property
    def full(self) -> int:
        """What a bye or a walkover gives in the standings."""
        if self.bye is not None:
            return self.bye
        if self.counts == "wins":
            return WIN
        return self.games // 2 + 1 if self.kind == "best_of" else ROUND * self.rounds * self.games

    @property
    def sum(self) -> int | None:
        """What the points of both sides add up to; None where that is not fixed."""
        return ROUND * self.rounds * self.games if self.kind == "rounds" else None

    def award(self, points: Figures, winner: int | None = None) -> Figures:
        """What a finished match gives to both sides in the standings."""
        if self.counts == "points":
            return points
        a, b = points
        if winner is None and a != b:
            winner = 0 if a > b else 1
        return (TIE, TIE) if winner is None else ((WIN, 0) if winner == 0 else (0, WIN))

    def trouble(self, points: Figures, short: bool = False) -> Message | None:
        """Why no match ends with these figures; None when one can. A match cut `short` ends before its end.

        More than the usual total is possible: a round decides a tie in a play-off (WCC at 4-4), so 6 – 4 is one.
        """
        low, high, total = min(points), max(points), sum(points)
        a, b = points
        if low < 0:
            return say("{a} – {b} is no result: points are never negative.", a=a, b=b)
        if self.kind == "rounds":
            usual = ROUND * self.rounds * self.games
            if not _fills_rounds(low, high, usual, short):
                return say(
                    "{a} – {b} is no result of this match: the points must add up to {total}.", a=a, b=b, total=usual
                )
        elif self.kind == "best_of":
            most = self.games // 2 + 1
            if high > most or total > self.games or (high < most and total < self.games and not short):
                return say("{a} – {b} is no result: the match ends with {most} games won.", a=a, b=b, most=most)
        elif high < self.target and not short:
            return say("{a} – {b} is no result: nobody has {target}.", a=a, b=b, target=self.target)
        return None


def _fills_rounds(low: int, high: int, usual: int, short: bool) -> bool:
    """Whether whole rounds give these points; `usual` is what all rounds of the match give together.

    | sum of the points | possible |
    |---|---|
    | `usual` | always |
    | more | where further rounds decided a tie: each side has half of `usual`, and one of them more |
    | less | in a match that was cut short |
    """
    total = low + high
    if total == usual:
        return True
    if total % ROUND:
        return False
    return low >= usual // 2 and high > low if total > usual else short


class _Stage:
    """What all stages check."""

    __slots__ = ()
    entrants: int | None

    def __post_init__(self) -> None:
        for name in ("pools", "meetings", "rounds"):
            _number(name, getattr(self, name, None))
        _number("entrants", self.entrants, 2)


@dataclass(frozen=True, slots=True)
class RoundRobin(_Stage):
    """Everybody meets everybody in the pool, `meetings` times, in the order of the Berger tables.

    `rounds` ends it early (WCC singles 1999-2023: ten games against opponents by lot, as a preliminary). What
    counts of an entrant who leaves, `ranking.leavers` says.
    """

    pools: int = 1
    meetings: int = 1
    rounds: int | None = None
    entrants: int | None = None
    play: Play | None = None


@dataclass(frozen=True, slots=True)
class Swiss(_Stage):
    """Everybody meets opponents with about as many points, and nobody twice. With an odd number one has a bye.

    `within` a group of equal points the upper half meets the lower half (FIDE Handbook C.04.3, Dutch System), or
    neighbours in the standings meet (Monrad). Where not everybody can be paired without a second meeting, `rematches`
    decides: "last_resort" draws one, "never" refuses the draw. A late arrival has no points for the rounds before.
    """

    rounds: int = 5
    within: Within = "halves"
    rematches: Rematches = "never"
    entrants: int | None = None
    play: Play | None = None

    def __post_init__(self) -> None:
        _Stage.__post_init__(self)
        _one_of("within", self.within, Within)
        _one_of("rematches", self.rematches, Rematches)


@dataclass(frozen=True, slots=True)
class Playoffs(_Stage):
    """Who loses is out. The first seed meets the last, byes go to the first seeds, and in the first round those of
    one pool are kept `apart` where possible."""

    third_place: bool = True
    apart: bool = True
    entrants: int | None = None
    play: Play | None = None


@dataclass(frozen=True, slots=True)
class Ladder(_Stage):
    """The tables stand in an order: the winner moves up a table, the loser down, for so many `rounds`.

    A level match leaves both in the order that they came in.
    """

    rounds: int | None = None
    entrants: int | None = None
    play: Play | None = None


@dataclass(frozen=True, slots=True)
class OpenNight(_Stage):
    """Whoever is free plays whoever is free and of like strength; whoever has waited longest goes first."""

    entrants: int | None = None
    play: Play | None = None


StageFormat = RoundRobin | Swiss | Playoffs | Ladder | OpenNight

NCA = Play()
"""Games of four rounds, 2, 1 or 0 points a round (NCA rules; WCC)."""

TO_100 = Play("points", target=100, counts="wins")
"""Club rules: to 100 points; the match counts."""


@dataclass(frozen=True, slots=True)
class Format:
    """A tournament: its stages one after another, what a match is unless a stage says otherwise, and the ranking.

    A stage's `entrants` is how many of the stage before go on to it, the best first; None for all. With several
    pools the first of each pool go before all the seconds.
    """

    stages: tuple[StageFormat, ...]
    play: Play = NCA
    ranking: tuple[str, ...] = WCC_POOLS
    name: str = ""

    def __post_init__(self) -> None:
        if not self.stages:
            raise BadFormat(say("A format needs at least one stage."))
        wrong = unknown(self.ranking)
        if wrong or not self.ranking:
            raise BadFormat(
                say("There is no criterion {name}; choose among {choices}.", name=wrong, choices=tuple(TIE_BREAKS))
            )

    def play_of(self, stage: int) -> Play:
        """What a match of a stage is."""
        return self.stages[stage].play or self.play


FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        "round-robin": Format((RoundRobin(),)),
        "pools": Format((RoundRobin(pools=4), Playoffs(entrants=8))),
        "swiss": Format((Swiss(5),), ranking=SWISS),
        "swiss-playoffs": Format((Swiss(4), Playoffs(entrants=8)), ranking=SWISS),  # Denver (argylesock)
        "wcc-singles": Format(  # 1999-2023, semifinals and final best of three (CrokinoleCentre)
            (
                RoundRobin(rounds=10),
                RoundRobin(pools=2, entrants=16),
                Playoffs(entrants=4, play=Play("best_of", games=3)),
            )
        ),
        "croki-nl": Format((Swiss(5, "neighbours"), Playoffs(entrants=8)), ranking=CROKI_NL),
        "ladder": Format((Ladder(),)),
        "open-night": Format((OpenNight(),)),
    }
)
"""Formats to begin with; a club changes what it likes."""
