"""Tournaments as a pure library: pairings, boards, standings, and the consequences of every action.

Values only: no clock, no log, no I/O, no randomness. Everything public is here; start with `Tournament`.

| to | there is |
|---|---|
| preview, carry out or undo an action | `Tournament.preview`, `.do`, `.undo` |
| enter a table's report | `Tournament.receive` |
| read the state | `Tournament.state`; `standings`, `table`, `warnings`, `bracket`, `ratings` |
| store the log | `entry_to_json`, `entry_from_json`, `Tournament.of` |
"""

from controller.club.tournament.catalogue import FORMATS
from controller.club.tournament.changes import Change, warnings
from controller.club.tournament.errors import (
    BadFormat,
    BadRecord,
    BadResult,
    NameTaken,
    NoPairing,
    NotNow,
    StageOver,
    TournamentError,
    Unknown,
)
from controller.club.tournament.events import (
    BoardAdded,
    BoardBroken,
    BoardMended,
    BoardRemoved,
    BoardRenamed,
    Corrected,
    EntrantAdded,
    EntrantLeft,
    EntrantRenamed,
    EntrantReturned,
    Entry,
    EveningClosed,
    Event,
    FormatSet,
    MatchMoved,
    MatchStarted,
    Pairing,
    Result,
    ResultClaimed,
    RoundChanged,
    RoundPaired,
    Seeded,
    ShootOut,
    StageBegan,
    StageJoined,
    Undone,
    WalkedOver,
)
from controller.club.tournament.formats import NCA, TO_100, Format, Play, StageFormat
from controller.club.tournament.ladder import Ladder
from controller.club.tournament.open_night import OpenNight, ratings
from controller.club.tournament.planning import Action, Adopt, NextRound, NextStage, PairAgain, free_name
from controller.club.tournament.playoffs import Playoffs, Slot, bracket
from controller.club.tournament.ranking import Row
from controller.club.tournament.record import entry_from_json, entry_to_json
from controller.club.tournament.round_robin import RoundRobin
from controller.club.tournament.state import Board, Entrant, Match, Round, SetAside, Stage, State
from controller.club.tournament.swiss import Swiss
from controller.club.tournament.tables import standings, table, tied
from controller.club.tournament.tie_breaks import TIE_BREAKS, TieBreak
from controller.club.tournament.tournament import Preview, Tournament

__all__ = [
    "FORMATS",
    "NCA",
    "TIE_BREAKS",
    "TO_100",
    "Action",
    "Adopt",
    "BadFormat",
    "BadRecord",
    "BadResult",
    "Board",
    "BoardAdded",
    "BoardBroken",
    "BoardMended",
    "BoardRemoved",
    "BoardRenamed",
    "Change",
    "Corrected",
    "Entrant",
    "EntrantAdded",
    "EntrantLeft",
    "EntrantRenamed",
    "EntrantReturned",
    "Entry",
    "EveningClosed",
    "Event",
    "Format",
    "FormatSet",
    "Ladder",
    "Match",
    "MatchMoved",
    "MatchStarted",
    "NameTaken",
    "NextRound",
    "NextStage",
    "NoPairing",
    "NotNow",
    "OpenNight",
    "PairAgain",
    "Pairing",
    "Play",
    "Playoffs",
    "Preview",
    "Result",
    "ResultClaimed",
    "Round",
    "RoundChanged",
    "RoundPaired",
    "RoundRobin",
    "Row",
    "Seeded",
    "SetAside",
    "ShootOut",
    "Slot",
    "Stage",
    "StageBegan",
    "StageFormat",
    "StageJoined",
    "StageOver",
    "State",
    "Swiss",
    "TieBreak",
    "Tournament",
    "TournamentError",
    "Undone",
    "Unknown",
    "WalkedOver",
    "bracket",
    "entry_from_json",
    "entry_to_json",
    "free_name",
    "ratings",
    "standings",
    "table",
    "tied",
    "warnings",
]
