"""Everything that can happen to a tournament. An event holds facts: what was drawn, not how it would be drawn today.

Entrants and boards get their ids from their creator. Rounds and matches get theirs from the number of the event that
paired them: round "7" from event 7, with the matches "7.1", "7.2" and so on. So a match that is paired again never has
its former id.

An event type is defined beside its relatives, with its effect and what follows from it, and named here for the rooms
that use it."""

from controller.club.tournament.base import Action, ByOrganiser, Event, LogEntry
from controller.club.tournament.boards import BoardAdded, BoardRemoved, BoardRenamed, BoardWorks
from controller.club.tournament.entrants import EntrantAdded, EntrantHere, EntrantRenamed, Seeded
from controller.club.tournament.match_ends import Corrected, Result, ResultClaimed, ShootOut, WalkedOver
from controller.club.tournament.rounds import (
    EveningClosed,
    FormatSet,
    MatchMoved,
    MatchStarted,
    RoundPaired,
    StageBegan,
    StageJoined,
    Undone,
)

__all__ = [
    "Action",
    "BoardAdded",
    "BoardRemoved",
    "BoardRenamed",
    "BoardWorks",
    "ByOrganiser",
    "Corrected",
    "EntrantAdded",
    "EntrantHere",
    "EntrantRenamed",
    "EveningClosed",
    "Event",
    "FormatSet",
    "LogEntry",
    "MatchMoved",
    "MatchStarted",
    "Result",
    "ResultClaimed",
    "RoundPaired",
    "Seeded",
    "ShootOut",
    "StageBegan",
    "StageJoined",
    "Undone",
    "WalkedOver",
]
