"""Everything that can happen to a tournament. An event holds facts: what was drawn, not how it would be drawn today.

Entrants and boards get their ids from their creator. Rounds and matches get theirs from the number of the event that
paired them: round "7" from event 7, with the matches "7.1", "7.2" and so on. So a match that is paired again never has
its former id."""

import re
from dataclasses import dataclass, replace
from typing import ClassVar, dataclass_transform

from controller.club.tournament.formats import STRICT, Count, Figures, SideNumber, TournamentFormat


@dataclass_transform(frozen_default=True)
@dataclass(frozen=True)
class Event:
    """The base of all events: a frozen dataclass each, which its definition registers by its `kind`, "board_added"."""

    __pydantic_config__: ClassVar = STRICT
    kinds: ClassVar[dict[str, type["Event"]]] = {}
    kind: ClassVar[str]

    def __init_subclass__(cls, base: bool = False) -> None:
        dataclass(frozen=True)(cls)
        if not base:
            cls.kind = re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()
            cls.kinds[cls.kind] = cls


class ByOrganiser(Event, base=True):
    """The base of those that the organiser may cause directly. All others follow from actions, or come from tables."""


class FormatSet(ByOrganiser):
    """The format was chosen, or changed for the stages that have not begun and for the rounds still to come."""

    format: TournamentFormat


class EntrantAdded(ByOrganiser):
    """An entrant was added: one player, or the two of a doubles team. After the first round it is a late arrival."""

    entrant: str
    players: tuple[str, ...]


class EntrantRenamed(ByOrganiser):
    """The names of an entrant's players were corrected."""

    entrant: str
    players: tuple[str, ...]


class EntrantHere(ByOrganiser):
    """An entrant dropped out, or plays again."""

    entrant: str
    here: bool


class Seeded(ByOrganiser):
    """The order of the entrants, the first seed first, by lot or by the organiser; missing ones come last."""

    order: tuple[str, ...]


class BoardAdded(ByOrganiser):
    """A board is there to be played on."""

    board: str
    name: str = ""


class BoardRenamed(ByOrganiser):
    """A board has a new name."""

    board: str
    name: str


class BoardRemoved(ByOrganiser):
    """A board was removed: it was added by mistake, or somebody took it home."""

    board: str


class BoardWorks(ByOrganiser):
    """A board can't be played on for now, or can again."""

    board: str
    works: bool


class StageBegan(Event):
    """A stage began with these entrants by seed, one group for each pool (else one group)."""

    stage: int
    groups: tuple[tuple[str, ...], ...]


class StageJoined(Event):
    """A late arrival joined a group of the running stage."""

    entrant: str
    group: int = 0


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two who meet; the first starts. `turn` orders the matches of a board in this round, from 1. `slot` is the place
    in a play-off bracket: "1.2" is the second match of its first round, "third" the match for third place."""

    __pydantic_config__ = STRICT
    sides: tuple[str, str]
    board: str | None = None
    turn: int = 1
    slot: str = ""


class RoundPaired(Event):
    """A round was drawn; `byes`: the entrants without an opponent. With the id of an earlier `round`: more matches of
    that round were drawn, in place of those `cancelled`, and these are all its byes now."""

    pairings: tuple[Pairing, ...]
    byes: tuple[str, ...] = ()
    round: str = ""
    cancelled: tuple[str, ...] = ()


class MatchMoved(ByOrganiser):
    """A match was moved to another board, or to none for now."""

    match: str
    board: str | None
    turn: Count = 1


class MatchStarted(Event):
    """A match was begun, by its first shot or by its players."""

    match: str


class Result(ByOrganiser):
    """The end of a match, for `sides` in this order, which may differ from the match's. `twenties`: None if nobody
    counted them. `winner` (0 or 1): of the shoot-out of a level match. `short`: the match was cut short. `report`: a
    unique name of its source, as "table 3, event 41": one report counts once, however often it arrives."""

    match: str
    sides: tuple[str, str]
    points: Figures
    twenties: Figures | None = None
    winner: SideNumber | None = None
    short: bool = False
    report: str = ""

    @property
    def swapped(self) -> "Result":
        return replace(
            self,
            sides=(self.sides[1], self.sides[0]),
            points=(self.points[1], self.points[0]),
            twenties=None if self.twenties is None else (self.twenties[1], self.twenties[0]),
            winner=None if self.winner is None else 1 - self.winner,
        )

    def same_result(self, other: "Result") -> bool:
        """Whether both are the same result of the same match, whatever their source, the sides in either order."""
        own = replace(self, report="")
        return replace(other, report="") in (own, own.swapped)


class Corrected(ByOrganiser):
    """A result was corrected; also the ruling on two different results of one match."""

    result: Result


class WalkedOver(ByOrganiser):
    """A match is not played: `winner`, if any, gets all its points."""

    match: str
    winner: str | None


class ShootOut(ByOrganiser):
    """A shoot-out among tied entrants, decided by their `twenties`; lots can be entered as any different numbers."""

    entrants: tuple[str, ...]
    twenties: tuple[int, ...]


class ResultClaimed(Event):
    """One of the two claims a result; it counts when the other claims the same. `by`: an entrant; `phone`: a text that
    identifies the phone."""

    result: Result
    by: str
    phone: str


class EveningClosed(ByOrganiser):
    """The evening was closed: nothing more is paired."""


class Undone(ByOrganiser):
    """An earlier event, and what followed from it, was undone. Undoing this restores it."""

    entry: int


@dataclass(frozen=True, slots=True)
class LogEntry:
    """An event in the log, by its number from 1; `because`: the number of the entry that it follows from; `who` made it
    and when (s since 1970, UTC), once it is in the log."""

    number: int
    event: Event
    because: int | None = None
    who: str = ""
    at: float = 0.0
