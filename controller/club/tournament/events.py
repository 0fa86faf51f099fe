"""Everything that can happen to a tournament. An event holds facts: what was drawn, not how it would be drawn today.

Entrants and boards have ids that whoever adds them chooses. Rounds and matches get theirs from the number of the event
that made them: round "7" is the one that event 7 paired, its matches are "7.1", "7.2" and so on. So a match that was
paired again never has the id of the former one.
"""

from dataclasses import dataclass, replace

from controller.club.tournament.formats import Figures, Format


@dataclass(frozen=True, slots=True)
class FormatSet:
    """The format was chosen, or changed for the stages that have not begun and for the rounds still to come."""

    format: Format


@dataclass(frozen=True, slots=True)
class EntrantAdded:
    """An entrant came: one player, or the two of a doubles team. After the first round it is a late arrival.

    `rating` on the scale of Elo, where it is known: it seeds, and keeps an open night in balance.
    """

    entrant: str
    players: tuple[str, ...]
    name: str = ""
    rating: int | None = None


@dataclass(frozen=True, slots=True)
class EntrantRenamed:
    """An entrant's name or players were corrected."""

    entrant: str
    players: tuple[str, ...]
    name: str = ""


@dataclass(frozen=True, slots=True)
class EntrantLeft:
    """An entrant dropped out and is not paired any more."""

    entrant: str


@dataclass(frozen=True, slots=True)
class EntrantReturned:
    """An entrant who had left plays again."""

    entrant: str


@dataclass(frozen=True, slots=True)
class Seeded:
    """The order of the entrants, the first seed first, as a lot or the organiser gave it; who is missing comes last."""

    order: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BoardAdded:
    """A board is there to be played on."""

    board: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class BoardRenamed:
    """A board is called otherwise from now on."""

    board: str
    name: str


@dataclass(frozen=True, slots=True)
class BoardRemoved:
    """A board is not there any more: it was entered by mistake, or somebody took it home."""

    board: str


@dataclass(frozen=True, slots=True)
class BoardBroken:
    """A board can't be played on for now."""

    board: str


@dataclass(frozen=True, slots=True)
class BoardMended:
    """A broken board can be played on again."""

    board: str


@dataclass(frozen=True, slots=True)
class StageBegan:
    """A stage began with these entrants in the order of their seeds, one group for each pool (else one group)."""

    stage: int
    groups: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class StageJoined:
    """A late arrival joined a group of the stage that is on."""

    entrant: str
    group: int = 0


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two who meet: the first named starts. `turn` orders the matches of a board in this round, from 1.

    `group` is the pool; `slot` the place in a play-off bracket: "1.2" is the second match of its first round, "third"
    the match for third place.
    """

    sides: tuple[str, str]
    board: str | None = None
    turn: int = 1
    group: int = 0
    slot: str = ""


@dataclass(frozen=True, slots=True)
class RoundPaired:
    """A round was drawn; `byes` are those who would play and have nobody to play."""

    pairings: tuple[Pairing, ...]
    byes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RoundChanged:
    """Matches of a round were replaced: `cancelled` are their ids; `byes` are all byes of the round from now on."""

    round: str
    cancelled: tuple[str, ...] = ()
    pairings: tuple[Pairing, ...] = ()
    byes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MatchMoved:
    """A match goes to another board, or to none for now."""

    match: str
    board: str | None
    turn: int = 1


@dataclass(frozen=True, slots=True)
class MatchStarted:
    """The first disc of a match was placed, or its players said that they begin."""

    match: str


@dataclass(frozen=True, slots=True)
class Result:
    """How a match ended, for `sides` in this order; they may stand the other way round than in the match.

    `twenties` is None where nobody counted them. `winner` (0 or 1) decides a match that ended level: the shoot-out.
    `short`: the match was ended before its end. `report` names what it comes from, as "table 3, event 41": one report
    counts once, however often it comes.
    """

    match: str
    sides: tuple[str, str]
    points: Figures
    twenties: Figures | None = None
    winner: int | None = None
    short: bool = False
    report: str = ""

    @property
    def swapped(self) -> "Result":
        """The same with its sides the other way round."""
        return replace(
            self,
            sides=(self.sides[1], self.sides[0]),
            points=(self.points[1], self.points[0]),
            twenties=None if self.twenties is None else (self.twenties[1], self.twenties[0]),
            winner=None if self.winner is None else 1 - self.winner,
        )

    def same_result(self, other: "Result") -> bool:
        """Whether both say the same of the same match, whoever reported it."""
        return replace(self, report="") == replace(other, report="")


@dataclass(frozen=True, slots=True)
class Corrected:
    """A result is replaced by the right one; also the ruling where two different results of one match came in."""

    result: Result


@dataclass(frozen=True, slots=True)
class WalkedOver:
    """A match is not played: `winner` gets what a bye gives, or nobody does."""

    match: str
    winner: str | None


@dataclass(frozen=True, slots=True)
class ShootOut:
    """A shoot-out among tied entrants, decided by their `twenties`; for lots, any different numbers do."""

    entrants: tuple[str, ...]
    twenties: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ResultClaimed:
    """One of the two says how their match ended; it counts when the other one says the same. `by` is an entrant,
    `phone` a text by which two phones are told apart. Figures as in a result."""

    match: str
    sides: tuple[str, str]
    points: Figures
    by: str
    phone: str
    twenties: Figures | None = None


@dataclass(frozen=True, slots=True)
class EveningClosed:
    """The evening is over: nothing more is paired."""


@dataclass(frozen=True, slots=True)
class Undone:
    """An earlier event, and what followed from it, counts as if it had not happened. Undoing this brings it back."""

    entry: int


Event = (
    FormatSet
    | EntrantAdded
    | EntrantRenamed
    | EntrantLeft
    | EntrantReturned
    | Seeded
    | BoardAdded
    | BoardRenamed
    | BoardRemoved
    | BoardBroken
    | BoardMended
    | StageBegan
    | StageJoined
    | RoundPaired
    | RoundChanged
    | MatchMoved
    | MatchStarted
    | Result
    | Corrected
    | WalkedOver
    | ShootOut
    | ResultClaimed
    | EveningClosed
    | Undone
)


@dataclass(frozen=True, slots=True)
class Entry:
    """An event in the log, by its number from 1; `because` is the number of the action that it followed from."""

    number: int
    event: Event
    because: int | None = None
